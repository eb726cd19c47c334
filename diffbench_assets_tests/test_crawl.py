"""The crawl through the real graph: from a list of domains to pages of the pool, on a web that lives on loopback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from diffbench_assets.lake import Lake
from diffbench_assets.pages.fingerprint import structure_fingerprint
from diffbench_assets.schemas import (
    CRAWLED,
    FUNNEL,
    PAGES,
    REALNESS,
    REALNESS_JUDGES,
    REALNESS_SCORES,
    SAMPLED,
    SELF_CONTAINED,
    SITES,
)
from diffbench_assets_tests.corpus.regenerate.small_site import COPY
from diffbench_assets_tests.declared import assert_as_declared
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion

ROOT = Path(__file__).parents[1]
HOSTS = 8


def crawled(folder: Path, source: str, *arguments: str) -> tuple[Lake, dict[str, Any]]:
    """The lake after a source named web, with more fields in `source`, was crawled twice, and what was asked for."""
    hosts = "\n".join(f"https://www.site-{number:03}.test/" for number in range(HOSTS))
    (folder / "hosts.txt").write_text(f"# made-up names\n{hosts}\nlocalhost\n")
    (folder / "corpus.yaml").write_text(
        "sources:\n  - {name: web, kind: crawl, contact: someone@example.org, urls_per_host: 1,\n"
        f"     lists: [{{name: mine, path: hosts.txt, layout: plain}}]{source}}}\n"
    )
    environment = os.environ | {
        "DIFFBENCH_CORPUS": str(folder / "corpus.yaml"),
        "DIFFBENCH_MODELS": str(folder / "models.yaml"),
        "DIFFBENCH_SHARDS": "2",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "diffbench_assets_tests.crawl_process", str(folder / "lake"), str(HOSTS)]
    done = subprocess.run(
        [*command, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return Lake(str(folder / "lake")), json.loads(done.stdout.strip().splitlines()[-1])


def test_a_crawl_ends_in_pages_and_a_funnel_and_asks_for_nothing_twice(tmp_path: Path) -> None:
    store, report = crawled(tmp_path, "")
    first, second = report["asked"]
    assert first == second and report["secret"] == 0

    sites = store.read_all(SITES).to_pylist()
    assert len(sites) == HOSTS
    visits = store.read_all(CRAWLED).to_pylist()
    assert len(visits) == HOSTS and all(row["failure"] is None for row in visits)
    made = store.read_all(SELF_CONTAINED).to_pylist()
    assert sum(row["duplicates"] + 1 for row in made) == HOSTS
    kept = [row for row in made if row["drop_reason"] is None]
    assert kept and all(row["pixel_agreement"] > 0.99 for row in kept)
    pages = store.read(PAGES, {"source": "web"}).to_pylist()
    assert len(pages) == sum(row["domain"] is not None for row in kept)
    assert all(row["drop_reason"] is None for row in pages)
    # What was compared with the originals is what lands in the pool.
    compared = {f"web-{row['page_id'][:16]}": row["html"] for row in kept}
    assert all(row["html"] == compared[row["page_id"]] for row in pages)
    assert all(row["structure_fingerprint"] == structure_fingerprint(row["html"]) for row in pages)
    assert all(row["richness"] and row["missing_glyphs"] == "" for row in pages)
    funnel = {(row["stage"], row["reason"]): row["n"] for row in store.read_all(FUNNEL).to_pylist()}
    assert funnel["domains", "kept"] == HOSTS and funnel["sampled", "kept"] == len(pages)
    page = (store.report_folder("corpus") / "report.html").read_text()
    assert "web" in page and "self contained" in page and page.count("data:image/png;base64,") >= 2 * len(kept)


def answering(asked: Asked) -> Answer:
    """A model that writes one good page for every picture, labels pages, and scores pictures by how light they are."""
    words = json.dumps(asked.content)
    if "each value copied from the lists" in words:
        return completion(json.dumps({"domain": "travel", "style": "vibrant"}))
    if "Score it" not in words:
        return completion(COPY)
    with Image.open(io.BytesIO(asked.images[0])) as image:
        light = image.convert("L").resize((1, 1)).getpixel((0, 0))
    return completion(json.dumps({"reasoning": "by its light", "score": 1 + int(light) * 5 // 256}))


NAMES = ("writer", "labeller", "one", "two")


def test_pages_are_written_anew_by_a_model_and_audited_by_two_judges(tmp_path: Path) -> None:
    with ChatServer(answering) as server:
        (tmp_path / "models.yaml").write_text(
            "models:\n" + "".join(f"  - {{id: {name}, endpoint: {server.url}}}\n" for name in NAMES)
        )
        fields = (
            ", way: regenerate, regenerate_with: writer, label_with: labeller, audit_with: [one, two], audit_pages: 3"
        )
        store, _ = crawled(tmp_path, fields, "audited")

    made = store.read_all(SELF_CONTAINED).to_pylist()
    assert {(row["way"], row["written_by"]) for row in made} == {("regenerate", "writer")}
    assert all(len(row["prompt_sha256"]) == 64 for row in made)
    kept = [row for row in made if row["drop_reason"] is None]
    assert kept and all("Stoneware shaped by four patient hands" in row["html"] for row in kept)
    scores = store.read_all(REALNESS_SCORES).to_pylist()
    # Nothing is asked twice: each picture is once written anew and once scored by each judge. All copies look alike.
    asked = [(request.document["model"], request) for request in server.log]
    pictures = Counter((model, *request.images) for model, request in asked if model != "labeller")
    assert set(pictures.values()) == {1}
    assert Counter(model for model, _ in pictures) == {"writer": len(made), "one": 1 + 3, "two": 1 + 3}
    audited = {row["page_id"] for row in scores}
    sampled = set(store.read(SAMPLED, {"source": "web"})["id"].to_pylist())
    assert audited and audited <= sampled and len(audited) == min(3, len(sampled))
    assert len(scores) == 2 * 2 * len(audited) and all(row["score"] in range(1, 6) for row in scores)
    deltas = store.read(REALNESS, {"source": "web"}).to_pylist()
    every = {row["judge"]: row for row in deltas if row["richness"] == "all"}
    assert every.keys() == {"one", "two"}
    for judge, row in every.items():
        sides = {
            side: [score["score"] for score in scores if (score["judge"], score["side"]) == (judge, side)]
            for side in ("original", "copy")
        }
        difference = (sum(sides["original"]) - sum(sides["copy"])) / len(audited)
        assert row["value"] == pytest.approx(difference) and row["n"] == len(audited)
    assert store.read(REALNESS_JUDGES, {"source": "web"})["judge_a"].to_pylist() == ["one"] * 4
    assert_as_declared(store)
    assert "Δ" in (store.report_folder("corpus") / "report.html").read_text()
