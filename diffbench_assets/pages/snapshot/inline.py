"""The text of a snapshot, from what was captured: references become `data:` addresses, stylesheets `<style>` elements.

Belongs here: what each reference becomes. Does not belong here: asking the browser (`capture.py`), CSS text (`css.py`).
"""

from __future__ import annotations

import base64
import html
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from xml.etree import ElementTree

import tinycss2.bytes
from PIL import Image

from diffbench_assets.pages.assets import data_bytes
from diffbench_assets.pages.placeholders import placeholder
from diffbench_assets.pages.snapshot.css import StyleWriter
from diffbench_assets.pages.svg_images import clean_svg

MAX_TEXT: Final = 48 * 2**20
"""Characters of a snapshot."""
BROKEN: Final = "data:image/png;base64,"
"""A picture that cannot be decoded: it shows what a picture that did not load shows."""
_SVG_START = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<")
_MAGIC: Final = ((b"\x89PNG", "image/png"), (b"\xff\xd8", "image/jpeg"), (b"GIF8", "image/gif"), (b"BM", "image/bmp"))


@dataclass(frozen=True)
class Resource:
    """What the browser received for one address."""

    kind: str
    mime: str
    data: bytes

    def text(self) -> str:
        """A stylesheet's text."""
        return tinycss2.bytes.decode_stylesheet_bytes(self.data)[0]


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

    `parts` are strings and references in turn; `boxes` the PNG of each box, None where nothing of it is in sight;
    `faces` is CSS that declares the system's fonts; `defaults` the families a browser gives html, pre and button.
    """

    parts: Sequence[Any]
    sheets: Sequence[Mapping[str, str]]
    base: str
    defaults: Sequence[str]
    resources: Mapping[str, Resource]
    boxes: Sequence[bytes | None]
    faces: str


def write_page(captured: Captured) -> str:
    """The whole document. Raises ValueError when it is larger than MAX_TEXT."""
    writer = _Writer(captured)
    text = "".join(part if isinstance(part, str) else writer.reference(part) for part in captured.parts)
    if len(text) > MAX_TEXT:
        raise ValueError(f"{len(text) / 2**20:.0f} MB")
    return _with_base_style(text, writer.base_style())


def _with_base_style(text: str, css: str) -> str:
    style = '<meta charset="utf-8"><style>' + css.replace("</", "<\\/") + "</style>"
    return re.sub(r"<head(?=[\s>])[^>]*>", lambda match: match[0] + style, text, count=1)


@dataclass
class _Writer:
    captured: Captured
    sprites: dict[str, str] = field(default_factory=dict)
    styles: StyleWriter = field(init=False)

    def __post_init__(self) -> None:
        self.styles = StyleWriter(self.css_address, self.captured.resources)

    def base_style(self) -> str:
        """The browser's own families by name, in the lowest layer, and the fonts that stand for them."""
        html_font, mono, control = (self.styles.inline(f"font-family:{name}", "") for name in self.captured.defaults)
        rules = (
            f"html{{{html_font}}}pre,code,kbd,samp,tt,listing,xmp,textarea{{{mono}}}button,input,select{{{control}}}"
        )
        return f"@layer diffbench-system{{{rules}}}{self.captured.faces}"

    def reference(self, reference: Mapping[str, Any]) -> str:
        if "style" in reference:
            return _attribute("style", self.styles.inline(reference["style"], self.captured.base))
        if "sheet" in reference:
            sheet = self.captured.sheets[reference["sheet"]]
            return self.styles.sheet(sheet["css"], sheet["base"]).replace("</", "<\\/")
        if "picture" in reference:
            return self._picture(reference)
        if "box" in reference:
            png = self.captured.boxes[reference["box"]]
            return _attribute("src", _uri("image/png", png) if png else placeholder(f"box {reference['box']}"))
        if "pending" in reference:
            return self._pending(reference)
        if "use" in reference:
            return self._use(reference["use"], reference["fragment"])
        return "".join(self.sprites[address] for address in sorted(self.sprites))

    def _picture(self, reference: Mapping[str, Any]) -> str:
        uri = self._image(reference["picture"])
        name = reference["attribute"]
        if uri is None:
            return _attribute(name, BROKEN) if name == "src" else ""
        text = f' {name}="{uri}"'  # megabytes of base64, in which nothing is to be escaped
        if reference.get("hints") and not reference.get("sized") and reference["width"]:
            # A candidate of a `srcset` is drawn at the size its descriptor gives, not at the size of its file.
            text += f' width="{reference["width"]}"' if _differs(uri, reference["width"]) else ""
        return text

    @staticmethod
    def _pending(reference: Mapping[str, Any]) -> str:
        """A picture that had not been asked for yet, being far below the viewport."""
        width, height = reference["width"], reference["height"]
        if width < 1 or height < 1:
            return ' alt=""'
        return _attribute("src", placeholder(reference["pending"], (min(width, 4000), min(height, 4000))))

    def _image(self, address: str) -> str | None:
        if address[:5].lower() == "data:":
            data = data_bytes(address)
            return _uri(_mime(data, address[5:].partition(",")[0]), data) if data else None
        resource = self.captured.resources.get(address.partition("#")[0]) or self.captured.resources.get(address)
        if resource is None or resource.kind == "Stylesheet":
            return None
        return _uri(_mime(resource.data, resource.mime), resource.data)

    def css_address(self, address: str) -> str | None:
        """What an absolute address in CSS becomes; None when the browser has nothing for it."""
        return self._image(address)

    def _use(self, address: str, fragment: str) -> str:
        """A drawing of another file is copied to the end of the body, its names made unique."""
        resource = self.captured.resources.get(address)
        prefix = f"sprite{sorted(self.captured.resources).index(address)}-" if resource else ""
        if resource is not None and address not in self.sprites:
            self.sprites[address] = _sprite(resource.data, prefix)
        return _attribute("href", f"#{prefix}{fragment}") if resource is not None else ""


def _sprite(data: bytes, prefix: str) -> str:
    cleaned = clean_svg(data)
    if cleaned is None:
        return ""
    root = ElementTree.fromstring(cleaned)
    names = {node.attrib["id"] for node in root.iter() if "id" in node.attrib}
    for node in root.iter():
        for name, value in list(node.attrib.items()):
            if name == "id":
                node.attrib[name] = prefix + value
            elif name.endswith("href") and value[:1] == "#" and value[1:] in names:
                node.attrib[name] = f"#{prefix}{value[1:]}"
            elif "url(#" in value:
                node.attrib[name] = value.replace("url(#", f"url(#{prefix}")
        if node.tag.endswith("}style"):
            node.text = ""
    root.attrib.update(style="position:absolute;width:0;height:0;overflow:hidden")
    return ElementTree.tostring(root, encoding="unicode")


def _attribute(name: str, value: str) -> str:
    return f' {name}="{html.escape(value)}"'


def _mime(data: bytes, stated: str) -> str:
    for magic, mime in _MAGIC:
        if data.startswith(magic):
            return mime
    if data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    if data[:4] == b"\0\0\1\0":
        return "image/x-icon"
    if _SVG_START.match(data[:64]):
        return "image/svg+xml"
    if "font" in stated or data[:4] in (b"wOF2", b"wOFF", b"OTTO", b"true", b"\0\1\0\0"):
        return "font/woff2" if data[:4] == b"wOF2" else "font/sfnt"
    return "image/png"  # nothing that can be drawn


def _uri(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


def _differs(uri: str, width: int) -> bool:
    try:
        with Image.open(io.BytesIO(data_bytes(uri) or b"")) as image:
            return image.width != width
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False
