"""Everything that talks to a model: registry, run, durable calls, limits, keys, prompting, and one client a kind.

Does not belong here: what is asked and how answers are scored (`protocols/`).
"""
