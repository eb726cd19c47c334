"""Every glyph of a stored page comes from a font inside the page."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import tinycss2
from diffbench_assets.pages.css_values import font_variables
from diffbench_assets.pages.font_stacks import FontStacks
from diffbench_assets.pages.selfcontained import Page, make_self_contained
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser

from diffbench_assets.pages import fonts, woff2
from diffbench_assets.pages.sources import RawPage
from diffbench_assets_tests.pages.rendering import chromium, foreign_fonts, open_page, pixels


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


def ingest(html: str, folder: Path | None = None) -> Page:
    (page,) = make_self_contained([RawPage("t", "t", f"<!DOCTYPE html>{html}", folder, folder)])
    assert page.drop_reason is None
    return page


SCRIPTS = {
    "en": "Plain text, “quoted” — naïve café…",
    "ru": "Съешь ещё этих мягких французских булок",
    "el": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
    "vi": "Tiếng Việt có dấu thanh",
    "zh": "敏捷的棕色狐狸跳过懒狗。",
    "ja": "いろはにほへと、漢字とカタカナ",
    "ko": "다람쥐 헌 쳇바퀴에 타고파",
    "ar": "نص حكيم له سر قاطع وذو شأن عظيم",
    "he": "דג סקרן שט בים מאוכזב",
    "th": "เป็นมนุษย์สุดประเสริฐ น้ำคำ",
    "hi": "ऋषियों को सताने वाले दुष्ट राक्षसों",
    "bn": "আমি বাংলায় গান গাই",
    "ml": "കൊച്ചി പോകാം",
    "si": "කෝට්ටේ",
    "km": "ភាសាខ្មែរ សៀវភៅ",
    "lo": "ພາສາລາວ ນ້ຳ",
    "my": "မြန်မာဘာသာ",
    "kn": "ಕನ್ನಡ ಭಾಷೆ",
    "gu": "ગુજરાતી ભાષા",
    "pa": "ਪੰਜਾਬੀ ਬੋਲੀ",
    "or": "ଓଡ଼ିଆ ଭାଷା",
    "ta": "யாமறிந்த மொழிகளிலே",
    "te": "తెలుగు భాష",
    "ka": "ქართული ენა",
    "hy": "Հայերեն լեզու",
    "am": "አማርኛ ቋንቋ",
}


@pytest.mark.parametrize("language", SCRIPTS)
def test_every_script_is_drawn_by_an_embedded_font(browser: Browser, language: str) -> None:
    text = SCRIPTS[language]
    page = ingest(f"<body><h1>{text}</h1><p style='font-family:serif'>{text}</p><code>{text}</code>")
    assert page.missing_glyphs == "" and page.language in (language, None)
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == set()


def test_no_element_falls_back_to_a_system_font(browser: Browser) -> None:
    page = ingest(
        """<head><style>
            :root{--f:'Segoe UI',Roboto,sans-serif;--g:var(--f);--size:12px}
            .a{font-family:var(--g)} .b{font:italic 700 var(--size)/1.2 Georgia,serif} .c{font:menu}
            .d{font-family:initial} .e{all:initial} .f{all:revert} .g{font-family:revert} .h{font:inherit}
            .i{font-family:var(--none,Courier New)} .j::before{content:'\\2603 \\0041'}
            .k{font-family:cursive!important}
            @media(min-width:1px){.l{font-family:monospace}} .m{&>b{font-family:Times}}
        </style></head><body>
        """
        + "".join(f'<p class="{c}">text {c} <b>bold</b></p>' for c in "abcdefghijklm")
        + """<font face="Arial">old</font><svg><text y="20" font-family="Verdana">svg</text></svg>
        <button>button</button><input value="input"><input placeholder="hint"><input type="date"><input type="file">
        <input type="submit"><select><option>option</option></select><textarea>area</textarea><meter></meter>
        <pre>pre</pre><kbd>kbd</kbd><math><mi>x</mi></math><ul><li>item</ul><ol><li>item</ol><q>quoted</q>
        <details><summary>more</summary>x</details><ruby>base<rt>ruby</rt></ruby>
        <p style="font-family:Impact">inline</p><input type="password" value="abc"><fieldset><legend>legend</legend>
        </fieldset><i>italic</i>
        <p style="text-transform:uppercase">straße</p><p style="width:9px;hyphens:auto" lang="en">hyphenation</p>"""
    )
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == set()
    assert page.missing_glyphs == ""


def test_pages_look_the_same_whatever_fonts_a_stack_names(browser: Browser) -> None:
    one, other = (
        ingest(f"<body style='font-family:{stack}'><h1>Same</h1><p>pixels</p>")
        for stack in ("Arial", "Roboto, sans-serif")
    )
    assert one.html == other.html
    assert pixels(browser, one.html or "").min() < 100, "the text is visible"


def test_one_step_of_weight_shows(browser: Browser) -> None:
    page = "<body style='font-family:sans-serif'><h1 style='font-weight:{}'>Weight</h1>"
    shots = [pixels(browser, ingest(page.format(weight)).html or "") for weight in range(100, 1000, 100)]
    assert all(not np.array_equal(a, b) for a, b in zip(shots, shots[1:], strict=False))


def test_characters_without_a_font_are_listed_and_drawn_as_boxes(browser: Browser) -> None:
    page = ingest("<body><p>runes ᚠᚢ and \ue000 end</p>")
    assert page.missing_glyphs == "ᚠᚢ\ue000"
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == {"diffbench-box"}, "the box, and no font of the system"


def test_text_made_by_css_is_covered(browser: Browser) -> None:
    page = ingest("<style>p::after{content:'\\4e2d\\6587'}q{quotes:'«' '»'}</style><body><p>x</p><q>y</q>")
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == set() and page.missing_glyphs == ""


def test_emoji_and_symbols_are_drawn_by_embedded_fonts(browser: Browser) -> None:
    page = ingest("<body><p>🎉 🚀 ❤️ 👩‍🚀 ✅ ⭐ 🇫🇷 ➜ ☰ ✦ ✘ ▸ ❯ ⋮ ☎</p>")
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == set() and page.missing_glyphs == ""


def own_font(folder: Path, name: str = "own.woff2") -> None:
    (folder / name).write_bytes(fonts.cut(fonts.MONO, fonts.PRINTABLE_ASCII | frozenset("äöü")))


def test_a_local_font_of_the_page_stays_cut_to_its_characters(browser: Browser, tmp_path: Path) -> None:
    own_font(tmp_path)
    page = ingest(
        """<style>@font-face{font-family:"My Font";src:local("My Font"),url(own.woff2) format("woff2");font-weight:400}
        @font-face{font-family:Unused;src:url(own.woff2)}
        p{font-family:'my font',sans-serif}</style><body><p>äx</p>""",
        tmp_path,
    )
    html = page.html or ""
    assert "local(" not in html and "Unused" not in html
    assert 'p{font-family:"my font",diffbench-sans,diffbench-other,diffbench-box' in html
    faces = re.findall(r'font-family:"My Font";src:url\(data:font/woff2;base64,([^)]*)\)', html)
    cmap = TTFont(io.BytesIO(base64.b64decode(faces[0]))).getBestCmap()
    assert ord("ä") in cmap and ord("ö") not in cmap
    shown, _ = open_page(browser, html)
    assert shown.evaluate("[...document.fonts].filter(f => f.family.includes('My')).map(f => f.status)") == ["loaded"]


def test_a_font_of_the_page_gives_the_same_bytes_at_any_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_font(tmp_path)
    data = (tmp_path / "own.woff2").read_bytes()
    made = []
    for moment in ("0", "1500000000"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", moment)  # the clock, for fontTools
        made.append(fonts._sfnt(data))
    assert made[0] == made[1]


def test_an_icon_font_keeps_the_icons_in_use(tmp_path: Path, browser: Browser) -> None:
    own_font(tmp_path)
    css = "@font-face{font-family:Icons;src:url(own.woff2)}.icon{font-family:Icons}.icon-o::before{content:'\\f6'}"
    html = (
        ingest(
            f"<style>{css}.icon-u::before{{content:'\\fc'}}</style><body><i class='icon icon-o'></i>x", tmp_path
        ).html
        or ""
    )
    (face,) = re.findall(r'font-family:"Icons";src:url\(data:font/woff2;base64,([^)]*)\)', html)
    cmap = TTFont(io.BytesIO(base64.b64decode(face))).getBestCmap()
    assert 0xF6 in cmap and 0xFC not in cmap


@pytest.mark.parametrize("data", [b"", b"wOF2" + b"\0" * 60, b"\0\1\0\0" + b"\xff" * 40, b"OTTO", b"<html>"])
def test_a_broken_font_counts_as_missing(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "own.woff2").write_bytes(data)
    css = "@font-face{font-family:F;src:url(own.woff2)}p{font-family:F}"
    html = ingest(f"<style>{css}</style><body><p>x</p>", tmp_path).html or ""
    assert "p{font-family:diffbench-sans" in html and '"F"' not in html


def test_a_word_for_a_missing_icon_font_is_not_spelled_out() -> None:
    html = ingest('<body><i class="material-icons">shopping_cart</i><p>shopping_cart</p>').html or ""
    assert html.count("shopping_cart") == 1


@pytest.mark.parametrize(
    ("value", "result", "kinds"),
    [
        ("Arial, sans-serif", "SANS", {"sans"}),
        ("Georgia, 'Times New Roman', serif", "SERIF", {"serif"}),
        ("ui-monospace, Menlo, monospace", "MONO", {"mono"}),
        ("'Playfair Display'", "SERIF", {"serif"}),
        ("'Fira Code'", "MONO", {"mono"}),
        ("'Noto Sans Serif Mix', sans-serif", "SANS", {"sans"}),
        ("Mine, Arial", "Mine,SANS", {"sans"}),
        ("inherit", "inherit", set()),
        ("revert", "inherit", set()),
        ("initial", "SERIF", {"serif"}),
        ("var(--x)", "var(--x)", set()),
        ("var(--x), serif", "var(--x),SERIF", {"serif"}),
        ("var(--x, Arial)", "var(--x,SANS)", {"sans"}),
        ("var(--x,)", "var(--x,)", set()),
        ("", "", set()),
        (" ", "", set()),
    ],
)
def test_stacks_end_in_embedded_families(value: str, result: str, kinds: set[str]) -> None:
    stacks = FontStacks(frozenset({"mine"}))
    for kind in ("sans", "serif", "mono"):
        result = result.replace(kind.upper(), f"diffbench-{kind},diffbench-other,diffbench-box")
    assert stacks.rewrite(tinycss2.parse_component_value_list(value)) == result
    assert stacks.kinds == kinds


def test_an_empty_variable_lets_a_button_inherit_the_font_around_it(browser: Browser) -> None:
    """Frameworks declare `--font: ;`: no stack, and no reason for the fallback of `var()` either."""
    html = "<style>body{font-family:Georgia,serif} .b{--own: ;font-family:var(--own,Courier)}</style><p class=b>x"
    page, _ = open_page(browser, ingest(html).html or "")
    assert page.evaluate("getComputedStyle(document.querySelector('.b')).fontFamily").startswith("diffbench-serif")


@pytest.mark.parametrize(
    ("value", "head"),
    [
        ("12px Arial", "12px "),
        ("italic bold 1.2em/1.5 Georgia, serif", "italic bold 1.2em/1.5 "),
        ("700 var(--s)/var(--l) Arial", "700 var(--s)/var(--l) "),
        ("small-caps calc(1px + 1em) 'A B', serif", "small-caps calc(1px + 1em) "),
        ("caption", "13.3333px "),
        ("initial", "medium "),
    ],
)
def test_the_shorthand_keeps_all_but_its_families(value: str, head: str) -> None:
    rewritten = FontStacks(frozenset()).rewrite_shorthand(tinycss2.parse_component_value_list(value))
    assert rewritten.startswith(head + "diffbench-")


def test_variables_that_hold_stacks_are_found_through_others() -> None:
    bodies = [
        "--a:-apple-system,Arial;--b:var(--a);--c:1rem;--d:.5em;--e:red",
        "font-family:var(--b)",
        "font:var(--c)/var(--d) X",
    ]
    assert font_variables(bodies) == {"--a", "--b"}


def test_a_packed_font_is_what_was_packed() -> None:
    packed = fonts.cut(fonts.SERIF, frozenset("Abc"))
    font = TTFont(io.BytesIO(packed))
    assert sorted(map(chr, font.getBestCmap())) == ["A", "b", "c"]
    assert [axis.axisTag for axis in font["fvar"].axes] == ["wght"]
    assert packed == fonts.cut.__wrapped__(fonts.SERIF, frozenset("Abc")), "the same bytes each time"


def test_packing_refuses_what_is_no_font() -> None:
    with pytest.raises(ValueError, match="no head table"):
        woff2.pack(b"\0\1\0\0" + b"\0" * 20)


def test_a_latin_page_carries_little(browser: Browser) -> None:
    html = ingest("<body style='font-family:sans-serif'><p>The quick brown fox — jumps…</p>").html or ""
    assert len(html) < 40_000


@pytest.mark.parametrize(
    ("language", "index"),
    [
        ("ja", 0),
        ("ko-KR", 1),
        ("zh", 2),
        ("zh-CN", 2),
        ("zh-Hant", 3),
        ("zh-TW", 3),
        ("zh-HK", 4),
        (None, 2),
        ("de", 2),
    ],
)
def test_han_characters_take_the_forms_of_the_language(language: str | None, index: int) -> None:
    assert fonts.cjk_font(language).face_index == index
