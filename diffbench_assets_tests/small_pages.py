"""Small pages on which one operator, and as little else as possible, has something to change.

Belongs here: HTML of test pages and the stylesheet of a Tailwind-like page. All pages are in the form in which pages
are stored: parsing and serialising them changes nothing.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import cache

from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.pages.fonts import SANS, cut, font_face
from diffbench_assets.pages.ladders import TAILWIND_SCALES
from diffbench_assets.pages.scales import token

BASE = (
    "body{margin:0;font:16px/1.5 sans-serif;color:rgb(17,24,39);background:rgb(255,255,255)} *{box-sizing:border-box}"
)

DECLARATIONS = {
    "font": "font-weight:{}",
    "text": "font-size:{}",
    "text-blue": "color:{}",
    "bg-blue": "background-color:{}",
    "opacity": "opacity:{}",
    "from-blue": "--from:{}",
    "to-blue": "--to:{}",
    "top": "top:{}",
    "p": "padding:{}",
    "justify": "justify-content:{}",
    "border": "border-width:{}",
    "rounded": "border-radius:{}",
}
"""What the utility classes of a scale set."""

TARGETS = {
    # operator: (scale, token, classes beside it, inline style of the page without Tailwind, content)
    "font_weight": ("font", "font-medium", "card", "font-weight:500", "Quarterly revenue grew"),
    "font_size": ("text", "text-2xl", "card", "font-size:24px", "Revenue"),
    "letter_spacing": (None, "", "card", "letter-spacing:0.5px", "Quarterly revenue grew"),
    "line_height": (
        None,
        "",
        "card",
        "line-height:28px",
        "Quarterly revenue grew by a tenth, and so did the costs of every office abroad",
    ),
    "text": (None, "", "card", "", "Quarterly revenue grew"),
    "color": ("text-blue", "text-blue-500", "card", "color:rgb(43,127,255)", "Quarterly revenue grew"),
    "opacity": ("opacity", "opacity-100", "card fill", "opacity:1;background-color:rgb(21,93,252)", "Quarterly"),
    "gradient": (
        "from-blue",
        "from-blue-500",
        "card gradient to-blue-900",
        "background-image:linear-gradient(90deg, rgb(43,127,255), rgb(28,57,142))",
        "",
    ),
    "position": ("top", "top-20", "card fill", "top:80px;background-color:rgb(21,93,252)", "Quarterly"),
    "spacing": ("p", "p-10", "card fill", "padding:40px;background-color:rgb(21,93,252)", "Quarterly"),
    "justify": (
        "justify",
        "justify-between",
        "card row",
        "display:flex;justify-content:space-between",
        "<b>ab</b><b>cd</b>",
    ),
    "border": ("border", "border", "card line", "border:1px solid rgb(193,0,7)", "Quarterly"),
    "rounded": ("rounded", "rounded-lg", "card fill", "border-radius:8px;background-color:rgb(21,93,252)", ""),
}

_FIXED = "position:absolute;left:80px;top:120px;width:420px;height:160px"
_DECOYS = "{0}-foo hover:{0} sm:{0} foo-{0} {0}"


def stored(html: str) -> str:
    """The form in which ingestion stores a page."""
    return LexborHTMLParser(html).html or ""


def page(body: str, css: str = "") -> str:
    """A page with `body`, its stylesheet after a plain base."""
    return stored(f"<!DOCTYPE html><html><head><style>{BASE}{css}</style></head><body>{body}</body></html>")


@cache
def inter() -> str:
    """A rule for a variable font: system fonts have too few weights for a change of one step to show."""
    characters = frozenset(string.ascii_letters + " ,")
    return font_face("Inter", cut(SANS, characters)) + "body{font-family:Inter}"


def utilities(prefixes: Iterable[str]) -> str:
    """Rules for every step of the scales, as a compiled Tailwind stylesheet has them."""
    return "".join(
        f".{token(prefix, suffix).replace('.', chr(92) + '.')}{{{DECLARATIONS[prefix].format(value)}}}"
        for prefix in prefixes
        for suffix, value in TAILWIND_SCALES[prefix]
    )


def tailwind_page(operator: str) -> str:
    """One target whose class token is the operator's, among look-alikes that a swap must leave alone."""
    scale, name, beside, style, content = TARGETS[operator]
    if scale is None:
        return page(f'<div class="{beside}" style="{style}">{content}</div>', f".card{{{_FIXED}}}{inter()}")
    css = (
        f".card{{{_FIXED}}}.fill{{background-color:rgb(21,93,252)}}.row{{display:flex}}"
        ".line{border-style:solid;border-color:rgb(193,0,7)}.gradient{background-image:linear-gradient(90deg,var(--from),var(--to))}"
        + utilities(["to-blue", scale] if operator == "gradient" else [scale])
    )
    css += inter()
    return page(f'<div class="{beside} {_DECOYS.format(name)}">{content}</div>', css)


def plain_page(operator: str) -> str:
    """The same target styled by its style attribute alone."""
    style, content = TARGETS[operator][3:]
    return page(f'<div style="{_FIXED};{style}">{content}</div>', inter())
