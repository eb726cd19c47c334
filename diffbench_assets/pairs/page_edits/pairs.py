"""Pairs of a semantic category: offers tried on a loaded page, one of them chosen, captured and confirmed by replay.

Belongs here: from a stored page to its pair. Does not belong here: which offers a category makes (its own module).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from diffbench_assets.browser.flight import TABS, in_flight
from diffbench_assets.browser.gate import Box, Pixels, decide, decode, is_blank, region
from diffbench_assets.browser.render import PageFailed, Renderer, Tab
from diffbench_assets.pairs.categories import dimensions_of
from diffbench_assets.pairs.edits import Edit, apply_to_html, related
from diffbench_assets.pairs.grammar import Claim, describe
from diffbench_assets.pairs.made import Difference, MadePair, labels_of
from diffbench_assets.pairs.page_edits import (
    appearance,
    drawn_offers,
    motion,
    ocr,
    position,
    regional_color,
    substitution,
)
from diffbench_assets.pairs.page_edits.drawing import read_drawing
from diffbench_assets.pairs.page_edits.loaded import LoadedPage, Thing, as_json, read_page
from diffbench_assets.pairs.page_edits.offers import Offer
from diffbench_assets.pairs.page_edits.pixels import distance, seen
from diffbench_assets.pairs.record import PageEdit
from diffbench_assets.seeds import digest, rng

CATEGORIES: Final[Mapping[str, Callable[[Thing, LoadedPage, np.random.Generator], Iterator[Offer]]]] = {
    "position": position.offers,
    "motion": motion.offers,
    "regional_color": regional_color.offers,
    "appearance": appearance.offers,
    "substitution": substitution.offers,
    "ocr": ocr.offers,
}
"""The semantic categories of VDiff-Bench and its OCR category, as web pages can have them (scenes: `drawn_offers`)."""

_PAGE_JS: Final = (Path(__file__).parent / "page.js").read_text()
THINGS_TRIED: Final = 40
"""Most things of a page whose offers are tried by layout."""

CAPTURES: Final = 12
"""Most offers of a page that are captured; the first that passes becomes its pair."""

POSSIBLE: Final = 40
"""Most changes that a pair lists as possible, each also in reverse."""


@dataclass(frozen=True)
class _Tried:
    """An offer that layout allows: the `extent` of its thing before and after, and its `reach`, shadows included."""

    offer: Offer
    extent: Box
    reach: Box


async def semantic_pairs(
    renderer: Renderer,
    category: str,
    pages: Sequence[Mapping[str, Any]],
    n: int,
    seed: int,
    progress: Callable[[int], object] = lambda pages: None,
    *,
    scenes: bool = False,
) -> list[MadePair]:
    """Up to `n` pairs of `category`, one a page at most, in a seeded order of `pages`.

    A page has page_id, html, missing_glyphs and its labels.

    `scenes`: the pages are those of `pages/scenes`. Fewer come back when the pages end. What a page gives depends on
    seed, category and page alone. `progress` is told of every page looked at. Raises ValueError for an unknown one.
    """
    if category not in CATEGORIES:
        raise ValueError(f"unknown category {category!r}; categories are {', '.join(CATEGORIES)}")
    order = sorted(pages, key=lambda page: digest(seed, category, page["page_id"]))
    pairs: list[MadePair] = []
    start = 0
    while len(pairs) < n and start < len(order):
        batch = order[start : start + max(TABS, n - len(pairs))]
        start += len(batch)

        async def work(tab: Tab, page: Mapping[str, Any]) -> MadePair | None:
            try:
                return await _pair_of_page(tab, category, page, seed, scenes, renderer.fingerprint)
            except PageFailed as failure:
                if failure.tab_lost:
                    raise
                return None

        found = await in_flight(renderer, batch, work, lambda page, failure: None, progress)
        pairs += [pair for pair in found if pair is not None]
    return pairs[:n]


async def _pair_of_page(
    tab: Tab, category: str, page: Mapping[str, Any], seed: int, scene: bool, made_by: str
) -> MadePair | None:
    dice = rng(seed, category, page["page_id"])
    await tab.load(page["html"])
    before = await asyncio.to_thread(decode, await tab.settled())
    if is_blank(before):
        return None
    await tab.evaluate(_PAGE_JS)
    if scene:
        offers = await _offered_by_scene(tab, category, dice)
    else:
        offers = _offered(category, await read_page(tab, before, page.get("missing_glyphs") or ""), dice)
    allowed = _in_turns(await _allowed(tab, offers), dice)
    for tried in allowed[:CAPTURES]:
        after = await _captured(tab, tried, before)
        if after is None:
            # What does not show, or spills, could not have been done.
            allowed = [other for other in allowed if other is not tried]
            continue
        images = await _replayed(tab, page["html"], tried.offer.edits, before, after)
        maker = "scenes" if scene else "page_edits"
        return _pair(maker, category, page, tried, allowed, images, made_by) if images else None
    return None


async def _offered_by_scene(tab: Tab, category: str, dice: np.random.Generator) -> list[Offer]:
    drawing = await read_drawing(tab)
    return [offer for thing in drawing.things for offer in drawn_offers.CATEGORIES[category](thing, drawing, dice)]


def _offered(category: str, page: LoadedPage, dice: np.random.Generator) -> list[Offer]:
    """The offers of things in a seeded order, so that a page with many gives each the same chance."""
    things = [*page.things, *(page.groups if category == "substitution" else ())]
    offers: list[Offer] = []
    tried = 0
    for index in dice.permutation(len(things)):
        made = list(CATEGORIES[category](things[index], page, dice))
        offers += made
        tried += bool(made)
        if tried == THINGS_TRIED:
            break
    return offers


async def _allowed(tab: Tab, offers: Sequence[Offer]) -> list[_Tried]:
    """The offers that move nothing else, collide with nothing, and leave their thing where its phrase finds it."""
    attempts = [
        {"selector": offer.thing.selector, "edits": as_json(offer.edits), "roams": offer.roams} for offer in offers
    ]
    results = await tab.call("semantic.trial", attempts)
    return [
        _Tried(offer, tuple(result["extent"]), tuple(result["reach"]))
        for offer, result in zip(offers, results, strict=True)
        if result["reason"] is None and offer.thing.found_at(tuple(result["box"])) and _legible(offer, result)
    ]


def _legible(offer: Offer, result: Mapping[str, Any]) -> bool:
    """Whether an edited text is shown as its claim quotes it, and whole."""
    if result["ink"] is None:
        return True
    left, top, width, height = offer.thing.text_room
    x, y, wide, high = result["ink"]
    inside = x >= left - 1 and y >= top - 1 and x + wide <= left + width + 1 and y + high <= top + height + 1
    return inside and " ".join(result["text"].split()) == offer.claim.after


def _in_turns(allowed: Sequence[_Tried], dice: np.random.Generator) -> list[_Tried]:
    """The same in a seeded order in which things take turns: a thing with many changes comes up no sooner."""
    by_thing: dict[str, list[_Tried]] = {}
    for index in dice.permutation(len(allowed)):
        by_thing.setdefault(allowed[index].offer.thing.phrase, []).append(allowed[index])
    phrases = sorted(by_thing)
    order = [phrases[index] for index in dice.permutation(len(phrases))]
    rounds = max((len(tried) for tried in by_thing.values()), default=0)
    return [by_thing[phrase][turn] for turn in range(rounds) for phrase in order if turn < len(by_thing[phrase])]


async def _captured(tab: Tab, tried: _Tried, before: Pixels) -> Pixels | None:
    """The live page with the change, when it shows there, and nowhere else, and is not mistaken for its rival."""
    after = await _with_edits(tab, tried.offer.edits)
    decision = decide(before, after, region(tried.reach, tried.reach, before.shape))
    if decision.status != "accepted" or not seen(before, after):
        return None
    if tried.offer.rival:
        rival = await _with_edits(tab, tried.offer.rival)
        if distance(after, rival) < motion.RIVAL_SHARE * distance(after, before):
            return None
    return after


async def _with_edits(tab: Tab, edits: Sequence[Edit]) -> Pixels:
    await tab.call("semantic.enter", as_json(edits))
    try:
        return await asyncio.to_thread(decode, await tab.capture())
    finally:
        await tab.call("semantic.leave")


async def _replayed(
    tab: Tab, html: str, edits: Sequence[Edit], before: Pixels, after: Pixels
) -> tuple[bytes, bytes] | None:
    """Both captures again, from stored HTML on fresh documents; None unless they have the pixels of the live ones."""
    images = []
    for source, expected in ((html, before), (apply_to_html(html, edits), after)):
        await tab.load(source)
        # A first capture that agrees with the live page has settled.
        for capture in (tab.capture, tab.settled):
            png = await capture()
            if np.array_equal(await asyncio.to_thread(decode, png), expected):
                images.append(png)
                break
        else:
            return None
    return images[0], images[1]


def _pair(
    maker: str,
    category: str,
    page: Mapping[str, Any],
    tried: _Tried,
    allowed: Sequence[_Tried],
    images: tuple[bytes, bytes],
    made_by: str,
) -> MadePair:
    offer = tried.offer
    steps = (PageEdit(category, offer.edits),)
    difference = Difference(
        kind=category,
        claim=offer.claim,
        description=describe(offer.claim.subject, [offer.claim]),
        dimensions=dimensions_of(category, offer.claim.change),
        target=offer.thing.target,
        property=offer.property,
        before=offer.before,
        after=offer.after,
        direction=offer.direction,
        magnitude=offer.magnitude,
        unit=offer.unit,
        box=tried.extent,
        steps=steps,
    )
    possible = possible_claims(offer, [other.offer for other in allowed])
    return MadePair(maker, page["page_id"], *images, (difference,), steps, possible, made_by, labels_of(page))


def possible_claims(truth: Offer, allowed: Sequence[Offer]) -> tuple[Claim, ...]:
    """The claim of `truth`, other claims about its thing, then what else is `allowed` first, each with its reverse.

    In the order in which things take turns, the things and changes of these claims are those that truths have.

    Left out is what may hold when `truth` is the only change: claims about things around or inside its thing, and
    claims that compare another thing with it.
    """
    others = [
        offer
        for offer in allowed
        if offer.claim != truth.claim
        and (offer.thing.selector == truth.thing.selector or not related(offer.thing.selector, truth.thing.selector))
        and (offer.claim.subject == truth.claim.subject or truth.thing.phrase not in offer.claim.before)
    ]
    others.sort(key=lambda offer: offer.thing.selector != truth.thing.selector)
    claims = [truth.claim, *(offer.claim for offer in others[: POSSIBLE - 1])]
    return tuple(dict.fromkeys(each for claim in claims for each in (claim, claim.reversed())))
