"""Whatever a page was, what is stored runs nothing, loads nothing, and is the tree that Chromium builds."""

from __future__ import annotations

import base64
import io
import os
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from playwright.sync_api import Browser

from diffbench_assets.pages import assets, dom, selfcontained
from diffbench_assets.pages.fingerprint import structure_fingerprint
from diffbench_assets.pages.placeholders import size_from_address
from diffbench_assets.pages.selfcontained import Page, make_self_contained
from diffbench_assets.pages.sources import HtmlSource, RawPage, read_source
from diffbench_assets_tests.pages.rendering import chromium, foreign_fonts, open_page, tag_sequence


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


def ingest(html: bytes | str | None, folder: Path | None = None, base: Path | None = None) -> Page:
    (page,) = make_self_contained([RawPage("t", "t", html, base or folder, folder)])
    return page


def stored(html: bytes | str, folder: Path | None = None, base: Path | None = None) -> str:
    page = ingest(html, folder, base)
    assert page.drop_reason is None
    assert page.html is not None
    return page.html


def same_tree(browser: Browser, html: str) -> bool:
    page, _ = open_page(browser, html)
    here = [f"{depth}:{node.tag}" for depth, node in dom.with_depth(dom.parse(html).root)]
    there = tag_sequence(page)
    page.close()
    return here == there


HOSTILE = """<!DOCTYPE html><html lang="en" manifest="{net}/m" onload="hit()"><head>
<base href="{net}/base/"><meta http-equiv="refresh" content="0;url={net}/refresh"><meta charset="latin1">
<meta http-equiv="Content-Security-Policy" content="img-src *"><meta property="og:image" content="{net}/og.png">
<link rel="stylesheet" href="{net}/a.css"><link rel="preload" as="image" href="{net}/pre.png"><link rel="icon" href="{net}/i">
<link rel="prefetch" href="{net}/p"><link rel="dns-prefetch" href="{net}"><link rel="stylesheet" href="file:///etc/passwd">
<script src="{net}/s.js"></script><script>fetch("{net}/fetch")</script><script type="module">import "{net}/m.js"</script>
<style>@import url({net}/i.css); @import "{net}/j.css"; @font-face {{ font-family: F; src: url({net}/f.woff2) }}
 body {{ background: url({net}/bg.png), u\\72l({net}/esc.png); font-family: F; cursor: url({net}/c.cur), auto }}
 p {{ background-image: image-set("{net}/1x.png" 1x, "{net}/2x.png" 2x); list-style: url('{net}/l.png') }}
 p::after {{ content: url({net}/c.png) }} div {{ mask: url({net}/m.svg#x); -webkit-mask-image: url("{net}/m.png");
 --u: url({net}/var.png); background: var(--u); border-image: url({net}/b.png) 1; filter: url({net}/f.svg#f) }}
 @media screen {{ b {{ background: url({net}/media.png) }} }} @keyframes k {{ from {{ background: url({net}/k.png) }} }}
 i {{ animation: k 1s infinite; &:hover, & {{ background: url({net}/nested.png) }} }} u {{ background: src("{net}/src.png") }}
 s {{ background: -webkit-image-set(url({net}/w.png) 1x); background-image: cross-fade(url({net}/x.png), red) }}
 @supports (display: grid) {{ em {{ background: ur/**/l({net}/q.png); background: url({net}/sup.png) }} }}
 q {{ content: "</style><script>hit()</script>" }}
</style></head><body background="{net}/body.png" onclick="hit()">
<noscript><img src="{net}/noscript.png"></noscript><template><img src="{net}/template.png" onerror="hit()"></template>
<img src="{net}/img.png" srcset="{net}/2x.png 2x" onerror="hit()" width="120" height="80" alt="boat" loading="lazy">
<img src="file:///etc/passwd"><img src="//{host}/proto.png"><img src="data:text/html,<script>hit()</script>">
<picture><source srcset="{net}/pic.webp"><img alt="p"></picture><input type="image" src="{net}/input.png">
<a href="javascript:hit()" ping="{net}/ping" target="_blank">x</a><a href=" jAvA&#10;script:hit()">y</a><a href="{net}/away">z</a>
<form action="{net}/form"><button formaction="javascript:hit()">go</button><input autofocus onfocus="hit()"></form>
<iframe src="{net}/frame" srcdoc="<script>parent.hit()</script>" width="200" height="100"></iframe>
<object data="{net}/object"><embed src="{net}/embed"></object><embed src="{net}/embed2">
<video src="{net}/v.mp4" poster="{net}/poster.png" autoplay><source src="{net}/v2.mp4"><track src="{net}/t.vtt"></video>
<audio src="{net}/a.mp3" controls autoplay></audio><applet code="x"></applet><portal src="{net}/portal"></portal>
<svg width="50" height="50"><script>hit()</script><image href="{net}/svg.png" width="9" height="9"/><use href="{net}/u.svg#a"/>
 <use xlink:href="#ok"/><a xlink:href="javascript:hit()"><text y="9">t</text></a><animate attributeName="x" onbegin="hit()"/>
 <set attributeName="href" to="javascript:hit()"/><rect fill="url({net}/fill.svg#g)" width="9" height="9" onload="hit()"/>
 <foreignObject><iframe src="{net}/fo"></iframe><body onload="hit()"></foreignObject><style>rect{{fill:url({net}/st.svg)}}</style>
 <feImage href="{net}/fe.png"/><filter><feImage xlink:href="{net}/fe2.png"/></filter></svg>
<math><maction actiontype="statusline" xlink:href="javascript:hit()">x</maction></math>
<div style="background:url({net}/inline.png);width:10px;behavior:url({net}/b.htc)">d</div>
<div style="background:u\\rl({net}/inl2.png)" data-src="{net}/data.png" onmouseover=hit()>e</div>
<table background="{net}/table.png"><td background="{net}/td.png">c</table><marquee onstart="hit()">moving</marquee>
<p>p</p><b>b</b><i>i</i><u>u</u><s>s</s><em>em</em><q>q</q><isindex action="{net}/x"><keygen>
<link rel="stylesheet" href="{net}/late.css"><style media="print" onload="hit()">@import "{net}/print.css";</style>
<xss onpointerenter="hit()" style="x:expression(hit())">x</xss><progress></progress></body></html>"""  # noqa: E501


def test_a_hostile_page_asks_for_nothing_and_runs_nothing(browser: Browser) -> None:
    asked: list[str] = []

    class Recorder(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        do_POST = do_HEAD = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    raw = HOSTILE.format(net=f"http://{host}", host=host)
    try:
        page = browser.new_page()
        page.set_content(raw.replace("http-equiv", "data-x"), wait_until="commit")  # else it leaves at once
        page.wait_for_timeout(500)
        page.close()
        assert len(asked) > 15, "the page as it was does ask"
        asked.clear()
        html = stored(raw)
        page = browser.new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.evaluate("() => { window.hits = 0; window.hit = () => { window.hits++ } }")
        page.set_content(html)
        page.mouse.move(5, 5)
        for link in page.query_selector_all("a"):
            link.evaluate("e => e.dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        page.wait_for_timeout(200)
        assert page.evaluate("window.hits") == 0
        assert [url for url in requests if not url.startswith(("data:", "about:"))] == []
        assert asked == []
    finally:
        server.shutdown()
    assert host not in html and "127.0.0.1" not in html
    for word in (
        "<script",
        "javascript:",
        " on",
        "file:",
        "<iframe",
        "@import",
        "http-equiv",
        "<base",
        "<animate",
        "srcset",
    ):
        found = re.search(r"\son[a-z]+=" if word == " on" else re.escape(word), html, re.IGNORECASE)
        assert found is None, f"{word} is left: {html[found.start() - 60 : found.end() + 60] if found else ''}"
    assert same_tree(browser, html) and dom.serialize(dom.parse(html)) == html
    assert ingest(html).html is not None, "a stored page can be ingested again"


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (None, "empty"),
        (b"", "empty"),
        (" \n\t", "empty"),
        (b"\0\0\0", "empty"),
        (bytes(range(256)) * 50, "binary"),
        (b"\x89PNG\r\n\x1a\n" + os.urandom(64) + bytes(4000), "binary"),
        (b"%PDF-1.7\n" + bytes(range(32)) * 200, "binary"),
        ("just words, no markup", "not_html: no HTML tag in it"),
        ('{"json": [1, 2]}', "not_html: no HTML tag in it"),
        ("<html>" + "x" * (9 * 2**20), "too_large: 9 MB"),
        ("<!DOCTYPE html>" + "<div>" * 10_000 + "x", "too_deep: about 10000 levels"),
        ("<!DOCTYPE html>" + "<div>" * 600 + "x" + "</div>" * 600, "too_deep: 602 levels"),
        ("<!DOCTYPE html>" + "<b>" * 200_000 + "x", "too_deep: about 200000 levels"),
        ("<html><head><title>t</title></head><body> <script>1</script></body></html>", "no_visible_content"),
        ("<html><frameset><frame src=a></frameset></html>", "no_visible_content: no body"),
    ],
)
def test_unusable_pages_say_why(html: bytes | str | None, reason: str) -> None:
    page = ingest(html)
    assert (page.html, page.drop_reason) == (None, reason)


def test_a_page_that_could_not_be_read_keeps_its_reason() -> None:
    (page,) = make_self_contained([RawPage("a", "a", None, error="too_large: 200 MB")])
    assert page.drop_reason == "too_large: 200 MB"


def test_a_bad_page_does_not_stop_the_others() -> None:
    good = "<!DOCTYPE html><p>fine</p>"
    pages = make_self_contained(
        [RawPage(str(i), "u", html) for i, html in enumerate((good, "", good, "<div>" * 9000, good))]
    )
    assert [page.drop_reason is None for page in pages] == [True, False, True, False, True]
    assert pages[0].html == pages[2].html == pages[4].html


@pytest.mark.parametrize("text", ["Grüße — “naïve” €5", "日本語テキスト", "Привет, мир"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "legacy"])
def test_encodings_are_read_as_browsers_read_them(text: str, encoding: str) -> None:
    legacy = {"G": "windows-1252", "日": "shift_jis", "П": "windows-1251"}[text[0]]
    name = legacy if encoding == "legacy" else encoding
    meta = f'<meta charset="{legacy}">' if encoding == "legacy" else ""
    html = f"<!DOCTYPE html><html><head>{meta}</head><body><p>{text}</p></body></html>"
    assert f"<p>{text}</p>" in stored(html.encode(name))


def test_latin_1_without_a_declaration_is_guessed() -> None:
    assert "<p>café</p>" in stored("<p>café</p>".encode("latin-1"))


@pytest.mark.parametrize("declared", ["nonsense", "undefined", "hex", "utf-7", "idna"])
def test_a_wrong_declaration_does_no_harm(declared: str) -> None:
    assert "<p>plain</p>" in stored(f'<meta charset="{declared}"><p>plain</p>'.encode())


@pytest.mark.parametrize(
    "body",
    [
        "<p>unclosed <b>bold <i>both</b> italic <p>next",
        "<table><tr><td>cell<p>loose text<div>in row</table>after",
        "<ul><li>a<li>b<ul><li>c</ul></ul><dl><dt>t<dd>d</dl>",
        "<pre>\n\n  two newlines</pre><textarea>\n\nx</textarea><listing>\n\ny</listing>",
        "<select><option>a<option selected>b<optgroup label=g><option>c</select>",
        "<a href=x>one<a href=y>two</a></a><button>b<button>c",
        "<svg viewBox='0 0 1 1'><foreignObject><p>html</p></foreignObject><linearGradient/></svg><math><mi>x",
        "<p>a\0b</p><!-- c --><p>&amp;lt; &notit; &#0; &#x1F600;</p>",
        "<div " + " ".join(f"a{i}=1" for i in range(500)) + ">x</div>",
        "x" * 200_000 + "<p>end</p>",
        "<style>p{color:red;}}} @media{ .a{b:'unclosed } </style><p>after broken css</p>",
        "<style>@media (min-width:1px){p{color:red</style><p>unclosed block</p>",
        "<h1><h2>x</h1></h2><form><form>nested</form></form><nobr>a<nobr>b",
        "<details><summary>s</summary>d</details><dialog open>d</dialog><frameset><body class=late>",
        "<ruby>a<rt>b<rp>c</ruby><search>s</search><menu><li>m</menu><center>c</center><font color=red>f",
    ],
)
def test_the_stored_text_is_a_fixpoint_and_the_tree_of_chromium(browser: Browser, body: str) -> None:
    html = stored(f"<!DOCTYPE html><html><body>{body}</body></html>")
    assert dom.serialize(dom.parse(html)) == html
    assert same_tree(browser, html)


_FRAGMENTS = st.sampled_from(
    [
        "<p>",
        "<div>",
        "</div>",
        "</p>",
        "<b>",
        "</b>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<a>",
        "<ul>",
        "<li>",
        "text",
        "<svg>",
        "<path>",
        "</svg>",
        "<select>",
        "<option>",
        "<pre>",
        "\n",
        "<style>a{}",
        "</style>",
        "<button>",
        "<form>",
        "</form>",
        "<h1>",
        "</h1>",
        "<math>",
        "<mi>",
        "<br>",
        "<i>",
        "</i>",
        "&lt;",
        "<!--x-->",
        "<title>",
    ]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_FRAGMENTS, min_size=1, max_size=30))
def test_any_tag_soup_ends_as_a_fixpoint_or_with_a_reason(parts: list[str]) -> None:
    page = ingest("<!DOCTYPE html><body>" + "".join(parts))
    if page.html is None:
        assert page.drop_reason is not None and not page.drop_reason.startswith("failed")
    else:
        assert dom.serialize(dom.parse(page.html)) == page.html


def test_quirks_mode_is_kept(browser: Browser) -> None:
    for doctype, mode in (("", "BackCompat"), ("<!DOCTYPE html>", "CSS1Compat")):
        page, _ = open_page(browser, stored(f"{doctype}<p>x</p>"))
        assert page.evaluate("document.compatMode") == mode


def picture(size: tuple[int, int], kind: str = "PNG", noise: bool = False) -> bytes:
    rng = np.random.default_rng(1)
    data = (
        rng.integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
        if noise
        else np.zeros((size[1], size[0], 3), np.uint8)
    )
    out = io.BytesIO()
    Image.fromarray(data).save(out, kind)
    return out.getvalue()


def embedded_images(html: str) -> list[tuple[str, Image.Image]]:
    found = re.findall(r"data:image/(\w+);base64,([A-Za-z0-9+/=]+)", html)
    return [(kind, Image.open(io.BytesIO(base64.b64decode(data)))) for kind, data in found]


def site(folder: Path, files: dict[str, bytes | str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def test_local_files_are_inlined(tmp_path: Path, browser: Browser) -> None:
    site(
        tmp_path,
        {
            "css/site.css": "@import 'more.css' screen; h1{background:url(../img/a.png)}",
            "css/more.css": "h1{color:rgb(1, 2, 3)}",
            "img/a.png": picture((4, 4)),
            "img/big.png": picture((300, 200), noise=True),
            "img/b.jpg": picture((5, 5), "JPEG"),
        },
    )
    html = stored(
        """<!DOCTYPE html><link rel="stylesheet" href="/css/site.css?v=3"><h1>x</h1>
        <img src="../img/big.png"><img src="../img/b.jpg">""",
        tmp_path,
        tmp_path / "css",
    )
    kinds = [(kind, image.size) for kind, image in embedded_images(html)]
    assert sorted(kinds) == [("jpeg", (5, 5)), ("png", (4, 4)), ("webp", (300, 200))]
    page, requests = open_page(browser, html)
    assert requests == [] and page.eval_on_selector("h1", "e => getComputedStyle(e).color") == "rgb(1, 2, 3)"


def test_conditions_of_imports_and_links_stay(tmp_path: Path) -> None:
    site(tmp_path, {"a.css": "@import url(b.css) layer(low) supports(display: grid) print;", "b.css": "p{color:red}"})
    html = stored('<link rel=stylesheet href=a.css media="(min-width: 5px)"><p>x</p>', tmp_path)
    assert '<style media="(min-width: 5px)">@layer low{@supports (display: grid){@media print{p{color:red}}}}' in html


def test_an_animated_picture_shows_its_first_frame(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (6, 6), color) for color in ("red", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    ((kind, image),) = embedded_images(stored("<img src=a.gif>", tmp_path))
    assert kind == "webp" and getattr(image, "n_frames", 1) == 1
    red, _, blue = image.convert("RGB").getpixel((3, 3))  # type: ignore[misc]
    assert red > 200 > blue


def test_a_recoded_picture_is_the_same_bytes_each_time() -> None:
    data = picture((300, 200), noise=True)
    assert assets._embedded.__wrapped__(data) == assets._embedded.__wrapped__(data)


def test_files_outside_the_folder_are_not_reached(tmp_path: Path) -> None:
    site(
        tmp_path,
        {"secret.png": picture((3, 3)), "secret.css": "p{color:red}", "site/a.css": "@import '../secret.css';"},
    )
    folder = tmp_path / "site"
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "loop.png").symlink_to(folder / "loop.png")
    (folder / "dir").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.png")
    addresses = ["../secret.png", "/../secret.png", "%2e%2e/secret.png", "link.png", "loop.png", "dir/secret.png",
                 "pipe.png", f"file://{tmp_path}/secret.png", str(tmp_path / "secret.png"), "a\0b.png", "x" * 5000, ".",
                 ""]  # fmt: skip
    body = "".join(f'<img src="{address}">' for address in addresses)
    html = stored(f"<link rel=stylesheet href=a.css><link rel=stylesheet href=../secret.css>{body}<p>x</p>", folder)
    assert re.findall(r"data:image/(\w+)", html) == ["svg"] * (html.count("<img") - 1)
    assert "color:red" not in html


def test_svg_pictures_lose_what_runs_or_loads(tmp_path: Path, browser: Browser) -> None:
    svg = """<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY a "aa">]>
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="30"
    onload="x()">
    <script>x()</script><style>@import url(http://h.test/); rect{fill:red}</style><animate attributeName="x"/>
    <image xlink:href="http://h.test/a.png"/><rect width="9" height="9" fill="url(http://h.test/b)"/>
    <text y="20">&a;Text</text></svg>"""
    site(tmp_path, {"a.svg": svg, "bad.svg": "<svg", "html.svg": "<html><body>x"})
    html = stored("<img src=a.svg><img src=bad.svg><img src=html.svg>", tmp_path)
    cleaned = base64.b64decode(re.findall(r"svg\+xml;base64,([^\"]+)", html)[0]).decode()
    assert not re.search(r"script|onload|h\.test|animate|root:|@import", cleaned)
    assert "diffbench-sans" in cleaned and "Text" in cleaned
    page, requests = open_page(browser, html)
    assert requests == [] and page.evaluate("document.images[0].naturalWidth") == 40


def test_missing_pictures_keep_the_layout(browser: Browser) -> None:
    html = stored(
        """<!DOCTYPE html><style>.c{width:77px;height:33px}</style><img src="http://h/a.png" width=120 height=80>
        <img src="http://h/b.png" class="c"><img src="https://placehold.co/320x240">
        <img src="http://h/d.png" width="100">
        <img src="http://h/photo?w=600&h=200"><img src="http://h/e.png">
        <iframe src="http://h" width=200 height=90></iframe><video src=v.mp4></video>
        <img src="http://h/f.png" style="width:50px">"""
    )
    page, _ = open_page(browser, html)
    sizes = page.evaluate("[...document.images].map(i => [i.width, i.height])")
    assert sizes == [
        [120, 80],
        [77, 33],
        [320, 240],
        [100, 75],
        [600, 200],
        [400, 300],
        [200, 90],
        [300, 150],
        [50, 38],
    ]


@pytest.mark.parametrize(
    ("address", "size"),
    [
        ("https://via.placeholder.com/150", (150, 150)),
        ("https://picsum.photos/200/300", (200, 300)),
        ("https://picsum.photos/id/237/640/480.jpg", (640, 480)),
        ("https://source.unsplash.com/random/300x200/?boat", (300, 200)),
        ("https://images.unsplash.com/photo-1?auto=format&w=800", (800, 600)),
        ("a.png", None),
        ("https://x/2024/05/photo.png", None),
    ],
)
def test_addresses_may_state_a_size(address: str, size: tuple[int, int] | None) -> None:
    assert size_from_address(address) == size


def test_import_circles_end_and_endless_imports_drop_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site(tmp_path, {"a.css": "@import 'b.css'; p{color:red}", "b.css": "@import 'a.css'; @import 'b.css'; p{top:1px}"})
    assert "p{top:1px}p{color:red}" in stored("<link rel=stylesheet href=a.css><p>x</p>", tmp_path)
    # Every file imports all the others: finite, yet more imports than anyone could follow.
    names = [f"m{i}.css" for i in range(12)]
    site(tmp_path, {name: "".join(f"@import '{other}';" for other in names) + "p{left:1px}" for name in names})
    page = ingest("<link rel=stylesheet href=m0.css><p>x</p>", tmp_path)
    assert page.drop_reason == "css_import_loop: more than 200 imports"


def test_too_much_css_drops_the_page(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("p{color:red}\n" * 700_000)
    assert (ingest("<link rel=stylesheet href=a.css><p>x</p>", tmp_path).drop_reason or "").startswith("css_too_large")


def test_a_page_that_grows_too_large_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcontained, "MAX_PAGE_BYTES", 1000)
    assert (ingest("<p>x</p>").drop_reason or "").startswith("too_large: ")


def test_deep_css_does_not_break_anything() -> None:
    for css in (
        "@media all{" * 3000 + "p{color:red}",
        "p{color:" + "(" * 20_000,
        "p{a:" + "calc(" * 5000,
        "&{" * 5000,
        ":not(" * 5000,
    ):
        page = ingest(f"<style>{css}</style><p>x</p>")
        assert page.html is not None or (page.drop_reason or "").startswith("css_too_deep")


def test_only_rules_that_can_match_are_stored() -> None:
    html = stored(
        """<style>.used{color:red}.unused{color:red}#id{top:0}#no{top:0}h1 .used>b{left:0}.used:not(.unused){right:0}
        @media print{.unused{top:1px}}@keyframes go{to{top:0}}@keyframes stop{to{top:0}}.used{animation:go 1s}
        [class*=un]{bottom:0}table{top:0}:root{--a:1px;--b:2px}p{margin:var(--a)}</style>
        <p class=used id=id>x<b>y</b>"""
    )
    css = re.findall(r"<style>(.*?)</style>", html)[1]
    assert css == (
        ".used{color:red}#id{top:0}.used:not(.unused){right:0}@keyframes go{to{top:0}}.used{animation:go 1s}"
        "[class*=un]{bottom:0}:root{--a:1px}p{margin:var(--a)}"
    )


LONG = "color:rgb(1,2,3);" * 6
NESTED = [
    # The first declaration of neighbours that are alike but for it, as rules of a gradient are.
    *[f".a{{{first};{LONG}}}.b{{{first};{LONG}}}" for first in (
        "@media (min-width:1px){--x:1;left:7px}top:7px", "&:is(p){--x:1;left:7px}top:7px", "--x:{a;b};left:7px;top:7px",
        "--x:';';left:7px;top:7px", "--x:url(data:image/gif;base64,);left:7px;top:7px", "--x:[;];left:7px;top:7px",
        "inset:1px;left:7px;top:7px", "--x:1px;--x :7px;left:var(--x);top:var(--x)",
    )],
    f".a,.b{{left:7px;@media (min-width:1px){{top:7px}}{LONG}}}",
    # A variable that nothing uses, last in a nested rule.
    "p.a,p.b{left:var(--x);top:var(--x)}:root{@media (min-width:1px){--x:7px;--gone:2}}.a,.b{left:1px;top:1px}",
    "p.a,p.b{left:var(--x);top:var(--x)}:root{&{--x:7px;--gone:2}}.a,.b{left:1px;top:1px}",
    ".a,.b{@supports (top:0){@media (min-width:1px){&:not(i){left:7px;top:7px;font-family:X;background:url(x.png)}}}}",
    "body{@media (min-width:1px){& .a,& .b{left:7px;top:7px}}}",
]  # fmt: skip


@pytest.mark.parametrize("css", NESTED)
def test_nested_rules_and_the_order_of_declarations_survive(browser: Browser, css: str) -> None:
    html = f"<style>{css} i{{left:9px}}</style><body><p class=a>x</p><p class=b>y</p><i>z</i>"
    ask = "[...document.querySelectorAll('p,i')].map((e) => [getComputedStyle(e).left, getComputedStyle(e).top])"
    shown, _ = open_page(browser, html)
    expected = shown.evaluate(ask)
    assert ["7px", "7px"] in expected and expected[2] == ["9px", "auto"]
    made, _ = open_page(browser, stored(html))
    assert made.evaluate(ask) == expected
    shown.close()
    made.close()


def test_structure_counts_and_text_does_not() -> None:
    one = "<body><div class='b a'><p>text</p></div>"
    assert structure_fingerprint(one) == structure_fingerprint("<body id=x><div class='a  b'>\n<p>other</p> </div>")
    different = [
        "<body><div class='a'><p>text</p></div>",
        "<body><div class='b a'></div><p>text</p>",
        "<body><div class='b a'>",
    ]
    assert len({structure_fingerprint(html) for html in [one, *different]}) == 4
    assert structure_fingerprint(one) == "8ad6e589276e1c92c75e6f562cc2c7ac", "stored fingerprints must stay comparable"


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<html lang="pt-BR"><p>olá mundo</p>', "pt-BR"),
        ("<p>plain</p>", None),
        ("<p>これは日本語の文章です</p>", "ja"),
        ("<p>这是中文网页的内容</p>", "zh"),
        ('<html lang="en"><p>안녕하세요 세계 여러분</p>', "ko"),
        ('<html lang="fa"><p>سلام دنیا</p>', "fa"),
        ('<html lang="zh-Hant"><p>繁體中文網頁</p>', "zh-Hant"),
        ('<html lang="en"><p>' + "words " * 50 + "日本</p>", "en"),
        ('<html lang="???"><p>สวัสดีชาวโลก</p>', "th"),
    ],
)
def test_language_is_what_the_page_says_unless_its_letters_say_otherwise(html: str, language: str | None) -> None:
    assert ingest(html).language == language


@pytest.mark.parametrize(
    ("body", "richness"),
    [("<p>short</p>", "minimal"), ("<p>" + "word " * 200, "standard"), ("<p>word</p>" * 60, "standard"),
     ("<p>" + "word " * 600, "rich"), ("<p>word word</p>" * 250, "rich")],
)  # fmt: skip
def test_richness_is_measured(body: str, richness: str) -> None:
    assert ingest(f"<body>{body}</body>").richness == richness


def test_ingestion_is_deterministic_and_independent_of_order() -> None:
    raw = [
        RawPage(str(i), "u", f"<p class='p-{i} flex'>{i} — {'日本語' * i}</p><img src=http://h/{i}.png>")
        for i in range(5)
    ]
    first = make_self_contained(raw)
    assert make_self_contained(raw) == first
    assert list(reversed(make_self_contained(list(reversed(raw))))) == first


def test_a_small_site_in_a_framework_survives_whole(tmp_path: Path, browser: Browser) -> None:
    site(
        tmp_path,
        {
            "index.html": """<!DOCTYPE html><html lang="en"><head><link rel="stylesheet" href="style.css"></head><body>
                <nav class="bar"><a class="brand" href="/">Site</a></nav>
                <main class="box"><h1>Title</h1><img src="a.png"></main></body>""",
            "style.css": "body{margin:0;font-family:Lato,sans-serif}.bar{background:#123;padding:8px}.box{padding:1em}",
            "a.png": picture((30, 20)),
        },
    )
    (raw,) = read_source(HtmlSource(name="s", kind="html", path=str(tmp_path)))
    (page,) = make_self_contained([raw])
    shown, requests = open_page(browser, page.html or "")
    assert requests == [] and foreign_fonts(shown) == set()
    assert shown.eval_on_selector(".bar", "e => getComputedStyle(e).backgroundColor") == "rgb(17, 34, 51)"
    assert shown.evaluate("document.images[0].naturalWidth") == 30
