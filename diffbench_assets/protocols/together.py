"""Several suites of one protocol side by side: what another prompt, order or setting does to the scores.

Belongs here: from the lake to the page. Does not belong here: the differences (`statistics/side_by_side.py`), markup
(`report/together.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.models.registry import Model
from diffbench_assets.protocols.protocol import Suite
from diffbench_assets.protocols.results import gather


def write_side_by_side(lake: Lake, suites: Sequence[Suite], models: Mapping[str, Model]) -> Path:
    """The page of `suites`, the first of which others are held against; in the reports' folder <suite>+<suite>.

    Raises UserError for fewer than two suites, or suites of different protocols.
    """
    from diffbench_assets.report.overview import write_overview
    from diffbench_assets.report.together import write_together
    from diffbench_assets.statistics.side_by_side import side_by_side

    protocols = list(dict.fromkeys(suite.protocol.name for suite in suites))
    if len(suites) < 2 or len(protocols) > 1:
        named = " and ".join(f"{suite.name} ({suite.protocol.name})" for suite in suites)
        raise UserError(f"only suites of one protocol stand side by side, at least two: not {named}")
    first = suites[0].protocol
    scores = [suite.protocol.scores(gather(lake, suite, models)) for suite in suites]
    metrics = {suite.name: lake.read(suite.result("metrics")) for suite in suites}
    out = lake.report_folder("+".join(suite.name for suite in suites))
    page = write_together([score.name for score in scores[0]], metrics, side_by_side(scores), first.percent, out)
    write_overview(lake.reports_folder())
    return page
