"""The image-edit client against a real server on loopback, polite and rude."""

from __future__ import annotations

import base64
import json
import time

import numpy as np
import pytest

from diffbench_assets.durable import StoreError
from diffbench_assets.models.journal import ImageJournal
from diffbench_assets.models.keys import KeyProblem
from diffbench_assets.models.limits import Budget
from diffbench_assets.pairs.photographs.crops import BadImage, encode
from diffbench_assets.pairs.photographs.editor import ImageEditor
from diffbench_assets_tests.models.chat_server import Answer, ChatServer
from diffbench_assets_tests.pairs.photographs.edit_server import answer, error, form, idle
from diffbench_assets_tests.pairs.photographs.helpers import ask, endpoint, request_sha256

SOURCE = encode(np.full((40, 120, 3), 200, np.uint8))
RESULT = np.full((40, 120, 3), 90, np.uint8)
KEY = "k-4f1c09d2aa77e0"


def painted(asked):
    return answer(encode(RESULT))


def one(behave, **options):
    """What becomes of one request, and what the server was asked."""
    with ChatServer(behave) as server:
        (edit,) = ask(server.url, (SOURCE, "make it darker"), **options)
    return edit, server.log


def test_an_edit_travels_as_multipart_and_comes_back_as_pixels(monkeypatch):
    monkeypatch.setenv("PAINTER_KEY", KEY)
    fields = {"model": "brush-2", "api_key_env": "PAINTER_KEY", "sampling": {"extra": {"quality": "high", "seed": 7}}}
    edit, log = one(painted, fields=fields)
    assert edit.outcome == "edited" and edit.attempts == 1 and not edit.cached and edit.resized_from is None
    assert np.array_equal(edit.pixels, RESULT)
    (asked,) = log
    sent = form(asked)
    assert sent.image == SOURCE
    assert sent.fields == {
        "model": "brush-2", "prompt": "make it darker", "n": "1", "response_format": "b64_json", "quality": "high",
        "seed": "7",
    }  # fmt: skip
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_an_endpoint_that_refuses_the_response_format_is_asked_without_it_from_then_on():
    def strict(asked):
        if "response_format" in form(asked).fields:
            return error(400, "Unknown parameter: 'response_format'.", "unknown_parameter")
        return painted(asked)

    with ChatServer(strict) as server:
        edits = [
            *ask(server.url, (SOURCE, "one")),
            *ask(server.url, *((SOURCE, f"prompt {n}") for n in range(4)), fields={"concurrency": 1}),
        ]
    assert [edit.outcome for edit in edits] == ["edited"] * 5
    assert len(server.log) == 7


def test_a_refusal_is_an_answer_and_is_kept(tmp_path):
    def refuse(asked):
        return error(400, "Your request was rejected by the safety system.", "moderation_blocked")

    with ChatServer(refuse) as server:
        first, again = (ask(server.url, (SOURCE, "p"), journal=tmp_path)[0] for _ in range(2))
    assert (first.outcome, again.outcome) == ("refused", "refused")
    assert again.cached and "safety system" in again.reason and len(server.log) == 1


def test_too_many_requests_wait_as_long_as_they_are_told_to():
    def busy(asked):
        return error(429, "slow down", Retry_After="0.3") if asked.nth <= 2 else painted(asked)

    started = time.monotonic()
    edit, log = one(busy)
    assert edit.outcome == "edited" and edit.attempts == len(log) == 3
    assert time.monotonic() - started >= 0.6


@pytest.mark.parametrize(
    ("behave", "reason", "asked"),
    [
        (lambda _: error(500, "overloaded"), "HTTP 500: overloaded", 3),
        (lambda _: Answer(b"<html>bad gateway", 502), "HTTP 502", 3),
        (lambda _: Answer(b"not json"), "not JSON", 3),
        (lambda _: error(401, "who are you"), "HTTP 401", 1),
        (lambda _: error(429, "no credit left", "insufficient_quota"), "no credit left", 1),
        (lambda _: Answer(b'{"data": []}'), "holds no edited image", 1),
        (lambda _: Answer(b'{"choices": []}'), "holds no edited image", 1),
        (lambda _: Answer(b"[1]"), "holds no edited image", 1),
        (lambda _: Answer(b"x", headers={"Content-Encoding": "br"}), "compressed", 1),
    ],
)
def test_a_broken_answer_is_a_failure_with_its_reason_and_is_never_kept(tmp_path, behave, reason, asked):
    edit, log = one(behave, journal=tmp_path)
    assert edit.outcome == "failed" and edit.pixels is None
    assert reason in edit.reason and len(log) == edit.attempts == asked
    assert not list(tmp_path.rglob("*.edit"))


def test_a_failure_is_asked_again_by_the_next_run(tmp_path):
    with ChatServer(lambda asked: error(500, "down") if asked.nth <= 3 else painted(asked)) as server:
        outcomes = [ask(server.url, (SOURCE, "p"), journal=tmp_path)[0].outcome for _ in range(3)]
    assert outcomes == ["failed", "edited", "edited"] and len(server.log) == 4


def test_a_server_that_hangs_or_hangs_up_is_given_up_on():
    slow, log = one(lambda _: Answer(hang=True), fields={"timeout_s": 0.1})
    assert slow.outcome == "failed" and "0.1 s" in slow.reason and len(log) == 3
    cut, log = one(lambda asked: Answer(painted(asked).body, send=100))
    assert cut.outcome == "failed" and "connection failed" in cut.reason and len(log) == 3


def test_a_slow_answer_within_the_limit_is_awaited():
    edit, _ = one(lambda asked: Answer(painted(asked).body, delay_s=0.3))
    assert edit.outcome == "edited"


def b64(data: bytes) -> Answer:
    return Answer(json.dumps({"data": [{"b64_json": base64.b64encode(data).decode()}]}).encode())


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        (lambda _: b64(b"GIF89a nonsense"), "not a readable"),
        (lambda _: b64(encode(RESULT)[:100]), "not a readable"),
        (lambda _: b64(b""), "not a readable"),
        (lambda _: Answer(b'{"data": [{"b64_json": "%%%"}]}'), "not base64"),
        (lambda _: Answer(b'{"data": [{"b64_json": null}]}'), "neither"),
        (lambda _: b64(encode(RESULT[:, :60])), "60x40"),
        (lambda _: b64(encode(np.zeros((1024, 1024, 3), np.uint8))), "1024x1024"),
    ],
)
def test_an_answer_that_is_no_fitting_image_was_paid_for_and_is_kept(tmp_path, behave, reason):
    with ChatServer(behave) as server:
        first, again = (ask(server.url, (SOURCE, "p"), journal=tmp_path)[0] for _ in range(2))
    assert first.outcome == again.outcome == "bad_image" and first.pixels is None
    assert reason in first.reason and again.reason == first.reason and len(server.log) == 1


def test_another_size_of_the_same_aspect_is_scaled_back_and_said_so():
    edit, _ = one(lambda _: answer(encode(np.full((81, 242, 3), 90, np.uint8))))
    assert edit.outcome == "edited" and edit.resized_from == (242, 81)
    assert np.array_equal(edit.pixels, RESULT)


def test_an_image_by_url_is_downloaded_from_the_endpoints_own_origin_only():
    def by_url(asked):
        if not asked.body:
            return error(503, "not there yet") if len(server.log) < 3 else Answer(encode(RESULT))
        return Answer(json.dumps({"data": [{"url": f"{server.url}/files/1.png"}]}).encode())

    with ChatServer(by_url) as server:
        (edit,) = ask(server.url, (SOURCE, "p"))
    assert edit.outcome == "edited" and np.array_equal(edit.pixels, RESULT)
    assert [bool(asked.body) for asked in server.log] == [True, False, False], "the edit itself was asked again"


@pytest.mark.parametrize("place", ["http://127.0.0.1:{port}/x.png", "http://10.0.0.1/x", "file:///etc/passwd", "//[x/"])
def test_an_image_elsewhere_is_not_fetched(place):
    with ChatServer(lambda _: Answer(encode(RESULT))) as elsewhere:
        url = place.format(port=elsewhere.port)
        edit, log = one(lambda _: Answer(json.dumps({"data": [{"url": url}]}).encode()))
    assert edit.outcome == "bad_image" and "another host" in edit.reason
    assert len(log) == 1 and not elsewhere.log


def test_a_redirect_is_not_followed():
    with ChatServer(painted) as elsewhere:
        target = f"http://127.0.0.1:{elsewhere.port}/v1/images/edits"
        edit, log = one(lambda _: Answer(status=307, headers={"Location": target}))
        download, _ = one(
            lambda asked: (
                Answer(status=302, headers={"Location": target})
                if not asked.body
                else Answer(b'{"data": [{"url": "/files/1.png"}]}')
            )
        )
    assert edit.outcome == download.outcome == "failed" and not elsewhere.log
    assert "redirects elsewhere" in edit.reason and "redirects elsewhere" in download.reason and len(log) == 1


def test_no_more_is_read_than_an_image_can_need(monkeypatch):
    monkeypatch.setattr("diffbench_assets.models.clients.image_edit.LARGEST_BODY", 10_000)
    edit, log = one(lambda _: Answer(b"x" * 100_000))
    assert edit.outcome == "failed" and "larger than" in edit.reason and len(log) == 1


def test_equal_requests_are_sent_once_even_side_by_side():
    with ChatServer(lambda asked: Answer(painted(asked).body, delay_s=0.05)) as server:
        edits = ask(server.url, (SOURCE, "p"), (SOURCE, "p"), (SOURCE, "q"))
    assert [edit.outcome for edit in edits] == ["edited"] * 3 and len(server.log) == 2


def test_the_fingerprint_covers_what_can_change_the_answer_and_nothing_else():
    def fingerprint(image=SOURCE, prompt="p", url="http://one/v1", **fields):
        return request_sha256(endpoint(url, **fields), image, prompt)

    same = fingerprint()
    assert fingerprint(url="http://two/v1", concurrency=1, timeout_s=9) == same
    others = {
        fingerprint(image=encode(RESULT)),
        fingerprint(prompt="q"),
        fingerprint(model="other"),
        fingerprint(snapshot="2026-01"),
        fingerprint(sampling={"extra": {"quality": "low"}}),
    }
    assert len(others | {same}) == 6


def test_a_budget_counts_calls_and_what_is_kept_costs_nothing(tmp_path):
    requests = [(SOURCE, f"prompt {n}") for n in range(5)]
    with ChatServer(painted) as server:
        first = ask(server.url, *requests, journal=tmp_path, budget=Budget(calls=3))
        second = ask(server.url, *requests, journal=tmp_path, budget=Budget(calls=2))
    assert [edit.outcome for edit in first].count("not_asked") == 2 and "budget of 3 calls" in first[-1].reason
    assert [edit.outcome for edit in second] == ["edited"] * 5 and len(server.log) == 5
    with pytest.raises(ValueError, match="number of calls"):
        ImageEditor(endpoint("http://one/v1"), budget=Budget(usd=1.0))


def test_an_endpoint_that_fails_again_and_again_is_left_alone():
    requests = [(SOURCE, f"prompt {n}") for n in range(40)]
    with ChatServer(lambda _: error(403, "no")) as server:
        edits = ask(server.url, *requests, fields={"concurrency": 1})
    outcomes = [edit.outcome for edit in edits]
    assert outcomes == ["failed"] * 20 + ["not_asked"] * 20 and len(server.log) == 20


def test_a_key_shows_nowhere(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("PAINTER_KEY", KEY)

    def indiscreet(asked):
        return error(int(form(asked).fields["prompt"]), f"bad {asked.headers['authorization']}", "moderation_blocked")

    caplog.set_level("DEBUG")
    with ChatServer(indiscreet) as server:
        fields = {"api_key_env": "PAINTER_KEY"}
        edits = ask(server.url, (SOURCE, "400"), (SOURCE, "500"), (SOURCE, "403"), journal=tmp_path, fields=fields)
    assert sorted(edit.outcome for edit in edits) == ["failed", "refused", "refused"]
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in f"{edits}{caplog.text}" and KEY.encode() not in written
    assert all("[key removed]" in edit.reason for edit in edits)


def test_a_missing_key_is_said_before_anything_is_asked(monkeypatch):
    monkeypatch.delenv("PAINTER_KEY", raising=False)
    with pytest.raises(KeyProblem, match="PAINTER_KEY"):
        ImageEditor(endpoint("http://one/v1", api_key_env="PAINTER_KEY"))


def test_what_is_not_an_image_is_not_sent():
    with ChatServer(idle) as server, pytest.raises(BadImage):
        ask(server.url, (b"no image", "p"))
    assert not server.log


def test_one_run_at_a_time_holds_a_journal_and_damaged_entries_are_asked_again(tmp_path):
    with ImageJournal(tmp_path), pytest.raises(StoreError, match="another run"), ImageJournal(tmp_path):
        pass
    with ChatServer(painted) as server:
        ask(server.url, (SOURCE, "p"), journal=tmp_path)
        (file,) = tmp_path.rglob("*.edit")
        for damaged in (file.read_bytes()[:-9], b"", b"{}\n", b"[1]\n", b"\xff\n", b'{"came": "image"}\nx'):
            file.write_bytes(damaged)
            (edit,) = ask(server.url, (SOURCE, "p"), journal=tmp_path)
            assert edit.outcome == "edited" and not edit.cached
        (edit,) = ask(server.url, (SOURCE, "p"), journal=tmp_path)
    assert edit.cached and len(server.log) == 7
