"""What can be set about the tables that protocols prepare before they ask."""

from __future__ import annotations

from typing import Any

from dagster import ConfigurableResource

from diffbench_assets.protocols.protocol import Protocol


class ProtocolSettings(ConfigurableResource):
    """`values`: protocol → its settings, by name; what is not named has the protocol's own default."""

    values: dict[str, Any] = {}

    def of(self, protocol: Protocol | type[Protocol]) -> Any:
        """The settings of a protocol; None for one that has none. Raises ValueError for a setting that is wrong."""
        return protocol.settings(**self.values.get(protocol.name, {})) if protocol.settings else None
