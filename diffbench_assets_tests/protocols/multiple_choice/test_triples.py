"""The statements of a question fit together, and say nothing of which of them is true."""

from collections import Counter
from itertools import combinations, islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from diffbench_assets.pairs.grammar import CHANGES, TINTS, WHOLE_IMAGE, Claim, excludes
from diffbench_assets.protocols.multiple_choice.triples import NotEnoughClaims, Triples, strategy
from diffbench_assets_tests.protocols.multiple_choice.synthetic import claims_of

RING, SQUARE, STAR = "the ring", "the square", "the star"
IRREGULAR = {
    "position": claims_of("position", "test"),
    "regional color": claims_of("regional_color", "test"),
    "text": claims_of("ocr", "test"),
    "one odd claim": (*claims_of("position", "test"), Claim("the door", "larger")),
    "one rich element": tuple(Claim(RING, c) for c in ("moved_left", "moved_right", "moved_up", "moved_down"))
    + tuple(Claim(subject, c) for subject in (SQUARE, STAR) for c in ("turned_clockwise", "turned_counterclockwise")),
}


@st.composite
def possible_claims(draw, most=14):
    claims = set()
    for _ in range(draw(st.integers(1, most))):
        change = draw(st.sampled_from(sorted(CHANGES)))
        values = ("", "")
        if CHANGES[change].valued:
            values = draw(st.sampled_from([("a", "b"), ("b", "a"), ("a", "c"), ("c", "b")]))
        claim = Claim(draw(st.sampled_from([RING, SQUARE, STAR])), change, *values)
        claims |= {claim, claim.reversed()}
    return sorted(claims)


def middle(claims):
    """The claim that is closest to the two others, in words: what a reader without images would bet on."""
    words = [set(claim.words().split()) for claim in claims]
    shared = [sum(len(a & b) for b in words) for a in words]
    return [i for i, value in enumerate(shared) if value == max(shared)]


@settings(max_examples=150, deadline=None)
@given(possible_claims(), st.integers(0, 5))
def test_no_set_holds_entangled_or_equal_statements(possible, seed):
    truth = possible[seed % len(possible)]
    try:
        sets = list(islice(Triples(possible).draws(truth, seed), 50))
    except NotEnoughClaims:
        for pair in combinations(possible, 2):
            three = (truth, *pair)
            assert truth in pair or any(
                not excludes(a, b) or not excludes(b, a) or a.words() == b.words() for a, b in combinations(three, 2)
            )
        return
    assert len({frozenset(claims) for claims in sets}) == len(sets)
    for claims in sets:
        assert len(claims) == 2
        for a, b in combinations((truth, *claims), 2):
            assert excludes(a, b) and excludes(b, a)
            assert a.words().casefold() != b.words().casefold()


@settings(max_examples=60, deadline=None)
@given(possible_claims(most=7))
def test_all_sets_are_drawn_once_each(possible):
    triples = Triples(possible)
    allowed = {
        frozenset(three)
        for three in combinations(possible, 3)
        if all(
            excludes(a, b) and excludes(b, a) and a.words().casefold() != b.words().casefold()
            for a, b in combinations(three, 2)
        )
    }
    if not allowed:
        with pytest.raises(NotEnoughClaims):
            next(triples.draws(None, 0))
        return
    drawn = [frozenset(three) for three in triples.draws(None, 0)]
    assert len(drawn) == len(set(drawn)) and set(drawn) == allowed
    truth = min(next(iter(allowed)))
    beside = [frozenset((truth, *others)) for others in triples.draws(truth, 0)]
    assert len(beside) == len(set(beside)) and set(beside) == {three for three in allowed if truth in three}


@pytest.mark.parametrize("possible", IRREGULAR.values(), ids=IRREGULAR)
def test_every_member_of_a_set_is_equally_likely_to_be_the_truth_of_it(possible):
    triples = Triples(possible)
    likelihood = {claim: triples.weights(claim) for claim in triples.claims}
    index = {claim: i for i, claim in enumerate(triples.claims)}
    for three in combinations(triples.claims, 3):
        given_truth = []
        for truth in three:
            i, j = sorted(index[claim] for claim in three if claim != truth)
            given_truth.append(likelihood[truth][i, j] / likelihood[truth].sum())
        assert np.ptp(given_truth) <= 0.005 * max(given_truth)


def test_the_truth_has_every_role_in_its_set_equally_often():
    roles, expected = Counter(), Counter()
    for seed in range(3000):
        possible = IRREGULAR["regional color"]
        truth = possible[seed % len(possible)]
        three = sorted([truth, *next(TRIPLES.draws(truth, seed))])
        central = middle(three)
        roles[three.index(truth) in central] += 1
        expected[True] += len(central) / 3
    assert chisquare([roles[True], roles[False]], [expected[True], 3000 - expected[True]]).pvalue > 0.01


TRIPLES = Triples(IRREGULAR["regional color"])


def test_statements_without_a_truth_are_drawn_as_those_with_one_are():
    triples = Triples(IRREGULAR["one rich element"])
    with_truth = Counter()
    without = Counter(tuple(sorted(next(triples.draws(None, seed)))) for seed in range(1500))
    for seed in range(1500):
        truth = triples.claims[seed % len(triples.claims)]
        with_truth[tuple(sorted((truth, *next(triples.draws(truth, "with", seed)))))] += 1
    for three in with_truth | without:
        a, b = with_truth[three], without[three]
        assert abs(a - b) < 4 * np.sqrt(a + b + 1)


def test_sets_are_close_when_they_can_be():
    possible = claims_of("position", "close", subjects=6)
    kinds = Counter()
    for seed in range(150):
        truth = possible[seed % len(possible)]
        kinds.update(strategy(truth, claim) for claim in next(Triples(possible).draws(truth, seed)))
    assert min(kinds[kind] for kind in ("reversed_direction", "another_element", "another_property")) > 30
    assert kinds["another_change"] < 0.2 * kinds.total()


def test_unrelated_claims_are_used_when_there_is_nothing_closer():
    possible = [Claim(RING, "moved_left"), Claim(SQUARE, "larger"), Claim(STAR, "lighter")]
    assert set(next(Triples(possible).draws(possible[0], 0))) == set(possible[1:])


def test_tints_that_pass_for_one_another_never_meet():
    tints = [Claim(WHOLE_IMAGE, change) for change in TINTS]
    for tint in tints:
        false = {claim.change for claim in next(Triples(tints).draws(tint, 0))}
        assert {tint.change} | false in ({*TINTS[::2]}, {*TINTS[1::2]})


@pytest.mark.parametrize("possible", [[], [Claim(RING, "moved_left")], [Claim(RING, "lighter"), Claim(RING, "darker")]])
def test_too_few_claims_are_an_error_of_their_own(possible):
    truth = possible[0] if possible else None
    with pytest.raises(NotEnoughClaims):
        next(Triples(possible).draws(truth, 0))


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (Claim(RING, "recolored", "blue", "red"), "reversed_direction"),
        (Claim(RING, "recolored", "red", "green"), "another_value"),
        (Claim(RING, "moved_left"), "another_property"),
        (Claim(SQUARE, "recolored", "red", "green"), "another_element"),
        (Claim(SQUARE, "larger"), "another_change"),
    ],
)
def test_a_strategy_is_the_relation_to_the_truth(other, kind):
    truth = Claim(RING, "recolored", "red", "blue")
    assert strategy(truth, other) == strategy(other, truth) == kind


def test_another_tint_is_another_value():
    assert strategy(Claim(WHOLE_IMAGE, "tinted_red"), Claim(WHOLE_IMAGE, "tinted_green")) == "another_value"


def test_draws_depend_on_the_seed_alone_and_not_on_the_order_of_the_claims():
    possible = list(claims_of("ocr", "order"))
    one, other = Triples(possible), Triples(possible[::-1])
    assert list(one.draws(possible[0], 7)) == list(other.draws(possible[0], 7)) != list(one.draws(possible[0], 8))
