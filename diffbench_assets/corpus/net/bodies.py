"""Bodies of responses, read piece by piece under limits, packed ones unpacked.

Belongs here: limits on size and on how far a packed body may swell. Does not belong here: what a body says.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Iterator

import httpx

PIECE = 16 * 1024
"""Bytes handed on at a time, so that whoever reads them may stop early and other hosts get their turn."""

_GZIP = b"\x1f\x8b\x08"
_LAYERS = 2
"""A .gz file that a server packs once more for the way is common; deeper nesting is a trap."""
_LARGEST_RATIO = 200
_RATIO_COUNTS_FROM = 1024 * 1024


class BodyLimit(Exception):
    """The body broke a limit; `reason` is one word for the counts: too_large, gzip_bomb, bad_gzip, bad_encoding."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


async def unpacked(response: httpx.Response, max_bytes: int) -> AsyncIterator[bytes]:
    """The body of an open streamed response, gzip taken off wherever the bytes say so, at most `max_bytes` in all.

    httpx would unpack each network read whole, however far it swells, so the raw bytes are read. Raises BodyLimit, and
    what httpx raises.
    """
    if response.headers.get("Content-Encoding", "").strip().lower() not in ("", "identity", "gzip", "x-gzip"):
        raise BodyLimit("bad_encoding")
    unpack = Unpacker(max_bytes)
    async for raw in response.aiter_raw():
        for piece in unpack.feed(raw):
            yield piece
            await asyncio.sleep(0)
    for piece in unpack.finish():
        yield piece


class Unpacker:
    """Takes gzip off a stream of bytes, up to two layers, in pieces of at most `PIECE` bytes.

    `feed` every piece, then `finish`.
    """

    def __init__(self, max_bytes: int, layers: int = _LAYERS) -> None:
        self._max_bytes = max_bytes
        self._layers = layers
        self._start = b""
        self._inflate: zlib._Decompress | None = None
        self._inner: Unpacker | None = None
        self._plain = False
        self._taken = 0
        self._given = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Unpacked pieces of `data`. Raises BodyLimit."""
        self._taken += len(data)
        if not self._plain and self._inflate is None:
            self._start += data
            if len(self._start) < len(_GZIP) and _GZIP.startswith(self._start):
                return
            data, self._start = self._start, b""
            if data.startswith(_GZIP):
                if not self._layers:
                    raise BodyLimit("gzip_bomb")
                self._inner = Unpacker(self._max_bytes, self._layers - 1)
                self._inflate = zlib.decompressobj(wbits=31)
            else:
                self._plain = True
        for piece in self._split(data) if self._plain else self._inflated(data):
            self._given += len(piece)
            if self._given > self._max_bytes:
                raise BodyLimit("too_large")
            if self._inner is None:
                yield piece
                continue
            if self._given > _RATIO_COUNTS_FROM and self._given > _LARGEST_RATIO * self._taken:
                raise BodyLimit("gzip_bomb")
            yield from self._inner.feed(piece)

    def finish(self) -> Iterator[bytes]:
        """What was held back because gzip could have begun so, if anything."""
        if self._inner:
            yield from self._inner.finish()
        elif self._start:
            yield self._start

    def _split(self, data: bytes) -> Iterator[bytes]:
        return (data[at : at + PIECE] for at in range(0, len(data), PIECE))

    def _inflated(self, data: bytes) -> Iterator[bytes]:
        assert self._inflate is not None
        try:
            while data:
                if self._inflate.eof:  # Members may follow one another; what else follows is padding.
                    data, self._start = self._start + data, b""
                    if not data.startswith(_GZIP):
                        self._start = data[: len(_GZIP)]
                        return
                    self._inflate = zlib.decompressobj(wbits=31)
                piece = self._inflate.decompress(data, PIECE)
                data = self._inflate.unconsumed_tail or self._inflate.unused_data
                if piece:
                    yield piece
            # What was taken in may still hold more than was given out.
            while not self._inflate.eof and (piece := self._inflate.decompress(b"", PIECE)):
                yield piece
        except zlib.error:
            raise BodyLimit("bad_gzip") from None
