"""Pairs from pages and scenes whose one change has a meaning: moved, turned, recolored, gone, replaced or misspelt.

Belongs here: which changes each category may make on a loaded page, and confirming one a page. Does not belong here:
CSS mutations of known size (`pairs/css`) or what is in a scene (`pages/scenes`).
"""
