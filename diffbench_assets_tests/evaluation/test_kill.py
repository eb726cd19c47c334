"""kill -9 in the middle of an evaluation, twice: no finished call is paid for again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from diffbench_assets.evaluation.requests import prepare
from diffbench_assets_tests.evaluation.chat_server import Answer, ChatServer, completion
from diffbench_assets_tests.evaluation.helpers import endpoint, pair_call

ITEMS = 500
CONCURRENCY = 8
REPO = Path(__file__).parents[2]


def test_killed_twice_no_finished_call_is_sent_again(tmp_path):
    journal, output = tmp_path / "loopback.jsonl", tmp_path / "replies.txt"
    body = completion()
    with ChatServer(lambda asked: Answer(body.body, headers=body.headers, delay_s=0.01), keep_bodies=False) as server:
        model = endpoint(server.url)
        items = {prepare(model, pair_call(f"pair-{n}")).request_sha256: f"pair-{n}" for n in range(ITEMS)}
        command = [sys.executable, "-m", "diffbench_assets_tests.evaluation.asker", server.url, journal, str(ITEMS)]
        for kill_at in (150, 330, None):
            finished = kept(journal, items)
            before = server.counts
            asker = subprocess.Popen([*command, output], cwd=REPO, stderr=subprocess.PIPE)
            while kill_at and sum(server.answered.values()) < kill_at:
                assert asker.poll() is None, asker.stderr.read()
                time.sleep(0.002)
            if kill_at:
                asker.send_signal(signal.SIGKILL)
            _, errors = asker.communicate(timeout=60)
            assert asker.returncode == (-signal.SIGKILL if kill_at else 0), errors
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
