"""The Definitions object, nothing else."""

from diffbench_assets.graph import definitions_of
from diffbench_assets.suites import SUITES

defs = definitions_of(SUITES.values())
