"""Pages of the live web: `crawl`."""

from __future__ import annotations

from typing import Annotated

import typer

from diffbench_assets.cli.common import LakeOption, app, open_lake
from diffbench_assets.errors import UserError


@app.command()
def crawl(
    source: Annotated[list[str] | None, typer.Option(help="Source of kind crawl (repeatable); all by default.")] = None,
    shards: Annotated[list[int] | None, typer.Option(help="Shard of hosts (repeatable); all by default.")] = None,
    lake: LakeOption = None,
) -> None:
    """Crawls the sources of kind `crawl` and prints the funnel. Stop it at any time: finished pages are kept."""
    from diffbench_assets import partitions
    from diffbench_assets.building import crawl_sources, graph

    opened = open_lake(lake)
    known = partitions.crawl_sources.get_partition_keys()
    if not known:
        raise UserError("corpus.yaml has no source of kind crawl: add one with its lists of domains and a contact")
    for name in source or []:
        if name not in known:
            raise UserError(f"{name!r} is no source of kind crawl; corpus.yaml has {', '.join(known)}")
    with graph() as running:
        crawl_sources(running, source or known, [f"{shard:03}" for shard in shards or range(partitions.SHARDS)])
    for row in opened.read_all("funnel").to_pylist():
        if row["source"] in (source or known):
            print(f"{row['source']:20} {row['stage']:16} {row['reason']:28} {row['n']:>10}")
