"""A snapshot's text as a stored page: sanitized, its pictures kept byte for byte while they fit."""

from __future__ import annotations

import base64
import io
import random

from diffbench_assets.pages.selfcontained import MAX_PAGE_BYTES
from diffbench_assets.pages.snapshot.inline import BROKEN
from PIL import Image

from diffbench_assets.pages.snapshot import to_page


def noise(seed: int, side: int, kind: str = "PNG") -> str:
    image = Image.frombytes("RGB", (side, side), random.Random(seed).randbytes(side * side * 3))
    out = io.BytesIO()
    image.save(out, kind)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(out.getvalue()).decode()}"


def document(*addresses: str, extra: str = "") -> str:
    pictures = "".join(f'<img src="{address}">' for address in addresses)
    return f"<!DOCTYPE html><html><head><title>t</title></head><body><p>Text</p>{pictures}{extra}</body></html>"


def test_a_picture_that_ingestion_would_recode_stays_as_it_is() -> None:
    large = noise(1, 200)
    page = to_page(document(large, large))
    assert page.html is not None
    assert page.html.count(large) == 2


def test_a_picture_that_cannot_be_drawn_shows_as_not_loaded() -> None:
    html = to_page(document("data:image/png;base64,iVBORw0KGgo=")).html
    assert html is not None
    assert f'src="{BROKEN}"' in html


def test_scripts_in_a_drawing_are_gone() -> None:
    drawing = (
        b'<svg xmlns="http://www.w3.org/2000/svg" onload="a()"><script>a()</script><rect width="9" height="9"/></svg>'
    )
    html = to_page(document("data:image/svg+xml;base64," + base64.b64encode(drawing).decode())).html
    assert html is not None
    kept = base64.b64decode(html.partition("data:image/svg+xml;base64,")[2].partition('"')[0])
    assert b"rect" in kept and b"script" not in kept and b"onload" not in kept


def test_the_largest_pictures_shrink_until_the_page_fits() -> None:
    small, large = noise(1, 100), [noise(seed, 900) for seed in range(2, 5)]
    html = to_page(document(small, *large)).html
    assert html is not None
    assert len(html) <= MAX_PAGE_BYTES
    assert small in html
    assert 0 < sum(picture in html for picture in large) < len(large)


def test_classes_without_rules_are_not_taken_for_unbuilt_tailwind() -> None:
    classes = "flex p-10 text-red-500 bg-blue-500 mt-4 w-1/2 rounded border shadow grid md:p-2 odd:pt-[3px] ü 1a"
    html = to_page(document(extra=f'<p class="{classes}">Plain</p>')).html
    assert html is not None
    assert "padding" not in html and "diffbench-known-classes" not in html


def test_a_page_that_cannot_be_used_says_why() -> None:
    assert to_page("<html><head></head><body></body></html>").drop_reason == "no_visible_content"
