"""Pairs made from photographs by an image-edit endpoint, each edit verified before it counts (VDiff-Bench A.3).

`editor.py` asks the endpoint; `ocr.py` reads text; `text_edits.py` and
`position_edits.py` decide what is asked; `crops.py` cuts and pastes; `check.py` measures; `pairs.py` puts it together.
"""
