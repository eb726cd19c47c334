"""What every model chose on every question of a suite: the model × question grid that all numbers are taken from.

    place_choices(pairs, questions, responses, verdicts) -> Choices

Belongs here: placing questions, responses and verdicts, and refusing tables that contradict one another. Does not
belong here: any number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.statistics.answers import (
    OUTCOMES,
    PAIR_COLUMNS,
    Answers,
    Bools,
    Ints,
    codes,
    distinct,
    place_items,
    require_present,
    require_unique,
    text,
)
from diffbench_assets.statistics.scores import NO_DIFF, Scores

JUDGE: Final = "exact"
"""What stands in the column judge: the letter decides, nobody judges."""

LETTERS: Final = "ABCD"
INVALID: Final = 4
"""Code of an answer from which no letter can be read; codes 0 to 3 are A to D. It is wrong (VDiff-Bench table 3)."""
UNSCORED: Final = -1
"""Code of a question without a scored answer: none came, the call failed, or nobody scored it."""

_CODES: Final = pa.array([*LETTERS, "invalid"])
_REQUIRED: Final = (
    "question_id", "suite", "cell", "pair_id", "category", "group", "rotation", "origin_id", "answer",
    "no_difference_label",
)  # fmt: skip
_OF_PAIR: Final = ("tier", "domain", "style", "language")


@dataclass(frozen=True)
class Choices:
    """What M models chose on Q questions, rotated copies included; questions in the order of question_id."""

    questions: pa.Table
    """Columns of schemas.QUESTIONS, and tier, domain, style and language of the pair."""
    answers: Answers
    """The responses on the same questions; in its `pairs`, pair_id is the question and page_id the pair."""
    choice: Ints
    """(M, Q): 0 to 3 for A to D, INVALID or UNSCORED."""
    stale: int
    """Verdicts left out because their question or their response is no longer there."""

    @property
    def suite(self) -> str:
        return self.answers.suite

    @property
    def models(self) -> tuple[str, ...]:
        return self.answers.models

    @cached_property
    def asked(self) -> Ints:
        """(N,) questions of rotation 0: the denominator of every score outside the circular evaluation."""
        return np.flatnonzero(self.questions["rotation"].to_numpy() == 0)

    @cached_property
    def answer(self) -> Ints:
        """(Q,) code of the right letter."""
        return codes(self.questions["answer"], _CODES)

    @cached_property
    def no_difference(self) -> Ints:
        """(Q,) code of the letter that says nothing differs."""
        return codes(self.questions["no_difference_label"], _CODES)

    @cached_property
    def pair(self) -> Ints:
        """(Q,) number of the question's pair: the cluster of every interval (VDiff-Bench §4.2)."""
        return codes(self.questions["pair_id"], distinct(self.questions["pair_id"]))

    @property
    def scored(self) -> Bools:
        """(M, Q)"""
        return self.choice != UNSCORED

    @property
    def right(self) -> Bools:
        """(M, Q)"""
        return self.choice == self.answer

    def scores(self) -> Scores:
        """The questions of rotation 0 as `Scores`, for what is the same in every protocol: its pairs are questions, its
        pages pairs, and specificity is about the questions on which nothing differs."""
        return Scores(
            pairs=self.answers.pairs.take(pa.array(self.asked)),
            judges=(JUDGE,),
            models=self.models,
            success=self.right[None][:, :, self.asked],
            scored=self.scored[None][:, :, self.asked],
            hallucinations=np.zeros((1, len(self.models), len(self.asked)), dtype=np.int64),
            stale=self.stale,
        )


def place_choices(pairs: pa.Table, questions: pa.Table, responses: pa.Table, verdicts: pa.Table) -> Choices:
    """Lay responses and verdicts (item_id = question_id) out over the questions of one suite.

    A verdict counts only for a completed response; responses and verdicts about other questions are left out.

    Raises ValueError when questions are missing, repeated, of several suites, about pairs that are not there or rotated
    copies of a question that is not; when a model answered a question twice; when a verdict is not of judge "exact",
    has no choice though it is scored, or contradicts its question.
    """
    questions = _benchmark(questions, pairs)
    answers = place_items(_as_items(questions), responses)
    require_present(verdicts, "verdicts", ("item_id", "model", "judge"))
    question = codes(verdicts["item_id"], text(questions["question_id"]))
    model = codes(verdicts["model"], pa.array(answers.models, pa.string()))
    row = np.flatnonzero((question >= 0) & (model >= 0))
    row = row[answers.item[model[row], question[row]] >= 0]
    question, model, rows = question[row], model[row], verdicts.take(pa.array(row))
    require_unique(model * questions.num_rows + question, rows, "verdicts", ("item_id", "model"))

    choices = Choices(questions, answers, np.full(answers.item.shape, UNSCORED), verdicts.num_rows - len(row))
    chosen = codes(rows["choice"], _CODES)
    claims_scored = text(rows["unscored_reason"]).is_null().to_numpy(zero_copy_only=False)
    _require_consistent(rows, choices, question, chosen, claims_scored)
    scored = claims_scored & (answers.outcome[model, question] == OUTCOMES.index("completed"))
    choices.choice[model[scored], question[scored]] = chosen[scored]
    return choices


def error_kinds(choice: Ints, answer: Ints, no_difference: Ints) -> dict[str, Bools]:
    """Which choices are which error; arrays of codes that broadcast (VDiff-Bench §3.1, and false_alarm for questions on
    which nothing differs)."""
    letter, wrong = (choice >= 0) & (choice < INVALID), choice != answer
    changed = answer != no_difference
    silent = choice == no_difference
    return {
        "missed_change": letter & wrong & silent,
        "competing_change": letter & wrong & changed & ~silent,
        "false_alarm": letter & wrong & ~changed,
        "invalid": choice == INVALID,
    }


def _benchmark(questions: pa.Table, pairs: pa.Table) -> pa.Table:
    require_present(questions, "questions", _REQUIRED)
    questions = questions.sort_by("question_id").combine_chunks()
    if questions.num_rows == 0:
        raise ValueError("questions: no rows; make the suite's questions before its metrics")
    suites = distinct(questions["suite"]).to_pylist()
    if len(suites) > 1:
        raise ValueError(f"questions: rows of several suites ({', '.join(suites)}); compute metrics one at a time")
    ids = text(questions["question_id"])
    _refuse(ids.dictionary_encode().indices.to_numpy(), questions, "stands in more than one row")
    for name in ("answer", "no_difference_label"):
        _refuse(codes(questions[name], _CODES.slice(0, 4)) < 0, questions, f"{name} is not one of A to D")
    origin, rotation = codes(questions["origin_id"], ids), questions["rotation"].to_numpy().astype(np.int64)
    _refuse((rotation < 0) | (rotation > 3), questions, "rotation is not 0 to 3")
    _refuse((rotation == 0) & (origin != np.arange(len(ids))), questions, "has rotation 0 but another origin_id")
    _refuse((origin < 0) | (rotation[origin] != 0), questions, "is a rotated copy of a question that is not there")
    _refuse(4 * origin + rotation, questions, "repeats a rotation of its origin_id")
    place = codes(questions["pair_id"], text(pairs["pair_id"]))
    _refuse(place < 0, questions, "is about a pair that is not in pairs; make its questions again")
    for name in _OF_PAIR:
        questions = questions.append_column(name, text(pairs[name]).take(pa.array(place)))
    return questions


def _refuse(fault: Bools | Ints, questions: pa.Table, message: str) -> None:
    """Raise ValueError for the first question whose `fault` is true or, as a number, the same as an earlier one's."""
    if fault.dtype != np.bool_:
        repeated = np.ones(len(fault), dtype=bool)
        repeated[np.unique(fault, return_index=True)[1]] = False
        fault = repeated
    if fault.any():
        name = questions["question_id"][int(np.flatnonzero(fault)[0])].as_py()
        raise ValueError(f"questions: question {name!r} {message} ({int(fault.sum())} such rows)")


def _as_items(questions: pa.Table) -> pa.Table:
    """The questions with the columns of pairs that the statistics of all protocols read."""
    same = pc.equal(text(questions["answer"]), text(questions["no_difference_label"]))
    columns = {
        "item_id": questions["question_id"],
        "page_id": questions["pair_id"],
        "cell": pc.if_else(same, NO_DIFF, text(questions["cell"])),
        "operator": questions["category"],
        "family": questions["group"],
    }
    columns |= {name: questions[name] for name in ("suite", *_OF_PAIR)}
    nothing = pa.nulls(questions.num_rows)
    return pa.table({name: columns.get(name, nothing) for name in ("item_id", *PAIR_COLUMNS)})


def _require_consistent(rows: pa.Table, choices: Choices, question: Ints, chosen: Ints, claims_scored: Bools) -> None:
    answer, no_difference = choices.answer[question], choices.no_difference[question]
    kinds = error_kinds(chosen, answer, no_difference)
    expected = np.full(len(chosen), None, dtype=object)
    for name, kind in kinds.items():
        expected[kind] = name
    said = text(rows["verdict"]).to_numpy(zero_copy_only=False)
    kind = text(rows["error_kind"]).to_numpy(zero_copy_only=False)
    faults = (
        (claims_scored & (chosen < 0), "choice is not one of A to D or invalid, and there is no unscored_reason"),
        (
            claims_scored & (said != np.where(chosen == answer, "correct", "wrong")),
            "by its choice the verdict is another",
        ),
        (claims_scored & (kind != expected), "by its choice the error_kind is another"),
        (codes(rows["judge"], pa.array([JUDGE])) < 0, f"multiple choice has verdicts of judge {JUDGE} only"),
    )
    for fault, message in faults:
        if fault.any():
            k = int(np.flatnonzero(fault)[0])
            first = rows.slice(k, 1).to_pylist()[0]
            raise ValueError(
                f"verdicts: item {first['item_id']!r}, model {first['model']!r}, judge {first['judge']!r}: {message} "
                f"(choice {first['choice']!r}, verdict {first['verdict']!r}, error_kind {first['error_kind']!r}, "
                f"answer {LETTERS[answer[k]]}; {int(fault.sum())} such rows); score the responses again"
            )
