"""What a domain's pages look like apart from their words: layouts, side panels, pictures, icons.

Belongs here: the 15 domains and what each composes. Does not belong here: any text a visitor reads (`content/`).
"""

from __future__ import annotations

from dataclasses import dataclass

SHOP: tuple[str, ...] = ("rows", "promo", "rating", "map", "tags", "hours", "steps", "form", "calendar")
PRESS: tuple[str, ...] = ("rows", "promo", "tags", "agenda", "calendar", "activity")
OFFICE: tuple[str, ...] = ("rows", "promo", "tags", "agenda", "calendar", "form", "hours", "map", "steps", "progress")
TOOL: tuple[str, ...] = (
    "area",
    "bars",
    "donut",
    "rows",
    "activity",
    "tasks",
    "calendar",
    "promo",
    "chat",
    "progress",
    "agenda",
    "steps",
    "tags",
)
GROUP: tuple[str, ...] = ("rows", "activity", "chat", "calendar", "agenda", "map", "tags", "promo", "progress")


@dataclass(frozen=True)
class Domain:
    """`layouts` name files of `templates/layouts/` (a name given twice is drawn twice as often), `panels` those of
    `templates/panels/`, `art` names of `pictures.py`, `icons` symbols of `icons.py`; `sells`: visitors buy there."""

    layouts: tuple[str, ...]
    panels: tuple[str, ...]
    art: tuple[str, ...]
    icons: tuple[str, ...]
    sells: bool = False

    @property
    def views(self) -> tuple[str, ...]:
        """Scenes that stand a wide crop."""
        return tuple(scene for scene in self.art if scene != "portrait")


PROFILES: dict[str, Domain] = {
    "e-commerce": Domain(
        ("catalog", "catalog", "detail", "landing", "gallery", "checkout", "dashboard"),
        SHOP,
        ("bottle", "lamp", "chair", "bag", "mug"),
        ("cart", "tag", "heart", "truck", "gift", "star"),
        sells=True,
    ),
    "saas_tool": Domain(
        ("landing", "dashboard", "dashboard", "pricing", "settings", "article"),
        TOOL,
        ("screen", "orbit", "waves", "columns"),
        ("bolt", "layers", "chart", "lock", "gear", "cloud"),
    ),
    "news_media": Domain(
        ("frontpage", "frontpage", "frontpage", "article", "article", "directory"),
        PRESS,
        ("city", "hills", "portrait", "columns", "waves", "island"),
        ("book", "globe", "clock", "mic", "camera", "bell"),
    ),
    "education": Domain(
        ("landing", "catalog", "dashboard", "schedule", "detail", "article", "directory"),
        ("rows", "promo", "tags", "agenda", "calendar", "tasks", "hours", "map", "steps", "progress"),
        ("books", "orbit", "portrait", "screen"),
        ("book", "cap", "clock", "star", "users", "pen"),
    ),
    "government": Domain(
        ("landing", "directory", "settings", "article", "dashboard", "schedule"),
        OFFICE,
        ("city", "columns", "hills", "waves"),
        ("shield", "file", "home", "map", "users", "truck"),
    ),
    "healthcare": Domain(
        ("landing", "schedule", "directory", "dashboard", "settings", "detail"),
        OFFICE,
        ("clinic", "portrait", "waves", "orbit"),
        ("heart", "pulse", "shield", "calendar", "users", "clock"),
    ),
    "finance": Domain(
        ("dashboard", "dashboard", "landing", "pricing", "directory", "settings"),
        ("area", "bars", "donut", "rows", "promo", "steps", "progress", "agenda", "form"),
        ("columns", "city", "waves", "orbit"),
        ("chart", "card", "shield", "lock", "bolt", "globe"),
    ),
    "travel": Domain(
        ("landing", "landing", "catalog", "detail", "gallery", "schedule", "checkout"),
        SHOP,
        ("hills", "island", "city", "waves"),
        ("map", "plane", "sun", "calendar", "star", "camera"),
        sells=True,
    ),
    "food_restaurant": Domain(
        ("landing", "landing", "catalog", "gallery", "detail", "checkout", "article"),
        SHOP,
        ("plate", "bowl", "cake"),
        ("leaf", "clock", "star", "gift", "heart", "truck"),
        sells=True,
    ),
    "real_estate": Domain(
        ("catalog", "detail", "landing", "landing", "directory", "gallery", "dashboard"),
        ("rows", "promo", "map", "tags", "form", "calendar", "hours", "steps"),
        ("house", "city", "house"),
        ("home", "map", "key", "calendar", "star", "camera"),
    ),
    "portfolio": Domain(
        ("gallery", "gallery", "landing", "article", "detail"),
        ("rows", "promo", "tags", "form", "steps", "calendar"),
        ("orbit", "waves", "lamp", "chair", "portrait", "island"),
        ("pen", "camera", "layers", "star", "globe", "sun"),
    ),
    "corporate": Domain(
        ("landing", "landing", "article", "directory", "settings", "pricing"),
        ("area", "bars", "donut", "rows", "promo", "agenda", "form", "map", "steps", "progress", "tags"),
        ("city", "columns", "orbit", "hills"),
        ("globe", "users", "chart", "shield", "leaf", "layers"),
    ),
    "social_community": Domain(
        ("feed", "feed", "feed", "directory", "gallery", "landing", "schedule"),
        GROUP,
        ("portrait", "hills", "orbit", "waves", "mug"),
        ("chat", "users", "heart", "bell", "star", "camera"),
    ),
    "entertainment": Domain(
        ("gallery", "catalog", "detail", "landing", "landing", "schedule", "feed"),
        ("rows", "promo", "rating", "tags", "agenda", "calendar", "activity"),
        ("stage", "city", "orbit", "island", "portrait"),
        ("play", "mic", "star", "clock", "heart", "bolt"),
        sells=True,
    ),
    "other": Domain(
        ("landing", "landing", "article", "directory", "schedule", "feed", "dashboard"),
        ("rows", "promo", "map", "tags", "agenda", "calendar", "form", "steps", "progress", "activity"),
        ("hills", "island", "portrait", "waves", "books"),
        ("leaf", "heart", "users", "calendar", "map", "gift"),
    ),
}

DOMAINS: tuple[str, ...] = tuple(PROFILES)
