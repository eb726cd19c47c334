"""Each rule on statements it must drop and statements it must leave alone; then what holds for any text at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diffbench_assets.pairs.grammar import CHANGES, PHRASINGS, Claim
from diffbench_assets.protocols.multiple_choice.filters import ORDER, Filtered, filter_statements
from diffbench_assets.protocols.multiple_choice.statement import read

TRUTH = "The red mug at the left has been removed in image B."
RECOLORED = "The red mug at the left is blue instead of red in image B."
SIGN = "The sign reads “Open” instead of “Oven” in image B."
GRAINY = "The image is grainier in image B."
BEGUN = "In image B, the red mug at the left has been removed."
VISIBLE = (
    "the white plate",
    "the wooden spoon",
    "the lamp above the table",
    "the red mug at the left",
    "“Soup of the day”",
)

DECOY = "The red mug at the left is much larger in image B."
DECOYS = {
    TRUTH: DECOY,
    RECOLORED: DECOY,
    SIGN: "The sign is larger in image B.",
    GRAINY: "The image has a more bluish tint in image B.",
    BEGUN: "In image B, the red mug at the left is much larger.",
}
"""A blameless statement about the true object, so that the rule under test is the only one that can apply."""


def outcome(text: str, truth: str = TRUTH, visible: tuple[str, ...] = VISIBLE) -> str:
    found = filter_statements([(DECOYS[truth], "attribute"), (text, "other_change")], [truth], visible)
    assert found.kept and found.kept[0].text == DECOYS[truth], found
    return found.dropped[0][1] if found.dropped else "kept"


GOOD = {
    TRUTH: (
        "The red mug at the left is smaller in image B.",
        "The red mug at the left has been added in image B.",
        "The white plate has been removed in image B.",
        "The wooden spoon is further to the right in image B.",
        "The lamp above the table is brighter in image B.",
        "The lamp above the table is yellow instead of white in image B.",
        "The red mug at the left is a plate instead of a mug in image B.",
        "The white plate is tilted in image B.",
        "The white plate has a striped pattern in image B.",
        "The table has two spoons instead of one spoon in image B.",
        "The wooden spoon is turned clockwise in image B.",
        "The image is darker in image B.",
    ),
    RECOLORED: (
        "The red mug at the left is green instead of red in image B.",
        "The red mug at the left is red instead of blue in image B.",
        "The white plate is blue instead of white in image B.",
        "The red mug at the left has been removed in image B.",
        "The red mug at the left is striped instead of plain in image B.",
    ),
    SIGN: (
        "The sign reads “Oxen” instead of “Open” in image B.",
        "The sign reads “Oven” instead of “Open” in image B.",
        "The sign reads “Soup of the day” instead of “Oven” in image B.",
        "The “Soup of the day” has been removed in image B.",
    ),
    GRAINY: (
        "The image is less grainy in image B.",
        "The image is brighter throughout in image B.",
        "The white plate has been removed in image B.",
        "The image has a lower resolution in image B.",
    ),
    BEGUN: ("In image B, the white plate has been removed.",),
}


@pytest.mark.parametrize("truth, text", [(truth, text) for truth, texts in GOOD.items() for text in texts])
def test_a_believable_false_statement_about_known_things_is_kept(truth: str, text: str) -> None:
    assert outcome(text, truth) == "kept"


BAD = {
    "empty": ["", "   ", "\n\t"],
    "several_lines": [
        "The white plate has been removed\nin image B.",
        "The white plate is larger in image B.\r\nThe lamp is red.",
    ],
    "markup": [
        "**The white plate** has been removed in image B.",
        "The <b>white plate</b> has been removed in image B.",
        "The white plate has been removed in image B. https://example.invalid/x",
        "A. The white plate has been removed in image B.",
        "1) The white plate has been removed in image B.",
        "- The white plate has been removed in image B.",
        "The white plate&nbsp;has been removed in image B.",
        "The white \u202eplate has been removed in image B.",
        "The white\x07 plate has been removed in image B.",
        "The white \ud800 plate has been removed in image B.",
    ],
    "too_long": [
        "The white plate that is on the table and that one sees at once in the middle of the whole picture, quite "
        "close to the spoon, has been removed in image B.",
        "The white plate has been " + "x" * 240 + " in image B.",
    ],
    "not_english": [
        "Белая тарелка is larger in image B.",
        "白い皿 has been removed in image B.",
        "The λευκό plate has been removed in image B.",
    ],
    "other_form": [
        "The white plate has been removed.",
        "In image B, the white plate has been removed.",
        "In the second image, the white plate has been removed.",
        "the white plate has been removed in image B.",
        "The white plate has been removed in image B",
        "Die weiße Platte fehlt in image B.",
        "La plaque blanche manque in image B.",
        "The white plate gone in image B.",
        "Removed in image B.",
        "The white plate has changed in image B.",
        "The white plate is larger. The lamp is red in image B.",
        "The white plate is larger; the lamp is smaller in image B.",
        "Is the white plate larger? Yes in image B.",
        "The white plate of image A has been removed in image B.",
    ],
    "no_difference": [
        "The white plate is unchanged in image B.",
        "The white plate is still white in image B.",
        "The white plate remains on the table and has its color in image B.",
        "Nothing has been removed in image B.",
        "There is no difference in image B.",
        "The white plate has not been removed in image B.",
        "The white plate hasn't been removed in image B.",
        "The white plate is the same in image B.",
    ],
    "leaks_truth": [
        "The white plate is where the red mug was in image B.",
        "The wooden spoon is next to where the mug had been in image B.",
        "The white plate is in place of the mug in image B.",
        "The wooden spoon is in the spot formerly held by the mug in image B.",
        "The wooden spoon is in the space left by the mug in image B.",
        "The white plate next to the removed mug is larger in image B.",
        "The white plate beside the missing red mug is larger in image B.",
        "The white plate is larger after the mug in image B.",
        "The plate by the former mug is larger in image B.",
    ],
    "restates_truth": [
        TRUTH,
        "The red mug at the left is gone in image B.",
        "The red mug at the left is missing in image B.",
        "The red mug has disappeared in image B.",
        "The mug is no longer visible in image B.",
        "The  red mug at the LEFT has been REMOVED in image B.",
        "The large red mug at the left has been removed in image B.",
        "The red mug at the left can no longer be seen in image B.",
    ],
    "invented": [
        "The elephant has been removed in image B.",
        "The white plate is a vase instead of a mug in image B.",
        "The bottle of wine on the table is larger in image B.",
        "The white plate has a crack in image B.",
        "The sign “Bakery” is larger in image B.",
        "The knife above the table is larger in image B.",
    ],
}  # fmt: skip


@pytest.mark.parametrize("rule, text", [(rule, text) for rule, texts in BAD.items() for text in texts])
def test_each_fault_is_dropped_by_its_own_rule(rule: str, text: str) -> None:
    assert outcome(text) == rule


@pytest.mark.parametrize(
    "truth, text",
    [
        (RECOLORED, "The red mug at the left is blue in image B."),
        (RECOLORED, "The red mug at the left changed and has gone from red to blue in image B."),
        (RECOLORED, "The mug is bluish instead of reddish in image B."),
        (SIGN, "The sign reads \"Open\" instead of \"Oven\" in image B."),
        (SIGN, "The sign reads “Open” in image B."),
        (GRAINY, "The image is noisier in image B."),
        (GRAINY, "The whole image is more grainy in image B."),
        (BEGUN, "In image B, the red mug is missing."),
    ],
)  # fmt: skip
def test_a_truth_in_other_words_is_no_false_statement(truth: str, text: str) -> None:
    assert outcome(text, truth) == "restates_truth"


@pytest.mark.parametrize(
    "text",
    [
        "The sign reads “Bakery” instead of “Oven” in image B.",
        "The sign reads “Open” instead of “Closed all day” in image B.",
        "The sign reads “Soup of my day” instead of “Open” in image B.",
    ],
)
def test_a_quoted_text_that_resembles_none_of_the_pair_is_invented(text: str) -> None:
    assert outcome(text, SIGN) == "invented"


def test_a_thing_is_known_from_the_pair_and_not_from_the_language() -> None:
    text = "The kettle is larger in image B."
    assert outcome(text) == "invented"
    assert outcome(text, visible=(*VISIBLE, "the kettle on the stove")) == "kept"


def rules(proposed: list[str], truth: str = TRUTH) -> dict[str, str]:
    found = filter_statements([(text, "attribute") for text in proposed], [truth], VISIBLE)
    return {**{kept.text: "kept" for kept in found.kept}, **dict(found.dropped)}


def test_of_equal_statements_the_first_is_kept() -> None:
    found = filter_statements([(text, "") for text in (DECOY, DECOY, DECOY.upper())], [TRUTH], VISIBLE)
    assert [kept.text for kept in found.kept] == [DECOY]
    assert [rule for _, rule in found.dropped] == ["duplicate", "duplicate"]
    plate = "The white plate has been removed in image B."
    assert (
        rules([DECOY, plate, plate.replace("removed", "removed,")])[plate.replace("removed", "removed,")] == "duplicate"
    )


@pytest.mark.parametrize(
    "one, other",
    [
        ("The white plate is larger in image B.", "The plate is bigger in image B."),
        ("The white plate is yellow instead of white in image B.", "The white plate is yellow in image B."),
        ("The wooden spoon is further to the left in image B.", "The wooden spoon has moved left in image B."),
    ],
)
def test_of_statements_that_say_the_same_the_first_is_kept(one: str, other: str) -> None:
    assert rules([DECOY, one, other]) == {DECOY: "kept", one: "kept", other: "near_duplicate"}
    assert rules([DECOY, other, one]) == {DECOY: "kept", other: "kept", one: "near_duplicate"}


def test_opposite_directions_are_two_statements() -> None:
    left, right = (f"The wooden spoon is further to the {side} in image B." for side in ("left", "right"))
    assert rules([DECOY, left, right]) == {DECOY: "kept", left: "kept", right: "kept"}


def test_at_most_two_look_alikes_are_kept() -> None:
    gone = [f"The {thing} has been removed in image B." for thing in ("white plate", "wooden spoon", "lamp")]
    assert rules([DECOY, *gone]) == {DECOY: "kept", gone[0]: "kept", gone[1]: "kept", gone[2]: "look_alike"}


def test_the_true_object_is_in_one_or_two() -> None:
    mug = [
        "The red mug at the left is larger in image B.",
        "The red mug at the left is blue instead of red in image B.",
        "The mug is turned clockwise instead of upright in image B.",
    ]
    plate = "The white plate is larger in image B."
    assert rules([*mug, plate]) == {
        mug[0]: "kept", mug[1]: "kept", mug[2]: "true_object_again", plate: "kept",
    }  # fmt: skip
    assert rules([plate]) == {plate: "true_object_absent"}


def test_what_shares_a_word_with_a_possibly_missed_truth_is_flagged() -> None:
    plate, spoon = "The white plate is larger in image B.", "The wooden spoon is shorter in image B."
    found = filter_statements(
        [(DECOY, "attribute"), (plate, "start_object"), (spoon, "other_change")],
        [TRUTH],
        VISIBLE,
        ["a plate with a crack", "it is darker at the back"],
    )
    assert {kept.text: kept.flagged for kept in found.kept} == {DECOY: False, plate: True, spoon: False}


@pytest.mark.parametrize("truths", [[], ["Mug."], [TRUTH, "gone"]])
def test_truths_that_are_no_statements_are_an_error(truths: list[str]) -> None:
    with pytest.raises(ValueError, match="true statement"):
        filter_statements([(DECOY, "attribute")], truths, VISIBLE)


CLAIMS = [
    Claim("the brass kettle", name, *(("amber", "violet") if change.valued else ())) for name, change in CHANGES.items()
]


@pytest.mark.parametrize("phrasing", range(len(PHRASINGS)))
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.change)
def test_every_claim_can_be_read_and_is_told_from_its_reverse(claim: Claim, phrasing: int) -> None:
    truth, reverse = claim.words(phrasing), claim.reversed().words(phrasing)
    statement = read(truth)
    assert statement and statement.form == phrasing and statement.subject == {"brass", "kettle"}
    found = filter_statements([(truth, ""), (reverse, "")], [truth], ["the brass kettle", "amber", "violet"])
    assert dict(found.dropped) == {truth: "restates_truth"}
    assert [kept.text for kept in found.kept] == [reverse]


FRAGMENTS = st.sampled_from(
    ["the red mug", "is", "has been removed", "instead of", "from", "to", "“", "”", '"', "'s", "in image B.",
     "In image B, ", "\x00", "\x001\x00", "white plate", "where", "left", "…", "\u202e", "\ud800", "ß", "İ"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=80), st.lists(FRAGMENTS, max_size=12).map(" ".join))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.just("attribute")), max_size=6), st.lists(TEXTS, max_size=5))
def test_any_text_is_kept_or_dropped_once_and_scoring_it_twice_gives_the_same(
    proposed: list[tuple[str, str]], possible: list[str]
) -> None:
    found = filter_statements([(DECOY, "attribute"), *proposed], [TRUTH], VISIBLE, possible)
    assert isinstance(found, Filtered)
    assert len(found.kept) + len(found.dropped) == len(proposed) + 1
    assert {rule for _, rule in found.dropped} <= set(ORDER)
    assert all(kept.text.isprintable() and kept.text == kept.text.strip() for kept in found.kept)
    assert found == filter_statements([(DECOY, "attribute"), *proposed], [TRUTH], VISIBLE, possible)


@settings(max_examples=100, deadline=None)
@given(st.permutations([text for texts in GOOD[TRUTH] for text in [texts]]))
def test_in_any_order_the_kept_obey_the_limits(texts: list[str]) -> None:
    kept = filter_statements([(text, "") for text in texts], [TRUTH], VISIBLE).kept
    assert 1 <= sum("mug" in one.text for one in kept) <= 2
    statements = [statement for one in kept if (statement := read(one.text))]
    assert all(sum(one.resembles(other) for other in statements) <= 3 for one in statements)
