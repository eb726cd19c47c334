"""Many calls at once: lazily read, asked once, handed on as they finish, stopped cleanly."""

from __future__ import annotations

import threading
import time
from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets import schemas
from diffbench_assets.durable import StoreError
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import BaselineModel
from diffbench_assets.models.replies import Reply
from diffbench_assets.models.requests import Call
from diffbench_assets.models.retry import retry_after
from diffbench_assets.models.run import Run, Stopped, raise_if_unanswered
from diffbench_assets_tests.models.chat_server import Answer, ChatServer, completion, error
from diffbench_assets_tests.models.helpers import ask, endpoint, pair_call

SLOW = Answer(completion().body, delay_s=0.02)


def test_calls_are_read_as_they_are_needed():
    ahead: list[int] = []

    def calls():
        for number in range(60):
            ahead.append(number - sum(server.answered.values()))
            yield pair_call(f"pair-{number}")

    with ChatServer(lambda asked: SLOW) as server:
        assert len(list(Run(endpoint(server.url, concurrency=4), calls()))) == 60
    assert server.most_in_flight == 4 and max(ahead) <= 2 * 4


def test_equal_requests_are_sent_once_even_side_by_side_but_repeats_are_not(tmp_path):
    def call(item: str, repeat: int = 0) -> Call:
        return Call(item, ("item=same", *pair_call("x").parts[1:]), repeat)

    with ChatServer(lambda asked: SLOW) as server, Journal(tmp_path / "j.jsonl") as journal:
        replies = ask(endpoint(server.url), [call("a"), call("b"), call("c"), call("d", 1)], journal=journal)
        assert server.asked("same") == 2
    assert [replies[item].cached for item in "abcd"] == [False, True, True, False]
    assert {reply.text for reply in replies.values()} == {"No visible change."}


def test_whoever_waits_for_an_equal_request_that_fails_does_not_wait_for_ever():
    class Full(Journal):
        def get(self, request_sha256: str) -> None:
            return None

        def put(self, request_sha256: str, answer: object) -> None:
            raise StoreError("free space and run again")

    def calls():
        return (Call(item, ("item=same", *pair_call("x").parts[1:])) for item in "abcdef")

    with ChatServer(lambda asked: SLOW) as server, pytest.raises(StoreError, match="free space"):
        list(Run(endpoint(server.url, concurrency=4), calls(), Full("nowhere")))


def test_leaving_the_loop_early_ends_all_that_runs(tmp_path):
    with ChatServer(lambda asked: SLOW) as server, Journal(tmp_path / "j.jsonl") as journal:
        run = iter(Run(endpoint(server.url), (pair_call(f"pair-{n}") for n in range(10_000)), journal))
        next(run)
        run.close()
        time.sleep(0.2)  # what was on its way to the server has arrived
        asked = len(server.log)
        time.sleep(0.2)
        assert len(server.log) == asked < 100
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ask")]


def test_requests_keep_moving_while_the_consumer_is_busy():
    with ChatServer(lambda asked: SLOW) as server:
        run = iter(Run(endpoint(server.url), (pair_call(f"pair-{n}") for n in range(40))))
        next(run)
        deadline = time.monotonic() + 10
        while sum(server.answered.values()) < 40 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(server.counts) == 40
        assert len(list(run)) == 39


def test_a_dead_endpoint_is_given_up_after_some_calls_but_known_answers_still_come(tmp_path):
    with ChatServer() as server, Journal(tmp_path / "j.jsonl") as journal:
        list(Run(endpoint(server.url), [pair_call("pair-499")], journal))
        server.behave = lambda asked: error(401, "bad key")
        run = Run(endpoint(server.url, concurrency=12), (pair_call(f"pair-{n}") for n in range(500)), journal)
        replies = list(run)
        assert run.stopped_by_errors and not run.stopped_by_budget
        assert 36 <= sum(reply.outcome == "error" for reply in replies) <= 36 + 12
        assert [reply.item_id for reply in replies if reply.cached] == ["pair-499"]


def test_scattered_failures_do_not_stop_a_run():
    with ChatServer(lambda asked: error(400, "no") if int(asked.item[5:]) % 10 else completion()) as server:
        run = Run(endpoint(server.url, concurrency=2), (pair_call(f"pair-{n}") for n in range(200)))
        assert len(list(run)) == 200 and not run.stopped_by_errors


def test_when_no_call_was_answered_it_is_said_why():
    raise_if_unanswered("m", Counter())
    raise_if_unanswered("m", Counter({None: 1, "HTTP 401: bad key": 9}))
    with pytest.raises(
        Stopped, match=r"m: 3 of 3 failed \(2 × HTTP 401: bad key; 1 × no server\); `diffbench models check m`"
    ):
        raise_if_unanswered("m", Counter({"HTTP 401: bad key": 2, "no server": 1}))


def test_a_bad_call_ends_the_run_with_its_own_error():
    def calls():
        yield pair_call("good")
        yield Call("bad", ("?", b"no picture"))

    with ChatServer(lambda asked: SLOW) as server, pytest.raises(ValueError, match="item bad: image 1 is not a PNG"):
        list(Run(endpoint(server.url), calls()))


def test_embedded_baselines_answer_through_the_same_path():
    model = BaselineModel(id="always_no_diff", baseline="always_no_diff")
    seen: list[Call] = []

    def answer(call: Call) -> str:
        seen.append(call)
        return "Nothing changed."

    replies = list(Run(model, [pair_call("a"), pair_call("b")], baselines={"always_no_diff": answer}))
    assert [(reply.outcome, reply.text, reply.cost_usd) for reply in replies] == [
        ("completed", "Nothing changed.", 0)
    ] * 2
    assert replies[0].image_sha256 and len(seen) == 2
    with pytest.raises(ValueError, match="no embedded baseline 'always_no_diff'"):
        Run(model, [])


def test_a_reply_has_every_column_of_responses_that_is_not_the_callers():
    columns = {name for name, _, _ in schemas.columns(schemas.RESPONSES)}
    assert columns - Reply("completed", "x").row().keys() == {"pair_id", "model", "cell", "protocol", "order"}


def test_progress_tells_rate_cost_and_time_left():
    lines: list[str] = []
    with ChatServer() as server:
        model = endpoint(server.url, usd_per_million_tokens={"input": 100, "output": 100})
        calls = (pair_call(f"pair-{n}") for n in range(20))
        list(Run(model, calls, total=20, on_progress=lambda progress: lines.append(progress.line())))
    assert lines[4].startswith("5 of 20 answered") and "$0.55 so far" in lines[4] and lines[4].endswith(" left")
    assert lines[-1].startswith("20 of 20 answered") and "$2.20" in lines[-1] and "0 s left" in lines[-1]


def test_what_came_from_the_journal_does_not_count_into_the_rate():
    progress = Progress(total=10, started_at=time.monotonic() - 2)
    for cached in [True] * 6 + [False] * 2:
        progress.count(Reply("completed", "x", cached=cached))
    assert progress.rate == pytest.approx(1.0, rel=0.05) and progress.seconds_left == pytest.approx(2.0, rel=0.05)


NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        ("0.5", 0.5),
        ("Thu, 01 Jan 2026 12:00:30 GMT", 30),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0),
        ("-3", 0),
        ("86400", 60),
        ("Fri, 01 Jan 2027 12:00:00 GMT", 60),
        ("inf", 60),
        ("nan", None),
        ("soon", None),
        ("7, 9", None),
        ("b'7'", None),
        ("Mon, 20 Nov 9999999999 12:00:00 +0000", None),
        ("Mon, 20 Nov 2026 12:00:00 +99999999999999999999", None),
        ("Mon, 20 Nov 9999 12:00:00 -2359", 60),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0),
        ("9" * 5000, 60),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_read_in_both_forms_and_capped(header, seconds):
    assert retry_after(header, NOW, cap_s=60) == seconds


DATE_PARTS = st.sampled_from(
    ["Mon,", "20", "Nov", "9999999999", "0001", "9999", "12:00:00", "99:99:99", "+0000", "-9999", "+" + "9" * 20, "GMT",
     "1e400", "nan", "-1", "²", "(", '"', "\x00", "20-Nov-26"]
)  # fmt: skip


@given(st.text(max_size=60) | st.binary(max_size=60).map(str) | st.lists(DATE_PARTS, max_size=8).map(" ".join))
def test_no_retry_after_ends_a_run(header):
    seconds = retry_after(header, NOW, cap_s=60)
    assert seconds is None or 0 <= seconds <= 60
