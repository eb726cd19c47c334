"""Groups of models against each other: proprietary and open-weight, reasoning on and off, large and small.

Belongs here: which models stand on which side and the interval of the contrast. Does not belong here: where the facts
about models come from, and two single models (`comparison.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import pyarrow as pa

from diffbench_assets.statistics.intervals import (
    REPLICATES,
    page_weights,
    percentile_interval,
    ratio,
    weighted_sums,
)
from diffbench_assets.statistics.scores import HEADLINE, MAX_UNSCORED_SHARE, Scores
from diffbench_assets.statistics.tables import described, interval

CONTRASTS = described(
    ("suite", pa.string(), "Suite."),
    ("judge", pa.string(), "Judge."),
    ("metric", pa.string(), "accuracy, recall or specificity."),
    ("contrast", pa.string(), "What is compared, for example Qwen3-VL 235B: reasoning on - off."),
    ("models_plus", pa.list_(pa.string()), "Models that count positively."),
    ("models_minus", pa.list_(pa.string()), "Models that count negatively."),
    ("value", pa.float64(), "The contrast of mean scores; null when a model's coverage is too low."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval, bootstrap over pages, models as given."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("n", pa.int64(), "Pairs in the denominator."),
)


class ModelFacts(Protocol):
    """What the model registry says about a model; None where it says nothing."""

    @property
    def family(self) -> str | None: ...

    @property
    def access(self) -> str | None:
        """proprietary or open_weight."""

    @property
    def total_params_b(self) -> float | None: ...

    @property
    def reasoning(self) -> bool | None: ...


@dataclass(frozen=True)
class Contrast:
    """A weighted sum of model scores whose weights add up to zero."""

    name: str
    weights: Mapping[str, float]


def contrasts_of(facts: Mapping[str, ModelFacts]) -> list[Contrast]:
    """The contrasts that the facts allow: access, and in each family the 2×2 of size and reasoning (DiffSpot §3.2)."""
    access = _side(facts, access="proprietary"), _side(facts, access="open_weight")
    found = [_contrast("proprietary - open-weight", *access)] if all(access) else []
    for family in sorted({fact.family for fact in facts.values() if fact.family}):
        found += _two_by_two(family, {model: fact for model, fact in facts.items() if fact.family == family})
    return found


def contrast_models(
    scores: Scores,
    contrasts: Iterable[Contrast],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    max_unscored: float = MAX_UNSCORED_SHARE,
) -> pa.Table:
    """Each contrast of the headline metrics under each judge with a page-clustered interval; columns of CONTRASTS.

    Scores are those of the metrics table (unscored pairs are not successes). Contrasts that name a model without
    responses are left out.
    """
    weights = page_weights(scores.pages, replicates, seed)
    possible = [contrast for contrast in contrasts if set(contrast.weights) <= set(scores.models)]
    rows = []
    for metric in HEADLINE if possible else ():
        members = scores.members(metric)
        covered = scores.covered(members, max_unscored)
        size = weights[members].sum(axis=0, dtype=float)[:, None]
        for j, judge in enumerate(scores.judges if len(members) else ()):
            success = scores.success[j][:, members].T
            point, drawn = success.mean(axis=0), ratio(weighted_sums(weights[members], success), size)
            for contrast in possible:
                index = [scores.models.index(model) for model in contrast.weights]
                factors = np.array(list(contrast.weights.values()))
                value = float(point[index] @ factors) if covered[j, index].all() else np.nan
                low, high = percentile_interval(drawn[:, index] @ factors[:, None])
                rows.append(
                    {
                        "suite": scores.suite,
                        "judge": judge,
                        "metric": metric,
                        "contrast": contrast.name,
                        "models_plus": sorted(m for m, w in contrast.weights.items() if w > 0),
                        "models_minus": sorted(m for m, w in contrast.weights.items() if w < 0),
                        **interval(value, low[0], high[0]),
                        "n": len(members),
                    }
                )
    return pa.Table.from_pylist(rows, schema=CONTRASTS)


def _two_by_two(family: str, facts: Mapping[str, ModelFacts]) -> list[Contrast]:
    sizes = sorted({fact.total_params_b for fact in facts.values() if fact.total_params_b is not None})
    cells = {(size, on): _side(facts, total_params_b=size, reasoning=on) for size in sizes for on in (False, True)}
    sizes = [size for size in sizes if cells[size, False] and cells[size, True]]
    found = [
        _contrast(f"{family} {size:g}B: reasoning on - off", cells[size, True], cells[size, False]) for size in sizes
    ]
    for small, large in pairwise(sizes):
        step = f"{large:g}B - {small:g}B"
        by_size = {
            on: _contrast(f"{family} reasoning {label}: {step}", cells[large, on], cells[small, on])
            for on, label in ((False, "off"), (True, "on"))
        }
        interaction = dict(by_size[True].weights) | {m: -w for m, w in by_size[False].weights.items()}
        found += [*by_size.values(), Contrast(f"{family}: reasoning gain at {large:g}B - at {small:g}B", interaction)]
    return found


def _side(facts: Mapping[str, ModelFacts], **wanted: object) -> list[str]:
    return sorted(
        model for model, fact in facts.items() if all(getattr(fact, name) == value for name, value in wanted.items())
    )


def _contrast(name: str, plus: list[str], minus: list[str]) -> Contrast:
    return Contrast(name, {m: 1 / len(plus) for m in plus} | {m: -1 / len(minus) for m in minus})
