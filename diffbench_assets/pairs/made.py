"""What every pair maker returns, and the row of PAIRS that it becomes.

Belongs here: the shape of a finished pair and of its differences. Does not belong here: making pairs.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import numpy as np
import PIL
from numpy.typing import NDArray
from PIL import Image

from diffbench_assets.browser.gate import Box, decide, decode, pixels_hash, region
from diffbench_assets.pairs.grammar import Claim, Dimension
from diffbench_assets.pairs.record import Step, dumps, still
from diffbench_assets.seeds import digest

Row = dict[str, Any]
DRAWN: Final = f"pillow-{PIL.__version__}/numpy-{np.__version__}"
"""What decides the pixels of drawn and transformed images."""

RECORD: Final = "record"
"""Origin of a difference that the pair's own record tells."""

LABELS: Final = ("domain", "style", "language")


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One true difference, as schemas.DIFFERENCE has it.

    `claim` is None where the grammar has no certain words. `target` has tag, role, text and location. `steps` are its
    own part of the pair's record, `box` the region that it changes: (x, y, width, height) in pixels. `axis` is that of
    a mutation (`record.py`); `shift` is how far (right, down) everything that changed moved, where it shows as that.
    `origin`: RECORD, or the models that told it.
    """

    kind: str
    claim: Claim | None
    description: str
    dimensions: tuple[Dimension, ...]
    target: Mapping[str, str | None]
    property: str
    box: Box
    steps: tuple[Step, ...]
    before: str | None = None
    after: str | None = None
    direction: int | None = None
    magnitude: float | None = None
    unit: str | None = None
    role: Literal["report", "ignore"] = "report"
    axis: str = ""
    shift: tuple[int, int] | None = None
    origin: str = RECORD


@dataclass(frozen=True)
class Measured:
    """What decoding a pair's images tells: the changed share of its first difference's box, and both pixel hashes."""

    inside_change: float | None
    before_pixels: str
    after_pixels: str


@dataclass(frozen=True)
class MadePair:
    """A finished pair: PNG bytes before and after, its differences (none for two equal images), and its record.

    `source_id` names the page or image it was made from. `possible` is every claim that could have been made true of
    the image before, each with its reverse, the truths among them; None when other rows of the lake tell. `made_by` is
    what decided the pixels. `measured` is given where it is known already.
    """

    maker: str
    source_id: str
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    differences: tuple[Difference, ...]
    steps: tuple[Step, ...]
    possible: tuple[Claim, ...] | None
    made_by: str = DRAWN
    labels: Mapping[str, str | None] = field(default_factory=dict)
    measured: Measured | None = None


def labels_of(page: Mapping[str, Any]) -> dict[str, str | None]:
    """The labels that a page's pairs take over."""
    return {label: page.get(label) for label in LABELS}


def unchanged(made: MadePair) -> MadePair:
    """The image before twice, with what could have been said of it: all of that is false."""
    claims = (difference.claim for difference in made.differences if difference.claim)
    possible = tuple(dict.fromkeys((*claims, *(made.possible or ()))))
    return replace(made, after=made.before, differences=(), steps=still(made.steps), possible=possible, measured=None)


def png(pixels: NDArray[np.uint8]) -> bytes:
    """PNG bytes of an RGB image; the same pixels give the same bytes."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", compress_level=2)
    return out.getvalue()


def pair_row(suite: str, cell: str, made: MadePair, operator: str | None, family: str | None, tier: str | None) -> Row:
    """The row of a pair, columns of schemas.PAIRS; `operator`, `family` and `tier` are what the cell stands for."""
    record = dumps(made.steps)
    pair_id = f"{suite}-{digest(cell, made.source_id, record)[:16]}"
    reported = [difference.description for difference in made.differences if difference.role == "report"]
    return {
        "pair_id": pair_id,
        "suite": suite,
        "cell": cell,
        "page_id": made.source_id,
        "image_before": {"bytes": made.before, "path": f"{pair_id}-before.png"},
        "image_after": {"bytes": made.after, "path": f"{pair_id}-after.png"},
        "differences": [_difference(f"{pair_id}.{n}", each) for n, each in enumerate(made.differences, 1)],
        "possible_claims": None if made.possible is None else [claim.as_dict() for claim in made.possible],
        "references": [],
        "indistinguishable": [],
        "description": " ".join(reported) or "Nothing differs.",
        **{label: made.labels.get(label) for label in LABELS},
        "operator": operator,
        "family": family,
        "tier": tier,
        "record": record,
        **vars(made.measured or measure(made)),
        "render_fingerprint": made.made_by,
    }


def _difference(difference_id: str, difference: Difference) -> Row:
    claim = difference.claim
    return {
        "id": difference_id,
        "kind": difference.kind,
        "dimensions": list(difference.dimensions),
        "role": difference.role,
        "origin": difference.origin,
        "claim": claim.as_dict() if claim else None,
        "target": dict(difference.target),
        "property": difference.property,
        "before": difference.before,
        "after": difference.after,
        "direction": difference.direction,
        "magnitude": None if difference.magnitude is None else float(difference.magnitude),
        "magnitude_unit": difference.unit,
        "description": difference.description,
        "box": box_struct(difference.box),
        "axis": difference.axis or None,
        "shift": dict(zip(("x", "y"), difference.shift, strict=True)) if difference.shift else None,
        "record": dumps(difference.steps),
    }


def box_struct(box: Box) -> dict[str, float]:
    """The box as the lake stores it."""
    return dict(zip(("x", "y", "width", "height"), (float(value) for value in box), strict=True))


def measure(made: MadePair) -> Measured:
    """From both images."""
    before, after = decode(made.before), decode(made.after)
    share = None
    if made.differences:
        box = made.differences[0].box
        left, top, right, bottom = where = region(box, box, before.shape)
        size = (right - left) * (bottom - top)
        share = decide(before, after, where).inside / size if size > 0 else None
    return Measured(share, pixels_hash(before), pixels_hash(after))
