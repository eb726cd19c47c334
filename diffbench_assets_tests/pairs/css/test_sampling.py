"""Which pages and candidates a cell takes: a function of seed and ids, and of no other cell."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.operators import CELLS, OPERATORS, split_cell
from diffbench_assets.pairs.css.operators.base import TIERS
from diffbench_assets.pairs.css.sampling import (
    draw_number,
    draw_order,
    is_full,
    page_order,
    preference,
    shortage,
    turn,
)

PAGES = st.lists(st.text("abcdef0123456789", min_size=4, max_size=8), min_size=1, max_size=40, unique=True)
SEEDS = st.integers(0, 5)
Pool = tuple[str, list[str], list[dict[str, Any]], dict[str, str | None], int]


def row(page: str, cell: str, status: str = "accepted", before: str = "a", after: str | None = None) -> dict[str, Any]:
    """A candidate of a page, with images of its own unless told."""
    operator, tier = split_cell(cell)
    shown = {"before_pixels": before, "after_pixels": after or page}
    return {"page_id": page, "operator": operator, "tier": tier, "status": status, **shown}


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """A cell, the pages of the pool, candidates of the cell in any order, and the domains of the pages."""
    cell, pages, seed = draw(st.sampled_from(CELLS)), draw(PAGES), draw(SEEDS)
    domains = {page: draw(st.sampled_from(["news", "travel", "finance", None])) for page in pages}
    statuses = st.sampled_from(["accepted", "accepted", "accepted", "nonlocal"])
    rows = [
        row(page, cell, draw(statuses), draw(st.sampled_from("abc")), str(draw(st.integers(0, 20))))
        for page in draw(st.lists(st.sampled_from(pages), unique=True))
    ]
    return cell, pages, rows, domains, seed


def drawn(pool: Pool, pairs_a_page: int = 1) -> list[Any]:
    cell, _, rows, domains, seed = pool
    return draw_order(rows, cell, domains, seed, pairs_a_page)


@given(PAGES, SEEDS, st.sampled_from([*CELLS, NO_DIFF]))
def test_the_order_of_pages_depends_on_ids_and_seed_alone(pages: list[str], seed: int, cell: str) -> None:
    shuffled = random.Random(seed).sample(pages, len(pages))
    order = page_order(pages, cell, seed)
    assert order == page_order(shuffled, cell, seed) and sorted(order) == sorted(pages)
    fewer = pages[: len(pages) // 2]
    assert page_order(fewer, cell, seed) == [page for page in order if page in fewer]


@given(PAGES, SEEDS)
def test_the_tiers_of_an_operator_search_the_same_pages(pages: list[str], seed: int) -> None:
    for operator in OPERATORS:
        assert len({tuple(page_order(pages, f"{operator}.{tier}", seed)) for tier in TIERS}) == 1


@given(st.text("abcdef", min_size=1), SEEDS)
def test_a_page_serves_every_cell_in_turn_and_one_tier_of_each_operator_before_the_second_of_any(
    page: str, seed: int
) -> None:
    served = sorted([*CELLS, NO_DIFF], key=lambda cell: turn(page, cell, seed))
    assert len({turn(page, cell, seed) for cell in served}) == len(served)
    assert Counter(cell.partition(".")[0] for cell in served[:14]) == Counter([*OPERATORS, NO_DIFF])


@given(pools(), st.integers(1, 3))
@settings(max_examples=200)
def test_every_accepted_candidate_is_drawn_unless_its_images_are_those_of_an_earlier_one(pool: Any, n: int) -> None:
    order = drawn(pool, n)
    accepted = [row for row in pool[2] if row["status"] == "accepted"]
    assert len({row["page_id"] for row in order}) == len(order)
    assert all(row["status"] == "accepted" for row in order)
    images = [(row["before_pixels"], row["after_pixels"]) for row in order]
    assert len(set(images)) == len(images)
    assert set(images) == {(row["before_pixels"], row["after_pixels"]) for row in accepted}


@given(pools(), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_the_order_does_not_depend_on_the_order_of_rows(pool: Any, dice: random.Random) -> None:
    cell, pages, rows, domains, seed = pool
    assert drawn(pool) == drawn((cell, pages, dice.sample(rows, len(rows)), domains, seed))


@given(pools(), st.integers(1, 3))
@settings(max_examples=100)
def test_pages_whose_turn_it_is_come_first_and_among_equals_domains_take_turns(pool: Any, n: int) -> None:
    cell, _, _, domains, seed = pool
    order = drawn(pool, n)
    blocks = [turn(row["page_id"], cell, seed) // n for row in order]
    assert blocks == sorted(blocks)
    given = Counter[str]()
    for block in dict.fromkeys(blocks):
        turns = []
        for place, row in enumerate(order):
            if blocks[place] == block:
                domain = domains[row["page_id"]] or ""
                turns.append(given[domain])
                given[domain] += 1
        assert turns == sorted(turns), "the domain that had fewest is next"


def test_a_page_gives_one_pair_where_there_are_pages_enough_and_more_where_they_run_out() -> None:
    cells = [f"{operator}.{tier}" for operator in ("color", "border", "text") for tier in TIERS]

    def most(pages: int, n: int, pairs_a_page: int = 1) -> int:
        names = [f"page-{number}" for number in range(pages)]
        orders = {cell: draw_order([row(page, cell) for page in names], cell, {}, 0, pairs_a_page) for cell in cells}
        return max(Counter(row["page_id"] for order in orders.values() for row in order[:n]).values())

    assert most(600, 10) == 1
    assert most(12, 10) > 1
    assert most(600, 10, pairs_a_page=39) > 1


def test_a_cell_is_full_when_pages_that_give_no_other_tier_have_pairs_enough() -> None:
    pages = [f"page-{number}" for number in range(90)]
    own = [row(page, "color.easy") for page in pages if turn(page, "color.easy", 0) < 14]
    others = [row(page, "color.easy") for page in pages if turn(page, "color.easy", 0) >= 14]
    assert 20 < len(own) < 40
    assert is_full([*others, *own[:5]], "color.easy", 5, 0)
    assert not is_full([*others, *own[:4]], "color.easy", 5, 0)
    assert not is_full([*own[:4], {**own[5], "after_pixels": own[0]["after_pixels"]}], "color.easy", 5, 0)
    assert not is_full([{**one, "status": "invisible"} for one in own], "color.easy", 5, 0)


def test_what_a_short_cell_needs_is_told_from_what_the_pages_gave() -> None:
    assert shortage(5, 5, 40) == "none"
    assert shortage(3, 5, 60) == "about 40 pages more than these 60 would probably do"
    assert shortage(0, 5, 60) == "none of 60 pages gives such a pair: add pages of other kinds"


def test_numbers_are_stable_over_versions_and_machines() -> None:
    assert draw_number(0, "color", "page") == 16582935465947854808
    assert preference("page", "color", 0) in range(14)


def test_operators_prefer_different_pages() -> None:
    pages = [f"page-{i}" for i in range(260)]
    firsts = {operator: set(page_order(pages, f"{operator}.easy", 0)[:20]) for operator in OPERATORS}
    shared = sum(len(firsts["color"] & firsts[other]) for other in firsts if other != "color")
    assert shared < 24
