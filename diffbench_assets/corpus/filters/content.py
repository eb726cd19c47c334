"""Pages that show too little, too much, or something that no static picture can stand for.

Belongs here: length, dynamic elements, blank renders. Does not belong here: what the words say.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from typing import Final

import numpy as np
from PIL import Image
from selectolax.lexbor import LexborNode

from diffbench_assets.corpus.filters.page import FilteredPage, Finding, body_length

DYNAMIC_TAGS: Final = ("iframe", "video", "canvas", "embed", "object", "frame", "audio", "applet")
_MAX_OTHER_PIXELS: Final = 0.001
"""A render with at most this share of pixels outside its commonest colour shows nothing: at 1280x800 about 1,000."""
_HIDDEN_STYLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden")
_NO_SIZE: Final = re.compile(r"\s*[01](?:px)?\s*")
_STYLE_NO_SIZE: Final = re.compile(r"(?<![\w-])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|$)")
_NEVER_DRAWN: Final = frozenset({"noscript", "template", "head"})


def body_size(page: FilteredPage) -> list[Finding]:
    """Whether the HTML below `<body>` is shorter or longer than the bounds in the settings."""
    bounds = page.settings.length
    if bounds is None:
        return []
    length = body_length(page.tree)
    if bounds.low <= length <= bounds.high:
        return []
    return [Finding("short" if length < bounds.low else "long")]


def dynamic_tags(page: FilteredPage) -> list[Finding]:
    """Elements that play, embed or draw by script. Those that nobody sees, such as tracking frames, do not count."""
    counts = Counter(node.tag or "" for node in page.tree.css(",".join(DYNAMIC_TAGS)) if _may_be_seen(node))
    return [Finding(tag, counts[tag]) for tag in DYNAMIC_TAGS if counts[tag]]


def _may_be_seen(node: LexborNode) -> bool:
    attributes = node.attributes
    if node.tag == "audio" and "controls" not in attributes:
        return False
    if any(_NO_SIZE.fullmatch(attributes.get(name) or "") for name in ("width", "height")):
        return False
    if _STYLE_NO_SIZE.search((attributes.get("style") or "").lower()):
        return False
    parent: LexborNode | None = node
    while parent is not None:
        if parent.is_element_node:
            own = parent.attributes
            if parent.tag in _NEVER_DRAWN or "hidden" in own or _HIDDEN_STYLE.search((own.get("style") or "").lower()):
                return False
        parent = parent.parent
    return True


def blank_render(page: FilteredPage) -> list[Finding]:
    """Whether the screenshot is of one colour, up to _MAX_OTHER_PIXELS. Raises ValueError when it is no image."""
    if page.screenshot is None:
        return []
    try:
        image = Image.open(io.BytesIO(page.screenshot)).convert("RGBA")
    except OSError as error:
        raise ValueError(f"the screenshot is no image that can be read: {error}") from error
    pixels = np.asarray(image).view(np.uint32).ravel()
    values, counts = np.unique(pixels[:: max(1, pixels.size // 4096)], return_counts=True)
    other = np.count_nonzero(pixels != values[counts.argmax()])
    return [Finding("one_colour")] if other <= _MAX_OTHER_PIXELS * pixels.size else []
