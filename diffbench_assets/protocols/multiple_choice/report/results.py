"""The result tables of a multiple-choice suite, as the rows that its tables and figures show.

Belongs here: looking numbers up and putting them in order, and the columns of the leaderboard. Does not belong here:
computing them, drawing them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from diffbench_assets.protocols.multiple_choice.results import MultipleChoiceTables
from diffbench_assets.protocols.multiple_choice.statistics.choices import JUDGE, LETTERS
from diffbench_assets.protocols.multiple_choice.statistics.leaderboard import groups, references
from diffbench_assets.report.groups import Group, grouped
from diffbench_assets.report.leaderboard_text import Column, Layout, interval_of
from diffbench_assets.report.plots import Estimate
from diffbench_assets.report.results import Row, SuiteResults
from diffbench_assets.report.wording import sentence

GUESSING = "Guessing"
"""The group of reference rows."""

ERRORS = {
    "missed_change": "Missed change",
    "competing_change": "Competing change",
    "false_alarm": "False alarm",
    "invalid": "Invalid",
}
_GROUP_NAMES = {"low_level": "Low-level", "ocr": "OCR"}
NOTE = (
    "Percent of all questions; unscored questions stay in the denominator, coverage is the share of scored ones. "
    "Intervals: Wilson where every pair has one question, else bootstrap over pairs."
)


@dataclass(frozen=True)
class Positions:
    """How one model fares when the right answer is A, B, C or D; None where a number is not defined."""

    model: str
    recall: list[Estimate | None]
    share: list[Estimate | None]
    accuracy: Estimate | None
    accuracy_p: float | None
    letter_p: float | None


@dataclass(frozen=True)
class ChoiceResults(SuiteResults):
    """Everything the tables of a multiple-choice suite say."""

    tables: MultipleChoiceTables
    judge: str = JUDGE

    @cached_property
    def groups(self) -> list[str]:
        """Groups of questions on which something differs."""
        return groups(self.tables.metrics)

    @cached_property
    def references(self) -> list[Row]:
        """Rows of the leaderboard that say what guessing scores."""
        nothing: Row = dict.fromkeys(self.tables.leaderboard.column_names)
        return [nothing | row for row in references(self.tables.metrics).values()]

    def board_groups(self) -> list[Group]:
        """The leaderboard by access, then what guessing scores."""
        return [
            *grouped(self.board, self.tables.facts),
            *([Group(GUESSING, self.references)] if self.references else []),
        ]

    def focus(self) -> str | None:
        """The group on which missed changes are told from false statements (VDiff-Bench figure 4b); None: all."""
        return "low_level" if "low_level" in self.groups else None

    def outcomes(self) -> dict[str, dict[str, float]]:
        """Model → right, each error and unscored as shares of the questions of `focus`; models with a score."""
        where = ("group", focus) if (focus := self.focus()) else ("overall", "all")
        found = {}
        for model in self.models:
            shares = {name: self.estimate(model, name, *where) for name in ("accuracy", *ERRORS)}
            if all(shares.values()):
                values = {name: share.value for name, share in shares.items() if share}
                found[model] = values | {"unscored": max(0.0, 1 - sum(values.values()))}
        return found

    def group_accuracies(self) -> dict[str, dict[str, Estimate]]:
        """Model → group → accuracy, models in the order of the leaderboard; the two groups of VDiff-Bench figure 4a,
        or all groups of a suite that has others."""
        both = ("semantic", "low_level")
        names = both if set(both) <= set(self.groups) else tuple(self.groups)
        found = {
            model: {name: e for name in names if (e := self.estimate(model, "accuracy", "group", name))}
            for model in self.models
        }
        return {model: accuracies for model, accuracies in found.items() if len(accuracies) > 1}

    def positions(self) -> list[Positions]:
        def p(model: str, name: str) -> float | None:
            row = self.metric(model, name)
            return row["value"] if row else None

        return [
            Positions(
                model,
                [self.estimate(model, "recall", "answer_position", letter) for letter in LETTERS],
                [self.estimate(model, "choice_share", "choice", letter) for letter in LETTERS],
                self.estimate(model, "accuracy"),
                p(model, "accuracy_bias_p"),
                p(model, "letter_bias_p"),
            )
            for model in self.models
        ]

    def layout(self) -> Layout:
        """The leaderboard's columns; those that no model has a number for are left out."""
        columns = [
            Column("Accuracy", "accuracy"),
            Column("95 % interval", "accuracy_interval", None, interval_of("accuracy")),
            *(Column(group_name(name), f"accuracy_{name}") for name in self.groups),
            Column("Pair macro", "pair_macro"),
            *(Column(heading, name, min) for name, heading in ERRORS.items()),
            Column("No-difference rate", "no_difference_rate", None),
            Column("Specificity", "specificity"),
            Column("Circular", "circular_accuracy"),
            Column("Consistency", "consistency"),
            Column("Coverage", "coverage", None),
        ]
        optional = ("specificity", "circular_accuracy", "consistency")
        unused = {name for name in optional if all(row[name] is None for row in self.board)}
        if not any(row["false_alarm"] for row in self.board):
            unused.add("false_alarm")
        shown = [column for column in columns if column.name not in unused]
        return Layout(shown, NOTE, under_judge=False, groups=lambda _: self.board_groups())


def group_name(name: str) -> str:
    """low_level → Low-level."""
    return _GROUP_NAMES.get(name) or sentence(name)
