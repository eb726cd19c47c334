"""A real browser for the tests that look at a report."""

from diffbench_assets_tests.watched import browser

__all__ = ["browser"]
