"""Pages that are built almost alike: MinHash over pieces of the tag and class skeleton.

Belongs here: a page's signature, how alike two signatures are, and grouping. Does not belong here: pages built exactly
alike (`fingerprint.py`), which page of a group stays (`unique.py` orders them), or files.

A skeleton is the list of a page's elements, each as its step in depth from the element before, its tag and its sorted
classes; text does not count. Its pieces are all runs of PIECE elements, as a set: so a list of ten cards is like a list
of twelve, and an element added somewhere changes the few pieces around it, however deep it puts the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diffbench_assets.pages import dom
from diffbench_assets.pages.fingerprint import skeleton
from diffbench_assets.seeds import rng

PIECE: Final = 3
"""Elements in a piece."""

HASHES: Final = 120
"""Numbers in a signature. Pages with the share s of their pieces in common agree in s of them; its standard error is
0.046 at most and 0.037 at the threshold."""

BANDS: Final = 24
"""Pages are compared when one of these parts of their signatures, five numbers each, is equal: of pairs with s = 0.8
all but one in 10,000 are, with s = 0.3 one in twenty."""

THRESHOLD: Final = 0.8
"""Share of pieces in common from which two pages are near duplicates. Of generated pages it finds 99 of 100 copies with
one to three small edits (a class more, an element of up to a dozen taken out, put in or doubled), 94 with five, half of
those with ten; two pages made independently have 0.30 at most. The tests measure recall and precision."""

Signature = NDArray[np.uint32]
"""HASHES numbers."""

_generator = rng("near_duplicates")
_FACTORS: Final = _generator.integers(0, 2**63, HASHES, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_OFFSETS: Final = _generator.integers(0, 2**63, HASHES, dtype=np.uint64)
_BAND_FACTORS: Final = _FACTORS.reshape(BANDS, -1)
_PIECES_AT_ONCE: Final = 2048


def pieces(html: str) -> NDArray[np.uint64]:
    """Hashes of the distinct pieces of a page's skeleton, sorted. Raises PageUnusable as `dom.parse`."""
    return pieces_of_tree(dom.parse(html))


def pieces_of_tree(tree: dom.LexborHTMLParser) -> NDArray[np.uint64]:
    """`pieces` of a tree that is parsed already."""
    elements, before = [], 0
    for depth, tag, classes in skeleton(tree):
        elements.append(f"{depth - before} {tag} {classes}")
        before = depth
    runs = {"\n".join(elements[start : start + PIECE]) for start in range(max(1, len(elements) - PIECE + 1))}
    digests = b"".join(hashlib.blake2b(run.encode("utf-8", "replace"), digest_size=8).digest() for run in runs)
    return np.sort(np.frombuffer(digests, "<u8").astype(np.uint64))


def signature(hashes: NDArray[np.uint64]) -> Signature:
    """MinHash of a set of pieces: the smallest value of each of HASHES hash functions."""
    smallest = np.full(HASHES, np.iinfo(np.uint64).max, np.uint64)
    for start in range(0, len(hashes), _PIECES_AT_ONCE):
        part = hashes[start : start + _PIECES_AT_ONCE, None] * _FACTORS + _OFFSETS
        np.minimum(smallest, part.min(axis=0), out=smallest)
    return (smallest >> np.uint64(32)).astype(np.uint32)


def likeness(a: Signature, b: Signature) -> float:
    """Estimate of the share of pieces that two pages have in common, of all pieces that one of them has."""
    return float(np.mean(a == b))


def near_duplicates(
    signatures: Iterable[tuple[str, Signature]], threshold: float = THRESHOLD
) -> Iterator[tuple[str, str]]:
    """(page, the page that stands for it) for each page, in the order given; a page that is kept stands for itself.

    The first page is kept, and each further one unless a kept page is like it: the one most like it then stands for it,
    the first of equals. So kept pages are never near duplicates of each other, and no chain of small steps joins
    pages that differ. Memory grows with the kept pages only, by about 3 kB each.
    """
    names: list[str] = []
    kept = np.empty((1024, HASHES), np.uint32)
    first: dict[int, int] = {}
    further: dict[int, list[int]] = {}
    for page, numbers in signatures:
        keys = (numbers.reshape(BANDS, -1) * _BAND_FACTORS).sum(axis=1, dtype=np.uint64).tolist()
        found = {first[key] for key in keys if key in first}
        found.update(*(further[key] for key in keys if key in further))
        if found:
            candidates = sorted(found)
            agreement = (kept[candidates] == numbers).mean(axis=1)
            best = int(agreement.argmax())
            if agreement[best] >= threshold:
                yield page, names[candidates[best]]
                continue
        if len(names) == len(kept):
            kept = np.concatenate([kept, np.empty_like(kept)])
        kept[len(names)] = numbers
        for key in keys:
            if key in first:
                further.setdefault(key, []).append(len(names))
            else:
                first[key] = len(names)
        names.append(page)
        yield page, page
