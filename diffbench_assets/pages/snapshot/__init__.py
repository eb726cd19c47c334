"""A page as the browser has it, written down as one self-contained text.

`capture.py` asks the browser, `write.py` writes the text; `stored.py`, above, makes a stored page of it. Does not
belong here: visiting pages, or deciding which copy is like enough.
"""
