"""Stylesheets cut to what a page can match.

Belongs here: finding the rules of a stylesheet's text, and leaving out those that ask for a class, id or tag that the
page does not have. What stays is the author's own text. Does not belong here: reading what rules say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

MAX_NESTING: Final = 64
"""Blocks inside blocks that are looked into; what nests deeper stays as it is."""
_CONDITIONAL: Final = frozenset({"media", "supports", "layer", "container", "starting-style"})

_Needs = tuple[frozenset[str], ...]
_Piece = tuple[_Needs | None, str]
"""Text, and the names that each of its selectors asks for; None for text that stays whatever the page has."""

_STRING: Final = r"\"(?:\\.|[^\"\\\n])*+(?:\"|(?=\n)|\Z)|'(?:\\.|[^'\\\n])*+(?:'|(?=\n)|\Z)"
_MARK = re.compile(
    rf"/\*.*?(?:\*/|\Z)|{_STRING}|url\(\s*+(?:\\.|[^)\"'\\\s])*+\s*+(?:\)|\Z)|\\.|[{{}}()\[\];]",
    re.IGNORECASE | re.DOTALL,
)
_SPACE = re.compile(r"(?:\s|/\*.*?(?:\*/|\Z)|<!--|-->)+", re.DOTALL)
_AT = re.compile(r"@([-\w]+)")
_SELECTOR_TOKEN = re.compile(
    r"""(?P<name>[.\#](?:\\[0-9a-fA-F]{1,6}\s?|\\.|[-\w]|[^\x00-\x7f])+)"""
    rf"""|(?P<comment>/\*.*?\*/)|(?P<string>{_STRING})|(?P<open>[(\[])|(?P<close>[)\]])|(?P<comma>,)|\\."""
    r"""|::?-?\w[-\w]*|(?P<tag>[a-zA-Z][-\w]*)(?!\|)""",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_CLOSING: Final = {"{": "}", "(": ")", "[": "]"}


def cut(css: str, names: frozenset[str]) -> str:
    """The stylesheet without the style rules that cannot match a tree having exactly `names`.

    `names` are case-folded: `.class`, `#id`, `tag`. Blocks and comments that the text leaves open are closed, and a
    rule behind a brace too many is left out, as browsers do; so the text can stand inside another block.
    """
    return "".join(text for needs, text in _pieces(css) if needs is None or any(need <= names for need in needs))


def class_names(css: str) -> frozenset[str]:
    """The classes that the stylesheet has rules for, case-folded."""
    needs = (need for found, _ in _pieces(css) for need in found or ())
    return frozenset(name[1:] for need in needs for name in need if name[0] == ".")


def unescape(text: str) -> str:
    """CSS text with its backslash escapes resolved; code points outside Unicode become U+FFFD."""

    def character(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[2]
        code = int(match[1], 16)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"

    return _ESCAPE.sub(character, text) if "\\" in text else text


def selector_needs(selectors: str) -> _Needs:
    """Per selector of a list, the classes, ids and tags it cannot match without.

    Names inside `:not()`, `:is()`, `[…]` and other arguments are left out: that errs on the side of keeping a rule.
    """
    needs: list[frozenset[str]] = []
    current: set[str] = set()
    depth = 0
    for match in _SELECTOR_TOKEN.finditer(selectors):
        kind = match.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif depth == 0 and kind in ("name", "tag"):
            current.add(unescape(match[0]).casefold())
        elif depth == 0 and kind == "comma":
            needs.append(frozenset(current))
            current = set()
    needs.append(frozenset(current))
    return tuple(needs)


@lru_cache(maxsize=256)
def _pieces(css: str) -> tuple[_Piece, ...]:
    return tuple(_rules(css, 0, 0)[0])


def _rules(css: str, at: int, depth: int) -> tuple[list[_Piece], int]:
    """The pieces of a list of rules from `at`, and where it ends: behind its brace, or with the text."""
    pieces: list[_Piece] = []
    while at < len(css):
        if space := _SPACE.match(css, at):
            at = space.end()
            continue
        if css[at] == "}" and depth:
            return pieces, at + 1
        start, stop, opened = at, *_prelude(css, at, depth)
        prelude = css[start:stop]
        keyword = _AT.match(prelude)
        if not opened:
            at = stop + (css[stop : stop + 1] == ";")
            if keyword:
                pieces.append((None, f"{prelude};"))
            continue
        if keyword and keyword[1].lower() in _CONDITIONAL and depth < MAX_NESTING:
            inner, at = _rules(css, stop + 1, depth + 1)
            pieces += [(None, f"{prelude}{{"), *inner, (None, "}")]
            continue
        body, at = _block(css, stop)
        if keyword:
            pieces.append((None, prelude + body))
        elif "}" not in prelude:
            pieces.append((selector_needs(prelude), prelude + body))
    return pieces, at


def _marks(css: str, at: int) -> Iterator[re.Match[str]]:
    return (match for match in _MARK.finditer(css, at) if match[0][0] in "{}()[];")


def _prelude(css: str, at: int, depth: int) -> tuple[int, bool]:
    """Where the text before a rule's block ends, and whether a block begins there; else the rule is a statement."""
    open_brackets: list[str] = []
    for match in _marks(css, at):
        mark = match[0]
        if open_brackets and mark == open_brackets[-1]:
            open_brackets.pop()
        elif mark in "([" or (mark == "{" and open_brackets):
            open_brackets.append(_CLOSING[mark])
        elif not open_brackets:
            if mark == "{":
                return match.start(), True
            if (mark == ";" and css[at] == "@") or (mark == "}" and depth):
                return match.start(), False
    return len(css), False


def _block(css: str, at: int) -> tuple[str, int]:
    """The block that opens at `at`, its brackets closed where the text ends before they are; and where it ends."""
    open_brackets: list[str] = []
    for match in _MARK.finditer(css, at):
        mark = match[0]
        if mark in _CLOSING:
            open_brackets.append(_CLOSING[mark])
        elif open_brackets and mark == open_brackets[-1]:
            open_brackets.pop()
            if not open_brackets:
                return css[at : match.end()], match.end()
    return _closed(css[at:], match[0] if match.end() == len(css) else "") + "".join(reversed(open_brackets)), len(css)


def _closed(tail: str, token: str) -> str:
    """Text that ends with `token`, which the text may have left open."""
    if token.startswith("/*"):
        return tail if len(token) > 3 and token.endswith("*/") else tail + "*/"
    if token[:1] in ("'", '"'):
        return tail if len(token) > 1 and token[-1] == token[0] else tail + token[0]
    if token[:4].lower() == "url(":
        return tail if token.endswith(")") else tail + ")"
    return tail.removesuffix("\\")
