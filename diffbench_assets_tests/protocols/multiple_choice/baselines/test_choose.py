"""What `pixel_diff` chooses, on small drawn pairs of each category whose options come from the claims' grammar."""

import io
import time

import numpy as np
import pytest
from PIL import Image

from diffbench_assets.pairs.grammar import CHANGES, WHOLE_IMAGE, Claim
from diffbench_assets.protocols.multiple_choice.baselines import BASELINES
from diffbench_assets.protocols.multiple_choice.baselines.choose import choose
from diffbench_assets.protocols.multiple_choice.baselines.reading import place, read
from diffbench_assets.protocols.multiple_choice.prompt import LABELS, NO_DIFFERENCE
from diffbench_assets_tests.baselines.drawn import accuracy, picture, png, questions, scene

pixel_diff = BASELINES["pixel_diff"]
ONE = picture(scene(1), 1)


def options(*texts: str) -> dict[str, str]:
    return dict(zip(LABELS, (*texts, *["Nothing else."] * (3 - len(texts)), NO_DIFFERENCE), strict=True))


@pytest.mark.parametrize("category", ["whole_color", "noise", "texture", "illumination"])
def test_low_level_changes_are_measured(category: str) -> None:
    assert accuracy(pixel_diff, list(questions(category, 12))) >= 0.9


@pytest.mark.parametrize("category", ["position", "motion", "regional_color", "appearance", "substitution", "ocr"])
def test_changes_of_one_thing_are_found_by_place_color_and_direction(category: str) -> None:
    """Chance is 1 in 4; what a thing is called stays unknown to pixels, but not where it is or what became of it."""
    assert accuracy(pixel_diff, list(questions(category, 12))) >= 0.75


@pytest.mark.parametrize(("name", "change"), [(n, c) for n, c in CHANGES.items() if not c.valued])
def test_words_of_a_claim_and_of_its_reverse_are_read_as_opposites(name: str, change: object) -> None:
    claim = Claim(WHOLE_IMAGE, name)
    for phrasing in (0, 1):
        said, reverse = read(claim.words(phrasing)), read(claim.reversed().words(phrasing))
        assert said.axis and said.axis == reverse.axis
        assert (said.sign, said.tint) != (reverse.sign, reverse.tint)


@pytest.mark.parametrize("phrasing", [0, 1])
def test_valued_claims_are_read_with_subject_place_and_both_values(phrasing: int) -> None:
    said = read(Claim("the red ring at the top left", "replaced", "a disc", "a star").words(phrasing))
    assert (said.axis, said.place, said.color, said.before, said.after) == ("kind", (0, 0), "red", "a disc", "a star")
    said = read(Claim("the sign in the center", "reads", "Open 9 to 5", "Open 8 to 5").words(phrasing))
    assert (said.axis, said.place, said.before, said.after) == ("text", (1, 1), "Open 9 to 5", "Open 8 to 5")
    assert read(Claim("the car", "recolored", "red", "dark green").words(phrasing)).axis == "hue"
    assert read(Claim("the tree", "count", "two apples", "five apples").words(phrasing)).sign == 1


@pytest.mark.parametrize(
    ("option", "axis", "sign"),
    [
        ("Noise was added to the second image.", "grain", 1),
        ("The second photo is blurry.", "resolution", -1),
        ("The cat has disappeared.", "presence", -1),
        ("A ball appeared on the grass.", "presence", 1),
        ("The lamp moved to the left.", "horizontal", -1),
        ("The whole scene has a warmer cast.", "tint", 1),
        ("The house on the left is bigger.", "size", 1),
        ("Nobody knows.", "", 0),
    ],
)
def test_a_models_own_words_are_read_too(option: str, axis: str, sign: int) -> None:
    said = read(option)
    assert (said.axis, said.sign) == (axis, sign)


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ("the ring at the top left", (0, 0)),
        ("the ring at the middle right", (2, 1)),
        ("the ring in the upper right corner", (2, 0)),
        ("the ring in the center", (1, 1)),
        ("the ring at the bottom", (None, 2)),
        ("the ring", (None, None)),
        ("the heading “Top left”", (None, None)),
    ],
)
def test_places_are_thirds_of_the_image(words: str, where: tuple[int | None, int | None]) -> None:
    assert place(words) == where


def test_quoted_text_does_not_say_what_happened() -> None:
    assert read("The link “Removed items” at the top left is larger in image B.").axis == "size"


def test_equal_pixels_in_other_bytes_are_equal() -> None:
    out = io.BytesIO()
    Image.fromarray(ONE).save(out, "PNG", compress_level=9)
    assert choose(png(ONE), out.getvalue(), options("The image is grainier in image B.")) == ["D"]


def test_one_differing_pixel_rules_out_that_nothing_differs() -> None:
    two = ONE.copy()
    two[5, 5] ^= 1
    assert "D" not in choose(png(ONE), png(two), options("The ring is larger.", "It is blurry.", "It is brighter."))


def test_what_nothing_tells_apart_is_drawn_from_the_question_alone() -> None:
    two = ONE.copy()
    two[5, 5] ^= 1
    tied = choose(png(ONE), png(two), options("Nobody knows.", "Who can tell?", "Perhaps."))
    assert tied == ["A", "B", "C"]


@pytest.mark.parametrize("shape", [(40, 40, 3), (1, 1, 3), (3, 200, 3), (200, 2, 3)])
def test_small_images_get_an_answer(shape: tuple[int, int, int]) -> None:
    dark, light = np.full(shape, 60, np.uint8), np.full(shape, 70, np.uint8)
    texts = options("The image is brighter throughout in image B.", "The image is dimmer throughout in image B.",
                    "The ring at the top left reads “B” instead of “A” in image B.")  # fmt: skip
    assert "B" not in choose(png(dark), png(light), texts)


def test_images_of_unequal_size_differ() -> None:
    assert "D" not in choose(
        png(ONE), png(ONE[:-10]), options("The ring is larger.", "It is blurry.", "It is brighter.")
    )


def test_a_question_about_a_screenshot_takes_a_moment() -> None:
    dice = np.random.default_rng(0)
    one = np.kron(dice.integers(0, 256, (80, 128, 3), dtype=np.uint8), np.ones((10, 10, 1), np.uint8))
    two = one.copy()
    two[300:340, 500:640] = 255 - two[300:340, 500:640]
    texts = options("The box in the center has a lighter color in image B.", "The image is grainier in image B.",
                    "The box at the top left is further to the left in image B.")  # fmt: skip
    pngs = png(one), png(two)
    start = time.process_time()
    choose(*pngs, texts)
    assert time.process_time() - start < 0.6
