"""Classical image differencing: measurements of two PNGs.

Belongs here: regions (`regions`), one region (`measure`, `ink`), color names (`palette`), everything at once (`whole`),
the thing that changed (`thing`) and a line of text (`text_lines`). Does not belong here: wording or choosing an answer
(`protocols/NAME/baselines/`), anything that is not in the pixels; it does not know elements or CSS.
"""
