"""Two suites of the toy protocol over the same few pairs, one of which says more in the system's role."""

from __future__ import annotations

from pathlib import Path

from diffbench_assets import schemas
from diffbench_assets.lake import Lake
from diffbench_assets.pairs.css.pair_set import WEBDIFF
from diffbench_assets.protocols.protocol import Suite, by_name
from diffbench_assets_tests.protocols.open_ended.report.suite import pair
from diffbench_assets_tests.protocols.toy.protocol import Toy

TOLD = "Count pixels, not differences."
TOYS = by_name(Suite("dots", Toy(), WEBDIFF), Suite("dots_told", Toy(told=TOLD, repeats=1), WEBDIFF))
PAIRS = 2
"""Pairs of each cell."""

MODELS = """
models:
  - {id: counts, baseline: toy_compare}
  - {id: zero, baseline: toy_zero}
  - {id: asked, endpoint: '%s'}
"""
JUDGES = """
judges:
  - {id: close, kind: closeness}
  - {id: eyes, endpoint: '%s'}
"""


def write_pairs(lake: Lake) -> None:
    made = {"after_pixels": "a", "render_fingerprint": "test"}
    # Neighbours: what is asked of both is asked in one run.
    for cell in ("rounded.hard", "no_diff"):
        rows = [pair(f"{cell}-{n}", cell, n, before_pixels=f"{cell}-{n}", **made) for n in range(PAIRS)]
        lake.write(schemas.PAIRS.of(WEBDIFF.name), rows, {"cell": cell}, fingerprint="made")


def write_registries(folder: Path, url: str) -> None:
    (folder / "models.yaml").write_text(MODELS % url)
    (folder / "judges.yaml").write_text(JUDGES % url)
