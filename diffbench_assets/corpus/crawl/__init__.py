"""Visiting pages of a hostile web: one row of `crawled` per URL, whatever the page does."""
