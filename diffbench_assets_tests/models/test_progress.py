"""How a long run shows how far it is, where there is no terminal."""

from __future__ import annotations

import pytest

from diffbench_assets import bars
from diffbench_assets.models.progress import Progress, progress_bar
from diffbench_assets.models.replies import Reply


def _shown(progress: Progress) -> None:
    with progress_bar("asking m") as show:
        for outcome in ("completed", "error"):
            progress.count(Reply(outcome, text=None, cost_usd=0.25))  # type: ignore[arg-type]
            show(progress)


def test_a_log_has_a_line_now_and_then_and_none_at_all_where_work_is_short(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _shown(Progress(total=4))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(bars, "LINE_EVERY_S", 0.0)
    _shown(Progress(total=4))
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("asking m: 1 of 4 answered")
    assert "2 of 4 answered, 1 failed" in second and "$0.50 so far" in second
    token = bars.QUIET.set(True)
    _shown(Progress(total=4))
    bars.QUIET.reset(token)
    assert capsys.readouterr().err == ""
