"""Rows of self-contained pages get their labels; pages that are left out get none, and cost nothing."""

from __future__ import annotations

import json
from pathlib import Path

from diffbench_assets.corpus.labels import LABEL_COLUMNS, by_embedded, by_model, classifier, label_rows
from diffbench_assets.corpus.labels.labels import LABELS, PageLabels
from diffbench_assets.models.journal import Journal
from diffbench_assets.pages.generator import generate_page
from diffbench_assets.schemas import SELF_CONTAINED
from diffbench_assets_tests.models.chat_server import ChatServer, completion
from diffbench_assets_tests.models.helpers import endpoint


def row(page_id: str, html: str | None, drop_reason: str | None = None) -> dict:
    return dict.fromkeys(SELF_CONTAINED.names) | {"page_id": page_id, "html": html, "drop_reason": drop_reason}


def test_kept_rows_are_labelled_and_others_are_not() -> None:
    asked: list[str] = []

    def label(pages):
        asked.extend(pages)
        share = {
            question: {name: 1.0 if name == names[0] else 0.0 for name in names} for question, names in LABELS.items()
        }
        return {page_id: PageLabels("e-commerce", None, share, "test") for page_id in pages}

    page = generate_page(9, 0)
    rows = [row("a", page.html), row("b", None, "unusable: too_deep"), row("c", page.html, "pii: email×1")]
    done = list(label_rows(rows, label))
    assert asked == ["a"]
    assert [found["page_id"] for found in done] == ["a", "b", "c"]
    assert (done[0]["domain"], done[0]["style"], done[0]["language"]) == ("e-commerce", None, page.language)
    assert done[0]["richness"] in ("rich", "standard", "minimal")
    assert json.loads(done[0]["label_probabilities"])["labeller"] == "test"
    assert all(found[column] is None for found in done[1:] for column in LABEL_COLUMNS)
    assert set(done[0]) == set(SELF_CONTAINED.names)


def test_no_call_is_made_for_rows_that_are_all_left_out() -> None:
    def label(pages):
        raise AssertionError("asked")

    assert len(list(label_rows([row("b", None)], label))) == 1


def test_rows_labelled_by_a_model(tmp_path: Path) -> None:
    reply = json.dumps({"domain": "travel", "style": "editorial"})
    with ChatServer(lambda asked: completion(reply)) as server, Journal(tmp_path / "j.jsonl") as journal:
        label = by_model(endpoint(server.url), journal, votes=2)
        (done,) = label_rows([row("a", generate_page(9, 1).html)], label)
    assert (done["domain"], done["style"]) == ("travel", "editorial")
    assert json.loads(done["label_probabilities"])["domain"]["travel"] == 1.0


def test_rows_labelled_by_the_embedded_labeller(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(classifier, "TRAINING_PAGES", 60)
    few = classifier.training_pages(60)
    monkeypatch.setattr(classifier, "training_pages", lambda: few)
    classifier.embedded_labeller.cache_clear()
    (done,) = label_rows([row("a", generate_page(9, 2).html)], by_embedded(tmp_path))
    assert set(json.loads(done["label_probabilities"])["domain"]) == set(LABELS["domain"])
    classifier.embedded_labeller.cache_clear()
