"""Language of a page from what it says, its letters and its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.corpus.labels.language import page_language
from diffbench_assets.pages.describe import visible_text
from diffbench_assets.pages.dom import parse
from diffbench_assets.pages.generator import generate_page

GERMAN = "Unsere Öffnungszeiten sind Montag bis Freitag von neun bis achtzehn Uhr. Wir freuen uns auf Ihren Besuch."
FRENCH = (
    "Découvrez notre nouvelle collection et profitez de la livraison gratuite pour toute commande passée cette semaine."
)
ENGLISH = "We are open from Monday to Friday and look forward to meeting you in our new shop near the old harbour."
CHINESE = "欢迎来到我们的网站,这里有最新的产品和服务。我们在全国各地都有门店,期待您的光临。" * 2
JAPANESE = "私たちのウェブサイトへようこそ。最新の商品やサービスをご紹介しています。" * 2
UKRAINIAN = (
    "Ласкаво просимо на наш сайт. Тут ви знайдете найновіші товари та послуги для всієї родини за доступними цінами."
)
LOREM = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore."


def language(text: str, lang: str | None = None) -> str | None:
    tree = parse(f"<html{f' lang={lang}' if lang else ''}><body><p>{text}</p></body></html>")
    return page_language(tree, visible_text(tree))


@pytest.mark.parametrize(
    ("text", "expected"),
    [(GERMAN, "de"), (FRENCH, "fr"), (ENGLISH, "en"), (CHINESE, "zh"), (JAPANESE, "ja"), (UKRAINIAN, "uk")],
)
def test_words_tell_where_the_page_says_nothing(text: str, expected: str) -> None:
    assert language(text) == expected


@pytest.mark.parametrize(("text", "expected"), [(GERMAN, "de"), (FRENCH, "fr"), (CHINESE, "zh"), (UKRAINIAN, "uk")])
def test_words_are_believed_over_a_tag_left_by_a_template(text: str, expected: str) -> None:
    assert language(text, "en") == expected


@pytest.mark.parametrize(("text", "stated"), [(GERMAN, "de-AT"), (CHINESE, "zh-Hant-TW"), (ENGLISH, "en-GB")])
def test_a_tag_that_agrees_keeps_its_region(text: str, stated: str) -> None:
    assert language(text, stated) == stated


def test_placeholder_text_is_no_evidence() -> None:
    assert language(LOREM, "en") == "en"
    assert language(LOREM) is None


def test_few_words_are_no_evidence() -> None:
    assert language("Menu Home", "nl") == "nl"
    assert language("Menu") is None
    assert language("ホーム") == "ja"


@pytest.mark.parametrize("index", range(12))
def test_generated_pages_are_in_the_language_they_were_made_in(index: int) -> None:
    page = generate_page(9, index)
    tree = parse(page.html.replace(f'lang="{page.language}"', ""))
    assert page_language(tree, visible_text(tree)) == page.language


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    found = language(text.replace("<", ""))
    assert found is None or found
