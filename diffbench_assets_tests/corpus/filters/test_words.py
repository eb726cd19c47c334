"""Words of pages for adults, in several languages, and the innocent words that look like them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.corpus.filters import Settings, findings
from diffbench_assets.corpus.filters.words import word_lists


def found(text: str, head: str = "") -> list[str]:
    html = f"<html><head>{head}</head><body><p>{text}</p></body></html>"
    return [item for item in findings(html, text, None, Settings()) if item.startswith("adult:")]


@pytest.mark.parametrize("words", word_lists(), ids=lambda words: words.language)
def test_one_strong_word_of_each_language_suffices(words) -> None:
    path = next(iter(words.strong.pattern.split("|")))
    plain = path.replace(r"(?<![\w@./-])", "").replace(r"(?![\w@]", "").replace("\\", "")
    example = plain.replace("[s_-]+", " ").strip()
    assert any(item.startswith(f"adult:{words.language}") for item in found(f"x {example} x"))


@pytest.mark.parametrize(
    "text",
    [
        "The best porn online", "PORN-VIDEOS", "ｐｏｒｎ tube", "Ｈｅｎｔａｉ", "xxx videos and more",
        "free   sex here",
        "Kostenlose Pornos", "videos porno gratis", "смотреть порно онлайн", "無修正動画", "成人视频在线",
        "야동 사이트", "포르노를 보다", "หนังโป๊ใหม่", "افلام سكس", "naked girls nude nsfw erotica kinky",
    ],
)  # fmt: skip
def test_pages_for_adults(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Scunthorpe, Penistone, Sussex, Essex and Middlesex", "Arsenal analysis of classic cocktails",
        "magna cum laude; lorem ipsum cum soluta nobis", "Dick and Peacock, Cockburn, Dickens",
        "shiitake and titmouse",
        "breast cancer and chicken breast", "sex education and sexual health for teens", "nude lipstick, sexy red",
        "pussy willow; a naked flame; vibrator for concrete", "Therapist, the rapist of none",
        "Escort: a Ford from 1990",
        "Pornic and Pornichet are towns in France", "La chatte dort", "a pearl necklace", "Nackte Tatsachen",
        "interim minutes", "XXX Summer Olympics", "激情の音楽 素人の質問", "성인 교육 과정",
        "18+ years of experience",
        "mailto sex@uni.edu", "/videos/porn", "Matsushita assassin grape", "medium.com/xnxx",
    ],
)  # fmt: skip
def test_innocent_words(text: str) -> None:
    assert found(text) == []


def test_weak_words_count_only_together() -> None:
    assert found("nude nude nude nude") == []
    assert found("nude erotic kinky horny")


def test_a_page_that_says_it_is_for_adults_is_believed() -> None:
    assert found("Welcome", '<meta name="RATING" content="RTA-5042-1996-1400-1577-RTA">') == ["adult:rating"]
    assert found("Welcome", '<meta name="rating" content="general">') == []


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(found(text), list)
