"""The option that an answer states, read strictly: never a guess.

Belongs here: from raw text to a letter or `invalid`, and the version of these rules. Does not belong here: whether the
letter is right (`score.py`).

A reply is cut into sentences and these into clauses; a clause speaks of a letter only if every word around the letter
has a role there (`phrases.py`). It states the letter when it

- points at it: "the answer is B", "I choose (B)", "정답은 B입니다", `{"answer": "B"}`, `\\boxed{B}`;
- calls it right: "B is correct", "Option B describes it correctly";
- is nothing but the letter, and has a line to itself, opens the reply as a label does ("B. …", "B, because …"), labels
  its last line or its own option's text, or ends a sentence that led to it ("not A but C", "so B").

The last statement decides. It states none, and the answer is `invalid`, when it names two letters, is a question or a
possibility ("could be B"), names a letter beyond D or "none of the above", is taken back ("no, B is wrong"), stands
beside another letter without a word of correction between ("A: B"), or quotes another option's text. Not statements:
denials, conditions, images' names ("image B": a word without a role), the article "A", labels of a list of several
options. Lower-case letters count alone on a line, as a label, in brackets, or at the end of a clause. Where
no letter is stated, the text of exactly one option counts in the same places.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from diffbench_assets.protocols.multiple_choice import phrases as say
from diffbench_assets.protocols.multiple_choice.plain import cleaned
from diffbench_assets.protocols.multiple_choice.words import Word, texts_as_letters, words
from diffbench_assets.seeds import digest

INVALID: Final = "invalid"

# Patterns over roles (`phrases.py`): L is a letter, T an option's text, u a word that has no role.
_ANSWERS: Final = re.compile(r"(?:a|[rt][gn]*n|(?:(?:a|r[gn]*n)o|nq?u?[^xwydfo]{0,9}[rt])[^xwydf]{0,12}[li])[^u]*$")
"""Before a letter: names it as the answer, or as the right one of the options."""
_LEADS: Final = re.compile(r"m[^u]*[sr][^u]*$|^[^u]*(?:s|[rni][^u]*[li]|i[^u]*v[gn]*n)[^u]*$")
"""Before a letter: points at it in other words."""
_CALLS_RIGHT: Final = re.compile(r"(?=[^u]*$).*(?:[rtsd]|[lg].*a|ap)|(?=.*[rt])[grtlz]*v")
"""After a letter: calls it right, or possible."""
_NAMED: Final = re.compile(r"[nq]g*$")
"""Before a letter that is called right, if words without a role stand before it."""
_TAKES_BACK: Final = re.compile(r"[^uano]*[iq][^uano]*x[^uano]*")
"""A clause that names no letter and denies what was said before."""
_DOUBTS: Final = re.compile("[gnhcz]*d[dgnhcz]*")
"""A clause of nothing but doubt."""
_ASKS: Final = re.compile(r"[.,?]*\?")
_LONE: Final = re.compile(r"[^uTL]*L[Ljh,.?gnp]*")
"""A line that holds letters, and nothing after them."""
_QUOTES: Final = re.compile(r"[,.?\ngln]*(T)(?![^.?\n]*[xwye])")
"""After a letter: the text that it stands for."""
_QUOTED: Final = re.compile(r"(?:^|(?<!L)[.?\n])[^uLxwyed.?\n]*(T)[,.?\ngln]*$")
"""Before a letter: the text that it stands for, unless another letter labels it."""


class _Said(NamedTuple):
    """What a clause says of letters: states one, is `unsure`, or `denies` them (no letter: what was said before)."""

    at: int
    sentence: int
    letters: frozenset[str]
    unsure: bool = False
    denies: bool = False


@dataclass(slots=True)
class _Sentence:
    """What was read of a sentence so far: whether it `led` to the next clause, all of its words are `known`, it is
    `unsure` of all that follows, and what the clause before said."""

    number: int
    unsure: bool
    led: bool = False
    known: bool = True
    last: _Said | None = None


def parse_choice(text: str, options: Mapping[str, str]) -> str:
    """The letter that `text` states, "A" to "D", or "invalid". `options` maps each letter to its statement."""
    found = words(cleaned(text, options))
    named, quoted = _Reply(found).choice(), _Reply(texts_as_letters(found), quotes=True).choice()
    stated = named or quoted or INVALID
    agreed = named is None or quoted in (None, INVALID, named)
    return stated if stated in options and agreed else INVALID


def parser_sha256() -> str:
    """Version of the parser: hash of its modules' source."""
    here = Path(__file__).parent
    return digest(*((here / f"{name}.py").read_text("utf-8") for name in ("parse", "phrases", "plain", "words")))


class _Reply:
    """The words of a reply as a string of their roles, one character each, so that its places are the words' places.

    `quotes`: options' texts stand for letters, and one alone needs a sentence to itself instead of a line.
    """

    def __init__(self, found: list[Word], *, quotes: bool = False) -> None:
        self._words = found
        self._roles = _roles(found)
        breaks = [-1, *(at for at, role in enumerate(self._roles) if role == "\n"), len(found)]
        lines = ((start + 1, end) for start, end in itertools.pairwise(breaks))
        self._lines = [line for line in lines if re.compile("[a-zLT]").search(self._roles, *line)]
        letters = set(self._places(0, len(found)))
        labels = {at for line in self._lines for at in self._places(*line) if not quotes and self._is_label(at, *line)}
        self._listed = labels if len(self._names(labels)) > 1 else set()
        if quotes:
            self._alone = letters if len(self._names(letters)) == 1 else set()
        else:
            self._alone = self._alone_on_lines() | self._alone_as_labels(labels)
        self._said = list(self._read())

    def choice(self) -> str | None:
        """The name that the last statement states, INVALID for one that states none, None without a statement."""
        stated: list[_Said] = []
        taken_back = False
        for said in self._said:
            if not said.denies:
                stated.append(said)
                taken_back = False
            elif stated:
                kept = [other for other in stated if not other.letters & said.letters] if said.letters else stated[:-1]
                taken_back = taken_back or stated[-1:] != kept[-1:]
                stated = kept
        if taken_back or not stated:
            return INVALID if taken_back else None
        last = stated[-1]
        contradicted = (before for before in self._beside(stated) if before.letters != last.letters)
        quotes = (said for said in stated if said.letters == last.letters and self._quotes_another(said))
        if last.unsure or any(contradicted) or any(quotes):
            return INVALID
        return min(last.letters) or INVALID

    def _beside(self, stated: list[_Said]) -> Iterator[_Said]:
        """The statements before the last one that nothing lets it replace."""
        for after, before in itertools.pairwise(reversed(stated)):
            if not self._together(before, after):
                return
            yield before

    def _together(self, one: _Said, two: _Said) -> bool:
        """True when nothing stands between two statements that lets the second replace the first."""
        between = self._roles[one.at + 1 : two.at]
        if say.TURN in between or re.search(r"(?<![^,.?\n])e+(?![^,.?\n])", between):
            return False
        if one.unsure:
            return one.sentence == two.sentence and not re.search("[bz]", between)
        return one.sentence == two.sentence or say.UNKNOWN not in between

    def _quotes_another(self, said: _Said) -> bool:
        """True when another option's text stands beside the letter, as what it stands for."""
        after = _QUOTES.match(self._roles, said.at + 1)
        before = _QUOTED.search(self._roles, max(0, said.at - 20), said.at)
        return any(self._words[found.start(1)].name not in {"", *said.letters} for found in (after, before) if found)

    def _places(self, start: int, end: int) -> list[int]:
        return [found.start() for found in re.compile("L").finditer(self._roles, start, end)]

    def _names(self, places: Iterable[int]) -> frozenset[str]:
        return frozenset(self._words[at].name for at in places)

    def _alone_on_lines(self) -> set[int]:
        """Letters on lines of their own; where these are not all the same, only those that close the reply."""
        lone = [line for line in self._lines if _LONE.fullmatch(self._roles, *line)]
        if len(self._names(at for line in lone for at in self._places(*line))) > 1:
            lone = list(itertools.takewhile(set(lone).__contains__, reversed(self._lines)))
        return {at for line in lone for at in self._places(*line)}

    def _is_label(self, at: int, start: int, end: int) -> bool:
        """ "B." or "(B)" before words: at the start of a line, or further on in a list."""
        before, after = self._roles[start:at], self._roles[at + 1 : end]
        mark = self._words[at + 1].text if after else ""
        stands_out = mark in {".", ")", ":", "-"} or self._words[at].stops or after.startswith("T")
        starts = stands_out and re.fullmatch("[gn,]*", before)
        return bool(starts or mark in {")", ":"} and re.search("[,.?][gn]*$", before)) and bool(
            re.search("[a-zT]", after)
        )

    def _alone_as_labels(self, labels: Iterable[int]) -> set[int]:
        """Letters that open the reply, and those that label its last line or their own option's text."""
        if not self._lines:
            return set()
        (start, end), (last, _) = self._lines[0], self._lines[-1]
        first = self._places(start, end)[:1]
        opens = first and re.fullmatch("[gnzc,]*", self._roles[start : first[0]])
        alone = {at for at in labels if at >= last}
        alone |= set(first) if opens and not _LONE.fullmatch(self._roles, start, end) else set()
        owned = ((at, _QUOTES.match(self._roles, at + 1)) for at in labels)
        return alone | {at for at, text in owned if text and self._names([at]) == self._names([text.start(1)])}

    def _read(self) -> Iterator[_Said]:
        for number, (clauses, asks) in enumerate(self._sentences()):
            if say.IF in self._roles[clauses[0][0] : clauses[-1][1]]:
                continue
            sentence = _Sentence(number, unsure=asks)
            said: _Said | None
            for start, end in clauses:
                roles, last = self._roles[start:end], sentence.last
                listed = last and last.denies and last.letters and self._words[start - 1].text == ","
                if listed and re.fullmatch("[gnjhL]+", roles):  # "not A, B or C"
                    said = _Said(start, number, self._names(self._places(start, end)), denies=True)
                elif _DOUBTS.fullmatch(roles):
                    sentence.unsure = True
                    said = last and last._replace(at=start, unsure=True)
                else:
                    said = self._clause(start, end, sentence)
                if said:
                    yield said
                sentence.last, sentence.led = said, True
                sentence.known = sentence.known and say.UNKNOWN not in roles

    def _clause(self, start: int, end: int, sentence: _Sentence) -> _Said | None:
        roles, letters = self._roles[start:end], self._places(start, end)
        if not letters:
            ahead = max(0, start - 9)
            letter = re.search(r"[LT][,.?g\n]*$", self._roles[ahead:start])
            if letter and re.fullmatch("g*x+", roles):  # "B (wrong)"
                names = self._names(self._places(ahead + letter.start(), start))
                return _Said(start, sentence.number, names, denies=True)
            takes_back = letter and re.fullmatch("[cg]*e+", roles) or sentence.known and _TAKES_BACK.fullmatch(roles)
            return _Said(start, sentence.number, frozenset(), denies=True) if takes_back else None
        head, tail = self._roles[start : letters[0]], self._roles[letters[-1] + 1 : end]
        between, names = self._roles[letters[0] : letters[-1]], self._names(letters)
        whole = say.UNKNOWN not in head
        if re.search("og*$", head):
            return None
        if re.search("[xwye]", roles):
            return None if say.UNKNOWN in roles else _Said(letters[0], sentence.number, names, denies=True)
        called = _CALLS_RIGHT.match(tail) and (whole or _NAMED.search(head))
        pointed = (
            _ANSWERS.search(head) and re.match("$|[go]|[^u]*$", tail) or _LEADS.search(head) and say.UNKNOWN not in tail
        )
        concluded = re.search("[zc][^u]*$", head) and self._roles[end : end + 1] in {".", "?", "\n", ""}
        led = sentence.led and sentence.known and say.REASON not in head
        adds = re.search("[djh]", head) and re.search("L[^u]{0,20}$", self._roles[max(0, start - 21) : start])
        may = concluded or led or adds or letters[0] in self._alone
        alone = whole and may and re.fullmatch("[pgn]*|il", tail) and letters[0] not in self._listed
        if say.UNKNOWN in between or not (called or pointed or alone):
            return None
        doubt = say.DOUBT in re.sub(".*u", "", head) + between + tail or roles.endswith((say.AND, say.OR))
        unsure = sentence.unsure or doubt or len(letters) > 1 or alone and re.search("[jh][gn]*$", head) is not None
        return _Said(letters[0], sentence.number, names, bool(unsure))

    def _sentences(self) -> Iterator[tuple[list[tuple[int, int]], bool]]:
        """Each sentence's clauses, from place to place, and whether it is a question."""
        clauses: list[tuple[int, int]] = []
        start = 0
        for at, role in enumerate(self._roles + "."):
            if role == "\n" and "L" not in (clause := self._roles[start:at]) and _ANSWERS.search(clause):
                continue  # "the answer is" goes on after a line break
            point = role in ",.?\n"
            if point or self._breaks(role, start, at):
                clauses += [(start, at)] if at > start else []
                start = at + point
            if role in ".?\n" and clauses:
                yield clauses, _ASKS.match(self._roles, at) is not None
                clauses = []
            if role in "Ty" or role == "L" and self._words[at].stops:
                clauses.append((start, at + 1))
                start = at + 1

    def _breaks(self, role: str, start: int, at: int) -> bool:
        """Whether a clause ends before this word."""
        before, after = self._roles[start:at], self._roles[at + 1 : at + 12]
        letter = re.match("[gnotlmir]*L", after)
        if role in (say.SO, say.TURN):
            return bool(re.search("[Tuxwd]", before)) or "L" in before and not before.endswith(say.LINK)
        if role == say.BUT:
            return "L" in before
        if role == say.THAT:
            return "u" in before and not re.search("[xwdf]", before)
        if role in (say.NOT, say.NO):
            return "L" in before and letter is not None
        if role not in (say.AND, say.OR):
            return role in (say.REASON, "T")
        if "L" not in before:
            return re.search("[uxw]", before) is not None
        ends = after[:1] in {"", ",", ".", "?", "\n"}
        return not ends and not (letter and before.endswith("L"))


def _roles(found: list[Word]) -> str:
    roles = [""]
    for word in found:
        if roles[-1] == "L" and word.text in {"-", ":", "="}:
            roles.append(",")
        elif word.text == "-" or word.role == "," and roles[-1] == say.LINK:
            roles.append(say.GLUE)
        else:
            roles.append(word.role)
    row = re.sub(r"(?<=L),(?=g*L(?:,?[jh]?g*L){0,8},?[jh]g*L)", say.AND, "".join(roles))
    # "B — правильный ответ"
    dash = re.compile(r"(?<=L),(?=[rt][gn]*a?(?:[,.?\n]|$))")
    return dash.sub(lambda mark: say.LINK if found[mark.start()].text == "-" else ",", row)
