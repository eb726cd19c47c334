"""Asset checks: invariants of the tables, over whatever is in the lake.

A check has one result for the whole of its table, also in a run over some partitions: what is wrong is said by
partition in its metadata. Belongs here: what is checked of which asset. Does not belong here: the rules that columns
declare (`schemas.py`) or how they are found broken (`conformance.py`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from dagster import (
    AssetCheckResult,
    AssetChecksDefinition,
    AssetCheckSeverity,
    AssetKey,
    AssetsDefinition,
    asset_check,
)

from diffbench_assets.assets.ranged import DECLARED
from diffbench_assets.conformance import violations
from diffbench_assets.lake import Noted
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.pair_set import WEBDIFF
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.schemas import CANDIDATES, METRICS, PAIRS, Table
from diffbench_assets.suites import Suite

MIN_COVERAGE = 0.95
"""Below this share of judged items a model's numbers are not shown as scores."""
SHOWN = 5


def declared_checks(assets: Iterable[AssetsDefinition]) -> list[AssetChecksDefinition]:
    """Of every ranged asset: whether its tables are as their schemas declare them."""
    return [_as_declared(asset.key, DECLARED[asset.key].tables) for asset in assets if asset.key in DECLARED]


def suite_checks(suite: Suite) -> list[AssetChecksDefinition]:
    """What holds for the numbers of every suite, and for the pairs of those that make some."""
    return [*_metrics_checks(suite), *(_pairs_checks(suite) if suite.owns_pairs else [])]


def _as_declared(key: AssetKey, tables: tuple[Table, ...]) -> AssetChecksDefinition:
    @asset_check(asset=key, description="Columns, types, keys and values are as the schema declares them.")
    def as_declared(lake: LakeResource) -> AssetCheckResult:
        store = lake.open()
        wrong = {
            f"{table.name} {place}".strip(): said
            for table in tables
            for place, said in violations(store, table).items()
        }
        return AssetCheckResult(passed=not wrong, metadata={"violations": len(wrong), "where": _first(wrong)})

    return as_declared


def _first(wrong: Mapping[str, Any]) -> dict[str, Any]:
    return dict(list(wrong.items())[:SHOWN])


@asset_check(
    asset=AssetKey([WEBDIFF.name, "candidates"]),
    description="No accepted candidate changes a pixel outside its box, and each changes one inside.",
)
def accepted_candidates_are_local(lake: LakeResource) -> AssetCheckResult:
    columns = ["candidate_id", "status", "inside_changed_px", "outside_changed_px"]
    bad = [
        row["candidate_id"]
        for row in lake.open().iter_all(CANDIDATES.of(WEBDIFF.name), columns)
        if row["status"] == "accepted" and (row["outside_changed_px"] != 0 or not row["inside_changed_px"])
    ]
    return AssetCheckResult(passed=not bad, metadata={"violations": len(bad), "first": ", ".join(bad[:SHOWN])})


@asset_check(asset=AssetKey([WEBDIFF.name, "pairs"]), description="No pair changes less than people can see.")
def pairs_can_be_seen(lake: LakeResource) -> AssetCheckResult:
    noted = _noted_pairs(lake)
    below = {cell: found.about["below_floor"] for cell, found in noted.items() if found.about["below_floor"]}
    share = sum(below.values()) / max(1, sum(found.rows for cell, found in noted.items() if cell != NO_DIFF))
    return AssetCheckResult(
        passed=not below, severity=AssetCheckSeverity.WARN, metadata={"share_below_floor": share, "where": below}
    )


@asset_check(
    asset=AssetKey([WEBDIFF.name, "pairs"]), description="No page gives more pairs than it is first asked for."
)
def pages_give_few_pairs(lake: LakeResource) -> AssetCheckResult:
    given = Counter(row["page_id"] for row in lake.open().iter_all(PAIRS.of(WEBDIFF.name), ["page_id"]))
    most = max(given.values(), default=0)
    asked = min((found.about["pairs_a_page"] for found in _noted_pairs(lake).values()), default=1)
    return AssetCheckResult(
        passed=most <= asked,
        severity=AssetCheckSeverity.WARN,
        metadata={
            "most_pairs_of_one_page": most,
            "pages": len(given),
            "first": _first({page: n for page, n in sorted(given.items()) if n > asked}),
        },
    )


def _noted_pairs(lake: LakeResource) -> dict[str, Noted]:
    store = lake.open()
    found = {cell: store.noted(PAIRS.of(WEBDIFF.name), {"cell": cell}) for cell in WEBDIFF.cells}
    return {cell: noted for cell, noted in found.items() if noted}


def _pairs_checks(suite: Suite) -> list[AssetChecksDefinition]:
    table = PAIRS.of(suite.name)

    @asset_check(asset=AssetKey([suite.name, "pairs"]), description="Every cell has the pairs that were asked for.")
    def cells_are_filled(lake: LakeResource) -> AssetCheckResult:
        store = lake.open()
        asked = store.asked.cells.get(suite.name, ())
        noted = {cell: store.noted(table, {"cell": cell}) for cell in suite.cells}
        missing = [cell for cell in asked if not noted.get(cell)]
        short = {
            cell: "; ".join(filter(None, (f"{found.rows} of {found.about['wanted']}", found.about.get("shortage"))))
            for cell, found in noted.items()
            if found and found.rows < found.about.get("wanted", 0)
        }
        return AssetCheckResult(
            passed=not short and not missing,
            severity=AssetCheckSeverity.WARN,
            metadata={"short": short, "not_made": ", ".join(missing)},
        )

    @asset_check(
        asset=AssetKey([suite.name, "pairs"]), description="No two pairs with a difference show the same images."
    )
    def pairs_are_distinct(lake: LakeResource) -> AssetCheckResult:
        seen: dict[tuple[str, str], str] = {}
        doubled = []
        for row in lake.open().iter_all(table, ["pair_id", "cell", "before_pixels", "after_pixels"]):
            images = (row["before_pixels"], row["after_pixels"])
            if row["cell"] != NO_DIFF and seen.setdefault(images, row["pair_id"]) != row["pair_id"]:
                doubled.append(f"{row['pair_id']} = {seen[images]}")
        return AssetCheckResult(
            passed=not doubled, metadata={"doubled": len(doubled), "first": ", ".join(doubled[:SHOWN])}
        )

    return [cells_are_filled, pairs_are_distinct]


def _metrics_checks(suite: Suite) -> list[AssetChecksDefinition]:
    key = AssetKey([suite.name, "metrics"])

    def overall(lake: LakeResource, metric: str) -> dict[str, dict[str, Any]]:
        rows = lake.open().iter_all(METRICS.of(suite.name), METRICS.names)
        return {
            f"{row['model']} / {row['judge']}": row
            for row in rows
            if row["metric"] == metric and row["slice"] == "overall"
        }

    @asset_check(asset=key, description="Every judge scored nearly every answer of every model.")
    def coverage_is_high(lake: LakeResource) -> AssetCheckResult:
        covered = {name: row["value"] for name, row in overall(lake, "coverage").items()}
        low = {name: value for name, value in covered.items() if value < MIN_COVERAGE}
        return AssetCheckResult(passed=not low, severity=AssetCheckSeverity.WARN, metadata={"low": low})

    @asset_check(asset=key, description="A model that never reports a difference is never wrong on identical images.")
    def always_no_diff_is_specific(lake: LakeResource) -> AssetCheckResult:
        rows = overall(lake, "specificity").values()
        values = {str(row["judge"]): row["value"] for row in rows if row["model"] == "always_no_diff"}
        passed = all(value in (1.0, None) for value in values.values())
        return AssetCheckResult(passed=passed, metadata={"specificity": values})

    @asset_check(asset=key, description="No judge leaves more than one in twenty answers without a verdict.")
    def few_answers_are_unscored(lake: LakeResource) -> AssetCheckResult:
        unscored = {
            name: f"{row['n_unscored']} of {row['n']}"
            for name, row in overall(lake, "accuracy").items()
            if row["n_unscored"] > (1 - MIN_COVERAGE) * row["n"]
        }
        return AssetCheckResult(passed=not unscored, severity=AssetCheckSeverity.WARN, metadata={"unscored": unscored})

    return [coverage_is_high, always_no_diff_is_specific, few_answers_are_unscored]
