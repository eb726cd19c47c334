"""The embedded labeller: logistic regression on words, elements and class names, trained on generated pages.

Belongs here: training, labelling, keeping what was learnt, and `python -m` of this module, which prints how accurate it
is. Does not belong here: what it looks at (`features.py`). No model is shipped: training takes seconds, and its result
is kept by a hash of all that goes into it.

Each training page is shown again with most of its words hidden. Without that the labeller would trust the generator's
own vocabulary and be sure of everything; with it, its probabilities stay low on pages that share few words with
anything it knows, and a page it is not sure of gets no label.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import yaml

from diffbench_assets import seeds
from diffbench_assets.corpus.labels.features import Features, page_features, text_words
from diffbench_assets.corpus.labels.labels import LABELS, PageLabels, surest
from diffbench_assets.durable import write_bytes
from diffbench_assets.pages.generator import GeneratedPage, generate_page
from diffbench_assets.versions import code_sha256

LABELLER: Final = "embedded"
TRAINING_PAGES: Final = 600
TRAINING_SEED: Final = 20_000
THRESHOLDS: Final[Mapping[str, float]] = {"domain": 0.3, "style": 0.6}
"""Least probability of a label. A generated page with nine tenths of its words hidden is given a domain two times in
three, and then the right one 98 times in 100 (`accuracy.py`)."""
_KEPT_WORDS: Final = (0.5, 0.25, 0.1)
_KEPT_LOOK: Final = (0.5, 0.2)
_TEXTS_PER_LIST: Final = 2
_DIMENSIONS: Final[Mapping[str, int]] = {"domain": 2**15, "style": 2**13}
_ELEMENTS_WEIGHT: Final = 0.3
_PENALTY: Final = 20.0
_ITERATIONS: Final = 80

Vector = dict[str, float]
Weights = npt.NDArray[np.float32]


class Labeller:
    """Labels pages. `weights` holds for each question a row for each label: a column for each hash, then the bias."""

    def __init__(self, weights: Mapping[str, Weights]) -> None:
        for question, labels in LABELS.items():
            expected = (len(labels), _DIMENSIONS[question] + 1)
            if question not in weights or weights[question].shape != expected:
                raise ValueError(f"the labeller's weights for {question} are not of shape {expected}; train it again")
        self._weights = weights

    def label(self, pages: Iterable[str]) -> list[PageLabels]:
        """Labels of HTML pages, in order."""
        return self.label_features([page_features(html) for html in pages])

    def label_features(self, pages: Sequence[Features]) -> list[PageLabels]:
        """As `label`, for pages whose features are known."""
        shares = {question: self._shares(question, pages) for question in LABELS} if pages else {}
        return [
            PageLabels(
                domain=surest(shares["domain"][index], THRESHOLDS["domain"]),
                style=surest(shares["style"][index], THRESHOLDS["style"]),
                probabilities={question: shares[question][index] for question in LABELS},
                labeller=LABELLER,
            )
            for index in range(len(pages))
        ]

    def _shares(self, question: str, pages: Sequence[Features]) -> list[dict[str, float]]:
        weights = self._weights[question]
        logits = _hashed(question, [_VECTORS[question](page) for page in pages]) @ weights[:, :-1].T + weights[:, -1]
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        return [dict(zip(LABELS[question], map(float, row), strict=True)) for row in shares]

    def to_bytes(self) -> bytes:
        """The weights as a NumPy archive, which loads without running anything."""
        out = io.BytesIO()
        arrays: dict[str, Any] = {question: self._weights[question] for question in LABELS}
        np.savez_compressed(out, **arrays)
        return out.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Labeller:
        """What `to_bytes` gave. Raises ValueError when it is something else."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as archive:
                return cls({question: archive[question] for question in archive.files})
        except Exception as error:  # NumPy and zipfile raise many kinds on broken files
            raise ValueError(f"no stored labeller: {error}") from error


def train(pages: Sequence[GeneratedPage]) -> Labeller:
    """A labeller that has seen `pages`; the same pages give the same labeller.

    Raises ValueError unless every domain and every style is among them.
    """
    return train_on([page_features(page.html) for page in pages], [(page.domain, page.style) for page in pages])


def train_on(features: Sequence[Features], labels: Sequence[tuple[str, str]]) -> Labeller:
    """As `train`, for pages whose features are known; `labels` are their domains and styles."""
    words = [(_domain_vector(page), domain) for page, (domain, _) in zip(features, labels, strict=True)]
    looks = [(_style_vector(page), style) for page, (_, style) in zip(features, labels, strict=True)]
    for index, (page, (domain, style)) in enumerate(zip(features, labels, strict=True)):
        for share in _KEPT_WORDS:
            words.append((_domain_vector(with_words(page, share, index)), domain))
        for share in _KEPT_LOOK:
            looks.append((_style_vector(_with_look(page, share, index)), style))
    words.extend(_listed_texts())
    return Labeller({"domain": _fit("domain", words), "style": _fit("style", looks)})


def with_words(page: Features, share: float, seed: object) -> Features:
    """The page with about `share` of its distinct words, drawn by `seed`."""
    words = sorted(page.words)
    kept = seeds.rng("words", seed, share).random(len(words)) < share
    return Features(frozenset(word for word, keep in zip(words, kept, strict=True) if keep), page.elements, page.look)


def _with_look(page: Features, share: float, seed: object) -> Features:
    names = sorted(page.look)
    kept = seeds.rng("look", seed, share).random(len(names)) < share
    look = {name: page.look[name] for name, keep in zip(names, kept, strict=True) if keep}
    return Features(page.words, page.elements, look)


def _listed_texts() -> list[tuple[Vector, str]]:
    """Training texts from `domain_words.yaml`: a random half of each list, a few times."""
    lists = yaml.safe_load((Path(__file__).parent / "domain_words.yaml").read_text(encoding="utf-8"))
    texts = []
    for domain, languages in lists.items():
        for language, line in languages.items():
            words = line.split()
            for turn in range(_TEXTS_PER_LIST):
                kept = seeds.rng("list", domain, language, turn).random(len(words)) < 0.5
                text = " ".join(word for word, keep in zip(words, kept, strict=True) if keep)
                texts.append((_domain_vector(Features(frozenset(text_words(text)), {}, {})), domain))
    return texts


def _unit(features: Mapping[str, float], weight: float, prefix: str) -> Vector:
    """Features scaled to the length `weight`, so that long pages do not count for more."""
    length = float(np.sqrt(sum(value * value for value in features.values()))) or 1.0
    return {f"{prefix} {name}": weight * value / length for name, value in features.items()}


def _domain_vector(page: Features) -> Vector:
    words = _unit(dict.fromkeys(sorted(page.words), 1.0), 1.0, "word")
    return words | _unit(page.elements, _ELEMENTS_WEIGHT, "element")


def _style_vector(page: Features) -> Vector:
    return _unit(page.look, 1.0, "look") | _unit(page.elements, _ELEMENTS_WEIGHT, "element")


_VECTORS: Final = {"domain": _domain_vector, "style": _style_vector}


def _hashed(question: str, vectors: Sequence[Vector]) -> Any:
    from sklearn.feature_extraction import FeatureHasher

    return FeatureHasher(_DIMENSIONS[question], alternate_sign=False).transform(vectors)


def _fit(question: str, examples: Sequence[tuple[Vector, str]]) -> Weights:
    from sklearn.linear_model import LogisticRegression

    labels = LABELS[question]
    if missing := sorted(set(labels) - {label for _, label in examples}):
        raise ValueError(f"no training page has the {question} {', '.join(missing)}; train on more pages")
    hashed = _hashed(question, [vector for vector, _ in examples])
    used = np.unique(hashed.indices)  # the others stay at zero; leaving them out makes small trainings fast
    model = LogisticRegression(C=_PENALTY, max_iter=_ITERATIONS, tol=1e-3)
    model.fit(hashed[:, used], [labels.index(label) for _, label in examples])
    weights = np.zeros((len(labels), _DIMENSIONS[question] + 1), np.float32)
    weights[:, used] = model.coef_
    weights[:, -1] = model.intercept_
    return weights


def training_pages(count: int = TRAINING_PAGES) -> list[GeneratedPage]:
    """The generated pages that the embedded labeller is trained on; no source of pages uses their seed by default."""
    return [generate_page(TRAINING_SEED, index) for index in range(count)]


def training_sha256() -> str:
    """Hash of all that decides what the labeller learns: the labelling code, the generator and its words."""
    return code_sha256("corpus.labels.classifier")


@cache
def embedded_labeller(folder: Path | None = None) -> Labeller:
    """The labeller trained on `training_pages()`, at most once a process.

    With a `folder` (one in the lake, say) what was learnt is kept there and read the next time; a kept file that is
    broken is made again.
    """
    if folder is None:
        return train(training_pages())
    path = folder / f"labeller-{training_sha256()[:16]}.npz"
    if path.exists():
        try:
            return Labeller.from_bytes(path.read_bytes())
        except ValueError:
            pass
    labeller = train(training_pages())
    folder.mkdir(parents=True, exist_ok=True)
    write_bytes(path, labeller.to_bytes())
    return labeller
