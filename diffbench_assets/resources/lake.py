"""The lake as a resource."""

from __future__ import annotations

import os

from dagster import ConfigurableResource

from diffbench_assets.lake import Lake


class LakeResource(ConfigurableResource):
    """The lake at `root`: a folder or an object-store URL."""

    root: str = os.environ.get("DIFFBENCH_LAKE", "lake")

    def open(self) -> Lake:
        return Lake(self.root)
