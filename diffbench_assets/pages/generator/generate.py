"""One page from a seed and an index.

Belongs here: drawing domain, style and language, and rendering the templates. Does not belong here: words, themes,
composition, or compiling the Tailwind classes that the page uses (that is ingestion's).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from diffbench_assets.pages.dice import Dice

from . import charts, pictures
from .composition import compose
from .content import LANGUAGES, RIGHT_TO_LEFT, Copy
from .domains import DOMAINS, PROFILES
from .icons import icon
from .themes import STYLES, draw_theme

OTHER_LANGUAGES_SHARE = 0.3
"""Share of pages that are not in English; in the released data it is about 40 % (DiffSpot, section 2)."""

RICH_ELEMENTS = 360
STANDARD_ELEMENTS = 200
"""Least number of opening tags of a rich and of a standard page."""


@dataclass(frozen=True)
class GeneratedPage:
    """A full HTML document that uses Tailwind 4 utility classes and refers to nothing outside itself."""

    html: str
    domain: str
    style: str
    richness: str
    language: str


def generate_page(seed: int, index: int) -> GeneratedPage:
    """The page number `index` of a seed. Pure: the same arguments give the same bytes.

    Raises ValueError when `index` is negative.
    """
    if index < 0:
        raise ValueError(f"generator page index must be 0 or more, got {index}")
    dice = Dice(f"{seed}/{index}")
    domain = DOMAINS[(index + seed) % len(DOMAINS)]
    style = dice.one(STYLES)
    language = dice.one(LANGUAGES[1:]) if dice.chance(OTHER_LANGUAGES_SHARE) else LANGUAGES[0]
    html = _render(domain, style, language, dice)
    return GeneratedPage(html, domain, style, _richness(html), language)


def _render(domain: str, style: str, language: str, dice: Dice) -> str:
    composition = compose(domain, dice)
    profile = PROFILES[domain]
    scope = {
        "t": draw_theme(style, language in RIGHT_TO_LEFT, dice),
        "c": Copy(language, domain, dice),
        "r": dice,
        "profile": profile,
        "icon": icon,
        "art": lambda scene, hue, other: pictures.picture(dice, scene, hue, other),
        "chart_area": lambda hue, other, classes: charts.area(dice, hue, other, classes),
        "chart_spark": lambda hue, classes: charts.spark(dice, hue, classes),
        "chart_ring": charts.ring,
        "layout": composition.layout,
        "bands": composition.bands,
        "panels": composition.panels,
        "panel_rows": composition.panel_rows,
        "picture_height": dice.pick("h-36", "h-40", "h-44", "h-48"),
        "card_foot": dice.pick("stars", "plus", "button"),
    }
    environment = _environment()
    scope["ui"] = environment.get_template("ui.html").make_module(scope)
    return environment.get_template("page.html").render(scope)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _richness(html: str) -> str:
    """rich, standard or minimal by the number of elements composed."""
    elements = html.count("<") - html.count("</")
    if elements >= RICH_ELEMENTS:
        return "rich"
    return "standard" if elements >= STANDARD_ELEMENTS else "minimal"
