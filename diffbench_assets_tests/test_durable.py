"""Files whole or not at all; stores that keep finished work through torn entries, second writers and full disks."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from diffbench_assets.durable import Folder, Log, Store, StoreError, write_bytes, writing

A, B, C = ("a" * 64, "b" * 64, "c" * 64)
ENTRY = json.dumps({"text": "The button – “größer” – grew. \u2028 line", "cost": 0.25}).encode()


def log(folder: Path) -> Log:
    return Log(folder / "deep" / "log.jsonl")


def blobs(folder: Path) -> Folder:
    return Folder(folder / "deep" / "blobs", ".json")


BOTH = pytest.mark.parametrize("layout", [log, blobs])


@BOTH
def test_an_entry_comes_back_as_it_was_put_in_and_the_last_one_counts(tmp_path, layout):
    with layout(tmp_path) as store:
        for key in (A, B, A):
            store.put(key, b'{"first": 1}' if key == A and not store.keys() else ENTRY)
        store.sync()
        assert (store.get(A), store.get(B), store.get(C)) == (ENTRY, ENTRY, None)
    with layout(tmp_path) as store:
        assert (store.get(A), store.get(B), store.get(C)) == (ENTRY, ENTRY, None) and store.keys() == {A, B}


@BOTH
def test_a_second_writer_is_told_so_by_name(tmp_path, layout):
    with layout(tmp_path), pytest.raises(StoreError, match=r"(log.jsonl|blobs): another run is using it"):
        layout(tmp_path).__enter__()
    with layout(tmp_path):
        pass


@BOTH
def test_a_killed_holder_does_not_lock_a_store_for_ever(tmp_path, layout):
    code = (
        f"import time, pathlib; from diffbench_assets_tests.test_durable import {layout.__name__} as layout\n"
        f"with layout(pathlib.Path({str(tmp_path)!r})): print(flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    with pytest.raises(StoreError, match="another run"):
        layout(tmp_path).__enter__()
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with layout(tmp_path):
        pass


@pytest.mark.parametrize("key", ["", "../up", "a/b", "a.b", "a\n", "x" * 129])
@BOTH
def test_a_key_that_cannot_name_a_file_is_refused(tmp_path, layout, key):
    with layout(tmp_path) as store:
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(ValueError, match="expected 1 to 128 letters"):
            store.put(key, ENTRY)
        assert sorted(tmp_path.rglob("*")) == before


@contextmanager
def disk_of(size: int) -> Iterator[None]:
    """No file of this process grows beyond `size` bytes."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, before)


@BOTH
def test_a_full_disk_leaves_whole_entries_only(tmp_path, layout):
    def put_on_a_full_disk(store: Store) -> None:
        with disk_of(500), pytest.raises(StoreError, match="free space"):
            store.put(B, b'{"text": "' + b"x" * 1000 + b'"}')

    with layout(tmp_path) as store:
        store.put(A, ENTRY)
        put_on_a_full_disk(store)
        assert store.keys() == {A}
        store.put(C, ENTRY)
    with layout(tmp_path) as store:
        assert (store.get(A), store.get(B), store.get(C)) == (ENTRY, None, ENTRY)
    assert not list(tmp_path.rglob(".writing-*"))


# A log


@pytest.mark.parametrize("lost", [1, 2, 30, 100])
def test_a_torn_last_line_is_cut_off_and_the_log_goes_on(tmp_path, lost):
    with log(tmp_path) as store:
        store.put(A, ENTRY)
        size = store.path.stat().st_size
        store.put(B, ENTRY)
    os.truncate(store.path, store.path.stat().st_size - lost)
    with log(tmp_path) as store:
        assert store.keys() == {A} and store.path.stat().st_size == size
        store.put(C, ENTRY)
    with log(tmp_path) as store:
        assert store.get(A) == store.get(C) == ENTRY


def test_a_damaged_line_in_the_middle_costs_that_line_only(tmp_path):
    with log(tmp_path) as store:
        for key in (A, B, C):
            store.put(key, ENTRY)
    content = bytearray(store.path.read_bytes())
    start = content.index(B.encode()) - 10
    content[start : start + 90] = b"\0" * 90
    store.path.write_bytes(content)
    with log(tmp_path) as store:
        assert store.keys() == {A, C} and (store.get(A), store.get(C)) == (ENTRY, ENTRY)


def test_another_file_is_not_overwritten(tmp_path):
    (tmp_path / "table.csv").write_text("item,answer\n1,2\n")
    with pytest.raises(StoreError, match="not a log"):
        Log(tmp_path / "table.csv").__enter__()
    assert (tmp_path / "table.csv").read_text() == "item,answer\n1,2\n"


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"a": 1', b'{"a":\n1}', b'{"a": 1}\nmore'])
def test_what_is_no_object_on_one_line_is_no_entry_of_a_log(tmp_path, data):
    with log(tmp_path) as store, pytest.raises(ValueError, match="JSON object on one line"):
        store.put(A, data)
    assert store.path.read_bytes() == b""


def test_twenty_thousand_entries_open_in_well_under_a_second(tmp_path):
    long = json.dumps({"text": "word " * 300}).encode()
    with log(tmp_path) as store:
        for number in range(20_000):
            store.put(f"{number:064x}", long)
    started = time.perf_counter()
    with log(tmp_path) as store:
        assert len(store.keys()) == 20_000
    assert time.perf_counter() - started < 10


# A folder


def test_what_was_not_finished_is_gone_and_does_not_count(tmp_path):
    with blobs(tmp_path) as store:
        store.put(A, b"\x00any bytes\n")
    (store.folder / "aa" / ".writing-5f").write_bytes(b"half a fi")
    (store.folder / ".writing-60").write_bytes(b"half a fi")
    assert blobs(tmp_path).keys() == {A}
    with blobs(tmp_path) as store:
        assert store.get(A) == b"\x00any bytes\n"
    assert sorted(path.name for path in store.folder.rglob("*.*")) == [".lock", f"{A}.json"]


def test_a_folder_can_be_read_while_another_fills_it(tmp_path):
    with blobs(tmp_path) as store:
        store.put(A, ENTRY)
        assert blobs(tmp_path).get(A) == ENTRY and blobs(tmp_path).get(B) is None
    assert Folder(tmp_path / "nowhere", ".json").keys() == set() and not (tmp_path / "nowhere").exists()


def test_entries_of_other_settings_are_not_mixed(tmp_path):
    with Folder(tmp_path, ".json", "depth 3") as store:
        store.put(A, ENTRY)
    with pytest.raises(StoreError, match=r"other settings \(depth 3\); name another folder, or delete"):
        Folder(tmp_path, ".json", "depth 4").__enter__()
    with Folder(tmp_path, ".json", "depth 3") as store:
        assert store.keys() == {A}


def test_threads_fill_a_folder_side_by_side(tmp_path):
    with blobs(tmp_path) as store:
        threads = [threading.Thread(target=store.put, args=(f"same{n % 5}", ENTRY)) for n in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.keys() == {f"same{n}" for n in range(5)} and store.get("same3") == ENTRY


def test_a_place_that_cannot_be_used_is_named(tmp_path):
    (tmp_path / "deep").write_text("a file in the way")
    for layout in (log, blobs):
        with pytest.raises(StoreError, match=r"deep/(log.jsonl|blobs): cannot be opened \("):
            layout(tmp_path).__enter__()


# Single files


def test_written_bytes_are_whole_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "new" / "image.png"
    write_bytes(target, b"first")
    assert target.read_bytes() == b"first"
    assert target.stat().st_mode & 0o777 == 0o644

    def no_space(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", no_space)
    with pytest.raises(OSError, match="No space left"):
        write_bytes(target, b"second")
    assert target.read_bytes() == b"first"
    assert [path.name for path in tmp_path.rglob("*")] == ["new", "image.png"]


def test_what_a_killed_writer_left_is_removed_by_the_next_and_nothing_else(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom diffbench_assets.durable import writing\n"
        "with writing(Path(sys.argv[1]) / 'a') as unfinished:\n"
        "    unfinished.write_bytes(b'half')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[1]
    for _ in range(2):
        assert subprocess.run([sys.executable, "-c", script, str(tmp_path)], cwd=root, timeout=60).returncode == -9
    assert len(list(tmp_path.glob(".writing-*"))) == 1  # the second removed what the first left
    with writing(tmp_path / "b") as mine:
        write_bytes(tmp_path / "c", b"whole")
        mine.write_bytes(b"mine")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"b": b"mine", "c": b"whole"}


def test_writers_side_by_side_never_remove_what_another_is_writing(tmp_path: Path) -> None:
    def write(number: int) -> None:
        for turn in range(50):
            write_bytes(tmp_path / f"{number}-{turn}", str(number).encode() * 1000)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(8)))
    assert len(list(tmp_path.iterdir())) == 8 * 50
