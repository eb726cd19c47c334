"""Two suites of the toy protocol over the same few pairs, one of which says more in the system's role."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from diffbench_assets.lake import Lake
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.schemas import PAIRS
from diffbench_assets_tests.protocols.open_ended.report.suite import pair
from diffbench_assets_tests.protocols.toy.protocol import Toy

CELLS = ("color.easy", "no_diff")
TOLD = "Count pixels, not differences."
SUITES = {
    suite.name: suite
    for suite in (
        Suite("dots", Toy(), CELLS, pairs_of="dots"),
        Suite("dots_told", Toy(told=TOLD, repeats=1), CELLS, pairs_of="dots"),
    )
}
MODELS = """
models:
  - {id: counts, baseline: toy_compare}
  - {id: zero, baseline: toy_zero}
  - {id: asked, endpoint: '%s', facts: {access: open_weight}}
"""
JUDGES = """
judges:
  - {id: close, kind: closeness}
  - {id: eyes, endpoint: '%s'}
"""
MADE = {"after_pixels": "a", "render_fingerprint": "test"}


def write_pairs(lake: Lake, n: int = 3) -> None:
    for cell in CELLS:
        rows: list[dict[str, Any]] = [
            pair(f"{cell}-{k}", cell, k, suite="dots", before_pixels=f"{cell}-{k}", **MADE) for k in range(n)
        ]
        lake.write(PAIRS.of("dots"), rows, {"cell": cell}, fingerprint="made")


def write_registries(folder: Path, url: str) -> None:
    (folder / "models.yaml").write_text(MODELS % url)
    (folder / "judges.yaml").write_text(JUDGES % url)
