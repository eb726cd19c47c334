"""Pictures come out of folders and Parquet files upright, opaque, in order, and with ids that stay."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from diffbench_assets.errors import UserError
from diffbench_assets.pairs.photographs.seed_images import SUFFIXES, UnreadableImage, read_images

GREEN, RED = (0, 128, 0), (200, 0, 0)


def encoded(color: tuple[int, ...] = GREEN, size: tuple[int, int] = (40, 30), kind: str = "PNG", **options) -> bytes:
    stream = io.BytesIO()
    Image.new("RGBA" if len(color) == 4 else "RGB", size, color).save(stream, kind, **options)
    return stream.getvalue()


def bomb() -> bytes:
    """A PNG of a few dozen bytes that claims 20,000 × 20,000 pixels."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(b"\0"))]
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def write(folder: Path, **files: bytes) -> Path:
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content)
    return folder


def one(folder: Path, content: bytes, name: str = "a.png", **options) -> np.ndarray:
    (folder / name).write_bytes(content)
    (image,) = read_images(folder / name, **options)
    return image.pixels


class TestFolders:
    def test_images_come_in_the_order_of_their_paths_from_all_depths(self, tmp_path: Path) -> None:
        (tmp_path / "b").mkdir()
        for number, name in enumerate(("z.png", "b/y.JPG", "a.webp")):
            kind = {"g": "JPEG", "p": "WEBP"}.get(name[-1].lower(), "PNG") if name != "z.png" else "PNG"
            (tmp_path / name).write_bytes(encoded((number, 0, 0), kind=kind))
        (tmp_path / "notes.txt").write_text("no image")
        assert [image.origin for image in read_images(tmp_path)] == ["a.webp", "b/y.JPG", "z.png"]

    @pytest.mark.parametrize("suffix", SUFFIXES)
    def test_every_suffix_is_read(self, suffix: str, tmp_path: Path) -> None:
        kind = {".jpg": "JPEG", ".tif": "TIFF"}.get(suffix, suffix[1:].upper())
        pixels = one(tmp_path, encoded(kind=kind), f"a{suffix}")
        assert pixels.shape == (30, 40, 3) and pixels.dtype == np.uint8
        assert np.abs(pixels.astype(int) - GREEN).max() <= 4

    def test_a_pattern_stands_for_its_files(self, tmp_path: Path) -> None:
        write(tmp_path, a_png=encoded(GREEN), b_png=encoded(RED), c_gif=encoded(RED, kind="GIF"))
        assert [image.origin for image in read_images(f"{tmp_path}/*.png")] == ["a.png", "b.png"]

    def test_hidden_files_are_left_out(self, tmp_path: Path) -> None:
        write(tmp_path, a_png=encoded())
        (tmp_path / "._a.png").write_bytes(b"a shadow file")
        assert len(list(read_images(tmp_path))) == 1

    def test_ids_follow_the_content_and_copies_are_left_out(self, tmp_path: Path) -> None:
        write(tmp_path, a_png=encoded(GREEN), b_png=encoded(GREEN), c_png=encoded(RED))
        first = {image.origin: image.seed_id for image in read_images(tmp_path)}
        assert list(first) == ["a.png", "c.png"] and len(set(first.values())) == 2
        (tmp_path / "a.png").rename(tmp_path / "z.png")
        again = {image.origin: image.seed_id for image in read_images(tmp_path, max_side=10)}
        assert again == {"b.png": first["a.png"], "c.png": first["c.png"]}

    def test_images_are_read_only_when_asked_for(self, tmp_path: Path) -> None:
        write(tmp_path, a_png=encoded(), b_png=b"broken")
        images = read_images(tmp_path)
        assert next(images).origin == "a.png"
        with pytest.raises(UnreadableImage, match="b.png"):
            next(images)

    @pytest.mark.parametrize("name", ["", "nowhere", "*.png"])
    def test_nothing_to_read_is_an_error_that_says_what_to_give(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("no image")
        with pytest.raises(UserError, match="no images in .*give a folder"):
            list(read_images(tmp_path / name))


class TestPixels:
    def test_a_photograph_is_turned_as_its_exif_says(self, tmp_path: Path) -> None:
        picture = Image.new("RGB", (40, 30), GREEN)
        picture.paste(RED, (0, 0, 40, 5))
        exif = Image.Exif()
        exif[0x0112] = 6  # The camera lay on its side: the stored top is the right.
        stream = io.BytesIO()
        picture.save(stream, "PNG", exif=exif)
        pixels = one(tmp_path, stream.getvalue())
        assert pixels.shape == (40, 30, 3)
        assert (pixels[:, -5:] == RED).all() and (pixels[:, :-5] == GREEN).all()

    def test_what_is_transparent_shows_white(self, tmp_path: Path) -> None:
        assert (one(tmp_path, encoded((200, 0, 0, 0))) == 255).all()
        half = one(tmp_path, encoded((0, 0, 0, 127)))
        assert (half == 128).all()

    def test_a_transparent_palette_color_shows_white(self, tmp_path: Path) -> None:
        stream = io.BytesIO()
        Image.new("P", (40, 30), 0).save(stream, "GIF", transparency=0)
        assert (one(tmp_path, stream.getvalue(), "a.gif") == 255).all()

    def test_the_first_frame_of_an_animation_counts(self, tmp_path: Path) -> None:
        frames = [Image.new("RGB", (40, 30), color) for color in (GREEN, RED)]
        stream = io.BytesIO()
        frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:])
        assert (one(tmp_path, stream.getvalue(), "a.gif") == GREEN).all()

    def test_gray_of_16_bits_keeps_its_tones(self, tmp_path: Path) -> None:
        stream = io.BytesIO()
        Image.fromarray(np.full((30, 40), 0x8000, np.uint16)).save(stream, "PNG")
        assert (one(tmp_path, stream.getvalue()) == 0x80).all()

    def test_a_large_image_is_scaled_to_the_longest_side_asked_for_and_a_small_one_is_not(self, tmp_path: Path) -> None:
        assert one(tmp_path, encoded(size=(400, 100)), max_side=200).shape == (50, 200, 3)
        assert one(tmp_path, encoded(size=(40, 30)), max_side=200).shape == (30, 40, 3)


class TestHostileFiles:
    @pytest.mark.parametrize(
        "content",
        [b"", b"not an image", encoded()[:60], bomb(), b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"],
        ids=["empty", "text", "cut off", "bomb", "a program"],
    )
    def test_one_clear_error_names_the_file(self, content: bytes, tmp_path: Path) -> None:
        write(tmp_path, a_png=content)
        with pytest.raises(UnreadableImage) as raised:
            list(read_images(tmp_path))
        assert "a.png" in str(raised.value) and "\n" not in str(raised.value)

    def test_the_others_follow_when_the_caller_takes_the_errors(self, tmp_path: Path) -> None:
        write(tmp_path, a_png=bomb(), b_png=encoded(), c_png=encoded(RED)[:60])
        errors: list[UnreadableImage] = []
        assert [image.origin for image in read_images(tmp_path, unreadable=errors.append)] == ["b.png"]
        assert ["a.png" in str(errors[0]), "c.png" in str(errors[1])] == [True, True]


class TestParquet:
    def table(self, path: Path, **columns: pa.Array) -> Path:
        pq.write_table(pa.table(columns), path)
        return path

    def test_images_of_the_hugging_face_layout_with_their_labels(self, tmp_path: Path) -> None:
        images = pa.array([{"bytes": encoded((n, 0, 0)), "path": f"{n}.png"} for n in range(40)])
        path = self.table(tmp_path / "seeds.parquet", image=images, domain=pa.array(["finance"] * 39 + [None]))
        found = list(read_images(path))
        assert [int(image.pixels[0, 0, 0]) for image in found] == list(range(40))
        assert [image.labels for image in found] == [{"domain": "finance"}] * 39 + [{}]
        assert found[17].origin == "seeds.parquet row 17"

    def test_the_only_binary_column_is_taken_for_the_image(self, tmp_path: Path) -> None:
        path = self.table(tmp_path / "a.parquet", photo=pa.array([encoded()], pa.large_binary()), size=pa.array([1]))
        (image,) = read_images(path, label_columns=["size"])
        assert image.labels == {"size": "1"}

    def test_of_several_columns_one_is_named(self, tmp_path: Path) -> None:
        path = self.table(tmp_path / "a.parquet", one=pa.array([encoded(GREEN)]), two=pa.array([encoded(RED)]))
        with pytest.raises(UserError, match="name the column of images.*'one', 'two'"):
            list(read_images(path))
        (image,) = read_images(path, image_column="two")
        assert (image.pixels == RED).all()

    @pytest.mark.parametrize("options", [{"image_column": "text"}, {"label_columns": ["mood"]}])
    def test_a_column_that_is_not_there_is_named(self, options: dict, tmp_path: Path) -> None:
        path = self.table(tmp_path / "a.parquet", image=pa.array([encoded()]), text=pa.array(["x"]))
        with pytest.raises(UserError, match="a.parquet.*(text|mood)"):
            list(read_images(path, **options))

    def test_a_row_without_an_image_is_named_and_the_others_follow(self, tmp_path: Path) -> None:
        rows = [
            {"bytes": encoded(), "path": None},
            {"bytes": None, "path": "elsewhere.png"},
            None,
            {"bytes": encoded(RED)},
        ]
        path = self.table(tmp_path / "a.parquet", image=pa.array(rows))
        errors: list[UnreadableImage] = []
        assert len(list(read_images(path, unreadable=errors.append))) == 2
        assert ["row 1" in str(errors[0]), "row 2" in str(errors[1])] == [True, True]

    def test_a_file_that_is_no_parquet_is_named(self, tmp_path: Path) -> None:
        write(tmp_path, a_parquet=b"PAR1 and no more")
        with pytest.raises(UserError, match="a.parquet: cannot be read as Parquet"):
            list(read_images(tmp_path))

    def test_the_same_image_has_the_same_id_in_a_file_and_in_a_table(self, tmp_path: Path) -> None:
        (a,) = read_images(self.table(tmp_path / "a.parquet", image=pa.array([encoded()])))
        write(tmp_path, b_png=encoded())
        (b,) = read_images(tmp_path / "b.png")
        assert a.seed_id == b.seed_id and len(list(read_images(tmp_path))) == 1
