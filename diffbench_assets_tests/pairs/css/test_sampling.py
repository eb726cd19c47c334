"""Which pages and candidates a cell takes: a function of seed and ids, and of no other cell."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.operators import CELLS, OPERATORS, split_cell
from diffbench_assets.pairs.css.operators.base import TIERS
from diffbench_assets.pairs.css.sampling import (
    draw_number,
    draw_order,
    own_tiers,
    page_order,
    pages_to_search,
    preference,
)

PAGES = st.lists(st.text("abcdef0123456789", min_size=4, max_size=8), min_size=1, max_size=40, unique=True)
SEEDS = st.integers(0, 5)


@st.composite
def pools(draw: st.DrawFn) -> tuple[str, list[str], list[dict[str, Any]], dict[str, str | None], int]:
    """A cell, the pages of the pool, candidates of the cell in any order, and the domains of the pages."""
    cell, pages, seed = draw(st.sampled_from(CELLS)), draw(PAGES), draw(SEEDS)
    operator, tier = split_cell(cell)
    domains = {page: draw(st.sampled_from(["news", "travel", "finance", None])) for page in pages}
    rows = [
        {
            "page_id": draw(st.sampled_from(pages)),
            "operator": operator,
            "tier": tier,
            "status": draw(st.sampled_from(["accepted", "accepted", "accepted", "nonlocal"])),
            "before_pixels": draw(st.sampled_from(["a", "b", "c"])),
            "after_pixels": str(draw(st.integers(0, 20))),
        }
        for _ in range(draw(st.integers(0, 30)))
    ]
    return cell, pages, rows, domains, seed


def drawn(pool: tuple[str, list[str], list[dict[str, Any]], dict[str, str | None], int]) -> list[Any]:
    cell, pages, rows, domains, seed = pool
    return list(draw_order(rows, page_order(pages, split_cell(cell)[0], seed), domains, seed))


@given(PAGES, SEEDS)
def test_the_order_of_pages_depends_on_ids_and_seed_alone(pages: list[str], seed: int) -> None:
    shuffled = random.Random(seed).sample(pages, len(pages))
    for cell in ("color.hard", NO_DIFF):
        assert pages_to_search(pages, cell, 3, seed) == pages_to_search(shuffled, cell, 3, seed)


@given(PAGES, SEEDS, st.sampled_from([*CELLS, NO_DIFF]), st.integers(1, 6))
def test_asking_for_more_pairs_keeps_the_pages_and_adds_others(pages: list[str], seed: int, cell: str, n: int) -> None:
    fewer, more = pages_to_search(pages, cell, n, seed), pages_to_search(pages, cell, n + 1, seed)
    assert more[: len(fewer)] == fewer
    assert len(set(more)) == len(more)
    assert set(more) <= set(pages)


@given(PAGES, SEEDS)
def test_the_tiers_of_an_operator_search_the_same_pages(pages: list[str], seed: int) -> None:
    for operator in OPERATORS:
        assert len({tuple(pages_to_search(pages, f"{operator}.{tier}", 2, seed)) for tier in TIERS}) == 1


@given(PAGES, SEEDS, st.sampled_from(sorted(OPERATORS)))
def test_every_page_serves_one_tier_and_tiers_share_the_pages_evenly(
    pages: list[str], seed: int, operator: str
) -> None:
    tiers = own_tiers(page_order(pages, operator, seed))
    assert set(tiers) == set(pages)
    counts = [list(tiers.values()).count(tier) for tier in TIERS]
    assert max(counts) - min(counts) <= 1


@given(pools())
@settings(max_examples=200)
def test_each_page_gives_one_accepted_candidate_of_its_own_tier_and_no_two_have_the_same_images(pool: Any) -> None:
    cell, pages, _, _, seed = pool
    operator, tier = split_cell(cell)
    tiers = own_tiers(page_order(pages, operator, seed))
    order = drawn(pool)
    assert len({row["page_id"] for row in order}) == len(order)
    assert len({(row["before_pixels"], row["after_pixels"]) for row in order}) == len(order)
    assert all(row["status"] == "accepted" and tiers[row["page_id"]] == tier for row in order)


@given(pools(), st.randoms(use_true_random=False))
@settings(max_examples=100)
def test_the_order_does_not_depend_on_the_order_of_pages_without_doubles(pool: Any, dice: random.Random) -> None:
    cell, pages, rows, domains, seed = pool
    unique = list({row["page_id"]: row for row in rows}.values())
    assert drawn((cell, pages, unique, domains, seed)) == drawn(
        (cell, pages, dice.sample(unique, len(unique)), domains, seed)
    )


@given(pools())
@settings(max_examples=100)
def test_domains_take_turns(pool: Any) -> None:
    domains = pool[3]
    order = [domains[row["page_id"]] or "" for row in drawn(pool)]
    left = {domain: order.count(domain) for domain in order}
    while left:
        turn, order = order[: len(left)], order[len(left) :]
        assert sorted(turn) == sorted(left)
        left = {domain: count - 1 for domain, count in left.items() if count > 1}


@given(pools())
@settings(max_examples=100)
def test_a_domain_turns_to_the_pages_that_prefer_the_operator_first(pool: Any) -> None:
    cell, pages, _, domains, seed = pool
    operator = split_cell(cell)[0]
    places = {page: place for place, page in enumerate(page_order(pages, operator, seed))}
    for domain in set(domains.values()):
        found = [places[row["page_id"]] for row in drawn(pool) if domains[row["page_id"]] == domain]
        assert found == sorted(found)
    ranks = [preference(page, operator, seed) for page in page_order(pages, operator, seed)]
    assert ranks == sorted(ranks)


@given(pools())
@settings(max_examples=100)
def test_the_tiers_of_an_operator_never_draw_the_same_page(pool: Any) -> None:
    cell, pages, rows, domains, seed = pool
    operator = split_cell(cell)[0]
    order = page_order(pages, operator, seed)
    by_tier = [draw_order([{**row, "tier": tier} for row in rows], order, domains, seed) for tier in TIERS]
    taken = [row["page_id"] for drawn_rows in by_tier for row in drawn_rows]
    assert len(set(taken)) == len(taken)


def test_numbers_are_stable_over_versions_and_machines() -> None:
    assert draw_number(0, "color", "page") == 16582935465947854808
    assert preference("page", "color", 0) in range(13)


def test_operators_prefer_different_pages() -> None:
    pages = [f"page-{i}" for i in range(260)]
    firsts = {operator: set(pages_to_search(pages, f"{operator}.easy", 20, 0, factor=1)) for operator in OPERATORS}
    shared = sum(len(firsts["color"] & firsts[other]) for other in firsts if other != "color")
    assert shared < 24
