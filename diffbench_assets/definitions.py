"""The Definitions object, nothing else."""

from dagster import Definitions, load_asset_checks_from_modules, load_assets_from_modules

from diffbench_assets import checks
from diffbench_assets.assets import corpus, webdiff
from diffbench_assets.assets.evaluation import Suite, suite_assets
from diffbench_assets.automation import evaluation_automation
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.resources.webdiff import BrowserResource, BuildSettings, EmbedderResource, LakeResource

registry = RegistryResource()
evaluation = suite_assets(Suite("webdiff"), registry.judges)
judged = [key for asset in evaluation for key in asset.keys if key.path[1] in ("verdicts", "judge_replies")]
new_models, re_evaluate = evaluation_automation("webdiff", judged)

defs = Definitions(
    assets=[*load_assets_from_modules([corpus, webdiff]), *evaluation],
    asset_checks=load_asset_checks_from_modules([checks]),
    sensors=[new_models],
    schedules=[re_evaluate],
    resources={
        "lake": LakeResource(),
        "browser": BrowserResource(),
        "embedder": EmbedderResource(),
        "build": BuildSettings(),
        "registry": registry,
        "spending": SpendingResource(),
    },
)
