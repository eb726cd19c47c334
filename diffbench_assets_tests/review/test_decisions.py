"""Decisions are checked, saved whole at once and survive anything that happens to the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from typing import Any

import pytest

from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.protocols.multiple_choice.prompt import NO_DIFFERENCE
from diffbench_assets.protocols.multiple_choice.review import questions_to_review
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS
from diffbench_assets.review.decisions import BadDecision, Decisions, check_reviewer, option_sha256
from diffbench_assets.schemas import REVIEWS
from diffbench_assets_tests.review.conftest import SUITE, question, saved, write_suite

TRUE, FALSE = question(0)["options"]["A"], question(0)["options"]["B"]


def decisions(lake: Lake, reviewer: str = "ann") -> Decisions:
    return Decisions(lake, SUITE, reviewer, questions_to_review(lake, SUITE))


def choice(text: str = FALSE, decision: str = "accept", number: int = 0, **more: Any) -> dict[str, Any]:
    return {"question_id": f"question-{number}", "option_sha256": option_sha256(text), "decision": decision} | more


def test_suspected_truths_come_first_and_rotations_are_left_out(lake: Lake) -> None:
    found = questions_to_review(lake, SUITE)
    assert [row["question_id"] for row in found] == ["question-2", "question-0", "question-1"]
    flagged = [option["text"] for option in found[0]["options"] if option["suspected"]]
    assert flagged == [question(2)["options"]["C"]]


def test_a_suite_without_questions_is_an_error_that_says_what_to_do(lake: Lake) -> None:
    with pytest.raises(UserError, match="has no questions of webdiff_mcq: build them first"):
        questions_to_review(lake, "webdiff_mcq")


def test_each_decision_is_a_row_of_the_public_table(lake: Lake) -> None:
    decisions(lake).decide([choice(TRUE), choice(FALSE, "rewrite", rewritten="  Square 0 is smaller in image B. ")])
    table = lake.read(REVIEWS.of(SUITE), {"reviewer": "ann"})
    assert table.schema.names == REVIEWS.names
    assert saved(lake) == [
        ("question-0", TRUE, "accept", None),
        ("question-0", FALSE, "rewrite", "Square 0 is smaller in image B."),
    ]
    assert {row["reviewer"] for row in table.to_pylist()} == {"ann"}
    assert all(row["reviewed_at"].endswith("+00:00") for row in table.to_pylist())
    assert all(row["option_sha256"] == option_sha256(row["text"]) for row in table.to_pylist())


@pytest.mark.parametrize(
    "wrong, why",
    [
        (choice(number=7), "no such option"),
        (choice("Some text that nobody was shown"), "no such option"),
        (choice(NO_DIFFERENCE), "no such option"),
        ({"decision": "accept"}, "no such option"),
        (choice(decision="maybe"), "one of accept, rewrite, discard"),
        (choice(decision="rewrite"), "new wording goes with"),
        (choice(rewritten="Square 0 is smaller."), "new wording goes with"),
        (choice(decision="rewrite", rewritten=" "), "empty"),
        (choice(decision="rewrite", rewritten=["x"]), "empty"),
        (choice(decision="rewrite", rewritten="one\ntwo"), "one line"),
        (choice(decision="rewrite", rewritten="one\u2028two"), "one line"),
        (choice(decision="rewrite", rewritten="a\u202eb"), "one line"),
        (choice(decision="rewrite", rewritten="\ud800"), "one line"),
        (choice(decision="rewrite", rewritten="x" * 401), "longer than 400"),
        (choice(decision="rewrite", rewritten=FALSE), "the old one"),
        (choice(decision="rewrite", rewritten=TRUE), "another option"),
        (choice(decision="rewrite", rewritten=NO_DIFFERENCE), "another option"),
    ],
)
def test_a_wrong_decision_is_refused_and_nothing_of_its_batch_is_saved(lake: Lake, wrong: dict, why: str) -> None:
    with pytest.raises(BadDecision, match=why):
        decisions(lake).decide([choice(TRUE), wrong])
    assert saved(lake) == []


def test_undo_takes_back_step_by_step_also_after_a_restart(lake: Lake) -> None:
    first = decisions(lake)
    first.decide([choice(TRUE), choice(FALSE)])
    first.decide([choice(FALSE, "discard")])
    assert first.undo() == [("question-0", option_sha256(FALSE))]
    assert [row[2] for row in saved(lake)] == ["accept", "accept"], "the earlier decision is back"
    again = decisions(lake)
    again.undo()
    assert len(saved(lake)) == 1
    again.undo()
    assert saved(lake) == [] and again.undo() == []


def test_two_windows_of_one_reviewer_do_not_overwrite_each_other(lake: Lake) -> None:
    one, other = decisions(lake), decisions(lake)
    one.decide([choice(TRUE)])
    other.decide([choice(FALSE)])
    one.decide([choice(question(1)["options"]["B"], number=1)])
    assert len(saved(lake)) == 3


def test_reviewers_have_files_of_their_own(lake: Lake) -> None:
    decisions(lake).decide([choice(TRUE)])
    decisions(lake, "bob").decide([choice(TRUE, "discard")])
    assert [row[2] for row in saved(lake)] == ["accept"] and [row[2] for row in saved(lake, "bob")] == ["discard"]


def test_decisions_about_texts_that_are_no_longer_asked_are_kept_and_not_shown(lake: Lake) -> None:
    decisions(lake).decide([choice(FALSE)])
    anew = question(0)
    anew["options"]["B"] = "Square 0 is smaller in image B."
    lake.write(QUESTIONS.of(SUITE), [anew], {"cell": "regional_color"}, fingerprint="made")
    later = decisions(lake)
    with pytest.raises(BadDecision, match="built anew"):
        later.decide([choice(FALSE)])
    later.decide([choice(anew["options"]["B"], "discard")])
    assert [(row[1], row[2]) for row in saved(lake)] == [
        (FALSE, "accept"), (anew["options"]["B"], "discard"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["", "Ann", "../x", "a/b", "a b", "a=b", "é", "x" * 101, "ann\n"])
def test_a_reviewers_name_must_be_a_file_name(name: str) -> None:
    with pytest.raises(UserError, match="may hold only"):
        check_reviewer(name)


def test_the_fingerprint_of_the_file_changes_with_its_decisions(lake: Lake) -> None:
    one = decisions(lake)
    one.decide([choice(TRUE)])
    before = lake.fingerprint(REVIEWS.of(SUITE), {"reviewer": "ann"})
    one.decide([choice(FALSE)])
    assert before and lake.fingerprint(REVIEWS.of(SUITE), {"reviewer": "ann"}) != before


def test_a_kill_at_any_moment_loses_no_decision_that_was_reported_saved(lake: Lake) -> None:
    write_suite(lake, [question(number) for number in range(60)], [])
    script = textwrap.dedent(
        """
        import sys
        from diffbench_assets.lake import Lake
        from diffbench_assets.protocols.multiple_choice.review import questions_to_review
        from diffbench_assets.review.decisions import Decisions
        lake = Lake(sys.argv[1])
        questions = questions_to_review(lake, "lowlevel_mcq")
        decisions = Decisions(lake, "lowlevel_mcq", "ann", questions)
        for question in questions:
            for option in question["options"][:3]:
                decisions.decide([{"question_id": question["question_id"], "option_sha256": option["sha256"],
                                   "decision": "accept"}])
                print(question["question_id"], option["sha256"], flush=True)
        """
    )
    reported: set[tuple[str, ...]] = set()
    for lines in (7, 23):
        process = subprocess.Popen([sys.executable, "-c", script, lake.root], stdout=subprocess.PIPE, text=True)
        assert process.stdout
        for _ in range(lines):
            reported.add(tuple(process.stdout.readline().split()))
        os.kill(process.pid, signal.SIGKILL)
        reported |= {tuple(line.split()) for line in process.stdout.read().splitlines()}
        process.wait()
        rows = lake.read(REVIEWS.of(SUITE), {"reviewer": "ann"}).to_pylist()
        assert reported <= {(row["question_id"], row["option_sha256"]) for row in rows}
