"""Pictures that a page shows, as `data:` addresses that run nothing, load nothing and do not move.

Belongs here: what becomes of one picture's bytes. Does not belong here: which pictures a page has (`snapshot/`).

A picture stays byte for byte what it was, unless it moves, is a drawing, or its page would be too large.
"""

from __future__ import annotations

import base64
import binascii
import io
import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote_to_bytes

from PIL import Image, ImageOps

from diffbench_assets.pages.drawings import clean_svg

MAX_BYTES: Final = 12 * 2**20
"""A larger picture or font counts as missing."""
MAX_PIXELS: Final = 40_000_000
BROKEN: Final = "data:image/png;base64,"
"""A picture that cannot be decoded: it shows what a picture that did not load shows."""
_MAX_WEBP_SIDE: Final = 16_383
_MOVING: Final = frozenset({"GIF", "PNG", "WEBP", "AVIF"})
_MAGIC: Final = (
    (b"\x89PNG", "image/png"), (b"\xff\xd8", "image/jpeg"), (b"GIF8", "image/gif"), (b"BM", "image/bmp"),
    (b"\0\0\1\0", "image/x-icon"),
)  # fmt: skip
_UNREADABLE: Final = (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError)


def data_bytes(address: str) -> bytes | None:
    """What a `data:` address holds; None when it is malformed."""
    head, comma, payload = address[5:].partition(",")
    if not comma or len(payload) > 2 * MAX_BYTES:
        return None
    payload = payload.partition("#")[0] if "svg" not in head.lower() else payload
    if head.lower().rstrip().endswith(";base64"):
        try:
            return base64.b64decode(unquote_to_bytes(re.sub(r"\s+", "", payload)) + b"==")
        except (binascii.Error, ValueError):
            return None
    return unquote_to_bytes(payload)


def data_uri(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


@lru_cache(maxsize=256)
def picture_uri(data: bytes) -> str:
    """The picture as an address; BROKEN when it is none that browsers draw."""
    if re.match(rb"\s*(?:\xef\xbb\xbf)?\s*<", data[:64]):
        svg = clean_svg(data)
        return data_uri("image/svg+xml", svg) if svg else BROKEN
    mime = next((mime for magic, mime in _MAGIC if data.startswith(magic)), None)
    if data[8:12] == b"WEBP":
        mime = "image/webp"
    elif data[4:12] in (b"ftypavif", b"ftypavis"):
        mime = "image/avif"
    if mime is None:
        return BROKEN
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MAX_PIXELS:
                return BROKEN
            if image.format in _MOVING and getattr(image, "n_frames", 1) > 1:
                return data_uri("image/png", _saved(image.convert("RGBA"), "PNG"))
    except _UNREADABLE:
        pass  # what the browser makes of it is what it made of the original
    return data_uri(mime, data)


def width(uri: str) -> int | None:
    """Width in pixels of the picture that an address holds; None for a drawing, or when it cannot be read."""
    try:
        with Image.open(io.BytesIO(data_bytes(uri) or b"")) as image:
            return ImageOps.exif_transpose(image).width
    except _UNREADABLE:
        return None


def smaller(uri: str) -> str:
    """The same picture at the same size in fewer bytes, with some loss; BROKEN when it cannot be read."""
    try:
        with Image.open(io.BytesIO(data_bytes(uri) or b"")) as image:
            profile = image.info.get("icc_profile") if image.mode in ("RGB", "RGBA") else None
            frame = ImageOps.exif_transpose(image)
            if frame.mode not in ("RGB", "RGBA"):
                clear = frame.mode in ("LA", "PA") or "transparency" in frame.info
                frame = frame.convert("RGBA" if clear else "RGB")
            kind = "PNG" if max(frame.size) > _MAX_WEBP_SIDE else "WEBP"
            options = {"quality": 80, "method": 4} if kind == "WEBP" else {}
            return data_uri(f"image/{kind.lower()}", _saved(frame, kind, icc_profile=profile or b"", **options))
    except _UNREADABLE:
        return BROKEN


def empty(size: tuple[int, int]) -> str:
    """A picture of `size` CSS px that shows nothing."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}"/>'
    return data_uri("image/svg+xml", svg.encode())


def _saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()
