"""kill -9 in the middle of editing, twice: no finished edit is paid for again."""

from __future__ import annotations

import sys

import numpy as np

from diffbench_assets.pairs.photographs.crops import encode
from diffbench_assets_tests.killing import run
from diffbench_assets_tests.models.chat_server import Answer, ChatServer
from diffbench_assets_tests.pairs.photographs.asker import IMAGE, prompt
from diffbench_assets_tests.pairs.photographs.edit_server import answer
from diffbench_assets_tests.pairs.photographs.helpers import endpoint, request_sha256

EDITS = 120
CONCURRENCY = 4


def test_killed_twice_no_finished_edit_is_asked_again(tmp_path):
    body = answer(encode(np.full((20, 60, 3), 90, np.uint8))).body
    journal, output = tmp_path / "journal", tmp_path / "edits.txt"
    with ChatServer(lambda asked: Answer(body, delay_s=0.01), keep_bodies=False) as server:
        model = endpoint(server.url)
        numbers = {request_sha256(model, IMAGE, prompt(number)): number for number in range(EDITS)}

        def kept() -> set[int]:
            return {numbers[path.stem] for path in journal.rglob("*.edit")}

        command = [sys.executable, "-m", "diffbench_assets_tests.pairs.photographs.asker", server.url, journal]
        for kill_at in (40, 80, None):
            finished, before = kept(), server.counts
            reached = kill_at and (lambda limit=kill_at: sum(server.answered.values()) >= limit)
            run([*command, EDITS, output], reached)
            asked_again = {number for number in finished if server.asked(f"edit-{number}") != before[f"edit-{number}"]}
            assert not asked_again
            passed_on = {int(line.split()[0]) for line in output.read_text().splitlines()}
            assert passed_on <= kept(), "an edit was passed on before it was durable"
    assert kept() == set(range(EDITS))
    assert sum(server.counts.values()) - EDITS <= 2 * CONCURRENCY, (
        "only what was in flight at a kill may be asked again"
    )
