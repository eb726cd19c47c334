"""Tables of the realness audit equal a plain loop over its rows."""

from __future__ import annotations

import random
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

from diffbench_assets.statistics.intervals import page_weights
from diffbench_assets.statistics.realness import RICHNESS, judge_correlations, realness_table
from diffbench_assets_tests.protocols.open_ended.statistics.plain_loops import percentile

PAGES = [f"page-{n:02}" for n in range(60)]
KIND = {page: RICHNESS[n % 3] for n, page in enumerate(PAGES)}
REPLICATES = 60


def audit_rows(seed: int = 1) -> list[dict]:
    """Two judges that agree in part, one that scores on its own; some pictures unscored, some pages never asked."""
    dice = random.Random(seed)
    rows = []
    for page in PAGES:
        base = dice.randint(2, 4)
        for side in ("original", "copy"):
            look = base + dice.choice([-1, 0, 0, 1]) + (side == "copy") * dice.choice([0, 0, 1])
            own = {"a": look, "b": look + dice.choice([-1, 0, 0, 1]), "c": dice.randint(1, 5)}
            for judge, score in own.items():
                if judge == "c" and page > "page-50":
                    continue
                missing = dice.random() < 0.08
                given = None if missing else min(5, max(1, score))
                rows.append({"judge": judge, "page_id": page, "side": side, "score": given})
    dice.shuffle(rows)
    return rows


ROWS = audit_rows()


def plain_scores(judge: str) -> dict[tuple[str, str], int | None]:
    return {(row["page_id"], row["side"]): row["score"] for row in ROWS if row["judge"] == judge}


def drawn_pages() -> list[list[str]]:
    """The pages of each bootstrap replicate, repeated as often as they were drawn."""
    weights = page_weights(np.arange(len(PAGES)), REPLICATES).astype(int)
    return [[page for page, times in zip(PAGES, column, strict=True) for _ in range(times)] for column in weights.T]


def test_the_paired_difference_and_its_interval_equal_a_plain_loop():
    table = {
        (row["judge"], row["richness"]): row for row in realness_table(ROWS, KIND, replicates=REPLICATES).to_pylist()
    }
    assert len(table) == 3 * 4
    for (judge, kind), row in table.items():
        scores = plain_scores(judge)
        asked = [page for page in PAGES if (page, "original") in scores and kind in ("all", KIND[page])]
        used = {page for page in asked if None not in (scores[page, "original"], scores[page, "copy"])}
        difference = {page: scores[page, "original"] - scores[page, "copy"] for page in used}
        means = [
            fmean(difference[page] for page in pages if page in used) for pages in drawn_pages() if used & set(pages)
        ]
        assert row["n"] == len(used) and row["n_unscored"] == len(asked) - len(used)
        assert row["value"] == pytest.approx(fmean(difference.values()))
        assert row["mean_original"] == pytest.approx(fmean(scores[page, "original"] for page in used))
        assert row["mean_copy"] == pytest.approx(fmean(scores[page, "copy"] for page in used))
        assert row["ci_low"] == pytest.approx(percentile(means, 0.025))
        assert row["ci_high"] == pytest.approx(percentile(means, 0.975))
        assert row["alike"] == (abs(row["value"]) <= 0.3)


def test_correlations_of_judges_equal_scipy_in_every_replicate():
    table = judge_correlations(ROWS, replicates=REPLICATES).to_pylist()
    assert len(table) == 3 * 2 * 2
    for row in table:
        first, second = (plain_scores(row[name]) for name in ("judge_a", "judge_b"))
        by_page: dict[str, list[tuple[float, float]]] = {}
        for page in PAGES:
            values = [tuple(judge.get((page, side)) for judge in (first, second)) for side in ("original", "copy")]
            if row["of"] == "score":
                by_page[page] = [pair for pair in values if None not in pair]
            elif not any(value is None for pair in values for value in pair):
                by_page[page] = [(values[0][0] - values[1][0], values[0][1] - values[1][1])]
        correlate = stats.pearsonr if row["method"] == "pearson" else stats.spearmanr

        def value_of(pages: list[str], points=by_page, correlate=correlate) -> float:
            x, y = zip(*(point for page in pages for point in points.get(page, [])), strict=True)
            return float(correlate(x, y).statistic)

        drawn = [value_of(pages) for pages in drawn_pages()]
        assert row["n"] == sum(map(len, by_page.values()))
        assert row["value"] == pytest.approx(value_of(PAGES))
        assert row["ci_low"] == pytest.approx(percentile(drawn, 0.025))
        assert row["ci_high"] == pytest.approx(percentile(drawn, 0.975))


def test_judges_that_look_at_the_same_thing_correlate_and_others_do_not():
    table = {(r["judge_a"], r["judge_b"], r["of"], r["method"]): r for r in judge_correlations(ROWS).to_pylist()}
    assert table["a", "b", "score", "spearman"]["ci_low"] > 0.4
    alone = table["a", "c", "difference", "pearson"]
    assert alone["ci_low"] < 0 < alone["ci_high"]


def one_page(original: int | None, copy: int | None, page: str = "page-00") -> list[dict]:
    return [
        {"judge": "a", "page_id": page, "side": side, "score": score}
        for side, score in (("original", original), ("copy", copy))
    ]


def test_what_cannot_be_known_is_null():
    alone = {row["richness"]: row for row in realness_table(one_page(4, 2), KIND).to_pylist()}
    assert alone["rich"]["value"] == 2 and alone["rich"]["ci_low"] is None and alone["rich"]["alike"] is False
    assert alone["minimal"]["value"] is None and alone["minimal"]["n"] == 0 and alone["minimal"]["alike"] is None
    unscored = realness_table(one_page(4, None), KIND).to_pylist()[0]
    assert unscored["value"] is None and unscored["n_unscored"] == 1
    same = [row | {"judge": judge, "score": 3} for judge in "ab" for p in PAGES[:5] for row in one_page(3, 3, p)]
    assert all(row["value"] is None for row in judge_correlations(same).to_pylist())
    assert realness_table([], {}).num_rows == judge_correlations([]).num_rows == 0


def test_mistakes_in_the_rows_are_named():
    with pytest.raises(ValueError, match="two rows for judge=a, page_id=page-00, side=original"):
        realness_table(one_page(1, 2) * 2, KIND)
    with pytest.raises(ValueError, match="page page-00: richness None is not one of rich, standard, minimal"):
        realness_table(one_page(1, 2), {})
