"""Gzip streams that unpack to gigabytes, made without unpacking them."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator

GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def gzip_bomb(unpacked_bytes: int, start: bytes = b"", filler: bytes = b"\0") -> Iterator[bytes]:
    """A gzip stream of `start` and then `filler` again and again, in packed pieces that stand for 16 MB each."""
    packer = zlib.compressobj(9, wbits=-15)
    yield GZIP_HEAD + packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    megabyte = packer.compress(filler * ((1 << 20) // len(filler))) + packer.flush(zlib.Z_FULL_FLUSH)
    yield from itertools.repeat(megabyte * 16, unpacked_bytes >> 24)
