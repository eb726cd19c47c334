"""The fonts of one page: which characters it shows, which faces it brings, what has to be embedded.

Belongs here: reading the page's text and `@font-face` rules, choosing cuts. Does not belong here: the font files
(`fonts.py`), rewriting stacks (`font_stacks.py`).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import tinycss2
from selectolax.lexbor import LexborHTMLParser
from tinycss2.ast import Node

from diffbench_assets.pages import fonts
from diffbench_assets.pages.assets import AssetFolder, data_bytes
from diffbench_assets.pages.css_values import css_string
from diffbench_assets.pages.font_stacks import BOX, OTHER, FontStacks, Kind, family, stack
from diffbench_assets.pages.rules import Rule, unescape

KIND_FONTS: Final[Mapping[Kind, fonts.Font]] = {"sans": fonts.SANS, "serif": fonts.SERIF, "mono": fonts.MONO}
BASE_LAYER: Final = "diffbench"
"""Name of the cascade layer for what browsers would take from the system. Being first, it loses to every page rule."""

_SHOWN_ATTRIBUTES: Final = ("placeholder", "value", "alt", "label")
_CSS_STRING = re.compile(r'"((?:\\.|[^"\\])*)"|\'((?:\\.|[^\'\\])*)\'', re.DOTALL)
# Markers of lists and details, ends of clipped and hyphenated lines, quotation marks, password dots.
_DRAWN_BY_BROWSER: Final = {"q": "“”‘’", "details": "▸▾", "input": "•", "ul": "•◦▪"}
_JOINERS: Final = frozenset("\u200c\u200d\ufe0f")


def shown_characters(tree: LexborHTMLParser, css: Iterable[str]) -> frozenset[str]:
    """Every visible character the page may draw: text, some attributes, strings of its CSS, and their other case."""
    found: set[str] = set()
    for node in tree.root.traverse(include_text=True) if tree.root is not None else ():
        if node.is_text_node:
            parent = node.parent
            if parent is None or parent.tag not in ("style", "title"):
                found.update(node.text_content or "")
        elif node.is_element_node:
            attributes = node.attributes
            found.update(_DRAWN_BY_BROWSER.get(node.tag or "", ""))
            for name in _SHOWN_ATTRIBUTES:
                if value := attributes.get(name):
                    found.update(value)
    for text in css:
        if "…" in text or "ellipsis" in text:
            found.add("…")
        if "hyphens" in text:
            found.add("\u2010")
        for match in _CSS_STRING.finditer(text):
            found.update(unescape(match[1] or match[2] or ""))
    cased = {other for c in found if c > "\x7f" for other in (*c.upper(), *c.lower(), *c.title())}
    return frozenset(c for c in found | cased if not fonts.is_invisible(c) and not 0xD800 <= ord(c) < 0xE000)


_LIGATURE_ICONS: Final = ("material-icons", "material-symbols")
_ICON_STAND_IN: Final = "\u25cf"


def replace_ligature_icons(tree: LexborHTMLParser, families: Iterable[str]) -> None:
    """Elements that a missing icon font would have drawn from a word (`home`, `shopping_cart`) show a dot instead.

    The word itself would run over its neighbours, which nobody ever sees on such a page.
    """
    if any(name.casefold().startswith("material") for name in families):
        return
    for node in tree.css("[class*='material-icons'],[class*='material-symbols']"):
        classes = (node.attributes.get("class") or "").split()
        text = node.first_child
        is_icon = any(name.startswith(_LIGATURE_ICONS) for name in classes)
        if is_icon and text is not None and text.is_text_node and text.next is None:
            text.replace_with(_ICON_STAND_IN)


@dataclass(frozen=True)
class OwnFace:
    """An `@font-face` of the page whose file could be read."""

    family: str
    descriptors: str
    font: fonts.OwnFont


def own_faces(rules: Iterable[Rule], folder: AssetFolder, mentioned: str) -> list[OwnFace]:
    """The usable faces among a page's `@font-face` rules. `mentioned` is all other CSS text: unnamed families go."""
    faces: list[OwnFace] = []
    mentioned = mentioned.casefold()
    for rule in rules:
        if rule.at_keyword != "font-face":
            continue
        name, descriptors, addresses = _face_parts(rule.body or "")
        if not name or name.casefold() not in mentioned:
            continue
        loaded = (_load_font(address, folder, rule.base) for address in addresses)
        font = next((font for font in loaded if font is not None), None)
        if font is not None:
            faces.append(OwnFace(name, descriptors, font))
    return faces


_DESCRIPTORS: Final = frozenset(
    [
        "font-style",
        "font-weight",
        "font-stretch",
        "unicode-range",
        "font-feature-settings",
        "font-variation-settings",
        "size-adjust",
        "ascent-override",
        "descent-override",
        "line-gap-override",
        "font-display",
    ]
)


def _face_parts(body: str) -> tuple[str, str, list[str]]:
    """Family, the descriptors worth keeping, and the addresses of the files, in order."""
    name, kept, addresses = "", [], []
    for node in tinycss2.parse_blocks_contents(body, skip_comments=True, skip_whitespace=True):
        if node.type != "declaration":
            continue
        if node.lower_name == "font-family":
            name = " ".join(str(part.value) for part in node.value if part.type in ("ident", "string"))
        elif node.lower_name == "src":
            addresses.extend(_addresses(node.value))
        elif node.lower_name in _DESCRIPTORS and not any(p.type in ("url", "function", "error") for p in node.value):
            kept.append(f"{node.lower_name}:{tinycss2.serialize(node.value).strip()}")
    return name, ";".join(kept), addresses


def _addresses(value: Sequence[Node]) -> list[str]:
    found = [part.value for part in value if part.type == "url"]
    for part in value:
        if part.type == "function" and part.lower_name == "url":
            found.extend(inner.value for inner in part.arguments if inner.type == "string")
    # The oldest formats come last: browsers of today do not read them.
    return [address for address in found if not re.search(r"\.(?:eot|svg)(?:[?#]|$)", address, re.IGNORECASE)]


def _load_font(address: str, folder: AssetFolder, base: Path | None) -> fonts.OwnFont | None:
    if address[:5].lower() == "data:":
        data = data_bytes(address)
        return _parse_font(data) if data else None
    path = folder.resolve(address, base)
    if path is None:
        return None
    stat = path.stat()
    return _font_file(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _font_file(path: Path, _mtime_ns: int, _size: int) -> fonts.OwnFont | None:
    return _parse_font(path.read_bytes())


@lru_cache(maxsize=64)
def _parse_font(data: bytes) -> fonts.OwnFont | None:
    try:
        return fonts.OwnFont(data)
    except ValueError:
        return None


@dataclass(frozen=True)
class EmbeddedFonts:
    """`css` declares every family that the page's stacks end in; `missing` are characters drawn as boxes."""

    css: str
    missing: str


@dataclass(frozen=True)
class CutFace:
    """A face of the page, cut to its characters."""

    face: OwnFace
    woff2: bytes


def cut_faces(faces: Iterable[OwnFace], characters: frozenset[str]) -> list[CutFace]:
    """The faces that draw at least one character of the page, each cut to these and printable ASCII."""
    cuts: list[CutFace] = []
    for face in faces:
        if face.font.coverage & characters:
            with contextlib.suppress(ValueError):  # a broken font counts as missing
                cuts.append(CutFace(face, face.font.cut(characters | fonts.PRINTABLE_ASCII)))
    return cuts


def embed(
    kinds: Iterable[Kind], faces: Sequence[CutFace], characters: frozenset[str], language: str | None
) -> EmbeddedFonts:
    """The `@font-face` rules of a page.

    Each kind in use gets its family cut to the page's characters and printable ASCII. What some kind lacks comes from
    the first fallback font that has it, all under one family. A box is the end of every stack.
    """
    parts: list[str] = []
    for cut in faces:
        name = css_string(cut.face.family)
        parts.append(fonts.font_face(f'"{name}"', cut.woff2, descriptors=cut.face.descriptors))
    lacking: set[str] = set()
    for kind in sorted(set(kinds)):
        font = KIND_FONTS[kind]
        wanted = (characters & fonts.coverage(font)) | fonts.PRINTABLE_ASCII
        parts.append(fonts.font_face(family(kind), fonts.cut(font, wanted)))
        lacking |= characters - fonts.coverage(font)
    for font in fonts.fallback_fonts(language):
        if not lacking:
            break
        found = frozenset(lacking) & fonts.coverage(font)
        if found:
            lacking -= found
            scope = fonts.shaped_parts(found) & fonts.coverage(font)
            joined = scope | (_JOINERS & fonts.coverage(font))
            # Joined emoji are one glyph, so the joiner must come from the same face; letters join across faces.
            parts.append(fonts.font_face(OTHER, fonts.cut(font, joined), joined if font == fonts.EMOJI else scope))
    parts.append(fonts.font_face(BOX, fonts.box_font()))
    own = frozenset[str]().union(*(cut.face.font.coverage for cut in faces))
    return EmbeddedFonts("".join(parts), "".join(sorted(lacking - own)))


_ROOT_SELECTORS: Final = ("html", "body", ":root", "*")
_SETS_FONT = re.compile(r"(?<![\w-])font(?:-family)?\s*:")
_MONO_TAGS: Final = ("code", "kbd", "samp", "pre", "tt", "listing", "xmp", "textarea")
_CONTROL_TAGS: Final = ("button", "input", "select")


def base_rules(tree: LexborHTMLParser, rules: Iterable[Rule], stacks: FontStacks) -> str:
    """The lowest cascade layer: embedded fonts wherever a browser's own stylesheet would name a system font.

    `rules` are the page's, already rewritten; what they set for a whole tag needs no default.
    """
    styled = {
        selector.strip()
        for rule in rules
        if rule.body and _SETS_FONT.search(rule.body) and all(w.startswith("@layer") for w in rule.wrappers)
        for selector in rule.prelude.lower().split(",")
    }

    def present(tags: Iterable[str]) -> list[str]:
        return [tag for tag in tags if tag not in styled and tree.css_first(tag) is not None]

    for node in (tree.root, tree.body):
        if node is not None and _SETS_FONT.search(node.attributes.get("style") or ""):
            styled.add(node.tag or "")
    parts: list[str] = []
    if styled.isdisjoint(_ROOT_SELECTORS) or not stacks.kinds:
        root = stacks.use("serif")
    else:
        root = stack("sans" if "sans" in stacks.kinds else min(stacks.kinds))
    parts.append(f"html{{font-family:{root}}}")
    if mono := present(_MONO_TAGS):
        parts.append(f"{','.join(mono)}{{font-family:{stacks.use('mono')}}}")
    if controls := present(_CONTROL_TAGS):
        parts.append(f"{','.join(controls)},::file-selector-button{{font-family:{stacks.use('sans')}}}")
    if present(("math",)):
        parts.append(f"math{{font-family:{stacks.use('serif')}}}")
    return f"@layer {BASE_LAYER}{{{''.join(parts)}}}"
