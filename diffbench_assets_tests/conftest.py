"""What holds for every test."""

from __future__ import annotations

from diffbench_assets_tests.live import live
from diffbench_assets_tests.watched import browser

__all__ = ["browser", "live"]


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Binary values lend no names to tests: two workers may build them differently (gzip writes the time down), and
    then do not agree on which tests there are."""
    return argname if isinstance(val, bytes) and not val.isascii() else None
