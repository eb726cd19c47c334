"""Pairs that CSS mutations make: the operators, their candidates on a page, and the draw."""
