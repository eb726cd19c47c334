"""Replies that are one JSON value are read however they are wrapped, and no others."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.models.prompting.json_reply import Unparseable, json_value, unfenced

VALUE = {"verdict": "wrong", "why": "// no comment ``` \ufeff\nhere"}
TEXT = json.dumps(VALUE, indent=1)

PREAMBLES = [
    "", "\ufeff", "\n\n", " \t\r\n", "// a verdict\n", "// one\r\n// two\r\n", "\r// old\r", "/* a\n* verdict */",
    "/**/", ": OPENROUTER PROCESSING\n\n", "\ufeff: one\n\n: two\r\n",
]  # fmt: skip
FENCES = [
    "{}", "```\n{}\n```", "```json\n{}\n```", "```JSON \r\n{}\r\n```", "```jsonc\n{}\n  ```", "~~~ json\n{}\n~~~",
    "````\r{}\r````",
]  # fmt: skip


@pytest.mark.parametrize("fence", FENCES)
def test_what_stands_before_and_around_json_is_no_part_of_it(fence: str) -> None:
    texts = TEXT, TEXT.replace("\n", "\r\n"), json.dumps(VALUE, ensure_ascii=False)
    for outside, inside, text in itertools.product(PREAMBLES, PREAMBLES, texts):
        assert json_value(outside + fence.replace("{}", inside + text) + " \r\n") == VALUE


@pytest.mark.parametrize(
    "reply",
    [
        "", "\ufeff", "// only a comment", "/* never closed {}", "Here it is:\n{}", "# Verdict\n{}", "{} // after it",
        "{}\n/* after */", "{} {}", '{"a": /* inside */ 1}', "```json\n{}", "{}\n```", "```json {} ```", "```\n{}\n~~~",
        "```python\n{}\n```", "```\n{}\n```\nThat is all.", "So:\n```\n{}\n```", "```\n{}\n```\n```\n{}\n```",
        "````\n{}\n```", "{'a': 1}", "{a: 1}", "{,}", '{"a": 1,}', '{"a": 1, "a": 2}', '{"a": NaN}',
        '{"a": -Infinity}', "/", "//", "/*/ {}", ":",
    ],
)  # fmt: skip
def test_anything_else_cannot_be_read(reply: str) -> None:
    with pytest.raises(Unparseable):
        json_value(reply)


@given(st.text('`~json{}[]:/*\ufeff\r\n \t1"', max_size=40))
def test_what_is_read_is_json_of_the_reply_itself(reply: str) -> None:
    try:
        value = json_value(reply)
    except Unparseable:
        return
    assert unfenced(reply) in reply and json.loads(unfenced(reply)) == value


@pytest.mark.parametrize(
    "text", ["/*" * 100_000, " " * 300_000 + "x", "```\n" + " " * 300_000 + "```", "//\n" * 100_000, "/**/" * 50_000]
)
def test_hostile_lengths(text: str) -> None:
    with pytest.raises(Unparseable):
        json_value(text)
