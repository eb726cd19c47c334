"""What `pixel_diff` says in answer to the open-ended question about drawn images and real renders."""

import io
import os
from collections.abc import Callable, Iterator

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from diffbench_assets.browser.chromium import find_chromium
from diffbench_assets.protocols.open_ended.baselines.describe import describe
from diffbench_assets.protocols.open_ended.prompt import NO_DIFFERENCE
from diffbench_assets.protocols.open_ended.rules import judge
from diffbench_assets_tests.protocols.open_ended.cases import difference

SIZE = (300, 240)


def png(draw: Callable[[ImageDraw.ImageDraw], object], size: tuple[int, int] = SIZE) -> bytes:
    image = Image.new("RGB", size, "white")
    draw(ImageDraw.Draw(image))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def tile(x: int, y: int, fill: str = "#3b82f6") -> bytes:
    return png(lambda canvas: canvas.rectangle((x, y, x + 59, y + 39), fill=fill))


def test_the_same_image_twice_gets_the_agreed_sentence() -> None:
    assert describe(tile(20, 20), tile(20, 20)) == NO_DIFFERENCE


def test_a_single_differing_pixel_is_reported_with_its_place() -> None:
    dot = png(lambda canvas: canvas.point((250, 200), fill="#fefefe"))
    assert describe(png(lambda canvas: None), dot).startswith("- At the bottom right (x 250 to 251, y 200 to 201 px)")


def test_recolouring_tells_colours_and_direction() -> None:
    answer = describe(tile(20, 20), tile(20, 20, "#1d4ed8"))
    assert "top left (x 20 to 80, y 20 to 60 px)" in answer
    assert "darker by 16.6 lightness points, from #3b82f6 to #1d4ed8" in answer


MOVES = [
    (9, 0, "9 px to the right"),
    (-4, 0, "4 px to the left"),
    (0, 12, "12 px down"),
    (0, -1, "1 px up"),
    (5, 7, "5 px to the right and 7 px down"),
]


@pytest.mark.parametrize(("dx", "dy", "words"), MOVES)
def test_a_move_is_measured_to_the_pixel(dx: int, dy: int, words: str) -> None:
    assert f"moved {words}." in describe(tile(120, 100), tile(120 + dx, 100 + dy))


def test_separate_changes_get_a_line_each() -> None:
    two = png(
        lambda canvas: (
            canvas.rectangle((10, 10, 40, 30), fill="red"),
            canvas.rectangle((220, 200, 260, 220), fill="green"),
        )
    )
    lines = describe(png(lambda canvas: None), two).splitlines()
    assert ["- At the bottom right" in lines[0], "- At the top left" in lines[1], len(lines)] == [True, True, 2]


def test_images_of_unequal_size_are_said_to_be_so() -> None:
    taller = png(lambda canvas: None, (300, 260))
    assert (
        describe(png(lambda canvas: None), taller) == "- The screenshot's size changed from 300 × 240 to 300 × 260 px."
    )


@pytest.fixture(scope="module")
def render() -> Iterator[Callable[[str], bytes]]:
    """HTML of a body to PNG, in real Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), chromium_sandbox=os.geteuid() != 0)
        page = browser.new_page(viewport={"width": 640, "height": 400})

        def shot(body: str) -> bytes:
            page.set_content(f'<body style="margin:0;font-family:sans-serif">{body}</body>')
            return page.screenshot()

        yield shot
        browser.close()


def box(style: str) -> str:
    base = "position:absolute;left:200px;top:120px;width:160px;height:60px;background:#3b82f6;color:#fff"
    return f'<div style="{base};{style}">Buy tickets</div>'


def text(style: str, words: str = "Welcome to our store") -> str:
    base = "position:absolute;left:40px;top:30px;width:440px;margin:0;font-size:24px;color:#111"
    return f'<p style="{base};{style}">{words}</p>'


PARAGRAPH = (
    "Our analysts publish a weekly summary of the bond market for every reader who wants one, and then some more."
)
WHERE_BOX = {"x": 200.0, "y": 120.0, "width": 160.0, "height": 60.0}
WHERE_TEXT = {"x": 40.0, "y": 30.0, "width": 440.0, "height": 160.0}
RENDERS = [
    ("rounded", "border-radius", box("border-radius:4px"), box("border-radius:16px"), 1, "more rounded"),
    ("rounded", "border-radius", box("border-radius:16px"), box(""), -1, "less rounded"),
    ("border", "border-width", box("outline:2px solid #111"), box("outline:5px solid #111"), 1, "thicker"),
    ("border", "border-width", box("outline:4px solid #111"), box("outline:1px solid #111"), -1, "thinner"),
    ("color", "background-color", box(""), box("background:#1d4ed8"), 1, "darker"),
    ("color", "color", text(""), text("color:#6b7280"), -1, "lighter"),
    ("opacity", "opacity", box(""), box("opacity:0.5"), -1, "lighter"),
    ("position", "top", text(""), text("top:46px"), 1, "moved 16 px down"),
    ("position", "left", box(""), box("left:188px"), -1, "moved 12 px to the left"),
    ("font_weight", "font-weight", text(""), text("font-weight:700"), 1, "strokes are thicker"),
    ("font_weight", "font-weight", text("font-weight:700"), text(""), -1, "strokes are thinner"),
    ("font_size", "font-size", text(""), text("font-size:30px"), 1, "larger"),
    ("font_size", "font-size", text("font-size:30px"), text(""), -1, "smaller"),
    ("letter_spacing", "letter-spacing", text(""), text("letter-spacing:0.12em"), 1, "letters is wider"),
    ("letter_spacing", "letter-spacing", text("letter-spacing:0.2em"), text(""), -1, "letters is tighter"),
    ("line_height", "line-height", text("", PARAGRAPH), text("line-height:1.6", PARAGRAPH), 1, "further apart"),
    (
        "line_height",
        "line-height",
        text("line-height:1.7", PARAGRAPH),
        text("line-height:1.4", PARAGRAPH),
        -1,
        "closer together",
    ),
]


@pytest.mark.parametrize(("kind", "name", "before", "after", "direction", "words"), RENDERS)
def test_what_is_measured_on_a_real_render_is_right_for_the_judge(
    render: Callable[[str], bytes], kind: str, name: str, before: str, after: str, direction: int, words: str
) -> None:
    answer = describe(render(before), render(after))
    assert words in answer
    values = {"color": ("rgb(59, 130, 246)", "rgb(29, 78, 216)"), "top": ("30px", "46px"), "left": ("200px", "188px")}
    old, new = ("", "") if name == "color" else values.get(kind, values.get(name, ("1", "2")))
    fields = {"property": name, "before": old, "after": new, "direction": direction}
    here = WHERE_TEXT if "<p" in before else WHERE_BOX
    elsewhere = {"x": 500.0, "y": 300.0, "width": 60.0, "height": 40.0}
    assert judge(difference(kind, **fields, box=here), answer).verdict == "correct"
    assert judge(difference(kind, **fields, box=elsewhere), answer).verdict == "wrong"
