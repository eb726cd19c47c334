"""What answers a page that is being read: the files of its source, and stylesheets that the project has copies of.

Belongs here: from an address to bytes and their type. Does not belong here: the browser that asks.

Every page has an origin of its own that no network knows. Nothing outside the source's folder is reached, through `..`
or symbolic links; every other address has no answer.
"""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from diffbench_assets.pages.pictures import MAX_BYTES
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pages.tailwind import flavour_of_address, stylesheet_2

ORIGIN: Final = "http://page.test"

_TYPES: Final = mimetypes.MimeTypes()
"""The standard library's own table: that of the system differs between machines."""
for _suffix, _kind in (
    (".woff2", "font/woff2"),
    (".woff", "font/woff"),
    (".webp", "image/webp"),
    (".avif", "image/avif"),
):
    _TYPES.add_type(_kind, _suffix)


@dataclass(frozen=True)
class Answer:
    """A response's body and content type."""

    body: bytes
    kind: str


class Site:
    """A raw page at its address, with the files around it."""

    def __init__(self, page: RawPage) -> None:
        self._root = page.root.resolve() if page.root is not None else None
        self.address = f"{ORIGIN}/{quote(page.path)}"
        text = isinstance(page.html, str)
        body = page.html.encode("utf-8", "replace") if isinstance(page.html, str) else page.html or b""
        kind = _TYPES.guess_type(page.path)[0] or "text/html"
        self.document = Answer(body, f"{kind};charset=utf-8" if text else kind)

    def answer(self, address: str) -> Answer | None:
        """What the address holds; None when it is remote, outside the folder or missing."""
        if flavour_of_address(address) == "2":
            return Answer(stylesheet_2(), "text/css")
        path = self._path(address)
        if path is None:
            return None
        stat = path.stat()
        return Answer(_content(path, stat.st_mtime_ns, stat.st_size), _TYPES.guess_type(path.name)[0] or "")

    def _path(self, address: str) -> Path | None:
        if self._root is None or not address.startswith(f"{ORIGIN}/"):
            return None
        try:
            target = (self._root / unquote(urlsplit(address).path).lstrip("/")).resolve()
            if target.is_dir():
                target = (target / "index.html").resolve()
            inside = target.is_relative_to(self._root) and target.is_file()
            return target if inside and target.stat().st_size <= MAX_BYTES else None
        except (OSError, ValueError, RuntimeError):  # names the file system refuses, loops of links
            return None


@lru_cache(maxsize=256)
def _content(path: Path, _mtime_ns: int, _size: int) -> bytes:
    return path.read_bytes()
