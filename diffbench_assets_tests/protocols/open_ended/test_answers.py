"""The `rules` judge on labelled answers about recorded differences; run as a module, it prints the figures.

`answers_apart.jsonl` and `answers_held_out.jsonl` were written before the rules that read them. The rules were then
made to read the first; of the second only the wrong answers that they accepted have been looked at. Each answer names
its difference in `answers_records.jsonl`. `turned.txt` holds ways to say a claim X without asserting it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from diffbench_assets.pairs.css.operators import OPERATORS
from diffbench_assets.pairs.grammar import CHANGES, Claim
from diffbench_assets.protocols.open_ended.rules import judge
from diffbench_assets.protocols.open_ended.statistics.correction import MEASURED
from diffbench_assets.statistics.correction import JudgeErrors
from diffbench_assets_tests.protocols.open_ended.cases import HERE, cases

RECORDS: dict[str, dict[str, Any]] = {row["record"]: row for row in cases("answers_records.jsonl")}
SHADES = ("opacity",)
"""Whether a fade looks lighter or darker, the record does not tell: words for either are right both ways."""


def accepted(name: str, right: bool) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Answers of a set that are right, or wrong, and those of them that the judge accepts."""
    rows = [row for row in cases(name) if row["right"] is right]
    return rows, [row for row in rows if judge(RECORDS[row["record"]], row["answer"]).verdict == "correct"]


def measured(name: str) -> JudgeErrors:
    (right, hits), (wrong, slips) = accepted(name, True), accepted(name, False)
    return JudgeErrors(len(right), len(hits), len(wrong), len(wrong) - len(slips))


def test_no_wrong_answer_is_accepted_and_nearly_every_right_one() -> None:
    errors = measured("answers_apart.jsonl")
    assert errors.right + errors.wrong >= 600 and errors.wrong >= errors.right
    assert errors.wrong_turned_down == errors.wrong
    assert errors.sensitivity >= 0.92


def test_the_stated_errors_are_those_of_the_answers_held_out() -> None:
    found, stated = measured("answers_held_out.jsonl"), MEASURED["rules"]
    assert (found.right, found.wrong, found.right_accepted) == (stated.right, stated.wrong, stated.right_accepted)
    assert found.wrong_turned_down >= stated.wrong_turned_down


def plain_claims() -> Iterator[tuple[dict[str, Any], str]]:
    """(difference, sentence without its stop) of the plain right answers."""
    for row in accepted("answers_apart.jsonl", True)[1]:
        if row["kind"] == "plain":
            yield RECORDS[row["record"]], row["answer"].removeprefix("- ").removesuffix(".")


def test_a_claim_that_is_not_asserted_earns_nothing_however_it_is_turned() -> None:
    claims = cycle(plain_claims())
    slips = []
    for line in (HERE / "turned.txt").read_text().splitlines():
        for _ in range(3):
            difference, claim = next(claims)
            said = json.dumps(claim, ensure_ascii=False)[1:-1] if line.startswith("{") else claim
            inner = said[0].lower() + said[1:] if said[0].isascii() and said[:2] in ("Th", "A ", "In") else said
            answer = line.replace("{X}", said).replace("{x}", inner).replace("\\n", "\n")
            if judge(difference, answer).verdict == "correct":
                slips.append(answer)
    assert not slips


def test_a_right_answer_is_wrong_of_the_reversed_difference() -> None:
    slips = []
    for row in accepted("answers_apart.jsonl", True)[1]:
        difference = RECORDS[row["record"]]
        turned = {"before": difference["after"], "after": difference["before"], "direction": -difference["direction"]}
        if difference["kind"] not in SHADES and judge(difference | turned, row["answer"]).verdict == "correct":
            slips.append(row["answer"])
    assert not slips


@pytest.mark.parametrize("name", RECORDS)
def test_what_the_grammar_says_of_a_record_is_right_and_its_reverse_wrong(name: str) -> None:
    record = RECORDS[name]
    operator = OPERATORS[record["kind"]]
    says = operator.says(record["before"], record["after"], record["direction"], _moved(record))
    if not says or str(says[0]).count("spread out") > 1:
        return  # the ways to spread things out look alike to the rules
    words = record["target"]["text"].replace('"', "")[:30]
    thing = record["target"]["role"] or ("label" if words else "shape")
    where = record["target"]["location"].replace("middle center", "center")
    subject = f'the {thing} "{words}"' if words else f"the {thing} at the {where}"
    change, *values = says[0]
    claim = Claim(subject, change, *values)
    assert judge(record, claim.words(0)).verdict == "correct"
    if CHANGES[change].opposite != change or values:
        assert judge(record, claim.reversed().words(0)).verdict == "wrong"


def _moved(record: dict[str, Any]) -> tuple[float, float]:
    return {"left": (record["direction"], 0.0), "top": (0.0, record["direction"])}.get(record["property"], (0.0, 0.0))


if __name__ == "__main__":
    for name in ("answers_apart.jsonl", "answers_held_out.jsonl"):
        found = measured(name)
        accepted_share = f"{found.right_accepted}/{found.right}"
        print(f"{name}: sensitivity {accepted_share}, specificity {found.wrong_turned_down}/{found.wrong}")
