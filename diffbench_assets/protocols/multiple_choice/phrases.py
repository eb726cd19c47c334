"""The phrases by which answers state a letter, or do not, as patterns.

Belongs here: words around a letter in a cleaned answer (`plain.py`). Does not belong here: what follows from them
(`parse.py`).
"""

from __future__ import annotations

import re

from diffbench_assets.protocols.multiple_choice.plain import AMBIGUOUS, MARKED, QUOTED

_MARK, _OPTION = f"[{MARKED}]", f"[{QUOTED}{AMBIGUOUS}]"
_HAN = "\u3040-\u30ff\u3400-\u9fff"
_WORD = rf"[^\W{_HAN}]"

_REF = r"(?:(?:the\s+)?(?:option|choice|statement|letter|answer|label)\W+)?(?:label?led\s+)?"
_ADVERBS = (
    r"(?:(?:therefore|thus|clearly|definitely|indeed|still|now|simply|likely|probably|most|either|obviously"
    r"|in\s+fact|actually|certainly|hence)[\s,]+)*"
)
_LINK = rf"\W*(?:(?:(?:would|should|must|will|has\s+to)\s+)?\b(?:is|was|are|be|remains|becomes)\b|[:=>-])\W*{_ADVERBS}"
_OF = r"(?:\s+(?:to|for|of|from|among|in|here|that|which)\b[^.\n:;,?!]{0,40}?)?"
CUE = re.compile(
    "(?:"
    r"\bboxed\W*"
    r"|\b(?:final[ _]?|my |best )?(?:answer|ans|choice|selection|guess|pick|verdict|conclusion|prediction|solution"
    rf"|response|final|option_?letter|antwort|réponse|respuesta){_OF}{_LINK}"
    r"|\b(?:correct|right|true|best|accurate|chosen|selected|valid)\s+(?:answer|option|choice|statement|letter|label"
    rf"|one|description|claim|sentence|alternative|response|selection){_OF}{_LINK}"
    r"|\b(?:correct|true|selected|chosen)\s*:\W*"
    r"|\b(?:final|my|correct)\s+(?:answer|choice|option)\W*"
    r"|\b(?:i|we|let's|let\s+me|i'd|i'll|i'm|i've)\b[^.\n;:?!]{0,30}?\b(?:choose|chose|choosing|pick(?:ed|ing)?"
    r"|select(?:ed|ing)?|go(?:ing)?\s+(?:with|for)|opt(?:ing)?\s+for|settle\s+on|vote\s+for|say|answer|conclude|believe"
    r"|think|guess|mean)(?:\s+that)?(?:\s+it(?:\s+is|'s|\s+must\s+be|\s+should\s+be))?[\s:,]*"
    r"|(?:^|[.!\n])\s*(?:choos(?:e|ing)|select(?:ing|ed)?|pick(?:ing|ed)?)[:\s]*"
    r"|(?<!不)(?:答案|选择|选)(?:应该|应)?[是为]?\W*"
    rf"){_REF}(?:\W*)$",
    re.IGNORECASE,
)
"""Points at the letter that follows: "the answer is", "I choose", `\\boxed`."""
TURN = re.compile(
    r"(?:\b(?:so|thus|hence|therefore|actually|correction|instead|finally|ultimately|but)\b[,:]?"
    r"|\b(?:wait|no|sorry|hmm|in\s+conclusion|on\s+second\s+thoughts?|i\s+was\s+wrong|i\s+stand\s+corrected)[,:.!-]+"
    rf"|\bit(?:\s+is|'s|\s+must\s+be|\s+should\s+be))\s*{_ADVERBS}(?:rather\s+)?{_REF}$",
    re.IGNORECASE,
)
"""Turns to the letter that follows: "Actually,", "so", "it is"."""
CALLED_RIGHT = re.compile(
    r"\s*(?:(?:is|was|are|seems?|must\s+be|appears?\s+to\s+be)\s+"
    rf"{_ADVERBS}(?:correct|right|true|accurate|the\s+(?:only\s+|most\s+)?(?:correct|right|true|best|accurate|valid"
    r"|final|only)\s+(?:answer|option|choice|statement|one|description|match)|(?:the|my)\s+(?:final\s+)?answer)"
    r"(?=\s*(?:$|[.,;:!)\n]|because\b|since\b))"
    r"|(?:correctly|accurately|truthfully|best)\s+(?:describes?|matches|states?|reflects?|captures?)\b"
    r"|(?:describes?|matches|states?)\s+[^.\n]{0,30}\b(?:correctly|accurately|truthfully)\b)",
    re.IGNORECASE,
)
"""Calls the letter before it right: "is correct", "describes it correctly"."""
DENIED = re.compile(
    r"\b(?:not|never|cannot|no|wrong|incorrect|false|neither|could|might|may|can)\b|n't\b", re.IGNORECASE
)
"""Takes back what a phrase says, wherever it stands in it."""
DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|never|cannot|doubt|wrong|incorrect|false|invalid|worst|neither|nor|unlikely|than|of|over|except"
    r"|whether)|n't)"
    r"[^\w.,:!?;\n]+(?:(?:a|the|that|be|is|it|to|one|my|say|think|believe|mean|claim|sure|certain|likely|necessarily"
    r"|option|statement|choice|answer|i|we|me|would)[^\w.,:!?;\n]+)*$",
    re.IGNORECASE,
)
"""Takes back the letter or phrase that follows at once: "not", "I don't think that the"."""
CONDITION = re.compile(
    r"\b(?:unless|suppos(?:e|ing)|assum(?:e|ing)"
    r"|if(?!\s+(?:i|we|you)\s+(?:had|have|must|need|were)\b|\s+forced|\s+anything))\b",
    re.IGNORECASE,
)
"""Makes the rest of a sentence a supposition; "if I had to choose" does not."""
IMAGE = re.compile(
    r"\b(?:images?|pictures?|photos?|screenshots?|figures?|frames?|versions?|in|from|than|between)\W*$", re.I
)
"""Before a letter that is the name of an image."""
STOP = re.compile(r"\s*(?:$|\n|[.,;:!)](?!\w)|-\s)")
"""After a letter: its phrase, or the text, ends here."""
END = re.compile(r"\s*(?:$|\n|[.;:!)](?!\w))|\s+(?:because|since)\b", re.IGNORECASE)
"""After a letter: its sentence ends here."""
GOES_ON = re.compile(
    r"\s+(?:because|since|as|given|due|not|rather|instead|over|but|which|and|or|although|while|though|the|in)\b"
    rf"|\s+{_OPTION}",
    re.IGNORECASE,
)
"""After a letter that is not the article "A": words that cannot follow an article."""
LABEL_END = re.compile(rf"\s*(?:[.):](?!\w)|-\s|{_OPTION})")
"""After a letter that labels what follows."""
NEW_SENTENCE = re.compile(rf"\s+(?:[A-Z]|{_OPTION})")
"""After a marked letter: a sentence of its own begins."""
LISTED = re.compile(rf"[.;,]\s+{_REF}$", re.IGNORECASE)
"""Before a label that is not the first of its line."""
QUESTION = re.compile(r"[\s)]*\?")
"""After a letter that is only asked about."""
JOINED = re.compile(
    r"(?:[ \t,/&+|;()]|\b(?:and|or|but|maybe|possibly|perhaps|also|either|both|even|option|choice|statement|answer"
    r"|could|be|as|well)\b)+",
    re.IGNORECASE,
)
"""Between letters that stand in one row: "or", commas, "possibly"."""
MENTION = re.compile(
    rf"(?<!{_WORD})(?<!{_WORD}[.'/-])(?:([A-HJ-Z]|[a-d]|{_MARK}|{_OPTION})(?!{_WORD})(?!['.+#%°/-]{_WORD})(?![+#%°])"
    r"|((?:none|neither|all|both)\s+of\s+(?:the\s+\w+|these|them)\b))",
)
"""A letter that stands alone, a stand-in, or words for all or none of the options."""
LONE = re.compile(rf"\W*{_ADVERBS}{_REF}\W*", re.IGNORECASE)
"""What may stand before a letter that has a line to itself."""
