"""Language of a page: what it says, what its letters say, and what a detector reads in its words.

Belongs here: weighing the three. Does not belong here: scripts and `<html lang>` (`web/pages/describe.py`).

The detector is py3langid (BSD; offline, its model is in the package).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from py3langid.langid import MODEL_FILE, LanguageIdentifier
from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.pages import describe

MIN_LETTERS: Final = 60
"""Fewer letters of words are no evidence for a detector."""
MIN_PROBABILITY: Final = 0.9
"""From here on the words are believed over `<html lang>`, which templates and site builders often leave at `en`."""
_READ: Final = 4_000
_FILLER: Final = "la"
"""Latin on a web page is placeholder text."""
_SAME: Final = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "jw": "jv", "tl": "fil"}


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def page_language(tree: LexborHTMLParser, text: str) -> str | None:
    """BCP 47 tag of a page's main language, None when nothing tells. `text` is its visible text.

    A tag that the page states is kept, with its region, unless its letters or its words plainly say otherwise.
    """
    stated = describe.language(tree, text)
    words = text[:_READ]
    if sum(map(str.isalpha, words)) < MIN_LETTERS:
        return stated
    read, probability = _identifier().classify(words)
    if read == _FILLER or probability < MIN_PROBABILITY:
        return stated
    found = _SAME.get(read, read)
    if stated is None:
        return found
    primary = stated.split("-")[0].lower()
    return stated if _SAME.get(primary, primary) == found else found
