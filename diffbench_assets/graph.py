"""The whole asset graph of some suites: assets, checks, sensors, schedules and resources.

Belongs here: putting them together. Does not belong here: any one of them, which suites there are (`suites.py`).
"""

from collections.abc import Collection
from typing import Any

from dagster import AssetsDefinition, Definitions, load_assets_from_modules

from diffbench_assets import checks
from diffbench_assets.assets import corpus, corpus_report, crawl, lowlevel, realness, webdiff
from diffbench_assets.assets.evaluation import suite_assets
from diffbench_assets.automation import evaluation_automation
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.resources.browser import BrowserResource
from diffbench_assets.resources.build import settings_of
from diffbench_assets.resources.crawl import CrawlResource
from diffbench_assets.resources.embedder import EmbedderResource
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource, baselines_of, kinds_of


def definitions_of(suites: Collection[Suite]) -> Definitions:
    """The whole graph, with the evaluation of `suites`."""
    registry = RegistryResource(baselines=baselines_of(suites), kinds=kinds_of(suites))
    with registry.process_config_and_initialize_cm() as ready:
        judges = ready.judges
    evaluation = {suite.name: suite_assets(suite, judges) for suite in suites}
    verdicts = {
        name: [key for made in assets for key in made.keys if key.path[1] in ("verdicts", "judge_replies")]
        for name, assets in evaluation.items()
    }
    new_models, re_evaluations = evaluation_automation(suites, verdicts)
    assets: list[Any] = [
        *load_assets_from_modules([corpus, crawl, realness, corpus_report, webdiff, lowlevel]),
        *(asset for made in evaluation.values() for asset in made),
    ]
    return Definitions(
        assets=assets,
        asset_checks=[
            *checks.declared_checks(asset for asset in assets if isinstance(asset, AssetsDefinition)),
            *(check for suite in suites for check in checks.suite_checks(suite)),
            checks.accepted_candidates_are_local,
            checks.pairs_can_be_seen,
            checks.pages_give_few_pairs,
        ],
        sensors=[new_models],
        schedules=re_evaluations,
        resources={
            "lake": LakeResource(),
            "browser": BrowserResource(),
            "embedder": EmbedderResource(),
            "web": CrawlResource(),
            "registry": registry,
            "spending": SpendingResource(),
            "settings": settings_of(suites, LakeResource.here().asked.settings),
        },
    )
