"""From raw HTML to stored pages: sources, and the one way to make a page self-contained.

Read `ingest.py` first: a page comes in through the browser (`original.py`, answered by `served.py`), which writes down
what it loaded (`snapshot/`), and is stored sanitized (`stored.py`). Does not belong here: what is done with a stored
page.
"""
