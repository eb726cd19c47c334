"""Tables of the lake against what their schemas declare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from diffbench_assets.conformance import violations
from diffbench_assets.lake import Lake
from diffbench_assets.schemas import IMAGE, KEY, PAIRS, REQUIRED, TABLES, Table, one_of, table

THINGS = table(
    "things",
    ("model", "cell"),
    ("name", pa.string(), "Its name.", KEY | REQUIRED),
    ("side", pa.string(), "Its side.", KEY | one_of("left", "right")),
    ("number", pa.int64(), "Its number.", REQUIRED),
    ("image", IMAGE, "Its image.", REQUIRED),
)
GOOD = {"name": "a", "side": "left", "number": 1, "image": {"bytes": b"PNG" * 10_000, "path": "a.png"}}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


def put(lake: Lake, *rows: dict[str, Any], model: str = "m", cell: str = "x", kind: Table = THINGS) -> None:
    lake.write(kind, rows, {"model": model, "cell": cell}, fingerprint="f")


def test_a_table_that_holds_to_its_schema_has_no_violations(lake: Lake) -> None:
    assert violations(lake, THINGS) == {}
    put(lake, GOOD, GOOD | {"side": "right"}, GOOD | {"name": "b"})
    put(lake, GOOD | {"name": "c", "side": None})
    put(lake)
    assert violations(lake, THINGS) == {}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([GOOD | {"name": None}], ["1 rows without name"]),
        ([GOOD | {"number": None}, GOOD | {"side": "right", "number": None}], ["2 rows without number"]),
        ([GOOD | {"image": None}], ["1 rows without image"]),
        ([GOOD | {"side": "up"}], ["side is 'up', not one of left, right"]),
        ([GOOD, GOOD], ["2 rows whose name, side another row has"]),
        ([GOOD | {"side": None}, GOOD | {"side": None}], ["2 rows whose name, side another row has"]),
    ],
)
def test_a_partition_that_breaks_a_rule_is_named_with_what_is_wrong(
    lake: Lake, rows: list[dict[str, Any]], said: list[str]
) -> None:
    put(lake, GOOD, cell="good", model="n")
    put(lake, *rows)
    assert violations(lake, THINGS) == {"model=m/cell=x": said}


def test_a_key_is_unique_in_all_cells_of_a_model_and_may_come_again_with_another_model(lake: Lake) -> None:
    put(lake, GOOD, cell="x")
    put(lake, GOOD, cell="y")
    put(lake, GOOD, model="n")
    said = ["1 rows whose name, side another row has"]
    assert violations(lake, THINGS) == {"model=m/cell=x": said, "model=m/cell=y": said}


def test_columns_of_another_version_are_named(lake: Lake) -> None:
    old = pa.schema([THINGS.schema.field("name"), ("number", pa.string()), ("colour", pa.string())])
    put(lake, {"name": "a"}, kind=Table("things", THINGS.keys, old))
    assert violations(lake, THINGS) == {
        "model=m/cell=x": [
            "no column side",
            "no column image",
            "a column colour that is not declared",
            "number is string, not int64",
        ]
    }


def test_images_are_not_read(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet as pq

    read = []
    original = pq.ParquetFile.read

    def watched(self: Any, columns: list[str]) -> Any:
        read.extend(columns)
        return original(self, columns=columns)

    put(lake, GOOD)
    monkeypatch.setattr(pq.ParquetFile, "read", watched)
    assert violations(lake, THINGS) == {}
    assert set(read) == {"name", "side"}


def test_every_table_declares_what_names_its_rows() -> None:
    for name, kind in TABLES.items():
        rules = {field.name: field.metadata for field in kind.schema}
        assert any(b"key" in rule for rule in rules.values()), name
        assert all(set(rule) <= {b"description", b"key", b"required", b"one_of"} for rule in rules.values()), name
        lists = [field.name for field in kind.schema if pa.types.is_list(field.type) or pa.types.is_map(field.type)]
        # The statistics of a list count its elements, not its rows.
        assert not [column for column in lists if b"required" in rules[column]], name
    assert b"required" in PAIRS.schema.field("image_before").metadata
