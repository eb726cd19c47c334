"""Asking models and judges: registry, requests, client, limits, journal.

Belongs here: everything between "these are the calls" and "these are the replies", for any protocol.
Does not belong here: prompts, parsing of answers, scores (`protocols/`), files of the lake, and Dagster.
"""
