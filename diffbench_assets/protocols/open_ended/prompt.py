"""The one question put to every model about every pair.

Belongs here: the question's text, its version and the sentence that means "no difference". Does not belong
here: images, endpoints, anything about one pair (DiffSpot G.1: one prompt for changed and unchanged pairs).
"""

from __future__ import annotations

import hashlib

from diffbench_assets.models.prompting.templates import render

NO_DIFFERENCE = "I see no difference."
"""What a model is asked to say, and nothing else, when both screenshots look the same to it."""

_TEMPLATE = "open_ended/question.j2"


def question_prompt() -> str:
    """Text sent after the two images, before first."""
    return render(_TEMPLATE, no_difference=NO_DIFFERENCE)


def question_sha256() -> str:
    """Version of the question: hash of the text that is sent."""
    return hashlib.sha256(question_prompt().encode()).hexdigest()
