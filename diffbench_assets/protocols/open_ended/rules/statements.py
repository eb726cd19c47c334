"""An answer split into statements, each with the words around it that may name its element.

Belongs here: lines, bullets, tables, headings, sentences and clauses; which statements are about the task, are
questions, withdraw what was said, or deny. Does not belong here: elements and effects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from diffbench_assets.protocols.open_ended.rules import speech
from diffbench_assets.protocols.open_ended.rules.lexicon import ANY_WORD

MASK = "\ue000"
"""Stands for every character inside quotation marks, so that quoted page text is never read as a claim."""

LONGEST_CLAIM = 800
"""Characters of a clause that are read; nobody needs more to name one difference."""

_QUOTES = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|„([^“”\n]{1,300})[“”]|«([^»\n]{1,300})»|「([^」\n]{1,300})」"
    r"|『([^』\n]{1,300})』"
    r"|`([^`\n]{1,300})`|‘([^’\n]{1,300})’(?!\w)|(?<!\w)'([^'\n]{1,300})'(?!\w)"
)
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
_SENTENCE_END = re.compile(r"[.!?][\"”')\]]*(?=\s+[^\sa-z])|[。！？](?!$)|\n(?=\s*\n)")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|fig|no|etc|ca|cf|dr|mr|ms|st|px)|^\d{1,3})\.$", re.IGNORECASE)
_CLAUSE_BREAK = re.compile(
    r"\s*;\s*|,?\s+(?:while|whereas|but|however|yet|although|though)\s+(?!if\b)|,?\s+(?:and|plus)\s+(?=(?:the|its"
    r"|it|their|a|an|there|also)\b)"
    r"|,\s+(?=(?:the|it|there|which)\b)|,?\s+(?=(?:except(?: for| that)?|apart from|other than|besides|aside from)\b)"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause of the answer.

    quote: the words as they stand in the answer. text: the same, lower case, markdown gone, one line. masked: `text`
    with quotations masked, same length. context: texts that may name its element when it does not, nearest first.
    listed: it stands in a list or table of differences. sentence: number of the sentence, shared by its clauses.
    item: number of the paragraph or list item.
    """

    quote: str
    text: str
    masked: str
    context: tuple[str, ...]
    listed: bool
    sentence: int
    item: int
    question: bool


@dataclass(slots=True)
class _Item:
    raw: str
    parents: tuple[str, ...]
    listed: bool
    level: int
    labelled: bool = False
    shown: str = ""


def statements(answer: str) -> list[Statement]:
    """Every clause of `answer`, in order."""
    found: list[Statement] = []
    sentence = 0
    for number, item in enumerate(_items(answer)):
        earlier: list[str] = []
        for raw, text in _sentences(item):
            if not any(map(str.isalnum, text)):
                continue
            sentence += 1
            question = raw.rstrip(' *_"”)').endswith(("?", "？"))
            heads: list[str] = []
            for start, end, quote in _clauses(raw, text):
                part = text[start : min(end, start + LONGEST_CLAIM)]
                context = (*reversed(heads[-3:]), *reversed(earlier[-3:]), *item.parents)
                found.append(Statement(quote, part, mask(part), context, item.listed, sentence, number, question))
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

    return _QUOTES.sub(hide, text)


def quotations(text: str) -> list[tuple[int, int, str]]:
    """(start, end, words) of every quotation in `text`, without the marks."""
    return [
        (match.start(), match.end(), next(group for group in match.groups() if group is not None).strip())
        for match in _QUOTES.finditer(text)
    ]


def plain(raw: str) -> str:
    """Markdown emphasis, line breaks, and variants of arrows and apostrophes made uniform; lower case."""
    text = re.sub(r"\*+|(?<!\w)_+|_+(?!\w)|~~|<[a-z/][^>\n]{0,40}>", " ", raw)
    text = re.sub(r"-{1,2}>|=>|⟶|➜|➔|⇒|▶|➡️?|⮕", "→", text)
    text = re.sub(r"(?<=\w)’(?=\w)", "'", text)
    return re.sub(r"\s+", " ", text).strip().lower()


def _items(answer: str) -> Iterator[_Item]:
    """Paragraphs, list items and table rows; lines that only detail the item above are joined to it."""
    stack: list[tuple[int, str]] = []
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
                header = [plain(cell) for cell in cells]
            else:
                yield _row(line, header, cells, tuple(text for _, text in reversed(stack)))
            continue
        header = None
        match = _LINE.match(line)
        assert match is not None
        indent, marker, body = match.groups()
        marker = (marker or "").strip()
        level = (
            len(indent.expandtabs(4)) + 1
            if marker and marker[0] not in "#>"
            else len(marker) - 10
            if marker.startswith("#")
            else 0
        )
        labelled = bool(_LABEL.match(plain(body)))
        detail = not marker and not blank and current is not None and (current.listed or labelled)
        if current and (detail or (labelled and (current.labelled or level > current.level or not current.listed))):
            current.raw += "\n" + line
            current.shown += " ; " + body
            current.labelled |= labelled
            blank = False
            continue
        if current:
            yield current
        while stack and stack[-1][0] >= level:
            stack.pop()
        parents = tuple(text for _, text in reversed(stack))
        stack.append((level, plain(body)))
        current = _Item(line.strip(), parents, bool(marker) and marker[0] not in "#>", level, labelled, body)
        blank = False
    if current:
        yield current


def _row(line: str, header: list[str], cells: list[str], parents: tuple[str, ...]) -> _Item:
    """A table row as a sentence; columns named for a screenshot become its before and after."""
    parts = []
    for index, cell in enumerate(cells):
        name = header[index] if index < len(header) else ""
        if re.search(r"\bbefore\b|\bfirst\b|\b1\b|\boriginal\b|\bold\b|\bwas\b", name):
            parts.append(f"before: {cell}")
        elif re.search(r"\bafter\b|\bsecond\b|\b2\b|\bnew\b|\bnow\b|\bmodified\b", name):
            parts.append(f"after: {cell}")
        elif cell:
            parts.append(cell)
    return _Item(line.strip(), parents, True, 1, True, " ; ".join(parts))


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


def _clauses(raw: str, text: str) -> Iterator[tuple[int, int, str]]:
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
        yield start, end, raw if len(spans) == 1 else raw[first:cursor]


def _speaking(masked: str, cuts: list[int]) -> list[tuple[int, int]]:
    """The spans between `cuts`, joined until each says something of its own: an effect, sameness or doubt."""
    spans: list[tuple[int, int]] = []
    open_from = 0
    for start, end in zip(cuts, cuts[1:], strict=False):
        part = masked[start:end]
        if ANY_WORD.search(part) or speech.same(part) or speech.doubts(part):
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
