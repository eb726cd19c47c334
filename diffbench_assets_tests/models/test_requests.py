"""The fingerprint changes with everything that can change an answer, and with nothing else."""

from __future__ import annotations

import json

import pytest

from diffbench_assets.models.clients import client_of
from diffbench_assets.models.clients.chat import build_body, prepare_chat
from diffbench_assets.models.registry import BaselineModel, EndpointModel
from diffbench_assets.models.requests import Call
from diffbench_assets_tests.models.helpers import AFTER, BEFORE, endpoint, pair_call

URL = "http://127.0.0.1:1/v1"
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}}


def fingerprint(call: Call | None = None, **fields: object) -> str:
    return prepare_chat(endpoint(URL, **fields), call or pair_call("a")).request_sha256


def body(call: Call, **fields: object) -> dict[str, object]:
    model = endpoint(URL, **fields)
    return json.loads(build_body(model, prepare_chat(model, call)))


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
    assert prepare_chat(endpoint(URL), Call("a", ("one ",))).image_sha256 is None


def test_size_and_hashes_of_the_images_are_recorded():
    request = prepare_chat(endpoint(URL, image_detail="low"), pair_call("a"))
    assert (request.image_size, request.image_detail) == ("8x6 8x6", "low")
    assert [len(digest) for digest in request.image_sha256.split()] == [64, 64]


@pytest.mark.parametrize("image", [b"", b"\xff\xd8\xff JPEG", BEFORE[:20]])
def test_what_is_no_png_is_refused_by_name(image):
    with pytest.raises(ValueError, match="item pair-7: image 2 is not a PNG"):
        prepare_chat(endpoint(URL), Call("pair-7", ("?", BEFORE, image)))


PIXELS = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x02\x00\x00\x00\x01\x08\x02\x00\x00\x00{@\xe8\xdd"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)
EDIT = Call("a", (PIXELS, "make it darker"))
QUESTION = Call("a", ("What changed?", PIXELS), 2, {"type": "object"})
FULL = EndpointModel.model_validate(
    {
        "id": "m", "endpoint": URL, "model": "vendor/name", "snapshot": "2026-01-01", "image_detail": "high",
        "json_schema": True, "sampling": {"temperature": 0.5, "extra": {"seed": 1}},
    }
)  # fmt: skip
PLAIN = EndpointModel(id="m", endpoint=URL)
BASELINE = BaselineModel(id="b", baseline="pixel_diff")
EDITOR = FULL.model_copy(update={"client": "image_edit"})


@pytest.mark.parametrize(
    ("model", "call", "sha256"),
    [
        (FULL, QUESTION, "c37ee1761a6f341b05d84f3b32819a461e4aaa1fa69b9eca23576537565ba5ec"),
        (FULL, Call("a", ("one ",)), "48b7994ddc786262c15497a85669ba4bc0bcabcb023144f14d4acab3d033c579"),
        (PLAIN, Call("a", ("one ",)), "be7b2c5e9b9f1899d8ddf8afd6cfdd0058987c982f6c05303cadb2049e052bdb"),
        (BASELINE, QUESTION, "bcdb21111d7b18891cb99f6830527bbd9a6aed7d13c039711af169407a8f3aa9"),
        (EDITOR, EDIT, "d049cfefe9eff0c60d15f8bf894f1a5d24993cb5f453799291873184d3d8aa5b"),
    ],
    ids=["all fields", "text", "defaults", "baseline", "image edit"],
)  # fmt: skip
def test_fingerprints_are_those_of_journals_that_users_have(model, call, sha256):
    client = client_of(model, baselines={"pixel_diff": lambda call: ""})
    assert client.prepare(call).request_sha256 == sha256


def test_what_a_call_says_as_the_system_is_sent_so_and_counts():
    call = pair_call("a", system="You are „careful“.")
    assert fingerprint(call) not in {fingerprint(), fingerprint(pair_call("a", system=""))}
    first, second = body(call)["messages"]
    assert first == {"role": "system", "content": "You are „careful“."} and second["role"] == "user"
    assert second["content"] == body(pair_call("a"))["messages"][0]["content"]


def test_a_call_can_set_sampling_and_what_it_leaves_out_is_the_models_own():
    own = {"temperature": 0.2, "max_tokens": 99, "extra": {"seed": 1, "top_p": 0.5}}
    sent = body(pair_call("a", sampling={"temperature": 1.0, "top_p": 0.9}), sampling=own)
    del sent["messages"]
    assert sent == {"model": "loopback", "temperature": 1.0, "max_tokens": 99, "seed": 1, "top_p": 0.9}
    named = body(pair_call("a", sampling={"max_tokens": 7}), sampling={"max_tokens_name": "max_completion_tokens"})
    assert named["max_completion_tokens"] == 7 and "max_tokens" not in named


def test_sampling_of_a_call_counts_by_what_is_sent():
    warm = pair_call("a", sampling={"temperature": 0.7})
    assert fingerprint(warm) == fingerprint(sampling={"temperature": 0.7}) != fingerprint()
    assert fingerprint(pair_call("a", sampling={"temperature": 0.0})) == fingerprint()


def test_a_parameter_that_a_model_does_not_take_is_not_sent_whatever_a_call_asks():
    call = pair_call("a", sampling={"temperature": 0.7, "max_tokens": 9})
    null = {"temperature": None, "max_tokens": None}
    assert body(call, sampling=null).keys() == {"model", "messages"}
    assert fingerprint(call, sampling=null) == fingerprint(sampling=null)


@pytest.mark.parametrize("parts", [("p",), (BEFORE,), ("p", BEFORE), (BEFORE, AFTER, "p"), (BEFORE, "p", "q")])
def test_an_edit_is_asked_with_one_image_and_one_prompt(parts):
    with pytest.raises(ValueError, match="item pair-7: an edit is asked with"):
        client_of(EDITOR).prepare(Call("pair-7", parts))
