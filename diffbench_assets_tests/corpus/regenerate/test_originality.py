"""Nothing of the original's words, names or addresses may stand in a page, however it is written."""

from __future__ import annotations

import pytest

from diffbench_assets.corpus.regenerate.originality import Original
from diffbench_assets.pages import dom
from diffbench_assets_tests.corpus.regenerate.small_site import COPY, HOST, ORIGINAL, with_body


def kept(page: str, original: str = ORIGINAL, host: str = HOST) -> str | None:
    """What of the original stands in a page."""
    return Original.of(original, host).kept_in(dom.parse(page))


def test_an_invented_page_keeps_nothing():
    assert kept(COPY) is None


@pytest.mark.parametrize(
    "text",
    [
        "<h1>Slow bread for people in a hurry</h1>",
        "<h1>SLOW BREAD FOR PEOPLE IN A&nbsp;HURRY!</h1>",
        "<p>As they say, we <i>mill our own</i> grain each night, and so do we.</p>",
        "<p>Soft slices for a child\u2019s lunch.</p>",
        '<div aria-label="Dark and sour with a thick crust">a</div>',
        '<div data-note="we bake it before the first tram leaves the depot">a</div>',
    ],
)
def test_a_sentence_of_the_original_is_found_wherever_it_stands(text):
    assert kept(with_body(text)) == "kept_text"


def test_short_labels_and_equal_menus_are_no_sentences():
    menu = "".join(
        f"<a href='#'>{label}</a>" for label in ("Home", "Shop", "About us", "Blog", "Contact", "Log in", "Jobs")
    )
    assert kept(with_body(f"<nav>{menu}</nav>"), f"<body><nav>{menu}</nav></body>") is None
    assert kept(with_body("<p>1 2 3 4 5 6 7 8 9 10</p>"), "<body><p>1 2 3 4 5 6 7 8 9 10</p></body>") is None


def test_technical_attributes_are_no_sentences():
    technical = (
        '<meta name="viewport" content="width=device-width, initial-scale=1, shrink-to-fit=no">'
        '<svg font-family="Inter, ui-sans-serif, system-ui, Segoe UI"><path d="M10 10 L20 20 L30 30 L40 40 L50 50"/>'
    )
    assert kept(with_body(technical), f"<body>{technical}</body>") is None
    described = '<meta name="description" content="Every loaf is shaped by hand">'
    assert kept(with_body(described), f"<head>{described}</head>") == "kept_text"


def test_text_without_spaces_is_compared_by_characters():
    original = "<body><p>毎朝五時に焼き上げる自家製の天然酵母パンをお届けします。</p></body>"
    assert kept(with_body("<p>当店では焼き上げる自家製の天然酵母パンが人気です</p>"), original) == "kept_text"
    assert kept(with_body("<p>天然酵母パンの店</p>"), original) is None


@pytest.mark.parametrize("name", ["Kneadwell", "KNEADWELL.com", "Kneadwell Bread Works", "kneadwellbreadworks"])
def test_the_names_of_the_site_are_found(name):
    assert kept(with_body(f"<p>Welcome to {name} today</p>")) == "kept_name"


def test_a_name_that_is_a_common_word_on_the_page_is_not_looked_for():
    original = "<title>News</title><body><p>All the news of today</p></body>"
    assert kept(with_body("<p>News</p>"), original, "news.com") is None
    assert kept(with_body("<p>News</p>"), "<body><p>Weather</p></body>", "www.news.co.uk") == "kept_name"


@pytest.mark.parametrize("contact", ["orders@kneadwell.com", "+1 212-867-4410", "(212) 8674410", "212.867.4410"])
def test_addresses_and_numbers_are_found_however_they_are_written(contact):
    assert kept(with_body(f"<p>Reach us: {contact}</p>")) == "kept_contact"


def test_years_and_prices_are_no_numbers_to_call():
    original = "<body><p>2019 - 2024, 12.03.2024, 1.234.567</p></body>"
    assert kept(with_body("<p>2019 - 2024, 12.03.2024, 1.234.567</p>"), original) is None


def test_a_hostile_original_is_read_in_bounded_time():
    original = "<body>" + "<p>" + "word " * 400_000 + "<a>" * 3000 + "@" * 200_000 + "1 " * 200_000
    assert kept(COPY, original) is None
