"""Claims of pairs that CSS mutations make, and how claims call an element of a page.

Belongs here: from the row of a mutation to what it makes true of image B, and from the accepted candidates of a page to
everything else that could have been said of it. Does not belong here: the grammar (`pairs/grammar.py`) or changes that
are no CSS mutation (`page_edits/`).
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from diffbench_assets.browser.gate import Box
from diffbench_assets.pairs.color_words import brightness, color_word
from diffbench_assets.pairs.colors import COLOR_PATTERN
from diffbench_assets.pairs.css.wording import location, noun
from diffbench_assets.pairs.grammar import Claim

QUOTED: Final = 30
"""Most characters of an element's text that a subject quotes."""

MADE_OR_SPARE: Final = ("accepted", "spare")
"""Statuses of candidates that were made, or could have been."""

VALUE: Final = 40
"""Most characters of a text that a claim quotes as a value."""

_ROLES: Final[Mapping[str, str]] = {
    name: name
    for name in (
        "link", "button", "navigation", "header", "footer", "sidebar", "image", "icon", "heading", "paragraph", "list",
        "list item", "table", "table header", "table cell", "table row", "input", "dropdown", "label", "section",
        "article", "form", "quote", "figure", "caption", "date", "main area", "tab", "checkbox", "switch", "slider",
    )
} | {
    "img": "image", "banner": "header", "contentinfo": "footer", "complementary": "sidebar", "main": "main area",
    "listitem": "list item", "menuitem": "link", "radio": "radio button", "textbox": "input", "searchbox": "input",
    "combobox": "dropdown", "progressbar": "progress bar", "row": "table row", "cell": "table cell",
    "columnheader": "table header", "alert": "message", "status": "message", "tooltip": "message",
}  # fmt: skip
"""Roles that have a plain name. Pages may set any role, so that others are not repeated."""

_DIRECTED: Final[Mapping[str, tuple[str, str]]] = {
    # operator: change when the value shrinks along its scale, and when it grows
    "font_weight": ("thinner", "bolder"),
    "font_size": ("smaller_text", "larger_text"),
    "letter_spacing": ("tighter_letters", "wider_letters"),
    "line_height": ("tighter_lines", "wider_lines"),
    "opacity": ("more_transparent", "more_solid"),
    "spacing": ("less_padding", "more_padding"),
    "border": ("thinner_border", "thicker_border"),
    "rounded": ("sharper", "rounder"),
}
_MOVES: Final[Mapping[str, tuple[str, str]]] = {
    "left": ("moved_left", "moved_right"),
    "right": ("moved_right", "moved_left"),
    "top": ("moved_up", "moved_down"),
    "bottom": ("moved_down", "moved_up"),
}
_SPREADS: Final[Mapping[str, str]] = {
    # Start and end, since left and right depend on the direction of the page.
    "normal": "gathered at its start",
    "start": "gathered at its start",
    "left": "gathered at its start",
    "flex-start": "gathered at its start",
    "center": "gathered in its middle",
    "end": "gathered at its end",
    "right": "gathered at its end",
    "flex-end": "gathered at its end",
    "space-between": "spread out to both ends",
    "space-around": "spread out with half gaps at the ends",
    "space-evenly": "spread out with equal gaps everywhere",
}


def quoted(text: str, most: int = QUOTED) -> str:
    """The start of `text` as it can be quoted: on one line, of readable characters, cut between words."""
    readable = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Cn") or c.isspace())
    line = " ".join(readable.translate({ord(mark): None for mark in "“”"}).split())
    if not any(c.isalnum() for c in line):
        return ""
    if len(line) <= most:
        return line
    cut = line[: most + 1].rpartition(" ")[0]
    return f"{(cut if len(cut) > most // 2 else line[:most]).rstrip(' ,.;:-')}…"


def plain_noun(tag: str, role: str, text: str) -> str:
    """The noun for an element, whatever its page writes into its role."""
    return noun(tag, _ROLES.get(role, ""), text)


def place(where: str) -> str:
    """A location as the end of a noun phrase: `at the top left`, `in the center`."""
    return "in the center" if where == "center" else f"at the {where}"


def subject(thing: str, text: str, where: str) -> str:
    """The noun phrase of a thing, with the start of its text if it has one: `the heading “About us” in the center`."""
    shown = quoted(text)
    return f"the {thing} “{shown}” {place(where)}" if shown else f"the {thing} {place(where)}"


def claim_of(difference: Mapping[str, Any]) -> Claim | None:
    """What the difference (a `schemas.DIFFERENCE` of a CSS pair) makes true of the image after.

    None when the grammar has no words for it that are certain: a move along both axes, a color as light as before.
    """
    target = difference["target"]
    return _claim(difference["kind"], target, target["location"], difference, _moves(difference))


def claim_of_candidate(row: Mapping[str, Any]) -> Claim | None:
    """The same from an accepted row of the candidates table, whose boxes also tell where a target moved."""
    before, after = _box(row["box_before"]), _box(row["box_after"])
    dx, dy = after[0] - before[0], after[1] - before[1]
    moves = [_MOVES[side][step > 0] for side, step in (("left", dx), ("top", dy)) if step]
    return _claim(row["operator"], row["element"], location(before), row, moves)


def _claim(
    operator: str, element: Mapping[str, str], where: str, values: Mapping[str, Any], moves: list[str]
) -> Claim | None:
    tag, text = element["tag"], element["text"] or ""
    thing = plain_noun(tag, element["role"] or "", text)
    before, after, direction = values["before"], values["after"], values["direction"]
    if operator == "text":
        # The subject must not quote what changed.
        shown = excerpts(before, after)
        return Claim(subject(thing, "", where), "reads", *shown) if shown else None
    # The text of an image is its alternative text, which nobody sees.
    named = subject(thing, "" if tag in ("img", "svg") else text, where)
    if operator == "position":
        return Claim(named, moves[0]) if len(moves) == 1 else None
    if operator == "justify":
        was, now = _SPREADS.get(before, ""), _SPREADS.get(after, "")
        return Claim(named, "spread", was, now) if was and now and was != now else None
    if operator == "color":
        return _color_claim(named, before, after)
    if operator == "gradient":
        step = _gradient_step(before, after)
        return Claim(named, "lighter_gradient" if step > 0 else "darker_gradient") if step else None
    return Claim(named, _DIRECTED[operator][direction > 0])


def _color_claim(named: str, before: str, after: str) -> Claim | None:
    was, now = color_word(before), color_word(after)
    if was and now and was != now and not {"black", "gray", "white"} & {was, now}:
        return Claim(named, "recolored", was, now)
    step = brightness(after) - brightness(before)
    return Claim(named, "lighter" if step > 0 else "darker") if step else None


def _gradient_step(before: str, after: str) -> float:
    """How much lighter the one stop that changed is; 0 when no stop can be told to be it."""
    stops = COLOR_PATTERN.findall(before), COLOR_PATTERN.findall(after)
    if len(stops[0]) != len(stops[1]):
        return 0.0
    steps = [brightness(b) - brightness(a) for a, b in zip(*stops, strict=True) if a != b]
    return steps[0] if len({step > 0 for step in steps}) == 1 else 0.0


def _moves(difference: Mapping[str, Any]) -> list[str]:
    """The moves that a difference's property names: none for one whose effect depends on the page's direction."""
    property, direction = difference["property"], difference["direction"]
    if property == "translate":
        property = "top" if " " in difference["after"].strip() else "left"
    return [_MOVES[property][direction > 0]] if property in _MOVES else []


def excerpts(before: str, after: str, most: int = VALUE) -> tuple[str, str] | None:
    """The stretch of both texts, of equal length and at most `most` characters, in which they differ.

    None when they do not, or not in a way that can be quoted.
    """
    places = [i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b]
    if len(before) != len(after) or not places:
        return None
    start = 0
    if len(before) > most:
        start = max(0, min(places[0] - most // 4, len(before) - most))
        # Between words, when the change leaves room for it.
        word = before.rfind(" ", start, places[0]) + 1
        start = word if 0 < start < word else start
    cut = slice(start, start + most)
    shown = tuple(" ".join(text[cut].replace("“", "").replace("”", "").split()) for text in (before, after))
    return (shown[0], shown[1]) if shown[0] and shown[1] and shown[0] != shown[1] else None


def possible_claims(candidate: Mapping[str, Any], accepted: Iterable[Mapping[str, Any]]) -> tuple[Claim, ...]:
    """The truth of `candidate`, then what the other `accepted` candidates of its page say, each with its reverse.

    Left out is what may hold, or mean nothing, when `candidate` is the only change: claims about elements around or
    inside its target, and about elements that are called like another one. Empty when the truth has no claim.
    """
    truth = claim_of_candidate(candidate)
    if truth is None:
        return ()
    others = [
        (row, claim)
        for row in accepted
        if row["page_id"] == candidate["page_id"] and row["status"] in MADE_OR_SPARE and not _entwined(candidate, row)
        if (claim := claim_of_candidate(row)) is not None
    ]
    called = defaultdict(set)
    for row, claim in [(candidate, truth), *others]:
        called[claim.subject].add(row["selector"])
    fair = [claim for _, claim in others if len(called[claim.subject]) == 1]
    ordered = [truth, *sorted(claim for claim in fair if claim != truth)]
    return tuple(dict.fromkeys(each for claim in ordered for each in (claim, claim.reversed())))


def claims_of_page(accepted: Iterable[Mapping[str, Any]]) -> tuple[Claim, ...]:
    """What the accepted candidates of a page say, each with its reverse: all false when nothing was changed.

    Left out are claims about elements that are called like another one.
    """
    made = [(row["selector"], claim) for row in accepted if (claim := claim_of_candidate(row)) is not None]
    called = defaultdict(set)
    for selector, claim in made:
        called[claim.subject].add(selector)
    fair = sorted(claim for _, claim in made if len(called[claim.subject]) == 1)
    return tuple(dict.fromkeys(each for claim in fair for each in (claim, claim.reversed())))


def _entwined(candidate: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """Whether one target is around or inside the other, or the same while its text is what changed."""
    one, other = candidate["selector"], row["selector"]
    if one == other:
        # A subject that quotes a text of the image before would call the target by it.
        return (candidate["operator"] == "text") != (row["operator"] == "text")
    return related(one, other) or _inside(candidate, row) or _inside(row, candidate)


def related(one: str, other: str) -> bool:
    """Whether one of two selectors of a stored page finds an ancestor of the other's element, or the same."""
    return one == other or one.startswith(f"{other} > ") or other.startswith(f"{one} > ")


def _inside(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    x, y, width, height = _box(row["box_before"])
    left, top, wide, high = _box(other["box_before"])
    return left <= x and top <= y and x + width <= left + wide and y + height <= top + high


def _box(struct: Mapping[str, float]) -> Box:
    return struct["x"], struct["y"], struct["width"], struct["height"]
