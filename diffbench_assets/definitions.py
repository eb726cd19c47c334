"""The Definitions object, nothing else."""

from collections.abc import Collection

from dagster import Definitions, load_asset_checks_from_modules, load_assets_from_modules

from diffbench_assets import checks
from diffbench_assets.assets import corpus, corpus_report, crawl, lowlevel, realness, webdiff
from diffbench_assets.assets.evaluation import suite_assets
from diffbench_assets.automation import evaluation_automation
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.resources.browser import BrowserResource
from diffbench_assets.resources.build import BuildSettings
from diffbench_assets.resources.crawl import CrawlResource
from diffbench_assets.resources.embedder import EmbedderResource
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource, baselines_of, kinds_of
from diffbench_assets.resources.settings import ProtocolSettings
from diffbench_assets.suites import SUITES


def build(suites: Collection[Suite]) -> Definitions:
    """The whole graph, with the evaluation of `suites`."""
    registry = RegistryResource(baselines=baselines_of(suites), kinds=kinds_of(suites))
    evaluation = {suite.name: suite_assets(suite, registry.judges) for suite in suites}
    verdicts = {
        name: [key for made in assets for key in made.keys if key.path[1] in ("verdicts", "judge_replies")]
        for name, assets in evaluation.items()
    }
    new_models, re_evaluations = evaluation_automation(suites, verdicts)
    return Definitions(
        assets=[
            *load_assets_from_modules([corpus, crawl, realness, corpus_report, webdiff, lowlevel]),
            *(asset for made in evaluation.values() for asset in made),
        ],
        asset_checks=load_asset_checks_from_modules([checks]),
        sensors=[new_models],
        schedules=re_evaluations,
        resources={
            "lake": LakeResource(),
            "browser": BrowserResource(),
            "embedder": EmbedderResource(),
            "build": BuildSettings(),
            "web": CrawlResource(),
            "registry": registry,
            "spending": SpendingResource(),
            "settings": ProtocolSettings(),
        },
    )


defs = build(SUITES.values())
