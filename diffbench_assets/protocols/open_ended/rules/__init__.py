"""The `rules` judge: the open-ended judge that needs no model.

Belongs here: reading an answer into statements (`statements`, in other languages through `gloss`), which of them are
asserted (`speech`), which element a claim names (`elements`, `roles`, `places`), which visual effects it states
(`effects`, `contrast`, with the words in `lexicon` and `colors`), whether an effect is what an operator does
(`operators`, `wording`), and the verdict (`judge`). Does not belong here: anything
fitted to one sentence; each rule states a principle that a careful reader would apply.
"""

from diffbench_assets.protocols.open_ended.rules.judge import judge, rules_sha256

__all__ = ["judge", "rules_sha256"]
