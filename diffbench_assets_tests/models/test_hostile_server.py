"""Against a server that misbehaves in every way seen in the field, each row ends in the right outcome."""

from __future__ import annotations

import gzip
import json
import logging
import time
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.keys import KeyProblem
from diffbench_assets.models.retry import RetryPolicy
from diffbench_assets.models.run import Run
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion, error
from diffbench_assets_tests.models.helpers import AFTER, BEFORE, IMPATIENT, PRICE, ask, endpoint, pair_call

KEY = "sk-Loopback/Secret+0123456789"
HUGE = b'{"choices": "' + b"x" * 20_000_000 + b'"}'
GZIP_BOMB = gzip.compress(b" " * 50_000_000)


def rude(asked: Asked) -> Answer:
    """One way of misbehaving per item."""
    authorization = asked.headers.get("authorization", "")
    answers = {
        "fine": completion("The button grew."),
        "parts": completion(message={"content": [{"type": "text", "text": "The "}, {"type": "text", "text": "end."}]}),
        "truncated": completion("The but", "length"),
        "truncated_empty": completion("", "length"),
        "empty": completion(""),
        "blank": completion(" \n"),
        "null": completion(None),
        "tool_call": completion(None, "tool_calls", message={"tool_calls": [{"id": "1"}]}),
        "refusal_field": completion(None, message={"refusal": "I cannot help with that."}),
        "content_filter": completion("The", "content_filter"),
        "refused_prompt": Answer(b'{"error": {"code": "content_filter", "message": "no"}}', 400),
        "moderated": error(403, "Your input was flagged"),
        "filtered": Answer(
            b'{"choices": [], "prompt_filter_results": [{"content_filter_results": {"a": {"filtered": true}}}]}'
        ),
        "plain_refusal": completion("I'm sorry, but I can't help with that."),
        "placeholder": completion("N/A"),
        "all_thought": completion("<think>The button grew."),
        "cut_thought": completion("<think>The button gr", "length"),
        "abort": completion("The but", "abort") if asked.nth < 3 else completion("At last."),
        "html": Answer(b"<html><body>Welcome to the Wi-Fi</body></html>", headers={"Content-Type": "text/html"}),
        "malformed": Answer(b'{"choices": [{"message": {"content": "The'),
        "half": Answer(completion("The button grew.").body, send=60),
        "no_body": Answer(b""),
        "shape": Answer(b'{"choices": []}'),
        "list": Answer(b"[1, 2]"),
        "deep": Answer(b"[" * 200_000),
        "latin": Answer(b'{"choices": "\xff\xfe"}'),
        "huge": Answer(HUGE),
        "bomb": Answer(GZIP_BOMB, headers={"Content-Encoding": "gzip"}),
        "gzip": Answer(gzip.compress(completion("Squeezed.").body), headers={"Content-Encoding": "gzip"}),
        "hang": Answer(hang=True),
        "400": error(400, "max_tokens is too large"),
        "401": error(401, f"Incorrect API key provided: {authorization}"),
        "403": error(403, "not yours"),
        "429_no_credit": Answer(b'{"error": {"code": "insufficient_quota", "message": "pay first"}}', 429),
        "404": error(404, "The model does not exist"),
        "redirect": Answer(b"", 307, {"Location": "http://127.0.0.1:1/steal"}),
        "500": error(500, "down"),
        "under_200": Answer(b'{"error": {"code": 502, "message": "upstream died"}}'),
        "gave_up": completion("The", "error"),
        "surrogate": Answer(completion("@").body.replace(b"@", b"half \\ud83d emoji")),
        "absurd_usage": completion(usage={"prompt_tokens": -5, "completion_tokens": 10**30}),
        "echo": completion(f"You sent {authorization}", model=authorization, system_fingerprint=authorization),
        "echo_500": Answer(
            f"<pre>{authorization} {authorization.lower()}</pre>".encode(), 500, {"X_Echo": authorization}
        ),
        "bad_header": Answer(b"{}", headers={"Not a name": authorization}),
        "echo_200": Answer(json.dumps({"oops": asked.headers}).encode(), headers={"X_Echo": authorization}),
        "other_key": error(401, "Incorrect API key provided: sk-pro********wxyz."),
        "500_then_fine": error(500, "hiccup") if asked.nth < 3 else completion("At last."),
        "half_then_fine": Answer(completion().body, send=9) if asked.nth < 2 else completion("At last."),
        "429_seconds": error(429, "slow down", Retry_After="0.15") if asked.nth < 3 else completion("At last."),
        "429_under_200": Answer(b'{"error": {"code": 429, "message": "slow"}}') if asked.nth < 3 else completion("Ok."),
        "429_forever": error(429, "slow down"),
    }
    return answers[asked.item]


EXPECTED = {
    "completed": "fine parts gzip surrogate absurd_usage echo abort 500_then_fine half_then_fine 429_seconds "
    "429_under_200",
    "truncated": "truncated truncated_empty cut_thought",
    "empty": "empty blank null tool_call placeholder all_thought",
    "refused": "refusal_field content_filter refused_prompt moderated filtered plain_refusal",
    "error": "html malformed half no_body shape list deep latin huge bomb hang 400 401 403 404 redirect 500 under_200 "
    "gave_up 429_no_credit echo_500 echo_200 bad_header other_key 429_forever",
}
OUTCOMES = {item: outcome for outcome, items in EXPECTED.items() for item in items.split()}


@pytest.fixture(scope="module")
def ordeal(tmp_path_factory):
    """All of it once: (replies by item, the server, bytes of the journal, all log text)."""
    path = tmp_path_factory.mktemp("ordeal") / "loopback.jsonl"
    lines: list[str] = []
    handler = logging.Handler(logging.DEBUG)
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    with pytest.MonkeyPatch.context() as patch, ChatServer(rude) as server:
        patch.setenv("LOOPBACK_KEY", KEY)
        model = endpoint(
            server.url, api_key_env="LOOPBACK_KEY", concurrency=16, timeout_s=2, usd_per_million_tokens=PRICE
        )
        with Journal(path) as journal:
            replies = ask(model, map(pair_call, OUTCOMES), journal=journal)
    root.removeHandler(handler)
    root.setLevel(level)
    return replies, server, path.read_bytes(), "\n".join(lines)


@pytest.mark.parametrize("item", OUTCOMES)
def test_each_misbehaviour_ends_in_its_outcome(ordeal, item):
    reply = ordeal[0][item]
    assert (reply.outcome, reply.error) == (OUTCOMES[item], reply.error)
    assert (reply.error is not None) == (reply.outcome == "error"), reply.error
    assert reply.attempts == ordeal[1].asked(item)


def test_every_item_has_exactly_one_row_and_every_finished_one_is_in_the_journal(ordeal):
    replies, _, journal, _ = ordeal
    assert replies.keys() == OUTCOMES.keys()
    kept = {json.loads(line)["request_sha256"] for line in journal.splitlines()}
    assert kept == {reply.request_sha256 for reply in replies.values() if reply.outcome != "error"}


@pytest.mark.parametrize(
    ("attempts", "items"),
    [
        (
            1,
            "fine truncated empty refusal_field refused_prompt moderated filtered "
            "plain_refusal shape list huge bomb 400 401 403 404 redirect "
            "429_no_credit",
        ),
        (3, "abort html malformed half no_body hang 500 under_200 gave_up 500_then_fine 429_seconds"),
        (6, "429_forever"),
    ],
)
def test_only_what_may_pass_is_tried_again(ordeal, attempts, items):
    assert {item: ordeal[0][item].attempts for item in items.split()} == dict.fromkeys(items.split(), attempts)


def test_the_key_was_sent_and_appears_nowhere_else(ordeal):
    replies, server, journal, log = ordeal
    assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in server.log)
    rows = json.dumps([asdict(reply) for reply in replies.values()])
    for place in (rows, journal.decode(), log):
        assert KEY.lower() not in place.lower() and json.dumps(KEY)[1:-1].lower() not in place.lower()
        assert "sk-pro" not in place and "wxyz" not in place
    assert "[key removed]" in replies["401"].error and "[key removed]" in replies["echo_500"].error
    assert replies["echo"].text == "You sent Bearer [key removed]"


def test_text_usage_and_cost_are_what_the_endpoint_said(ordeal):
    replies = ordeal[0]
    fine = replies["fine"]
    assert (fine.text, fine.finish_reason, fine.model_reported) == ("The button grew.", "stop", "loopback")
    assert (fine.input_tokens, fine.output_tokens) == (1000, 100)
    assert fine.cost_usd == pytest.approx((1000 * 2 + 100 * 10) / 1e6)
    assert replies["parts"].text == "The end." and replies["gzip"].text == "Squeezed."
    assert replies["refusal_field"].text == "I cannot help with that."
    assert replies["empty"].text is None and replies["null"].text is None
    assert replies["surrogate"].text == "half ? emoji"


def test_a_count_that_cannot_be_is_unknown_and_so_is_its_cost(ordeal):
    absurd = ordeal[0]["absurd_usage"]
    assert (absurd.input_tokens, absurd.output_tokens, absurd.cost_usd) == (None, None, None)


def test_errors_say_what_happened(ordeal):
    replies = ordeal[0]
    assert "not JSON" in replies["html"].error and "Wi-Fi" in replies["html"].error
    assert "larger than 8 MB" in replies["huge"].error and "larger than 8 MB" in replies["bomb"].error
    assert "time limit of 2 s" in replies["hang"].error
    assert replies["400"].error == "HTTP 400: max_tokens is too large"
    assert "upstream died" in replies["under_200"].error
    assert "redirects" in replies["redirect"].error


def test_the_images_arrive_as_they_were_before_first(ordeal):
    for asked in ordeal[1].log:
        assert asked.images == [BEFORE, AFTER]
        assert [part["type"] for part in asked.content] == ["text", "image_url", "image_url"]


def test_only_finished_calls_are_kept_and_errors_are_asked_again(tmp_path):
    answers = {"good": completion("Yes."), "bad": error(500, "down")}
    with ChatServer(lambda asked: answers[asked.item]) as server:
        for _ in range(2):
            with Journal(tmp_path / "journal.jsonl") as journal:
                replies = ask(endpoint(server.url), map(pair_call, answers), journal=journal)
        assert (server.asked("good"), server.asked("bad")) == (1, 2 * IMPATIENT.transient_attempts)
        assert (replies["good"].cached, replies["good"].text, replies["bad"].outcome) == (True, "Yes.", "error")
        answers["bad"] = completion("Now.")
        with Journal(tmp_path / "journal.jsonl") as journal:
            assert ask(endpoint(server.url), map(pair_call, answers), journal=journal)["bad"].text == "Now."


def test_refused_answers_are_asked_again_only_on_demand(tmp_path):
    answer = {"it": completion(None, message={"refusal": "No."})}
    with ChatServer(lambda asked: answer["it"]) as server, Journal(tmp_path / "journal.jsonl") as journal:
        model = endpoint(server.url)
        assert ask(model, [pair_call("a")], journal=journal)["a"].outcome == "refused"
        answer["it"] = completion("Fine, then.")
        assert ask(model, [pair_call("a")], journal=journal)["a"].outcome == "refused"
        again = ask(model, [pair_call("a")], journal=journal, ask_again=frozenset({"refused"}))
        assert (again["a"].outcome, again["a"].cached) == ("completed", False)
        assert ask(model, [pair_call("a")], journal=journal)["a"].outcome == "completed"


@pytest.mark.parametrize(("status", "as_date"), [(429, False), (429, True), (503, False)])
def test_retry_after_is_honoured_as_seconds_and_as_a_date(status, as_date):
    def behave(asked: Asked) -> Answer:
        when = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True) if as_date else "1"
        return error(status, "slow down", Retry_After=when) if asked.nth == 1 else completion()

    with ChatServer(behave) as server:
        started = time.monotonic()
        reply = ask(endpoint(server.url), [pair_call("a")], policy=RetryPolicy(first_wait_s=0.001))["a"]
        assert 0.95 <= time.monotonic() - started < 3.5
        assert (reply.outcome, reply.attempts) == ("completed", 2)


def test_a_server_that_is_not_there_is_an_error_row():
    with ChatServer() as server:
        url = server.url
    reply = ask(endpoint(url), [pair_call("a")])["a"]
    assert (reply.outcome, reply.attempts) == ("error", IMPATIENT.transient_attempts)
    assert "connection refused" in reply.error


@pytest.mark.parametrize(("value", "says"), [(None, "is not set"), ("sk-not\na key", "no key has")])
def test_a_missing_or_broken_key_stops_before_anything_is_sent(monkeypatch, value, says):
    monkeypatch.delenv("SOME_KEY", raising=False)
    if value:
        monkeypatch.setenv("SOME_KEY", value)
    with ChatServer() as server, pytest.raises(KeyProblem, match=says) as raised:
        list(Run(endpoint(server.url, api_key_env="SOME_KEY"), [pair_call("a")]))
    assert "SOME_KEY" in str(raised.value) and "sk-not" not in str(raised.value)
    assert not server.log
