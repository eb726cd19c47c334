"""Reading text in photographs: where it stands, what it says, and which of it can be edited.

Belongs here: the OCR engine behind one class, and the choice of boxes. Does not belong here: what text is changed to.
The engine is RapidOCR (extra `photos`), loaded when the first image is read; its models come with the package.
"""

from __future__ import annotations

import math
import threading
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from diffbench_assets.errors import UserError
from diffbench_assets.pairs.naming import location, place
from diffbench_assets.pairs.photographs.crops import Box, Pixels, Size

SMALLEST_BOX: Final = (50, 18)
"""Width and height in pixels (VDiff-Bench A.3)."""

LARGEST_SHARE: Final = 0.40
"""Of the image's area (VDiff-Bench A.3)."""

MOST_TILT_DEG: Final = 10.0
LEAST_SCORE: Final = 0.90
LENGTHS: Final = range(2, 41)
"""Characters of a text that can be edited: a longer one is no longer read at a glance."""

LEAST_OVERLAP: Final = 0.5
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_QUOTES = str.maketrans("‘’‚′“”„″‐‑–—−", "''''\"\"\"\"-----")


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text, usually one line. `tilt_deg` is the angle of its base line; `score` is the engine's, 0…1."""

    text: str
    box: Box
    tilt_deg: float
    score: float


class Reader(Protocol):
    """Whatever finds the text of an image."""

    def read(self, pixels: Pixels) -> list[Text]:
        """All texts, from top to bottom and left to right."""
        ...


class RapidReader:
    """RapidOCR on the CPU. Can be shared by threads, which take turns."""

    def __init__(self) -> None:
        self._engine: Any = None
        self._turn = threading.Lock()

    def read(self, pixels: Pixels) -> list[Text]:
        """See `Reader`. Raises UserError when the engine is not installed."""
        with self._turn:
            if self._engine is None:
                self._engine = _engine()
            # The engine takes arrays to be blue, green, red.
            found = self._engine(np.ascontiguousarray(pixels[..., ::-1]))
        if found.txts is None or found.boxes is None:
            return []
        height, width = pixels.shape[:2]
        texts = [
            _text(text, np.asarray(corners, float), float(score), (width, height))
            for text, corners, score in zip(found.txts, found.boxes, found.scores, strict=True)
        ]
        return sorted(texts, key=lambda text: (text.box.top, text.box.left, text.text))


def _engine() -> Any:
    try:
        from rapidocr import RapidOCR
    except ImportError:
        raise UserError(
            'reading text in photographs needs RapidOCR; install it with: pip install "diffbench-assets[photos]"'
        ) from None
    # One thread gives the same scores on every machine.
    threads = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
    return RapidOCR(params={"Global.log_level": "error", "Global.use_cls": False, **threads})


def _text(text: str, corners: np.ndarray, score: float, size: Size) -> Text:
    (left, top), (right, bottom) = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
    box = Box(max(0, int(left)), max(0, int(top)), min(size[0], int(right)), min(size[1], int(bottom)))
    along = corners[1] - corners[0]
    return Text(text.strip(), box, math.degrees(math.atan2(along[1], along[0])), score)


def editable(texts: Sequence[Text], size: Size) -> list[Text]:
    """Texts that are readable, about horizontal, of moderate size, and safe to quote, in an image of `size`."""
    return [text for text in texts if _is_editable(text, size)]


def _is_editable(text: Text, size: Size) -> bool:
    box = text.box
    return (
        text.score >= LEAST_SCORE
        and abs(text.tilt_deg) <= MOST_TILT_DEG
        and box.width >= SMALLEST_BOX[0]
        and box.height >= SMALLEST_BOX[1]
        and box.width * box.height <= LARGEST_SHARE * size[0] * size[1]
        and len(text.text) in LENGTHS
        and text.text.isprintable()
        and not set(text.text) & set("“”")
    )


def normalised(text: str) -> str:
    """What OCR can be held to: compatible forms are one, spacing and the shape of quotes and dashes do not count."""
    return "".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())


def reads_as(texts: Sequence[Text], box: Box, wanted: str) -> bool:
    """Whether a text found at `box` now says `wanted`, letter case included."""
    return any(
        normalised(text.text) == normalised(wanted) and _overlap(text.box, box) > LEAST_OVERLAP for text in texts
    )


def _overlap(one: Box, other: Box) -> float:
    """Shared area by that of the smaller box."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    smaller = min(one.width * one.height, other.width * other.height)
    return max(0, width) * max(0, height) / smaller if smaller else 0.0


def subjects(texts: Sequence[Text], size: Size) -> list[str]:
    """A noun phrase for each text by its place, no two alike: "the text at the top left", "the second text at …"."""
    places = [location(text.box.xywh, size) for text in texts]
    seen: Counter[str] = Counter()
    phrases = []
    for where in places:
        seen[where] += 1
        nth = seen[where]
        which = f"the {_ORDINALS[nth - 1]} text" if nth <= len(_ORDINALS) else f"text number {nth}"
        phrases.append(f"{'the text' if places.count(where) == 1 else which} {place(where)}")
    return phrases
