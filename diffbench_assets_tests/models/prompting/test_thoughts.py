"""Thoughts are told from answers whatever marks a model puts around them, and nothing else is touched."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.models.prompting.thoughts import spoken

PAIRS = [
    ("<think>", "</think>"),
    ("<THINK>", "</THINK>"),
    ("<think >", "</ think>"),
    ("< think >", "< / think >"),
    ('<think time="3 s" depth=2>', "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thought_process>", "</thought_process>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("＜think＞", "＜/think＞"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    ("<think>", "<\\/think>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("<｜channel｜>analysis<｜message｜>", "<｜end｜><｜start｜>assistant<｜channel｜>final<｜message｜>"),
    ("<|channel|>commentary to=f<|constrain|>json<|message|>", "<|call|><|start|>assistant<|channel|>final<|message|>"),
]


@pytest.mark.parametrize(("opens", "closes"), PAIRS, ids=[opens.strip() for opens, _ in PAIRS])
def test_what_stands_in_marks_is_no_answer(opens: str, closes: str) -> None:
    assert spoken(f"{opens}Is it A?{closes}\n\nThe logo.") == ("Is it A?", "The logo.")
    assert spoken(f"Is it A?{closes}The logo.") == ("Is it A?", "The logo.")
    assert spoken(f"{opens}Is it A?") == ("Is it A?", "")
    assert spoken(f"The logo.\n{opens}Is it A?") == ("Is it A?", "The logo.")
    assert spoken(opens + closes) == ("", "")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<think>a<think>b</think>c</think>d", ("a\nb\nc", "d")),
        ("<think>a<think>b</think>c", ("a\nb\nc", "")),
        ("<think>a</think>b<think>c</think>d", ("a\nc", "b\nd")),
        ("a</think>b</think>c", ("a\nb", "c")),
        ("<think>a [/THINK]b", ("a", "b")),
        ("<think/>b", ("", "b")),
        ("analysisLet me see.assistantcommentaryHm.assistantfinalThe logo.", ("analysisLet me see.\nHm.", "The logo.")),
        ("analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>", ("analysis\na", "b")),
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b", ("a\nb", "")),
        ("<|channel|>final<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", ("a", "b")),
        ("<|channel|>thought\na<|channel|>The logo.", ("a", "The logo.")),
        ("Steps.\n[BEGIN FINAL RESPONSE]b[END FINAL RESPONSE]", ("Steps.", "b")),
        ("<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>b<|END_RESPONSE|>", ("a", "b")),
        ("<|begin_of_thought|>a<|end_of_thought|><|begin_of_solution|>b<|end_of_solution|>", ("a", "b")),
    ],
)
def test_marks_in_other_orders(text: str, parts: tuple[str, str]) -> None:
    assert spoken(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "",
        " I think, therefore I am.\n",
        "The <b>thinking</b> cap; a < think; [thought]; <thinker>; <!-- think -->",
        'The heading reads "Think".',
        "The assistant final answer is analysis.",
        "<|im_start|>B<|im_end|>",
    ],
)
def test_text_without_marks_stays_as_it_is(text: str) -> None:
    assert spoken(text) == ("", text)


PLAIN = st.text("xyz .\n", max_size=20)
THOUGHT = st.text("PQR .\n", max_size=20)
BLOCK = st.tuples(st.sampled_from(PAIRS), THOUGHT, PLAIN).map(
    lambda drawn: f"{drawn[0][0]}{drawn[1]}{drawn[0][1]}{drawn[2]}"
)


@given(st.text(st.characters(exclude_characters="<[◁＜&"), max_size=300).filter(lambda text: "assistant" not in text))
def test_no_mark_no_change(text: str) -> None:
    assert spoken(text) == ("", text)


@given(PLAIN, st.lists(BLOCK, min_size=1, max_size=4), st.sampled_from(["", *(opens for opens, _ in PAIRS)]), THOUGHT)
def test_no_thought_reaches_the_answer(before: str, blocks: list[str], opens: str, rest: str) -> None:
    answer = spoken(before + "".join(blocks) + opens + (rest if opens else "")).answer
    assert set(answer) <= set("xyz .\n")


PIECES = st.sampled_from([*(mark for pair in PAIRS for mark in pair), "<", "think", ">", "[", "]", "/", " ", "\n", "a",
                          "|", "<|", "|>", "channel", "final", "assistant", "<|end|>", "&lt;"])  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_an_answer_holds_no_marks_and_both_parts_come_from_the_text(text: str) -> None:
    thought, answer = spoken(text)
    assert spoken(answer) == ("", answer)
    assert len(thought) + len(answer) <= len(text) + 1
    assert set(thought + answer) <= set(text) | {"\n"}


@pytest.mark.parametrize("text", ["<" * 300_000, "<think>" * 9_000, "[think" * 9_000, "< " * 90_000, "<think " * 50_000,
                                  "</think>" * 50_000, "<|channel|>" * 30_000, "<" + " " * 300_000])  # fmt: skip
def test_hostile_lengths_take_a_second_at_most(text: str) -> None:
    start = time.process_time()
    spoken(text)
    assert time.process_time() - start < 2
