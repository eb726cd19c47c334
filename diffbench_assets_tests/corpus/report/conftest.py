"""One real browser for the tests that open the report."""

from __future__ import annotations

from diffbench_assets_tests.watched import browser

__all__ = ["browser"]
