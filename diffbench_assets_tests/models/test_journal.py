"""The journal keeps finished answers through torn lines, second writers and full disks."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from diffbench_assets.models.journal import Journal, JournalError
from diffbench_assets.models.replies import Answer

ANSWER = Answer("completed", "The button – “größer” – grew. \u2028 line", "stop", 10, 5, cost_usd=0.25, attempts=1)
A, B, C = ("a" * 64, "b" * 64, "c" * 64)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "model.jsonl"


def test_an_answer_comes_back_as_it_was_put_in(path):
    with Journal(path) as journal:
        journal.put(A, ANSWER)
        assert journal.get(A) == ANSWER and journal.get(B) is None
    with Journal(path) as journal:
        assert journal.get(A) == ANSWER and len(journal) == 1


def test_errors_are_never_kept(path):
    with Journal(path) as journal, pytest.raises(ValueError, match="not finished"):
        journal.put(A, Answer("error", None, error="HTTP 500"))


@pytest.mark.parametrize("lost", [1, 2, 30, 200])
def test_a_torn_last_line_is_cut_off_and_the_journal_goes_on(path, lost):
    with Journal(path) as journal:
        journal.put(A, ANSWER)
        size = path.stat().st_size
        journal.put(B, ANSWER)
    os.truncate(path, path.stat().st_size - lost)
    with Journal(path) as journal:
        assert journal.get(A) == ANSWER and journal.get(B) is None
        assert path.stat().st_size == size
        journal.put(C, ANSWER)
    with Journal(path) as journal:
        assert journal.get(A) == journal.get(C) == ANSWER


@pytest.mark.parametrize("damage", [b"\0" * 50, b'"outcome": 3, "nonsense": [1, 2, 3], "and so on": 1'])
def test_a_damaged_line_in_the_middle_costs_that_line_only(path, damage):
    with Journal(path) as journal:
        for key in (A, B, C):
            journal.put(key, ANSWER)
    content = bytearray(path.read_bytes())
    start = content.index(B.encode()) + 80
    content[start : start + len(damage)] = damage
    path.write_bytes(content)
    with Journal(path) as journal:
        assert (journal.get(A), journal.get(B), journal.get(C)) == (ANSWER, None, ANSWER)


def test_a_second_writer_is_told_so(path):
    with Journal(path), pytest.raises(JournalError, match="another run is asking this model"):
        Journal(path)
    Journal(path).close()


def test_a_killed_holder_does_not_lock_the_journal_for_ever(path):
    code = f"import time; from diffbench_assets.models.journal import Journal; j = Journal({str(path)!r}); "
    holder = subprocess.Popen(
        [sys.executable, "-c", code + "print(flush=True); time.sleep(60)"], stdout=subprocess.PIPE
    )
    holder.stdout.readline()
    with pytest.raises(JournalError):
        Journal(path)
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    Journal(path).close()


def test_another_file_is_not_overwritten(path):
    path.parent.mkdir()
    path.write_text("item,answer\n1,2\n")
    with pytest.raises(JournalError, match="not a journal"):
        Journal(path)
    assert path.read_text() == "item,answer\n1,2\n"


def test_a_full_disk_leaves_whole_lines_only(path):
    with Journal(path) as journal:
        journal.put(A, ANSWER)
        size = path.stat().st_size
        old = resource.getrlimit(resource.RLIMIT_FSIZE)
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, old[1]))
        try:
            with pytest.raises(JournalError, match="free space"):
                journal.put(B, ANSWER)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
            signal.signal(signal.SIGXFSZ, before)
        assert path.stat().st_size == size
        journal.put(C, ANSWER)
    with Journal(path) as journal:
        assert (journal.get(A), journal.get(B), journal.get(C)) == (ANSWER, None, ANSWER)


def test_twenty_thousand_answers_open_in_well_under_a_second(path):
    long = Answer("completed", "word " * 300, "stop", 10, 5)
    with Journal(path) as journal:
        for number in range(20_000):
            journal.put(f"{number:064x}", long)
    started = time.perf_counter()
    with Journal(path) as journal:
        assert len(journal) == 20_000
    assert time.perf_counter() - started < 10
