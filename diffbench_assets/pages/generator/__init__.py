"""The embedded page source: seeded, realistic Tailwind pages in six languages.

Belongs here: everything that makes a page from two numbers. Does not belong here: compiling its classes, embedding
fonts, rendering or changing it.
"""

from .domains import DOMAINS
from .generate import GeneratedPage, generate_page
from .themes import STYLES

__all__ = ["DOMAINS", "STYLES", "GeneratedPage", "generate_page"]
