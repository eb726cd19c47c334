"""What can be set about the tables that protocols prepare before they ask.

Belongs here: protocols' settings as Dagster shows and resolves them. Does not belong here: any one setting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dagster import Config, ConfigurableResource
from pydantic import BaseModel, create_model

from diffbench_assets.protocols.protocol import Protocol, Suite
from diffbench_assets.resources.settings import setting


class ProtocolSettings(ConfigurableResource):
    """A field for each protocol that has settings, by its name."""

    def of(self, protocol: Protocol | type[Protocol]) -> Any:
        """The settings of a protocol; None for one that has none, its defaults where it has no suite."""
        default = protocol.settings() if protocol.settings else None
        return getattr(self, protocol.name, default)


def settings_of(suites: Iterable[Suite], **values: Mapping[str, Any]) -> ProtocolSettings:
    """The settings of the suites' protocols: `values` by protocol, else from the environment, else their defaults.

    A field of a protocol's settings names its variable as `variable` of its JSON schema.
    """
    kinds = {suite.protocol.name: suite.protocol.settings for suite in suites if suite.protocol.settings}
    configs = {name: type(kind.__name__, (Config, kind), {"__doc__": kind.__doc__}) for name, kind in kinds.items()}
    fields: dict[str, Any] = {name: (config, ...) for name, config in configs.items()}
    made = create_model("ProtocolSettings", __base__=ProtocolSettings, **fields)
    return made(
        **{name: config(**{**_environment(config), **values.get(name, {})}) for name, config in configs.items()}
    )


def _environment(kind: type[BaseModel]) -> dict[str, Any]:
    extra = {name: field.json_schema_extra for name, field in kind.model_fields.items()}
    return {
        name: setting(str(said["variable"]), kind.model_fields[name].default)
        for name, said in extra.items()
        if isinstance(said, dict) and "variable" in said
    }
