"""The gallery's data for multiple choice: every question with its pair, its options and what each model chose.

Belongs here: from tables to JSON values. Does not belong here: what all galleries share (`gallery.py`), escaping
(`page.py`), showing (`templates/choice.js`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from diffbench_assets.protocols.multiple_choice.prompt import question_prompt
from diffbench_assets.protocols.multiple_choice.statistics.choices import JUDGE, LETTERS, Choices, error_kinds
from diffbench_assets.report.gallery import BLOCK, RESPONSE_COLUMNS, answer, cut, difference, present
from diffbench_assets.report.images import GalleryImages
from diffbench_assets.report.look import ModelStyle
from diffbench_assets.statistics.scores import NO_DIFF

CODES = {
    "right": "c", "missed_change": "m", "competing_change": "x", "false_alarm": "f", "invalid": "i", "unscored": "u",
}  # fmt: skip
"""A letter for what becomes of an answer."""

_OF_PAIR = ("page_id", "differences")
_OF_QUESTION = (
    "pair_id", "cell", "group", "order", "options", "answer", "no_difference_label", "review", "domain", "style",
    "language",
)  # fmt: skip


def headings(choices: Choices) -> dict[str, Any]:
    """What the page calls the gallery, its items and filters; filters that would have one value are left out."""
    known = [name for name in ("group", "tier", "domain") if len(choices.questions[name].unique()) > 1]
    return {
        "heading": "Every question",
        "unit": "question",
        "filters": ("category", *known, "model", "verdict"),
        "placeholder": "in statements and answers",
        "images": "images",
    }


def gallery_order(choices: Choices) -> list[int]:
    """Rows of `choices.questions` in the order of the gallery: rotation 0 by category, identical pairs last."""
    category, ids = (choices.questions[name].to_pylist() for name in ("category", "question_id"))
    return sorted(choices.asked.tolist(), key=lambda q: (category[q] == NO_DIFF, category[q], ids[q]))


def choice_index(
    choices: Choices, order: list[int], styles: dict[str, ModelStyle], images: GalleryImages
) -> dict[str, Any]:
    """What the list and the filters need of every question, in `order`; `codes` has a string of CODES for each."""
    rows = choices.questions.take(pa.array(order, pa.int64())).to_pylist()
    letters = np.where(choices.right, CODES["right"], CODES["unscored"])
    for kind, found in error_kinds(choices.choice, choices.answer, choices.no_difference).items():
        letters[found] = CODES[kind]
    return {
        "models": [{"id": model, "color": styles[model].number} for model in choices.models],
        "judges": [JUDGE],
        "block": BLOCK,
        "embedded": images.embedded is not None,
        "prompt": f"[image A]\n[image B]\n\n{question_prompt({letter: f'{{{letter}}}' for letter in LETTERS})}",
        "items": {
            "id": [row["question_id"] for row in rows],
            **{name: [row[name] for row in rows] for name in ("category", "group", "tier", "domain")},
            "description": [row["options"][row["answer"]] for row in rows],
        },
        "codes": {JUDGE: ["".join(letters[:, q]) for q in order]},
    }


def choice_blocks(
    choices: Choices,
    order: list[int],
    pairs: pa.Table,
    responses: pa.Table,
    verdicts: pa.Table,
    images: GalleryImages,
) -> Iterator[list[dict[str, Any]]]:
    """BLOCK questions at a time, in `order`: options, images, and each model's choice with its answer."""
    of_pair = {row["pair_id"]: row for row in pairs.select(["pair_id", *_OF_PAIR]).to_pylist()}
    said = {(row["item_id"], row["model"]): row for row in responses.select(RESPONSE_COLUMNS).to_pylist()}
    why = {(row["item_id"], row["model"]): row["unscored_reason"] for row in verdicts.to_pylist()}
    turned = _rotations(choices)
    for start in range(0, len(order), BLOCK):
        block = []
        for q in order[start : start + BLOCK]:
            row = choices.questions.slice(q, 1).to_pylist()[0]
            pair = of_pair[row["pair_id"]]
            detail = {name: row[name] for name in _OF_QUESTION} | {"page_id": pair["page_id"]}
            detail["differences"] = [difference(item) for item in pair["differences"] or ()]
            detail["shot"] = images.shots[row["pair_id"]].as_json()
            detail["flipped"] = row["order"] == "backward"
            detail["false"] = _false_statements(row)
            answers = {}
            for m, model in enumerate(choices.models):
                if given := said.get((row["question_id"], model)):
                    answers[model] = present(
                        answer(given)
                        | {
                            "choice": _letter(choices.choice[m, q]),
                            "rotated": [_letter(choice) for choice in turned[q][m]] if q in turned else None,
                        }
                        | cut("unscored_reason", why.get((row["question_id"], model)))
                    )
            block.append(present(detail) | {"answers": answers})
        yield block


def _letter(choice: int) -> str | None:
    return (*LETTERS, "invalid", None)[choice]


def _false_statements(row: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Letter → strategy and origin of the false statement there."""
    letters = [letter for letter in LETTERS if letter not in (row["answer"], row["no_difference_label"])]
    made = row["distractors"] or []
    return {
        letter: present({"strategy": false["strategy"], "origin": false["origin"]})
        for letter, false in zip(letters, made, strict=False)
    }


def _rotations(choices: Choices) -> dict[int, list[list[int]]]:
    """Question of rotation 0 → for each model its choices in the copies, as letters of rotation 0, by rotation."""
    rows = choices.questions.select(["question_id", "origin_id", "rotation", "options"]).to_pylist()
    place = {row["question_id"]: q for q, row in enumerate(rows)}
    found: dict[int, list[list[int]]] = {}
    copies = sorted((row["rotation"], q) for q, row in enumerate(rows) if row["rotation"])
    for _, q in copies:
        origin = place[rows[q]["origin_id"]]
        original = {text: code for code, text in enumerate(rows[origin]["options"].values())}
        back = [original.get(text, len(LETTERS)) for text in rows[q]["options"].values()]
        for m, given in enumerate(found.setdefault(origin, [[] for _ in choices.models])):
            choice = int(choices.choice[m, q])
            given.append(back[choice] if 0 <= choice < len(LETTERS) else choice)
    return found
