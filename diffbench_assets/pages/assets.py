"""Files and `data:` addresses that a page refers to, read safely and turned into embeddable data.

Belongs here: resolving addresses inside the source folder, pictures as `data:` addresses. Does not belong here: what
replaces a missing one (`placeholders.py`), stylesheets (`stylesheets.py`).
"""

from __future__ import annotations

import base64
import binascii
import io
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from PIL import Image, ImageOps

from diffbench_assets.pages.svg_images import clean_svg

MAX_ASSET_BYTES: Final = 32 * 2**20
"""Larger files are treated as missing."""
MAX_RAW_IMAGE_BYTES: Final = 64 * 2**10
"""Larger pictures are stored as WebP of the same pixel size."""
MAX_IMAGE_PIXELS: Final = 40_000_000
_MAX_WEBP_SIDE: Final = 16_383
_MIME: Final = {
    "PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp", "BMP": "image/bmp",
    "ICO": "image/x-icon", "AVIF": "image/avif",
}  # fmt: skip
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


@dataclass(frozen=True)
class AssetFolder:
    """The files that a page may use: those under `root`, and nothing else. Without a root there are none.

    The path of a link target counts, so neither `..` nor a symbolic link leads out.
    """

    root: Path | None

    @classmethod
    def at(cls, root: Path | None) -> AssetFolder:
        """The folder by its real path."""
        return cls(root.resolve() if root is not None else None)

    def resolve(self, address: str, base: Path | None) -> Path | None:
        """The file an address names, seen from the folder `base`; None when it is remote, outside or missing."""
        address = address.strip()
        if self.root is None or base is None or not address or _SCHEME.match(address):
            return None
        if address.startswith(("//", "\\\\", "/\\", "\\/")):
            return None
        try:
            path = unquote(urlsplit(address).path)
            start = self.root if path.startswith("/") else base
            target = (start / path.lstrip("/")).resolve()
            inside = target.is_relative_to(self.root) and target.is_file()
            return target if path and inside and target.stat().st_size <= MAX_ASSET_BYTES else None
        except (OSError, ValueError, RuntimeError):  # names the file system refuses, loops of links
            return None


def image_uri(address: str, folder: AssetFolder, base: Path | None) -> str | None:
    """A picture as a safe `data:` address, or None when it is remote, missing or no picture. Fragments stay."""
    address = address.strip()
    if address[:5].lower() == "data:":
        data = data_bytes(address)
        return _embedded(data) if data else None
    path = folder.resolve(address, base)
    if path is None:
        return None
    stat = path.stat()
    return _embedded_file(path, stat.st_mtime_ns, stat.st_size)


def data_bytes(address: str) -> bytes | None:
    """What a `data:` address holds; None when it is malformed."""
    head, comma, payload = address[5:].partition(",")
    if not comma or len(payload) > MAX_ASSET_BYTES * 2:
        return None
    payload = payload.partition("#")[0] if "svg" not in head.lower() else payload
    if head.lower().rstrip().endswith(";base64"):
        try:
            return base64.b64decode(unquote_to_bytes(re.sub(r"\s+", "", payload)) + b"==")
        except (binascii.Error, ValueError):
            return None
    return unquote_to_bytes(payload)


@lru_cache(maxsize=512)
def _embedded_file(path: Path, _mtime_ns: int, _size: int) -> str | None:
    return _embedded(path.read_bytes())


@lru_cache(maxsize=512)
def _embedded(data: bytes) -> str | None:
    if re.match(rb"\s*(?:\xef\xbb\xbf)?\s*<", data[:64]):
        svg = clean_svg(data.lstrip())
        return _data_uri("image/svg+xml", svg) if svg else None
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.format not in _MIME or image.width * image.height > MAX_IMAGE_PIXELS:
                return None
            animated = getattr(image, "n_frames", 1) > 1 and image.format != "ICO"
            if len(data) <= MAX_RAW_IMAGE_BYTES and not animated:
                image.load()  # a truncated file counts as missing
                return _data_uri(_MIME[image.format], data)
            return _recoded(image)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, EOFError):
        return None


def _recoded(image: Image.Image) -> str:
    """The first frame as WebP; as PNG when a side is too long for WebP."""
    profile = image.info.get("icc_profile") if image.mode in ("RGB", "RGBA") else None
    frame = ImageOps.exif_transpose(image)
    if frame.mode not in ("RGB", "RGBA"):
        frame = frame.convert("RGBA" if frame.mode in ("LA", "PA") or "transparency" in frame.info else "RGB")
    out = io.BytesIO()
    if max(frame.size) > _MAX_WEBP_SIDE:
        frame.save(out, "PNG", icc_profile=profile)
        return _data_uri("image/png", out.getvalue())
    frame.save(out, "WEBP", quality=80, method=4, icc_profile=profile or b"")
    return _data_uri("image/webp", out.getvalue())


def _data_uri(mime: str, data: bytes) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"
