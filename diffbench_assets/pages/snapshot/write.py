"""The text of a snapshot, from what was captured: references become `data:` addresses, stylesheets `<style>` elements.

Belongs here: what each reference becomes. Does not belong here: asking the browser (`capture.py`), CSS text (`css.py`).
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from diffbench_assets.pages import fonts, scales, used_fonts
from diffbench_assets.pages.css import StyleWriter
from diffbench_assets.pages.cut import unescape
from diffbench_assets.pages.drawings import sprite
from diffbench_assets.pages.pictures import BROKEN, data_bytes, data_uri, empty, picture_uri, width
from diffbench_assets.pages.used_fonts import Sample, Use

MAX_TEXT: Final = 48 * 2**20
"""Characters of a snapshot."""
MAX_SIDE: Final = 4000

_FAMILY = re.compile(r"(?<![\w-])font-family\s*:\s*([^;}]+)", re.IGNORECASE)
_RANGE = re.compile(r"(?<![\w-])unicode-range\s*:\s*([^;}]+)", re.IGNORECASE)
_SPAN = re.compile(r"[uU]\+([0-9a-fA-F?]{1,6})(?:-([0-9a-fA-F]{1,6}))?")
_TAG = re.compile(r"[\"']([\x20-\x7e]{4})[\"']")
_FEATURES: Final = {
    "small-caps": "smcp", "all-small-caps": "smcp c2sc", "petite-caps": "pcap", "all-petite-caps": "pcap c2pc",
    "unicase": "unic", "titling-caps": "titl", "lining-nums": "lnum", "oldstyle-nums": "onum",
    "proportional-nums": "pnum", "tabular-nums": "tnum", "diagonal-fractions": "frac numr dnom",
    "stacked-fractions": "afrc", "ordinal": "ordn", "slashed-zero": "zero", "discretionary-ligatures": "dlig",
    "historical-ligatures": "hlig", "jis78": "jp78", "jis83": "jp83", "jis90": "jp90", "jis04": "jp04",
    "simplified": "smpl", "traditional": "trad", "full-width": "fwid", "proportional-width": "pwid", "ruby": "ruby",
    "sub": "subs", "super": "sups", "historical-forms": "hist",
}  # fmt: skip
"""What each value of `font-variant` asks of a font."""
_ALTERNATES: Final = (
    "salt", "swsh", "cswh", "ornm", "nalt", *(f"ss{n:02}" for n in range(1, 21)), *(f"cv{n:02}" for n in range(1, 100)),
)  # fmt: skip


@dataclass(frozen=True)
class Resource:
    """What the browser received for one address; `text` is that of a stylesheet."""

    kind: str
    data: bytes = b""
    text: str = ""


@dataclass(frozen=True)
class Box:
    """Edges of a content box in CSS px, from the viewport's top left."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Captured:
    """A page as `snapshot.js` wrote it down, with all that it refers to.

    `parts` are strings and references in turn; `boxes` the size and the PNG of each box; `defaults` the families that a
    browser gives html, pre, button, date fields and math; `names` the tags, `.classes` and `#ids` of the page;
    `features` what it asks of fonts. `scripted`: whether scripts ran in the page.
    """

    parts: Sequence[Any]
    sheets: Sequence[Mapping[str, str]]
    base: str
    defaults: Sequence[str]
    texts: Sequence[Sample]
    names: Sequence[str]
    features: Sequence[str]
    resources: Mapping[str, Resource]
    boxes: Sequence[tuple[tuple[int, int], bytes | None]]
    scripted: bool


class Draft:
    """A snapshot's text but for the system's fonts, some of which only the browser can tell.

    Raises ValueError when it is larger than MAX_TEXT.
    """

    def __init__(self, captured: Captured) -> None:
        self._captured = captured
        self._own: dict[str, frozenset[str]] = {}
        self._sprites: set[str] = set()
        sheets = {url: found.text for url, found in captured.resources.items() if found.kind == "Stylesheet"}
        self._sheets = sheets
        self._styles = StyleWriter(self._picture_of, self._face, sheets, self._names(), captured.scripted)
        self._text = "".join(part if isinstance(part, str) else self._reference(part) for part in captured.parts)
        if len(self._text) > MAX_TEXT:
            raise ValueError(f"{len(self._text) / 2**20:.0f} MB")
        self.uses: list[Use] = used_fonts.plan(captured.texts, self._own)

    def finished(self, drawn: Mapping[int, Mapping[str, str]]) -> str:
        """The whole document. `drawn` says which family draws what the uses are lacking; see `used_fonts.rules`."""
        quoted = [self._styles.inline(f"font-family:{name}", "") for name in self._captured.defaults]
        selectors = (
            "html", "pre,code,kbd,samp,tt,listing,xmp,textarea", "button,input,select,::file-selector-button",
            "input:is([type=date i],[type=datetime-local i],[type=month i],[type=time i],[type=week i])", "math",
        )  # fmt: skip
        rules = "".join(f"{selector}{{{family}}}" for selector, family in zip(selectors, quoted, strict=True))
        faces = used_fonts.rules(self.uses, drawn, self._own, self._features)
        css = f"@layer {fonts.SYSTEM_LAYER}{{{rules}}}{faces}".replace("</", "<\\/")
        return re.sub(r"<head(?=[\s>])[^>]*>", lambda match: f"{match[0]}<style>{css}</style>", self._text, count=1)

    def _names(self) -> frozenset[str]:
        """The page's names, with every class that an operator may put in the place of one."""
        classes = [name[1:] for name in self._captured.names if name[0] == "."]
        ladders = {f".{other}" for name in classes for other in scales.all_siblings(name)}
        return frozenset(name.casefold() for name in {*self._captured.names, *ladders})

    @cached_property
    def _features(self) -> frozenset[str]:
        asked = " ".join(self._captured.features)
        tags = {match[1] for match in _TAG.finditer(asked)}
        words = set(re.findall(r"[\w-]+", _TAG.sub("", asked)))
        tags.update(*(_FEATURES[word].split() for word in words & _FEATURES.keys()))
        return frozenset(tags | set(_ALTERNATES) if "(" in asked else tags)

    @cached_property
    def _characters(self) -> frozenset[str]:
        return frozenset().union(*(text.characters for text in self._captured.texts)) | fonts.PRINTABLE_ASCII

    @cached_property
    def _families(self) -> frozenset[str]:
        """The names of all stacks that draw something, case-folded."""
        stacks = {text.stack for text in self._captured.texts}
        return frozenset(name.casefold() for stack in stacks for name in used_fonts.family_names(stack))

    def _reference(self, reference: Mapping[str, Any]) -> str:
        if "style" in reference:
            return _attribute("style", self._styles.inline(reference["style"], self._captured.base))
        if "paint" in reference:
            return _attribute(reference["attribute"], self._styles.inline(reference["paint"], self._captured.base))
        if "sheet" in reference:
            return self._sheet(self._captured.sheets[reference["sheet"]], reference["foreign"])
        if "picture" in reference:
            return self._picture(reference)
        if "box" in reference:
            size, png = self._captured.boxes[reference["box"]]
            return _attribute("src", data_uri("image/png", png) if png else empty(size))
        if "pending" in reference:
            # A picture that had not been asked for yet, being far below the viewport.
            size = (min(reference["width"], MAX_SIDE), min(reference["height"], MAX_SIDE))
            return _attribute("src", empty(size)) if min(size) > 0 else ' alt=""'
        if "use" in reference:
            return _attribute("href", f"#{self._prefix(reference['use'])}{reference['fragment']}")
        return self._sprite(reference["sprite"])

    def _sheet(self, sheet: Mapping[str, str], foreign: bool) -> str:
        css = self._styles.sheet(
            sheet["css"] if "css" in sheet else self._sheets.get(sheet["sheet"], ""), sheet["base"]
        )
        return html.escape(css, quote=False) if foreign else css.replace("</", "<\\/")

    def _picture(self, reference: Mapping[str, Any]) -> str:
        uri = self._picture_of(reference["picture"])
        name = reference["attribute"]
        if uri is None:
            return _attribute(name, BROKEN) if name == "src" else ""
        text = f' {name}="{uri}"'  # megabytes of base64, in which nothing is to be escaped
        drawn, stored = reference.get("width"), width(uri) if reference.get("width") else None
        if drawn and stored and drawn != stored:
            # A candidate of a `srcset` is drawn at the size its descriptor gives, not at the size of its file.
            text += f' srcset="{uri} {stored / drawn:.6g}x"'
        return text

    def _picture_of(self, address: str) -> str | None:
        """What an absolute address becomes; None when the browser has nothing for it."""
        if address[:5].lower() == "data:":
            data = data_bytes(address)
            return self._with_fragment(picture_uri(data), address) if data else None
        bare, _, fragment = address.partition("#")
        resource = self._captured.resources.get(bare)
        if resource is None or resource.kind == "Stylesheet":
            return None
        return self._with_fragment(picture_uri(resource.data), address) if resource.data else None

    @staticmethod
    def _with_fragment(uri: str, address: str) -> str:
        """A drawing's fragment names a view or a part of it."""
        fragment = address.rpartition("#")[2] if "#" in address and uri.startswith("data:image/svg") else ""
        return f"{uri}#{fragment}" if re.fullmatch(r"[\w.()=,%-]+", fragment) else uri

    def _face(self, descriptors: str, address: str) -> str | None:
        """An `@font-face` rule of the page with its font cut to what is used."""
        data = data_bytes(address) if address[:5].lower() == "data:" else None
        if data is None:
            resource = self._captured.resources.get(address.partition("#")[0])
            data = resource.data if resource is not None and resource.kind == "Font" else None
        named = _FAMILY.search(descriptors)
        if not data or named is None:
            return None
        name = " ".join(used_fonts.family_names(unescape(named[1])))
        font = fonts.own_font(data)
        if font is None or name.casefold() not in self._families:
            return None
        ranges = _RANGE.search(descriptors)
        tags = self._features | {match[1] for match in _TAG.finditer(descriptors)}
        shown = _within(ranges[1], font.coverage) if ranges else font.coverage
        self._own[name.casefold()] = self._own.get(name.casefold(), frozenset()) | shown
        with suppress(ValueError):  # what the browser makes of it is what it made of the original
            data = font.cut(self._characters, tags)
        source = f'url("data:font/woff2;base64,{base64.b64encode(data).decode("ascii")}")'
        return f"@font-face{{src:{source};{descriptors}}}"

    def _prefix(self, address: str) -> str:
        return (
            f"sprite{sorted(self._captured.resources).index(address)}-" if address in self._captured.resources else ""
        )

    def _sprite(self, address: str) -> str:
        """A drawing of another file, beside the first element that uses it, its names made unique."""
        if address not in self._captured.resources or address in self._sprites:
            return ""
        self._sprites.add(address)
        return f"<defs>{sprite(self._captured.resources[address].data, self._prefix(address))}</defs>"


def _within(ranges: str, characters: frozenset[str]) -> frozenset[str]:
    spans = []
    for match in _SPAN.finditer(ranges):
        first, last = match[1].replace("?", "0"), match[2] or match[1].replace("?", "F")
        spans.append((int(first, 16), int(last, 16)))
    return frozenset(c for c in characters if any(first <= ord(c) <= last for first, last in spans))


def _attribute(name: str, value: str) -> str:
    return f' {name}="{html.escape(value)}"'
