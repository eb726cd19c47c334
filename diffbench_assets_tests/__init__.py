"""Tests of `diffbench_assets`; the folders mirror the package."""
