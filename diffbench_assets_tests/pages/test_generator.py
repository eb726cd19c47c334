"""The embedded page source makes varied, self-contained, repeatable pages."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser

import pytest
from lxml import etree, html

from diffbench_assets.pages.dice import Dice
from diffbench_assets.pages.generator import DOMAINS, STYLES, GeneratedPage, generate_page
from diffbench_assets.pages.generator import content as content_module
from diffbench_assets.pages.generator.content import LANGUAGES, Copy, bank

SCRIPTS = {
    "zh": r"[\u4e00-\u9fff]",
    "ko": r"[\uac00-\ud7af]",
    "ar": r"[\u0600-\u06ff]",
    "th": r"[\u0e00-\u0e7f]",
    "hi": r"[\u0900-\u097f]",
}
VOID = {"meta", "br", "hr", "img", "input", "link"}


@pytest.fixture(scope="module")
def pages() -> list[GeneratedPage]:
    return [generate_page(11, index) for index in range(1000)]


def skeleton(page: str) -> str:
    tree = html.document_fromstring(page)
    parts = [f"{element.tag}.{element.get('class', '')}" for element in tree.iter(etree.Element)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


class Balance(HTMLParser):
    """Fails on the first tag that is closed out of order, and keeps what is still open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()


def test_same_seed_and_index_give_the_same_page_in_another_process(pages: list[GeneratedPage]) -> None:
    code = (
        "import hashlib; from diffbench_assets.pages.generator import generate_page; "
        "print(hashlib.sha256(repr([generate_page(11, i) for i in (7, 3, 12)]).encode()).hexdigest())"
    )
    command = [sys.executable, "-c", code]
    elsewhere = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    here = hashlib.sha256(repr([pages[7], pages[3], pages[12]]).encode()).hexdigest()
    assert elsewhere == here


def test_another_seed_gives_another_page(pages: list[GeneratedPage]) -> None:
    assert generate_page(12, 0).html != pages[0].html


def test_a_negative_index_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        generate_page(0, -1)


def test_at_least_900_of_1000_pages_have_their_own_structure(pages: list[GeneratedPage]) -> None:
    assert len({skeleton(page.html) for page in pages}) >= 900


def test_every_domain_style_richness_and_language_appears(pages: list[GeneratedPage]) -> None:
    assert len(DOMAINS) == 15 and len(STYLES) == 4
    assert {page.domain for page in pages} == set(DOMAINS)
    assert {page.style for page in pages} == set(STYLES)
    assert {page.richness for page in pages} == {"rich", "standard", "minimal"}
    languages = Counter(page.language for page in pages)
    assert set(languages) == set(LANGUAGES)
    assert 0.22 <= 1 - languages["en"] / len(pages) <= 0.38
    largest = max(Counter(page.domain for page in pages).values())
    assert largest <= 0.08 * len(pages)


def test_text_is_in_the_script_of_the_language_and_arabic_runs_right_to_left(pages: list[GeneratedPage]) -> None:
    for page in pages[:300]:
        tree = html.document_fromstring(page.html)
        assert tree.get("lang") == page.language
        assert tree.get("dir") == ("rtl" if page.language == "ar" else "ltr")
        text = "".join(tree.body.itertext())
        for language, letters in SCRIPTS.items():
            share = len(re.findall(letters, text)) / len(re.sub(r"\s", "", text))
            assert share > 0.4 if language == page.language else share == 0


def test_nothing_on_a_page_runs_or_refers_outside_itself(pages: list[GeneratedPage]) -> None:
    for page in pages[:300]:
        assert not re.search(
            r"<(script|link|style(?! type=.text/tailwindcss)|iframe|img|object|embed|video|canvas)\b", page.html
        )
        assert not re.search(r"(https?:)?//\w|url\(|\bon\w+=|javascript:", page.html)
        assert set(re.findall(r'href="([^"]*)"', page.html)) <= {"#"}


def test_pages_are_well_formed_and_leave_no_template_behind(pages: list[GeneratedPage]) -> None:
    for page in pages[:300]:
        balance = Balance()
        balance.feed(page.html)
        assert balance.open == []
        assert page.html.startswith("<!DOCTYPE html>")
        text = " ".join(html.document_fromstring(re.sub(r"<style.*?</style>", "", page.html, flags=re.S)).itertext())
        assert not re.search(r"[{}\[\]]|##|built-in|Undefined|None\b|<|lorem ipsum", text)


def test_pages_are_of_a_realistic_size(pages: list[GeneratedPage]) -> None:
    sizes = sorted(len(page.html.encode()) for page in pages)
    assert sizes[0] > 5_000 and sizes[-1] < 120_000
    assert 10_000 < sizes[len(sizes) // 2] < 40_000


def test_the_operators_of_the_benchmark_find_their_classes_on_nearly_every_page(pages: list[GeneratedPage]) -> None:
    needed = {
        "gradient": r"\bfrom-[a-z]+-\d+ (via-[a-z]+-\d+ )?to-[a-z]+-\d+",
        "opacity": r"\bopacity-\d+",
        "position": r"\babsolute (top|bottom)-\d+ (left|right)-\d+",
        "justify": r"\bflex h-\d+ [^\"]*justify-(between|start|center|end|around|evenly)",
        "border": r"\bborder(-2)? border-[a-z]+-\d+",
        "rounded": r"\brounded-(none|sm|md|lg|xl|2xl|3xl|full)",
        "spacing": r"\bgap-\d+",
        "font_size": r"\btext-(xl|2xl|3xl|4xl|5xl)\b",
        "font_weight": r"\bfont-(light|medium|semibold|bold|extrabold|black)",
    }
    for operator, pattern in needed.items():
        carrying = sum(bool(re.search(pattern, page.html)) for page in pages)
        assert carrying >= 0.9 * len(pages), operator


def test_hostile_words_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = '<script>alert("x")</script>&'
    words = bank("en")
    poisoned = words | {name: words[name] | {"brands": [hostile]} for name in DOMAINS}
    monkeypatch.setattr(content_module, "bank", lambda language: poisoned)
    page = generate_page(5, 0).html
    assert "<script" not in page and "&lt;script&gt;" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_banks_with_complete_lines(language: str) -> None:
    words, english = bank(language), bank("en")
    assert words.keys() == english.keys() == {"common", *DOMAINS}
    for name in ("ui", "headings"):
        assert words["common"][name].keys() == english["common"][name].keys()
    for section, banks in words.items():
        assert banks.keys() == english[section].keys()
        for lines in (banks[name] for name in ("items", "features", "stories") if section != "common"):
            assert all(title.strip() and text.strip() for title, text in lines.items())


def test_a_deck_deals_every_line_once_before_it_repeats() -> None:
    copy = Copy("en", "travel", Dice("deck"))
    count = len(bank("en")["travel"]["items"])
    assert len({copy.entry("items").title for _ in range(count)}) == count


def test_an_unknown_slot_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    words = bank("en")
    broken = words | {"travel": words["travel"] | {"leads": ["See {planet} by night"]}}
    monkeypatch.setattr(content_module, "bank", lambda language: broken)
    with pytest.raises(KeyError, match="planet"):
        Copy("en", "travel", Dice("slot")).line("leads")
