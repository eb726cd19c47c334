"""Texture: surfaces made smooth like plastic, and a fine weave laid over them or taken off.

Belongs here: loss of surface detail, and patterns. Does not belong here: gain of detail (`sharpness.py`), and what
counts as a surface (`surface.py`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .common import Floats, Image, Transformed, between, check, lookup, luma, ramp, require, rounded
from .surface import blur, detail, skin, surfaces

SIGMA: Final = (2.4, 3.6)
"""Pixels, standard deviation of the blur (VDiff-Bench appendix A.2)."""

RESIDUAL: Final = (0.18, 0.36)
"""Share of the blurred-away detail that is mixed back (VDiff-Bench appendix A.2)."""

SURFACE_AMOUNT: Final = 0.7
"""Share of the smoothing that surfaces other than skin get; skin gets all of it. The paper says "increases": ours."""

HIGHLIGHT: Final = (4.0, 10.0)
"""Levels added to the brightest skin. The paper says "small": ours."""

HIGHLIGHT_LUMA: Final = (140.0, 230.0)
"""Luma at which the highlight begins and is full. Ours."""

DESATURATION: Final = (0.04, 0.10)
"""Share of gray mixed in. The paper says "reduce": ours."""

CONTRAST: Final = (0.94, 0.98)
"""Factor of the distance from mid-gray. The paper says "lower": ours."""

MID_GRAY: Final = 128.0

GAMMA: Final = (0.97, 1.03)
"""The paper says "close to one": ours."""

MIN_DETAIL: Final = 1.0
"""Levels, root mean square, of surface detail that an image must have for a loss or gain of it to be seen. Ours."""

MIN_LOSS: Final = 0.20
"""Share of it that must be lost. Ours."""

THREAD: Final = (3, 5)
"""Pixels, least and greatest width of a thread of the weave. Ours."""

WEAVE: Final = (9.0, 14.0)
"""Levels, root mean square, of the weave. Ours."""

MIN_WEAVE: Final = 3.0
"""Levels, root mean square, that must be left of it after clipping. Ours."""

_LUMA: Final = np.array([0.299, 0.587, 0.114], dtype=np.float32)
_ROWS: Final = 32
"""Rows computed at a time, so that they stay in the processor's cache."""
_FINE: Final = 4
"""Steps per level of the table for gamma."""


def smooth(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """The paper's skin- and edge-aware smoothing with its finish (smoother).

    σ and the highlight scale with `strength`; factors (residual, contrast, gamma) are raised to its power.
    """
    check(image, strength)
    sigma, residual = between(rng, SIGMA) * strength, between(rng, RESIDUAL) ** strength
    highlight, gray = between(rng, HIGHLIGHT) * strength, min(1.0, between(rng, DESATURATION) * strength)
    contrast, gamma = between(rng, CONTRAST) ** strength, between(rng, GAMMA) ** strength

    blurred = blur(image, sigma)
    surface, mask = surfaces(image, blurred), skin(image)
    bright = lookup(luma(image), ramp(*HIGHLIGHT_LUMA))
    levels = np.arange(255 * _FINE + 1) / (255 * _FINE)
    table = rounded(255 * levels**gamma)
    after = np.empty_like(image)
    for start in range(0, len(image), _ROWS):
        rows = slice(start, start + _ROWS)
        on_skin = mask[rows] * np.float32(1 / 255)
        amount = (SURFACE_AMOUNT + (1 - SURFACE_AMOUNT) * on_skin) * surface[rows] * np.float32((1 - residual) / 255)
        mixed = np.subtract(blurred[rows], image[rows], dtype=np.float32)
        mixed *= amount[..., None]
        mixed += image[rows]
        grays = mixed @ _LUMA
        mixed *= (1 - gray) * contrast * _FINE
        grays *= gray
        grays += on_skin * bright[rows] * np.float32(highlight / 255)  # Gray itself, so no desaturation touches it.
        mixed += (grays * (contrast * _FINE) + (MID_GRAY * (1 - contrast) * _FINE + 0.5))[..., None]
        after[rows] = table.take(mixed.astype(np.int16), mode="clip")

    had, has = detail(image, after)
    require("smoother", "the surface detail in levels", had, MIN_DETAIL)
    require("smoother", "the lost share of surface detail", 1 - has / had, MIN_LOSS)
    parameters = {
        "sigma": sigma,
        "residual": residual,
        "highlight": highlight,
        "desaturation": gray,
        "contrast": contrast,
        "gamma": gamma,
    }
    return Transformed(after, parameters, "smoother")


def weave(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """A plain weave of WEAVE × `strength` levels laid over everything (woven)."""
    check(image, strength)
    after, parameters = _woven("woven", image, rng, strength)
    return Transformed(after, parameters, "woven")


def unweave(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Transformed:
    """The seed, against itself with a weave over it (unwoven)."""
    check(image, strength)
    before, parameters = _woven("unwoven", image, rng, strength)
    return Transformed(image, parameters, "unwoven", before)


def plain_weave(height: int, width: int, thread: int, phase: tuple[int, int]) -> Floats:
    """Height × width, zero mean and unit variance: rounded threads that cross over and under each other in turn."""
    y, x = np.arange(height) + phase[0], np.arange(width) + phase[1]
    across, down = (np.sin(np.pi * (axis % thread + 0.5) / thread).astype(np.float32) for axis in (y, x))
    over = (y[:, None] // thread + x // thread) % 2 == 0
    pattern = np.where(over, across[:, None], down)
    tile = np.sin(np.pi * (np.arange(thread) + 0.5) / thread)
    return (pattern - np.float32(tile.mean())) / np.float32(tile.std())


def _woven(change: str, image: Image, rng: np.random.Generator, strength: float) -> tuple[Image, dict[str, object]]:
    levels, thread = between(rng, WEAVE) * strength, int(rng.integers(*THREAD, endpoint=True))
    phase = (int(rng.integers(2 * thread)), int(rng.integers(2 * thread)))
    height, width = image.shape[:2]
    pattern = plain_weave(height, width, thread, phase)
    woven = rounded(image + (pattern * np.float32(levels))[..., None])
    left = np.subtract(woven[..., 1], image[..., 1], dtype=np.float32) * pattern
    require(change, "the weave in levels", float(left.mean()), MIN_WEAVE)
    return woven, {"levels": levels, "thread": thread, "phase": list(phase)}
