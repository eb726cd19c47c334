"""Asset checks: invariants of the tables, over whatever is in the lake."""

from typing import Any

from dagster import AssetCheckResult, AssetCheckSeverity, AssetKey, asset_check

from diffbench_assets.assets.webdiff import candidates, pairs
from diffbench_assets.pairs.css.operators import CELLS, NO_DIFF
from diffbench_assets.resources.build import BuildSettings
from diffbench_assets.resources.lake import LakeResource


@asset_check(
    asset=candidates, description="No accepted candidate changes a pixel outside its box, and each changes one inside."
)
def accepted_candidates_are_local(lake: LakeResource) -> AssetCheckResult:
    table = lake.open().read_all(
        "webdiff/candidates", ["candidate_id", "status", "inside_changed_px", "outside_changed_px"]
    )
    bad = [
        row["candidate_id"]
        for row in (table.to_pylist() if table else [])
        if row["status"] == "accepted" and (row["outside_changed_px"] != 0 or not row["inside_changed_px"])
    ]
    return AssetCheckResult(passed=not bad, metadata={"violations": len(bad), "first": ", ".join(bad[:5])})


@asset_check(asset=pairs, description="Every cell of the benchmark has the pairs that were asked for.")
def cells_are_filled(lake: LakeResource, build: BuildSettings) -> AssetCheckResult:
    table = lake.open().read_all("webdiff/pairs", ["cell"])
    made = table["cell"].to_pylist() if table else []
    wanted = dict.fromkeys(CELLS, build.n) | {NO_DIFF: build.n_no_diff}
    short = {cell: f"{made.count(cell)} of {n}" for cell, n in wanted.items() if made.count(cell) < n}
    return AssetCheckResult(passed=not short, severity=AssetCheckSeverity.WARN, metadata={"short": short})


@asset_check(asset=pairs, description="No two mutated pairs show the same images, and ids are unique.")
def pairs_are_distinct(lake: LakeResource) -> AssetCheckResult:
    table = lake.open().read_all("webdiff/pairs", ["pair_id", "cell", "before_pixels", "after_pixels"])
    seen: dict[tuple[str, str], str] = {}
    doubled = []
    for row in table.to_pylist() if table else []:
        images = (row["before_pixels"], row["after_pixels"])
        if row["cell"] != NO_DIFF and seen.setdefault(images, row["pair_id"]) != row["pair_id"]:
            doubled.append(f"{row['pair_id']} = {seen[images]}")
    return AssetCheckResult(passed=not doubled, metadata={"doubled": len(doubled), "first": ", ".join(doubled[:5])})


METRICS = AssetKey(["webdiff", "metrics"])
MIN_COVERAGE = 0.95
"""Below this share of judged items a model's numbers are not shown as scores."""


def _metric(lake: LakeResource, metric: str) -> list[dict[str, Any]]:
    store = lake.open()
    if not store.exists("webdiff/metrics"):
        return []
    rows = store.read("webdiff/metrics").to_pylist()
    return [row for row in rows if row["metric"] == metric and row["slice"] == "overall"]


@asset_check(asset=METRICS, description="Every judge scored nearly every answer of every model.")
def coverage_is_high(lake: LakeResource) -> AssetCheckResult:
    low = {
        f"{row['model']} / {row['judge']}": row["value"]
        for row in _metric(lake, "coverage")
        if row["value"] < MIN_COVERAGE
    }
    return AssetCheckResult(passed=not low, severity=AssetCheckSeverity.WARN, metadata={"low": low})


@asset_check(asset=METRICS, description="A model that never reports a difference is never wrong on identical images.")
def always_no_diff_is_specific(lake: LakeResource) -> AssetCheckResult:
    values = {
        str(row["judge"]): row["value"] for row in _metric(lake, "specificity") if row["model"] == "always_no_diff"
    }
    return AssetCheckResult(
        passed=all(value in (1.0, None) for value in values.values()), metadata={"specificity": values}
    )


@asset_check(asset=METRICS, description="No judge leaves more than one in twenty completed answers without a verdict.")
def few_answers_are_unscored(lake: LakeResource) -> AssetCheckResult:
    unscored = {
        f"{row['model']} / {row['judge']}": f"{row['n_unscored']} of {row['n']}"
        for row in _metric(lake, "accuracy")
        if row["n_unscored"] > (1 - MIN_COVERAGE) * row["n"]
    }
    return AssetCheckResult(passed=not unscored, severity=AssetCheckSeverity.WARN, metadata={"unscored": unscored})
