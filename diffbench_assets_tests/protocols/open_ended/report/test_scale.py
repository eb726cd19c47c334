"""A suite of the paper's size stays quick in the browser."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from diffbench_assets.protocols.open_ended.report.build import build_report
from diffbench_assets.report.output import ReportFiles
from diffbench_assets_tests.protocols.open_ended.report.suite import (
    OPERATORS,
    TIERS,
    pair,
    report_tables,
    response,
    verdict,
)
from diffbench_assets_tests.report.opened import Watched, wait_for_images

LONG = "The heading of the second card looks a little bolder than before, while everything around it is the same. " * 5


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    """3,900 pairs with a change and 500 without, two models, answers of five hundred letters."""
    cells = [f"{operator}.{tier}" for operator in OPERATORS for tier in TIERS for _ in range(100)] + ["no_diff"] * 500
    unmeasured = {"inside_change": None, "clip_distance": None}
    pairs = [pair(f"{i:05d}", cell, i % 8, **unmeasured) for i, cell in enumerate(cells)]
    responses, verdicts = [], []
    for model, period in (("often-right", 2), ("seldom-right", 5)):
        for i, row in enumerate(pairs):
            responses.append(response(row["pair_id"], model, f"{LONG} ({i})"))
            said = ("wrong" if i % period else "correct") if row["operator"] else None
            verdicts.append(verdict(row["pair_id"], model, said, reasoning="The element is named."))
    return build_report(report_tables(pairs, responses, verdicts, replicates=10), tmp_path_factory.mktemp("large"))


def test_4400_pairs_open_and_filter_without_a_long_wait(watched: Watched, large: ReportFiles) -> None:
    started = time.perf_counter()
    page = watched.open(large.html)
    assert time.perf_counter() - started < 15
    assert page.locator("#found").inner_text() == "4,400 pairs"
    assert page.locator("#list a").count() == 40
    took = page.evaluate(
        """async () => {
            const times = {};
            const gathered = () => document.documentElement.dataset.search === "ready";
            for (const change of ["operator=color", "operator=", "verdict=wrong", "tier=hard", "tier=", "text=(1234)",
                                  "text=bolder"]) {
                const [name, value] = change.split("=");
                const field = document.getElementById(`f-${name}`);
                while (name === "text" && !gathered()) await new Promise(requestIdleCallback);
                const start = performance.now();
                field.value = value;
                field.dispatchEvent(new Event("input", { bubbles: true }));
                await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                times[change] = performance.now() - start;
            }
            return times;
        }"""
    )
    assert max(took.values()) < 2000, took


def test_only_the_pair_that_is_looked_at_loads_its_images(watched: Watched, large: ReportFiles) -> None:
    page = watched.open(large.html)
    page.locator(".stage").scroll_into_view_if_needed()
    wait_for_images(page)
    assert len([url for url in watched.requests if url.endswith(".png")]) == 2
    assert large.images == Path(large.html.parent, "report_images") and len(list(large.images.iterdir())) == 16
