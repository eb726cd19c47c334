"""How many rows enter each stage of a corpus, how many leave it, and why the others do not.

Belongs here: counting the stages' tables, and the plot. Does not belong here: any decision about a row.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure

from diffbench_assets.corpus import out_of_core
from diffbench_assets.corpus.domains import ListsRead
from diffbench_assets.corpus.filters import FILTERS
from diffbench_assets.report import look

STAGES: Final = (
    "domains", "sites", "urls", "crawled", "unique", "self_contained", "filtered", "labelled", "sampled",
)  # fmt: skip
KEPT: Final = "kept"

TABLES: Final = ("domains", "sites", "crawled", "self_contained", "sampled")
"""Tables that stages are counted from; `sampled` is any table with one row for each page of the sample."""

_REST: Final = {"crawled": "not_visited", "unique": "unreadable", "sampled": "over_cap"}
"""Why rows that the stage before kept are missing in the table of this one."""

_REASONS_SHOWN: Final = 4

Counts = Mapping[str, Mapping[str, int]]
"""Stage → kept or reason → rows."""


def count_stages(
    files: Mapping[str, Sequence[str | Path]],
    lists: ListsRead | None = None,
    *,
    memory_limit: str = out_of_core.MEMORY_LIMIT,
    threads: int | None = None,
) -> dict[str, dict[str, int]]:
    """Counts of every stage, from the Parquet files of the tables TABLES.

    Stages whose tables are not given are left out. `lists` adds the rows of domain lists that name no host. Details
    after a colon do not make a reason of their own. Raises UserError for files that cannot be read.
    """
    counts: dict[str, dict[str, int]] = {}
    with (
        tempfile.TemporaryDirectory(prefix="funnel-") as scratch,
        out_of_core.connect(Path(scratch), memory_limit, threads) as connection,
    ):
        filters = [*(rule.name for rule in FILTERS), "unusable"]
        connection.execute("SET VARIABLE filters = $filters", {"filters": filters})
        for table in TABLES:
            if table in files:
                out_of_core.name_inputs(connection, table, files[table], "*")
                for stage, reason, n in connection.execute(out_of_core.query(f"funnel_{table}")).fetchall():
                    counts.setdefault(stage, {})[reason] = int(n)
    if lists is not None:
        counts["domains"] = {KEPT: lists.hosts, "same_host": lists.duplicates, **lists.left_out}
    for stage, reason in _REST.items():
        before = STAGES[STAGES.index(stage) - 1]
        if stage in counts and before in counts:
            counts[stage][reason] = counts[before].get(KEPT, 0) - sum(counts[stage].values())
    return counts


def funnel_rows(source: str, counts: Counts) -> list[dict[str, Any]]:
    """Rows of schemas.FUNNEL: stage by stage what is kept, then the reasons that have rows, the largest first."""
    return [
        {"source": source, "stage": stage, "order": order, "reason": reason, "n": n}
        for order, stage in enumerate(STAGES)
        if stage in counts
        for reason, n in [(KEPT, counts[stage].get(KEPT, 0)), *lost(counts[stage])]
    ]


def lost(reasons: Mapping[str, int]) -> list[tuple[str, int]]:
    """Why rows of a stage are not kept, the most frequent reason first."""
    others = [(reason, n) for reason, n in reasons.items() if reason != KEPT and n]
    return sorted(others, key=lambda entry: (-entry[1], entry[0]))


def by_stage(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Stage → kept or reason → rows, in the order of the stages, from one source's rows of schemas.FUNNEL."""
    stages: dict[str, dict[str, int]] = {}
    for row in sorted(rows, key=lambda row: row["order"]):
        stages.setdefault(row["stage"], {})[row["reason"]] = row["n"]
    return stages


def plot(rows: Iterable[Mapping[str, Any]]) -> Figure:
    """A bar for each stage of one source's funnel: the share of its rows that is kept, and why the others are not.

    Bars are shares, since the first stage may be a thousand times the last and stages count different things (hosts,
    then addresses, then pages).
    """
    stages = by_stage(rows)
    with mpl.rc_context(look.settings()):
        figure = Figure(figsize=(6.6, 0.5 + 0.52 * len(stages)))
        axes = figure.subplots()
        axes.set(xlim=(0, 100), ylim=(len(stages) - 0.35, -0.5), yticks=range(len(stages)))
        axes.set_yticklabels([stage.replace("_", " ") for stage in stages], color=look.INK)
        axes.tick_params(length=0)
        axes.set_xticks([])
        axes.grid(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for place, reasons in enumerate(stages.values()):
            total = sum(reasons.values())
            kept = 100 * reasons.get(KEPT, 0) / total if total else 0
            axes.barh(place, 100, height=0.34, color=look.RULE, linewidth=0)
            axes.barh(place, kept, height=0.34, color=look.PALETTE[0], linewidth=0)
            numbers = f"{short(reasons.get(KEPT, 0))} of {short(total)}"
            axes.text(101.5, place, numbers, va="center", color=look.INK, clip_on=False)
            axes.text(0, place + 0.24, _why(reasons), va="top", color=look.MUTED, fontsize=7)
    return figure


def _why(reasons: Mapping[str, int]) -> str:
    others = lost(reasons)
    shown = [f"{reason.replace('_', ' ')} {short(n)}" for reason, n in others[:_REASONS_SHOWN]]
    if len(others) > _REASONS_SHOWN:
        shown.append(f"other {short(sum(n for _, n in others[_REASONS_SHOWN:]))}")
    return " · ".join(shown)


def short(n: int) -> str:
    """A count in three or four digits: 812, 9.04 M."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if n >= 10 * size or (n >= size and letter == "M"):
            return f"{n / size:.2f}".rstrip("0").rstrip(".") + f" {letter}"
    return f"{n:,}"
