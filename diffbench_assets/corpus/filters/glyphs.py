"""Characters that a page shows and no font of it can draw, found in the fonts' coverage instead of in the picture.

Belongs here: the fonts a stored page brings. Does not belong here: the packaged fonts, and which characters a page
shows (`web/pages/fonts.py`, `page_fonts.py`).
"""

from __future__ import annotations

import io
import re
from typing import Final

from fontTools.ttLib import TTFont

from diffbench_assets.corpus.filters.page import FilteredPage, Finding
from diffbench_assets.pages import fonts, page_fonts
from diffbench_assets.pages.assets import data_bytes

# A CSS parser would spend most of a page's time on the base64 text of its fonts.
_FACE: Final = re.compile(r"@font-face\s*\{([^{}]*)\}", re.IGNORECASE)
_BODY: Final = re.compile(r"\{([^{}]*)\}")
_DATA: Final = re.compile(r"url\(\s*[\"']?(data:[^\"')]+)", re.IGNORECASE)
_BOX: Final = re.compile(rf"font-family\s*:\s*[\"']?{fonts.BOX_NAME}\b")


def missing_glyphs(page: FilteredPage) -> list[Finding]:
    """How many different characters of the page are drawn as boxes."""
    missing = missing_characters(page)
    return [Finding("missing", len(missing))] if missing else []


def missing_characters(page: FilteredPage) -> str:
    """The characters, sorted.

    A page that was made self-contained has only the fonts embedded in it. Any other page will be given the packaged
    ones, so that what these cover counts as well.
    """
    css = [node.text() or "" for node in page.tree.css("style")]
    inline = [node.attributes.get("style") or "" for node in page.tree.css("[style]")]
    faces = [match[1] for text in css for match in _FACE.finditer(text)]
    bodies = [match[1] for text in css for match in _BODY.finditer(_FACE.sub("", text))]
    lacking = set(page_fonts.shown_characters(page.tree, [*bodies, *inline]))
    for face in faces:
        if not _BOX.search(face):
            for source in _DATA.finditer(face):
                lacking -= _coverage(source[1])
    if not any(map(_BOX.search, faces)):
        for font in (*page_fonts.KIND_FONTS.values(), *fonts.fallback_fonts(page.language)):
            lacking -= fonts.coverage(font) if lacking else frozenset()
    return "".join(sorted(lacking))


def _coverage(address: str) -> frozenset[str]:
    """Every character that an embedded font maps; none for bytes that are no font, which browsers skip as well."""
    data = data_bytes(address)
    if not data:
        return frozenset()
    try:
        return frozenset(map(chr, TTFont(io.BytesIO(data), lazy=True, fontNumber=0).getBestCmap() or ()))
    except Exception:  # fontTools raises many kinds on broken files
        return frozenset()
