"""Finding candidates on a loaded page: where each operator could act, which of it layout allows, in a seeded order.

Belongs here: enumeration, diversity and the layout trial. Does not belong here: captures and pixel decisions
(`candidates.py` makes them from what survives here).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from diffbench_assets.web.filters import filter_element
from diffbench_assets.web.gate import Box
from diffbench_assets.web.mutation import Mutation
from diffbench_assets.web.operators import OPERATORS
from diffbench_assets.web.operators.base import TIERS, Element, Operator, OwnText, Planned
from diffbench_assets.web.render import VIEWPORT, Tab

GROUPS_TRIED: Final = 96
"""Most groups an operator tries on a page; a group that cannot pass costs one layout, about a quarter millisecond."""

GROUPS_AN_ELEMENT: Final = 4
GROUPS_WANTED: Final = 3
"""Elements with every tier after which an operator stops looking: the first is used, the others stand in for it."""


@dataclass(frozen=True)
class Survivor:
    """A mutation that moves nothing else, with the boxes and facts that its trial measured."""

    mutation: Mutation
    element: Element
    box_after: Box
    contained: bool
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


def area(box: Box) -> tuple[int, int]:
    """Column and row (0…2) of the ninth of the viewport that holds the centre of `box`."""
    column = int(3 * (box[0] + box[2] / 2) / VIEWPORT[0])
    row = int(3 * (box[1] + box[3] / 2) / VIEWPORT[1])
    return min(2, max(0, column)), min(2, max(0, row))


def diverse(elements: Sequence[Element], dice: random.Random) -> list[Element]:
    """A seeded order in which kinds of elements and areas of the page take turns."""
    shuffled = list(elements)
    dice.shuffle(shuffled)
    seen: Counter[object] = Counter()
    turns = []
    for element in shuffled:
        kind = (element.role or element.tag, area(element.visible))
        turns.append(seen[kind])
        seen[kind] += 1
    return [element for _, element in sorted(zip(turns, shuffled, strict=True), key=lambda pair: pair[0])]


def plan(
    operator: Operator, elements: Sequence[Element], dice: random.Random
) -> list[tuple[Element, dict[str, Planned]]]:
    """The groups to try, most promising order first: class swaps before inline overrides within an element."""
    groups: list[tuple[Element, dict[str, Planned]]] = []
    for element in diverse(elements, dice):
        offered = list(operator.groups(operator, element, dice))
        dice.shuffle(offered)
        offered.sort(key=lambda group: (-len(group), next(iter(group.values())).mutation.mechanism != "class_swap"))
        groups.extend((element, group) for group in offered[:GROUPS_AN_ELEMENT])
        if len(groups) >= GROUPS_TRIED:
            break
    return groups[:GROUPS_TRIED]


async def search_page(tab: Tab, page_id: str, missing_glyphs: str, operators: Sequence[str], seed: int) -> Search:
    """Survivors of the page in `tab`, which must be loaded.

    The order and the choice of values come from `seed`, the page and the operator alone, so what one operator finds
    never depends on which others were asked for.
    """
    search = Search()
    usable = []
    for element in parse_elements(await tab.snapshot()):
        if reason := filter_element(element, missing_glyphs):
            search.discarded[reason] += 1
        else:
            usable.append(element)
    for name in operators:
        operator = OPERATORS[name]
        groups = plan(operator, usable, random.Random(f"{seed}/{page_id}/{name}"))
        outcomes = await tab.trial([_trial_group(operator, *group) for group in groups], GROUPS_WANTED)
        whole: list[dict[str, Survivor]] = []
        partial: list[dict[str, Survivor]] = []
        for (element, group), results in zip(groups, outcomes, strict=False):
            survivors, reasons = _read_group(operator, element, group, results)
            search.discarded.update(reasons)
            (whole if len(survivors) == len(TIERS) else partial).append(survivors)
        for survivors in whole + partial:
            for tier, survivor in survivors.items():
                search.survivors[f"{name}.{tier}"].append(survivor)
    return search


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
            mutation, element, tuple(result["box"]), result["contained"], tuple(ink) if ink else None
        )
    return survivors, reasons
