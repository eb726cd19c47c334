"""The fingerprint changes with everything that can change an answer, and with nothing else."""

from __future__ import annotations

import json

import pytest

from diffbench_assets.models.requests import Call, build_body, prepare
from diffbench_assets_tests.models.helpers import AFTER, BEFORE, endpoint, pair_call

URL = "http://127.0.0.1:1/v1"
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}}


def fingerprint(call: Call | None = None, **fields: object) -> str:
    return prepare(endpoint(URL, **fields), call or pair_call("a")).request_sha256


def body(call: Call, **fields: object) -> dict[str, object]:
    model = endpoint(URL, **fields)
    return json.loads(build_body(model, prepare(model, call)))


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "other"},
        {"model": "other"},
        {"snapshot": "2026-01-01"},
        {"image_detail": "high"},
        {"sampling": {"temperature": 0.1}},
        {"sampling": {"temperature": None}},
        {"sampling": {"max_tokens": 99}},
        {"sampling": {"max_tokens_name": "max_completion_tokens"}},
        {"sampling": {"extra": {"reasoning_effort": "high"}}},
    ],
    ids=str,
)
def test_each_parameter_that_can_change_an_answer_changes_the_fingerprint(fields):
    assert fingerprint(**fields) != fingerprint()


@pytest.mark.parametrize(
    "fields",
    [
        {"endpoint": "http://127.0.0.1:2/v1"},
        {"api_key_env": "SOME_KEY"},
        {"concurrency": 32},
        {"requests_per_minute": 9},
        {"tokens_per_minute": 9},
        {"timeout_s": 9},
        {"usd_per_million_tokens": {"input": 1, "output": 1}},
        {"retired": True},
        {"facts": {"family": "any"}},
        {"model": "loopback"},
        {"sampling": {"temperature": 0, "max_tokens": 16384}},
        {"json_schema": True},
    ],
    ids=str,
)
def test_what_cannot_change_an_answer_leaves_the_fingerprint_alone(fields):
    assert fingerprint(**fields) == fingerprint()


def test_every_single_byte_of_an_image_counts():
    text = "item=a What changed?"
    seen = {fingerprint(Call("a", (text, BEFORE, AFTER)))}
    for position in range(24, len(AFTER)):
        changed = bytearray(AFTER)
        changed[position] ^= 1
        seen.add(fingerprint(Call("a", (text, BEFORE, bytes(changed)))))
    assert len(seen) == len(AFTER) - 24 + 1


def test_order_prompt_repeat_and_schema_count_but_the_item_id_does_not():
    text, base = "item=a What changed?", fingerprint()
    others = [
        Call("a", (text, AFTER, BEFORE)),
        Call("a", (text + " ", BEFORE, AFTER)),
        Call("a", (BEFORE, AFTER, text)),
        Call("a", (text[:4], text[4:], BEFORE, AFTER)),
        pair_call("a", repeat=1),
    ]
    assert len({base, *map(fingerprint, others)}) == 1 + len(others)
    assert fingerprint(Call("other id", (text, BEFORE, AFTER))) == base
    with_schema = pair_call("a", response_schema=SCHEMA)
    assert fingerprint(with_schema, json_schema=True) != base
    assert fingerprint(with_schema, json_schema=False) == base, "it is not sent, so it cannot count"


def test_the_body_is_the_json_that_endpoints_expect():
    sent = body(
        Call("a", ('First „quoted"\n', BEFORE, "second", AFTER), response_schema=SCHEMA),
        image_detail="high",
        json_schema=True,
        model="vendor/name",
        sampling={"max_tokens_name": "max_completion_tokens", "extra": {"reasoning": {"effort": "low"}}},
    )
    content = sent.pop("messages")[0]["content"]
    assert sent == {
        "model": "vendor/name",
        "temperature": 0.0,
        "max_completion_tokens": 16384,
        "reasoning": {"effort": "low"},
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
    }
    assert [part["type"] for part in content] == ["text", "image_url", "text", "image_url"]
    assert content[0]["text"] == 'First „quoted"\n'
    assert {part["image_url"]["detail"] for part in content if "image_url" in part} == {"high"}


def test_detail_is_left_out_unless_it_is_set_and_null_parameters_are_too():
    sent = body(pair_call("a"), sampling={"temperature": None, "max_tokens": None})
    assert sent.keys() == {"model", "messages"}
    assert "detail" not in sent["messages"][0]["content"][1]["image_url"]


def test_a_call_without_images_is_plain_text():
    sent = body(Call("a", ("one ", "two")), image_detail="high")
    assert sent["messages"] == [{"role": "user", "content": "one two"}]
    assert prepare(endpoint(URL), Call("a", ("one ",))).image_sha256 is None


def test_size_and_hashes_of_the_images_are_recorded():
    request = prepare(endpoint(URL, image_detail="low"), pair_call("a"))
    assert (request.image_size, request.image_detail) == ("8x6 8x6", "low")
    assert [len(digest) for digest in request.image_sha256.split()] == [64, 64]


@pytest.mark.parametrize("image", [b"", b"\xff\xd8\xff JPEG", BEFORE[:20]])
def test_what_is_no_png_is_refused_by_name(image):
    with pytest.raises(ValueError, match="item pair-7: image 2 is not a PNG"):
        prepare(endpoint(URL), Call("pair-7", ("?", BEFORE, image)))
