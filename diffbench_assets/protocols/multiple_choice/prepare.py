"""The tables that multiple choice makes of pairs before it asks: questions, and the blind check on them.

Belongs here: what each is made of, and how. Does not belong here: which statements stand in a question
(`questions.py`), the readers of the check (`blind.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from diffbench_assets.errors import UserError
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.protocols.multiple_choice.false_statements import false_statements_sha256
from diffbench_assets.protocols.multiple_choice.pair_claims import pair_claims
from diffbench_assets.protocols.multiple_choice.prompt import LABELS
from diffbench_assets.protocols.multiple_choice.proposed import proposed_statements
from diffbench_assets.protocols.multiple_choice.questions import PairClaims, build_questions
from diffbench_assets.protocols.multiple_choice.tables import BLIND_CHECK, QUESTIONS
from diffbench_assets.protocols.protocol import WHOLE, Bench, Made, Plan, Preparation, Suite
from diffbench_assets.schemas import REVIEWS, Table

PREVIEW_QUESTIONS: Final = 4


class Questions(Preparation):
    """Four options a question: the true statement, two false ones and that nothing differs, in balanced places."""

    table = QUESTIONS

    def made_of(self, suite: Suite) -> Sequence[Table]:
        return (suite.pairs, *(table.of(suite.pair_set.name) for table in suite.pair_set.drawn_from))

    def plans(self, bench: Bench, cells: Sequence[str]) -> Mapping[str, Plan]:
        lake, suite, settings = bench.lake, bench.suite, bench.settings
        built = [cell for cell in cells if lake.exists(suite.pairs, {"cell": cell})]
        claims = pair_claims(lake, suite, built)
        reviews = list(lake.iter_all(suite.table(REVIEWS), REVIEWS.names))
        made_with = settings.model_dump(include={"seed", "no_difference_share", "circular"})
        writers = [bench.deciding(name) for name in settings.false_statements_by]
        prompt = false_statements_sha256() if writers else ""
        found = {}
        for cell in built:
            n = _wanted(bench, cell, len(claims[cell]))
            inputs = {"settings": made_with, "n": n, "claims": claims[cell], "reviews": reviews}
            inputs |= {"writers": writers, "prompt": prompt}
            found[cell] = Plan(inputs, partial(_questions, bench, cell, claims[cell], n, reviews))
        return found


def _wanted(bench: Bench, cell: str, pairs: int) -> int:
    others = bench.lake.cell_counts(bench.suite.pairs) if cell == NO_DIFF else {}
    with_difference = sum(others.values()) - others.get(NO_DIFF, 0)
    return int(bench.settings.questions_wanted(bench.suite, cell, pairs, with_difference))


def _questions(bench: Bench, cell: str, claims: list[PairClaims], n: int, reviews: list[dict[str, Any]]) -> Made:
    settings, suite = bench.settings, bench.suite
    made, proposed = None, Counter[str]()
    if settings.false_statements_by:
        made, proposed = proposed_statements(bench, cell, claims, settings.false_statements_by)
    result = build_questions(
        suite.name, cell, claims, n, settings.seed, circular=settings.circular, false_statements=made, reviews=reviews
    )
    about = {
        "wanted": n,
        "flagged": sum(bool(row["suspected_truths"]) for row in result.rows),
        "dropped": result.dropped,
        "false_statements": Counter(false["strategy"] for row in result.rows for false in row["distractors"]),
        "written_by": Counter(false["origin"] for row in result.rows for false in row["distractors"]),
        "filtered": proposed,
        "preview": "\n\n".join(map(_shown, result.rows[:PREVIEW_QUESTIONS])) or "none",
    }
    return Made(result.rows, about)


def _shown(row: Mapping[str, Any]) -> str:
    lines = [
        f"{'→' if label == row['answer'] else ' '} {label}. {row['options'][label]}".replace("```", "'''")
        for label in LABELS
    ]
    return "```text\n" + "\n".join(lines) + "\n```"


class BlindCheck(Preparation):
    """How well the right option is found without the images: by simple rules and by a trained text model."""

    table = BLIND_CHECK
    check = (
        "text_alone_is_at_chance",
        "No reader of the text alone finds the right option more often than chance allows.",
    )

    def made_of(self, suite: Suite) -> Sequence[Table]:
        return (suite.table(QUESTIONS),)

    def plans(self, bench: Bench, cells: Sequence[str]) -> Mapping[str, Plan]:
        inputs = {"questions": bench.lake.versions(bench.suite.table(QUESTIONS)), "seed": bench.settings.seed}
        return {WHOLE: Plan(inputs, partial(_blind_check, bench))}


def _blind_check(bench: Bench) -> Made:
    from diffbench_assets.protocols.multiple_choice import blind

    rows = [row for row in bench.lake.iter_all(bench.suite.table(QUESTIONS), QUESTIONS.names) if not row["rotation"]]
    if not any(row["truth_origin"] for row in rows):
        raise UserError(f"{bench.suite.name} has no questions about a difference yet: build them first")
    report = blind.blind_check(rows, bench.settings.seed)
    found = [{"suite": bench.suite.name, **row} for row in report.rows]
    worst = max(found, key=lambda row: row["accuracy"] - row["chance"])
    about = {"questions": len(rows), "worst": str(worst), "summary": report.summary}
    return Made(found, about, "" if report.passed else report.summary)
