"""The whole pipeline on a small corpus, through the real graph, browser, Parquet and DuckDB."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dagster import AssetSelection, DagsterInstance

from diffbench_assets import partitions
from diffbench_assets.assets import webdiff
from diffbench_assets.cli import running as shell
from diffbench_assets.cli.running import Graph, RunFailed, evaluate, judge
from diffbench_assets.definitions import defs
from diffbench_assets.lake import Lake
from diffbench_assets.pages.sources import GeneratorSource
from diffbench_assets.pairs.css.sampling import is_full, page_order
from diffbench_assets.resources.build import settings_of
from diffbench_assets.resources.embedder import EmbedderResource
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import CANDIDATES, PAGE_POOL, PAGES, PAIRS, RESPONSES
from diffbench_assets.suites import SUITES
from diffbench_assets_tests.declared import assert_as_declared
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion

CELLS = ["color.easy", "color.medium", "color.hard", "border.hard", "no_diff"]
GENERATED = 8


@pytest.fixture(scope="module")
def instance() -> Iterator[DagsterInstance]:
    with DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture(autouse=True, scope="module")
def corpus() -> Iterator[None]:
    partitions.corpus()["generator"] = GeneratorSource(name="generator", kind="generator", seed=3, count=GENERATED)
    yield
    partitions.corpus.cache_clear()


SETTINGS = {"seed": 4, "n": 1, "no_diff": 2}


def graph(lake: Path, instance: DagsterInstance, **resources: object) -> Graph:
    replaced = {
        "settings": settings_of(SUITES.values(), webdiff=SETTINGS),
        "embedder": EmbedderResource(weights="none"),
        **resources,
    }
    return Graph(defs, instance, lake=LakeResource(root=str(lake)), **replaced)


def build(lake: Path, instance: DagsterInstance, cells: list[str] = CELLS) -> Lake:
    shell.build(graph(lake, instance), SUITES["webdiff"], ["generator"], cells)
    return Lake(str(lake))


def contents(lake: Path) -> dict[str, bytes]:
    return {str(path.relative_to(lake)): path.read_bytes() for path in sorted(lake.rglob("data.parquet"))}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, instance: DagsterInstance) -> Path:
    lake = tmp_path_factory.mktemp("built") / "lake"
    build(lake, instance)
    return lake


def test_every_cell_asked_for_has_its_pairs(built: Path) -> None:
    assert Lake(str(built)).cell_counts(PAIRS.of("webdiff")) == {
        cell: 2 if cell == "no_diff" else 1 for cell in sorted(CELLS)
    }


def test_a_cell_searches_no_more_pages_than_fill_it(
    tmp_path: Path, instance: DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webdiff, "PAGES_A_ROUND", 1)
    cells = ["color.easy", "color.medium", "color.hard"]
    lake = build(tmp_path / "lake", instance, cells)
    pool = [row["page_id"] for row in lake.read(PAGE_POOL).to_pylist()]
    looked_at: list[int] = []
    for cell in cells:
        noted = lake.noted(CANDIDATES.of("webdiff"), {"cell": cell})
        assert noted is not None
        by_page: dict[str, list[Any]] = {page: [] for page in page_order(pool, cell, SETTINGS["seed"])}
        for row in lake.read(CANDIDATES.of("webdiff"), {"cell": cell}).to_pylist():
            by_page[row["page_id"]].append(row)
        rows: list[Any] = []
        full = []
        for found in by_page.values():
            rows += found
            full.append(is_full(rows, cell, 1, SETTINGS["seed"]))
        searched = full.index(True) + 1 if any(full) else len(pool)
        assert noted.about["pages_searched"] == searched
        assert [bool(found) for found in by_page.values()] == [place < searched for place in range(len(pool))]
        looked_at.append(searched)
        assert lake.cell_counts(PAIRS.of("webdiff"))[cell] == 1
    assert min(looked_at) < len(pool) and max(looked_at) > 1


def test_css_pairs_ask_for_no_scenes(tmp_path: Path, instance: DagsterInstance) -> None:
    shell.build(graph(tmp_path / "lake", instance), SUITES["webdiff"], [], [])
    assert {row["source"] for row in Lake(str(tmp_path / "lake")).iter_all(PAGES, ["source"])} == {"generator"}


def test_pairs_carry_images_truth_and_where_they_came_from(built: Path) -> None:
    pages = {row["page_id"] for row in Lake(str(built)).read_all(PAGE_POOL).to_pylist()}
    for pair in Lake(str(built)).read_all(PAIRS.of("webdiff")).to_pylist():
        assert pair["page_id"] in pages
        assert pair["image_before"]["bytes"].startswith(b"\x89PNG") and pair["image_after"]["bytes"]
        assert pair["render_fingerprint"].startswith("chromium-")
        if pair["cell"] == "no_diff":
            assert pair["differences"] == [] and pair["before_pixels"] == pair["after_pixels"]
        else:
            (difference,) = pair["differences"]
            assert f"{difference['kind']}.{pair['tier']}" == pair["cell"]
            assert 0 < pair["inside_change"] <= 1 and pair["before_pixels"] != pair["after_pixels"]


def test_the_same_inputs_give_the_same_bytes_in_another_lake(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    build(tmp_path / "lake", instance)
    assert contents(tmp_path / "lake") == {k: v for k, v in contents(built).items() if "webdiff/responses" not in k}


def test_a_second_build_keeps_every_file_as_it_is(built: Path, instance: DagsterInstance) -> None:
    before = {path: path.stat().st_mtime_ns for path in built.rglob("webdiff/**/data.parquet")}
    build(built, instance)
    assert {path: path.stat().st_mtime_ns for path in built.rglob("webdiff/**/data.parquet")} == before


def test_one_cell_is_remade_alone_and_comes_out_the_same(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(built, lake)
    original = contents(lake)
    for asset in ("candidates", "pairs"):
        shutil.rmtree(lake / "webdiff" / asset / "cell=color.medium")
    others = {path: path.stat().st_mtime_ns for path in lake.rglob("webdiff/**/data.parquet")}
    build(lake, instance, ["color.medium"])
    assert contents(lake) == original
    assert all(path.stat().st_mtime_ns == modified for path, modified in others.items())


def test_runs_are_named_for_what_they_make(built: Path, instance: DagsterInstance) -> None:
    names = {run.job_name for run in instance.get_runs()}
    assert {"pages", "page_pool", "webdiff_candidates", "webdiff_pairs"} <= names
    assert not [name for name in names if name.startswith("__")]


def test_checks_are_evaluated_over_what_there_is(built: Path, instance: DagsterInstance) -> None:
    found = {(one.asset_key.to_user_string(), one.check_name): one.passed for one in graph(built, instance).check()}
    # So few pages have to give several pairs each, which is only a warning.
    assert {name for name, passed in found.items() if not passed} <= {("webdiff/pairs", "pages_give_few_pairs")}
    assert {("webdiff/pairs", "cells_are_filled"), ("webdiff/candidates", "as_declared")} <= {*found}


def test_the_job_of_a_new_model_ends_with_a_report(built: Path, tmp_path: Path, instance: DagsterInstance) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(built, lake)
    instance.add_dynamic_partitions("webdiff_models", ["pixel_diff"])
    keys = defs.resolve_job_def("evaluate_webdiff").asset_layer.selected_asset_keys
    span = ("color.easy|pixel_diff", "color.easy|pixel_diff")
    done = graph(lake, instance).execute("evaluate", AssetSelection.assets(*keys), span)
    assert done.success
    board = Lake(str(lake)).read(SUITES["webdiff"].result("leaderboard")).to_pylist()
    assert "pixel_diff" in {row["model"] for row in board}
    assert "pixel_diff" in (lake / "reports" / "webdiff" / "report.html").read_text()


def test_a_model_is_evaluated_by_one_line_in_models_yaml(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(built, lake)
    with ChatServer() as server:
        models = tmp_path / "models.yaml"
        models.write_text(
            "models:\n  - {id: always_no_diff, baseline: always_no_diff}\n"
            f"  - {{id: tried, endpoint: '{server.url}'}}\n"
        )
        registry = RegistryResource(models_file=str(models))
        running = graph(lake, instance, registry=registry, spending=SpendingResource())
        evaluate(running, SUITES["webdiff"], ["always_no_diff", "tried"], CELLS)
        asked = len(server.log)
        evaluate(running, SUITES["webdiff"], ["tried"], CELLS)
        assert asked == len(server.log) == 6
        judge(running, SUITES["webdiff"], "rules", ["always_no_diff", "tried"], CELLS, replies=False)
        running.run(["webdiff", "metrics"])
        running.run(["webdiff", "report"])
    store = Lake(str(lake))
    responses = store.read_all(RESPONSES.of("webdiff")).to_pylist()
    assert {(row["model"], row["outcome"]) for row in responses} == {
        ("always_no_diff", "completed"),
        ("tried", "completed"),
    }
    board = {row["model"]: row for row in store.read(SUITES["webdiff"].result("leaderboard")).to_pylist()}
    assert board["always_no_diff"]["accuracy"] == pytest.approx(2 / 6)
    assert board["always_no_diff"]["specificity"] == 1.0
    assert (lake / "reports" / "webdiff" / "report.html").stat().st_size > 10_000
    assert_as_declared(store)


def test_a_budget_keeps_finished_cells_and_says_how_to_go_on(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(built, lake)
    with ChatServer() as server:
        models = tmp_path / "models.yaml"
        models.write_text(f"models:\n  - {{id: tried, endpoint: '{server.url}', concurrency: 1}}\n")
        registry = RegistryResource(models_file=str(models))
        poor = graph(lake, instance, registry=registry, spending=SpendingResource(budget_calls=3, shared_as="test"))
        with pytest.raises(RunFailed, match="budget is used up"):
            evaluate(poor, SUITES["webdiff"], ["tried"], CELLS)
        assert len(server.log) == 3
        rich = graph(lake, instance, registry=registry, spending=SpendingResource())
        evaluate(rich, SUITES["webdiff"], ["tried"], CELLS)
        assert len(server.log) == 6


def test_descriptions_are_polished_only_when_asked_and_the_truth_stays(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(built, lake)

    def behave(asked: Asked) -> Answer:
        (said,) = re.findall(r"begins =====\n(.*)\n===== sentence", str(asked.text))
        return completion(f"Look closely:  {said}")

    with ChatServer(behave) as server:
        models = tmp_path / "models.yaml"
        models.write_text(f"models:\n  - {{id: writer, endpoint: '{server.url}'}}\n")
        running = graph(
            lake,
            instance,
            registry=RegistryResource(models_file=str(models)),
            settings=settings_of(SUITES.values(), webdiff=SETTINGS | {"polish_with": "writer"}),
        )
        running.run(["webdiff", "pairs"], ("color.hard", "color.hard"))
        (asked,) = server.log
        assert asked.document["temperature"] == 0.7
    (plain,) = Lake(str(built)).read(PAIRS.of("webdiff"), {"cell": "color.hard"}).to_pylist()
    (pair,) = Lake(str(lake)).read(PAIRS.of("webdiff"), {"cell": "color.hard"}).to_pylist()
    assert pair["description"] == f"Look closely: {plain['description']}"
    assert pair["differences"] == plain["differences"] and pair["image_after"] == plain["image_after"]


def test_a_failing_step_is_one_clear_error(tmp_path: Path, instance: DagsterInstance) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(RunFailed, match="DIFFBENCH_LAKE"):
        build(tmp_path / "file" / "lake", instance)
