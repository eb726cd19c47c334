"""A finished pair of any maker, and its row.

Belongs here: what every maker has to tell. Does not belong here: making pairs.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import PIL
from numpy.typing import NDArray
from PIL import Image

from diffbench_assets.browser.gate import Pixels as Rgba
from diffbench_assets.browser.gate import decide, decode, pixels_hash, region
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.pairs.lowlevel.categories import CATEGORIES, NO_DIFF
from diffbench_assets.seeds import digest

Row = dict[str, Any]
Pixels = NDArray[np.uint8]
SUITE: Final = "lowlevel_mcq"
DRAWN: Final = f"pillow-{PIL.__version__}/numpy-{np.__version__}"
"""What decides the pixels of drawn and transformed images."""


@dataclass(frozen=True)
class Made:
    """A finished pair. `claim` and `difference` are None for two equal images; images are PNG bytes."""

    source_id: str
    before: bytes
    after: bytes
    claim: Claim | None
    possible: tuple[Claim, ...]
    difference: Row | None
    record: Row
    made_by: str = DRAWN
    labels: Mapping[str, str | None] = field(default_factory=dict)


def scene_id(parts: tuple[Any, ...]) -> str:
    """Id of the scene that these parts compose."""
    return f"scene-{digest(*parts)[:16]}"


def labels_of(page: Mapping[str, Any]) -> dict[str, str | None]:
    """The labels that a page's pairs take over."""
    return {label: page[label] for label in ("domain", "style", "language")}


def unchanged(made: Made) -> Made:
    """The image before twice, with what could have been said of it: all of that is false."""
    possible = tuple(dict.fromkeys((*([made.claim] if made.claim else []), *made.possible)))
    return replace(made, after=made.before, claim=None, possible=possible, difference=None)


def png(pixels: Pixels) -> bytes:
    """PNG bytes of an RGB image; the same pixels give the same bytes."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", compress_level=2)
    return out.getvalue()


def pair_row(cell: str, made: Made) -> Row:
    """The row of a pair, columns of schemas.PAIRS."""
    possible = [claim.as_dict() for claim in made.possible]
    record = {**made.record, "claim": made.claim.as_dict() if made.claim else None, "possible": possible}
    text = json.dumps(record, sort_keys=True, ensure_ascii=False)
    pair_id = f"{SUITE}-{digest(cell, made.source_id, text)[:16]}"
    before, after = decode(made.before), decode(made.after)
    return {
        "pair_id": pair_id,
        "suite": SUITE,
        "cell": cell,
        "page_id": made.source_id,
        "image_before": {"bytes": made.before, "path": f"{pair_id}-before.png"},
        "image_after": {"bytes": made.after, "path": f"{pair_id}-after.png"},
        "differences": [made.difference] if made.difference else [],
        "indistinguishable": [],
        "description": made.claim.words() if made.claim else "Nothing differs.",
        **{label: made.labels.get(label) for label in ("domain", "style", "language")},
        "operator": None if cell == NO_DIFF else cell,
        "family": None if cell == NO_DIFF else CATEGORIES[cell].group,
        "tier": NO_DIFF if cell == NO_DIFF else None,
        "record": text,
        "inside_change": _inside_change(before, after, made.difference),
        "before_pixels": pixels_hash(before),
        "after_pixels": pixels_hash(after),
        "render_fingerprint": made.made_by,
    }


def _inside_change(before: Rgba, after: Rgba, difference: Row | None) -> float | None:
    if difference is None:
        return None
    x, y, width, height = (difference["box"][name] for name in ("x", "y", "width", "height"))
    left, top, right, bottom = where = region((x, y, width, height), (x, y, width, height), before.shape)
    size = (right - left) * (bottom - top)
    return decide(before, after, where).inside / size if size > 0 else None
