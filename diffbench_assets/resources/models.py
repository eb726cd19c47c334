"""Resources of evaluation: the registries of models and judges, budgets, and where journals lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dagster import ConfigurableResource

from diffbench_assets.baselines import BASELINES
from diffbench_assets.lake import Lake
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.registry import (
    BaselineModel,
    EmbeddedJudge,
    EndpointModel,
    Judge,
    Model,
    RegistryError,
    load_judges,
    load_models,
)
from diffbench_assets.resources.settings import setting

EMBEDDED_MODELS: dict[str, Model] = {name: BaselineModel(id=name, baseline=name) for name in BASELINES}
EMBEDDED_JUDGES: dict[str, Judge] = {"rules": EmbeddedJudge(id="rules", kind="rules")}
NOT_ASKED = {
    "facts", "retired", "concurrency", "timeout_s", "api_key_env", "requests_per_minute", "tokens_per_minute",
}  # fmt: skip
"""Of a model's entry: what its answers do not depend on."""


class RegistryResource(ConfigurableResource):
    """models.yaml and judges.yaml; where one is missing, the embedded baselines and the rules judge."""

    models_file: str = setting("DIFFBENCH_MODELS", "models.yaml")
    judges_file: str = setting("DIFFBENCH_JUDGES", "judges.yaml")

    @property
    def models(self) -> dict[str, Model]:
        return load_models(self.models_file, EMBEDDED_MODELS) if Path(self.models_file).exists() else EMBEDDED_MODELS

    def endpoint(self, name: str) -> EndpointModel:
        """A model of models.yaml that can be asked. Raises RegistryError when there is none of this name."""
        model = self.models.get(name)
        if model is None or model.embedded:
            raise RegistryError(f"{self.models_file}: there is no model {name!r} with an endpoint")
        return model

    def deciding(self, name: str) -> dict[str, Any]:
        """What decides an answer of a model, beside the question."""
        return self.endpoint(name).model_dump(mode="json", exclude=NOT_ASKED)

    @property
    def judges(self) -> dict[str, Judge]:
        return load_judges(self.judges_file, EMBEDDED_JUDGES) if Path(self.judges_file).exists() else EMBEDDED_JUDGES


_shared: dict[str, Budget] = {}


class SpendingResource(ConfigurableResource):
    """What one run may spend, and the folder of the journals that make finished calls durable.

    Runs of this process with the same `shared_as` spend from one budget. `journals` defaults to a folder of the lake,
    or to ./journals when the lake is an object store.
    """

    budget_usd: float | None = None
    budget_calls: int | None = None
    shared_as: str = ""
    journals: str = setting("DIFFBENCH_JOURNALS", "")

    def budget(self) -> Budget:
        fresh = Budget(usd=self.budget_usd, calls=self.budget_calls)
        return _shared.setdefault(self.shared_as, fresh) if self.shared_as else fresh

    def journals_of(self, lake: Lake, suite: str) -> Path:
        """The folder of a suite's journals, made if need be."""
        folder = Path(self.journals or ("journals" if "://" in lake.root else f"{lake.root}/journals")) / suite
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def journal(self, lake: Lake, suite: str, name: str) -> Journal:
        return Journal(self.journals_of(lake, suite) / f"{name}.jsonl")
