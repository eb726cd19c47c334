"""Resources of evaluation: the registries of models and judges, budgets, and where journals lie."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dagster import ConfigurableResource

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
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.resources.settings import setting
from diffbench_assets.suites import SUITES

MODELS_FILE, JUDGES_FILE = "models.yaml", "judges.yaml"
NOT_ASKED = {
    "facts", "retired", "concurrency", "timeout_s", "api_key_env", "requests_per_minute", "tokens_per_minute",
}  # fmt: skip
"""Of a model's entry: what its answers do not depend on."""


def baselines_of(suites: Iterable[Suite]) -> list[str]:
    """The embedded baselines that answer questions of any of the suites."""
    return list(dict.fromkeys(name for suite in suites for name in suite.protocol.baselines))


def kinds_of(suites: Iterable[Suite]) -> list[str]:
    """The kinds of embedded judges that judges.yaml may list for any of the suites."""
    kinds = (kind for suite in suites for kind in suite.protocol.judges.items())
    return list(dict.fromkeys(name for name, judge in kinds if judge.listed and not judge.asks_model))


class RegistryResource(ConfigurableResource):
    """models.yaml and judges.yaml; where one is missing, what is embedded: `baselines`, and judges of `kinds`."""

    models_file: str = setting("DIFFBENCH_MODELS", MODELS_FILE)
    judges_file: str = setting("DIFFBENCH_JUDGES", JUDGES_FILE)
    baselines: list[str] = baselines_of(SUITES.values())
    kinds: list[str] = kinds_of(SUITES.values())

    @property
    def models(self) -> dict[str, Model]:
        if _is_read(self.models_file, MODELS_FILE):
            return load_models(self.models_file, self.baselines)
        return {name: BaselineModel(id=name, baseline=name) for name in self.baselines}

    def model(self, name: str) -> Model:
        """An entry of models.yaml. Raises RegistryError when there is none of this name."""
        if name not in self.models:
            raise RegistryError(
                f"model {name} is not in {self.models_file}; a model that is done is retired, not removed"
            )
        return self.models[name]

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
        if _is_read(self.judges_file, JUDGES_FILE):
            return load_judges(self.judges_file, self.kinds)
        return {kind: EmbeddedJudge(id=kind, kind=kind) for kind in self.kinds}


def _is_read(file: str, default: str) -> bool:
    """A file under another name than the default's was asked for, so it must be there."""
    return file != default or Path(file).exists()


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
