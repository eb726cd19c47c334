"""Group corpus, the realness audit: judges' scores of originals and copies, and what they say.

Belongs here: wiring. Does not belong here: asking (`corpus/realness.py`) or statistics (`statistics/realness.py`).
"""

from collections.abc import Mapping
from typing import Any

from dagster import AssetExecutionContext, Failure, asset

from diffbench_assets.assets.crawl import BY_SOURCE, sampled, spec_of
from diffbench_assets.assets.ranged import counts, landed, stopping_fails, table_of
from diffbench_assets.corpus.realness import AuditPair, audit, audit_sample
from diffbench_assets.lake import Lake
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.pages.sources import CrawlSource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.resources.webdiff import LakeResource
from diffbench_assets.schemas import REALNESS_SCORES, by_source

SHOWN = ("judge", "richness", "mean_original", "mean_copy", "value", "ci_low", "ci_high", "n", "n_unscored")


@asset(**BY_SOURCE, deps=[sampled])
def realness_scores(
    context: AssetExecutionContext, lake: LakeResource, registry: RegistryResource, spending: SpendingResource
) -> None:
    """How real originals and their copies look, each picture judged alone and not told what it is."""
    store, budget = lake.open(), spending.budget()
    for key in context.partition_keys:
        spec = spec_of(key)
        if not spec.audit_with:
            raise Failure(f"corpus.yaml: source {key} has no judges; name vision models of models.yaml in audit_with")
        richness = _audited(store, spec)
        if not richness:
            raise Failure(f"source {key} has no page in its sample: see its funnel for where they ended")
        pairs = _pairs(store, key, richness)
        scored: list[dict[str, Any]] = []
        for name in spec.audit_with:
            endpoint = registry.endpoint(name)
            with (
                spending.journal(store, key, f"realness-{name}") as journal,
                progress_bar(f"{name} scores") as show,
                stopping_fails(),
            ):
                found = audit(endpoint, pairs, journal, seed=spec.seed, budget=budget, on_progress=show)
            scored += [{"source": key, "richness": richness[row["page_id"]], **row} for row in found]
        path = store.write("realness_scores", REALNESS_SCORES, scored, {"source": key})
        outcome = counts(row["unscored_reason"] or "scored" for row in scored)
        landed(context, key, path, {"pages": len(pairs), "judges": len(spec.audit_with), "outcome": outcome})


def _audited(store: Lake, spec: CrawlSource) -> dict[str, str]:
    ids = set(store.read("sampled", {"source": spec.name}, ["id"])["id"].to_pylist())
    pages = store.iter_rows("self_contained", ["page_id", "richness"], ids, within={"source": spec.name})
    richness = {row["page_id"]: row["richness"] for row in pages}
    return {page: richness[page] for page in audit_sample(richness, spec.audit_pages, spec.seed)}


def _pairs(store: Lake, source: str, pages: Mapping[str, str]) -> list[AuditPair]:
    copies = pictures_of(store, source, "self_contained", "page_id", set(pages))
    originals = pictures_of(store, source, "crawled", "url_id", set(pages))
    return [AuditPair(page, originals[page], copies[page]) for page in sorted(pages)]


def pictures_of(store: Lake, source: str, table: str, key: str, ids: set[str]) -> dict[str, bytes]:
    """The screenshots (PNG) of pages of a source's table, by id; those that have none are left out."""
    rows = store.iter_rows(table, [key, "screenshot"], ids, key, {"source": source})
    return {row[key]: row["screenshot"]["bytes"] for row in rows if row["screenshot"]}


@asset(**BY_SOURCE, deps=[realness_scores])
def realness(context: AssetExecutionContext, lake: LakeResource) -> None:
    """Original minus copy by judge and richness with intervals, and judge against judge."""
    # Here, so that reading the definitions stays quick.
    from diffbench_assets.statistics.realness import (
        JUDGE_CORRELATION,
        REALNESS,
        judge_correlations,
        realness_table,
    )

    store = lake.open()
    for key in context.partition_keys:
        rows = store.read("realness_scores", {"source": key}).to_pylist()
        seed = spec_of(key).seed
        richness = {row["page_id"]: row["richness"] for row in rows}
        means = [{"source": key, **row} for row in realness_table(rows, richness, seed=seed).to_pylist()]
        judges = [{"source": key, **row} for row in judge_correlations(rows, seed=seed).to_pylist()]
        path = store.write("realness", by_source(REALNESS), means, {"source": key})
        store.write("realness_judges", by_source(JUDGE_CORRELATION), judges, {"source": key})
        landed(context, key, path, {"delta": table_of(means, SHOWN)})
