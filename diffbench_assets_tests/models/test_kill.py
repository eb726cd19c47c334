"""kill -9 in the middle of an evaluation, twice: no finished call is paid for again."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from diffbench_assets.models.clients.chat import prepare_chat
from diffbench_assets_tests.killing import run
from diffbench_assets_tests.models.chat_server import Answer, ChatServer, completion
from diffbench_assets_tests.models.helpers import endpoint, pair_call

ITEMS = 500
CONCURRENCY = 8


def test_killed_twice_no_finished_call_is_sent_again(tmp_path):
    journal, output = tmp_path / "loopback.jsonl", tmp_path / "replies.txt"
    body = completion()
    with ChatServer(lambda asked: Answer(body.body, headers=body.headers, delay_s=0.01), keep_bodies=False) as server:
        model = endpoint(server.url)
        items = {prepare_chat(model, pair_call(f"pair-{n}")).request_sha256: f"pair-{n}" for n in range(ITEMS)}
        command = [sys.executable, "-m", "diffbench_assets_tests.models.asker", server.url, journal, str(ITEMS)]
        for kill_at in (150, 330, None):
            finished = kept(journal, items)
            before = server.counts
            run([*command, output], kill_at and (lambda limit=kill_at: sum(server.answered.values()) >= limit))
            assert {item: server.asked(item) for item in finished} == {item: before[item] for item in finished}
            yielded = {line.split()[0] for line in output.read_text().splitlines()}
            assert yielded <= kept(journal, items), "a reply was passed on before it was durable"
        sent = server.counts
    assert kept(journal, items) == set(items.values()) == set(sent)
    repeated = [item for item, times in sent.items() if times > 1]
    assert len(repeated) <= 2 * CONCURRENCY, "only what was in flight at a kill may be sent again"


def kept(journal: Path, items: dict[str, str]) -> set[str]:
    """Items whose answers are whole lines of the journal."""
    if not journal.exists():
        return set()
    lines = [line for line in journal.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    return {items[json.loads(line)["request_sha256"]] for line in lines}
