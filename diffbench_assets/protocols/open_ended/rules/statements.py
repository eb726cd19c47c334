"""An answer split into statements, each with the words around it that may name its element or stand over it.

Belongs here: JSON, lines, bullets, tables, headings, sentences and clauses. Does not belong here: what the words mean
(`speech.py`, `effects.py`, `elements.py`), other languages and misspellings (`gloss.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from diffbench_assets.protocols.open_ended.rules import speech
from diffbench_assets.protocols.open_ended.rules.gloss import in_english
from diffbench_assets.protocols.open_ended.rules.lexicon import ANY_WORD, MASK, QUOTES

LONGEST_CLAIM = 800
"""Characters of a clause that are read; nobody needs more to name one difference."""

_UNSAID = re.compile(r"~~.{0,2000}?~~|<(del|s)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_LINE = re.compile(
    r"^([ \t]*)(#{1,6}[ \t]+|[-*•–—▪◦‣·+][ \t]+|\(?\d{1,3}[.):][ \t]+|\(?[a-hA-H][.)][ \t]+"
    r"|>[ \t]*)?(.*)$"
)
_LABEL = re.compile(
    r"^\W{0,3}(?:(?:in |on )?(?:the )?(?:(?:before|after|first|second|original|modified|old|new|previous"
    r"|updated)\b(?: (?:image|screenshot|state|version|picture|value))?|(?:image|screenshot|picture) ?[12ab])"
    r"|now|was|location|element|position on page|where|what|change|changes|change type|what changed|how|property"
    r"|details?|description|effect|type|observation|result|direction)\W{0,4}(?:[:=]|\s[-–—]\s)",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\b(?:before|^from|first|1|original|old|was|previous)\b")
_SECOND = re.compile(r"\b(?:after|^to|second|2|new|now|modified|current)\b")
_SENTENCE_END = re.compile(r"[.!?][\"”')\]]*(?=\s+[^\sa-z])|\.{3}(?=\s)|[。！？](?!$)|\n(?=\s*\n)")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|fig|no|etc|ca|cf|dr|mr|ms|st|px)|^\d{1,3})\.$", re.IGNORECASE)
_CLAUSE_BREAK = re.compile(
    r"\s*;\s*|,?\s+(?:while|whereas|but|however|yet|although|though)\s+(?!if\b)|,?\s+(?:and|plus)\s+(?=(?:the|its"
    r"|it|their|a|an|there|also)\b)"
    r"|,\s+(?=(?:the|it|there|which)\b)"
    r"|,?\s+(?=(?:except(?: for| that)?|apart from(?! each| one)|other than|besides|aside from)\b)"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause of the answer.

    quote: the words as they stand in the answer. text: the same in English, lower case, markdown gone, one line.
    masked: `text` with quotations masked, same length. whole: the masked sentence it stands in. context: texts that may
    name its element when it does not, nearest first; parents: those that it details. over: masked texts that stand over
    it (headings, labels, parents). listed: it stands in a list or table of differences. item: number of the paragraph
    or list item. heading: it only opens what follows.
    """

    quote: str
    text: str
    masked: str
    whole: str
    context: tuple[str, ...]
    parents: tuple[str, ...]
    over: tuple[str, ...]
    listed: bool
    item: int
    question: bool
    heading: bool


@dataclass(slots=True)
class _Item:
    raw: str
    parents: tuple[str, ...]
    listed: bool
    level: int
    labelled: bool = False
    shown: str = ""
    keys: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    heading: bool = False


def statements(answer: str, keep: tuple[str, ...] = ()) -> list[Statement]:
    """Every clause of `answer`, in order; what is struck through is left out.

    `keep`: words that the page shows (lower case), which are in no language.
    """
    found: list[Statement] = []
    answer = _UNSAID.sub("\n", answer)
    for number, item in enumerate(_fields(answer) or _items(answer)):
        earlier: list[str] = []
        over = tuple(mask(in_english(text, keep)) for text in (*item.over, *item.keys))
        parents = tuple(in_english(text, keep) for text in item.parents)
        for raw, shown in _sentences(item):
            text = in_english(shown, keep)
            if not re.search(r"\w|[✗✘❌✖]", text):
                continue
            question = raw.rstrip(' *_"”)').endswith(("?", "？"))
            whole = mask(text[: 2 * LONGEST_CLAIM])
            heads: list[str] = []
            for start, end, quote in _clauses(raw, text, shown == text):
                part = text[start : min(end, start + LONGEST_CLAIM)]
                context = (*reversed(heads[-3:]), *reversed(earlier[-3:]))
                said = (quote, part, mask(part), whole, context, parents, over, item.listed)
                found.append(Statement(*said, number, question, item.heading))
                heads.append(part)
            earlier.append(text)
    return found


def mask(text: str) -> str:
    """`text` with the inside of every quotation masked, except values such as `16px` or `#fff`; same length."""

    def hide(match: re.Match[str]) -> str:
        inside = next(group for group in match.groups() if group is not None)
        if re.fullmatch(r"[#\d][\w.%#]*|rgba?\([\d ,.]+\)", inside.strip()) and not inside.strip().isdigit():
            return " " + inside + " "
        return match.group(0)[0] + MASK * (len(match.group(0)) - 2) + match.group(0)[-1]

    return QUOTES.sub(hide, text)


def quotations(text: str) -> list[tuple[int, int, str]]:
    """(start, end, words) of every quotation in `text`, without the marks."""
    return [
        (match.start(), match.end(), next(group for group in match.groups() if group is not None).strip())
        for match in QUOTES.finditer(text)
    ]


def plain(raw: str) -> str:
    """Markdown emphasis, line breaks, and variants of arrows and apostrophes made uniform; lower case."""
    text = re.sub(r"\*+|(?<!\w)_+|_+(?!\w)|<[a-z/][^>\n]{0,40}>", " ", raw)
    text = re.sub(r"-{1,2}>|=>|⟶|➜|➔|⇒|▶|➡️?|⮕", "→", text)
    text = re.sub(r"(?<=\w)’(?=\w)", "'", text)
    text = re.sub(r"`((?:border|line|letter|font|padding|margin|opacity|color|background)[a-z-]*)`", r"\1", text)
    text = re.sub(r"\bthen (?=before\b|in the (?:first|before)|it was)", "than ", text, flags=re.IGNORECASE)
    return re.sub(r"\s+", " ", text).strip().lower()


def _fields(answer: str) -> list[_Item]:
    """The objects of an answer in JSON, each an item: its plain values in order; names of fields stand over them."""
    text = re.sub(r"\A```\w*|```\Z", "", answer.strip()).strip()
    if not text.startswith(("{", "[")):
        return []
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    found: list[_Item] = []
    pending: list[tuple[Any, tuple[str, ...]]] = [(value, ())]
    while pending:
        node, keys = pending.pop(0)
        if isinstance(node, list):
            pending[:0] = [(child, keys) for child in node]
        elif isinstance(node, dict):
            words = {name: plain(re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", name)) for name in node}
            leaves = {name: child for name, child in node.items() if not isinstance(child, list | dict)}
            if leaves:
                found.append(_object(leaves, words, keys, answer))
            pending[:0] = [(child, (*keys, words[name])) for name, child in node.items() if name not in leaves]
        else:
            found.append(_object({"": node}, {"": ""}, keys, answer))
    return found


def _object(leaves: dict[str, Any], words: dict[str, str], keys: tuple[str, ...], answer: str) -> _Item:
    parts, names = [], [*keys]
    for name, leaf in leaves.items():
        value = {True: "yes", False: "no", None: "none"}.get(leaf, leaf) if not isinstance(leaf, str) else leaf
        key = words[name]
        side = "before: " if _FIRST.search(key) else "after: " if _SECOND.search(key) else ""
        names += [] if side else [key]
        parts.append(f"; {side}{value}" if side else f": {value}")
    raw = "…".join(str(leaf) for leaf in leaves.values()) if "\\" not in answer else answer.strip()
    return _Item(raw, (), True, 1, True, " ".join(parts).strip(" :;"), tuple(names))


def _items(answer: str) -> Iterator[_Item]:
    """Paragraphs, list items and table rows; lines that only detail the item above are joined to it."""
    stack: list[tuple[int, str, str]] = []
    current: _Item | None = None
    header: list[str] | None = None
    blank = True
    for line in answer.split("\n"):
        if not line.strip():
            blank, header = True, None
            continue
        if line.strip().startswith("```"):
            continue
        if line.strip().startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if all(re.fullmatch(r":?-{2,}:?|", cell) for cell in cells):
                continue
            if current:
                yield current
                current = None
            if header is None:
                header = [in_english(plain(cell)) for cell in cells]
            else:
                row = _row(line, header, cells, tuple(text for _, text, _ in reversed(stack)))
                row.over = tuple(over for *_, over in stack)
                yield row
            continue
        header = None
        match = _LINE.match(line)
        assert match is not None
        indent, marker, body = match.groups()
        marker = (marker or "").strip()
        listed = bool(marker) and marker[0] not in "#>"
        level = len(indent.expandtabs(4)) + 1 if listed else len(marker) - 10 if marker.startswith("#") else 0
        labelled = bool(_LABEL.match(plain(body)))
        detail = not marker and not blank and current is not None and (current.listed or labelled)
        if current and (detail or (labelled and (current.labelled or level > current.level or not current.listed))):
            current.raw += "\n" + line
            current.shown += " ; " + body
            current.labelled |= labelled
            blank = False
            continue
        if current:
            current.heading |= level > current.level and not current.listed
            yield current
        while stack and stack[-1][0] >= level:
            stack.pop()
        parents, over = tuple(text for _, text, _ in reversed(stack)), tuple(over for *_, over in stack)
        heading = marker.startswith("#") or body.rstrip(" *_").endswith((":", "："))
        stands_over = listed or heading or bool(re.search(r"\b(?:following|below|these)\b", body, re.IGNORECASE))
        last = re.split(r"(?<=[.!?])\s+(?=\S)", plain(body))[-1] if stands_over else ""
        stack.append((level, plain(body), last))
        current = _Item(line.strip(), parents, listed, level, labelled, body, over=over, heading=heading)
        blank = False
    if current:
        yield current


def _row(line: str, header: list[str], cells: list[str], parents: tuple[str, ...]) -> _Item:
    """A table row as a sentence; columns named for a screenshot become its before and after."""
    parts, names = [], []
    for index, cell in enumerate(cells):
        name = header[index] if index < len(header) else ""
        if _FIRST.search(name):
            parts.append(f"; before: {cell}")
        elif _SECOND.search(name):
            parts.append(f"; after: {cell}")
        elif cell:
            parts.append(f": {cell}")
            names.append(name)
    return _Item(line.strip(), parents, True, 1, True, " ".join(parts).strip(" :;"), tuple(names))


def _sentences(item: _Item) -> Iterator[tuple[str, str]]:
    """(words as in the answer, plain text) of each sentence; an item with before/after labels stays whole."""
    if item.labelled:
        yield item.raw, plain(item.shown)
        return
    raw, start = item.raw, 0
    marker = _LINE.match(raw)
    if marker and marker.group(2):
        start = marker.start(3)
    hidden = mask(raw)
    for end in _SENTENCE_END.finditer(hidden):
        if _ABBREVIATION.search(raw[max(start, end.start() - 8) : end.start() + 1]):
            continue
        if raw[start : end.end()].strip():
            yield raw[start : end.end()].strip(), plain(raw[start : end.end()])
        start = end.end()
    if raw[start:].strip():
        yield raw[start:].strip(), plain(raw[start:])


def _clauses(raw: str, text: str, faithful: bool) -> Iterator[tuple[int, int, str]]:
    """(start, end, quote) of the clauses of a sentence; before/after statements are kept together."""
    if re.search(r"\bbefore:|\bafter:|→", text):
        yield 0, len(text), raw
        return
    cuts = [
        0,
        *(match.end() if match.group(0).strip() else match.start() for match in _CLAUSE_BREAK.finditer(mask(text))),
        len(text),
    ]
    spans = _speaking(mask(text), cuts)
    cursor = 0
    for start, end in spans:
        first, cursor = _locate(raw, text[start:end], cursor)
        yield start, end, raw if len(spans) == 1 or not faithful else raw[first:cursor]


def _speaking(masked: str, cuts: list[int]) -> list[tuple[int, int]]:
    """The spans between `cuts`, joined until each says something of its own: an effect, sameness or a turn."""
    spans: list[tuple[int, int]] = []
    open_from = 0
    for start, end in zip(cuts, cuts[1:], strict=False):
        part = masked[start:end]
        # What only turns belongs to what it stands over; at the end it stands for itself.
        if ANY_WORD.search(part) or speech.same(part) or (end == len(masked) and speech.turned(part)):
            spans.append((open_from, end))
            open_from = end
    if masked[open_from:].strip():
        spans[-1:] = [(spans[-1][0] if spans else 0, len(masked))]
    return spans


def _locate(raw: str, part: str, cursor: int) -> tuple[int, int]:
    """Start and end in `raw`, from `cursor` on, of the words of `part`, whatever markdown stands between them."""
    lower = raw.lower()
    if len(lower) != len(raw):
        return 0, len(raw)
    first: int | None = None
    for word in part.strip(" ,;").split():
        found = lower.find(word, cursor, cursor + len(word) + 100)
        if found >= 0:
            first = found if first is None else first
            cursor = found + len(word)
    return (cursor if first is None else first), cursor
