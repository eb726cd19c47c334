"""Every glyph of a stored page comes from a font inside the page."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser

from diffbench_assets.browser.render import Renderer
from diffbench_assets.pages import font_world, fonts, used_fonts, woff2
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pages.stored import Page
from diffbench_assets_tests.pages.conftest import Make
from diffbench_assets_tests.pages.rendering import foreign_fonts, open_page, pixels

Ingest = Callable[..., Page]


@pytest.fixture(scope="module")
def ingest(make: Make) -> Ingest:
    def one(html: str, folder: Path | None = None) -> Page:
        [made] = make([RawPage("t", "t", f"<!DOCTYPE html>{html}", root=folder)])
        assert made.page.drop_reason is None
        return made.page

    return one


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
def test_every_script_is_drawn_by_an_embedded_font(ingest: Ingest, browser: Browser, language: str) -> None:
    text = SCRIPTS[language]
    page = ingest(f"<body><h1>{text}</h1><p style='font-family:serif'>{text}</p><code>{text}</code>")
    assert page.missing_glyphs == "" and page.language in (language, None)
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == set()


def test_no_element_falls_back_to_a_system_font(ingest: Ingest, browser: Browser) -> None:
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


def test_a_page_draws_the_same_pixels_whatever_fonts_a_system_has(make: Make, tmp_path: Path) -> None:
    """Also where the system has fonts of the very names that the page asks for."""
    text = "<p>Größe 日本 ☎ 123</p><b>Bold</b> <code>code</code><button>go</button>"
    raw = "<!DOCTYPE html>" + "".join(
        f"<div style='font-family:{stack}'>{text}</div>"
        for stack in (
            "Arial",
            "'Helvetica Neue', Roboto, sans-serif",
            "Nothing",
            "ui-monospace",
            "cursive",
            "Georgia, X",
        )
    )
    [made] = make([RawPage("t", "t", raw)])
    assert made.agreement == 1.0
    alias = "".join(
        f'<match target="pattern"><test name="family"><string>{name}</string></test>'
        '<edit name="family" mode="prepend" binding="strong"><string>DejaVu Sans</string></edit></match>'
        for name in (
            "Arial",
            "Helvetica Neue",
            "Roboto",
            "Nothing",
            "X",
            "sans-serif",
            "serif",
            "monospace",
            "system-ui",
        )
    )
    folder = fonts.source("matplotlib", "mpl-data/fonts/ttf")
    other = tmp_path / "fonts.conf"
    other.write_text(f"<fontconfig><dir>{folder}</dir><cachedir>{tmp_path}/cache</cachedir>{alias}</fontconfig>")

    async def shot(environment: dict[str, Any] | None) -> bytes:
        async with Renderer(environment) as renderer, renderer.tab() as tab:
            await tab.load(made.page.html or "")
            return await tab.settled()

    def everywhere() -> list[bytes]:
        places = (None, font_world.environment(), {**os.environ, "FONTCONFIG_FILE": str(other)})
        return [asyncio.run(shot(place)) for place in places]

    with ThreadPoolExecutor(1) as thread:  # Playwright's other interface holds this one's event loop
        shots = thread.submit(everywhere).result()
    assert len(set(shots)) == 1


def test_features_that_a_page_asks_for_survive_cutting(make: Make, tmp_path: Path) -> None:
    whole = fonts.source(fonts.SANS.package, fonts.SANS.file)
    (tmp_path / "whole.ttf").write_bytes(whole.read_bytes())
    asked = [
        "font-variant-numeric:tabular-nums", "font-variant-numeric:slashed-zero oldstyle-nums diagonal-fractions",
        "font-feature-settings:'ss01','cv05' 1,'zero' on", "font-variant-caps:all-small-caps",
        "font-variant-position:super", "font-kerning:none",
        "font-variant-ligatures:discretionary-ligatures no-contextual",
    ]  # fmt: skip
    for family in ("Whole", "sans-serif"):
        lines = "".join(f'<p style="{css}">1101 2x4 -> 1/2 0aIl ffi {css[:24]}</p>' for css in asked)
        raw = (
            "<!DOCTYPE html><style>@font-face{font-family:Whole;src:url(whole.ttf);font-weight:100 900}"
            f"p{{font:28px {family}}}</style>{lines}"
        )
        [made] = make([RawPage("t", "t", raw, root=tmp_path)])
        assert made.agreement == 1.0
        plain = make([RawPage("t", "t", re.sub(r' style="[^"]*"', "", raw), root=tmp_path)])[0].page.html or ""
        assert len(plain) < len(made.page.html or ""), "what nobody asks for is cut"


def test_one_step_of_weight_shows(ingest: Ingest, browser: Browser) -> None:
    page = "<body style='font-family:sans-serif'><h1 style='font-weight:{}'>Weight</h1>"
    shots = [pixels(browser, ingest(page.format(weight)).html or "") for weight in range(100, 1000, 100)]
    assert all(not np.array_equal(a, b) for a, b in zip(shots, shots[1:], strict=False))


def test_characters_without_a_font_are_listed_and_drawn_as_boxes(ingest: Ingest, browser: Browser) -> None:
    page = ingest("<body><p>runes ᚠᚢ and \U000f1234 end</p>")
    assert page.missing_glyphs == "ᚠᚢ\U000f1234"
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == {"diffbench-box"}, "the box, and no font of the system"


def test_text_made_by_css_is_covered(ingest: Ingest, browser: Browser) -> None:
    page = ingest("<style>p::after{content:'\\4e2d\\6587'}q{quotes:'«' '»'}</style><body><p>x</p><q>y</q>")
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == set() and page.missing_glyphs == ""


def test_emoji_and_symbols_are_drawn_by_embedded_fonts(ingest: Ingest, browser: Browser) -> None:
    page = ingest("<body><p>🎉 🚀 ❤️ 👩‍🚀 ✅ ⭐ 🇫🇷 ➜ ☰ ✦ ✘ ▸ ❯ ⋮ ☎</p>")
    shown, _ = open_page(browser, page.html or "")
    assert foreign_fonts(shown) == set() and page.missing_glyphs == ""


def own_font(folder: Path, name: str = "own.woff2") -> None:
    (folder / name).write_bytes(fonts.cut(fonts.MONO, fonts.PRINTABLE_ASCII | frozenset("äöü")))


def test_a_local_font_of_the_page_stays_cut_to_its_characters(ingest: Ingest, browser: Browser, tmp_path: Path) -> None:
    own_font(tmp_path)
    page = ingest(
        """<style>@font-face{font-family:"My Font";src:local("My Font"),url(own.woff2) format("woff2");font-weight:400}
        @font-face{font-family:Unused;src:url(own.woff2)}
        p{font-family:'my font',sans-serif}</style><body><p>äx</p>""",
        tmp_path,
    )
    html = page.html or ""
    assert "local(" not in html and "Unused" not in html
    assert "p{font-family:'my font',\"sans-serif\"}" in html
    faces = re.findall(r'@font-face\{src:url\("data:font/woff2;base64,([^"]*)"\);font-family:"My Font"', html)
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


def test_an_icon_font_keeps_the_icons_in_use(ingest: Ingest, tmp_path: Path, browser: Browser) -> None:
    own_font(tmp_path)
    css = "@font-face{font-family:Icons;src:url(own.woff2)}.icon{font-family:Icons}.icon-o::before{content:'\\f6'}"
    html = (
        ingest(
            f"<style>{css}.icon-u::before{{content:'\\fc'}}</style><body><i class='icon icon-o'></i>x", tmp_path
        ).html
        or ""
    )
    (face,) = re.findall(r'@font-face\{src:url\("data:font/woff2;base64,([^"]*)"\);font-family:Icons', html)
    cmap = TTFont(io.BytesIO(base64.b64decode(face))).getBestCmap()
    assert 0xF6 in cmap and 0xFC not in cmap


@pytest.mark.parametrize("data", [b"", b"wOF2" + b"\0" * 60, b"\0\1\0\0" + b"\xff" * 40, b"OTTO", b"<html>"])
def test_a_broken_font_counts_as_missing(make: Make, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "own.woff2").write_bytes(data)
    css = "@font-face{font-family:F;src:url(own.woff2)}p{font-family:F}"
    [made] = make([RawPage("t", "t", f"<!DOCTYPE html><style>{css}</style><body><p>x</p>", root=tmp_path)])
    assert made.agreement == 1.0


def test_a_face_for_some_characters_leaves_the_others_to_the_next(make: Make, tmp_path: Path) -> None:
    own_font(tmp_path)
    css = (
        "@font-face{font-family:F;src:url(gone.eot);src:url(own.woff2);unicode-range:U+61-6?,U+FC}p{font:30px F,serif}"
    )
    [made] = make([RawPage("t", "t", f"<!DOCTYPE html><style>{css}</style><p>apple zoo ü 12 日本", root=tmp_path)])
    assert made.agreement == 1.0


def test_an_empty_variable_lets_a_button_inherit_the_font_around_it(ingest: Ingest, browser: Browser) -> None:
    """Frameworks declare `--font: ;`: no stack, and no reason for the fallback of `var()` either."""
    html = "<style>body{font-family:Georgia,serif} .b{--own: ;font-family:var(--own,Courier)}</style><p class=b>x"
    page, _ = open_page(browser, ingest(html).html or "")
    assert page.evaluate("getComputedStyle(document.querySelector('.b')).fontFamily").startswith("Georgia")


def test_a_packed_font_is_what_was_packed() -> None:
    packed = fonts.cut(fonts.SERIF, frozenset("Abc"))
    font = TTFont(io.BytesIO(packed))
    assert sorted(map(chr, font.getBestCmap())) == ["A", "b", "c"]
    assert [axis.axisTag for axis in font["fvar"].axes] == ["wght"]
    assert packed == fonts.cut.__wrapped__(fonts.SERIF, frozenset("Abc")), "the same bytes each time"


def test_packing_refuses_what_is_no_font() -> None:
    with pytest.raises(ValueError, match="no head table"):
        woff2.pack(b"\0\1\0\0" + b"\0" * 20)


def test_a_latin_page_carries_little(ingest: Ingest, browser: Browser) -> None:
    html = ingest("<body style='font-family:sans-serif'><p>The quick brown fox — jumps…</p>").html or ""
    assert len(html) < 90_000


def test_han_characters_take_the_forms_of_the_language(make: Make) -> None:
    tags = ("ja", "ko-KR", "zh", "zh-CN", "zh-Hant", "zh-TW", "zh-HK", "de")
    made = make(
        [RawPage(tag, tag, f"<!DOCTYPE html><html lang={tag}><p style='font-size:40px'>直返骨</p>") for tag in tags]
    )
    assert [done.agreement for done in made] == [1.0] * len(tags)
    faces = {
        tag: (done.page.html or "").partition("<style>")[2].partition("</style>")[0]
        for tag, done in zip(tags, made, strict=True)
    }
    assert faces["zh"] == faces["zh-CN"] == faces["de"]
    assert len({faces["ja"], faces["ko-KR"], faces["zh"], faces["zh-TW"], faces["zh-HK"]}) == 5


def test_stacks_are_drawn_by_the_fonts_that_stand_for_their_names() -> None:
    def families(stack: str, own: dict[str, frozenset[str]] | None = None) -> list[str]:
        [use] = used_fonts.plan([used_fonts.Sample(stack, "400", "normal", "", "abc")], own or {})
        return [f"{face.name}={fonts.family(face.font)}" for face in use.faces if face.font]

    assert families("Arial, sans-serif") == ["Arial=Inter"]
    assert families('"Helvetica Neue Nine", "Fira Code", monospace') == ["monospace=JetBrains Mono"]
    assert families("Lato") == ["Lato=Source Serif 4"], "what a browser takes when nothing is there"
    assert families("Mine, Arial", {"mine": fonts.PRINTABLE_ASCII}) == []
    assert families("Mine, Arial", {"mine": frozenset("xyz")}) == ["Arial=Inter"]


def test_the_world_is_the_same_files_again() -> None:
    first = font_world._made()
    assert font_world._made() == first and (first / "fonts.conf").exists()
    again = first.parent / "again"
    again.mkdir()
    try:
        font_world._fill(again, first)
        for path in (first / "files").iterdir():
            assert path.is_symlink() or path.read_bytes() == (again / "files" / path.name).read_bytes()
        assert (first / "fonts.conf").read_text() == (again / "fonts.conf").read_text()
    finally:
        shutil.rmtree(again)
