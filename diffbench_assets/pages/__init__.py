"""From raw HTML to stored pages: sources, and everything that makes a page self-contained.

Read `ingest.py` first, then `selfcontained.py`; the other modules are its parts (sanitizing, stylesheets, Tailwind,
fonts, local files). Does not belong here: what is done with a stored page.
"""
