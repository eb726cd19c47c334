"""Finding candidates on a loaded page: where each operator could act, which of it layout allows, in a seeded order.

Belongs here: enumeration, diversity and the layout trial. Does not belong here: captures and pixel decisions
(`candidates.py` makes them from what survives here).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from diffbench_assets.browser.frames import GAP_PX
from diffbench_assets.browser.gate import Box
from diffbench_assets.browser.render import VIEWPORT, Tab
from diffbench_assets.pairs.css.filters import filter_element
from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.pairs.css.operators.base import TIERS, Element, Operator, OwnText, Planned
from diffbench_assets.pairs.naming import area
from diffbench_assets.pairs.record import Mutation

GROUPS_TRIED: Final = 96
"""Most groups an operator tries on a page; a group that cannot pass costs one layout, about a quarter millisecond."""

LARGE_PAGE: Final = 600
"""Visible elements from which on fewer groups are tried."""

GROUPS_AN_ELEMENT: Final = 4
GROUPS_WANTED: Final = 4
"""Elements with every tier after which an operator stops looking: the first is used, the others stand in for it."""


LARGE_LAST_SHARE: Final = 0.75


@dataclass(frozen=True)
class Survivor:
    """A mutation that moves nothing else, with what its trial measured: `reach` is all that the target draws on."""

    mutation: Mutation
    element: Element
    box_after: Box
    reach: Box
    ink: Box | None


@dataclass
class Search:
    """What a page offers: survivors per cell in the order to capture them, and counts of what layout ruled out."""

    survivors: dict[str, list[Survivor]] = field(default_factory=lambda: defaultdict(list))
    discarded: Counter[str] = field(default_factory=Counter)


def parse_elements(rows: Iterable[dict[str, Any]]) -> list[Element]:
    """Elements from the rows of `page.js`."""
    return [
        Element(
            **{
                **row,
                "classes": tuple(row["classes"]),
                "box": tuple(row["box"]),
                "visible": tuple(row["visible"]),
                "own": tuple(OwnText(own["node"], own["text"], tuple(own["visible"])) for own in row["own"]),
            }
        )
        for row in rows
    ]


def diverse(elements: Sequence[Element], dice: random.Random) -> list[Element]:
    """A seeded order in which kinds of elements and areas of the page take turns.

    Mostly, elements larger than a ninth of the viewport come last: they overlap with everything, and what overlaps
    cannot share a frame.
    """
    shuffled = list(elements)
    dice.shuffle(shuffled)
    large_last = dice.random() < LARGE_LAST_SHARE
    seen: Counter[object] = Counter()
    ranked = []
    for element in shuffled:
        kind = (element.role or element.tag, area(element.visible))
        large = large_last and 9 * element.box[2] * element.box[3] > VIEWPORT[0] * VIEWPORT[1]
        ranked.append((large, seen[kind]))
        seen[kind] += 1
    return [element for _, element in sorted(zip(ranked, shuffled, strict=True), key=lambda pair: pair[0])]


def plan(
    operator: Operator, elements: Sequence[Element], dice: random.Random, class_swap_only: bool = False
) -> list[tuple[Element, dict[str, Planned]]]:
    """The groups to try, most promising order first: elements on which the property shows as itself come before the
    others, then those with a class to swap, and class swaps before inline overrides within an element.
    `class_swap_only` leaves operators on scales no other way.
    """
    groups: list[tuple[Element, dict[str, Planned]]] = []
    # A trial looks at every box, so that on very large pages the same time allows fewer trials.
    most = GROUPS_TRIED if len(elements) <= LARGE_PAGE else max(12, GROUPS_TRIED * LARGE_PAGE // len(elements))

    def rank(element: Element) -> tuple[bool, bool]:
        return not operator.plain(element), not operator.has_class(element)

    for element in sorted(diverse(elements, dice), key=rank):
        offered = list(operator.groups(operator, element, dice))
        if class_swap_only and operator.scales:
            offered = [group for group in offered if _swaps(group)]
        dice.shuffle(offered)
        offered.sort(key=lambda group: (-len(group), not _swaps(group)))
        groups.extend((element, group) for group in offered[:GROUPS_AN_ELEMENT])
        if len(groups) >= most:
            break
    return groups[:most]


def _swaps(group: Mapping[str, Planned | Survivor]) -> bool:
    return any(found.mutation.mechanism == "class_swap" for found in group.values())


def _plain(group: Mapping[str, Survivor]) -> bool:
    return any(OPERATORS[found.mutation.operator].plain(found.element) for found in group.values())


async def search_page(tab: Tab, page_id: str, missing_glyphs: str, seed: int, class_swap_only: bool = False) -> Search:
    """Survivors of the page in `tab`, which must be loaded.

    All operators are searched, whichever cells are wanted: they give way to each other, and so what a cell gets depends
    on the seed and the page alone.
    """
    search = Search()
    usable = []
    for element in parse_elements(await tab.snapshot()):
        if reason := filter_element(element, missing_glyphs):
            search.discarded[reason] += 1
        else:
            usable.append(element)
    plans = {
        name: plan(operator, usable, random.Random(f"{seed}/{page_id}/{name}"), class_swap_only)
        for name, operator in OPERATORS.items()
    }
    trials = [[_trial_group(OPERATORS[name], *group) for group in groups] for name, groups in plans.items()]
    offers: dict[str, list[dict[str, Survivor]]] = {}
    for (name, groups), outcomes in zip(plans.items(), await tab.trial(trials, GROUPS_WANTED), strict=True):
        found = []
        for (element, group), results in zip(groups, outcomes, strict=False):
            survivors, reasons = _read_group(OPERATORS[name], element, group, results)
            search.discarded.update(reasons)
            found.append(survivors)
        offers[name] = sorted(found, key=lambda survivors: len(survivors) < len(TIERS))
    for name, ordered in _giving_way(offers).items():
        for survivors in ordered:
            for tier, survivor in survivors.items():
                search.survivors[f"{name}.{tier}"].append(survivor)
    return search


def _giving_way(offers: dict[str, list[dict[str, Survivor]]]) -> dict[str, list[dict[str, Survivor]]]:
    """Each operator's groups, first one that stays clear of the first ones of earlier operators where there is one.

    The first one shows its property as itself where one does, and of those it swaps a class where one does. Operators
    with few whole groups choose first. Targets that stay clear of each other can share frames.
    """
    taken: list[Box] = []
    chosen = {}
    whole = {name: [group for group in groups if len(group) == len(TIERS)] for name, groups in offers.items()}
    for preferred in (_plain, _swaps):
        whole |= {name: best for name, groups in whole.items() if (best := [g for g in groups if preferred(g)])}
    for name in sorted(offers, key=lambda name: len(whole[name])):
        groups = offers[name]
        extents = {id(group): _extent(group) for group in whole[name]}
        first = next((g for g in whole[name] if all(_clear(extents[id(g)], other) for other in taken)), None)
        if first is None and whole[name]:
            first = min(whole[name], key=lambda g: sum(not _clear(extents[id(g)], other) for other in taken))
        if first is not None:
            taken.append(extents[id(first)])
            groups = [first, *(group for group in groups if group is not first)]
        chosen[name] = groups
    return chosen


def _extent(group: dict[str, Survivor]) -> Box:
    boxes = [box for survivor in group.values() for box in (survivor.reach, survivor.element.box, survivor.box_after)]
    x, y = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return x, y, max(box[0] + box[2] for box in boxes) - x, max(box[1] + box[3] for box in boxes) - y


def _clear(a: Box, b: Box) -> bool:
    gap = GAP_PX + 2
    return a[0] + a[2] + gap < b[0] or b[0] + b[2] + gap < a[0] or a[1] + a[3] + gap < b[1] or b[1] + b[3] + gap < a[1]


def _smallest_first(group: dict[str, Planned]) -> list[tuple[str, Planned]]:
    return sorted(group.items(), key=lambda item: item[1].mutation.magnitude)


def _trial_group(operator: Operator, element: Element, group: dict[str, Planned]) -> list[dict[str, Any]]:
    return [
        {
            "element": element.index,
            "edits": [vars(edit) for edit in planned.mutation.edits],
            "property": planned.mutation.property,
            "expect": planned.expect,
            "layout": operator.layout,
            "shifts": operator.shifts,
            "silhouette": operator.silhouette,
        }
        for _, planned in _smallest_first(group)
    ]


def _read_group(
    operator: Operator, element: Element, group: dict[str, Planned], results: list[dict[str, Any]]
) -> tuple[dict[str, Survivor], Counter[str]]:
    survivors, reasons = {}, Counter[str]()
    for (tier, planned), result in zip(_smallest_first(group), results, strict=False):
        if result["reason"]:
            reasons[result["reason"]] += 1
            continue
        if operator.keeps_size and (result["box"][2], result["box"][3]) != element.box[2:]:
            reasons["resizes"] += 1
            continue
        mutation = planned.mutation
        if result["after"] is not None and mutation.magnitude_unit == "steps":
            mutation = replace(mutation, after=result["after"])
        ink = result.get("ink")
        survivors[tier] = Survivor(
            mutation, element, tuple(result["box"]), tuple(result["reach"]), tuple(ink) if ink else None
        )
    return survivors, reasons
