"""Packed bodies come out whole, and bombs end early in little memory."""

from __future__ import annotations

import gzip
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.corpus.net.bodies import PIECE, BodyLimit, Unpacker
from diffbench_assets_tests.corpus.net.bombs import GZIP_HEAD, gzip_bomb

TEXT = b"".join(b"<loc>http://shop.test/%d</loc>" % (n * 7919) for n in range(20_000))


def unpack(data: bytes, step: int, max_bytes: int = 10**8) -> bytes:
    unpacker = Unpacker(max_bytes)
    pieces = [piece for at in range(0, len(data), step) for piece in unpacker.feed(data[at : at + step])]
    pieces += unpacker.finish()
    assert all(len(piece) <= PIECE for piece in pieces)
    return b"".join(pieces)


@pytest.mark.parametrize("step", [1, 1000, 10**7])
@pytest.mark.parametrize(
    "packed, plain",
    [
        (TEXT[:50_000], TEXT[:50_000]),
        (gzip.compress(TEXT), TEXT),
        (gzip.compress(gzip.compress(TEXT)), TEXT),
        (gzip.compress(TEXT[:1000]) + gzip.compress(TEXT[1000:]), TEXT),
        (gzip.compress(TEXT) + b"\0" * 100, TEXT),
        (b"", b""),
        (b"\x1f\x8bx", b"\x1f\x8bx"),
        (b"\x1f\x8b", b"\x1f\x8b"),
        (gzip.compress(b"\x1f"), b"\x1f"),
    ],
    ids=["plain", "gzip", "twice", "members", "padded", "empty", "nearly gzip", "less than a head", "a head's byte"],
)
def test_comes_out_whole(packed, plain, step):
    assert unpack(packed, step) == plain


@given(st.binary(max_size=3000), st.integers(1, 700), st.integers(0, 2))
def test_any_bytes_in_any_steps(plain, step, layers):
    packed = plain
    for _ in range(layers):
        packed = gzip.compress(packed, mtime=0)
    if not plain.startswith(GZIP_HEAD[:3]):
        assert unpack(packed, step) == plain


@pytest.mark.parametrize(
    "data, reason",
    [
        (gzip.compress(gzip.compress(gzip.compress(TEXT))), "gzip_bomb"),
        (GZIP_HEAD + b"\xff" * 100, "bad_gzip"),
        (TEXT * 3, "too_large"),
    ],
)
def test_limits_have_names(data, reason):
    with pytest.raises(BodyLimit) as limit:
        unpack(data, 5000, max_bytes=10**6)
    assert limit.value.reason == reason


@pytest.mark.parametrize("layers", [1, 2])
def test_ten_gigabytes_cost_little(layers):
    pieces = gzip_bomb(10 << 30)
    if layers == 2:
        pieces = iter([gzip.compress(b"".join(pieces))])
    unpacker, taken, given_out = Unpacker(50 << 20), 0, 0
    tracemalloc.start()
    started = time.monotonic()
    with pytest.raises(BodyLimit) as limit:
        for piece in pieces:
            taken += len(piece)
            given_out += sum(map(len, unpacker.feed(piece)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert limit.value.reason == "gzip_bomb"
    assert peak < 2 << 20 and time.monotonic() - started < 20
    assert taken < 100_000
