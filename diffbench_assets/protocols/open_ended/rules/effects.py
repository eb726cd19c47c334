"""Which visual effects a statement claims, with their direction from the first to the second screenshot.

Belongs here: finding effect words, what they are about, and what turns them round: denial, "less", "no longer",
a comparison whose subject is the first screenshot, and before/after contrasts. Does not belong here: the words
themselves (`lexicon.py`), elements, operators.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from diffbench_assets.protocols.open_ended.rules.colors import Tone, hues_clash, named_tones
from diffbench_assets.protocols.open_ended.rules.contrast import TIME, Spans, contrasted, says_equal
from diffbench_assets.protocols.open_ended.rules.lexicon import AFTER, ASPECTS, BEFORE, MASK, SCALES, WORDS


@dataclass(frozen=True, slots=True)
class Effect:
    """One claimed effect. kind and sign as in `lexicon`; aspect is what it is about, or "" when unsaid.

    state: it says how things are, not that they changed. words: as they stand in the statement.
    after: for align and hue, the words (or colours) said of the second screenshot, or "not" and those of the first.
    """

    kind: str
    sign: int
    aspect: str
    start: int
    words: str
    state: bool = False
    after: str = ""
    tone: Tone | None = None


_THAN_BEFORE = re.compile(
    r"(?:than|as|compared (?:to|with)|relative to|versus|vs\.?|as opposed to|unlike|from)\s+(?:it (?:was|did|is)\s+"
    rf"|what it was\s+|they were\s+|in |on |its |that of )*(?:the )?(?:{BEFORE})(?:\s+\w+)?"
)
_THAN_AFTER = re.compile(
    r"(?:than|compared (?:to|with)|relative to|versus|vs\.?)\s+(?:it (?:is|was)\s+|they are\s+|in "
    rf"|on )*(?:the )?(?:{AFTER})"
)
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnever|\bneither|\bnor|\bwithout|\bno|\bcannot|\bnothing|\bnone)\s+(?:(?!(?:longer|only|just"
    r"|merely|more|less)\b)[\w']+\s+){0,4}$"
)
_REVERSED = re.compile(
    r"(?:\bless|\bno longer(?: as| so| be(?:ing)?| \w+ed)?|\bnot (?:as|so|quite as)|\bfewer"
    r"|\bwas made less|\bmuch less|\bisn't as|\bnot anymore|\breduced|\bloss of|\blost (?:its"
    r"|their))\s+(?:\w+ly\s+|so\s+|as\s+|any\s+|an?\s+|the\s+)?$"
)
_WAS = re.compile(r"\b(?:was|were|had|has been|have been) (?:an? |\w+ly |much |bit |little |somewhat )*$")
_COMPARED = re.compile(r"(?:more|less)\b|\w+er\b")
_AFTER = re.compile(rf"(?<![\w-])(?:{AFTER})(?![\w-])|\bthan\b")
_NO_MORE = re.compile(r"(?:\bnot|n't) (?:\w+ )?$"), re.compile(r" any ?(?:more|longer)\b")
_MORE = re.compile(r"\b(?:more|become|becomes) (?:\w+ly )?$")
_FRAMED = re.compile(r"border|outline|frame|surround|circled|drawn")
_BARE = re.compile("more|less")
_NONE = re.compile(r"\b(?:no|none|without|missing|absent)\b")
_SAID_COLOR = re.compile(
    r"\b(?:is|are|looks?|appears?|becomes?|became|turned|now|to|in|into|shows?)\s+(?:(?:now|a"
    r"|an|in|more|very|\w+ly)\s+){0,3}$"
)

_BREAK = re.compile(r"[;→]|, (?:and|but|the|with|text|its|it|making|so|taking|causing)\b")
_JOINED = re.compile(
    r"(?:\W|\band\b|\bor\b|\bmore\b|\bless\b|\bin\b|\bis\b|\bare\b|\bwas\b|\bhas\b|\bnow\b"
    r"|\bof\b|\bthe\b|\bits\b|\w+ly\b|\bbit\b|\ba\b)*"
)

_PLACES = ("", "place", "alignment", "letters", "leading", "color", "border", "corner")

_NUMBER = re.compile(r"(?<![\w#.,])~?-?(\d{1,5}(?:[.,]\d{1,3})?) ?(px|pixels?|em|rem|pt|%|percent)?(?![\w.])")


@lru_cache(maxsize=4096)
def effects(masked: str) -> tuple[Effect, ...]:
    """Every effect claimed in a statement (lower case, quotations masked), directions from first to second."""
    turned = bool(_THAN_AFTER.search(masked))
    text = _THAN_AFTER.sub(_blank, _THAN_BEFORE.sub(_keep_from, masked))
    contrast = None if turned else contrasted(text)
    if contrast and says_equal(text, contrast):
        return ()
    times = {match.lastgroup for match in TIME.finditer(text)}
    turned = turned or (contrast is None and times == {"before"})
    hits = _hits(text)
    found = [effect for hit in hits if (effect := _directed(hit, hits, text, contrast)) is not None]
    found += _plain_tones(text, contrast, found)
    if turned:
        found = [replace(effect, sign=-effect.sign, after=_not(effect.after)) for effect in found]
    if contrast:
        found = _settled(found, text, contrast)
    return tuple(found)


def _plain_tones(text: str, contrast: Spans | None, found: list[Effect]) -> list[Effect]:
    """Colours that the element is said to have ("is now gray"), where no direction word says more."""
    if contrast or any(effect.kind in ("shade", "hue") for effect in found):
        return []
    return [
        Effect("hue", 0, "color", start, text[start:end], state=True, tone=tone)
        for start, end, tone in named_tones(text)
        if _SAID_COLOR.search(text[max(0, start - 40) : start])
    ]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group(0))


def _keep_from(match: re.Match[str]) -> str:
    return match.group(0) if match.group(0).startswith("from") else " " * len(match.group(0))


def _hits(text: str) -> list[tuple[int, int, int]]:
    """(start, end, row of WORDS) of effect words; of overlapping ones the longest, then the earlier row."""
    named = named_tones(text)  # "light gray" is a color, not lighter
    raw = [
        (m.start(), m.end(), row)
        for row, word in enumerate(WORDS)
        for m in word.pattern.finditer(text)
        if not (word.state and word.kind == "shade" and any(a <= m.start() and m.end() <= b for a, b, _ in named))
    ]
    raw.sort(key=lambda hit: (-(hit[1] - hit[0]), hit[2]))
    taken: list[tuple[int, int, int]] = []
    starts: list[int] = []
    across = [hit for hit in raw if WORDS[hit[2]].kind == "x"]  # "moved down and to the right" tells two moves
    for hit in raw:
        if WORDS[hit[2]].kind == "x":
            continue
        place = bisect_right(starts, hit[0])
        if (place and taken[place - 1][1] > hit[0]) or (place < len(taken) and taken[place][0] < hit[1]):
            continue
        starts.insert(place, hit[0])
        taken.insert(place, hit)
    covered: tuple[int, int, int] | None = None
    for hit in across:
        if covered is None or not (hit[0] < covered[1] and covered[0] < hit[1]):
            if all(
                WORDS[other[2]].kind == "y" or other[2] > hit[2] or other[1] <= hit[0] or hit[1] <= other[0]
                for other in taken
            ):
                taken = [t for t in taken if WORDS[t[2]].kind == "y" or t[1] <= hit[0] or hit[1] <= t[0]]
                taken.append(hit)
            covered = hit
    starts = [start for start, _, row in taken if WORDS[row].kind != "amount"]
    return sorted(
        hit
        for hit in taken
        # In "more thin" the second word says of what there is more.
        if WORDS[hit[2]].kind != "amount" or not _BARE.fullmatch(text[hit[0] : hit[1]]) or hit[1] + 1 not in starts
    )


@lru_cache(maxsize=256)
def aspects(text: str) -> tuple[tuple[int, int, str], ...]:
    """(start, end, aspect) of every thing that a direction word could be about, without overlaps, in order."""
    raw = [(m.start(), m.end(), row) for row, (_, pattern) in enumerate(ASPECTS) for m in pattern.finditer(text)]
    raw.sort(key=lambda hit: (-(hit[1] - hit[0]), hit[2]))
    taken: list[tuple[int, int, str]] = []
    for start, end, row in raw[:40]:
        if all(end <= other[0] or start >= other[1] for other in taken):
            taken.append((start, end, ASPECTS[row][0]))
    return tuple(sorted(taken))


def _directed(
    hit: tuple[int, int, int],
    hits: list[tuple[int, int, int]],
    text: str,
    contrast: Spans | None,
) -> Effect | None:
    start, end, row = hit
    word = WORDS[row]
    lead = text[max(0, start - 60) : start]
    lead = re.split(r"[,;:.()]", lead)[-1]
    reverse = bool(_REVERSED.search(lead) or _NO_MORE[0].search(lead) and _NO_MORE[1].match(text[end:]))
    if not reverse and _DENIED.search(lead):
        return None
    if _WAS.search(lead) and _COMPARED.match(text[start:end]) and not _AFTER.search(text):
        return None  # "was larger" tells of the first screenshot, unless it says that it tells of the second
    sign = -word.sign if reverse else word.sign
    if contrast and contrast[0][0] <= start < contrast[0][1]:
        sign = -sign
    state = word.state and not reverse and not _MORE.search(lead)
    kind, about = word.kind, _about(text, start, end, hits)
    if kind == "presence" and _FRAMED.search(text[start:end]):
        about = "border"
    if kind == "y" and about not in _PLACES and re.match(r"higher|lower|raise", text[start:end]):
        kind, sign = "amount", -sign  # a higher weight, a lower opacity
    return Effect(kind, sign, about, start, text[start:end], state, _align_after(kind, text, hit, contrast, reverse))


def _align_after(kind: str, text: str, hit: tuple[int, int, int], contrast: Spans | None, reverse: bool) -> str:
    if kind not in ("align", "where") or (contrast and contrast[0][0] <= hit[0] < contrast[0][1]):
        return ""
    return _not(text[hit[0] : hit[1]]) if reverse else text[hit[0] : hit[1]]


def _not(words: str) -> str:
    """The words for a side as that of the first screenshot."""
    return f"not {words}" if words else ""


def _about(text: str, start: int, end: int, hits: Sequence[tuple[int, int, int]] = ()) -> str:
    """The aspect nearest to a word, in its part of the statement; what stands right after it wins a tie.

    An aspect that another effect word stands closer to belongs to that word, unless both are coordinated.
    """
    best, best_gap = "", 45
    for left, right, name in aspects(text):
        low, high = (end, left) if left >= end else (right, start)
        between = text[low:high]
        gap = len(between) - between.count(MASK) - (left >= end)
        if gap >= best_gap or _BREAK.search(between):
            continue
        others = [
            hit for hit in hits if low <= hit[0] and hit[1] <= high and WORDS[hit[2]].kind not in ("change", "where")
        ]
        for one, two, _ in others:
            between = between.replace(text[one:two], " ", 1)
        if not others or _JOINED.fullmatch(between):
            best, best_gap = name, gap
    return best


def _settled(found: list[Effect], text: str, contrast: Spans) -> list[Effect]:
    """Effects with before/after contrasts decided on their scale: words for weights, shapes, numbers, colours."""
    (a0, a1), (b0, b1) = contrast
    before, after = text[a0:a1], text[b0:b1]
    named = aspects(text[: min(a0, b0)])
    about = named[-1][2] if named else ""
    found = [
        replace(effect, aspect=about) if not effect.aspect and effect.start >= min(a0, b0) else effect
        for effect in found
    ]
    added: list[Effect] = []
    for kind in SCALES:
        low, high = _point(kind, before), _point(kind, after)
        if low is not None and high is not None:
            found = [effect for effect in found if effect.kind != kind or not effect.state]
            if low != high and not any(effect.kind == kind for effect in found):
                added.append(Effect(kind, 1 if high > low else -1, _about(text, b0, b0), b0, after))
    old, new = named_tones(before), named_tones(after)
    if old and new:
        step = new[-1][2].lightness - old[-1][2].lightness
        found = [
            effect
            for effect in found
            if effect.kind != "shade" or not (a0 <= effect.start < a1 or b0 <= effect.start < b1)
        ]
        kind = "shade" if abs(step) > 3 and not hues_clash(old[-1][2], new[-1][2]) else "hue"
        added.append(Effect(kind, (step < 0) - (step > 0), "color", b0, after, tone=new[-1][2]))
    numbers = [_NUMBER.search(before), _NUMBER.search(after)]
    if numbers[0] and numbers[1]:
        one, two = (float(match.group(1).replace(",", ".")) for match in numbers if match)
        if one != two:
            added.append(Effect("amount", 1 if two > one else -1, about or _about(text, b0, b0), b0, after))
    if (gone := bool(_NONE.search(after))) != bool(_NONE.search(before)):
        subject = aspects(before) or aspects(after)
        added.append(Effect("presence", -1 if gone else 1, subject[-1][2] if subject else about, b0, after))
    return [*found, *added]


def _point(kind: str, text: str) -> float | None:
    """Where `text` stands on the scale of `kind`; the longest word that fits decides."""
    hits = [(match.end() - match.start(), value) for pattern, value in SCALES[kind] if (match := pattern.search(text))]
    return max(hits)[1] if hits else None
