"""Pages of the live web: `crawl` and `audit`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from diffbench_assets.cli.common import (
    BudgetCallsOption,
    BudgetUsdOption,
    LakeOption,
    app,
    open_lake,
    registry,
    spending,
)
from diffbench_assets.errors import UserError

SourcesOption = Annotated[
    list[str] | None, typer.Option("--source", help="Source of kind crawl (repeatable); all by default.")
]


@app.command()
def crawl(
    source: SourcesOption = None,
    shards: Annotated[list[int] | None, typer.Option(help="Shard of hosts (repeatable); all by default.")] = None,
    lake: LakeOption = None,
) -> None:
    """Crawls the sources of kind `crawl` and prints the funnel. Stop it at any time: finished pages are kept."""
    from diffbench_assets import partitions
    from diffbench_assets.cli.running import crawl_sources, graph
    from diffbench_assets.schemas import FUNNEL

    opened, sources = open_lake(lake), _crawl_sources(source)
    with graph(opened) as running:
        crawl_sources(running, sources, [f"{shard:03}" for shard in shards or range(partitions.SHARDS)])
    for row in opened.read_all(FUNNEL).to_pylist():
        if row["source"] in sources:
            print(f"{row['source']:20} {row['stage']:16} {row['reason']:28} {row['n']:>10}")
    _print_report(opened)


@app.command()
def audit(
    source: SourcesOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_calls: BudgetCallsOption = None,
    lake: LakeOption = None,
) -> None:
    """Asks the judges in audit_with of corpus.yaml how real originals and copies look, and prints the difference."""
    from diffbench_assets import partitions
    from diffbench_assets.cli.running import audit_sources, graph
    from diffbench_assets.schemas import REALNESS

    opened, sources = open_lake(lake), _crawl_sources(source)
    known, specs = registry().models, [partitions.corpus()[name] for name in sources]
    judges = [known[name] for spec in specs for name in getattr(spec, "audit_with", ()) if name in known]
    with graph(opened, spending=spending("audit", budget_usd, budget_calls, judges)) as running:
        audit_sources(running, sources)
    print(f"{'source':20} {'judge':24} {'richness':9} {'original - copy':>22} {'pages':>6} {'unscored':>9}")
    for row in opened.read_all(REALNESS).to_pylist():
        if row["source"] in sources:
            value, low, high = (row[name] for name in ("value", "ci_low", "ci_high"))
            ends = "" if low is None else f" [{low:+.2f}, {high:+.2f}]"
            shown = "–" if value is None else f"{value:+.2f}{ends}"
            numbers = f"{shown:>22} {row['n']:>6} {row['n_unscored']:>9}"
            print(f"{row['source']:20} {row['judge']:24} {row['richness']:9} {numbers}")
    _print_report(opened)


def _crawl_sources(named: list[str] | None) -> list[str]:
    """The sources that are named, or all of kind crawl. Raises UserError when there is none of that name."""
    from diffbench_assets import partitions

    known: list[str] = partitions.crawl_sources.get_partition_keys()  # type: ignore[assignment]
    if not known:
        raise UserError("corpus.yaml has no source of kind crawl: add one with its lists of domains and a contact")
    for name in named or []:
        if name not in known:
            raise UserError(f"{name!r} is no source of kind crawl; corpus.yaml has {', '.join(known)}")
    return list(named or known)


def _print_report(lake: Any) -> None:
    print(f"\nreport: {(lake.report_folder('corpus') / 'report.html').absolute()}")
