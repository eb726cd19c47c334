"""Self-contained pages that a model writes anew from a screenshot and an outline, with nothing of the original's words.

Read `ask.py` first. `outline.py` says what the model is told beside the picture, `check.py` what a page that comes back
must be, `originality.py` what of the original must not come back, `text.py` reads the words of a page. Does not belong
here: live copies of pages (`corpus/snapshot/`), and how like the original a page turns out (`corpus/similarity.py`).
"""

from diffbench_assets.corpus.regenerate.ask import regenerate_call, regenerate_pages, regenerate_sha256

__all__ = ["regenerate_call", "regenerate_pages", "regenerate_sha256"]
