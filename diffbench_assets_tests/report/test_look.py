"""Colours can be read and told apart, in light and in dark."""

from __future__ import annotations

import re

import pytest
from jinja2 import Environment, PackageLoader

from diffbench_assets.report.look import (
    FAINT,
    HEAT_DARK,
    HEAT_LIGHT,
    HEAT_TURN,
    INK,
    MUTED,
    PALETTE,
    PAPER,
    REGION,
    RULE,
    model_styles,
)
from diffbench_assets.report.page import _colors

SHEET = Environment(loader=PackageLoader("diffbench_assets.report")).get_template("page.css.j2").render(**_colors())
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6})", block)) for block in re.findall(r":root \{(.*?)\}", SHEET, re.S)
)


def luminance(color: str) -> float:
    digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """WCAG 2 contrast ratio."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_a_contrast_of_at_least_four_and_a_half(scheme: dict[str, str]) -> None:
    for text in ("ink", "muted", "link", "right", "wrong"):
        for ground in ("paper", "wash"):
            assert contrast(scheme[text], scheme[ground]) >= 4.5, (text, ground)
    assert contrast(scheme["ink"], scheme["quote"]) >= 4.5
    for text in ("ink", "muted", "right"):
        assert contrast(scheme[text], scheme["region"]) >= 4.5, text
    assert contrast(scheme["focus"], scheme["paper"]) >= 3


@pytest.mark.parametrize(("scheme", "steps"), [(LIGHT, HEAT_LIGHT), (DARK, HEAT_DARK)], ids=["light", "dark"])
def test_numbers_on_every_step_of_a_heatmap_can_be_read(scheme: dict[str, str], steps: tuple[str, ...]) -> None:
    for step, color in enumerate(steps):
        text = scheme["heat-high" if step >= HEAT_TURN else "heat-low"]
        assert contrast(text, color) >= 4.5, step


def test_model_colours_stand_out_from_both_pages() -> None:
    for color in PALETTE:
        assert min(contrast(color, LIGHT["paper"]), contrast(color, DARK["paper"])) >= 3, color


def test_neutral_colours_of_figures_have_a_dark_counterpart_in_the_sheet() -> None:
    for color in (INK, MUTED, PAPER, REGION):
        assert f'[fill="{color}"]' in SHEET
    for color in (INK, MUTED, PAPER, RULE, FAINT):
        assert f'[stroke="{color}"]' in SHEET


def test_fifty_models_differ_in_colour_or_marker() -> None:
    styles = model_styles(f"model-{i}" for i in range(50))
    assert len({(style.color, style.marker) for style in styles.values()}) == 50
