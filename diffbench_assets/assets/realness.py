"""Group corpus, the realness audit: judges' scores of originals and copies, and what they say.

Belongs here: wiring. Does not belong here: asking (`corpus/realness.py`) or statistics (`statistics/realness.py`).
"""

from collections import Counter
from collections.abc import Generator, Mapping
from typing import Any

from dagster import Failure

from diffbench_assets.assets.crawl import by_source, sampled, spec_of
from diffbench_assets.assets.ranged import Made, Run
from diffbench_assets.assets.shown import markdown_table, stopping_fails
from diffbench_assets.corpus.realness import AuditPair, audit, audit_sample, realness_sha256
from diffbench_assets.lake import Lake
from diffbench_assets.models.progress import progress_bar
from diffbench_assets.pages.sources import CrawlSource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import CRAWLED, REALNESS, REALNESS_JUDGES, REALNESS_SCORES, SAMPLED, SELF_CONTAINED, Table

Rows = list[dict[str, Any]]
SHOWN = ("judge", "richness", "mean_original", "mean_copy", "value", "ci_low", "ci_high", "n", "n_unscored")


def _scores_from(run: Run, registry: RegistryResource) -> Mapping[str, Any]:
    return {
        key: {
            "judges": [registry.deciding(name) for name in spec_of(key).audit_with],
            "drawn": spec_of(key).model_dump(include={"seed", "audit_pages"}),
            "question": realness_sha256(),
            "sample": run.lake.version(SAMPLED, {"source": key}),
            "copies": run.lake.versions(SELF_CONTAINED, {"source": key}),
            "originals": run.lake.versions(CRAWLED, {"source": key}),
        }
        for key in run.keys
    }


@by_source(REALNESS_SCORES, wanted=_scores_from, code=["corpus.realness"], deps=[sampled])
def realness_scores(
    run: Run, todo: list[str], registry: RegistryResource, spending: SpendingResource
) -> Generator[Made]:
    """How real originals and their copies look, each picture judged alone and not told what it is."""
    for key in todo:
        spec = spec_of(key)
        richness = _audited(run.lake, spec)
        pairs = _pairs(run.lake, key, richness)
        found = [row for name in spec.audit_with for row in _scored(run.lake, spec, name, pairs, registry, spending)]
        scored = [{"source": key, "richness": richness[row["page_id"]], **row} for row in found]
        outcome = Counter(row["unscored_reason"] or "scored" for row in scored)
        # A call that failed is asked again by the next run.
        complete = all(row["outcome"] != "error" for row in scored)
        yield Made(key, scored, {"pages": len(pairs), "outcome": outcome}, complete=complete)


def _scored(
    store: Lake,
    spec: CrawlSource,
    name: str,
    pairs: list[AuditPair],
    registry: RegistryResource,
    spending: SpendingResource,
) -> Rows:
    with (
        spending.journal(store, spec.name, f"realness-{name}") as journal,
        progress_bar(f"{name} scores") as show,
        stopping_fails(),
    ):
        budget = spending.budget()
        return list(audit(registry.endpoint(name), pairs, journal, seed=spec.seed, budget=budget, on_progress=show))


def _audited(store: Lake, spec: CrawlSource) -> dict[str, str]:
    """The pages to be judged, with their richness. Raises Failure when nobody could judge, or nothing."""
    if not spec.audit_with:
        raise Failure(f"corpus.yaml: source {spec.name} has no judges; name vision models of models.yaml in audit_with")
    ids = set(store.read(SAMPLED, {"source": spec.name}, ["id"])["id"].to_pylist())
    pages = store.iter_rows(SELF_CONTAINED, ["page_id", "richness"], ids, within={"source": spec.name})
    richness = {row["page_id"]: row["richness"] for row in pages}
    if not richness:
        raise Failure(f"source {spec.name} has no page in its sample: see its funnel for where they ended")
    return {page: richness[page] for page in audit_sample(richness, spec.audit_pages, spec.seed)}


def _pairs(store: Lake, source: str, pages: Mapping[str, str]) -> list[AuditPair]:
    copies = pictures_of(store, source, SELF_CONTAINED, "page_id", set(pages))
    originals = pictures_of(store, source, CRAWLED, "url_id", set(pages))
    return [AuditPair(page, originals[page], copies[page]) for page in sorted(pages)]


def pictures_of(store: Lake, source: str, table: Table, key: str, ids: set[str]) -> dict[str, bytes]:
    """The screenshots (PNG) of pages of a source's table, by id; those that have none are left out."""
    rows = store.iter_rows(table, [key, "screenshot"], ids, key, {"source": source})
    return {row[key]: row["screenshot"]["bytes"] for row in rows if row["screenshot"]}


def _realness_from(run: Run) -> Mapping[str, Any]:
    return {
        key: {"scores": run.lake.version(REALNESS_SCORES, {"source": key}), "seed": spec_of(key).seed}
        for key in run.keys
    }


@by_source(
    REALNESS, also=[REALNESS_JUDGES], wanted=_realness_from, code=["statistics.realness"], deps=[realness_scores]
)
def realness(run: Run, todo: list[str]) -> Generator[Made]:
    """Original minus copy by judge and richness with intervals, and judge against judge."""
    # Here, so that reading the definitions stays quick.
    from diffbench_assets.statistics.realness import judge_correlations, realness_table

    for key in todo:
        rows = run.lake.read(REALNESS_SCORES, {"source": key}).to_pylist()
        seed = spec_of(key).seed
        richness = {row["page_id"]: row["richness"] for row in rows}
        means = [{"source": key, **row} for row in realness_table(rows, richness, seed=seed).to_pylist()]
        judges = [{"source": key, **row} for row in judge_correlations(rows, seed=seed).to_pylist()]
        yield Made(key, means, {"delta": markdown_table(means, SHOWN)}, also=(judges,))
