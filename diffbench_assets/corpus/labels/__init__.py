"""Labels of the source corpus: domain, style, richness and language of self-contained pages.

Belongs here: filling the label columns of rows. Does not belong here: any labeller (`llm.py`, `classifier.py`,
`language.py`, and `web/pages/describe.py` for richness), reading or writing tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from diffbench_assets.corpus.labels.labels import LABELS, PageLabels
from diffbench_assets.corpus.labels.language import page_language
from diffbench_assets.corpus.labels.llm import DEFAULT_VOTES, ask_labels
from diffbench_assets.corpus.labels.outline import page_outline
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.pages import describe, dom

__all__ = ["LABELS", "LABEL_COLUMNS", "PageLabels", "by_embedded", "by_model", "label_rows"]

Row = dict[str, Any]
LabelPages = Callable[[Mapping[str, str]], Mapping[str, PageLabels]]
"""From page id → HTML to page id → labels."""

LABEL_COLUMNS: Final = ("domain", "style", "label_probabilities", "richness", "language")
BATCH_PAGES: Final = 256
"""Pages labelled together: enough that a model's last slow answers cost little."""


def label_rows(rows: Iterable[Mapping[str, Any]], label: LabelPages) -> Iterator[Row]:
    """Rows of `self_contained` with LABEL_COLUMNS filled, in order; a page that is left out gets nulls and no call."""
    waiting = iter(rows)
    while batch := list(islice(waiting, BATCH_PAGES)):
        pages = {row["page_id"]: row["html"] for row in batch if _is_kept(row)}
        labels = label(pages) if pages else {}
        for row in batch:
            columns = _columns(row["html"], labels[row["page_id"]]) if _is_kept(row) else dict.fromkeys(LABEL_COLUMNS)
            yield {**row, **columns}


def _is_kept(row: Mapping[str, Any]) -> bool:
    return row["html"] is not None and row["drop_reason"] is None


def _columns(html: str, labels: PageLabels) -> Row:
    tree = dom.parse(html)
    text = describe.visible_text(tree)
    return {
        "domain": labels.domain,
        "style": labels.style,
        "label_probabilities": labels.as_json(),
        "richness": describe.richness(tree, text),
        "language": page_language(tree, text),
    }


def by_embedded(folder: Path | None = None) -> LabelPages:
    """Labels by the classifier trained on generated pages; what it learnt is kept in `folder`, if there is one."""
    # Here, as `python -m` of that module would otherwise find itself imported already.
    from diffbench_assets.corpus.labels.classifier import embedded_labeller

    def label(pages: Mapping[str, str]) -> dict[str, PageLabels]:
        return dict(zip(pages, embedded_labeller(folder).label(pages.values()), strict=True))

    return label


def by_model(
    model: EndpointModel, journal: Journal, votes: int = DEFAULT_VOTES, budget: Budget | None = None
) -> LabelPages:
    """Labels by votes of a language model; see `llm.ask_labels` for what it raises."""

    def label(pages: Mapping[str, str]) -> Mapping[str, PageLabels]:
        outlines: Sequence[tuple[str, str]] = [(page_id, page_outline(html)) for page_id, html in pages.items()]
        return ask_labels(model, dict(outlines), journal, votes, budget)

    return label
