"""The screenshots of the gallery: inside the page while they are few, in a folder beside it when they are many.

Belongs here: keeping each distinct image once, and cutting the after image down to what differs. Does not belong here:
showing them.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PIL import Image

EMBED_PAIRS = 200
EMBED_BYTES = 16 * 2**20
"""Above either the images go to a folder: a page of 16 MiB of images can still be mailed (22 MB in base64)."""


@dataclass(frozen=True)
class Shot:
    """Where the images of a pair are. Keys name entries of `GalleryImages.files`; null means no image was stored."""

    before: str | None
    after: str | None
    """None also when it is the same picture as before."""
    size: tuple[int, int]
    """Width and height of the before image, px."""
    at: tuple[int, int] | None = None
    """Left and top of `after` on `before` when it is only the part that differs, else None."""

    def as_json(self) -> dict[str, object]:
        shown = {"before": self.before, "after": self.after, "size": self.size, "at": self.at}
        return {key: value for key, value in shown.items() if value is not None}


@dataclass(frozen=True)
class GalleryImages:
    """The shots of a suite by pair_id, and how to get the bytes of each key."""

    shots: dict[str, Shot]
    embedded: dict[str, bytes] | None
    """PNG bytes by key when they go into the page; None when they go to the folder."""


def gallery_images(pairs: pa.Table) -> GalleryImages:
    """Decide where the images of `pairs` go. Raises ValueError naming the pair whose image cannot be read."""
    if pairs.num_rows <= EMBED_PAIRS:
        files: dict[str, bytes] = {}
        shots = {pair_id: _cut(pair_id, before, after, files) for pair_id, before, after in _images(pairs)}
        if sum(map(len, files.values())) <= EMBED_BYTES:
            return GalleryImages(shots, files)
    return GalleryImages({pair_id: _whole(pair_id, before, after) for pair_id, before, after in _images(pairs)}, None)


def folder_files(pairs: pa.Table) -> Iterator[tuple[str, bytes]]:
    """(key, bytes as stored in the table) of every distinct image, each once."""
    seen = set()
    for _, *images in _images(pairs):
        for image in images:
            if image is not None and (key := _key(image)) not in seen:
                seen.add(key)
                yield key, image


def _images(pairs: pa.Table) -> Iterator[tuple[str, bytes | None, bytes | None]]:
    """Batch by batch: the images of a suite may be more than one Arrow array holds."""
    for batch in pairs.select(["pair_id", "image_before", "image_after"]).to_batches(max_chunksize=64):
        columns = [pc.struct_field(batch.column(name), "bytes") for name in ("image_before", "image_after")]
        for row in range(batch.num_rows):
            yield batch.column("pair_id")[row].as_py(), columns[0][row].as_py(), columns[1][row].as_py()


def _whole(pair_id: str, before: bytes | None, after: bytes | None) -> Shot:
    keys = [None if image is None else _key(image) for image in (before, after)]
    size = _open(pair_id, before if before is not None else after)
    return Shot(keys[0], None if keys[0] == keys[1] else keys[1], size.size if size else (0, 0))


def _cut(pair_id: str, before: bytes | None, after: bytes | None, files: dict[str, bytes]) -> Shot:
    """Like _whole, but when both are opaque and equal in size the after image is the box around what differs."""
    shot = _whole(pair_id, before, after)
    files |= {key: image for key, image in ((shot.before, before), (shot.after, after)) if key and image}
    if not (shot.before and shot.after):
        return shot
    one, two = (np.asarray(_open(pair_id, image).convert("RGBA")) for image in (before, after))  # type: ignore[union-attr]
    if one.shape != two.shape or one[..., 3].min() < 255 or two[..., 3].min() < 255:
        return shot
    rows, columns = (np.flatnonzero((one != two).any(axis=(axis, 2))) for axis in (1, 0))
    whole = files.pop(shot.after)
    if not len(rows):
        return Shot(shot.before, None, shot.size)
    part = Image.fromarray(two[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1, :3])
    buffer = io.BytesIO()
    part.save(buffer, format="PNG")
    if buffer.tell() >= len(whole):
        files[shot.after] = whole
        return shot
    key = _key(buffer.getvalue())
    files[key] = buffer.getvalue()
    return Shot(shot.before, key, shot.size, (int(columns[0]), int(rows[0])))


def _key(image: bytes) -> str:
    return hashlib.sha256(image).hexdigest()[:20]


def _open(pair_id: str, image: bytes | None) -> Image.Image | None:
    if image is None:
        return None
    try:
        return Image.open(io.BytesIO(image), formats=["PNG"])
    except (OSError, ValueError) as error:
        raise ValueError(
            f"pairs: pair {pair_id!r}: its image is not a readable PNG ({error}); make the pair again"
        ) from error
