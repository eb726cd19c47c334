"""SVG files that pages use as pictures, made harmless and the same on every machine.

Belongs here: SVG as an image. Does not belong here: SVG elements inside a page (`sanitize.py`).
"""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree

from diffbench_assets.pages import fonts
from diffbench_assets.pages.font_stacks import BOX, family

_SVG: Final = "http://www.w3.org/2000/svg"
_DROPPED: Final = frozenset(
    [
        "script",
        "foreignObject",
        "animate",
        "animateTransform",
        "animateMotion",
        "animateColor",
        "set",
        "mpath",
        "discard",
        "iframe",
        "audio",
        "video",
        "handler",
        "listener",
    ]
)
_FORBIDDEN_STYLE = re.compile(r"@import|@font-face|animation|url\(\s*['\"]?(?!#|data:image/)|\\", re.IGNORECASE)
_SAFE_LINK = re.compile(r"#|data:image/(?:png|jpeg|gif|webp)", re.IGNORECASE)

ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


def clean_svg(data: bytes) -> bytes | None:
    """The SVG without scripts, animation or outside references, its text set in an embedded font; None if malformed.

    Pages draw such a picture apart from their own fonts, so text in it would otherwise use whatever the system has.
    The parser loads nothing from outside and refuses entities that multiply.
    """
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):  # LookupError: an encoding nobody knows
        return None
    if _local_name(root.tag) != "svg":
        return None
    for parent in list(root.iter()):
        _drop_children(parent)
    for node in root.iter():
        if _local_name(node.tag) == "style" and _FORBIDDEN_STYLE.search(node.text or ""):
            node.text = ""
        for attribute, value in list(node.attrib.items()):
            key = _local_name(attribute).lower()
            unsafe = not _SAFE_LINK.match(value.strip()) if key == "href" else _FORBIDDEN_STYLE.search(value)
            if unsafe or key.startswith("on"):
                del node.attrib[attribute]
    if any(_local_name(node.tag) == "text" for node in root.iter()):
        root.insert(0, _font_style(frozenset("".join(root.itertext())) - {"\n", "\t"}))
    cleaned: bytes = ElementTree.tostring(root, encoding="utf-8")
    return cleaned


def _drop_children(parent: ElementTree.Element) -> None:
    for child in list(parent):
        if _local_name(child.tag) in _DROPPED:
            # The text behind an element belongs to its parent and stays.
            position = list(parent).index(child)
            if position:
                parent[position - 1].tail = (parent[position - 1].tail or "") + (child.tail or "")
            else:
                parent.text = (parent.text or "") + (child.tail or "")
            parent.remove(child)


def _font_style(text: frozenset[str]) -> ElementTree.Element:
    style = ElementTree.Element(f"{{{_SVG}}}style")
    sans = fonts.font_face(family("sans"), fonts.cut(fonts.SANS, text | fonts.PRINTABLE_ASCII))
    box = fonts.font_face(BOX, fonts.box_font())
    style.text = f"{sans}{box}*{{font-family:{family('sans')},{BOX}!important}}"
    return style


def _local_name(tag: str) -> str:
    return tag.rpartition("}")[2]
