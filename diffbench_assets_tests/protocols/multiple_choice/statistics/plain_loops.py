"""The shares of multiple choice written as plain Python loops over rows: what the vectorised code is held against.

Only the random draws are shared with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from diffbench_assets_tests.protocols.open_ended.statistics.plain_loops import Number, ends, wilson

Numbers = tuple[Number, Number, Number, int]


class PlainChoices:
    """A suite as dictionaries, and `weights[r][pair_id]`: how often replicate r has the pair."""

    def __init__(
        self,
        pairs: list[dict],
        questions: list[dict],
        responses: list[dict],
        verdicts: list[dict],
        weights: list[dict[str, int]],
    ):
        domain = {row["pair_id"]: row.get("domain") for row in pairs}
        self.all = [row | {"domain": domain[row["pair_id"]]} for row in questions]
        self.questions = [row for row in self.all if row["rotation"] == 0]
        self.weights = weights
        self.models = sorted({row["model"] for row in responses})
        completed = {(r["model"], r["item_id"]) for r in responses if r["outcome"] == "completed"}
        self.choice = {
            (row["model"], row["item_id"]): row["choice"]
            for row in verdicts
            if row.get("unscored_reason") is None and (row["model"], row["item_id"]) in completed
        }

    def metrics(self, max_unscored: float) -> dict[tuple, Numbers]:
        """(model, metric, slice, value) → (value, low, high, unscored), all but the p-values and coverage."""
        found: dict[tuple, Numbers] = {}
        for model in self.models:
            for metric, name, value, members, happened in self._shares(model):
                scored = {row["question_id"]: (model, row["question_id"]) in self.choice for row in members}
                found[model, metric, name, value] = self._share(members, happened, scored, max_unscored)
            found[model, "pair_macro", "overall", "all"] = self._pair_macro(model, max_unscored)
            if circular := [row for row in self.questions if len(self._rotations(row)) == 4]:
                scored = {
                    row["question_id"]: all((model, r["question_id"]) in self.choice for r in self._rotations(row))
                    for row in circular
                }
                for metric, test in (("circular_accuracy", self._all_right), ("consistency", self._all_same)):
                    happened = {row["question_id"]: test(model, row) for row in circular}
                    found[model, metric, "overall", "all"] = self._share(circular, happened, scored, max_unscored)
        return found

    def _shares(self, model: str) -> list[tuple[str, str, str, list[dict], dict[str, bool]]]:
        chosen = {row["question_id"]: self.choice.get((model, row["question_id"])) for row in self.questions}

        def events(test: Callable[[dict, str | None], bool]) -> dict[str, bool]:
            return {row["question_id"]: test(row, chosen[row["question_id"]]) for row in self.questions}

        def changed(row: dict) -> bool:
            return row["answer"] != row["no_difference_label"]

        right = events(lambda row, c: c == row["answer"])
        shares = [("accuracy", *part, right) for part in self._slices("category", "group", "cell", "domain")]
        wrong = {
            "missed_change": lambda row, c: changed(row) and c == row["no_difference_label"],
            "competing_change": lambda row, c: (
                changed(row) and c in tuple("ABCD") and c not in (row["answer"], row["no_difference_label"])
            ),
            "false_alarm": lambda row, c: not changed(row) and c in tuple("ABCD") and c != row["answer"],
            "invalid": lambda row, c: c == "invalid",
            "no_difference_rate": lambda row, c: c == row["no_difference_label"],
        }
        for metric, test in wrong.items():
            shares += [(metric, *part, events(test)) for part in self._slices("category", "group")]
        if same := [row for row in self.questions if not changed(row)]:
            shares.append(("specificity", "overall", "all", same, right))
        for letter in "ABCD":
            at = [row for row in self.questions if row["answer"] == letter]
            shares.append(("recall", "answer_position", letter, at, right))
            picked = {question: c == letter for question, c in chosen.items()}
            shares.append(("choice_share", "choice", letter, self.questions, picked))
        return shares

    def _slices(self, *names: str) -> list[tuple[str, str, list[dict]]]:
        groups = defaultdict(list)
        for row in self.questions:
            groups["overall", "all"].append(row)
            for name in names:
                groups[name, row[name] or "unknown"].append(row)
        return [(*key, rows) for key, rows in groups.items()]

    def _share(
        self, members: list[dict], happened: dict[str, bool], scored: dict[str, bool], max_unscored: float
    ) -> Numbers:
        unscored = sum(not scored[row["question_id"]] for row in members)
        if unscored / len(members) > max_unscored:
            return None, None, None, unscored
        value = sum(happened[row["question_id"]] for row in members) / len(members)
        pairs = {row["pair_id"] for row in members}
        if len(pairs) == len(members):
            return value, *wilson(value, len(members)), unscored
        replicates = []
        for weights in self.weights:
            top = bottom = 0
            for row in members:
                bottom += weights[row["pair_id"]]
                if happened[row["question_id"]]:
                    top += weights[row["pair_id"]]
            replicates.append(top / bottom if bottom else None)
        low, high = ends(replicates)
        if low == high:
            low, high = wilson(value, len(pairs))
        return value, low, high, unscored

    def _pair_macro(self, model: str, max_unscored: float) -> Numbers:
        by_pair = defaultdict(list)
        for row in self.questions:
            by_pair[row["pair_id"]].append(self.choice.get((model, row["question_id"])) == row["answer"])
        means = {pair_id: sum(rights) / len(rights) for pair_id, rights in by_pair.items()}
        unscored = sum((model, row["question_id"]) not in self.choice for row in self.questions)
        if unscored / len(self.questions) > max_unscored:
            return None, None, None, unscored
        value = sum(means.values()) / len(means)
        replicates = [sum(w[p] * mean for p, mean in means.items()) / sum(w[p] for p in means) for w in self.weights]
        return value, *ends(replicates), unscored

    def _rotations(self, origin: dict) -> list[dict]:
        return [row for row in self.all if row["origin_id"] == origin["question_id"]]

    def _all_right(self, model: str, origin: dict) -> bool:
        rotations = self._rotations(origin)
        return all(self.choice.get((model, row["question_id"])) == row["answer"] for row in rotations)

    def _all_same(self, model: str, origin: dict) -> bool:
        words = [row["options"].get(self.choice.get((model, row["question_id"]))) for row in self._rotations(origin)]
        return None not in words and len(set(words)) == 1
