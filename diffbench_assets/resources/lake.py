"""The lake as a resource."""

from __future__ import annotations

import os

from dagster import ConfigurableResource

from diffbench_assets.lake import Lake
from diffbench_assets.resources.settings import setting


class LakeResource(ConfigurableResource):
    """The lake at `root`: a folder or an object-store URL."""

    root: str = setting("DIFFBENCH_LAKE", "lake")

    @classmethod
    def here(cls) -> Lake:
        """The lake that the environment names, outside any run."""
        return Lake(os.environ.get("DIFFBENCH_LAKE", "lake"))

    def open(self) -> Lake:
        return Lake(self.root)
