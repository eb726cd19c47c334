"""What the steps of a record do to images: transforms.

Belongs here: pixels from steps. Does not belong here: their shape (`record.py`), pages (`replay.py`), the transforms.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable

import numpy as np
from PIL import Image as Pillow

from diffbench_assets.pairs import transforms
from diffbench_assets.pairs.made import png
from diffbench_assets.pairs.record import EndpointEdit, Given, Step, Transformation
from diffbench_assets.pairs.transforms.common import Image
from diffbench_assets.seeds import rng


def apply_to_pixels(steps: Iterable[Step], before: bytes, after: bytes) -> tuple[bytes, bytes]:
    """PNG bytes of both images after `steps`, which act on the image after.

    A transform that makes both images needs them equal. Raises ValueError for a step that cannot be taken again.
    """
    for step in steps:
        if isinstance(step, Transformation):
            if step.applied_to == "before":
                after = png(_transformed(step, _decode(after))[1])
            elif before == after:
                before, after = (png(image) for image in _transformed(step, _decode(after)))
            else:
                raise ValueError(f"{step.change} makes both images, and they differ already")
        elif isinstance(step, EndpointEdit):
            raise ValueError("an endpoint made the image after")
        elif isinstance(step, Given):
            raise ValueError("both images were given")
        else:
            raise ValueError(f"a step on HTML: {step}")
    return before, after


def _transformed(step: Transformation, image: Image) -> tuple[Image, Image]:
    try:
        made = transforms.BY_CHANGE[step.change].apply(image, rng(*step.seed), step.strength)
    except (KeyError, transforms.NoEffect) as error:
        raise ValueError(f"no such transform of this image: {error}") from error
    drawn, told = (json.loads(json.dumps(dict(parameters))) for parameters in (made.parameters, step.parameters))
    if drawn != told:
        raise ValueError(f"{step.change}: the seed gives {drawn}, the record says {told}")
    before = image if made.before is None else made.before
    return before, before if step.still else made.image


def _decode(image: bytes) -> Image:
    return np.asarray(Pillow.open(io.BytesIO(image)).convert("RGB"))
