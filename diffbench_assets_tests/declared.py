"""Lakes that tests filled, against their schemas."""

from __future__ import annotations

from diffbench_assets.conformance import violations
from diffbench_assets.lake import Lake
from diffbench_assets.schemas import TABLES


def assert_as_declared(lake: Lake) -> None:
    """Every public table of the lake is as its schema declares it."""
    named = [(suite, name) for suite, _, name in (asset.rpartition("/") for asset in lake.assets()) if name in TABLES]
    assert len(named) > 3
    wrong = {
        f"{suite}/{name}": violations(lake, TABLES[name].of(suite) if suite else TABLES[name]) for suite, name in named
    }
    assert not {name: said for name, said in wrong.items() if said}
