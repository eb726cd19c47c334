"""Results of a suite from the lake: every number, and the report.

Belongs here: gathering the tables of a suite and handing them to `statistics/` and `report/`. Does not belong here: any
number or picture itself. Heavy imports (scipy, matplotlib) happen only where this module is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa

from diffbench_assets import __version__
from diffbench_assets.evaluation.registry import Facts, Model
from diffbench_assets.lake import Lake, LakeError
from diffbench_assets.protocols.open_ended.prompt import question_sha256
from diffbench_assets.report.build import ReportFiles, build_report
from diffbench_assets.report.tables import ReportTables, compute_tables
from diffbench_assets.schemas import PAIRS, RESPONSES, VERDICTS

RESULT_TABLES: Final = (
    "metrics",
    "leaderboard",
    "comparisons",
    "contrasts",
    "agreement",
    "stability",
    "operator_points",
    "magnitude",
)
_PAIR_COLUMNS: Final = [name for name in PAIRS.names if not name.startswith("image_")]


def compute_results(lake: Lake, suite: str, models: Mapping[str, Model]) -> ReportTables:
    """All result tables of `suite`. Raises LakeError when there are no pairs or no responses yet."""
    return compute_tables(
        _all(lake, f"{suite}/pairs", PAIRS, _PAIR_COLUMNS),
        _all(lake, f"{suite}/responses", RESPONSES),
        _all(lake, f"{suite}/verdicts", VERDICTS),
        facts=_facts(models),
    )


def write_report(lake: Lake, suite: str, models: Mapping[str, Model]) -> ReportFiles:
    """The report of `suite` from the result tables in the lake, into `lake.report_folder(suite)`."""
    pairs = _all(lake, f"{suite}/pairs", PAIRS)
    versions = {
        "diffbench-assets": __version__,
        "renderer": ", ".join(sorted(set(pairs["render_fingerprint"].to_pylist()))),
        "question": question_sha256()[:12],
    }
    verdicts = _all(lake, f"{suite}/verdicts", VERDICTS)
    for judge, version in sorted({(r["judge"], r["judge_prompt_sha256"]) for r in verdicts.to_pylist()}):
        versions[f"judge {judge}"] = version[:12]
    tables = ReportTables(
        pairs=pairs,
        responses=_all(lake, f"{suite}/responses", RESPONSES),
        verdicts=verdicts,
        **{name: lake.read(f"{suite}/{name}") for name in RESULT_TABLES},
        facts=_facts(models),
        versions=versions,
    )
    return build_report(tables, lake.report_folder(suite))


def _all(lake: Lake, asset: str, schema: pa.Schema, columns: list[str] | None = None) -> pa.Table:
    table = lake.read_all(asset, columns)
    if table is None:
        raise LakeError(f"{lake.root} has no {asset}: materialize it first")
    wanted = pa.schema([schema.field(name) for name in columns or schema.names])
    if missing := [name for name in wanted.names if name not in table.column_names]:
        raise LakeError(f"{asset} in {lake.root} has no column {missing[0]}: another version wrote it, make it again")
    return table.select(wanted.names).cast(wanted)


def _facts(models: Mapping[str, Model]) -> dict[str, Facts]:
    return {name: model.facts for name, model in models.items()}
