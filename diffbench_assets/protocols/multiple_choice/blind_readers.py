"""Readers that see a question's text and no image: simple rules, and a small model trained on other pairs.

A reader scores the three statements beside the fixed one. Whatever helps one to find the true statement is a
tell: its length, capitals, digits or punctuation, its words, its place in the alphabet or among the options, or how
much it shares with the others.

Belongs here: features and scores. Does not belong here: intervals, and when a set fails (`blind.py`).
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import LogisticRegression

from diffbench_assets.seeds import rng

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Triple = Sequence[str]
"""The statements of one question in the order of their letters, without the fixed one."""

FOLDS: Final = 5
STRENGTH: Final = 0.1
"""Inverse of the penalty on the model's weights: small, for there are more words than questions."""

_WORD: Final = re.compile(r"\w+")
_VECTORIZERS: Final = (
    HashingVectorizer(token_pattern=r"\w+", ngram_range=(1, 2), n_features=2**12, binary=True, norm=None),
    HashingVectorizer(
        analyzer="char_wb", ngram_range=(3, 3), n_features=2**12, binary=True, norm=None, lowercase=False
    ),
)


def overlaps(triple: Triple) -> list[float]:
    """How central each statement is: the mean share of words that it has in common with the two others."""
    words = [set(_WORD.findall(text.casefold())) for text in triple]
    shared = [[len(a & b) / max(len(a | b), 1) for b in words] for a in words]
    return [(sum(row) - row[i]) / 2 for i, row in enumerate(shared)]


def _counts(kind: Callable[[str], bool]) -> Callable[[Triple], list[float]]:
    return lambda triple: [float(sum(map(kind, text))) for text in triple]


def _alphabetical(triple: Triple) -> list[float]:
    ranks = {text: float(rank) for rank, text in enumerate(sorted(triple))}
    return [ranks[text] for text in triple]


TRAITS: Final[Mapping[str, Callable[[Triple], list[float]]]] = {
    "characters": lambda triple: [float(len(text)) for text in triple],
    "words": lambda triple: [float(len(text.split())) for text in triple],
    "capitals": _counts(str.isupper),
    "digits": _counts(str.isdigit),
    "punctuation": _counts(lambda character: character in string.punctuation or character in "“”‘’–—…"),
    "overlap": overlaps,
    "alphabetical": _alphabetical,
    "place": lambda triple: [0.0, 1.0, 2.0],
}

RULES: Final[Mapping[str, tuple[str, int]]] = {
    "longest": ("characters", 1),
    "shortest": ("characters", -1),
    "most_capitals": ("capitals", 1),
    "fewest_capitals": ("capitals", -1),
    "most_digits": ("digits", 1),
    "most_punctuation": ("punctuation", 1),
    "least_punctuation": ("punctuation", -1),
    "most_central": ("overlap", 1),
    "least_central": ("overlap", -1),
    "alphabetically_first": ("alphabetical", -1),
    "alphabetically_last": ("alphabetical", 1),
    "first_place": ("place", -1),
    "last_place": ("place", 1),
}
"""Reader: the trait it goes by, and whether for the most (1) or the least (-1) of it."""


def traits_of(triples: Sequence[Triple]) -> dict[str, Floats]:
    """Every trait of every statement: name to (questions, 3)."""
    return {name: np.array([trait(triple) for triple in triples], dtype=float) for name, trait in TRAITS.items()}


def statement_scores(
    triples: Sequence[Triple], traits: Mapping[str, Floats], right: Bools, pairs: Sequence[str], seed: int
) -> Floats:
    """(questions, 3): how true a logistic regression trained on other pairs finds each statement.

    Every feature is a statement's own less the mean of the two others, so that only what sets it apart counts; of
    traits also the size of that distance, for the odd one out.
    """
    apart = np.stack([_apart(trait).ravel() for trait in traits.values()], axis=1)
    features = sparse.hstack([_standard(np.hstack([apart, np.abs(apart)])), _apart_words(triples)]).tocsr()
    probabilities = _cross_validated(features, right.ravel(), np.repeat(np.asarray(pairs), 3), seed)
    return probabilities.reshape(right.shape)


def difference_scores(
    triples: Sequence[Triple], traits: Mapping[str, Floats], differs: Bools, pairs: Sequence[str], seed: int
) -> Floats:
    """(questions,): how likely a logistic regression trained on other pairs finds that anything differs at all."""
    levels = np.concatenate([np.stack([t.mean(axis=1), t.std(axis=1)], axis=1) for t in traits.values()], axis=1)
    features = sparse.hstack([_standard(levels), _sums(_words(triples))]).tocsr()
    return _cross_validated(features, differs, np.asarray(pairs), seed)


def _cross_validated(features: sparse.csr_matrix, labels: Bools, groups: npt.NDArray, seed: int) -> Floats:
    """Probability of a true label, each from a model that saw no item of the same group; 0.5 with too few groups.

    Groups with a true label and groups without are spread over the folds alike.
    """
    names, group = np.unique(groups, return_inverse=True)
    kind = np.bincount(group, weights=labels) > 0
    folds = min(FOLDS, len(names) if kind.all() else np.bincount(kind).min())
    scores = np.full(len(labels), 0.5)
    if folds < 2:
        return scores
    drawn = rng("folds", seed).permutation(len(names))
    fold_of_group = np.empty(len(names), dtype=int)
    fold_of_group[drawn[np.argsort(kind[drawn], kind="stable")]] = np.arange(len(names)) % folds
    fold = fold_of_group[group]
    for test in range(folds):
        model = LogisticRegression(C=STRENGTH, solver="liblinear", random_state=seed)
        model.fit(features[fold != test], labels[fold != test])
        scores[fold == test] = model.predict_proba(features[fold == test])[:, 1]
    return scores


def _standard(columns: Floats) -> Floats:
    return (columns - columns.mean(axis=0)) / np.maximum(columns.std(axis=0), 1e-9)


def _words(triples: Sequence[Triple]) -> sparse.csr_matrix:
    texts = [text for triple in triples for text in triple]
    return sparse.hstack([vectorizer.transform(texts) for vectorizer in _VECTORIZERS]).tocsr()


def _sums(rows: sparse.csr_matrix) -> sparse.csr_matrix:
    """Sums over each three rows."""
    return sparse.kron(sparse.identity(rows.shape[0] // 3), np.ones((1, 3))).tocsr() @ rows


def _apart(values: Floats) -> Floats:
    return values - (values.sum(axis=1, keepdims=True) - values) / 2


def _apart_words(triples: Sequence[Triple]) -> sparse.csr_matrix:
    block = 1.5 * np.identity(3) - 0.5
    return sparse.kron(sparse.identity(len(triples)), block).tocsr() @ _words(triples)
