"""Which sections a page is made of, in which order.

Belongs here: drawing bands and panels for a layout. Does not belong here: their markup (`templates/`).
"""

from __future__ import annotations

from dataclasses import dataclass

from diffbench_assets.pages.dice import Dice

from .domains import PROFILES

HEROES: tuple[str, ...] = ("hero_split", "hero_split", "hero_center", "hero_cover", "hero_search")
BANDS: tuple[str, ...] = (
    "features",
    "products",
    "pricing",
    "table",
    "quotes",
    "faqs",
    "timeline",
    "cta",
    "gallery",
    "people",
    "steps",
    "stories",
    "panels",
    "split",
    "logos",
    "stats",
)
PUBLIC_DOMAINS: frozenset[str] = frozenset(
    {"e-commerce", "news_media", "travel", "food_restaurant", "portfolio", "entertainment", "real_estate"}
)
"""Sites that show no data table to a visitor."""

FILLERS: tuple[str, ...] = ("bars", "donut", "tasks", "progress", "activity", "rows", "calendar", "agenda")
"""Panels that any dashboard may add to those of its domain."""

ROW_GRIDS: tuple[tuple[str, int], ...] = (
    ("grid-cols-[2fr_1fr]", 2),
    ("grid-cols-[1fr_2fr]", 2),
    ("grid-cols-2", 2),
    ("grid-cols-3", 3),
)
WIDE: tuple[str, ...] = ("area", "bars", "table")


@dataclass(frozen=True)
class PanelRow:
    """A row of a dashboard: a grid class and the panels in it."""

    grid: str
    panels: list[str]


@dataclass(frozen=True)
class Composition:
    """The sections of one page, by template name."""

    layout: str
    bands: list[str]
    panels: list[str]
    panel_rows: list[PanelRow]


def compose(domain: str, dice: Dice) -> Composition:
    """Draw the layout and sections of a page of a domain."""
    layout = dice.one(PROFILES[domain].layouts)
    panels = dice.shuffled(PROFILES[domain].panels)
    bands = [name for name in dice.shuffled(BANDS) if _band_fits(name, layout, domain)]
    if layout == "landing":
        second = [dice.pick("stats", "logos", "steps", "features", "products")]
        rest = [name for name in bands if name not in second]
        return Composition(layout, [dice.one(HEROES), *second, *rest[: dice.number(1, 5)]], panels, [])
    return Composition(
        layout,
        bands[: dice.number(0, 3)],
        panels,
        _rows([*panels, *dice.shuffled(FILLERS)], dice) if layout == "dashboard" else [],
    )


def _band_fits(band: str, layout: str, domain: str) -> bool:
    if band == "pricing":
        return domain in {"saas_tool", "finance", "education", "corporate"} and layout != "pricing"
    if band == "table":
        return domain not in PUBLIC_DOMAINS
    return True


def _rows(panels: list[str], dice: Dice) -> list[PanelRow]:
    """Two or three rows; the wide cell of an uneven row holds a panel that needs the width."""
    narrow = iter(dict.fromkeys(name for name in panels if name not in WIDE))
    wide = dice.shuffled(WIDE)
    rows = []
    for grid, count in dice.some(ROW_GRIDS, dice.number(2, 3)):
        chosen = [next(narrow) for _ in range(count)]
        if grid == "grid-cols-[2fr_1fr]":
            chosen[0] = wide.pop()
        elif grid == "grid-cols-[1fr_2fr]":
            chosen[1] = wide.pop()
        rows.append(PanelRow(grid, chosen))
    return rows
