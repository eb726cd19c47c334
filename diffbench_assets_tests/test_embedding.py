"""CLIP distances: real open_clip code on a small checkpoint, and a clear word when there are no weights."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from diffbench_assets.embedding import ClipEmbedder, NoWeights
from diffbench_assets.resources.embedder import EmbedderResource

MODEL = "ViT-S-32-alt"


def png(color: str, box: tuple[int, int, int, int] | None = None) -> bytes:
    image = Image.new("RGB", (320, 200), color)
    if box:
        ImageDraw.Draw(image).rectangle(box, fill="black")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import open_clip
    import torch

    torch.manual_seed(0)
    path = tmp_path_factory.mktemp("clip") / "random.pt"
    weights = open_clip.create_model(MODEL, pretrained=None).state_dict()
    # Freshly drawn weights hardly look at the pixels; larger first-layer weights make them.
    weights["visual.conv1.weight"] *= 100
    torch.save(weights, path)
    return path


def test_a_local_checkpoint_gives_distances_in_order(checkpoint: Path) -> None:
    embedder = ClipEmbedder(MODEL, str(checkpoint), batch_size=2)
    same, small, large = embedder.distances(
        [
            (png("white"), png("white")),
            (png("white"), png("white", (150, 90, 180, 120))),
            (png("white"), png("white", (60, 10, 260, 190))),
        ]
    )
    assert same == pytest.approx(0.0, abs=1e-5)
    assert same < small < large < 2


def test_the_same_images_have_the_same_distance_in_any_batch(checkpoint: Path) -> None:
    pairs = [(png("white"), png(color)) for color in ("red", "green", "blue")]
    together = ClipEmbedder(MODEL, str(checkpoint), batch_size=3).distances(pairs)
    alone = ClipEmbedder(MODEL, str(checkpoint), batch_size=1).distances(pairs)
    assert together == pytest.approx(alone, abs=1e-4)


def test_a_missing_checkpoint_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoWeights, match=r"gone\.pt.*DIFFBENCH_CLIP_WEIGHTS"):
        ClipEmbedder(MODEL, str(tmp_path / "gone.pt"))


def test_weights_that_cannot_be_had_leave_the_column_null_and_say_why(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # A hub that refuses connections, as on a machine without network.
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    row: dict[str, Any] = {"image_before": {"bytes": png("white")}, "image_after": {"bytes": png("red")}}
    why = EmbedderResource(model=MODEL, weights="no_such_tag").measure([row])
    assert "clip_distance" not in row
    assert "could not be loaded" in why and "DIFFBENCH_CLIP_WEIGHTS" in why
    assert not [record for record in caplog.records if record.name == "root"], "only the row says it"


def test_switched_off_means_no_torch_is_needed() -> None:
    assert "switched off" in EmbedderResource(weights="none").measure([{}])
