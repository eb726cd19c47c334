"""Random choices from names: a seed and stable ids decide, never time or order.

Belongs here: hashes of parts, and generators made from them. Does not belong here: what is chosen.
"""

from __future__ import annotations

import hashlib

import numpy as np


def digest(*parts: object) -> str:
    """SHA-256 of the parts' texts, as 64 hex digits; no two lists of parts run into each other."""
    return hashlib.sha256("".join(f"{len(str(part))}:{part}" for part in parts).encode()).hexdigest()


def rng(*parts: object) -> np.random.Generator:
    """A generator that the parts alone decide."""
    return np.random.default_rng(int(digest(*parts)[:32], 16))
