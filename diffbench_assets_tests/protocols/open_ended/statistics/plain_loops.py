"""The same statistics written as plain Python loops over rows, one definition after the other, nothing vectorised.

What the vectorised code is held against, in tests and in benchmarks/metrics.py. Only the random draws are shared.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

NORMAL_975 = 1.959963984540054
Number = float | None


def percentile(values: list[float], share: float) -> float:
    values = sorted(values)
    place = share * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def ends(replicates: Iterable[Number]) -> tuple[Number, Number]:
    values = [value for value in replicates if value is not None]
    return (percentile(values, 0.025), percentile(values, 0.975)) if values else (None, None)


def wilson(share: float, n: int) -> tuple[float, float]:
    z2 = NORMAL_975**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = NORMAL_975 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return middle - reach, middle + reach


class Plain:
    """A benchmark as dictionaries, and `weights[r][pair_id]`: how often replicate r has the pair."""

    def __init__(self, pairs: list[dict], responses: list[dict], verdicts: list[dict], weights: list[dict[str, int]]):
        self.pairs = sorted(pairs, key=lambda row: row["pair_id"])
        self.weights = weights
        outcome = {(row["model"], row["pair_id"]): row["outcome"] for row in responses}
        self.models = sorted({row["model"] for row in responses})
        self.judges = sorted({row["judge"] for row in verdicts})
        self.success: dict[tuple[str, str, str], bool] = {}
        self.claims: dict[tuple[str, str, str], int] = {}
        cell = {row["pair_id"]: row["cell"] for row in pairs}
        for row in verdicts:
            completed = outcome.get((row["model"], row["pair_id"])) == "completed"
            if row["unscored_reason"] is None and completed:
                key = (row["judge"], row["model"], row["pair_id"])
                self.claims[key] = len(row["hallucinations"])
                no_diff = cell[row["pair_id"]] == "no_diff"
                self.success[key] = not row["hallucinations"] if no_diff else row["verdict"] == "correct"

    def task(self, metric: str) -> list[dict]:
        wanted = {"accuracy": (True, False), "recall": (True,), "specificity": (False,)}[metric]
        return [row for row in self.pairs if (row["cell"] != "no_diff") in wanted]

    def metrics(self, max_unscored: float) -> dict[tuple, tuple[Number, Number, Number, int]]:
        """(judge, model, metric, slice, value) → (value, low, high, unscored) of the judged metrics but coverage."""
        found = {}
        parts = [("accuracy", "overall", "all", self.task("accuracy"))]
        parts += [("recall", *part) for part in self.slices(self.task("recall"))]
        parts += [(name, "overall", "all", self.task("specificity")) for name in ("specificity", "hallucination_rate")]
        for metric, name, value, members in parts:
            for judge in self.judges:
                for model in self.models:
                    key = (judge, model, metric, name, value)
                    found[key] = self.proportion(judge, model, members, metric == "hallucination_rate", max_unscored)
        tiers = defaultdict(list)
        for row in self.pairs:
            tiers["overall", "all"].append(row)
            tiers["tier", row["tier"]].append(row)
        for (name, value), members in tiers.items():
            for judge in self.judges:
                for model in self.models:
                    key = (judge, model, "hallucinations_per_answer", name, value)
                    found[key] = self.claim_rate(judge, model, members, max_unscored)
        return found

    def slices(self, members: list[dict]) -> list[tuple[str, str, list[dict]]]:
        groups = defaultdict(list)
        for row in members:
            groups["overall", "all"].append(row)
            for name in ("tier", "operator", "cell", "family", "domain", "style", "language"):
                groups[name, row[name] or "unknown"].append(row)
            target = row["differences"][0]["target"]
            groups["element", target["role"] or target["tag"]].append(row)
        return [(*key, rows) for key, rows in groups.items()]

    def proportion(
        self, judge: str, model: str, members: list[dict], failures: bool, max_unscored: float
    ) -> tuple[Number, Number, Number, int]:
        hits = {row["pair_id"]: self.success.get((judge, model, row["pair_id"]), False) != failures for row in members}
        unscored = sum((judge, model, row["pair_id"]) not in self.success for row in members)
        if unscored / len(members) > max_unscored:
            return None, None, None, unscored
        value = sum(hits.values()) / len(members)
        pages = {row["page_id"] for row in members}
        if len({row["cell"] for row in members}) == 1 and len(pages) == len(members):
            return value, *wilson(value, len(members)), unscored
        replicates = []
        for weights in self.weights:
            top = bottom = 0
            for pair_id, hit in hits.items():
                weight = weights[pair_id]
                bottom += weight
                if hit:
                    top += weight
            replicates.append(top / bottom if bottom else None)
        low, high = ends(replicates)
        if low == high:
            low, high = wilson(value, len(pages))
        return value, low, high, unscored

    def claim_rate(
        self, judge: str, model: str, members: list[dict], max_unscored: float
    ) -> tuple[Number, Number, Number, int]:
        counts = {
            row["pair_id"]: self.claims[judge, model, row["pair_id"]]
            for row in members
            if (judge, model, row["pair_id"]) in self.claims
        }
        unscored = len(members) - len(counts)
        if unscored / len(members) > max_unscored or not counts:
            return None, None, None, unscored
        replicates = []
        for weights in self.weights:
            top = bottom = 0
            for pair_id, count in counts.items():
                weight = weights[pair_id]
                top += weight * count
                bottom += weight
            replicates.append(top / bottom if bottom else None)
        low, high = ends(replicates)
        return sum(counts.values()) / len(counts), *((None, None) if low == high else (low, high)), unscored

    def comparisons(self) -> dict[tuple, tuple[Number, Number, Number, int, int]]:
        """(judge, metric, model_a, model_b) → (difference, low, high, only_a, only_b)."""
        found: dict[tuple, tuple[Number, Number, Number, int, int]] = {}
        for judge in self.judges:
            for metric in ("accuracy", "recall", "specificity"):
                ids = [row["pair_id"] for row in self.task(metric)]
                for a, b in combinations(self.models, 2):
                    gains = {
                        pair_id: self.success[judge, a, pair_id] - self.success[judge, b, pair_id]
                        for pair_id in ids
                        if (judge, a, pair_id) in self.success and (judge, b, pair_id) in self.success
                    }
                    replicates = []
                    for weights in self.weights:
                        top = bottom = 0
                        for pair_id, gain in gains.items():
                            weight = weights[pair_id]
                            top += weight * gain
                            bottom += weight
                        replicates.append(top / bottom if bottom else None)
                    only_a = sum(gain == 1 for gain in gains.values())
                    only_b = sum(gain == -1 for gain in gains.values())
                    value = sum(gains.values()) / len(gains)
                    found[judge, metric, a, b] = (value, *ends(replicates), only_a, only_b)
        return found

    def kappas(self) -> dict[tuple, tuple[Number, Number, Number]]:
        """(judge_a, judge_b, model) → kappa over all pairs with its interval; model "all" for the answers together."""
        found = {}
        for a, b in combinations(self.judges, 2):
            for model in [*self.models, "all"]:
                models = self.models if model == "all" else [model]
                both = [
                    (row["pair_id"], self.success[a, m, row["pair_id"]], self.success[b, m, row["pair_id"]])
                    for row in self.pairs
                    for m in models
                    if (a, m, row["pair_id"]) in self.success and (b, m, row["pair_id"]) in self.success
                ]
                once = dict.fromkeys((row["pair_id"] for row in self.pairs), 1)
                replicates = [kappa(both, weights) for weights in self.weights]
                found[a, b, model] = (kappa(both, once), *ends(replicates))
        return found

    def taus(self) -> dict[tuple, tuple[Number, Number, Number]]:
        """(judge_a, judge_b) → Kendall tau of the accuracy rankings with its interval."""
        found = {}
        once = dict.fromkeys((row["pair_id"] for row in self.pairs), 1)
        for a, b in combinations(self.judges, 2):
            values = [tau(self.totals(a, weights), self.totals(b, weights)) for weights in [once, *self.weights]]
            found[a, b] = (values[0], *ends(values[1:]))
        return found

    def stability(self, judge: str, subsamples: list[set[str]]) -> float:
        """Mean tau of the recall rankings of `subsamples` against that of all has-diff pairs."""
        ids = [row["pair_id"] for row in self.task("recall")]
        full = self.totals(judge, dict.fromkeys(ids, 1))
        values = [tau(self.totals(judge, dict.fromkeys(chosen, 1)), full) for chosen in subsamples]
        defined = [value for value in values if value is not None]
        return sum(defined) / len(defined)

    def totals(self, judge: str, weights: dict[str, int]) -> list[int]:
        found = []
        for model in self.models:
            total = 0
            for pair_id, weight in weights.items():
                if self.success.get((judge, model, pair_id)):
                    total += weight
            found.append(total)
        return found


def kappa(both: list[tuple[str, bool, bool]], weights: dict[str, int]) -> Number:
    total = same = yes_a = yes_b = 0
    for pair_id, a, b in both:
        weight = weights[pair_id]
        total += weight
        same += weight * (a == b)
        yes_a += weight * a
        yes_b += weight * b
    if not total:
        return None
    chance = yes_a / total * yes_b / total + (1 - yes_a / total) * (1 - yes_b / total)
    return (same / total - chance) / (1 - chance) if chance != 1 else None


def tau(a: list[int], b: list[int]) -> Number:
    """Kendall's tau-b, pair by pair."""
    agree = untied_a = untied_b = 0
    for i, j in combinations(range(len(a)), 2):
        sign_a, sign_b = (a[i] > a[j]) - (a[i] < a[j]), (b[i] > b[j]) - (b[i] < b[j])
        agree += sign_a * sign_b
        untied_a += sign_a != 0
        untied_b += sign_b != 0
    return agree / math.sqrt(untied_a * untied_b) if untied_a and untied_b else None
