"""Seed images: pictures from files that pixel-level pairs are made of.

Belongs here: finding images in folders and Parquet files, and decoding them, hostile ones too, into plain RGB. Does not
belong here: images the project draws or renders itself, and what is done to an image afterwards.
"""

from __future__ import annotations

import glob
import hashlib
import io
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image, ImageOps

from diffbench_assets.errors import UserError

FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""The only decoders that see a file: Pillow has others, and one of them (EPS) runs another program on it."""

SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif")
PARQUET: Final = ".parquet"

MAX_SIDE: Final = 1280
"""Pixels: the width of a page render, which therefore passes as it is."""

IMAGE_COLUMN: Final = "image"
"""The column that is taken when a table has several that could hold images."""

LABEL_COLUMNS: Final = ("domain", "style", "language")
"""Columns of a Parquet file that become labels where it has them."""

ROWS_AT_ONCE: Final = 16
"""Rows of a Parquet file in memory; images are large."""

Entry = tuple[Path, str, bytes | None, dict[str, str]]
"""File, " row n" or nothing, encoded image, labels."""


class UnreadableImage(UserError):
    """One image that cannot be used; the message names it, and says what is wrong with it."""


@dataclass(frozen=True, eq=False)
class SeedImage:
    """`pixels` is height × width × 3 RGB uint8. `seed_id` is a hash of the encoded image, wherever it lies.

    `origin` is its path below the folder that was read, or the file's name, and the row in a Parquet file.
    """

    seed_id: str
    pixels: npt.NDArray[np.uint8]
    labels: Mapping[str, str] = field(default_factory=dict)
    origin: str = ""


def fail(error: UnreadableImage) -> None:
    """Raises it: what `read_images` does with an unreadable image unless told otherwise."""
    raise error


def read_images(
    path: str | Path,
    *,
    max_side: int = MAX_SIDE,
    image_column: str | None = None,
    label_columns: Sequence[str] | None = None,
    unreadable: Callable[[UnreadableImage], None] = fail,
) -> Iterator[SeedImage]:
    """The images of a file, a folder with all below it, or a glob pattern; one at a time, in the order of their paths.

    Files are images of FORMATS, and Parquet files with a column of encoded images: binary, or struct<bytes, path>.
    `image_column` names it where it cannot be told; `label_columns` are kept as labels (by default those of
    LABEL_COLUMNS that the file has). An image of which a side exceeds `max_side` pixels is scaled down to it. A copy of
    an image that came before is left out. Rotation by EXIF is applied, transparency lies on white, and of an animation
    the first frame counts. What cannot be decoded is handed to `unreadable`, which raises it by default; with one that
    returns, the others follow.

    Raises UserError where there is nothing to read, or a Parquet file has no such columns.
    """
    if max_side < 1:
        raise UserError(f"max_side is {max_side}; it must be at least 1 pixel")
    seen: set[str] = set()
    found = 0
    for file, row, encoded, labels in _encoded(path, image_column, label_columns):
        found += 1
        seed_id = _seed_id(encoded)
        if encoded and seed_id in seen:
            continue
        try:
            pixels = decode(encoded, f"{file}{row}", max_side)
        except UnreadableImage as error:
            unreadable(error)
            continue
        seen.add(seed_id)
        root = Path(path) if Path(path).is_dir() else file.parent
        yield SeedImage(seed_id, pixels, labels, f"{file.relative_to(root).as_posix()}{row}")
    if not found:
        kinds = ", ".join(SUFFIXES)
        raise UserError(f"no images in {path}: give a folder, a file or a pattern of {kinds} or {PARQUET} files")


def seed_ids(path: str | Path) -> list[str]:
    """The ids of all that `read_images` would try, in its order, without decoding any; raises as it does."""
    return list(dict.fromkeys(_seed_id(encoded) for _, _, encoded, _ in _encoded(path, None, None)))


def _seed_id(encoded: bytes | None) -> str:
    return hashlib.sha256(encoded or b"").hexdigest()[:16]


def decode(encoded: bytes | None, origin: str, max_side: int) -> npt.NDArray[np.uint8]:
    """RGB pixels, upright, opaque, and no side over `max_side`. Raises UnreadableImage, with `origin` in its message.

    Images over Pillow's limit of about 89 million pixels are refused before they are decompressed.
    """
    if not encoded:
        raise UnreadableImage(f"{origin}: no image bytes; leave it out or store the image itself")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(encoded), formats=FORMATS) as image:
                image.load()
                picture = _opaque(ImageOps.exif_transpose(image))
    except Exception as error:  # Decoders raise nearly anything on a broken file.
        raise UnreadableImage(f"{origin}: cannot be read as an image ({error}); repair it or leave it out") from error
    if max(picture.size) > max_side:
        picture.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
    return np.asarray(picture)


def _opaque(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I;16"):  # Pillow would cut 16-bit gray off at 255.
        return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8)).convert("RGB")
    if image.mode in ("I", "F"):
        raise ValueError(f"pixels of mode {image.mode} have no white and black")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")
    return image.convert("RGB")


def _encoded(path: str | Path, image_column: str | None, label_columns: Sequence[str] | None) -> Iterator[Entry]:
    """Everything that `path` stands for."""
    for file in _files(path):
        if file.suffix.lower() == PARQUET:
            yield from _rows(file, image_column, label_columns)
        else:
            try:
                yield file, "", file.read_bytes(), {}
            except OSError as error:
                raise UserError(f"{file}: cannot be opened ({error.strerror})") from error


def _files(path: str | Path) -> list[Path]:
    """Files by kind, sorted by their paths; hidden ones below a folder (macOS's shadow files, for one) are left out."""
    root = Path(path)
    if root.is_file():
        return [root]
    if root.is_dir():
        below = [file for file in root.rglob("*") if not any(p.startswith(".") for p in file.relative_to(root).parts)]
    else:
        below = [Path(name) for name in glob.glob(str(path), recursive=True)]
    return sorted(file for file in below if file.suffix.lower() in (*SUFFIXES, PARQUET) and file.is_file())


def _rows(file: Path, image_column: str | None, label_columns: Sequence[str] | None) -> Iterator[Entry]:
    try:
        with pq.ParquetFile(file) as table:
            schema = table.schema_arrow
            column = _image_column(file, schema, image_column)
            labels = _labels(file, schema, label_columns)
            number = 0
            for batch in table.iter_batches(ROWS_AT_ONCE, columns=[column, *labels]):
                for row in batch.to_pylist():
                    image = row[column]
                    encoded = image["bytes"] if isinstance(image, dict) else image
                    texts = {name: str(row[name]) for name in labels if row[name] is not None}
                    yield file, f" row {number}", encoded, texts
                    number += 1
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{file}: cannot be read as Parquet ({error})") from error


def _image_column(file: Path, schema: pa.Schema, name: str | None) -> str:
    fitting = [column.name for column in schema if _holds_bytes(column.type)]
    if name is not None:
        if name in fitting:
            return name
        raise UserError(f"{file}: column {name!r} holds no encoded images; columns that could: {fitting or 'none'}")
    if IMAGE_COLUMN in fitting:
        return IMAGE_COLUMN
    if len(fitting) == 1:
        return fitting[0]
    raise UserError(f"{file}: name the column of images; columns that could hold them: {fitting or 'none'}")


def _holds_bytes(kind: pa.DataType) -> bool:
    if pa.types.is_struct(kind):
        return any(part.name == "bytes" and _holds_bytes(part.type) for part in kind)
    return pa.types.is_binary(kind) or pa.types.is_large_binary(kind)


def _labels(file: Path, schema: pa.Schema, names: Sequence[str] | None) -> list[str]:
    if names is None:
        return [name for name in LABEL_COLUMNS if name in schema.names]
    if missing := [name for name in names if name not in schema.names]:
        raise UserError(f"{file}: has no column {', '.join(missing)}; its columns are {', '.join(schema.names)}")
    return list(names)
