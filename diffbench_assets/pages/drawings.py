"""SVG files that pages use as pictures, made harmless, still, and the same on every machine.

Belongs here: SVG as an image, and as the drawing that `<use>` takes out of another file. Does not belong here: SVG
elements inside a page.
"""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree

from diffbench_assets.pages import used_fonts
from diffbench_assets.pages.css import StyleWriter
from diffbench_assets.pages.font_world import STANDARD

_SVG: Final = "http://www.w3.org/2000/svg"
_DROPPED: Final = frozenset(
    ["script", "animate", "animateTransform", "animateMotion", "animateColor", "set", "mpath", "discard", "iframe",
     "audio", "video", "object", "embed", "handler", "listener"]
)  # fmt: skip
_SAFE_LINK = re.compile(r"\s*(?:#|data:image/(?:png|jpeg|gif|webp|avif|bmp))", re.IGNORECASE)
_FAMILIES = re.compile(r"font-family\s*:\s*([^;}]+)", re.IGNORECASE)
_SHORTHAND = re.compile(r"(?<![-\w])font\s*:\s*[^;}]*?\d[\w.%]*(?:\s*/\s*[\w.%]+)?\s+([^;}]+)", re.IGNORECASE)
_STILL: Final = "*{animation:none!important;transition:none!important}"

ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


def clean_svg(data: bytes) -> bytes | None:
    """The SVG without scripts, animation or outside references, its text set in embedded fonts; None if malformed.

    Pages draw such a picture apart from their own fonts, so text in it would otherwise use whatever the system has.
    The parser loads nothing from outside and refuses entities that multiply.
    """
    root = parsed(data)
    if root is None:
        return None
    styles = StyleWriter(lambda address: address if _SAFE_LINK.match(address) else None)
    for node in root.iter():
        if _local_name(node.tag) == "style":
            node.text = styles.inline(node.text or "", "")
        for attribute, value in node.attrib.items():
            if "(" in value or attribute in ("style", "font-family"):
                node.attrib[attribute] = styles.inline(f" {value}", "").strip()
    text = frozenset("".join(root.itertext())) - {"\n", "\t"}
    css = _STILL if b"animation" in data or b"transition" in data else ""
    if any(_local_name(node.tag) == "text" for node in root.iter()):
        root.attrib.setdefault("font-family", f'"{STANDARD}"')
        css += used_fonts.faces_for(_stacks(root), text)
    if css:
        style = ElementTree.Element(f"{{{_SVG}}}style")
        style.text = css
        root.insert(0, style)
    cleaned: bytes = ElementTree.tostring(root, encoding="utf-8")
    return cleaned


def sprite(data: bytes, prefix: str) -> str:
    """A file's drawings as SVG text to stand inside a page, every id with `prefix`; empty if malformed."""
    root = parsed(data)
    if root is None:
        return ""
    names = {node.attrib["id"] for node in root.iter() if "id" in node.attrib}
    for node in root.iter():
        for name, value in list(node.attrib.items()):
            if name == "id":
                node.attrib[name] = prefix + value
            elif name.endswith("href") and value[:1] == "#" and value[1:] in names:
                node.attrib[name] = f"#{prefix}{value[1:]}"
            elif "url(#" in value:
                node.attrib[name] = value.replace("url(#", f"url(#{prefix}")
        if _local_name(node.tag) == "style":
            node.text = ""
    return "".join(ElementTree.tostring(node, encoding="unicode") for node in root)


def parsed(data: bytes) -> ElementTree.Element | None:
    """The tree of an SVG file without what runs, moves or leads outside; None when it is none."""
    try:
        root = ElementTree.fromstring(data.lstrip())
    except (ElementTree.ParseError, ValueError, LookupError):  # LookupError: an encoding nobody knows
        return None
    if _local_name(root.tag) != "svg":
        return None
    for parent in list(root.iter()):
        _drop_children(parent)
    for node in root.iter():
        for attribute, value in list(node.attrib.items()):
            key = _local_name(attribute).lower()
            if key.startswith("on") or (key in ("href", "src") and not _SAFE_LINK.match(value)):
                del node.attrib[attribute]
    return root


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


def _stacks(root: ElementTree.Element) -> set[str]:
    """Every font stack that the drawing names."""
    stacks = {node.attrib["font-family"] for node in root.iter() if "font-family" in node.attrib}
    for node in root.iter():
        css = (node.text or "") if _local_name(node.tag) == "style" else node.attrib.get("style", "")
        stacks.update(match[1] for pattern in (_FAMILIES, _SHORTHAND) for match in pattern.finditer(css))
    return {stack.replace("!important", "").strip() for stack in stacks}


def _local_name(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
