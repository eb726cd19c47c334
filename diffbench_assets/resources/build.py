"""What can be set about pairs, and about the tables that protocols prepare before they ask.

Belongs here: these settings as Dagster shows and resolves them. Does not belong here: any one setting.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_origin

from dagster import Config, ConfigurableResource
from pydantic import BaseModel, create_model
from pydantic.fields import FieldInfo

from diffbench_assets.pairs.pair_set import PairSet, PairSettings
from diffbench_assets.protocols.protocol import Protocol, Suite
from diffbench_assets.resources.settings import setting


class BuildSettings(ConfigurableResource):
    """A field for each set of pairs and each protocol that has settings, by its name."""

    def of(self, owner: PairSet | Protocol) -> Any:
        """The settings of pairs or of a protocol; None for a protocol that has none."""
        return getattr(self, owner.name) if owner.settings else None

    def most_pages(self) -> int:
        """How many pages of a source are read at most; see `PairSettings`."""
        fields = [getattr(self, name) for name in type(self).model_fields]
        return max(field.most_pages() for field in fields if isinstance(field, PairSettings))


def settings_of(suites: Iterable[Suite], **values: Mapping[str, Any]) -> BuildSettings:
    """The settings of the suites' pairs and protocols: `values` by name, else from the environment, else defaults."""
    owners: list[PairSet | Protocol] = [owner for suite in suites for owner in (suite.pair_set, suite.protocol)]
    kinds = {owner.name: owner.settings for owner in owners if owner.settings}
    configs = {name: type(kind.__name__, (Config, kind), {"__doc__": kind.__doc__}) for name, kind in kinds.items()}
    fields: dict[str, Any] = {name: (config, ...) for name, config in configs.items()}
    made = create_model("BuildSettings", __base__=BuildSettings, **fields)
    return made(
        **{name: config(**{**_environment(config), **values.get(name, {})}) for name, config in configs.items()}
    )


def _value(variable: str, field: FieldInfo) -> Any:
    # A choice is checked as soon as the settings are made, when a variable that a run will read is only a name.
    if get_origin(field.annotation) is Literal:
        return os.environ.get(variable) or field.default
    return setting(variable, field.default)


def _environment(kind: type[BaseModel]) -> dict[str, Any]:
    extra = {name: field.json_schema_extra for name, field in kind.model_fields.items()}
    return {
        name: _value(str(said["variable"]), kind.model_fields[name])
        for name, said in extra.items()
        if isinstance(said, dict) and said.get("variable")
    }
