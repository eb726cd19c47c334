"""CSS text with its addresses replaced and its imports resolved, otherwise as it was written.

Belongs here: finding addresses, imports, font sources and generic families in CSS text. Does not belong here: what an
address becomes (`snapshot/write.py`), which rules are kept (`cut.py`).

A scanner, not a parser: it knows comments, strings and `url()`, and leaves every other character alone, so that the
browser reads the same rules again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from ada_url import join_url

from diffbench_assets.pages.cut import cut, unescape

MAX_IMPORTS: Final = 200
"""Stylesheets that one page may import."""
MAX_DEPTH: Final = 12
GENERIC: Final = ("sans-serif", "serif", "monospace", "cursive", "fantasy", "system-ui", "math", "-webkit-body")
"""Families by keyword, which a page cannot declare; as names it can."""

# Possessive, and matching even when unterminated, so that broken text takes no longer than sound text.
_STRING: Final = r"(?:\"(?:\\.|[^\"\\\n])*+(?:\"|(?=\n)|\Z)|'(?:\\.|[^'\\\n])*+(?:'|(?=\n)|\Z))"
_URL: Final = rf"url\(\s*+(?:{_STRING}|(?:\\.|[^)\"'\\\s])*+)\s*+\)"
_SCAN = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z))|(?P<escape>\\.)"
    rf"|(?P<imported>@import\s*(?:{_URL}|{_STRING})(?:{_STRING}|[^;\"'])*+(?:;|\Z))"
    rf"|(?P<namespace>@namespace\b(?:{_URL}|{_STRING}|[^;\"'])*+(?:;|\Z))"
    rf"|(?P<face>@font-face\s*\{{(?:{_STRING}|{_URL}|/\*.*?\*/|[^}}\"'])*+(?:\}}|\Z))"
    rf"|(?P<set>(?:-webkit-)?image-set\((?:{_STRING}|{_URL}|[^()\"']|\([^()]*+\))*+\))"
    rf"|(?P<url>{_URL})|(?P<broken>(?:url|src)\([^)]*+(?:\)|\Z))|(?P<string>{_STRING})"
    r"|:state\(\s*(?P<state>[-\w]+)\s*\)|(?P<defined>:defined)(?![-\w(])"
    rf"|(?<=[:,\s])(?P<generic>{'|'.join(GENERIC)})(?=\s*[,;}}!]|\s*\Z)",
    re.IGNORECASE | re.DOTALL,
)
# Names whose letters are escaped are names all the same: `u\72l(`, `@\69mport`.
_ESCAPED_NAME = re.compile(
    r"(?<![-\w\\])(?:[-a-z]|\\[0-9a-f]{1,6}\s?|\\[g-z])+(?=\()|@(?:[-a-z]|\\[0-9a-f]{1,6}\s?|\\[g-z])+", re.I
)
_IMPORT = re.compile(rf"@import\s*(?P<target>{_URL}|{_STRING})(?P<rest>[^;]*+);?\Z", re.IGNORECASE | re.DOTALL)
_LAYER = re.compile(r"\s*layer(?:\(([^)]*)\))?(?![\w-])", re.IGNORECASE)
_SUPPORTS = re.compile(r"\s*supports\(((?:[^()]|\([^()]*\))*+)\)", re.IGNORECASE)
_FACE_SOURCE = re.compile(rf"(?<![\w-])src\s*:\s*((?:{_STRING}|{_URL}|[^;}}\"'])*+)", re.IGNORECASE | re.DOTALL)


def address_of(text: str) -> str:
    """The address in a `url(…)` or string token."""
    inner = text[4:-1].strip() if text[:4].lower() == "url(" else text
    return unescape(inner[1:-1] if inner[:1] in "\"'" and inner else inner).strip()


def css_string(text: str) -> str:
    """Text as the inside of a double-quoted CSS string."""
    return re.sub(r'["\\\n\r\f\0]', lambda match: f"\\{ord(match[0]):x} ", text)


class StyleWriter:
    """Rewrites the CSS of one page.

    `embed` turns an absolute address into a `data:` one, or None. `face` turns the descriptors of an `@font-face` rule
    and the address of its file into the rule that is kept, or None when the browser has no such file. `sheets` holds
    the text of imported stylesheets by address. `names` are those of `cut.cut`. `scripted`: whether states that only
    scripts give stand in attributes.
    """

    def __init__(
        self,
        embed: Callable[[str], str | None],
        face: Callable[[str, str], str | None] = lambda descriptors, address: None,
        sheets: Mapping[str, str] = MappingProxyType({}),
        names: frozenset[str] = frozenset(),
        scripted: bool = False,
    ) -> None:
        self._embed = embed
        self._make_face = face
        self._sheets = sheets
        self._names = names
        self._scripted = scripted
        self._imports = 0

    def sheet(self, css: str, base: str) -> str:
        """A stylesheet's text; addresses are relative to `base`."""
        return self._rewrite(cut(_plainly_named(css), self._names), base, 0, ())

    def inline(self, css: str, base: str) -> str:
        """The text of a style attribute, or of any other attribute that holds a CSS value."""
        return self._rewrite(_plainly_named(css), base, MAX_DEPTH, ())

    def _rewrite(self, css: str, base: str, depth: int, open_sheets: tuple[str, ...]) -> str:
        def replace(match: re.Match[str]) -> str:
            kind, text = match.lastgroup, match[0]
            if kind == "url":
                return self._url(address_of(text), base)
            if kind == "generic":
                return f'"{text.lower()}"'
            if kind == "set":
                return self._image_set(text, base)
            if kind == "face":
                return self._face(text, base)
            if kind == "imported":
                return self._imported(text, base, depth, open_sheets)
            if kind == "state" and self._scripted:
                return f'[data-diffbench-state~="{match["state"]}"]'
            if kind == "defined" and self._scripted:
                return ":not([data-diffbench-undefined])"
            if kind == "broken":
                return "none"
            # What a comment keeps apart stays apart.
            return "/**/" if kind == "comment" else text

        return _SCAN.sub(replace, css)

    def _url(self, address: str, base: str) -> str:
        if address.startswith("#"):
            return f'url("{css_string(address)}")'
        found = self._embed(address if address[:5].lower() == "data:" else _joined(base, address))
        # `none` is what an image that did not load amounts to.
        return f'url("{found}")' if found else "none"

    def _image_set(self, text: str, base: str) -> str:
        """The one candidate that the browser loaded."""
        for match in re.finditer(rf"{_URL}|{_STRING}", text, re.IGNORECASE | re.DOTALL):
            value = self._url(address_of(match[0]), base)
            if value != "none":
                return value
        return "none"

    def _face(self, text: str, base: str) -> str:
        """An `@font-face` rule with the one source that the browser loaded; nothing when it loaded none."""
        sources = " ".join(match[1] for match in _FACE_SOURCE.finditer(text))
        rest = _FACE_SOURCE.sub("", text[text.index("{") + 1 : -1])
        for match in re.finditer(_URL, sources, re.IGNORECASE | re.DOTALL):
            address = address_of(match[0])
            made = self._make_face(rest, address if address[:5].lower() == "data:" else _joined(base, address))
            if made:
                return made
        return ""

    def _imported(self, text: str, base: str, depth: int, open_sheets: tuple[str, ...]) -> str:
        parts = _IMPORT.match(text)
        if parts is None or depth >= MAX_DEPTH or self._imports >= MAX_IMPORTS:
            return ""
        address = _joined(base, address_of(parts["target"]))
        if address not in self._sheets or address in open_sheets:
            return ""
        self._imports += 1
        css = cut(_plainly_named(self._sheets[address]), self._names)
        css = self._rewrite(css, address, depth + 1, (*open_sheets, address))
        rest = parts["rest"]
        layer = _LAYER.match(rest)
        rest = rest[layer.end() :] if layer else rest
        supports = _SUPPORTS.match(rest)
        media = (rest[supports.end() :] if supports else rest).strip()
        if media:
            css = f"@media {media}{{{css}}}"
        if supports:
            condition = supports[1].strip()
            css = f"@supports {condition if condition.startswith('(') else f'({condition})'}{{{css}}}"
        if layer:
            css = f"@layer {(layer[1] or '').strip()}{{{css}}}"
        return css


def _plainly_named(css: str) -> str:
    return _ESCAPED_NAME.sub(lambda match: unescape(match[0]), css) if "\\" in css else css


def _joined(base: str, address: str) -> str:
    """The absolute address as browsers read and write it."""
    try:
        return str(join_url(base, address))
    except ValueError:
        return ""
