"""Line icons drawn for this project on a 24 × 24 grid.

Belongs here: small symbols. Does not belong here: pictures (`pictures.py`) or charts (`charts.py`).
"""

from __future__ import annotations

from markupsafe import Markup

PATHS: dict[str, str] = {
    "arrow": "M4 12h15M13 6l6 6-6 6",
    "bell": "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
    "bolt": "M13 3 5 14h6l-1 7 9-12h-6z",
    "book": "M4 5h7a2 2 0 0 1 1 1 2 2 0 0 1 1-1h7v14h-7l-1 1-1-1H4zM12 6v13",
    "calendar": "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
    "camera": "M3 8h4l2-3h6l2 3h4v12H3zM12 10.5a3.5 3.5 0 1 0 .01 0",
    "cap": "M2 9l10-5 10 5-10 5zM6 11v5c3 3 9 3 12 0v-5",
    "card": "M3 6h18v12H3zM3 10h18M6 15h4",
    "cart": "M3 4h3l2 11h10l2-8H7M9 19.5h.5M16.5 19.5h.5",
    "chart": "M4 4v16h16M8 16v-4M12 16V8M16 16v-6",
    "chat": "M4 5h16v11h-9l-4 4v-4H4zM8 10h8",
    "check": "M5 12.5l4.5 4.5L19 7",
    "chevron": "M6 9l6 6 6-6",
    "clock": "M12 3.5a8.5 8.5 0 1 0 .01 0M12 8v4.5l3 2",
    "cloud": "M7 18a4 4 0 0 1 0-8 5 5 0 0 1 9.5-1.5A4.5 4.5 0 0 1 17 18z",
    "file": "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
    "filter": "M4 5h16l-6 7v6l-4 2v-8z",
    "gear": (
        "M12 8.5a3.5 3.5 0 1 0 .01 0M12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1"
        "M18.7 5.3l-2.1 2.1M7.4 16.6l-2.1 2.1"
    ),
    "gift": "M4 9h16v4H4zM6 13v7h12v-7M12 9v11M12 9C9 9 7 7 8.5 5.5S12 6 12 9c0-3 2-5 3.5-3.5S15 9 12 9z",
    "globe": "M12 3.5a8.5 8.5 0 1 0 .01 0M3.5 12h17M12 3.5c-5 5-5 12 0 17M12 3.5c5 5 5 12 0 17",
    "grid": "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
    "heart": "M12 20C5 15 3 12 3 9a4.5 4.5 0 0 1 9-1 4.5 4.5 0 0 1 9 1c0 3-2 6-9 11z",
    "home": "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
    "key": "M8 10.5a4 4 0 1 0 .01 0M11 12l9-8M16 8l3 3",
    "layers": "M12 4l9 5-9 5-9-5zM3 14l9 5 9-5",
    "leaf": "M5 19C4 10 9 4 20 4c0 11-6 16-14 14M5 20c2-5 5-8 9-10",
    "lock": "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2",
    "map": "M12 21c-5-6-7-8.5-7-11.5a7 7 0 0 1 14 0C19 12.5 17 15 12 21zM12 7.5a2.5 2.5 0 1 0 .01 0",
    "menu": "M4 7h16M4 12h16M4 17h10",
    "mic": "M9 5a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21",
    "pen": "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
    "plane": "M3 13l18-9-6 17-3-7zM12 14l4-5",
    "play": "M7 4l13 8-13 8z",
    "plus": "M12 5v14M5 12h14",
    "pulse": "M3 12h4l2.5-6 4 13 2.5-7h5",
    "search": "M10.5 4a6.5 6.5 0 1 0 .01 0M15.5 15.5L20 20",
    "shield": "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4",
    "star": "M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6L12 17.1 6.7 20l1.1-6-4.4-4.2 6-.8z",
    "sun": (
        "M12 8a4 4 0 1 0 .01 0M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4"
        "M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4"
    ),
    "tag": "M4 4h8l8 8-8 8-8-8zM8 8h.5",
    "truck": "M2 6h12v10H2zM14 9h4l4 4v3h-8M6 18.5h.5M17 18.5h.5",
    "users": "M9 5a3.5 3.5 0 1 0 .01 0M2.5 20c0-8 13-8 13 0M16 6a3 3 0 0 1 0 6M18 14c2.5 1 3.5 3 3.5 6",
}


def icon(name: str, classes: str = "size-5", filled: bool = False) -> Markup:
    """An inline SVG in the current text colour; KeyError for a name that is not drawn here."""
    fill = "currentColor" if filled else "none"
    return Markup(
        f'<svg class="{classes} shrink-0" viewBox="0 0 24 24" fill="{fill}" stroke="currentColor" stroke-width="1.8" '
        f'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="{PATHS[name]}"/></svg>'
    )
