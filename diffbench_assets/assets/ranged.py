"""What every asset over a range of partitions does: skip what is done, report each partition as its file lands.

Belongs here: the shared wiring of ranged runs. Does not belong here: any one asset.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from dagster import AssetExecutionContext, AssetMaterialization, Failure, MetadataValue
from tqdm import tqdm

from diffbench_assets.lake import Lake
from diffbench_assets.models.run import Stopped


def fingerprint(**inputs: Any) -> str:
    """Hash of everything a partition is made from."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True, default=str).encode()).hexdigest()


def stale(context: AssetExecutionContext, lake: Lake, asset: str, key: str, wanted: Mapping[str, str]) -> Iterator[str]:
    """Partitions of the run that are not in the lake as `wanted` (partition → fingerprint); the others are logged."""
    for partition in context.partition_keys:
        if lake.fingerprint(asset, {key: partition}) == wanted[partition]:
            context.log.info(f"{asset} {partition}: unchanged, kept")
        else:
            yield partition


def landed(context: AssetExecutionContext, partition: str, path: str, metadata: Mapping[str, Any]) -> None:
    """Reports a partition at once, so that it survives a crash later in the range."""
    context.log_event(
        AssetMaterialization(
            context.asset_key, partition=partition, metadata={"path": MetadataValue.path(path), **metadata}
        )
    )


@contextmanager
def stopping_fails() -> Iterator[None]:
    """A budget that ends, or an endpoint that keeps failing, fails the step with the reason in one line."""
    try:
        yield
    except Stopped as stopped:
        raise Failure(str(stopped)) from stopped


def counts(values: Iterable[str]) -> MetadataValue:
    """A table of how often each value occurs, most frequent first."""
    return table_of([{"what": value, "count": n} for value, n in Counter(values).most_common()], ("what", "count"))


def table_of(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> MetadataValue:
    """A table of `columns`; shares and other fractions to three places."""

    def shown(value: Any) -> str:
        return f"{value:.3f}" if isinstance(value, float) else str(value)

    lines = ["| " + " | ".join(shown(row[column]) for column in columns) + " |" for row in rows]
    return MetadataValue.md("\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *lines]))


def picture(image: bytes, kind: str = "webp") -> MetadataValue:
    """An image shown in the asset's metadata."""
    return MetadataValue.md(f"![preview](data:image/{kind};base64,{base64.b64encode(image).decode()})")


def progress(total: int, what: str) -> tqdm:
    """A progress bar with rate and time left."""
    return tqdm(total=total, desc=what, unit="", dynamic_ncols=True, mininterval=0.5)
