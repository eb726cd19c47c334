"""Pages that stand in for a page: errors, parked domains, server defaults, bot walls, empty sites.

Belongs here: recognising them by status, title and text. Does not belong here: how they are worded (`notices.yaml`).
A notice is short; a long page that talks about errors or domains is a page like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from diffbench_assets.corpus.filters.page import FilteredPage, Finding

_CHALLENGES: Final = (
    "#challenge-form,#challenge-running,#cf-challenge,#px-captcha,iframe[src*='_Incapsula_Resource'],"
    "iframe[src*='captcha-delivery'],#sec-cpt-if"
)
_MAX_CHALLENGE_TEXT: Final = 1_200
_MAX_HEADING: Final = 120


@dataclass(frozen=True, slots=True)
class Notice:
    """`title` is searched in the title and the first heading of pages of at most `titled` characters, `text` in the
    visible text of those of at most `told`."""

    kind: str
    titled: int
    told: int
    title: re.Pattern[str]
    text: re.Pattern[str]


@cache
def known_notices() -> tuple[Notice, ...]:
    """The notices of `notices.yaml`."""
    data = yaml.safe_load((Path(__file__).parent / "notices.yaml").read_text(encoding="utf-8"))

    def pattern(alternatives: list[str]) -> re.Pattern[str]:
        joined = "|".join(f"(?:{alternative})" for alternative in alternatives)
        for name, part in data["parts"].items():
            joined = joined.replace(name, part)
        return re.compile(joined, re.IGNORECASE)

    return tuple(
        Notice(kind, entry["titled"], entry["told"], pattern(entry["title"]), pattern(entry["text"]))
        for kind, entry in data["notices"].items()
    )


def notices(page: FilteredPage) -> list[Finding]:
    """The kinds of notice that the page may be; an HTTP status of 400 or more is one by itself."""
    found = [Finding(f"status_{page.status}")] if page.status is not None and page.status >= 400 else []
    length = len(page.text)
    if length <= _MAX_CHALLENGE_TEXT and page.tree.css_first(_CHALLENGES) is not None:
        found.append(Finding("bot_wall"))
    node = page.tree.css_first("h1")
    heading = " ".join(node.text(separator=" ").split())[:_MAX_HEADING] if node is not None else ""
    for notice in known_notices():
        titled = length <= notice.titled and (notice.title.search(page.title) or notice.title.search(heading))
        if titled or (length <= notice.told and notice.text.search(page.text)):
            found.append(Finding(notice.kind))
    return list(dict.fromkeys(found))
