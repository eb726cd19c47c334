"""Pages that load Tailwind get the stylesheet that its own engine makes, with the steps next to their classes."""

# ruff: noqa: E501  (markup is not broken)
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route

from diffbench_assets.browser.chromium import find_chromium, sandboxed
from diffbench_assets.browser.render import FLAGS
from diffbench_assets.pages import font_world, ladders, scales, tailwind
from diffbench_assets.pages.sources import RawPage
from diffbench_assets_tests.pages.conftest import Ingest, Make
from diffbench_assets_tests.pages.rendering import open_page

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
CDN = {
    2: '<link rel="stylesheet" href="https://unpkg.com/tailwindcss@^2/dist/tailwind.min.css">',
    3: '<script src="https://cdn.tailwindcss.com"></script>',
    4: '<script src="https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4"></script>',
}
READ = """() => [...document.body.querySelectorAll('*')].filter(e => e.localName !== 'script').map(e => {
    const style = getComputedStyle(e), names = [...style].filter(n => !/^(font-family|--)/.test(n));
    return [e.localName, ...names.map(n => `${n}:${style.getPropertyValue(n).replace(/url\\(.*\\)/, "url()")}`)]; })"""


@pytest.fixture(scope="module")
def world(browser: Browser) -> Iterator[Browser]:
    """A browser that knows the fonts that pages are read with."""
    running = browser.browser_type.launch(
        executable_path=find_chromium(),
        args=list(FLAGS),
        chromium_sandbox=sandboxed(),
        env=dict(font_world.environment()),
    )
    yield running
    running.close()


def document(head: str, body: str = BODY) -> str:
    return f'<!DOCTYPE html><html lang="en"><head><title>t</title>{head}</head><body>{body}</body></html>'


def by_its_engine(world: Browser, head: str, body: str, plugins: tuple[str, ...] = ()) -> Page:
    """The page as it is with scripts on and the engine at its public address."""
    page = world.new_page(viewport={"width": 1280, "height": 800})

    def answer(route: Route) -> None:
        flavour = tailwind.flavour_of_address(route.request.url)
        if flavour in ("3", "4"):
            route.fulfill(body=tailwind._engine(flavour, plugins), content_type="text/javascript")
        elif flavour == "2":
            route.fulfill(body=tailwind.stylesheet_2(), content_type="text/css")
        else:
            route.fulfill(body=document(head, body), content_type="text/html")

    page.route("**/*", answer)
    page.goto("http://page.test/")
    page.wait_for_timeout(300)
    return page


def assert_as_by_its_engine(
    browser: Browser, world: Browser, ingest: Ingest, head: str, body: str, plugins: tuple[str, ...] = ()
) -> str:
    """Every element's computed style is that of the engine's own run; returns the stored page."""
    done = ingest(document(head, body))
    assert done.drop_reason is None
    live = by_its_engine(world, head, body, plugins)
    made, requests = open_page(browser, done.html or "")
    assert requests == []
    pairs = zip(made.evaluate(READ), live.evaluate(READ), strict=True)
    assert [(*sorted(set(one) ^ set(other)), one[0]) for one, other in pairs if one != other] == []
    live.close()
    made.close()
    return done.html or ""


@pytest.mark.parametrize("version", CDN)
def test_a_page_looks_as_its_engine_makes_it(browser: Browser, world: Browser, ingest: Ingest, version: int) -> None:
    html = assert_as_by_its_engine(browser, world, ingest, CDN[version], BODY)
    assert "<script" not in html and "text/tailwindcss" not in html


CONFIGURED = {
    "dark by class, nested colours, functions": (
        "tailwind.config = {darkMode: ['class', '[data-mode=\"dark\"]'], theme: {extend: {colors: ({colors}) => ({"
        "brand: {DEFAULT: '#123456', deep: {500: colors.teal[700]}}}), fontSize: {huge: ['41px', '3']}}}}",
        "<main data-mode=dark><p class='dark:p-6 bg-brand text-brand-deep-500 text-huge md:text-lg'>x</p></main>",
    ),
    "important, prefix, safelist": (
        "const spacing = {odd: '19px'}; tailwind.config = {important: true, prefix: 'tw-', safelist: ['tw-p-9'],"
        "theme: {extend: {spacing}}}",
        "<p class='tw-p-odd tw-bg-red-500 p-4' style='padding:1px'>x</p>",
    ),
    "own plug-in and screens": (
        "tailwind.config = {theme: {screens: {tall: {raw: '(min-height: 700px)'}, xl: '900px'}}, plugins: ["
        "tailwind.plugin(({addUtilities, addVariant}) => { addUtilities({'.skew-it': {transform: 'skewX(9deg)'}});"
        "addVariant('kid', '& > *') })]}",
        "<div class='skew-it tall:p-3 xl:m-7 kid:pl-5'><p>x</p></div>",
    ),
    "escapes and brackets": (
        "tailwind.config = {theme: {container: {center: true, padding: {DEFAULT: '1rem', lg: '5rem'}}}}",
        "<div class=\"container w-1/2 -mt-[3px] before:content-['</style>'] [&:nth-child(2)]:p-2 supports-[gap:1px]:p-1 "
        "!leading-[1.7] bg-[url('data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')] grid-cols-[1fr_2fr] peer\"></div><p class='peer-[.grid]:p-3 group/x p-0.5'>x",
    ),
}


@pytest.mark.parametrize("name", CONFIGURED)
def test_configuration_is_what_the_engine_makes_of_it(
    browser: Browser, world: Browser, ingest: Ingest, name: str
) -> None:
    script, body = CONFIGURED[name]
    assert_as_by_its_engine(browser, world, ingest, f"{CDN[3]}<script>{script}</script>", body)


@pytest.mark.parametrize("plugins", [("forms",), ("typography", "aspect-ratio"), ("container-queries",)])
def test_plugins_are_those_that_the_address_asks_for(
    browser: Browser, world: Browser, ingest: Ingest, plugins: tuple[str, ...]
) -> None:
    head = f'<script src="https://cdn.tailwindcss.com?plugins={",".join(plugins)}"></script>'
    body = """<input type=text><select><option>o</select><article class="prose"><h2>h</h2><p>p <code>c</code></article>
        <div class="aspect-w-16 aspect-h-9">a</div><div class="@container w-96"><p class="@sm:p-4">q</p></div>"""
    assert_as_by_its_engine(browser, world, ingest, head, body, plugins)


def test_styles_for_the_engine_are_compiled(browser: Browser, world: Browser, ingest: Ingest) -> None:
    three = "<style type=text/tailwindcss>@layer components{.btn{@apply px-4 py-2 rounded-sm bg-opacity-50 md:p-9}}"
    assert_as_by_its_engine(browser, world, ingest, f"{CDN[3]}{three}</style>", "<b class='btn bg-red-500'>x</b>")
    four = """<style type=text/tailwindcss>@theme{--color-sea:#00f0f0;--breakpoint-md:300px} @utility tab-* {tab-size:
        --value(integer)} @custom-variant dark (&:where(.dark *)); .card{@apply p-4 rounded-lg}</style>"""
    body = "<div class=dark><p class='card bg-sea dark:m-3 md:tab-5'>x</p></div>"
    assert_as_by_its_engine(browser, world, ingest, CDN[4] + four, body)


def test_a_rule_of_the_page_competes_as_in_its_version(browser: Browser, world: Browser, ingest: Ingest) -> None:
    for version in CDN:
        for own in ("<style>p{color:rgb(1, 2, 3)}</style>{}", "{}<style>.text-white{color:rgb(1, 2, 3)}</style>"):
            head = own.replace("{}", CDN[version])
            assert_as_by_its_engine(browser, world, ingest, head, '<p class="text-white">x</p><hr>')


def test_a_configuration_in_a_file_of_the_page_is_read(make: Make, browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "theme.js").write_text("tailwind.config = {theme: {extend: {colors: {brand: '#010203'}}}}")
    raw = document(f"{CDN[3]}<script src=theme.js></script>", "<p class=bg-brand>x</p>")
    [made] = make([RawPage("t", "t", raw, root=tmp_path)])
    page, _ = open_page(browser, made.page.html or "")
    assert page.eval_on_selector("p", "e => getComputedStyle(e).backgroundColor") == "rgb(1, 2, 3)"
    page.close()


@pytest.mark.parametrize("version", CDN)
def test_every_step_of_every_scale_in_use_is_defined(browser: Browser, ingest: Ingest, version: int) -> None:
    tokens = "rounded-lg bg-blue-500 text-lg font-bold p-4 px-2 gap-3 top-2 opacity-50 border-2 justify-start"
    body = f'<div class="flex relative border-solid {tokens}"><p class="bg-gradient-to-r from-pink-500">x</p></div>'
    page, _ = open_page(browser, ingest(document(CDN[version], body)).html or "")
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
    page.close()


@pytest.mark.parametrize("version", CDN)
def test_the_scales_state_what_the_stylesheets_do(browser: Browser, ingest: Ingest, version: int) -> None:
    """Colours, sizes and radii of the table are what Chromium computes for the class."""
    table = ladders.SCALES[version]
    sample = {"rounded": "border-top-left-radius", "text": "font-size", "p": "padding-left", "font": "font-weight"}
    marks = "".join(
        f'<i class="{scales.token(prefix, suffix)}" data-p="{name}" data-v="{value}"></i>'
        for prefix, name in sample.items()
        for suffix, value in table[prefix]
    )
    hues = [prefix for prefix in table if prefix.startswith("bg-")]
    marks += "".join(f'<b class="{hue}-{shade}" data-v="{value}"></b>' for hue in hues for shade, value in table[hue])
    page, _ = open_page(browser, ingest(document(CDN[version], f"<p>x</p>{marks}")).html or "")
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
    page.close()


def test_classes_without_any_tailwind_stay_without_rules(browser: Browser, ingest: Ingest) -> None:
    html = ingest(document("")).html or ""
    assert ".rounded-xl" not in html
    page, _ = open_page(browser, html)
    assert page.eval_on_selector("main", "e => getComputedStyle(e).padding") == "0px"
    page.close()


def test_a_built_stylesheet_stays_as_it_is(ingest: Ingest) -> None:
    built = ".p-4{padding:1rem}.p-5{padding:1.25rem}.rounded{border-radius:.25rem}"
    html = ingest(document(f"<style>{built}</style>", "<p class=p-4>x</p>")).html or ""
    assert "<style>.p-4{padding:1rem}.p-5{padding:1.25rem}</style>" in html, "with the steps that it has"


HOSTILE = {
    "endless": "while (true) {}",
    "throwing": "throw new Error('no'); tailwind.config = {}",
    "not an object": "tailwind.config = 7",
    "leaving": "location.href = 'http://elsewhere.test/'; tailwind.config = {}",
    "rewriting": "document.open(); document.write('<p>gone'); document.close(); tailwind.config = {}",
    "asking": "fetch('http://elsewhere.test/'); new Image().src = 'http://elsewhere.test/a'; tailwind.config = {theme: {}}",
    "imported rules": "tailwind.config = {plugins: [({addBase}) => addBase({'@import \"http://elsewhere.test/a.css\"': {},"
    "body: {background: 'url(http://elsewhere.test/b.png)'}})]}",
    "many windows": "for (let i = 0; i < 9; i++) window.open('about:blank'); tailwind.config = {}",
}


def test_hostile_configuration_harms_no_page(make: Make) -> None:
    good = RawPage("good", "good", document(CDN[3], "<p class='p-4'>x</p>"))
    bad = [
        RawPage(
            name, name, document(f"{CDN[3]}<script>/* tailwind.config */ {script}</script>", "<p class='p-4'>x</p>")
        )
        for name, script in HOSTILE.items()
    ]
    made = make([good, *bad, good])
    assert [done.page.drop_reason for done in made] == [None] * len(made)
    assert [done.agreement for done in made] == [1.0] * len(made)
    assert made[0].page == made[-1].page
    assert ".p-4" in (made[0].page.html or "")
    assert not any("elsewhere" in (done.page.html or "") for done in made)


def test_hostile_class_names_do_no_harm(browser: Browser, make: Make) -> None:
    names = ["bg-[url(http://x.test/a.png)]", "content-['}</style>']", "w-[}]", "[--a:{}]", "p-[calc(]", "\\", "@apply",
             "before:content-['<script>']", "[&>*]:p-4", "a" * 5000, "bg-[#fff;}]", "*/", "/*", "p-4"]  # fmt: skip
    body = f'<p class="{" ".join(names)}">x</p>'
    for version in CDN:
        [made] = make([RawPage("bad", "bad", document(CDN[version], body))])
        assert made.agreement == 1.0
        assert "x.test" not in re.sub(r'class="[^"]*"|\.bg-\\\[url.*?\{', "", made.page.html or "")


def test_a_page_stays_small(ingest: Ingest) -> None:
    for version, most in ((2, 50_000), (3, 50_000), (4, 50_000)):
        sheets = re.findall(r"<style[^>]*>(.*?)</style>", ingest(document(CDN[version])).html or "", re.DOTALL)
        assert 5_000 < sum(map(len, sheets[1:])) < most


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
    assert "-top-8" in scales.siblings("-top-4", 4)
    assert "bg-blue-700/50" in scales.siblings("bg-blue-600/50", 4)
    assert scales.siblings("md:p-4", 4) == () and scales.siblings("p-4x", 4) == ()
    assert scales.scale_step("rounded-lg", 4) == scales.ScaleStep("rounded", 4)


def test_the_same_page_is_the_same_bytes(make: Make) -> None:
    raw = [RawPage(str(i), "u", document(CDN[version])) for i, version in enumerate((3, 4, 3, 4))]
    first, second, third, fourth = (done.page.html for done in make(raw))
    assert first == third and second == fourth and first != second
    assert np.array_equal([first, second], [done.page.html for done in make(raw[:2])])
