"""What can be set about pairs, and about the tables that protocols prepare before they ask.

Belongs here: these settings as Dagster shows and resolves them. Does not belong here: any one setting.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from dagster import Config, ConfigurableResource
from pydantic import BaseModel, ValidationError, create_model
from pydantic.fields import FieldInfo

from diffbench_assets.errors import UserError
from diffbench_assets.pairs.pair_set import PairSet, PairSettings
from diffbench_assets.protocols.protocol import Protocol, Suite


class BuildSettings(ConfigurableResource):
    """A field for each set of pairs and each protocol that has settings, by its name."""

    def of(self, owner: PairSet | Protocol) -> Any:
        """The settings of pairs or of a protocol; None for a protocol that has none."""
        return getattr(self, owner.name) if owner.settings else None

    def most_pages(self) -> int:
        """How many pages of a source are read at most; see `PairSettings`."""
        fields = [getattr(self, name) for name in type(self).model_fields]
        return max(field.most_pages() for field in fields if isinstance(field, PairSettings))


def settings_of(
    suites: Iterable[Suite], asked: Mapping[str, Mapping[str, Any]] = MappingProxyType({}), **values: Mapping[str, Any]
) -> BuildSettings:
    """The settings of the suites' pairs and protocols: `values` by name, else from the environment, else what the
    lake's builds were `asked` for, else defaults. What a run's configuration leaves out is as here.
    """
    owners: list[PairSet | Protocol] = [owner for suite in suites for owner in (suite.pair_set, suite.protocol)]
    made = {}
    for name, kind in {owner.name: owner.settings for owner in owners if owner.settings}.items():
        known = {field: value for field, value in asked.get(name, {}).items() if field in kind.model_fields}
        made[name] = _config(kind, {**known, **_environment(kind), **values.get(name, {})})
    fields: dict[str, Any] = {name: (config, ...) for name, config in made.items()}
    resource = create_model("BuildSettings", __base__=BuildSettings, **fields)
    return resource(**{name: config() for name, config in made.items()})


def _config(kind: type[BaseModel], values: Mapping[str, Any]) -> type[Config]:
    """`kind` as Dagster's configuration, with `values` for defaults."""
    try:
        checked = kind(**values)
    except ValidationError as error:
        wrong = error.errors()[0]
        name = str(wrong["loc"][0])
        raise UserError(f"{_variables(kind).get(name) or name}: {wrong['msg']}, not {wrong['input']!r}") from None
    fields: dict[str, Any] = {
        name: (field.annotation, FieldInfo.merge_field_infos(field, default=getattr(checked, name)))
        for name, field in kind.model_fields.items()
    }
    bases: tuple[Any, ...] = (Config, kind)
    return create_model(kind.__name__, __base__=bases, __doc__=kind.__doc__, **fields)


def _environment(kind: type[BaseModel]) -> dict[str, Any]:
    return {name: value for name, variable in _variables(kind).items() if (value := os.environ.get(variable))}


def _variables(kind: type[BaseModel]) -> dict[str, str]:
    said = {name: field.json_schema_extra for name, field in kind.model_fields.items()}
    return {name: str(extra.get("variable", "")) for name, extra in said.items() if isinstance(extra, dict)}
