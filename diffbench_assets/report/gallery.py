"""Pieces of the gallery's data that all protocols share.

Belongs here: from rows to JSON values. Does not belong here: a protocol's index and details, how they are escaped into
the page (`page.py`) and shown (`templates/gallery.js`).
"""

from __future__ import annotations

from typing import Any

BLOCK = 50
"""Pairs whose details stand in one JSON block; the page parses a block when one of its pairs is shown."""

LONGEST = 12_000
"""Characters of an answer or a reasoning that the page holds; a longer one says what was left out."""


RESPONSE_COLUMNS = [
    "item_id", "pair_id", "model", "outcome", "text", "error", "output_tokens", "cost_usd", "latency_s",
]  # fmt: skip


def answer(row: dict[str, Any]) -> dict[str, Any]:
    """What a row of RESPONSE_COLUMNS says of an answer."""
    facts = {key: row[key] for key in ("outcome", "error", "output_tokens", "cost_usd", "latency_s")}
    return present(facts | cut("text", row["text"]))


def difference(item: dict[str, Any]) -> dict[str, Any]:
    """A true difference without what it does not say."""
    shown = present({key: value for key, value in item.items() if key not in ("target", "box")})
    return shown | {"target": present(item["target"] or {})} | ({"box": item["box"]} if item["box"] else {})


def cut(name: str, value: str | None) -> dict[str, Any]:
    """`value` under `name`, no longer than LONGEST; beside a cut one stands how long it was."""
    if value is None or len(value) <= LONGEST:
        return {name: value}
    return {name: value[:LONGEST], f"{name}_length": len(value)}


def present(values: dict[str, Any]) -> dict[str, Any]:
    """`values` without those that are null: the page takes what is missing for null."""
    return {key: value for key, value in values.items() if value is not None}
