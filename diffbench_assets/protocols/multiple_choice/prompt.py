"""The one question put to every model about every pair, with its four options.

Belongs here: the question's text, reading its options back, and the fixed statement that nothing differs. Does not
belong here: which options a question has (`questions.py`), images, endpoints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.seeds import digest

LABELS: Final = "ABCD"
NO_DIFFERENCE: Final = "Image A and image B are the same."
"""The option that stands in every question (VDiff-Bench §3.4)."""

_TEMPLATE = "multiple_choice/question.j2"
_OPTION = re.compile(r"^([A-D])\. (.*)$", re.MULTILINE)


def question_prompt(options: Mapping[str, str]) -> str:
    """Text sent after the two images. `options` maps A–D to one line each.

    Raises ValueError when a letter is missing or an option is empty or has more than one line.
    """
    if sorted(options) != list(LABELS):
        raise ValueError(f"a question has the options A to D, not {', '.join(options) or 'none'}")
    for label, text in options.items():
        if text.strip() != text or len(text.splitlines()) != 1:
            raise ValueError(f"option {label} must be one line of text, not {text!r}")
    return render(_TEMPLATE, options=sorted(options.items()), labels=", ".join(LABELS))


def options_of(prompt: str) -> dict[str, str]:
    """The options of a question's text: the inverse of `question_prompt`. Raises ValueError for any other text."""
    options = dict(_OPTION.findall(prompt))
    if sorted(options) != list(LABELS):
        raise ValueError("the text is not a multiple-choice question: it lacks lines A. to D.")
    return options


def question_sha256() -> str:
    """Version of the question: hash of its template and of the fixed statement."""
    return digest(template_sha256(_TEMPLATE), NO_DIFFERENCE)
