"""Reading text with the real engine, and the choice of what can be edited."""

from __future__ import annotations

import builtins

import numpy as np
import pytest

from diffbench_assets.errors import UserError
from diffbench_assets.pairs.photographs.crops import Box, decode, size_of
from diffbench_assets.pairs.photographs.ocr import RapidReader, Text, editable, normalised, reads_as, subjects
from diffbench_assets_tests.pairs.photographs.helpers import RememberingReader
from diffbench_assets_tests.pairs.photographs.scenes import signs

SIZE = (600, 400)
BOX = Box(100, 100, 200, 130)


def text(words: str = "Harbor", box: Box = BOX, tilt_deg: float = 0.0, score: float = 0.99) -> Text:
    return Text(words, box, tilt_deg, score)


def test_text_of_a_scene_is_found_where_it_stands():
    scene = decode(signs([("Harbor Cafe", 40, 40), ("Room 204", 330, 300)], tilt_deg=1.0))
    found = RememberingReader().read(scene)
    assert [one.text for one in found] == ["Harbor Cafe", "Room 204"]
    assert editable(found, size_of(scene)) == found
    assert subjects(found, size_of(scene)) == ["the text at the top left", "the text at the bottom right"]
    assert 25 <= found[0].box.left <= 45 and 190 <= found[0].box.width <= 230


@pytest.mark.parametrize(
    "unfit",
    [
        text(box=Box(100, 100, 149, 130)),
        text(box=Box(100, 100, 200, 117)),
        text(box=Box(0, 0, 500, 200)),
        text(tilt_deg=20),
        text(tilt_deg=-90),
        text(score=0.5),
        text("x"),
        text("x" * 41),
        text("“x” y"),
        text("two\nlines"),
    ],
)
def test_small_huge_tilted_unsure_or_unquotable_text_is_not_edited(unfit):
    assert editable([unfit, text()], SIZE) == [text()]


def test_boxes_at_the_limits_are_edited():
    limits = [text(box=Box(100, 100, 150, 118)), text(box=Box(0, 0, 480, 200))]
    assert editable(limits, SIZE) == limits


def test_reading_back_forgives_spacing_and_shapes_of_quotes_but_not_case():
    assert normalised("It’s  open – 9") == normalised("It's open-9")
    box = text().box
    assert reads_as([text("Open till 9")], box, "Opentill 9")
    assert not reads_as([text("open till 9")], box, "Open till 9")
    assert not reads_as([text("Open till 9", Box(300, 300, 400, 330))], box, "Open till 9")
    assert not reads_as([], box, "Open till 9")


def test_texts_in_one_area_are_told_apart_by_their_order():
    three = [text(box=Box(10, 10 + 40 * n, 110, 40 + 40 * n)) for n in range(3)]
    assert subjects(three, SIZE) == [f"the {nth} text at the top left" for nth in ("first", "second", "third")]
    many = [text(box=Box(10, 10, 110, 40))] * 30
    assert len(set(subjects(many, SIZE))) == 30


def test_without_the_engine_one_sentence_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "rapidocr":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UserError, match=r"diffbench-assets\[photos\]"):
        RapidReader().read(np.zeros((40, 40, 3), np.uint8))
