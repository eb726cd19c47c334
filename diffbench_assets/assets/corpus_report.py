"""The report of the corpus: funnels, labels, copies beside their originals, and the realness audit.

Belongs here: wiring. Does not belong here: what the report shows (`corpus/report/`).

It is not ranged: it keeps no table.
"""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from dagster import MaterializeResult, MetadataValue, asset

from diffbench_assets import partitions
from diffbench_assets.assets.crawl import crawl_funnel
from diffbench_assets.assets.realness import pictures_of, realness
from diffbench_assets.lake import Lake
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.schemas import CRAWLED, FUNNEL, REALNESS, REALNESS_JUDGES, SELF_CONTAINED, Table
from diffbench_assets.seeds import digest

KEPT_SHOWN, DROPPED_SHOWN = 16, 8
"""Pages shown beside their originals, of all sources together."""


@asset(group_name="report", deps=[crawl_funnel, realness])
def corpus_report(lake: LakeResource) -> MaterializeResult:
    """One HTML file: how many pages came from where, why others did not, and how like their originals copies are."""
    # Here, so that reading the definitions stays quick.
    from diffbench_assets.corpus.report.build import EXAMPLE, PAGE, CorpusTables, build_corpus_report
    from diffbench_assets.report.overview import write_overview

    store = lake.open()
    sources = partitions.crawl_sources.get_partition_keys()
    made = [
        {"source": name, **row}
        for name in sources
        for row in store.iter_all(SELF_CONTAINED, PAGE.names[1:], within={"source": name})
    ]
    tables = CorpusTables(
        funnel=_all(store, FUNNEL, sources),
        pages=pa.Table.from_pylist(made, schema=PAGE),
        examples=pa.Table.from_pylist(_examples(store, made), schema=EXAMPLE),
        realness=_all(store, REALNESS, sources),
        judges=_all(store, REALNESS_JUDGES, sources),
    )
    files = build_corpus_report(tables, store.report_folder("corpus"))
    write_overview(store.reports_folder())
    return MaterializeResult(metadata={"report": MetadataValue.path(str(files.html.absolute())), "pages": len(made)})


def _all(store: Lake, table: Table, sources: Sequence[str]) -> pa.Table:
    rows = [row for name in sources for row in store.iter_all(table, table.names, within={"source": name})]
    return pa.Table.from_pylist(rows, schema=table.schema)


def _examples(store: Lake, made: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    drawn = sorted((row for row in made if row["pixel_agreement"] is not None), key=_lot)
    kept = [row for row in drawn if row["drop_reason"] is None][:KEPT_SHOWN]
    dropped = [row for row in drawn if row["drop_reason"] is not None][:DROPPED_SHOWN]
    shown: list[dict[str, Any]] = []
    for name in dict.fromkeys(row["source"] for row in kept + dropped):
        rows = [row for row in kept + dropped if row["source"] == name]
        ids = {row["page_id"] for row in rows}
        originals = pictures_of(store, name, CRAWLED, "url_id", ids)
        copies = pictures_of(store, name, SELF_CONTAINED, "page_id", ids)
        shown += [{**row, "original": originals[row["page_id"]], "copy": copies[row["page_id"]]} for row in rows]
    return shown


def _lot(row: dict[str, Any]) -> str:
    return digest("example", row["source"], row["page_id"])
