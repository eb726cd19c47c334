"""Ranged assets on a real instance and a real lake: what is made, what is kept, and what the UI then reads."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from dagster import (
    AssetKey,
    AssetRecordsFilter,
    AssetsDefinition,
    DagsterInstance,
    ExecuteInProcessResult,
    MetadataValue,
    MultiPartitionsDefinition,
    StaticPartitionsDefinition,
    materialize,
)

from diffbench_assets.assets.ranged import WHOLE, Made, Run, ranged
from diffbench_assets.lake import Lake
from diffbench_assets.partitions import range_tags
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.schemas import Table

ROOT = Path(__file__).parents[2]
NUMBERS = pa.schema([("number", pa.int64())])
THINGS = Table("things", ("cell",), NUMBERS)
NOTES = Table("notes", ("cell",), NUMBERS)
CELLS = StaticPartitionsDefinition(["a", "b", "c"])
PICTURE = "![preview](data:image/png;base64,AAAA)"


class Maker:
    """An asset whose inputs are a number a cell, and what it was asked to make."""

    def __init__(self, table: Table = THINGS, also: tuple[Table, ...] = (), fails_at: str = "") -> None:
        self.inputs = dict.fromkeys("abc", 1)
        self.asked: list[list[str]] = []
        self.complete = True

        def wanted(run: Run) -> Mapping[str, Any]:
            return {key: {"number": self.inputs[key]} for key in run.keys if key in self.inputs}

        @ranged(table, CELLS, group="test", wanted=wanted, also=also)
        def things(run: Run, todo: list[str]) -> Generator[Made]:
            self.asked.append(todo)
            for key in todo:
                if key == fails_at:
                    raise RuntimeError("the maker broke")
                counted = Counter[str]()
                about = {"kinds": counted, "preview": PICTURE, "cost": 0.5, "note": "as asked"}
                rows = _counted([{"number": self.inputs[key]}] * 2, counted)
                yield Made(key, rows, about, tuple([{"number": 7}] for _ in also), self.complete)

        self.asset: AssetsDefinition = things

    def run(self, lake: Lake, instance: DagsterInstance, first: str = "a", last: str = "c") -> ExecuteInProcessResult:
        return materialize(
            [self.asset],
            instance=instance,
            resources={"lake": LakeResource(root=lake.root)},
            tags=range_tags(first, last),
            raise_on_error=False,
        )


def _counted(rows: list[dict[str, int]], counted: Counter[str]) -> Iterator[dict[str, int]]:
    for row in rows:
        counted["odd" if row["number"] % 2 else "even"] += 1
        yield row


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(str(tmp_path / "lake"))


@pytest.fixture
def instance() -> Iterator[DagsterInstance]:
    with DagsterInstance.ephemeral() as instance:
        yield instance


def events(instance: DagsterInstance, key: str = "things", cell: str | None = None) -> list[Mapping[str, Any]]:
    """Metadata of the materializations of a partition, the latest first, as the UI asks for them."""
    wanted = AssetRecordsFilter(AssetKey(key), asset_partitions=[cell] if cell else None)
    return [record.asset_materialization.metadata for record in instance.fetch_materializations(wanted, 100).records]


def assert_shown(metadata: Mapping[str, Any], path: str) -> None:
    assert metadata["path"] == MetadataValue.path(path)
    assert metadata["rows"].value == 2 and metadata["cost"].value == 0.5 and metadata["note"].value == "as asked"
    assert metadata["kinds"].value == "2 odd"
    assert metadata["preview"].value == PICTURE


def test_the_ui_reads_one_event_a_partition_with_all_that_was_said_of_it(lake: Lake, instance: DagsterInstance) -> None:
    assert Maker().run(lake, instance).success
    for cell in "abc":
        (only,) = events(instance, cell=cell)
        assert_shown(only, lake.path(THINGS, {"cell": cell}))


def test_partitions_that_are_kept_say_what_they_said_before(lake: Lake, instance: DagsterInstance) -> None:
    maker = Maker()
    maker.run(lake, instance)
    maker.inputs["b"] = 3
    assert maker.run(lake, instance).success
    assert maker.asked == [["a", "b", "c"], ["b"]]
    for cell in "abc":
        latest, _ = events(instance, cell=cell)
        assert_shown(latest, lake.path(THINGS, {"cell": cell}))
    assert lake.read(THINGS, {"cell": "b"})["number"].to_pylist() == [3, 3]


def test_a_lake_that_another_machine_filled_is_kept_and_shown(lake: Lake, instance: DagsterInstance) -> None:
    with DagsterInstance.ephemeral() as other:
        Maker().run(lake, other)
    here = Maker()
    here.run(lake, instance)
    assert here.asked == []
    assert_shown(events(instance, cell="a")[0], lake.path(THINGS, {"cell": "a"}))


def test_a_step_that_fails_keeps_and_shows_what_it_had_finished(lake: Lake, instance: DagsterInstance) -> None:
    assert not Maker(fails_at="c").run(lake, instance).success
    for cell in "ab":
        (only,) = events(instance, cell=cell)
        assert_shown(only, lake.path(THINGS, {"cell": cell}))
    assert events(instance, cell="c") == [] and not lake.exists(THINGS, {"cell": "c"})
    repaired = Maker()
    assert repaired.run(lake, instance).success
    assert repaired.asked == [["c"]]


def test_a_run_that_is_killed_is_taken_up_where_it_was(lake: Lake, instance: DagsterInstance) -> None:
    script = textwrap.dedent(
        f"""
        import os, signal
        from dagster import DagsterInstance
        from diffbench_assets.lake import Lake
        from diffbench_assets_tests.assets import test_ranged as here
        maker = here.Maker()
        class Deadly(dict):
            def __getitem__(self, key):
                if maker.asked and key == "c":
                    os.kill(os.getpid(), signal.SIGKILL)
                return super().__getitem__(key)
        maker.inputs = Deadly(maker.inputs)
        with DagsterInstance.ephemeral() as instance:
            maker.run(Lake({lake.root!r}), instance)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=120)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()[-2000:]
    survivor = Maker()
    assert survivor.run(lake, instance).success
    assert survivor.asked == [["c"]]
    assert_shown(events(instance, cell="a")[0], lake.path(THINGS, {"cell": "a"}))


def test_what_is_not_complete_is_written_and_made_again(lake: Lake, instance: DagsterInstance) -> None:
    maker = Maker()
    maker.complete = False
    maker.run(lake, instance, "a", "a")
    assert lake.exists(THINGS, {"cell": "a"})
    maker.complete = True
    maker.run(lake, instance, "a", "a")
    maker.run(lake, instance, "a", "a")
    assert maker.asked == [["a"], ["a"]]


def test_partitions_that_nobody_wants_are_left_as_they_are(lake: Lake, instance: DagsterInstance) -> None:
    maker = Maker()
    maker.run(lake, instance)
    del maker.inputs["b"]
    assert maker.run(lake, instance).success
    assert maker.asked == [["a", "b", "c"]]
    assert_shown(events(instance, cell="b")[0], lake.path(THINGS, {"cell": "b"}))


def test_a_table_beside_the_assets_own_is_written_first_and_missed(lake: Lake, instance: DagsterInstance) -> None:
    maker = Maker(also=(NOTES,))
    maker.run(lake, instance)
    assert lake.read(NOTES, {"cell": "a"})["number"].to_pylist() == [7]
    Path(lake.path(NOTES, {"cell": "a"})).unlink()
    maker.run(lake, instance)
    assert maker.asked[1:] == [["a"]]


def test_other_columns_make_a_table_stale(lake: Lake, instance: DagsterInstance) -> None:
    Maker().run(lake, instance)
    wider = Maker(Table("things", ("cell",), pa.schema([*NUMBERS, ("word", pa.string())])))
    wider.run(lake, instance)
    assert wider.asked == [["a", "b", "c"]]


def test_partitions_of_two_keys_lie_in_the_order_of_the_table(lake: Lake, instance: DagsterInstance) -> None:
    models = StaticPartitionsDefinition(["one", "two"])
    answers = Table("verdicts", ("judge", "model", "cell"), NUMBERS).of("suite").within("strict")

    def wanted(run: Run) -> Mapping[str, Any]:
        return {key: {} for key in run.keys}

    @ranged(answers, MultiPartitionsDefinition({"cell": CELLS, "model": models}), group="test", wanted=wanted)
    def verdicts(run: Run, todo: list[str]) -> Generator[Made]:
        for key in todo:
            yield Made(key, [{"number": 1}])

    assert verdicts.key == AssetKey(["suite", "verdicts", "strict"])
    tags = range_tags("a|two", "c|two")
    resources = {"lake": LakeResource(root=lake.root)}
    assert materialize([verdicts], instance=instance, resources=resources, tags=tags).success
    places = [path.partition("/lake/")[2] for path in lake.files(answers)]
    assert places == [f"suite/verdicts/judge=strict/model=two/cell={cell}/data.parquet" for cell in "abc"]


def test_one_partition_alone_and_a_table_without_partitions(lake: Lake, instance: DagsterInstance) -> None:
    maker, resources = Maker(), {"lake": LakeResource(root=lake.root)}
    assert materialize([maker.asset], instance=instance, resources=resources, partition_key="b").success
    assert maker.asked == [["b"]] and len(events(instance, cell="b")) == 1

    def wanted(run: Run) -> Mapping[str, Any]:
        return dict.fromkeys(run.keys, {})

    @ranged(Table("whole", (), NUMBERS), group="test", wanted=wanted)
    def whole(run: Run, todo: list[str]) -> Generator[Made]:
        yield Made(WHOLE, [{"number": 1}], {"preview": PICTURE})

    assert materialize([whole], instance=instance, resources=resources).success
    (only,) = events(instance, "whole")
    assert only["rows"].value == 1 and only["preview"].value == PICTURE


@pytest.mark.parametrize("damage", [b"", b"no Parquet at all", b"PAR1 cut short"])
def test_a_damaged_partition_is_made_again_and_said_to_be(lake: Lake, instance: DagsterInstance, damage: bytes) -> None:
    maker = Maker()
    assert maker.run(lake, instance).success
    path = Path(lake.path(THINGS, {"cell": "b"}))
    whole = path.read_bytes()
    path.write_bytes(damage)
    done = maker.run(lake, instance)
    assert done.success and maker.asked[-1] == ["b"] and path.read_bytes() == whole
    said = [entry.user_message for entry in instance.all_logs(done.run_id) if "damaged" in entry.user_message]
    assert len(said) == 1 and str(path) in said[0]
