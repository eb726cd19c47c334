"""The views and analyses of sql/, on a small lake whose every number can be counted by hand."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from statsmodels.stats.contingency_tables import mcnemar

from diffbench_assets.cli import main
from diffbench_assets.lake import SQL, Lake, LakeError
from diffbench_assets.pairs.css.pair_set import WEBDIFF
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS
from diffbench_assets.protocols.multiple_choice.tables import VERDICTS as CHOICE_VERDICTS
from diffbench_assets.protocols.open_ended.protocol import OpenEnded
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.schemas import CANDIDATES, METRICS, PAGE_POOL, PAGES, PAIRS, RESPONSES, VERDICTS
from diffbench_assets.suites import SUITES
from diffbench_assets.views import connect

BEFORE, AFTER = b"png before", b"png after"
SENT = " ".join(hashlib.sha256(image).hexdigest() for image in (BEFORE, AFTER))

# name: (cell, page, language, location, role, inside_change)
SUITE = {
    "a1": ("color.easy", "p1", "en", "top left", "button", 0.9),
    "a2": ("color.easy", "p2", "zh", "center", "button", 0.6),
    "b1": ("color.hard", "p1", "en", "bottom right", "", 0.3),
    "c1": ("border.easy", "p3", None, "top left", "link", 0.1),
    "n1": ("no_diff", "p1", "en", None, None, None),
    "n2": ("no_diff", "p2", "zh", None, None, None),
}
# model: name: (outcome, rules, strict); a verdict is True, False, the false claims on a no_diff pair, None: unscored
ANSWERS = {
    "seer": {
        "a1": ("completed", True, True), "a2": ("completed", True, False), "b1": ("completed", True, True),
        "c1": ("completed", False, False), "n1": ("completed", ['The “Buy” button moved 12 px'], []),
        "n2": ("completed", ['the “Sell”  button moved 3.5 px', "The logo is larger"], []),
    },
    "dull": {
        "a1": ("completed", False, True), "a2": ("completed", True, None), "b1": ("truncated", None, None),
        "c1": ("completed", False, False), "n1": ("completed", [], []), "n2": ("refused", None, None),
    },
}  # fmt: skip
JUDGES = ("rules", "strict")


def pair(name: str) -> dict[str, object]:
    cell, page, language, location, role, change = SUITE[name]
    operator, _, tier = cell.partition(".")
    target = {"tag": "div", "role": role, "text": name, "location": location}
    return {
        "pair_id": name, "suite": "webdiff", "cell": cell, "page_id": page, "language": language, "style": "minimal",
        "image_before": {"bytes": BEFORE, "path": "b.png"}, "image_after": {"bytes": AFTER, "path": "a.png"},
        "differences": [{"kind": operator, "target": target}] if tier else [], "description": f"{name} changed",
        "operator": operator if tier else None, "tier": tier or "no_diff", "inside_change": change,
        "render_fingerprint": "browser 1",
    }  # fmt: skip


def response(model: str, name: str, **changed: object) -> dict[str, object]:
    outcome = ANSWERS[model][name][0]
    row = {
        "item_id": f"{name}:open_ended:forward:0", "pair_id": name, "model": model, "cell": SUITE[name][0],
        "protocol": "open_ended", "order": "forward", "repeat": 0, "outcome": outcome, "cost_usd": 0.25,
        "text": f"- The {name} is **different**.", "output_tokens": 10, "latency_s": 2.0, "image_sha256": SENT,
    }  # fmt: skip
    return row | changed


def verdict(model: str, name: str, judge: str, **changed: object) -> dict[str, object]:
    outcome, *found = ANSWERS[model][name]
    value = found[JUDGES.index(judge)]
    unscored = None if value is not None else f"response: {outcome}" if outcome != "completed" else "judge: unread"
    row = {
        "item_id": f"{name}:open_ended:forward:0", "pair_id": name, "model": model, "cell": SUITE[name][0],
        "judge": judge, "judge_prompt_sha256": judge, "verdict": {True: "correct", False: "wrong"}.get(value is True)
        if isinstance(value, bool) else None, "matched": f"The {name} is different" if value is True else "",
        "hallucinations": value if isinstance(value, list) else [], "unscored_reason": unscored,
    }  # fmt: skip
    return row | changed


def candidate(page: str, operator: str, tier: str, status: str) -> dict[str, object]:
    return {"candidate_id": f"{page}{tier}", "page_id": page, "operator": operator, "tier": tier, "status": status}


def by_cell(rows: list[dict]) -> dict[str, list[dict]]:
    return {cell: [row for row in rows if row["cell"] == cell] for cell in {row["cell"] for row in rows}}


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    made = Lake(str(tmp_path / "lake"))
    domains = {"p1": "travel", "p2": "travel", "p3": "finance"}
    made.write(PAGE_POOL, [{"page_id": page, "domain": domain} for page, domain in domains.items()], fingerprint="made")
    candidates = [
        candidate("p1", "color", "easy", "accepted"), candidate("p2", "color", "easy", "accepted"),
        candidate("p3", "color", "easy", "nonlocal"), candidate("p3", "color", "easy", "ineffective"),
        candidate("p1", "color", "hard", "accepted"), candidate("p3", "border", "easy", "accepted"),
    ]  # fmt: skip
    for cell in ("color.easy", "color.hard", "border.easy"):
        rows = [row for row in candidates if f"{row['operator']}.{row['tier']}" == cell]
        made.write(CANDIDATES.of("webdiff"), rows, {"cell": cell}, fingerprint="made")
    write_pairs(made, [pair(name) for name in SUITE])
    write_responses(made, [response(model, name) for model in ANSWERS for name in SUITE])
    write_verdicts(made, [verdict(model, name, judge) for model in ANSWERS for name in SUITE for judge in JUDGES])
    write_choices(made)
    return made


CHOICES = {
    "q1": ("A", None),
    "q2": ("B", "competing_change"),
    "q3": ("C", "missed_change"),
    "q4": ("invalid", "invalid"),
}
"""Question of the noise cell, where A is right and C says nothing differs → what the model `seer` chose."""


def write_choices(lake: Lake) -> None:
    options = {"A": "grainier", "B": "brighter", "C": "the same", "D": "dimmer"}
    shared = {"suite": "lowlevel_mcq", "cell": "noise", "category": "noise", "group": "low_level", "order": "forward"}
    keyed = {"options": options, "answer": "A", "no_difference_label": "C", "rotation": 0}
    asked = [
        shared | keyed | {"question_id": q, "pair_id": f"pair {q}", "origin_id": q, "suspected_truths": ["brighter"]}
        for q in CHOICES
    ]
    rows = [{"item_id": q, "pair_id": f"pair {q}", "model": "seer", "cell": "noise"} for q in CHOICES]
    verdicts = [
        row | {"judge": "exact", "choice": choice, "error_kind": kind, "verdict": "wrong" if kind else "correct"}
        for row, (choice, kind) in zip(rows, CHOICES.values(), strict=True)
    ]
    place = {"model": "seer", "cell": "noise"}
    lake.write(QUESTIONS.of("lowlevel_mcq"), asked, {"cell": "noise"}, fingerprint="made")
    lake.write(
        RESPONSES.of("lowlevel_mcq"), [row | {"outcome": "completed"} for row in rows], place, fingerprint="made"
    )
    lake.write(CHOICE_VERDICTS.of("lowlevel_mcq").within("exact"), verdicts, place, fingerprint="made")


def write_pairs(lake: Lake, rows: list[dict]) -> None:
    for cell, of_cell in by_cell(rows).items():
        lake.write(PAIRS.of("webdiff"), of_cell, {"cell": cell}, fingerprint="made")


def write_responses(lake: Lake, rows: list[dict], suite: str = "webdiff") -> None:
    for model in {row["model"] for row in rows}:
        for cell, of_cell in by_cell([row for row in rows if row["model"] == model]).items():
            lake.write(RESPONSES.of(suite), of_cell, {"model": model, "cell": cell}, fingerprint="made")


def write_verdicts(lake: Lake, rows: list[dict], suite: str = "webdiff") -> None:
    for judge, model in {(row["judge"], row["model"]) for row in rows}:
        chosen = [row for row in rows if (row["judge"], row["model"]) == (judge, model)]
        for cell, of_cell in by_cell(chosen).items():
            lake.write(VERDICTS.of(suite).within(judge), of_cell, {"model": model, "cell": cell}, fingerprint="made")


def analyse(
    lake: Lake, name: str, columns: str = "*", where: str = "true", suites: Mapping[str, Suite] = SUITES
) -> list[tuple]:
    """Rows of an analysis, in its order."""
    query = (SQL / f"{name}.sql").read_text().strip().removesuffix(";")
    with connect(lake, suites.values()) as connection:
        return connection.sql(f"SELECT {columns} FROM ({query}) WHERE {where}").fetchall()


COLUMNS = {
    "gate_yield": "operator tier status candidates share",
    "supply_by_domain": "domain pages pages_with_candidates candidates cells_per_page pairs",
    "recall_by_operator_tier": "suite judge model operator easy medium hard recall n n_unscored",
    "hardest_pairs": "suite judge pair_id cell inside_change domain language element location description models",
    "judge_disagreements": "suite judge_a judge_b model pair_id cell success_a success_b answer matched_a matched_b "
    "hallucinations_a hallucinations_b reasoning_a reasoning_b description",
    "common_hallucinations": "suite judge model claims pairs on_no_diff kind example",
    "recall_by_change_decile": "suite judge model decile least_change most_change recall n n_unscored",
    "recall_by_language_style": "suite judge model slice slice_value recall n n_unscored",
    "recall_by_location": "suite judge model location recall n n_unscored",
    "recall_by_element": "suite judge model element recall n n_unscored",
    "cost_per_correct": "suite judge model correct answers_usd usd_per_correct judge_usd output_tokens_mean "
    "latency_s_median answers_without_price",
    "coverage": "suite judge model pairs asked completed truncated empty refused error scored coverage unscored",
    "model_pairs": "suite judge model_a model_b n both_right only_a only_b both_wrong disagreement p_value",
    "no_diff_false_alarms": "suite judge model n false_alarms n_unscored specificity claims_per_answer example",
    "stale": "suite problem model judge cells n some_cells",
    "stale_images": "suite model cell n example",
    "choice_by_category": "suite group category model n accuracy missed_change competing_change invalid unscored",
    "choice_positions": "suite model letter right_here chosen recall_here",
    "choice_tempting_options": "suite category question_id choice statement models suspected_true",
}


def test_every_analysis_is_known_here():
    assert {path.stem for path in SQL.glob("*.sql")} == set(COLUMNS)


@pytest.mark.parametrize("name", COLUMNS)
def test_an_analysis_says_its_question_and_runs_on_a_full_and_on_a_bare_lake(lake, tmp_path, name):
    bare = Lake(str(tmp_path / "bare"))
    bare.write(PAGES.within("mine"), [], fingerprint="made")
    text = (SQL / f"{name}.sql").read_text()
    assert text.startswith("-- ") and "?" in text[: text.index("SELECT")]
    for there in (lake, bare):
        with connect(there) as connection:
            assert connection.sql(text).columns == COLUMNS[name].split()
    assert analyse(bare, name) == []
    assert analyse(lake, name) or name == "stale_images"


@pytest.mark.parametrize("name", [name for name, columns in COLUMNS.items() if columns.startswith("suite ")])
def test_an_analysis_never_mixes_suites(lake, name):
    alone = analyse(lake, name)
    write_responses(lake, [response(model, pair) for model in ANSWERS for pair in SUITE], "again")
    write_verdicts(
        lake, [verdict(model, name, judge) for model in ANSWERS for name in SUITE for judge in JUDGES], "again"
    )
    both = SUITES | {"again": Suite("again", OpenEnded(), WEBDIFF)}
    assert analyse(lake, name, where="suite <> 'again'", suites=both) == alone
    if not name.startswith(("choice", "stale")):
        # The same answers to the same pairs: the same rows.
        assert analyse(lake, name, "* EXCLUDE (suite)", "suite = 'again'", both) == [row[1:] for row in alone]


def test_an_unscored_pair_is_no_success_and_stays_in_the_denominator(lake):
    columns = "model, operator, easy, hard, recall, n, n_unscored"
    assert analyse(lake, "recall_by_operator_tier", columns, "judge = 'rules'") == [
        ("dull", "color", 0.5, 0.0, 0.333, 3, 1),
        ("dull", "border", 0.0, None, 0.0, 1, 0),
        ("seer", "color", 1.0, 1.0, 1.0, 3, 0),
        ("seer", "border", 0.0, None, 0.0, 1, 0),
    ]


def test_coverage_says_why_pairs_have_no_verdict(lake):
    columns = "judge, asked, completed, truncated, refused, scored, coverage, unscored"
    assert analyse(lake, "coverage", columns, "model = 'dull'") == [
        ("rules", 6, 4, 1, 1, 4, 0.6667, {"response: refused": 1, "response: truncated": 1}),
        ("strict", 6, 4, 1, 1, 3, 0.5, {"judge: unread": 1, "response: refused": 1, "response: truncated": 1}),
    ]


def test_gate_yield_and_supply_count_candidates(lake):
    assert analyse(lake, "gate_yield") == [
        ("border", "easy", "accepted", 1, 1.0),
        ("color", "easy", "accepted", 2, 0.5),
        ("color", "easy", "ineffective", 1, 0.25),
        ("color", "easy", "nonlocal", 1, 0.25),
        ("color", "hard", "accepted", 1, 1.0),
    ]
    assert analyse(lake, "supply_by_domain") == [("travel", 2, 2, 3, 1.5, 5), ("finance", 1, 1, 1, 1.0, 1)]


def test_a_hardest_pair_is_one_that_every_model_was_judged_to_miss(lake):
    assert analyse(lake, "hardest_pairs", "judge, pair_id, models") == [("rules", "c1", 2), ("strict", "c1", 2)]


def test_judges_disagree_only_where_both_gave_a_verdict(lake):
    found = analyse(lake, "judge_disagreements", "judge_a, judge_b, model, pair_id, success_a, success_b")
    assert found == [
        ("rules", "strict", "dull", "a1", False, True),
        ("rules", "strict", "seer", "a2", True, False),
        ("rules", "strict", "seer", "n1", False, True),
        ("rules", "strict", "seer", "n2", False, True),
    ]


def test_claims_that_differ_in_numbers_and_quotes_are_one_claim(lake):
    assert analyse(lake, "common_hallucinations", "claims, pairs, on_no_diff, kind") == [
        (2, 2, 2, "the “…” button moved # px"),
        (1, 1, 1, "the logo is larger"),
    ]


def test_slices_add_up_to_the_has_diff_pairs_and_the_unknown_are_named(lake):
    where = "judge = 'rules' AND model = 'seer'"
    assert analyse(lake, "recall_by_location", "location, recall, n", where) == [
        ("top left", 0.5, 2), ("center", 1.0, 1), ("bottom right", 1.0, 1)
    ]  # fmt: skip
    assert analyse(lake, "recall_by_element", "element, recall, n", where) == [
        ("button", 1.0, 2), ("div", 1.0, 1), ("link", 0.0, 1)
    ]  # fmt: skip
    assert analyse(lake, "recall_by_language_style", "slice, slice_value, recall, n", where) == [
        ("language", "en", 1.0, 2), ("language", "unknown", 0.0, 1), ("language", "zh", 1.0, 1),
        ("style", "minimal", 0.75, 4),
    ]  # fmt: skip
    assert analyse(lake, "recall_by_change_decile", "decile, most_change, recall", where) == [
        (1, 0.1, 0.0), (2, 0.3, 1.0), (3, 0.6, 1.0), (4, 0.9, 1.0)
    ]  # fmt: skip


def test_wrong_answers_are_paid_for_too(lake):
    found = analyse(lake, "cost_per_correct", "model, correct, answers_usd, usd_per_correct", "judge = 'rules'")
    assert found == [("seer", 3, 1.5, 0.5), ("dull", 1, 1.5, 1.5)]


def test_false_alarms_are_counted_on_equal_screenshots_alone(lake):
    columns = "model, n, false_alarms, n_unscored, specificity, claims_per_answer, example"
    assert analyse(lake, "no_diff_false_alarms", columns, "judge = 'rules'") == [
        ("dull", 2, 0, 1, 0.5, 0.0, None),
        ("seer", 2, 2, 0, 0.0, 1.5, "The “Buy” button moved 12 px"),
    ]


def test_the_mcnemar_table_has_the_exact_p_value(lake):
    columns = "n, both_right, only_a, only_b, both_wrong, p_value"
    (found,) = analyse(lake, "model_pairs", columns, "judge = 'rules'")
    assert found[:5] == (4, 1, 1, 1, 1) and found[5] == 1.0
    # 12 more pairs that only the second model got right: an exact p far from 1
    more = {f"m{index}": ("color.easy", "p1", "en", "center", "button", 0.5) for index in range(12)}
    rows = [dict(pair("a1"), pair_id=name) for name in more]
    write_pairs(lake, [*map(pair, SUITE), *rows])
    for model, value in (("dull", False), ("seer", True)):
        ids = [{"pair_id": name, "item_id": name} for name in more]
        write_responses(lake, [response(model, "a1", **i) for i in ids] + [response(model, name) for name in SUITE])
        found_now = [verdict(model, "a1", "rules", verdict="correct" if value else "wrong", **i) for i in ids]
        write_verdicts(lake, found_now + [verdict(model, name, "rules") for name in SUITE])
    (found,) = analyse(lake, "model_pairs", columns, "judge = 'rules'")
    assert found[:5] == (16, 1, 1, 13, 1)
    assert found[5] == pytest.approx(mcnemar([[0, 1], [13, 0]], exact=True).pvalue)


SHORT = ("pair short of the largest cell", None, None)
"""The little lake has two pairs in color.easy, one in two other cells, and none in three."""


def stale(lake: Lake) -> dict[tuple, int]:
    """Problems beyond the short cells that the little lake has anyway."""
    found = {tuple(row[:3]): row[3] for row in analyse(lake, "stale", "problem, model, judge, n")}
    assert found.pop(SHORT) == 1 + 1 + 2 + 2 + 2
    return found


def test_nothing_is_stale_in_a_lake_that_fits_together(lake):
    assert stale(lake) == {} and analyse(lake, "stale_images") == []


def test_a_page_that_left_the_pool_and_another_renderer_are_seen(lake):
    lake.write(PAGE_POOL, [{"page_id": page} for page in ("p2", "p3")], fingerprint="made")
    write_pairs(lake, [pair(name) | {"render_fingerprint": "browser 2" if name == "c1" else "1"} for name in SUITE])
    assert stale(lake) == {
        ("pair whose page left the pool", None, None): 3,
        ("pair of another renderer than most", None, None): 1,
    }


def test_a_pair_made_anew_leaves_its_old_answers_and_verdicts_behind(lake):
    write_pairs(lake, [pair(name) | ({"pair_id": "a9"} if name == "a1" else {}) for name in SUITE])
    assert stale(lake) == {("pair not asked", model, None): 1 for model in ANSWERS} | {
        ("response to a pair that is gone", model, None): 1 for model in ANSWERS
    }
    write_responses(lake, [response("dull", name) for name in SUITE if name != "a1"])
    found = stale(lake)
    assert found["verdict on a response that is gone", "dull", "rules"] == 1
    assert ("response to a pair that is gone", "dull", None) not in found


def test_an_answer_that_changed_after_it_was_judged_is_seen(lake):
    answers = {"a1": {"text": "- Nothing alike."}, "b1": {"outcome": "error"}, "n1": {"outcome": "empty"}}
    write_responses(lake, [response("seer", name, **answers.get(name, {})) for name in SUITE])
    assert stale(lake) == {
        ("failed call, due again", "seer", None): 1,
        **{("verdict older than the outcome", "seer", judge): 2 for judge in JUDGES},
        # b1 failed but kept its text, so its quote still stands there
        **{("verdict whose quote the answer no longer holds", "seer", judge): 1 for judge in JUDGES},
    }
    again = [response("dull", name, outcome="completed") for name in SUITE]
    write_responses(lake, again)
    assert stale(lake)["verdict older than the outcome", "dull", "rules"] == 2


def test_a_judge_that_skipped_a_model_or_changed_its_prompt_is_seen(lake):
    write_verdicts(lake, [verdict("dull", "a1", "rules") | {"judge": "late"}])
    assert stale(lake) == {("answer not judged", "dull", "late"): 5, ("answer not judged", "seer", "late"): 6}
    changed = [verdict("dull", "a1", "strict", judge_prompt_sha256="new"), verdict("dull", "a2", "strict")]
    write_verdicts(lake, changed)
    assert stale(lake)["verdict of another judge version than most", "dull", "strict"] == 1


def test_metrics_that_count_other_pairs_or_other_successes_are_seen(lake):
    def metric(model: str, successes: int, n: int) -> dict[str, object]:
        place = {"suite": "webdiff", "model": model, "judge": "rules", "metric": "accuracy", "slice": "overall"}
        return place | {"slice_value": "all", "value": successes / n, "n": n}

    lake.write(METRICS.of("webdiff"), [metric("seer", 3, 6), metric("dull", 2, 6)], fingerprint="made")
    assert stale(lake) == {}
    lake.write(METRICS.of("webdiff"), [metric("seer", 1, 6), metric("dull", 2, 5)], fingerprint="made")
    assert stale(lake) == {
        ("success that the metrics do not count", "seer", "rules"): 2,
        ("pair that the metrics do not count", "dull", "rules"): 1,
    }


def test_answers_to_other_images_than_the_pairs_are_seen(lake):
    write_pairs(lake, [pair(name) | ({"image_after": {"bytes": b"other"}} if name == "c1" else {}) for name in SUITE])
    assert analyse(lake, "stale_images", "model, cell, n, example") == [
        ("dull", "border.easy", 1, "c1"),
        ("seer", "border.easy", 1, "c1"),
    ]


def test_a_model_with_the_name_of_a_number_stays_text(lake):
    lake.write(
        RESPONSES.of("webdiff"), [response("seer", "a1")], {"model": "7", "cell": "color.easy"}, fingerprint="made"
    )
    with connect(lake) as connection:
        models = connection.sql("SELECT DISTINCT model FROM webdiff_responses ORDER BY ALL").fetchall()
    assert models == [("7",), ("dull",), ("seer",)]


def test_a_lake_without_tables_and_a_wrong_view_are_one_clear_error(lake, tmp_path):
    with pytest.raises(LakeError, match="has no tables: run `diffbench build` first"):
        connect(Lake(str(tmp_path / "elsewhere")))
    (tmp_path / "wrong.sql").write_text("CREATE VIEW wrong AS SELECT * FROM webdif_pairs")

    class Wrong(OpenEnded):
        views = tmp_path / "wrong.sql"

    with pytest.raises(LakeError, match=r"wrong\.sql: .*webdif_pairs"):
        connect(lake, [Suite("webdiff", Wrong(), WEBDIFF)])


def test_the_shell_runs_analyses_by_path_and_by_name(lake, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DIFFBENCH_LAKE", lake.root)
    monkeypatch.chdir(tmp_path)

    def shell(query: str) -> str:
        monkeypatch.setattr(sys, "argv", ["diffbench", "sql", query])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return printed.out if not end.value.code else printed.err

    (tmp_path / "mine.sql").write_text("SELECT count(*) AS has_diff_rows FROM scored WHERE has_diff;")
    assert "has_diff_rows" in shell("mine.sql") and " 16 " in shell("mine.sql")
    assert "pages_with_candidates" in shell("supply_by_domain.sql")
    assert "there is no file supply.sql; analyses are choice_by_category.sql, " in shell("supply.sql")


def test_choices_are_counted_by_category_by_letter_and_by_what_tempted(lake):
    assert analyse(lake, "choice_by_category", "n, accuracy, missed_change, competing_change, invalid, unscored") == [
        (4, 25.0, 25.0, 25.0, 25.0, 0)
    ]
    assert analyse(lake, "choice_positions", "letter, right_here, chosen, recall_here") == [
        ("A", 4, 1, 25.0), ("B", 0, 1, None), ("C", 0, 1, None), ("D", 0, 0, None)
    ]  # fmt: skip
    assert analyse(lake, "choice_tempting_options", "question_id, statement, models, suspected_true") == [
        ("q2", "brighter", 1, True)
    ]
