"""The embedded labeller: learns from generated pages, is unsure of what it does not know, and keeps what it learnt."""

from __future__ import annotations

from pathlib import Path

import pytest

from diffbench_assets.corpus.labels import accuracy, classifier
from diffbench_assets.corpus.labels.classifier import Labeller, embedded_labeller, train, training_pages, with_words
from diffbench_assets.corpus.labels.features import page_features, text_words
from diffbench_assets.corpus.labels.labels import LABELS
from diffbench_assets.pages.generator import generate_page


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return train(training_pages(90))


def test_it_labels_pages_it_never_saw(labeller: Labeller) -> None:
    pages = [generate_page(5, index) for index in range(45)]
    labels = labeller.label([page.html for page in pages])
    guesses = [max(given.probabilities["domain"].items(), key=lambda item: item[1])[0] for given in labels]
    right = sum(guess == page.domain for guess, page in zip(guesses, pages, strict=True))
    assert right > 0.5 * len(pages)  # chance is 1 in 15


def test_probabilities_are_of_every_label_and_sum_to_one(labeller: Labeller) -> None:
    (labels,) = labeller.label([generate_page(5, 0).html])
    for question, names in LABELS.items():
        assert set(labels.probabilities[question]) == set(names)
        assert sum(labels.probabilities[question].values()) == pytest.approx(1)


@pytest.mark.parametrize("html", ["", "<p>Qwx zrtp vvk</p>", "<p>" + "lorem ipsum dolor sit amet " * 50 + "</p>"])
def test_it_is_unsure_of_a_page_that_says_nothing(labeller: Labeller, html: str) -> None:
    assert labeller.label([html])[0].domain is None


def test_training_twice_gives_the_same_bytes() -> None:
    pages = training_pages(30)
    assert train(pages).to_bytes() == train(pages).to_bytes()


def test_training_needs_every_label() -> None:
    with pytest.raises(ValueError, match="train on more pages"):
        train(training_pages(4))


def test_what_was_learnt_is_kept_and_a_broken_file_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, labeller: Labeller
) -> None:
    trainings = []
    monkeypatch.setattr(classifier, "train", lambda pages: trainings.append(1) or labeller)
    monkeypatch.setattr(classifier, "training_pages", lambda: [])
    for _ in range(2):
        embedded_labeller.cache_clear()
        kept = embedded_labeller(tmp_path)
    assert len(trainings) == 1
    assert kept.to_bytes() == labeller.to_bytes()
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"torn")
    embedded_labeller.cache_clear()
    embedded_labeller(tmp_path)
    assert len(trainings) == 2
    embedded_labeller.cache_clear()


def test_a_file_that_is_no_labeller_is_refused(labeller: Labeller) -> None:
    with pytest.raises(ValueError, match="no stored labeller"):
        Labeller.from_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="shape"):
        Labeller({"domain": labeller._weights["style"], "style": labeller._weights["style"]})


def test_no_pages_have_no_labels(labeller: Labeller) -> None:
    assert labeller.label([]) == []


def test_words_of_scripts_without_spaces_are_pieces() -> None:
    assert set(text_words("購物車")) == {"購物", "物車", "購物車"}
    assert list(text_words("Properties, 12 x")) == ["properties", "prope*"]


def test_hidden_words_are_drawn_by_seed_alone() -> None:
    page = page_features(generate_page(5, 0).html)
    few = with_words(page, 0.2, 1)
    assert few == with_words(page, 0.2, 1) != with_words(page, 0.2, 2)
    assert few.words < page.words and 0.05 < len(few.words) / len(page.words) < 0.4


def test_colour_names_do_not_count_but_shades_do() -> None:
    look = page_features('<p class="bg-violet-600 text-slate-900 p-4"></p><p class="bg-rose-600"></p>').look
    assert {"bg-hue-600", "bg-hue-#", "text-gray-900", "p-4", "p-#"} <= look.keys()
    assert look["hues"] == 2.0


def test_listed_words_belong_to_domains_that_exist() -> None:
    import yaml

    lists = yaml.safe_load((Path(classifier.__file__).parent / "domain_words.yaml").read_text(encoding="utf-8"))
    assert set(lists) == set(LABELS["domain"]) - {"other"}


def test_the_table_of_accuracies_tells_shares_of_pages() -> None:
    rows = accuracy.cross_validated(60, 2, each_language=False)
    whole = next(row for row in rows if row.pages == "all" and row.question == "domain")
    assert whole.n == 60 and 0.2 < whole.right <= 1 and 0 <= whole.labelled <= 1
    assert f"| all | domain | 60 | {whole.right:.1%} |" in accuracy.table(rows)
