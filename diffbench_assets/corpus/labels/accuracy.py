"""How accurate the embedded labeller is, by cross-validation on generated pages.

Belongs here: the folds and the table that `python -m diffbench_assets.corpus.labels.accuracy` prints. Does not belong
here: the labeller (`classifier.py`). Generated pages share one vocabulary, so whole pages flatter it: the rows with
words hidden, and those of a language it never saw, say more about pages from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from diffbench_assets.corpus.labels.classifier import (
    TRAINING_PAGES,
    Features,
    page_features,
    train_on,
    training_pages,
    with_words,
)
from diffbench_assets.corpus.labels.labels import LABELS, PageLabels
from diffbench_assets.pages.fingerprint import structure_fingerprint

FOLDS: Final = 5
HIDDEN_WORDS: Final = 0.9


@dataclass(frozen=True)
class Accuracy:
    """Of `n` pages: share whose most probable label is right, share that is labelled at all, share of those right."""

    pages: str
    question: str
    n: int
    right: float
    labelled: float
    right_when_labelled: float


@dataclass(frozen=True)
class _Tested:
    language: str
    truth: tuple[str, str]
    whole: PageLabels
    few_words: PageLabels


def cross_validated(count: int = TRAINING_PAGES, folds: int = FOLDS, each_language: bool = True) -> list[Accuracy]:
    """Accuracy on pages of folds that share no structure with the training pages, overall and with most of their words
    hidden; and, with `each_language`, by language and on each language when training has no page in it."""
    from sklearn.model_selection import StratifiedGroupKFold

    pages = training_pages(count)
    features = [page_features(page.html) for page in pages]
    truths = [(page.domain, page.style) for page in pages]
    languages = [page.language for page in pages]
    structures = [structure_fingerprint(page.html) for page in pages]
    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=0)
    tested: list[_Tested] = []
    for seen, unseen in splitter.split(features, [domain for domain, _ in truths], structures):
        tested += _test(features, truths, languages, seen.tolist(), unseen.tolist())
    rows = _rows("all", tested)
    rows += _rows(f"all, {HIDDEN_WORDS:.0%} of words hidden", tested, few_words=True)
    if not each_language:
        return rows
    for language in sorted(set(languages)):
        rows += _rows(f"in {language}", [test for test in tested if test.language == language])
    for language in sorted(set(languages)):
        seen = [index for index, other in enumerate(languages) if other != language]
        unseen = [index for index, other in enumerate(languages) if other == language]
        rows += _rows(f"in {language}, a language never seen", _test(features, truths, languages, seen, unseen))
    return rows


def _test(
    features: Sequence[Features],
    truths: Sequence[tuple[str, str]],
    languages: Sequence[str],
    seen: Sequence[int],
    unseen: Sequence[int],
) -> list[_Tested]:
    labeller = train_on([features[index] for index in seen], [truths[index] for index in seen])
    whole = labeller.label_features([features[index] for index in unseen])
    few = labeller.label_features([with_words(features[index], 1 - HIDDEN_WORDS, f"test {index}") for index in unseen])
    return [
        _Tested(languages[index], truths[index], labels, fewer)
        for index, labels, fewer in zip(unseen, whole, few, strict=True)
    ]


def _rows(pages: str, tested: Sequence[_Tested], few_words: bool = False) -> list[Accuracy]:
    questions = list(LABELS)[:1] if few_words else list(LABELS)
    return [_accuracy(pages, question, tested, few_words) for question in questions]


def _accuracy(pages: str, question: str, tested: Sequence[_Tested], few_words: bool) -> Accuracy:
    place = list(LABELS).index(question)
    answers = [(test.few_words if few_words else test.whole, test.truth[place]) for test in tested]
    right = [
        max(given.probabilities[question].items(), key=lambda item: item[1])[0] == truth for given, truth in answers
    ]
    chosen = [(getattr(given, question), truth) for given, truth in answers]
    labelled = [label == truth for label, truth in chosen if label is not None]
    return Accuracy(
        pages, question, len(answers), sum(right) / len(right), len(labelled) / len(answers),
        sum(labelled) / len(labelled) if labelled else float("nan"),
    )  # fmt: skip


def table(rows: Sequence[Accuracy]) -> str:
    """The rows as a Markdown table."""
    lines = ["| pages | label | n | right | labelled | right when labelled |", "|---|---|---|---|---|---|"]
    for row in rows:
        sure = "–" if row.right_when_labelled != row.right_when_labelled else f"{row.right_when_labelled:.1%}"
        lines.append(f"| {row.pages} | {row.question} | {row.n} | {row.right:.1%} | {row.labelled:.1%} | {sure} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    print(f"Embedded labeller, {TRAINING_PAGES} generated pages, {FOLDS} folds grouped by structure:\n")
    print(table(cross_validated()))


if __name__ == "__main__":
    main()
