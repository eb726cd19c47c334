"""Rule filters of the source corpus: what disqualifies a page, in one table (DiffSpot §2.1: personal data, abnormal
HTML body length, dynamic tags; and what a crawl brings besides).

Belongs here: the table, and going through it. Does not belong here: any rule (one module a kind), reading or dropping
pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from diffbench_assets.corpus.filters.content import blank_render, body_size, dynamic_tags
from diffbench_assets.corpus.filters.glyphs import missing_glyphs
from diffbench_assets.corpus.filters.notices import notices
from diffbench_assets.corpus.filters.page import (
    MAX_TEXT,
    Bounds,
    FilteredPage,
    Finding,
    Settings,
    body_length,
    length_bounds,
    page_text,
)
from diffbench_assets.corpus.filters.pii import personal_data
from diffbench_assets.corpus.filters.words import adult_words
from diffbench_assets.pages.errors import PageUnusable

__all__ = [
    "FILTERS", "Bounds", "Filter", "Settings", "Version",
    "body_length", "count_findings", "drop_reason", "findings", "length_bounds", "page_text",
]  # fmt: skip

Version = Literal["original", "made"]
"""Which HTML of a page a filter judges: as crawled, or as made self-contained."""


@dataclass(frozen=True, slots=True)
class Filter:
    """One row: the name that findings start with, the rule, what it looks for, and in which versions of a page."""

    name: str
    find: Callable[[FilteredPage], list[Finding]]
    sentence: str
    versions: frozenset[Version]


_ORIGINAL: Final[frozenset[Version]] = frozenset({"original"})
_MADE: Final[frozenset[Version]] = frozenset({"made"})
_BOTH: Final = _ORIGINAL | _MADE

FILTERS: Final = (
    Filter("notice", notices, "Error, parked, default, suspended or placeholder page, or a bot wall.", _ORIGINAL),
    Filter("render", blank_render, "The picture has one colour.", _BOTH),
    Filter("dynamic", dynamic_tags, "Visible elements that play, embed or draw by script.", _ORIGINAL),
    Filter("length", body_size, "HTML below body outside the source's quantiles.", _ORIGINAL),
    Filter("adult", adult_words, "Words of pages for adults, by language.", _BOTH),
    Filter("pii", personal_data, "Mail addresses, phones, cards, accounts, personal numbers, named addresses.", _MADE),
    Filter("glyphs", missing_glyphs, "Characters that no font of the page can draw.", _MADE),
)
"""In the order in which one of several reasons is named."""

_COUNT: Final = re.compile(r"×\d+$")


def findings(
    html: str,
    text: str,
    screenshot_png: bytes | None,
    settings: Settings,
    *,
    status: int | None = None,
    version: Version | None = None,
) -> list[str]:
    """What the filters find, such as `pii:email×3` or `notice:parked`; never the thing itself.

    `text` is the page's visible text (`page_text`). `version` limits the filters to those that judge this version of a
    page: what a crawled page embeds and a page made from it may differ in all that matters; None asks all.
    Raises ValueError when the screenshot is no image.
    """
    page = FilteredPage(html, text[:MAX_TEXT], screenshot_png, settings, status)
    try:
        _ = page.tree
    except PageUnusable as error:
        return [f"unusable:{str(error).partition(':')[0]}"]
    return [
        f"{rule.name}:{finding}"
        for rule in FILTERS
        if version is None or version in rule.versions
        for finding in rule.find(page)
    ]


def drop_reason(found: Sequence[str], settings: Settings) -> str | None:
    """Why a page with these findings is left out, as `filter: details`; None when nothing drops it.

    With findings of several filters the first in the table is named.
    """
    order = ["unusable", *(rule.name for rule in FILTERS)]
    by_name: dict[str, list[str]] = {}
    for finding in found:
        name, _, detail = finding.partition(":")
        if name not in order:
            raise ValueError(f"{finding!r} is no finding of a filter; filters are {', '.join(order)}")
        by_name.setdefault(name, []).append(detail)
    for name in order:
        if name in by_name and name not in settings.kept:
            return f"{name}: {', '.join(by_name[name])}"
    return None


def count_findings(pages: Iterable[Sequence[str]]) -> Counter[str]:
    """Pages with each kind of finding, over the findings of many pages: `pii:email` → number of pages."""
    return Counter(kind for found in pages for kind in {_COUNT.sub("", finding) for finding in found})
