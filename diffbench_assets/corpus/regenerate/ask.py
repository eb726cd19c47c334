"""Asking a model to write pages anew, and what becomes of its replies.

Belongs here: the request, and the walk from crawled pages to self-contained ones. Does not belong here: sending
(`evaluation/run.py`), any single check, rendering and comparing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from diffbench_assets.corpus.labels.language import page_language
from diffbench_assets.corpus.regenerate.check import BadPage, read_html, written_classes
from diffbench_assets.corpus.regenerate.originality import Original
from diffbench_assets.corpus.regenerate.outline import outline as outline_of
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.models.registry import Endpoint
from diffbench_assets.models.replies import Reply
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run, raise_if_stopped
from diffbench_assets.pages import describe, dom
from diffbench_assets.pages.cut import class_names
from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.ingest import Made, reading
from diffbench_assets.pages.sources import RawPage

Row = dict[str, Any]

WAY: Final = "regenerate"
BATCH: Final = 16
"""Replies that are read by the browser together."""

LEAST_KNOWN: Final = 0.8
"""Share of a page's class names that Tailwind must know."""

_TEMPLATE: Final = "corpus/regenerate.j2"
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Z]{2}|\d{3}))?")
_CLOSE: Final = (
    {"hr", "sr", "bs"}, {"id", "ms"}, {"da", "nb", "nn", "no"}, {"cs", "sk"}, {"zh", "yue"}, {"gl", "pt"}, {"bg", "mk"},
    {"hi", "mr", "ne"}, {"af", "nl"},
)  # fmt: skip
"""Languages that a detector takes for each other."""
_TAILWIND_3: Final = "https://cdn.tailwindcss.com"
"""Never fetched: it tells for which version of Tailwind the class names were written."""


@dataclass(frozen=True)
class _Asked:
    """A crawled page as long as its reply is out."""

    page: Mapping[str, Any]
    language: str | None


@dataclass(frozen=True)
class _Written:
    """A page that passed its checks but the one that needs its stylesheet."""

    asked: _Asked
    html: str
    classes: frozenset[str]


def regenerate_sha256() -> str:
    """Version of the request: hash of its template."""
    return template_sha256(_TEMPLATE)


def regenerate_call(item_id: str, screenshot_png: bytes, outline: str, language: str | None) -> Call:
    """The request to write one page anew from its screenshot (PNG bytes) and `outline`.

    `language` is the BCP 47 tag the new text is to be in; anything else than such a tag counts as unknown.
    """
    known = language if language and _LANGUAGE.fullmatch(language) else None
    return Call(item_id, (screenshot_png, render(_TEMPLATE, outline=outline, language=known)))


def regenerate_pages(
    endpoint: Endpoint,
    pages: Iterable[Mapping[str, Any]],
    journal: Journal,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    total: int | None = None,
) -> Iterator[Row]:
    """For each crawled page a row with its new HTML or the reason why there is none, as replies come in.

    `pages` are rows of `schemas.CRAWLED` that have HTML and a screenshot; they are read as they are asked, so that few
    are in memory. Rows hold page_id, url, host, way, html, structure_fingerprint (of the original), language, richness
    and drop_reason of `schemas.SELF_CONTAINED`; the rest needs a render. drop_reason is `model: truncated`,
    `model: refused`, `model: empty`, `model: error` (asked again by the next run), `bad_page: <reason>` with a reason
    of `check.read_html`, `kept_text`, `kept_name`, `kept_contact`, `language` or `classes`, or one of ingestion.

    Raises Stopped, after the last row, when the budget ended or call after call failed: finished replies are in the
    journal and not asked again. Raises ValueError for a row without HTML or screenshot.
    """
    asked: dict[str, _Asked] = {}
    unusable: list[Row] = []

    def calls() -> Iterator[Call]:
        for page in pages:
            if not page["html"] or not page["screenshot"]:
                raise ValueError(f"page {page['url_id']}: has no HTML or no screenshot; leave out pages that failed")
            try:
                tree = dom.parse(page["html"])
            except PageUnusable as error:
                unusable.append(_row(page, drop_reason=str(error)))
                continue
            language = page_language(tree, describe.visible_text(tree))
            asked[page["url_id"]] = _Asked(page, language)
            outline = outline_of(page["html"])
            yield regenerate_call(page["url_id"], page["screenshot"]["bytes"], outline, language)

    run = Run(endpoint, calls(), journal, budget=budget, on_progress=on_progress, total=total)
    waiting: list[_Written] = []
    with reading() as make:
        for reply in run:
            read = _read(reply, asked.pop(reply.item_id))
            if isinstance(read, _Written):
                waiting.append(read)
            else:
                yield read
            if len(waiting) == BATCH:
                yield from _finished(waiting, make)
                waiting.clear()
        yield from _finished(waiting, make)
    yield from unusable
    raise_if_stopped(run)


def _row(page: Mapping[str, Any], **fields: Any) -> Row:
    return {
        "page_id": page["url_id"],
        "url": page["final_url"] or page["url"],
        "host": page["host"],
        "way": WAY,
        "structure_fingerprint": page["structure_fingerprint"],
        "html": None,
        "language": None,
        "richness": None,
        "drop_reason": None,
        **fields,
    }


def _read(reply: Reply, asked: _Asked) -> _Written | Row:
    if reply.outcome != "completed":
        return _row(asked.page, drop_reason=f"model: {reply.outcome}")
    try:
        html = read_html(reply.text or "")
        tree = dom.parse(html)
        _check_words(tree, asked)
    except BadPage as error:
        return _row(asked.page, drop_reason=f"bad_page: {error.reason}")
    classes = {name for node in tree.css("[class]") for name in (node.attributes.get("class") or "").split()}
    return _Written(asked, html, frozenset(classes))


def _check_words(tree: dom.LexborHTMLParser, asked: _Asked) -> None:
    """Raises BadPage when a page repeats the original's words, or is in another language."""
    kept = Original.of(asked.page["html"], asked.page["host"]).kept_in(tree, written_classes(tree))
    if kept:
        raise BadPage(kept)
    if not _same_language(page_language(tree, describe.visible_text(tree)), asked.language):
        raise BadPage("language")


def _same_language(made: str | None, asked: str | None) -> bool:
    """Whether two tags are of one language, or of two that a detector takes for each other; None fits any."""
    if made is None or asked is None:
        return True
    pair = {tag.partition("-")[0].lower() for tag in (made, asked)}
    return len(pair) == 1 or any(pair <= group for group in _CLOSE)


def _finished(written: Sequence[_Written], make: Callable[[Sequence[RawPage]], list[Made]]) -> Iterator[Row]:
    """Rows of pages made self-contained together."""
    raw = [
        RawPage(page.asked.page["url_id"], "", _with_tailwind(page.html), language=page.asked.language)
        for page in written
    ]
    for page, made in zip(written, make(raw), strict=True):
        done = made.page
        styles = dom.parse(done.html or "").css("style")
        known = frozenset().union(*(class_names(style.text() or "") for style in styles))
        if done.html and sum(name.casefold() in known for name in page.classes) < LEAST_KNOWN * len(page.classes):
            yield _row(page.asked.page, drop_reason="bad_page: classes")
        else:
            yield _row(
                page.asked.page,
                html=done.html,
                language=done.language,
                richness=done.richness,
                drop_reason=done.drop_reason,
            )


def _with_tailwind(html: str) -> str:
    tree = dom.parse(html)
    if tree.head is not None:
        mark = tree.create_node("script")
        mark.attrs["src"] = _TAILWIND_3
        tree.head.insert_child(mark, move=True)
    return dom.serialize(tree)
