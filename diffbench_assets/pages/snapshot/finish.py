"""A stored page made from a snapshot: the project's own sanitizing, with every picture kept as it is.

Belongs here: keeping pictures out of the sanitizer's way. Does not belong here: the policy itself (`web/pages/`).

Ingestion recodes large pictures and puts stand-ins for broken ones, which is right for files and wrong for a copy that
must show the same pixels. So a tiny picture stands for each while the page is sanitized; afterwards each comes back,
checked and, if it is SVG, cleaned.
"""

from __future__ import annotations

import base64
import io
import re
import struct
from dataclasses import replace
from typing import Final

from PIL import Image

from diffbench_assets.pages import dom
from diffbench_assets.pages.assets import MAX_IMAGE_PIXELS, AssetFolder, data_bytes, image_uri
from diffbench_assets.pages.selfcontained import MAX_PAGE_BYTES, Page, make_self_contained
from diffbench_assets.pages.snapshot.inline import BROKEN
from diffbench_assets.pages.sources import RawPage

_PICTURE = re.compile(r"data:image/[\w.+-]+;base64,[A-Za-z0-9+/=]*")
_NEVER: Final = "not all and (diffbench-known-classes)"
_KNOWN = re.compile(r"<style>@media " + re.escape(_NEVER) + r"\{[^<]*\}\}</style>")
_NOWHERE: Final = AssetFolder(None)


def to_page(snapshot: str, page_id: str = "", url: str = "") -> Page:
    """The page that a snapshot's text holds, sanitized; `drop_reason` says why when it cannot be used.

    Its pictures are byte for byte those of the snapshot unless the page would exceed MAX_PAGE_BYTES: then the largest
    are stored as ingestion stores them until it fits.
    """
    numbers: dict[str, int] = {}

    def stand_in(match: re.Match[str]) -> str:
        return _token(numbers.setdefault(match[0], len(numbers)))

    text = _with_known_classes(_PICTURE.sub(stand_in, snapshot))
    [page] = make_self_contained([RawPage(page_id, url, text)])
    if page.html is None:
        return page
    finished = _KNOWN.sub("", page.html)
    tokens = {_token(number): uri for uri, number in numbers.items()}
    used = {match[0] for match in _PICTURE.finditer(finished)} & tokens.keys()
    pictures = {token: _checked(tokens[token]) for token in used}
    _shrink(pictures, finished)
    html = _PICTURE.sub(lambda match: pictures.get(match[0], match[0]), finished)
    if len(html.encode("utf-8")) > MAX_PAGE_BYTES:
        return Page(drop_reason=f"too_large: {len(html) / 2**20:.0f} MB after inlining")
    return replace(page, html=html)


def _with_known_classes(text: str) -> str:
    """The text with a rule, never in force, that names every class of the page.

    Ingestion takes class names without rules for Tailwind that has not been built; a page that was rendered is built.
    """
    tree = dom.parse(text)
    classes = {name for node in tree.css("[class]") for name in (node.attributes.get("class") or "").split()}
    selectors = ",".join("." + _css_name(name) for name in sorted(classes))
    style = f"<style>@media {_NEVER}{{{selectors}{{order:0}}}}</style>"
    return re.sub(r"<head(?=[\s>])[^>]*>", lambda match: match[0] + style, text, count=1) if classes else text


def _css_name(name: str) -> str:
    return "".join(c if c.isalnum() and c > "9" or c in "-_" else f"\\{ord(c):x} " for c in name)


def _token(number: int) -> str:
    """A picture of one pixel whose colour is its number."""
    gif = b"GIF89a\1\0\1\0\x80\0\0" + struct.pack(">I", number)[1:] + b"\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
    return "data:image/gif;base64," + base64.b64encode(gif).decode("ascii")


def _checked(uri: str) -> str:
    """The picture if it can be drawn, its first frame if it moves, else one that shows as not loaded."""
    data = data_bytes(uri)
    if not data:
        return BROKEN
    if data.lstrip()[:1] == b"<" or data[:3] == b"\xef\xbb\xbf":
        return image_uri(uri, _NOWHERE, None) or BROKEN
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MAX_IMAGE_PIXELS:
                return BROKEN
            if getattr(image, "n_frames", 1) > 1 and image.format != "ICO":
                out = io.BytesIO()
                image.convert("RGBA").save(out, "PNG")
                return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode("ascii")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, EOFError):
        return BROKEN
    return uri


def _shrink(pictures: dict[str, str], html: str) -> None:
    """Stores the largest pictures smaller until the page fits."""
    counts = {token: html.count(token) for token in pictures}
    total = len(html) + sum(counts[token] * len(uri) for token, uri in pictures.items())
    for token in sorted(pictures, key=lambda token: (-counts[token] * len(pictures[token]), token)):
        if total <= MAX_PAGE_BYTES:
            return
        smaller = image_uri(pictures[token], _NOWHERE, None) or BROKEN
        total -= counts[token] * (len(pictures[token]) - len(smaller))
        pictures[token] = smaller
