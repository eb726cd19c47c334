"""The journal keeps finished answers, words and images, and asks again for what is damaged."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from diffbench_assets.models.journal import ImageJournal, Journal
from diffbench_assets.models.replies import Answer

ANSWER = Answer("completed", "The button – “größer” – grew. \u2028 line", "stop", 10, 5, cost_usd=0.25, attempts=1)
PICTURE = Answer("completed", None, attempts=2, image=b"\x89PNG\r\n\x1a\n and\nmore")
A, B, C = ("a" * 64, "b" * 64, "c" * 64)


def test_an_answer_comes_back_as_it_was_put_in(tmp_path):
    with Journal(tmp_path / "model.jsonl") as journal:
        journal.put(A, ANSWER)
        assert journal.get(A) == ANSWER and journal.get(B) is None
    with Journal(tmp_path / "model.jsonl") as journal:
        assert journal.get(A) == ANSWER and journal.get(B) is None


def test_a_journal_that_users_have_is_read(tmp_path):
    line = (
        f'{{"request_sha256": "{A}", "outcome": "completed", "text": "It grew.", "finish_reason": "stop", '
        '"input_tokens": 10, "output_tokens": 5, "reasoning_tokens": null, "cost_usd": 0.25, "latency_s": 0.5, '
        '"attempts": 1, "error": null, "model_reported": "m", "system_fingerprint": null}\n'
    )
    (tmp_path / "model.jsonl").write_text(line)
    with Journal(tmp_path / "model.jsonl") as journal:
        kept = journal.get(A)
        assert kept == Answer("completed", "It grew.", "stop", 10, 5, None, 0.25, 0.5, 1, None, "m")
        journal.put(A, kept)
    assert (tmp_path / "model.jsonl").read_text() == line + line.replace("null}", 'null, "thought": null}')


def test_an_answer_that_was_kept_with_its_thoughts_is_heard_without_them(tmp_path):
    with Journal(tmp_path / "model.jsonl") as journal:
        journal.put(A, replace(ANSWER, text="<think>Is it B?</think>It grew."))
        journal.put(B, replace(ANSWER, text="<think>Is it B?"))
        assert (journal.get(A).text, journal.get(A).thought) == ("It grew.", "<think>Is it B?</think>It grew.")
        assert (journal.get(B).outcome, journal.get(B).text) == ("empty", None)


def test_what_was_kept_is_forced_onto_the_disk_once(tmp_path, monkeypatch):
    forced: list[int] = []
    monkeypatch.setattr(os, "fdatasync", forced.append)
    with Journal(tmp_path / "model.jsonl") as journal:
        journal.put(A, ANSWER)
        journal.sync()
        journal.sync()
        assert len(forced) == 1
        journal.put(B, ANSWER)
    assert len(forced) == 2


def test_images_come_back_byte_for_byte_and_answers_without_one_too(tmp_path):
    answers = {A: PICTURE, B: Answer("refused", None, error="HTTP 400: no"), C: replace(PICTURE, image=b"")}
    with ImageJournal(tmp_path) as journal:
        for key, answer in answers.items():
            journal.put(key, answer)
    with ImageJournal(tmp_path) as journal:
        assert {key: journal.get(key) for key in answers} == answers and journal.get("d" * 64) is None


def test_errors_are_never_kept(tmp_path):
    with Journal(tmp_path / "model.jsonl") as journal, pytest.raises(ValueError, match="not finished"):
        journal.put(A, Answer("error", None, error="HTTP 500"))


@pytest.mark.parametrize("damage", [b"\0" * 50, b'"outcome": 3, "nonsense": [1, 2, 3], "and so on": 1'])
def test_a_damaged_line_in_the_middle_is_asked_again_and_that_line_only(tmp_path, damage):
    path = tmp_path / "model.jsonl"
    with Journal(path) as journal:
        for key in (A, B, C):
            journal.put(key, ANSWER)
    content = bytearray(path.read_bytes())
    start = content.index(B.encode()) + 80
    content[start : start + len(damage)] = damage
    path.write_bytes(content)
    with Journal(path) as journal:
        assert (journal.get(A), journal.get(B), journal.get(C)) == (ANSWER, None, ANSWER)
        journal.put(B, replace(ANSWER, attempts=2))
    with Journal(path) as journal:
        assert journal.get(B) == replace(ANSWER, attempts=2)
