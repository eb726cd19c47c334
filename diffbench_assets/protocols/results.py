"""Results of a suite from the lake: every number, and the report.

Belongs here: gathering the tables of a suite and handing them to `statistics/` and `report/`, for each protocol. Does
not belong here: any number or picture itself. Heavy imports (scipy, matplotlib) happen only where this module is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from diffbench_assets import __version__
from diffbench_assets.lake import Lake, LakeError
from diffbench_assets.models.registry import Facts, Model
from diffbench_assets.protocols.multiple_choice.report.build import build_choice_report
from diffbench_assets.protocols.multiple_choice.report.tables import MultipleChoiceTables, compute_choice_tables
from diffbench_assets.protocols.protocol import protocol_of
from diffbench_assets.report.build import ReportFiles, build_report
from diffbench_assets.report.tables import ReportTables, compute_tables
from diffbench_assets.schemas import BLIND_CHECK, PAIRS, QUESTIONS, RESPONSES, VERDICTS, Table
from diffbench_assets.suites import MULTIPLE_CHOICE, OPEN_ENDED, Suite

Models = Mapping[str, Model]
BOARD: Final = ("rank", "model", "judge", "accuracy")
"""Columns that every leaderboard begins with."""

SHARED_TABLES: Final = ("metrics", "leaderboard", "comparisons")

_PAIR_COLUMNS: Final = [name for name in PAIRS.names if not name.startswith("image_")]


@dataclass(frozen=True)
class Results:
    """How results of a protocol come about. `board_columns` are the leaderboard's columns people see first."""

    tables: tuple[str, ...]
    board_columns: tuple[str, ...]
    compute: Callable[[Lake, Suite, Models], dict[str, pa.Table]]
    write_report: Callable[[Lake, Suite, Models], ReportFiles]

    def inputs(self, suite: Suite) -> dict[str, str]:
        """Lake names of the tables that every number comes from."""
        names = {name: suite.table(name) for name in ("questions", "responses", "verdicts", "blind_check")}
        return {"pairs": suite.pairs, **names}


def results_of(suite: Suite) -> Results:
    """The row of RESULTS for the suite's protocol."""
    return RESULTS[suite.protocol]


def _open_ended(lake: Lake, suite: Suite, models: Models) -> dict[str, pa.Table]:
    tables = compute_tables(
        _all(lake, suite.pairs, PAIRS, _PAIR_COLUMNS),
        _all(lake, suite.table("responses"), RESPONSES),
        _all(lake, suite.table("verdicts"), VERDICTS),
        facts=_facts(models),
    )
    return {name: getattr(tables, name) for name in RESULTS[OPEN_ENDED].tables}


def _open_ended_report(lake: Lake, suite: Suite, models: Models) -> ReportFiles:
    pairs, verdicts = _all(lake, suite.pairs, PAIRS), _all(lake, suite.table("verdicts"), VERDICTS)
    tables = ReportTables(
        pairs=pairs,
        responses=_all(lake, suite.table("responses"), RESPONSES),
        verdicts=verdicts,
        **{name: lake.read(suite.table(name)) for name in RESULTS[OPEN_ENDED].tables},
        facts=_facts(models),
        versions=_versions(suite, pairs, verdicts),
    )
    return build_report(tables, lake.report_folder(suite.name))


def _choices(lake: Lake, suite: Suite, models: Models) -> dict[str, pa.Table]:
    tables = compute_choice_tables(
        _all(lake, suite.pairs, PAIRS, _PAIR_COLUMNS),
        _all(lake, suite.table("questions"), QUESTIONS),
        _all(lake, suite.table("responses"), RESPONSES),
        _all(lake, suite.table("verdicts"), VERDICTS),
        facts=_facts(models),
    )
    return {name: getattr(tables, name) for name in RESULTS[MULTIPLE_CHOICE].tables}


def _choice_report(lake: Lake, suite: Suite, models: Models) -> ReportFiles:
    pairs, verdicts = _all(lake, suite.pairs, PAIRS), _all(lake, suite.table("verdicts"), VERDICTS)
    blind = suite.table("blind_check")
    tables = MultipleChoiceTables(
        pairs=pairs,
        questions=_all(lake, suite.table("questions"), QUESTIONS),
        responses=_all(lake, suite.table("responses"), RESPONSES),
        verdicts=verdicts,
        **{name: lake.read(suite.table(name)) for name in RESULTS[MULTIPLE_CHOICE].tables},
        blind=_all(lake, blind, BLIND_CHECK).to_pylist() if lake.files(blind) else [],
        facts=_facts(models),
        versions=_versions(suite, pairs, verdicts),
    )
    return build_choice_report(tables, lake.report_folder(suite.name))


RESULTS: Final[dict[str, Results]] = {
    OPEN_ENDED: Results(
        (*SHARED_TABLES, "contrasts", "agreement", "stability", "operator_points", "magnitude"),
        (*BOARD, "recall", "specificity", "coverage"),
        _open_ended,
        _open_ended_report,
    ),
    MULTIPLE_CHOICE: Results(
        SHARED_TABLES,
        (*BOARD, "pair_macro", "missed_change", "competing_change", "invalid", "coverage"),
        _choices,
        _choice_report,
    ),
}


def _versions(suite: Suite, pairs: pa.Table, verdicts: pa.Table) -> dict[str, str]:
    versions = {
        "diffbench-assets": __version__,
        "renderer": ", ".join(sorted(set(pairs["render_fingerprint"].to_pylist()))),
        "question": protocol_of(suite).question_sha256()[:12],
    }
    for judge, version in sorted({(r["judge"], r["judge_prompt_sha256"]) for r in verdicts.to_pylist()}):
        versions[f"judge {judge}"] = version[:12]
    return versions


def _all(lake: Lake, asset: str, kind: Table, columns: list[str] | None = None) -> pa.Table:
    table = lake.read_all(asset, columns)
    if table is None:
        raise LakeError(f"{lake.root} has no {asset}: materialize it first")
    wanted = pa.schema([kind.schema.field(name) for name in columns or kind.names])
    if missing := [name for name in wanted.names if name not in table.column_names]:
        raise LakeError(f"{asset} in {lake.root} has no column {missing[0]}: another version wrote it, make it again")
    return table.select(wanted.names).cast(wanted)


def _facts(models: Mapping[str, Model]) -> dict[str, Facts]:
    return {name: model.facts for name, model in models.items()}
