"""The crawl through the real graph: from a list of domains to pages of the pool, on a web that lives on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from diffbench_assets.lake import Lake

ROOT = Path(__file__).parents[1]
SITES = 8


def test_a_crawl_ends_in_pages_and_a_funnel_and_asks_for_nothing_twice(tmp_path: Path) -> None:
    hosts = "\n".join(f"https://www.site-{number:03}.test/" for number in range(SITES))
    (tmp_path / "hosts.txt").write_text(f"# made-up names\n{hosts}\nlocalhost\n")
    (tmp_path / "corpus.yaml").write_text(
        "sources:\n  - {name: web, kind: crawl, contact: someone@example.org, urls_per_host: 1,\n"
        "     lists: [{name: mine, path: hosts.txt, layout: plain}]}\n"
    )
    environment = os.environ | {
        "DIFFBENCH_CORPUS": str(tmp_path / "corpus.yaml"),
        "DIFFBENCH_SHARDS": "2",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "diffbench_assets_tests.crawl_process", str(tmp_path / "lake"), str(SITES)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.strip().splitlines()[-1])
    first, second = report["asked"]
    assert first == second and report["secret"] == 0

    store = Lake(str(tmp_path / "lake"))
    sites = store.read_all("sites").to_pylist()
    assert len(sites) == SITES
    crawled = store.read_all("crawled").to_pylist()
    assert len(crawled) == SITES and all(row["failure"] is None for row in crawled)
    made = store.read_all("self_contained").to_pylist()
    assert sum(row["duplicates"] + 1 for row in made) == SITES
    kept = [row for row in made if row["drop_reason"] is None]
    assert kept and all(row["pixel_agreement"] > 0.99 for row in kept)
    pages = store.read("pages", {"source": "web"}).to_pylist()
    assert len(pages) == sum(row["domain"] is not None for row in kept)
    assert all(row["drop_reason"] is None for row in pages)
    funnel = {(row["stage"], row["reason"]): row["n"] for row in store.read_all("funnel").to_pylist()}
    assert funnel["domains", "kept"] == SITES and funnel["sampled", "kept"] == len(pages)
