"""The option that an answer states, read strictly: never a guess.

Belongs here: from raw text to a letter or `invalid`, and the version of these rules. Does not belong here: whether the
letter is right (`score.py`).

What counts as stating a letter:

- a line that holds a letter and nothing else but markup, punctuation or "Option";
- a letter that opens the reply, or its last line, as a label does: "B. …", "B) …", "B, because …";
- a letter that a phrase points at: "the answer is B", "I choose (B)", "Actually, B.", `{"answer": "B"}`, `\\boxed{B}`;
- a letter that is called right: "B is correct", "Option B describes it correctly".

The last statement decides. It states no letter, and the answer is `invalid`, when it names two letters ("A or B"), a
letter beyond D, or "none of the above". Not statements: negations ("not B", "the wrong answer is B"), conditions ("if
the answer is B"), questions, possibilities ("could be B"), the names of the images ("image B", "than A"), the article
"A", the pronoun "I", labels of a list of several options, and anything inside a thinking block. A reply whose thinking
never ends is invalid. Lower-case letters count alone on a line, as a label, in brackets, or at the end of a phrase.
Where no letter is stated, the text of exactly one option counts in the same places.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diffbench_assets.protocols.multiple_choice import phrases as say
from diffbench_assets.protocols.multiple_choice.plain import AMBIGUOUS, MARKED, QUOTED, cleaned, without_thoughts
from diffbench_assets.seeds import digest

INVALID: Final = "invalid"

_NEAR = 160
"""Characters on either side that can say what a letter is doing there."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """One place in a reply that may state an option: `letter` is A–Z, or INVALID. `sure`: cannot be the word "a"."""

    start: int
    end: int
    letter: str
    kind: str
    line: int

    @property
    def sure(self) -> bool:
        return self.kind in ("upper", "marked")


def parse_choice(text: str, options: Mapping[str, str]) -> str:
    """The letter that `text` states, "A" to "D", or "invalid". `options` maps each letter to its statement."""
    spoken = without_thoughts(text)
    if spoken is None:
        return INVALID
    reply = _Reply(cleaned(spoken, options))
    last = reply.last_statement()
    if last is not None:
        return last.letter if last.letter in options and not reply.torn(last) else INVALID
    quoted = reply.quoted()
    return quoted.pop() if len(quoted) == 1 else INVALID


def parser_sha256() -> str:
    """Version of the parser: hash of its modules' source."""
    here = Path(__file__).parent
    return digest(*((here / name).read_text("utf-8") for name in ("parse.py", "phrases.py", "plain.py")))


class _Reply:
    """A cleaned reply and everything in it that may state an option."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._first = len(text) - len(text.lstrip())
        self._last = len(text.rstrip())
        self.mentions: list[_Mention] = []
        image = -_NEAR
        for match in say.MENTION.finditer(text):
            mention = self._mention(match)
            follows = match.start() - image < _NEAR and say.JOINED.fullmatch(text, image, match.start())
            if follows or say.IMAGE.search(self._before(mention)):
                image = mention.end  # "image A", and what is joined to it: "images A and B"
            else:
                self.mentions.append(mention)
        lone = [mention for mention in self.mentions if self._is_lone(mention)]
        self._lone = set(lone)
        self._lone_letters = [mention for mention in lone if mention.kind != "option"]
        self._lone_names = {mention.letter for mention in self._lone_letters}
        self._quoted = [mention.letter for mention in self.mentions if mention.kind == "option"]
        self._labels = {mention.letter for mention in self.mentions if self._is_label(mention)}

    def last_statement(self) -> _Mention | None:
        """The last mention that states a letter (or none of them) by its name."""
        named = (mention for mention in reversed(self.mentions) if mention.kind != "option")
        return next(filter(self._states, named), None)

    def quoted(self) -> set[str]:
        """The letters of the options that are stated by their text; INVALID for a text that several share."""
        return {mention.letter for mention in self.mentions if mention.kind == "option" and self._states(mention)}

    def torn(self, mention: _Mention) -> bool:
        """True when `mention` stands in a row of letters that are not all the same: "A or B", or one below another."""
        letters = [other for other in self.mentions if other.kind != "option"]
        here = letters.index(mention)
        start, end = here, here
        while start > 0 and self._joined(letters[start - 1], letters[start]):
            start -= 1
        while end + 1 < len(letters) and self._joined(letters[end], letters[end + 1]):
            end += 1
        return len({letter.letter for letter in letters[start : end + 1]}) > 1

    def _mention(self, match: re.Match[str]) -> _Mention:
        line = bisect_left(self._breaks, match.start())
        char = match[1]
        if not char:
            return _Mention(match.start(), match.end(), INVALID, "none", line)
        if char in QUOTED + AMBIGUOUS:
            letter, kind = INVALID if char == AMBIGUOUS else "ABCD"[QUOTED.index(char)], "option"
        elif char in MARKED:
            letter, kind = chr(65 + MARKED.index(char)), "marked"
        else:
            letter, kind = char.upper(), "upper" if char.isupper() else "lower"
        return _Mention(match.start(), match.end(), letter, kind, line)

    def _states(self, mention: _Mention) -> bool:
        before, after = self._before(mention), self._after(mention)
        if mention in self._lone:
            return self._lone_counts(mention)
        if say.QUESTION.match(after):
            return False
        if mention.kind == "option" and self._only_text(mention) or self._labels_reply(mention):
            return True
        sentence = re.split(r"[.!?;\n]", before)[-1]
        if say.CONDITION.search(sentence):
            return False
        if say.CALLED_RIGHT.match(after) and mention.sure:
            return not say.DENIED_BEFORE.search(before)
        if (turn := say.TURN.search(before)) and (mention.sure or mention.kind == "none") and say.END.match(after):
            return not say.DENIED_BEFORE.search(before[: turn.start()])
        if not (cue := _last_match(say.CUE, before)) or say.DENIED.search(cue[0]):
            return False
        return self._closes(mention, after) and not say.DENIED_BEFORE.search(before[: cue.start()])

    @staticmethod
    def _closes(mention: _Mention, after: str) -> bool:
        """True when what follows cannot make the letter part of a longer phrase ("a ring")."""
        if mention.kind in ("option", "none") or say.STOP.match(after):
            return True
        return (
            mention.sure
            and bool(say.GOES_ON.match(after))
            or mention.kind == "marked"
            and bool(say.NEW_SENTENCE.match(after))
        )

    def _is_lone(self, mention: _Mention) -> bool:
        start, end = self._line(mention)
        if mention.kind == "none" or mention.start - start > _NEAR or end - mention.end > _NEAR:
            return False
        return self._starts_line(mention) and not re.search(r"\w", self.text[mention.end : end])

    def _starts_line(self, mention: _Mention) -> bool:
        start, _ = self._line(mention)
        return mention.start - start <= _NEAR and bool(say.LONE.fullmatch(self.text, start, mention.start))

    def _lone_counts(self, mention: _Mention) -> bool:
        """Lone lines that name several letters are a list, unless the last one closes the reply."""
        if mention.kind == "option":
            return len(set(self._quoted)) == 1
        closes = mention == self._lone_letters[-1] and self._line(mention)[1] >= self._last
        return closes or len(self._lone_names) == 1

    def _is_label(self, mention: _Mention) -> bool:
        """ "B." or "(B)" before words: at the start of a line, or further on in a list."""
        if mention.kind in ("option", "none") or mention in self._lone:
            return False
        after = self._after(mention)
        if self._starts_line(mention):
            return bool(say.LABEL_END.match(after)) or mention.kind == "marked" and bool(say.NEW_SENTENCE.match(after))
        return bool(say.LISTED.search(self._before(mention))) and bool(re.match(r"\s*[):]", after))

    def _labels_reply(self, mention: _Mention) -> bool:
        """True for the one label of a reply: where it opens, on the last line, or before its own option's text."""
        if mention.kind in ("option", "none") or not self._starts_line(mention) or len(self._labels) > 1:
            return False
        after = self._after(mention)
        if self._line(mention)[0] <= self._first:
            return self._is_label(mention) or mention.sure and self._closes(mention, after)
        if not self._is_label(mention):
            return False
        own = QUOTED["ABCD".index(mention.letter)] if mention.letter in "ABCD" else ""
        return self._line(mention)[1] >= self._last or bool(own) and after.lstrip(" .):-").startswith(own)

    def _only_text(self, mention: _Mention) -> bool:
        """True for an option's text that is a sentence of its own, the only option quoted, and that nobody denies."""
        before, after = self._before(mention), self._after(mention)
        whole = re.search(r"(?:^|[.!?:\n])[\s\"']*$", before) and re.match(r"\W*(?:$|\n|[A-Z])|\s+because\b", after)
        return len(self._quoted) == 1 and bool(whole) and not say.DENIED.search(before + " " + after)

    def _joined(self, one: _Mention, two: _Mention) -> bool:
        if one.line != two.line:
            return one in self._lone and two in self._lone and not self.text[one.end : two.start].strip(" .,;:!)-\n")
        if two.start - one.end > _NEAR or not say.JOINED.fullmatch(self.text, one.end, two.start):
            return False
        ends = two.kind == "marked" or say.STOP.match(self._after(two)) or re.match(r"\s+are\b", self._after(two))
        return bool(ends) and not say.DENIED_BEFORE.search(self._before(one))

    def _line(self, mention: _Mention) -> tuple[int, int]:
        start = self._breaks[mention.line - 1] + 1 if mention.line else 0
        return start, self._breaks[mention.line] if mention.line < len(self._breaks) else len(self.text)

    def _before(self, mention: _Mention) -> str:
        return self.text[max(0, mention.start - _NEAR) : mention.start]

    def _after(self, mention: _Mention) -> str:
        return self.text[mention.end : mention.end + _NEAR]


def _last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The match that starts last among those that a search from any place finds."""
    found = pattern.search(text)
    while found and (later := pattern.search(text, found.start() + 1)):
        found = later
    return found
