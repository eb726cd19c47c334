"""Which questions a cell has: balanced, stable, never with a statement that may be true."""

import json
from collections import Counter, defaultdict
from dataclasses import replace

import pyarrow as pa
import pytest

from diffbench_assets.lake import Lake
from diffbench_assets.pairs.grammar import WHOLE_IMAGE, Claim, excludes
from diffbench_assets.protocols.multiple_choice.pair_claims import pair_claims
from diffbench_assets.protocols.multiple_choice.prompt import LABELS, NO_DIFFERENCE, options_of, question_prompt
from diffbench_assets.protocols.multiple_choice.questions import PairClaims, build_questions
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS
from diffbench_assets.review.decisions import option_sha256
from diffbench_assets.suites import SUITES
from diffbench_assets_tests.protocols.multiple_choice.synthetic import (
    SUITE,
    claims_of,
    pairs_of,
    paper_sized,
    unchanged_pairs,
)


def build(category="position", pairs=10, n=25, seed=0, **settings):
    made = pairs_of(category, pairs) if isinstance(pairs, int) else pairs
    return build_questions(SUITE, category, made, n, seed, **settings)


def review(row, label, decision="discard", reviewer="Ada", at="2026-01-01T00:00:00Z", text=None, rewritten=None):
    text = text or row["options"][label]
    return {
        "question_id": row["question_id"],
        "option_sha256": option_sha256(text),
        "text": text,
        "reviewer": reviewer,
        "decision": decision,
        "rewritten": rewritten,
        "reviewed_at": at,
    }


def false_labels(row):
    return [label for label in LABELS if label not in (row["answer"], row["no_difference_label"])]


def false_texts(row):
    return {distractor["text"] for distractor in row["distractors"]}


def written(texts=("The cat is gone.", "The dog is gone.", "The cow is gone."), flagged=()):
    return [{"text": t, "strategy": "start_object", "origin": "some-vlm", "flagged": t in flagged} for t in texts]


@pytest.fixture(scope="module")
def paper_rows():
    return {cell: built.rows for cell, built in paper_sized().items()}


def test_the_papers_size_is_built_in_full_and_fits_the_table(paper_rows):
    rows = [row for of_cell in paper_rows.values() for row in of_cell]
    assert len(rows) == len({row["question_id"] for row in rows}) == 1756
    assert len({row["pair_id"] for row in rows}) == 1543
    assert pa.Table.from_pylist(rows, schema=QUESTIONS.schema).to_pylist() == rows


def test_the_same_question_of_another_suite_has_another_id():
    other = build_questions("other", "position", pairs_of("position", 10), 25, 0).rows
    assert not {row["question_id"] for row in other} & {row["question_id"] for row in build().rows}


def test_false_statements_take_their_letters_in_any_order():
    pairs, said = pairs_of("position", 40), [statement["text"] for statement in written()]
    rows = build(pairs=pairs, n=40, false_statements={pair.pair_id: written() for pair in pairs}).rows
    found = [[said.index(distractor["text"]) for distractor in row["distractors"]] for row in rows]
    assert 0.2 < sum(places == sorted(places) for places in found) / len(found) < 0.8


def test_letters_orders_and_wordings_are_balanced_in_every_cell(paper_rows):
    for rows in paper_rows.values():
        for column, values in (("answer", LABELS), ("no_difference_label", LABELS), ("order", ("forward", "backward"))):
            counts = Counter(row[column] for row in rows)
            assert max(counts.values()) - min(counts[value] for value in values) <= 1
        first = Counter(row["options"][row["answer"]].startswith("In image B, ") for row in rows)
        assert abs(first[True] - first[False]) <= 1


def test_every_question_has_one_true_statement_two_false_ones_and_the_fixed_one(paper_rows):
    for row in (row for rows in paper_rows.values() for row in rows):
        truth = Claim(**json.loads(row["truth"]))
        assert row["options"][row["no_difference_label"]] == NO_DIFFERENCE
        assert len(set(row["options"].values())) == 4
        assert [row["options"][label] for label in false_labels(row)] == [d["text"] for d in row["distractors"]]
        phrasing = [truth.words(0), truth.words(1)].index(row["options"][row["answer"]])
        for distractor in row["distractors"]:
            claim = Claim(**json.loads(distractor["claim"]))
            assert claim.words(phrasing) == distractor["text"]
            assert excludes(truth, claim) and excludes(claim, truth)
            assert distractor["origin"] == "programmatic"


def test_the_truth_of_a_backward_question_is_the_reversed_claim():
    claims = {pair.pair_id: pair.claim for pair in pairs_of("position", 10)}
    rows = build().rows
    assert {row["order"] for row in rows} == {"forward", "backward"}
    for row in rows:
        claim = claims[row["pair_id"]]
        shown = claim if row["order"] == "forward" else claim.reversed()
        assert json.loads(row["truth"]) == shown.as_dict()


def test_pairs_are_asked_once_in_stored_order_before_any_is_asked_again():
    rows = build(pairs=10, n=25).rows
    ids = [f"position-{i}" for i in range(10)]
    assert [row["pair_id"] for row in rows] == ids + ids + ids[:5]


def test_questions_of_one_pair_never_share_their_two_false_claims():
    sets = defaultdict(list)
    for row in build(pairs=3, n=60).rows:
        claims = [Claim(**json.loads(distractor["claim"])) for distractor in row["distractors"]]
        sets[row["pair_id"]].append(frozenset(c.reversed() if row["order"] == "backward" else c for c in claims))
    assert all(len(of_pair) == len(set(of_pair)) == 20 for of_pair in sets.values())


def test_a_cell_that_has_no_more_sets_says_how_many_questions_are_missing():
    built = build("whole_color", pairs=5, n=8)
    assert len(built.rows) == 5
    assert built.dropped == {"missing": 3}


def test_pairs_without_enough_claims_are_counted_and_others_asked_instead():
    poor = PairClaims("poor", "noise", "low_level", Claim(WHOLE_IMAGE, "grainier"), (Claim(WHOLE_IMAGE, "cleaner"),))
    built = build("noise", [poor, *pairs_of("noise", 3)], n=5)
    assert built.dropped == {"not_enough_claims": 1}
    assert len(built.rows) == 5 and "poor" not in {row["pair_id"] for row in built.rows}


def test_a_truth_that_its_maker_left_out_of_the_possible_claims_is_asked_all_the_same():
    pair = pairs_of("position", 1)[0]
    without = replace(pair, possible=tuple(claim for claim in pair.possible if claim != pair.claim))
    assert build(pairs=[without], n=1).rows == build(pairs=[pair], n=1).rows


def test_questions_repeat_byte_for_byte_and_differ_between_seeds():
    assert build().rows == build().rows
    assert [row["options"] for row in build().rows] != [row["options"] for row in build(seed=1).rows]


def test_false_statements_of_a_pair_do_not_depend_on_the_other_pairs():
    pairs = pairs_of("ocr", 6)
    alone = build("ocr", pairs[2:3], n=1).rows[0]
    among = next(row for row in build("ocr", pairs, n=6).rows if row["pair_id"] == alone["pair_id"])

    def claims(row):
        found = [Claim(**json.loads(distractor["claim"])) for distractor in row["distractors"]]
        return {claim.reversed() if row["order"] == "backward" else claim for claim in found}

    assert claims(alone) == claims(among)


def test_rotations_put_the_answer_on_every_letter_once():
    rows = build(n=7, circular=True).rows
    assert len(rows) == 28 == len({row["question_id"] for row in rows})
    for start in range(0, 28, 4):
        group = rows[start : start + 4]
        assert [row["rotation"] for row in group] == [0, 1, 2, 3]
        assert {row["origin_id"] for row in group} == {group[0]["question_id"]}
        for column in ("answer", "no_difference_label"):
            assert {row[column] for row in group} == set(LABELS)
        assert len({row["options"][row["answer"]] for row in group}) == 1
        for row in group:
            assert [row["options"][label] for label in false_labels(row)] == [d["text"] for d in row["distractors"]]
            assert sorted(row["options"].values()) == sorted(group[0]["options"].values())


def test_rotated_copies_leave_the_questions_themselves_alone():
    circular = build(n=7, circular=True).rows
    assert [row for row in circular if row["rotation"] == 0] == build(n=7).rows


def test_unchanged_pairs_are_asked_with_three_false_statements_and_balanced_letters():
    rows = build_questions(SUITE, "no_diff", unchanged_pairs(20), 30, 0).rows
    assert len(rows) == 30
    counts = Counter(row["answer"] for row in rows)
    assert max(counts.values()) - min(counts.values()) <= 1
    for row in rows:
        assert row["answer"] == row["no_difference_label"] and row["truth"] is None
        assert row["options"][row["answer"]] == NO_DIFFERENCE
        assert len(false_texts(row)) == 3
        assert {d["strategy"] for d in row["distractors"]} == {"invented_change"}


@pytest.mark.parametrize(
    ("pairs", "n", "message"),
    [
        (pairs_of("position", 1) + unchanged_pairs(1), 2, "without a difference"),
        (pairs_of("position", 1) * 2, 2, "position-0 is given twice"),
        (pairs_of("position", 1), -1, "-1 questions"),
    ],
)
def test_cells_that_cannot_be_balanced_are_an_error(pairs, n, message):
    with pytest.raises(ValueError, match=message):
        build(pairs=pairs, n=n)


# A model's false statements


def test_a_models_statements_stand_in_for_claims_and_are_asked_as_they_were_written():
    pairs = pairs_of("position", 4)
    rows = build(pairs=pairs, n=4, false_statements={pairs[0].pair_id: written()}).rows
    row = rows[0]
    assert false_texts(row) < {"The cat is gone.", "The dog is gone.", "The cow is gone."}
    assert row["order"] == "forward" and row["options"][row["answer"]] == pairs[0].claim.words(0)
    assert {(d["origin"], d["strategy"], d["claim"]) for d in row["distractors"]} == {
        ("some-vlm", "start_object", None)
    }
    assert all(d["origin"] == "programmatic" for other in rows[1:] for d in other["distractors"])


def test_flagged_statements_are_used_last_and_shown_to_reviewers():
    pair = pairs_of("position", 1)
    flagged = "The dog is gone."
    rows = build(pairs=pair, n=3, false_statements={pair[0].pair_id: written(flagged=[flagged])}).rows
    assert [row["suspected_truths"] for row in rows] == [[], [flagged], [flagged]]


def test_statements_that_repeat_the_truth_or_each_other_are_not_used():
    pair = pairs_of("position", 1)
    texts = (pair[0].claim.words(1), pair[0].claim.words(0).upper(), "The cat is gone.", "the cat is gone.")
    built = build(pairs=pair, n=1, false_statements={pair[0].pair_id: written(texts)})
    assert built.rows == [] and built.dropped == {"not_enough_claims": 1, "missing": 1}


def test_a_statement_of_two_lines_is_an_error_that_names_its_pair():
    pair = pairs_of("position", 1)
    with pytest.raises(ValueError, match="position-0.*one line"):
        build(pairs=pair, n=1, false_statements={pair[0].pair_id: written(("A cat.\nB. A dog.", "x", "y"))})


def test_an_unchanged_pair_can_be_asked_with_a_models_statements():
    pair = unchanged_pairs(1)
    row = build(pairs=pair, n=1, false_statements={pair[0].pair_id: written()}).rows[0]
    assert len(false_texts(row)) == 3 and row["answer"] == row["no_difference_label"]


# Reviews


def test_a_discarded_statement_is_never_used_again_and_no_other_pair_changes():
    before = build(pairs=10, n=25).rows
    target = before[3]
    gone = target["options"][false_labels(target)[0]]
    after = build(pairs=10, n=25, reviews=[review(target, false_labels(target)[0])]).rows
    assert len(after) == 25
    assert gone not in false_texts(after[3])
    claims = {json.dumps(d["claim"]) for d in target["distractors"] if d["text"] == gone}
    for old, new in zip(before, after, strict=True):
        if old["pair_id"] != target["pair_id"]:
            assert old == new
        elif old["order"] == target["order"]:
            assert not claims & {json.dumps(d["claim"]) for d in new["distractors"]}
    assert [(r["answer"], r["no_difference_label"], r["order"]) for r in after] == [
        (r["answer"], r["no_difference_label"], r["order"]) for r in before
    ]


def test_one_reviewer_who_discards_outweighs_others_who_accept():
    row = build(n=10).rows[0]
    label = false_labels(row)[0]
    reviews = [review(row, label), review(row, label, "accept", "Bo", at="2027-01-01T00:00:00Z")]
    assert row["options"][label] not in false_texts(build(n=10, reviews=reviews).rows[0])


def test_the_latest_rewriting_is_shown():
    row = build(n=10).rows[0]
    label = false_labels(row)[0]
    reviews = [
        review(row, label, "rewrite", "Bo", "2026-01-02T00:00:00Z", rewritten="The later words."),
        review(row, label, "rewrite", "Ada", "2026-01-02T00:00:00Z", rewritten="The words of Ada."),
        review(row, label, "rewrite", "Cy", "2026-01-01T00:00:00Z", rewritten="The earlier words."),
        review(row, label, "accept", "Di", "2026-01-09T00:00:00Z"),
    ]
    after = build(n=10, reviews=reviews).rows
    assert after[0]["options"] == row["options"] | {label: "The later words."}
    assert "The later words." in false_texts(after[0]) and after[0]["review"] == "rewritten"
    assert after[1:] == build(n=10).rows[1:]


def test_a_rewriting_may_be_reviewed_in_turn():
    row = build(n=10).rows[0]
    label = false_labels(row)[0]
    rewritten = review(row, label, "rewrite", rewritten="The new words.")
    again = build(n=10, reviews=[rewritten, review(row, label, text="The new words.")]).rows[0]
    assert not false_texts(again) & {"The new words.", row["options"][label]}
    back = review(row, label, "rewrite", text="The new words.", rewritten=row["options"][label])
    assert build(n=10, reviews=[rewritten, back]).rows[0]["options"] == row["options"]


def test_a_question_is_accepted_when_both_false_statements_are():
    row = build(n=10).rows[0]
    one, other = (review(row, label, "accept") for label in false_labels(row))
    assert build(n=10, reviews=[one]).rows[0]["review"] is None
    assert build(n=10, reviews=[one, other]).rows[0] == row | {"review": "accepted"}


def test_a_rewriting_that_equals_another_option_leads_to_another_set():
    row = build(n=10).rows[0]
    label = false_labels(row)[0]
    rewritten = review(row, label, "rewrite", rewritten=row["options"][row["answer"]])
    after = build(n=10, reviews=[rewritten]).rows[0]
    assert len(set(after["options"].values())) == 4


def test_a_pair_whose_truth_is_discarded_gives_its_place_to_another():
    before = build(pairs=12, n=10).rows
    row = before[2]
    built = build(pairs=12, n=10, reviews=[review(row, row["answer"])])
    assert built.rows[:2] + built.rows[3:] == before[:2] + before[3:]
    taken = built.rows[2]
    assert taken["pair_id"] == "position-10" and built.dropped == {"review": 1}
    assert (taken["answer"], taken["no_difference_label"]) == (row["answer"], row["no_difference_label"])


def test_without_another_pair_a_question_lost_to_reviews_is_missing():
    rows = build("whole_color", pairs=3, n=3).rows
    built = build("whole_color", pairs=3, n=3, reviews=[review(rows[1], false_labels(rows[1])[0])])
    assert [row["pair_id"] for row in built.rows] == ["whole_color-0", "whole_color-2"]
    assert built.dropped == {"review": 1, "missing": 1}


def test_an_unchanged_pair_whose_answer_is_discarded_is_left_out():
    pairs = unchanged_pairs(3)
    row = build(pairs=pairs, n=2).rows[0]
    after = build(pairs=pairs, n=2, reviews=[review(row, row["answer"])]).rows
    assert [row["pair_id"] for row in after] == ["same-2", "same-1"]


def test_a_models_statement_can_be_discarded():
    pair = pairs_of("position", 1)
    made = {pair[0].pair_id: written()}
    row = build(pairs=pair, n=1, false_statements=made).rows[0]
    gone = row["distractors"][0]["text"]
    label = next(label for label in LABELS if row["options"][label] == gone)
    after = build(pairs=pair, n=1, false_statements=made, reviews=[review(row, label)]).rows[0]
    assert gone not in false_texts(after)


def test_reviews_of_other_cells_and_of_words_no_longer_shown_change_nothing():
    row = build(n=10).rows[0]
    other = review(row, "A") | {"question_id": "of another cell"}
    assert build(n=10, reviews=[other, review(row, "A", text="What stood here last year.")]).rows == build(n=10).rows


@pytest.mark.parametrize(
    ("decision", "rewritten", "message"), [("drop", None, "none of accept"), ("rewrite", "two\nlines", "one line")]
)
def test_a_review_that_cannot_be_used_is_an_error_that_names_it(decision, rewritten, message):
    row = build(n=2).rows[0]
    with pytest.raises(ValueError, match=f"{row['question_id']} by Ada.*{message}"):
        build(n=2, reviews=[review(row, "A", decision, rewritten=rewritten)])


def test_a_pair_with_200_possible_claims_is_asked_in_a_moment():
    possible = claims_of("position", "many", subjects=8) + tuple(
        Claim(f"the word {i}", "reads", "one", f"other {j}") for i in range(20) for j in range(8)
    )
    pair = PairClaims("many", "position", "semantic", possible[0], possible)
    assert len(possible) >= 190
    rows = build(pairs=[pair], n=5).rows
    assert len(rows) == 5


def test_every_question_reads_back_from_its_prompt(paper_rows):
    for rows in paper_rows.values():
        for row in rows[:20]:
            assert options_of(question_prompt(row["options"])) == row["options"]


# Pairs in which several things differ


def changed(possible, *truths, pair_id="puzzle"):
    """The entries of a pair of which all of `truths` are true."""
    return [
        PairClaims(pair_id, "position", "semantic", truth, possible, (*truths[:i], *truths[i + 1 :]), i, len(truths))
        for i, truth in enumerate(truths)
    ]


def three_changes(key):
    possible = claims_of("position", key, subjects=6)
    subjects = sorted({claim.subject for claim in possible})
    return changed(possible, *(next(c for c in possible if c.subject == subject) for subject in subjects[:3]))


def test_each_change_of_a_pair_is_asked_about_before_any_is_asked_about_again():
    rows = build(pairs=three_changes("a"), n=7).rows
    truths = [entry.claim for entry in three_changes("a")]

    def truth(row):
        claim = Claim(**json.loads(row["truth"]))
        return claim.reversed() if row["order"] == "backward" else claim

    assert [truth(row) for row in rows] == [*truths, *truths, truths[0]]
    assert len({row["question_id"] for row in rows}) == 7


def test_pairs_with_one_change_and_with_several_take_turns():
    pairs = [*three_changes("a"), *pairs_of("position", 2)]
    rows = build(pairs=pairs, n=5).rows
    assert [row["pair_id"] for row in rows] == ["puzzle", "position-0", "position-1", "puzzle", "puzzle"]


def test_false_statements_are_false_of_everything_that_differs():
    for key in range(20):
        truths = [entry.claim for entry in three_changes(key)]
        for row in build(pairs=three_changes(key), n=12).rows:
            shown = [c.reversed() if row["order"] == "backward" else c for c in truths]
            for distractor in row["distractors"]:
                assert all(excludes(true, Claim(**json.loads(distractor["claim"]))) for true in shown)


def test_what_may_describe_another_change_of_the_pair_is_not_offered():
    ring = [Claim("the ring", change) for change in ("lighter", "darker", "moved_left", "moved_right")]
    seen_through = Claim("the square", "more_transparent")
    possible = (*ring, Claim("the square", "lighter"), Claim("the square", "darker"), seen_through)
    for row in build("position", changed(possible, ring[0], seen_through), n=8).rows:
        said = {(claim["subject"], claim["change"]) for claim in (json.loads(d["claim"]) for d in row["distractors"])}
        assert not said & {("the square", "lighter"), ("the square", "darker")}, "see-through looks lighter"


def test_a_review_of_one_change_leaves_the_questions_about_the_others():
    before = build(pairs=three_changes("a"), n=3).rows
    target = before[1]
    after = build(pairs=three_changes("a"), n=3, reviews=[review(target, target["answer"])]).rows
    assert [after[0], after[2]] == [before[0], before[2]]
    assert target["truth"] not in [row["truth"] for row in after]


def test_stored_pairs_are_asked_about_each_difference_to_report_that_has_certain_words(tmp_path):
    possible = claims_of("position", 1, subjects=5)
    subjects = sorted({claim.subject for claim in possible})
    claims = [next(c for c in possible if c.subject == subject) for subject in subjects[:3]]

    def row(pair_id, *differences):
        told = [{"claim": c and c.as_dict(), "role": role, "record": "[]"} for c, role in differences]
        shared = {"page_id": "p", "operator": "position", "family": "semantic", "record": "[]"}
        return {"pair_id": pair_id, "differences": told, "possible_claims": [c.as_dict() for c in possible], **shared}

    rows = [
        row("three", (claims[0], "report"), (claims[1], "ignore"), (claims[2], "report")),
        row("unworded", (claims[0], "report"), (None, "report")),
        row("same"),
    ]
    lake, suite = Lake(str(tmp_path)), SUITES["lowlevel_mcq"]
    lake.write(suite.pairs, rows, {"cell": "position"}, fingerprint="made")
    found = pair_claims(lake, suite, ["position"])["position"]
    assert [(entry.pair_id, entry.claim, entry.beside) for entry in found] == [
        ("three", claims[0], (claims[1], claims[2])),
        ("three", claims[2], (claims[0], claims[1])),
        ("same", None, ()),
    ]
    assert [(entry.place, entry.truths) for entry in found] == [(0, 2), (1, 2), (0, 1)]
