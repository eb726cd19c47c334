"""Made-up multiple-choice suites for tests: tables of the real schemas, invented models.

Belongs here: rows and whole suites. Does not belong here: expectations.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from diffbench_assets.protocols.multiple_choice.statistics.choices import Choices, place_choices
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS, VERDICTS
from diffbench_assets.schemas import PAIRS, RESPONSES

COUNTS = {
    "position": 158, "motion": 138, "regional_color": 170, "whole_color": 147, "appearance": 201, "noise": 150,
    "texture": 177, "substitution": 199, "ocr": 221, "illumination": 195,
}  # fmt: skip
"""Questions by category (VDiff-Bench table 1)."""

GROUPS = {
    "position": "semantic", "motion": "semantic", "regional_color": "semantic", "appearance": "semantic",
    "substitution": "semantic", "whole_color": "low_level", "noise": "low_level", "texture": "low_level",
    "illumination": "low_level", "ocr": "ocr", "no_diff": "no_diff",
}  # fmt: skip
LETTERS = "ABCD"
PAIR_SCHEMA = pa.schema([field for field in PAIRS.schema if not field.name.startswith("image_")])
Tables = tuple[pa.Table, pa.Table, pa.Table, pa.Table]


def pair(pair_id: str, cell: str, **columns: object) -> dict:
    row = {"pair_id": pair_id, "suite": "lowlevel_mcq", "cell": cell, "page_id": f"image-{pair_id}"}
    return row | {"differences": [], "tier": None} | columns


def question(question_id: str, pair_id: str, category: str, place: int = 0, **columns: object) -> dict:
    """The right statement at letter `place` mod 4, "no difference" at the next (or the same, for no_diff)."""
    answer = LETTERS[place % 4]
    none = answer if category == "no_diff" else LETTERS[(place + 1) % 4]
    words = {letter: f"{question_id}: statement {(i - place) % 4}" for i, letter in enumerate(LETTERS)}
    return {
        "question_id": question_id, "suite": "lowlevel_mcq", "cell": category, "pair_id": pair_id,
        "category": category, "group": GROUPS[category], "order": "forward", "rotation": 0, "origin_id": question_id,
        "options": words | {none: "Nothing differs."}, "answer": answer, "no_difference_label": none,
        "distractors": [],
    } | columns  # fmt: skip


def rotated(row: dict, rotation: int) -> dict:
    """A copy of a question with its options `rotation` letters further."""

    def turn(letter: str) -> str:
        return LETTERS[(LETTERS.index(letter) + rotation) % 4]

    return row | {
        "question_id": f"{row['question_id']}~{rotation}", "rotation": rotation,
        "options": {turn(letter): words for letter, words in row["options"].items()},
        "answer": turn(row["answer"]), "no_difference_label": turn(row["no_difference_label"]),
    }  # fmt: skip


def response(row: dict, model: str, outcome: str = "completed", **columns: object) -> dict:
    named = {"item_id": row["question_id"], "pair_id": row["pair_id"], "cell": row["cell"], "model": model}
    return named | {"protocol": "multiple_choice", "outcome": outcome} | columns


def verdict(row: dict, model: str, choice: str | None, **columns: object) -> dict:
    """What exact scoring says of `choice`; None is an answer that could not be scored."""
    named = {"item_id": row["question_id"], "pair_id": row["pair_id"], "cell": row["cell"], "model": model}
    named |= {"judge": "exact", "choice": choice}
    if choice is None:
        return named | {"unscored_reason": "no complete answer"} | columns
    if choice == row["answer"]:
        return named | {"verdict": "correct"} | columns
    if choice == "invalid":
        kind = "invalid"
    elif row["answer"] == row["no_difference_label"]:
        kind = "false_alarm"
    else:
        kind = "missed_change" if choice == row["no_difference_label"] else "competing_change"
    return named | {"verdict": "wrong", "error_kind": kind} | columns


def answered(questions: Sequence[dict], choices: dict[str, Sequence[str | None]]) -> tuple[list[dict], list[dict]]:
    """(responses, verdicts) of every model: one choice a question, None for a call that was cut short."""
    responses, verdicts = [], []
    for model, letters in choices.items():
        for row, choice in zip(questions, letters, strict=True):
            responses.append(response(row, model, "completed" if choice else "truncated"))
            verdicts.append(verdict(row, model, choice))
    return responses, verdicts


def as_tables(pairs: list[dict], questions: list[dict], responses: list[dict], verdicts: list[dict]) -> Tables:
    return (
        pa.Table.from_pylist(pairs, schema=PAIR_SCHEMA),
        pa.Table.from_pylist(questions, schema=QUESTIONS.schema),
        pa.Table.from_pylist(responses, schema=RESPONSES.schema),
        pa.Table.from_pylist(verdicts, schema=VERDICTS.schema),
    )


def place(pairs: list[dict], questions: list[dict], responses: list[dict], verdicts: list[dict]) -> Choices:
    return place_choices(*as_tables(pairs, questions, responses, verdicts))


def suite(counts: dict[str, int] = COUNTS) -> tuple[list[dict], list[dict]]:
    """(pairs, questions), a question a pair, the right letter balanced within each category."""
    pairs, questions = [], []
    for category, count in counts.items():
        for i in range(count):
            pairs.append(pair(f"p-{category}-{i:03d}", category))
            questions.append(question(f"q-{category}-{i:03d}", f"p-{category}-{i:03d}", category, i))
    return pairs, questions


def benchmark(
    models: int, questions: int, pairs: int, identical: int = 0, circular: int = 0, seed: int = 0
) -> tuple[list[dict], list[dict], list[dict], list[dict]]:
    """(pairs, questions, responses, verdicts): several questions on some pairs, models of different skill, some answers
    invalid, cut short, missing or without a verdict; the first `circular` questions with all their rotations."""
    random = np.random.default_rng(seed)
    names = [*COUNTS]
    pair_rows = [
        pair(f"p{i:04d}", "no_diff" if i >= pairs - identical else names[i % 10],
             domain=f"domain-{i % 3}" if i % 5 else None)
        for i in range(pairs)
    ]  # fmt: skip
    rows = []
    for i in range(questions):
        of = pair_rows[i % pairs]
        rows.append(question(f"q{i:04d}", of["pair_id"], of["cell"], int(random.integers(4))))
    asked = rows + [rotated(row, r) for row in rows[:circular] for r in (1, 2, 3)]
    responses, verdicts = [], []
    for m in range(models):
        skill = (m + 1) / (models + 1)
        for row in asked:
            luck = random.random()
            choice: str | None = str(random.choice([*LETTERS, "invalid"]))
            choice = row["answer"] if random.random() < skill else choice
            numbers = {"input_tokens": int(random.integers(900, 1000)), "latency_s": float(random.random())}
            if luck < 0.005:
                continue
            outcome = "error" if luck < 0.01 else "completed"
            responses.append(response(row, f"model-{m:02d}", outcome, **numbers))
            if luck < 0.015:
                verdicts.append(verdict(row, f"model-{m:02d}", None))
            elif luck > 0.02:
                verdicts.append(verdict(row, f"model-{m:02d}", choice))
    return pair_rows, asked, responses, verdicts
