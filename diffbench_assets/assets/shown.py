"""What the UI shows of a partition or a table: numbers, texts, tables and pictures.

Belongs here: turning plain values into Dagster's metadata. Does not belong here: which values an asset has.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from dagster import Failure, MetadataValue

from diffbench_assets.lake import Noted
from diffbench_assets.models.run import Stopped


def shown(noted: Noted) -> dict[str, Any]:
    """Metadata of a partition from what its file says of itself."""
    said = {name: _value(value) for name, value in noted.about.items()}
    return {"path": MetadataValue.path(noted.path), "rows": noted.rows, **said}


def _value(value: Any) -> Any:
    if isinstance(value, Mapping) and not value:
        return "none"
    if isinstance(value, Mapping):
        # A line of text, for the UI hides tables behind a link.
        return ", ".join(f"{n:,} {what}" for what, n in Counter(value).most_common())
    if isinstance(value, str) and ("\n" in value or value.startswith("![")):
        return MetadataValue.md(value)
    return value


def table_of(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> MetadataValue:
    """A table of `columns`; shares and other fractions to three places."""
    return MetadataValue.md(markdown_table(rows, columns))


def markdown_table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    def cell(value: Any) -> str:
        return f"{value:.3f}" if isinstance(value, float) else str(value)

    lines = ["| " + " | ".join(cell(row[column]) for column in columns) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *lines])


def picture(image: bytes, kind: str = "webp") -> str:
    """An image as a text that is shown as the image."""
    return f"![preview](data:image/{kind};base64,{base64.b64encode(image).decode()})"


@contextmanager
def stopping_fails() -> Iterator[None]:
    """A budget that ends, or an endpoint that keeps failing, fails the step with the reason in one line."""
    try:
        yield
    except Stopped as stopped:
        raise Failure(str(stopped)) from stopped
