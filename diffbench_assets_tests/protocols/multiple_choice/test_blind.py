"""The blind check fails on sets whose text gives the answer away, and passes on sets whose text does not."""

import time

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from diffbench_assets.pairs.grammar import CHANGES, Claim
from diffbench_assets.protocols.multiple_choice.blind import blind_check
from diffbench_assets.protocols.multiple_choice.prompt import LABELS
from diffbench_assets.protocols.multiple_choice.questions import PairClaims, build_questions
from diffbench_assets.protocols.multiple_choice.tables import BLIND_CHECK
from diffbench_assets_tests.protocols.multiple_choice.synthetic import (
    SUITE,
    claims_of,
    pairs_of,
    paper_sized,
    papers_low_level,
    unchanged_pairs,
)


def questions(seed=0, share=0.15):
    return [row for built in paper_sized(seed, share).values() for row in built.rows]


@pytest.fixture(scope="module")
def clean():
    return questions()


def retold(rows, tell, cells=None):
    """The questions with `tell(text)` in place of each true statement."""
    return [
        row | {"options": row["options"] | {row["answer"]: tell(row["options"][row["answer"]])}}
        if cells is None or row["cell"] in cells
        else row
        for row in rows
    ]


def failed(report):
    return {(row["reader"], row["slice_value"]) for row in report.rows if not row["passed"]}


@pytest.mark.parametrize("seed", range(20))
def test_a_set_from_one_grammar_passes(seed):
    report = blind_check(questions(seed), seed)
    assert report.passed, report.summary


@pytest.mark.parametrize("seed", range(6))
def test_a_set_of_the_papers_changes_passes_though_its_cells_borrow_one_anothers_statements(seed):
    built = papers_low_level(seed)
    rows = [row for of_cell in built.values() for row in of_cell.rows]
    assert len(rows) == 669 and not any(of_cell.dropped for of_cell in built.values())
    report = blind_check(rows, seed)
    assert report.passed, report.summary
    sliced = {row["slice_value"]: row["n"] for row in report.rows if row["reader"] == "longest"}
    assert sliced["low_level"] == 669 and "noise" not in sliced, "of a pair with grain, nothing else is ever true"


def test_a_tell_in_statements_that_cells_borrow_from_one_another_is_found():
    rows = [row for of_cell in papers_low_level().values() for row in of_cell.rows]
    assert ("longest", "low_level") in failed(blind_check(retold(rows, lambda text: text[:-1] + " by a little."), 0))


@pytest.mark.parametrize(
    ("tell", "reader"),
    [
        (lambda text: text[:-1] + " by a little.", "longest"),
        (lambda text: text.replace("the ", "The "), "most_capitals"),
        (lambda text: text.replace("image B", "image B,").replace(",,", ","), "most_punctuation"),
        (lambda text: text.replace("image B", "the picture"), "text_model"),
        (lambda text: text.replace("image B", "image 2"), "most_digits"),
    ],
    ids=["longer", "capitals", "punctuation", "another vocabulary", "digits"],
)
def test_true_statements_that_read_otherwise_are_caught(clean, tell, reader):
    report = blind_check(retold(clean, tell), 0)
    assert not report.passed
    assert {(reader, "all"), ("text_model", "all")} <= failed(report)
    assert reader in report.summary


def test_a_tell_in_half_of_the_questions_is_caught(clean):
    rows = retold(clean[::2], lambda text: text.replace("image B", "the picture")) + clean[1::2]
    assert ("text_model", "all") in failed(blind_check(rows, 0))


def test_a_tell_in_one_cell_is_caught_there(clean):
    rows = retold(questions(share=0.5), lambda text: text[:-1] + ", if you look at it closely enough.", cells={"noise"})
    found = failed(blind_check(rows, 0))
    assert ("longest", "noise") in found
    assert not {value for _, value in found} & {"ocr", "semantic", "position"}


def one_way_pairs(n):
    """Pairs whose maker only ever moves things left or up."""
    pairs = []
    for pair in pairs_of("position", n):
        subject = pair.claim.subject
        truth = Claim(subject, ("moved_left", "moved_up")[len(pairs) % 2])
        pairs.append(PairClaims(pair.pair_id, pair.category, pair.group, truth, pair.possible))
    return pairs


def test_truths_that_always_go_the_same_way_are_caught_when_only_shown_forward():
    rows = build_questions(SUITE, "position", one_way_pairs(240), 240, 0).rows
    forward = [row for row in rows if row["order"] == "forward"]
    assert ("text_model", "all") in failed(blind_check(forward, 0))


def test_showing_half_of_them_backward_hides_which_way_truths_go():
    rows = build_questions(SUITE, "position", one_way_pairs(240), 240, 0).rows
    assert blind_check(rows, 0).passed


def test_a_truth_in_the_middle_of_its_false_statements_is_caught():
    """The obvious false statements, the reverse and the same of another element, both share words with the truth."""
    rows = []
    for row, pair in zip(build_questions(SUITE, "position", pairs_of("position", 150), 150, 0).rows,
                         pairs_of("position", 150), strict=True):  # fmt: skip
        other = next(claim for claim in pair.possible if claim.subject != pair.claim.subject)
        texts = [pair.claim, Claim(pair.claim.subject, CHANGES[pair.claim.change].opposite),
                 Claim(other.subject, pair.claim.change)]  # fmt: skip
        labels = [row["answer"], *(x for x in LABELS if x not in (row["answer"], row["no_difference_label"]))]
        options = row["options"] | {label: claim.words() for label, claim in zip(labels, texts, strict=True)}
        rows.append(row | {"options": options})
    assert ("most_central", "all") in failed(blind_check(rows, 0))


def test_chance_is_a_third_even_where_some_questions_have_no_difference(clean):
    same = build_questions(SUITE, "no_diff", unchanged_pairs(60), 60, 0).rows
    rows = blind_check(clean + same, 0).rows
    readers = {row["reader"]: row for row in rows if row["slice"] == "overall"}
    assert readers["text_model"]["chance"] == pytest.approx(1 / 3) and readers["text_model"]["n"] == len(clean)
    assert readers["difference_model"]["chance"] == 1 / 2 and readers["difference_model"]["n"] == 120
    assert "no_diff" not in {row["slice_value"] for row in rows}


def test_statements_that_tell_whether_anything_differs_are_caught(clean):
    pairs = [PairClaims(f"same-{i}", "no_diff", "no_diff", None, claims_of("noise", i)) for i in range(60)]
    same = build_questions(SUITE, "no_diff", pairs, 60, 0).rows
    assert failed(blind_check(clean + same, 0)) == {("difference_model", "all")}


def test_unchanged_pairs_asked_like_the_others_pass(clean):
    same = build_questions(SUITE, "no_diff", unchanged_pairs(60), 60, 0).rows
    assert blind_check(clean + same, 0).passed


def test_every_cell_and_group_has_an_interval_around_its_accuracy(clean):
    rows = blind_check(clean, 0).rows
    assert {row["slice_value"] for row in rows if row["slice"] == "cell"} == {row["cell"] for row in clean}
    assert {row["slice_value"] for row in rows if row["slice"] == "group"} == {"semantic", "low_level", "ocr"}
    for row in rows:
        assert {*row, "suite"} == set(BLIND_CHECK.names)
        assert 0 <= row["ci_low"] <= row["accuracy"] <= row["ci_high"] <= 1
        assert 0 <= row["p_value"] <= 1


def test_an_interval_lies_above_chance_exactly_when_its_raw_p_value_is_below_a_fortieth(clean):
    rows = retold(clean[:150], lambda text: text.replace("image B", "the picture")) + clean[150:]
    for found in blind_check(rows, 0).accuracies:
        assert (found.ci_low > found.chance) == (found.p_raw < 0.025)


def test_p_values_are_corrected_for_all_that_were_tried(clean):
    report = blind_check(clean, 0)
    raw = np.array([found.p_raw for found in report.accuracies])
    falling = np.empty(len(raw))
    falling[np.argsort(raw)] = np.maximum.accumulate(np.sort(raw) * np.arange(len(raw), 0, -1))
    assert report.p_values == pytest.approx(np.minimum(falling, 1))


def test_an_answer_of_the_trained_reader_is_worth_half_of_a_rules(clean):
    rows = [row | {"pair_id": f"pair {i}"} for i, row in enumerate(clean)]
    found = {of.reader: of for of in blind_check(rows, 0).accuracies if of.slice == "overall"}
    for reader, worth in (("text_model", len(rows) / 2), ("first_place", len(rows))):
        of = found[reader]
        low, high = proportion_confint(of.accuracy * worth, worth, method="wilson")
        assert of.ci_high - of.ci_low == pytest.approx(high - low, rel=0.02)


def test_questions_of_one_pair_widen_the_interval(clean):
    rows = clean[:60]
    alone = [row | {"pair_id": f"{row['pair_id']}-{i}"} for i, row in enumerate(rows)]
    copies = [row | {"pair_id": r["pair_id"]} for r in alone for row in [r] * 4]

    def width(rows):
        row = next(r for r in blind_check(rows, 0).rows if (r["reader"], r["slice"]) == ("longest", "overall"))
        return row["ci_high"] - row["ci_low"]

    assert width(copies) > 0.9 * width(alone)


def test_rotated_copies_do_not_count(clean):
    circular = build_questions(SUITE, "ocr", pairs_of("ocr", 30), 30, 0, circular=True).rows
    assert {row["n"] for row in blind_check(circular, 0).rows} == {30}


def test_the_check_repeats_for_a_seed(clean):
    assert blind_check(clean, 3) == blind_check(clean, 3)


def test_a_set_of_very_few_questions_can_be_checked(clean):
    assert blind_check(clean[:1], 0).passed
    assert np.isfinite([row["accuracy"] for row in blind_check(clean[:3], 0).rows]).all()


def test_a_set_without_differences_is_an_error():
    same = build_questions(SUITE, "no_diff", unchanged_pairs(4), 4, 0).rows
    with pytest.raises(ValueError, match="no question has a difference"):
        blind_check(same, 0)


def test_the_papers_size_takes_seconds_and_passes():
    rows = questions(share=1.0)
    start = time.process_time()
    report = blind_check(rows, 0)
    assert len(rows) == 1756 and report.passed, report.summary
    assert time.process_time() - start < 30
