"""No letter, image order or wording is favoured."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.pairs.categories import CATEGORIES, GROUPS
from diffbench_assets.pairs.counts import PAPER_PAIRS, PAPER_QUESTIONS, no_difference_count
from diffbench_assets.protocols.multiple_choice.positions import balanced, letter_pairs
from diffbench_assets.protocols.multiple_choice.prompt import LABELS


def spread(values, of):
    counts = Counter(values)
    return max(counts[value] for value in of) - min(counts[value] for value in of)


@given(n=st.integers(0, 300), seed=st.integers())
def test_answers_and_no_difference_options_are_balanced_and_never_share_a_letter(n, seed):
    pairs = letter_pairs(n, seed)
    assert len(pairs) == n
    assert all(answer != no_difference for answer, no_difference in pairs)
    assert spread([answer for answer, _ in pairs], LABELS) <= 1
    assert spread([no_difference for _, no_difference in pairs], LABELS) <= 1


@given(n=st.integers(0, 300), k=st.integers(1, 6), seed=st.integers())
def test_each_of_k_values_stands_equally_often(n, k, seed):
    values = balanced(range(k), n, seed)
    assert len(values) == n
    assert spread(values, range(k)) <= 1


def test_every_combination_of_letters_occurs_equally_often_in_whole_blocks():
    assert set(Counter(letter_pairs(1200, "any")).values()) == {100}


@pytest.mark.parametrize(
    "draw", [lambda n: balanced(LABELS, n, "any"), lambda n: [a for a, _ in letter_pairs(n, "any")]]
)
def test_what_stood_before_tells_nothing_of_what_comes_next(draw):
    drawn = draw(4000)
    again = [one == other for one, other in zip(drawn, drawn[1:], strict=False)]
    assert 0.22 < sum(again) / len(again) < 0.28
    of_four = [len(set(drawn[i : i + 4])) for i in range(0, 4000, 4)]
    assert of_four.count(4) < 200, "four in a row are all different in 3 of 32"


def test_the_letter_that_is_favoured_by_one_depends_on_the_seed():
    extra = {letter_pairs(1, seed)[0] for seed in range(200)}
    assert len(extra) == 12


def test_assignments_repeat_for_a_seed_and_differ_between_seeds():
    assert letter_pairs(50, 1) == letter_pairs(50, 1) != letter_pairs(50, 2)


@given(n=st.integers(0, 3000), share=st.floats(0, 0.9))
def test_a_share_of_no_difference_questions_is_met_to_the_nearest_question(n, share):
    without = no_difference_count(n, share)
    assert abs(without - share * (n + without)) <= 0.5 + 1e-6


@pytest.mark.parametrize("share", [-0.1, 1.0, 1.5])
def test_an_impossible_share_is_an_error(share):
    with pytest.raises(ValueError, match="share"):
        no_difference_count(100, share)


def test_the_papers_counts_and_pairs_add_up():
    assert sum(PAPER_QUESTIONS.values()) == 1756 and sum(PAPER_PAIRS.values()) == 1543
    assert PAPER_QUESTIONS.keys() == PAPER_PAIRS.keys() == CATEGORIES.keys()
    assert all(PAPER_PAIRS[name] <= questions for name, questions in PAPER_QUESTIONS.items())
    assert {category.group for category in CATEGORIES.values()} == set(GROUPS)


def test_categories_have_at_least_the_pairs_of_the_sources_that_are_theirs_alone():
    # Table 5: sources of one category, and the pairs that were filmed twice or are puzzles.
    alone = {"position": 120, "motion": 67, "regional_color": 137, "texture": 150, "appearance": 0}
    extra = {name: PAPER_PAIRS[name] - pairs for name, pairs in alone.items()}
    assert min(extra.values()) >= 0 and sum(extra.values()) == 55 + 12 + 56 + 34
