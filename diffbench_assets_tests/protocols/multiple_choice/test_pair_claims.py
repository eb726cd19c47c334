"""What may be asked of a pair whose change shows as a move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diffbench_assets.lake import Lake
from diffbench_assets.pairs.css.possible import claims_of
from diffbench_assets.protocols.multiple_choice.pair_claims import pair_claims
from diffbench_assets.schemas import CANDIDATES, PAIRS
from diffbench_assets.suites import SUITES
from diffbench_assets_tests.pairs.css.test_possible import DOWN, candidate

BELOW = ((40.0, 340.0, 200.0, 30.0), (40.0, 356.0, 200.0, 30.0))


@pytest.mark.parametrize("shift", [None, {"x": 0, "y": 3}])
def test_no_other_move_of_an_element_that_shows_its_change_as_one_is_offered(shift: Any, tmp_path: Path) -> None:
    made = [
        candidate("line_height", "1.5em", "1.7em", 1) | {"record": "truth"},
        candidate("spacing", "4px", "8px", 1, "padding-top") | {"record": "padding"},
        candidate("position", "0px", "16px", 1, "top", boxes=DOWN) | {"record": "move"},
        candidate("color", "rgb(43, 127, 255)", "rgb(28, 57, 142)", 1, "color") | {"record": "color"},
        candidate("position", "0px", "16px", 1, "top", "body > p", "Other", BELOW) | {"record": "other"},
    ]
    lake, suite = Lake(str(tmp_path)), SUITES["webdiff_mcq"]
    (truth,) = claims_of(made[0])
    pair = {"pair_id": "pair", "page_id": "page", "operator": "line_height", "family": "typography", "record": "truth"}
    pair["differences"] = [{"claim": truth.as_dict(), "shift": shift, "record": "truth", "role": "report"}]
    lake.write(PAIRS.of("webdiff"), [pair], {"cell": "line_height.easy"}, fingerprint="f")
    lake.write(CANDIDATES.of("webdiff"), made, {"cell": "line_height.easy"}, fingerprint="f")
    (found,) = pair_claims(lake, suite, ["line_height.easy"])["line_height.easy"]
    own = {claim.change for claim in found.possible if claim.subject == truth.subject}
    moves = {"more_padding", "less_padding", "moved_up", "moved_down"}
    assert own == {"wider_lines", "tighter_lines", "darker", "lighter"} | (set() if shift else moves)
    assert {"moved_up", "moved_down"} <= {claim.change for claim in found.possible if claim.subject != truth.subject}
