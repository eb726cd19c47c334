"""The one error that ends the ingestion of a page.

Belongs here: nothing else. The reason becomes the page's `drop_reason`.
"""

from __future__ import annotations


class PageUnusable(Exception):
    """The page cannot be used. The message is `code` or `code: detail`, code being short and stable."""
