"""The assets, one module per group. An asset reads, calls one domain function, writes, and attaches metadata."""

import warnings

# Dagster warns, each time the definitions are read, of what is new in it. These assets are made of three such things.
warnings.filterwarnings(
    "ignore",
    message=r"\w+ `(backfill_policy|observable_source_asset|MultiToSingleDimensionPartitionMapping)` .* in beta",
)
