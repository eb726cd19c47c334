"""Resources of evaluation: the registries of models and judges, budgets, and where journals lie."""

from __future__ import annotations

import os
from pathlib import Path

from dagster import ConfigurableResource

from diffbench_assets.evaluation.journal import Journal
from diffbench_assets.evaluation.limits import Budget
from diffbench_assets.evaluation.registry import Judge, Model, load_judges, load_models
from diffbench_assets.lake import Lake


class RegistryResource(ConfigurableResource):
    """models.yaml and judges.yaml."""

    models_file: str = os.environ.get("DIFFBENCH_MODELS", "models.yaml")
    judges_file: str = os.environ.get("DIFFBENCH_JUDGES", "judges.yaml")

    @property
    def models(self) -> dict[str, Model]:
        return load_models(self.models_file)

    @property
    def judges(self) -> dict[str, Judge]:
        return load_judges(self.judges_file)


class SpendingResource(ConfigurableResource):
    """What one run may spend, and the folder of the journals that make finished calls durable.

    `journals` defaults to a folder of the lake, or to ./journals when the lake is an object store.
    """

    budget_usd: float | None = None
    budget_calls: int | None = None
    journals: str = os.environ.get("DIFFBENCH_JOURNALS", "")

    def budget(self) -> Budget:
        return Budget(usd=self.budget_usd, calls=self.budget_calls)

    def journal(self, lake: Lake, suite: str, name: str) -> Journal:
        folder = Path(self.journals or ("journals" if "://" in lake.root else f"{lake.root}/journals"))
        path = folder / suite / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        return Journal(path)
