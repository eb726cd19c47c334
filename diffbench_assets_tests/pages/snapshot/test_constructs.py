"""A snapshot shows the same pixels offline: one small page for each construct that a plain save would lose."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from diffbench_assets.browser.gate import pixel_agreement
from diffbench_assets_tests.pages.snapshot.conftest import Studio
from diffbench_assets_tests.pages.snapshot.constructs import CONSTRUCTS, FILES, HEAD


def colors(png: bytes) -> int:
    """How many colours a picture has: a blank one has one."""
    return len(Image.open(io.BytesIO(png)).convert("RGB").getcolors(1 << 20) or [])


LEAST = {"highlighted text": 0.9998}
"""Text that stands in pieces is set in pieces: a letter may lie a fraction of a pixel elsewhere."""


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_its_pixels_are_those_of_the_live_page(studio: Studio, name: str) -> None:
    copied = studio.copy(f"{HEAD}<body>{CONSTRUCTS[name]}", FILES)
    assert copied.copy is not None, copied.page.drop_reason
    assert colors(copied.original) > 1
    assert pixel_agreement(copied.original, copied.copy) >= LEAST.get(name, 1.0)
    assert not copied.asked_while_copying


@pytest.mark.parametrize(
    "start",
    ["", "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://www.w3.org/TR/html4/loose.dtd'>"],
    ids=["quirks", "almost standard"],
)
def test_the_rendering_mode_language_and_direction_stay(studio: Studio, start: str) -> None:
    # In quirks mode a table does not inherit the size of text, and a bare number is a length.
    body = "<body style='font-size:40px'><table><td>مرحبا 12</table><p style='width:300'>b"
    html = f"{start}<html lang=ar dir=rtl>{body}"
    copied = studio.copy(html)
    assert copied.copy is not None
    assert pixel_agreement(copied.original, copied.copy) == 1.0
    assert 'lang="ar"' in copied.html and 'dir="rtl"' in copied.html


def test_two_visits_give_the_same_text(studio: Studio) -> None:
    html = f"{HEAD}<body>" + CONSTRUCTS["open shadow roots with slots"] + CONSTRUCTS["pictures of all kinds"]
    assert studio.copy(html, FILES).text == studio.copy(html, FILES).text


def test_fonts_noted_from_the_start_outlive_hundreds_of_requests(studio: Studio) -> None:
    early = "<link rel=preload as=font crossorigin href=mono.woff2>"
    rules = "@font-face{font-family:W;src:url(mono.woff2)}p{font:40px W}"
    late = (
        "let n = 0; const t = setInterval(() => { new Image().src = 'red.png?' + n; if (++n > 150) clearInterval(t) })"
    )
    html = f"{HEAD}{early}<style>{rules}</style><body><p>Early<script>onload = () => {{ {late} }}</script>"
    copied = studio.copy(html, FILES, recorded=True)
    assert copied.copy is not None
    assert pixel_agreement(copied.original, copied.copy) == 1.0
