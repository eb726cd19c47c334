"""Pair makers, one folder each; the grammar of differences; what a maker returns; records that replay."""
