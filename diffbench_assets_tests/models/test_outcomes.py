"""What a body of a chat endpoint becomes: whatever providers call an end, a limit, moderation or an interruption."""

from __future__ import annotations

import json
from typing import Any

import pytest

from diffbench_assets.models.clients.chat import FINISH_REASONS, read_completion
from diffbench_assets.models.failures import Failure, failure_of
from diffbench_assets.models.keys import Key
from diffbench_assets.models.registry import Price
from diffbench_assets.models.replies import Answer
from diffbench_assets_tests.models.chat_server import completion

KEY = Key(None)
PRICE = Price(input=1.0, output=1.0)


def read(body: bytes) -> Answer:
    return read_completion(body, KEY, PRICE)


def outcome(body: bytes, status: int = 200) -> str:
    """The outcome, or the kind of failure."""
    try:
        return read(body).outcome if status == 200 else failure_of(status, body, KEY, None).kind
    except Failure as failure:
        return failure.kind


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        ("stop STOP eos eos_token end_turn stop_sequence", "completed"),
        ("length max_tokens MAX_TOKENS model_length model_context_window_exceeded max-output-tokens", "truncated"),
        ("content_filter content-filter ContentFilter SAFETY sensitive refusal PROHIBITED_CONTENT", "refused"),
        (
            "abort insufficient_system_resource error network_error cancelled MALFORMED_RESPONSE OTHER pause_turn",
            "transient",
        ),
        ("", "transient"),
    ],
)
def test_each_finish_reason_has_its_outcome(reasons: str, expected: str) -> None:
    for reason in reasons.split() or [reasons]:
        assert outcome(completion("The heading moved", reason).body) == expected, reason


@pytest.mark.parametrize("reason", [None, 1, {"type": "stop"}, ["stop"], "gone fishing", "stop?no", "unstop"])
def test_an_odd_finish_reason_never_completes_an_answer(reason: Any) -> None:
    assert outcome(completion("The heading moved", reason).body) == "transient"


def test_what_follows_a_colon_is_a_detail() -> None:
    assert outcome(completion("The", "content_filter: RECITATION").body) == "refused"
    assert set(FINISH_REASONS.values()) == {"completed", "truncated", "refused"}


REFUSED_BODIES = [
    {"choices": [{"index": 0, "message": None, "finish_reason": "content_filter"}]},
    {"choices": [{"index": 0, "finish_reason": "content_filter"}]},
    {"choices": [], "prompt_filter_results": [{"content_filter_results": {"violence": {"filtered": True}}}]},
    {"choices": None, "input_sensitive": True},
    {"choices": [{"message": {"content": ""}, "finish_reason": "stop", "filter_results": {"a": {"filtered": True}}}]},
    {"error": {"code": "content_filter", "message": "no"}},
    {"error": {"code": 403, "message": "x requires moderation. Your input was flagged for violence."}},
    {"choices": [{"error": {"code": 400, "message": "Content violates usage guidelines."}}]},
]  # fmt: skip


@pytest.mark.parametrize("body", REFUSED_BODIES, ids=json.dumps)
def test_moderation_without_an_answer_is_a_refusal(body: dict[str, Any]) -> None:
    assert outcome(json.dumps(body).encode()) == "refused"


def test_an_answer_that_is_there_is_one_whatever_filters_say() -> None:
    assert outcome(completion("The heading moved", prompt_filter_results=[{"filtered": True}]).body) == "completed"


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"code": "data_inspection_failed", "message": "Input text data may contain inappropriate content."}),
        (400, {"code": "DataInspectionFailed", "message": "no"}),
        (400, {"type": "invalid_request_error", "code": "invalid_prompt", "message": "Invalid prompt"}),
        (400, {"type": "invalid_request_error", "message": "Output blocked by content filtering policy"}),
        (400, {"message": "Your request was rejected as a result of our safety system."}),
        (400, {"message": "The request was rejected because it was considered high risk"}),
        (400, {"code": "1301", "message": "系统检测到输入或生成内容可能包含不安全或敏感内容"}),
        (400, {"code": "InputTextSensitiveContentDetected", "message": "no"}),
        (400, {"innererror": {"content_filter_result": {"hate": {"filtered": True}}}, "message": "no"}),
        (403, {"code": 403, "message": "Your input was flagged", "metadata": {"reasons": ["violence"]}}),
        (403, {"code": 403, "message": "no", "metadata": {"flagged_input": "x"}}),
        (451, {"type": "censorship_blocked", "message": "no"}),
    ],
)
def test_moderation_by_status_is_a_refusal(status: int, error: dict[str, Any]) -> None:
    for body in ({"error": error}, [{"error": error}], error):
        assert outcome(json.dumps(body).encode(), status) == "refused"


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (403, "The key may not use this model", "fatal"),
        (403, "Your account was flagged and is suspended", "fatal"),
        (400, "At most 1 image(s) may be provided in one request.", "fatal"),
        (400, "Model names are case sensitive", "fatal"),
        (400, "Unknown field safety_settings", "fatal"),
        (401, "Your input was flagged", "fatal"),
        (429, "This prompt is rate limited by content policy", "rate_limit"),
        (500, "Your input was flagged", "transient"),
    ],
)
def test_other_failures_are_no_refusals(status: int, message: str, kind: str) -> None:
    assert outcome(json.dumps({"error": {"message": message}}).encode(), status) == kind


@pytest.mark.parametrize(
    ("text", "message", "expected"),
    [
        ("<think>Is it B?</think>A", {}, ("completed", "A", "<think>Is it B?</think>A")),
        ("Is it B?</think>A", {}, ("completed", "A", "Is it B?</think>A")),
        ("A", {"reasoning_content": "Is it B?"}, ("completed", "A", "Is it B?")),
        ("A", {"reasoning": "Is it B?"}, ("completed", "A", "Is it B?")),
        ("<think>So A</think>A", {"reasoning": "B?"}, ("completed", "A", "B?\n\n<think>So A</think>A")),
        ("<think>Is it B?", {}, ("empty", None, "<think>Is it B?")),
        (None, {"reasoning_content": "Is it B?"}, ("empty", None, "Is it B?")),
        ("A", {}, ("completed", "A", None)),
    ],
)
def test_thoughts_are_no_part_of_an_answer_and_are_kept(text: Any, message: Any, expected: tuple[Any, ...]) -> None:
    answer = read(completion(text, message=message).body)
    assert (answer.outcome, answer.text, answer.thought) == expected
    cut = read(completion(text, "length", message=message).body)
    assert (cut.outcome, cut.text, cut.thought) == ("truncated", *expected[1:])


@pytest.mark.parametrize(
    ("prompt", "written", "total", "reasoning", "counted"),
    [
        (32, 9, 135, 94, 103),
        (100, 20, 120, 15, 20),
        (100, 20, 120, None, 20),
        (100, 20, 150, None, 50),
        (100, 20, 150, 10, 30),
        (100, 20, 125, 15, 25),
        (100, 20, 150, 0, 20),
        (100, 20, 90, 15, 20),
        (100, 20, None, 15, 20),
        (None, 20, 120, 15, 20),
    ],
)
def test_reasoning_that_only_the_total_tells_of_is_paid_for(
    prompt: Any, written: int, total: Any, reasoning: Any, counted: int
) -> None:
    usage = {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": total}
    answer = read(completion(usage=usage | {"completion_tokens_details": {"reasoning_tokens": reasoning}}).body)
    assert (answer.output_tokens, answer.reasoning_tokens) == (counted, reasoning)
    assert answer.cost_usd == (None if prompt is None else pytest.approx((prompt + counted) / 1e6))


@pytest.mark.parametrize(
    "before", ["\ufeff", "\n\n", ": OPENROUTER PROCESSING\n\n", "\ufeff: one\n: two\r\n", "// hello\n"]
)
def test_what_stands_before_json_is_no_part_of_it(before: str) -> None:
    assert outcome(before.encode() + completion("It grew.").body) == "completed"
    refusal = json.dumps({"error": {"code": "content_filter", "message": "no"}})
    assert outcome(before.encode() + refusal.encode(), 400) == "refused"
