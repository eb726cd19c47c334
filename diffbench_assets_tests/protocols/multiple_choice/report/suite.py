"""A small made-up multiple-choice suite with real tiny images: what the tests of its report are written against.

Belongs here: tables of the real schemas. Does not belong here: expectations.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pyarrow as pa

from diffbench_assets.protocols.multiple_choice.results import MultipleChoiceTables, compute_choice_tables
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS, VERDICTS
from diffbench_assets.schemas import PAIRS, RESPONSES
from diffbench_assets_tests.protocols.multiple_choice.statistics.synthetic import (
    LETTERS,
    pair,
    question,
    response,
    rotated,
    verdict,
)
from diffbench_assets_tests.protocols.open_ended.report.suite import BOX, screenshot

SUBJECTS = ("The red kite", "The tree on the left", "The sign above the door", "The cyclist in front")
CHANGES = {
    "position": "is further to the left", "motion": "is turned clockwise", "regional_color": "is blue instead of red",
    "whole_color": "has a more bluish tint", "appearance": "has been removed", "noise": "is grainier",
    "texture": "has softer surface detail", "substitution": "is larger", "ocr": "reads “OPEM” instead of “OPEN”",
    "illumination": "is brighter throughout", "no_diff": "is higher up",
}  # fmt: skip
WHOLE = ("whole_color", "noise", "texture", "illumination")


def pictured(pair_id: str, category: str, look: int = 0, **columns: object) -> dict[str, Any]:
    """One row of pairs with two little images; local changes have a box."""
    changed = category != "no_diff"
    target = {"tag": "button", "role": "button", "text": "Start", "location": "right"}
    difference = {"kind": category, "target": target, "box": None if category in WHOLE else BOX}
    images = {
        name: {"bytes": screenshot(look, changed and name == "image_after"), "path": f"{pair_id}-{name}.png"}
        for name in ("image_before", "image_after")
    }
    return pair(pair_id, category, differences=[difference] if changed else [], **images) | columns


def worded(row: dict[str, Any]) -> dict[str, Any]:
    """`row` with statements that read like those of the benchmark, and where the false ones come from."""
    random = Random(row["question_id"])
    subjects = random.sample(SUBJECTS, 4)
    options = {}
    for letter, subject in zip(LETTERS, subjects, strict=True):
        options[letter] = f"{subject} {CHANGES[row['category']]}."
    options[row["no_difference_label"]] = "Image A and image B are the same."
    false = [letter for letter in LETTERS if letter not in (row["answer"], row["no_difference_label"])]
    distractors = [
        {"text": options[letter], "strategy": "another_subject", "origin": "programmatic"} for letter in false
    ]
    return row | {"options": options, "distractors": distractors, "order": random.choice(("forward", "backward"))}


def rows(
    models: Sequence[str], per_category: int = 4, identical: int = 4, circular: bool = True, two_each: bool = True
) -> tuple[list[dict], list[dict], list[dict], list[dict]]:
    """(pairs, questions, responses, verdicts): later models are better, low-level changes are often missed, one
    answer in sixty is invalid and one in ninety cut short."""
    categories = [name for name in CHANGES for _ in range(identical if name == "no_diff" else per_category)]
    pairs, questions = [], []
    for i, name in enumerate(categories):
        pairs.append(pictured(f"{i:03d}", name, i % 8, domain=("street", "indoor")[i % 2]))
        for k in range(1 + (two_each and i % 5 == 0)):
            row = worded(question(f"q{i:03d}{'ab'[k]}", f"{i:03d}", name, i + k))
            questions += [row, *(rotated(row, r) for r in (1, 2, 3) if circular and i % 4 == 0)]
    responses, verdicts = [], []
    for m, model in enumerate(models):
        for row in questions:
            random = Random(f"{model} {row['question_id']}")
            skill = (m + 1) / (len(models) + 1) - (0.3 if row["category"] in WHOLE else 0)
            guess = row["no_difference_label"] if random.random() < 0.5 else random.choice(LETTERS)
            choice: str | None = row["answer"] if random.random() < skill else guess
            luck = random.random()
            choice = None if luck < 0.011 else "invalid" if luck < 0.028 else choice
            text = {None: "The", "invalid": "I cannot decide between the options."}.get(choice, f"{choice}.")
            numbers = {"input_tokens": 2000, "output_tokens": 3, "cost_usd": 0.0004 * (m + 1), "latency_s": 1 + m}
            responses.append(response(row, model, "completed" if choice else "truncated", text=text, **numbers))
            verdicts.append(verdict(row, model, choice))
    return pairs, questions, responses, verdicts


def blind_rows(passed: bool = True) -> list[dict[str, Any]]:
    parts = (("overall", "all", 0.35), ("cell", "noise", 0.31), ("cell", "position", 0.33 if passed else 0.61))
    return [
        {
            "suite": "lowlevel_mcq", "slice": name, "slice_value": value, "reader": "text_model", "accuracy": accuracy,
            "ci_low": accuracy - 0.05, "ci_high": accuracy + 0.05, "chance": 1 / 3, "n": 40,
            "p_value": 0.4 if accuracy < 0.5 else 1e-6, "passed": accuracy < 0.5,
        }
        for name, value, accuracy in parts
    ]  # fmt: skip


def choice_tables(
    pairs: list[dict], questions: list[dict], responses: list[dict], verdicts: list[dict], **options: Any
) -> MultipleChoiceTables:
    """Tables of these rows with every result table computed; few replicates, for speed."""
    tables = (
        pa.Table.from_pylist(pairs, schema=PAIRS.schema),
        pa.Table.from_pylist(questions, schema=QUESTIONS.schema),
        pa.Table.from_pylist(responses, schema=RESPONSES.schema),
        pa.Table.from_pylist(verdicts, schema=VERDICTS.schema),
    )
    return compute_choice_tables(*tables, **({"replicates": 50} | options))
