"""Chromium: finding it, rendering, capturing, the gate, shared frames.

Does not belong here: what is mutated, or where pages come from.
"""
