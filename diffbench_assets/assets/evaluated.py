"""What every asset on cell × model has in common.

Belongs here: partition keys, places in the lake, fingerprints and metadata of rows about answers. Does not belong here:
any one asset.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dagster import AssetExecutionContext, AssetMaterialization, BackfillPolicy, MetadataValue, MultiPartitionKey

from diffbench_assets import partitions
from diffbench_assets.assets.ranged import when_data_changes
from diffbench_assets.assets.shown import table_of
from diffbench_assets.lake import Lake
from diffbench_assets.suites import Suite
from diffbench_assets.versions import fingerprint

PREVIEW_ANSWERS = 3


def on_evaluations(suite: Suite) -> dict[str, Any]:
    """A range of partitions is one run, and only changes ask for it."""
    return {
        "group_name": suite.name,
        "partitions_def": partitions.evaluations[suite.name],
        "backfill_policy": BackfillPolicy.single_run(),
        "automation_condition": when_data_changes(),
    }


def by_model(context: AssetExecutionContext) -> dict[str, list[str]]:
    """Cells of the run by model."""
    cells: dict[str, list[str]] = {}
    for key in context.partition_keys:
        assert isinstance(key, MultiPartitionKey)
        cells.setdefault(key.keys_by_dimension["model"], []).append(key.keys_by_dimension["cell"])
    return cells


def partition_key(cell: str, model: str) -> MultiPartitionKey:
    return MultiPartitionKey({"cell": cell, "model": model})


def place(cell: str, model: str) -> dict[str, str]:
    """The folders of a partition, model first."""
    return {"model": model, "cell": cell}


def answered(store: Lake, suite: Suite, model: str, cells: list[str]) -> list[str]:
    """Those of `cells` that the model was asked about."""
    return [cell for cell in cells if store.exists(suite.table("responses"), place(cell, model))]


def responses_of(store: Lake, suite: Suite, cell: str, model: str) -> tuple[list[dict[str, Any]], str]:
    """Response rows of a partition, and a fingerprint of them: failed calls may have been answered since."""
    rows = store.read(suite.table("responses"), place(cell, model)).to_pylist()
    return rows, fingerprint(rows=[(row["item_id"], row["outcome"], row["text"]) for row in rows])


def due_again(rows: list[dict[str, Any]]) -> str | None:
    """A fingerprint that no request for a complete partition has, when calls of this one failed; else None."""
    if all(row["outcome"] != "error" for row in rows):
        return None
    return f"incomplete {fingerprint(rows=[(row['item_id'], row['outcome'], row['text']) for row in rows])}"


def answers_metadata(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts, cost and a look at the first answers."""
    preview = "\n\n".join(
        f"**{row['pair_id']}**\n\n```text\n{_plain(row['text'])}\n```" for row in rows[:PREVIEW_ANSWERS]
    )
    return {
        "rows": len(rows),
        "outcomes": counts(row["outcome"] for row in rows),
        "cost_usd": float(sum(row["cost_usd"] or 0.0 for row in rows)),
        "answers": MetadataValue.md(preview or "none"),
    }


def _plain(text: str | None) -> str:
    # Answers are hostile: inside a code block, nothing but the block's own fence means anything.
    return (text or "(none)")[:600].replace("```", "'''")


def stale(context: AssetExecutionContext, lake: Lake, asset: Any, key: str, wanted: Mapping[str, str]) -> Iterator[str]:
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


def counts(values: Iterable[str]) -> MetadataValue:
    """A table of how often each value occurs, most frequent first."""
    return table_of([{"what": value, "count": n} for value, n in Counter(values).most_common()], ("what", "count"))
