"""Whatever a page was, what is stored shows the same, runs nothing, loads nothing, and is the tree Chromium builds."""

# ruff: noqa: E501  (markup is not broken)
from __future__ import annotations

import base64
import io
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from playwright.sync_api import Browser

from diffbench_assets.pages import dom, stored
from diffbench_assets.pages.fingerprint import structure_fingerprint
from diffbench_assets.pages.ingest import ingest as ingest_source
from diffbench_assets.pages.sanitize import POLICY
from diffbench_assets.pages.sources import HtmlSource, RawPage
from diffbench_assets.pages.stored import to_page
from diffbench_assets_tests.pages.conftest import Ingest, Make
from diffbench_assets_tests.pages.rendering import foreign_fonts, open_page, tag_sequence


def html_of(ingest: Ingest, html: bytes | str, folder: Path | None = None, path: str = "index.html") -> str:
    page = ingest(html, folder, path)
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
<style>@import url({net}/i.css); @import "{net}/j.css"; @\\69mport "{net}/k.css";
 @font-face {{ font-family: F; src: url({net}/f.woff2) }}
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
<div style="background:u\\rl({net}/inl2.png)" onmouseover=hit()>e</div>
<table background="{net}/table.png"><td background="{net}/td.png">c</table><marquee onstart="hit()">moving</marquee>
<p>p</p><b>b</b><i>i</i><u>u</u><s>s</s><em>em</em><q>q</q><isindex action="{net}/x"><keygen>
<link rel="stylesheet" href="{net}/late.css"><style media="print" onload="hit()">@import "{net}/print.css";</style>
<xss onpointerenter="hit()" style="x:expression(hit())">x</xss><progress></progress></body></html>"""  # noqa: E501


def test_a_hostile_page_asks_for_nothing_and_runs_nothing(browser: Browser, ingest: Ingest) -> None:
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
        html = html_of(ingest, raw)
        assert asked == [], "nothing is asked for while it is read"
        for text in (html, html.replace(POLICY, "")):
            page = browser.new_page()
            requests: list[str] = []
            page.on("request", lambda request, seen=requests: seen.append(request.url))
            page.evaluate("() => { window.hits = 0; window.hit = () => { window.hits++ } }")
            page.set_content(text)
            page.mouse.move(5, 5)
            for link in page.query_selector_all("a"):
                link.evaluate("e => e.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
            page.wait_for_timeout(200)
            assert page.evaluate("window.hits") == 0
            assert [url for url in requests if not url.startswith(("data:", "about:"))] == []
            assert asked == []
            page.close()
    finally:
        server.shutdown()
    bare = re.sub(r' (?:href|action)="[^"]*"', "", html.replace(POLICY, "").replace('http-equiv="Content', ""))
    bare = bare.replace(f"l(http://{host}/q.png)", "")  # no address: a comment stands in its name
    assert host not in bare and "127.0.0.1" not in bare, "addresses stay where only a click follows them"
    for word in ("<script", "javascript:", "file:", "<iframe", "@import", "http-equiv", "<base", "<animate", "srcset"):
        found = re.search(re.escape(word), bare, re.IGNORECASE)
        assert found is None, f"{word} is left: {bare[found.start() - 60 : found.end() + 60] if found else ''}"
    assert not re.search(r"\son[a-z]+=", bare, re.IGNORECASE) and "javascript:" not in html
    assert same_tree(browser, html) and dom.serialize(dom.parse(html)) == html
    assert ingest(html).html is not None, "a stored page can be ingested again"


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (None, "empty"),
        (b"", "empty"),
        (" \n\t", "empty"),
        (b"\0\0\0", "empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 200, "binary"),
        (b"%PDF-1.7\n" + bytes(range(32)) * 200, "binary"),
        ("just words, no markup", "not_html: no HTML tag in it"),
        ('{"json": [1, 2]}', "not_html: no HTML tag in it"),
        ("<html>" + "x" * (9 * 2**20), "too_large: 9 MB"),
        ("<!DOCTYPE html>" + "<div>" * 10_000 + "x", "too_deep: 513 levels"),
        ("<!DOCTYPE html>" + "<div>" * 450 + "x" + "</div>" * 450, "too_deep: 452 levels"),
        ("<html><head><title>t</title></head><body> <script>1</script></body></html>", "no_visible_content"),
        ("<html><frameset><frame src=a></frameset></html>", "no_visible_content: no body"),
        ("<!DOCTYPE html><p style='color:#fff'>white on white", "no_visible_content: all of one color"),
    ],
)
def test_unusable_pages_say_why(ingest: Ingest, html: bytes | str | None, reason: str) -> None:
    page = ingest(html)
    assert (page.html, page.drop_reason) == (None, reason)


def test_a_page_that_could_not_be_read_keeps_its_reason(make: Make) -> None:
    [made] = make([RawPage("a", "a", None, error="too_large: 200 MB")])
    assert made.page.drop_reason == "too_large: 200 MB" and made.agreement is None


def test_a_bad_page_does_not_stop_the_others(make: Make) -> None:
    good = "<!DOCTYPE html><p>fine</p>"
    crash = "<!DOCTYPE html><meta http-equiv=refresh content='0;url=chrome://crash'><p>x" + "<b>" * 100
    made = make([RawPage(str(i), "u", html) for i, html in enumerate((good, "", good, "<div>" * 9000, crash, good))])
    assert [done.page.drop_reason is None for done in made] == [True, False, True, False, True, True]
    assert made[0].page.html == made[2].page.html == made[5].page.html
    assert [done.agreement for done in made if done.page.html] == [1.0] * 4


@pytest.mark.parametrize("text", ["Grüße — “naïve” €5", "日本語テキスト", "Привет, мир"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "legacy"])
def test_encodings_are_read_as_browsers_read_them(ingest: Ingest, text: str, encoding: str) -> None:
    legacy = {"G": "windows-1252", "日": "shift_jis", "П": "windows-1251"}[text[0]]
    name = legacy if encoding == "legacy" else encoding
    meta = {"legacy": f'<meta charset="{legacy}">', "utf-8": '<meta charset="utf-8">'}.get(encoding, "")
    html = f"<!DOCTYPE html><html><head>{meta}</head><body><p>{text}</p></body></html>"
    assert f"<p>{text}</p>" in html_of(ingest, html.encode(name))


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [("x-mac-cyrillic", "mac_cyrillic", "Добрый вечер"), ("iso-8859-6-e", "iso8859-6", "مرحبا بالعالم"),
     ("x-euc-jp", "euc_jp", "手紙の文章"), ("dos-874", "cp874", "ยินดีต้อนรับ"), ("koi", "koi8-r", "Добрый вечер"),
     ("windows-949", "cp949", "안녕하세요")],
)  # fmt: skip
def test_labels_that_only_the_web_knows_are_known(ingest: Ingest, label: str, codec: str, text: str) -> None:
    meta = f'<meta http-equiv="content-type" content="text/html; charset={label}">'
    assert f"<p>{text}</p>" in html_of(ingest, f"<!doctype html>{meta}<p>{text}</p>".encode(codec))
    declared = f'<?xml version="1.0" encoding="{label}"?><html><body><p>{text}</p></body></html>'
    assert f"<p>{text}</p>" in html_of(ingest, declared.encode(codec))


def test_a_stylesheet_is_read_in_the_encoding_of_its_page(ingest: Ingest, tmp_path: Path) -> None:
    site(tmp_path, {"a.css": 'p::before{content:"Привет"}'.encode("cp1251")})
    raw = "<!doctype html><meta charset=windows-1251><link rel=stylesheet href=a.css><p>мир</p>".encode("cp1251")
    assert 'content:"Привет"' in html_of(ingest, raw, tmp_path)
    site(tmp_path, {"b.css": '@charset "koi8-r";p::before{content:"Привет"}'.encode("koi8-r")})
    assert 'content:"Привет"' in html_of(ingest, raw.replace(b"a.css", b"b.css"), tmp_path)


@pytest.mark.parametrize("declared", ["nonsense", "undefined", "hex", "utf-7", "idna"])
def test_a_wrong_declaration_does_no_harm(ingest: Ingest, declared: str) -> None:
    assert "<p>plain</p>" in html_of(ingest, f'<meta charset="{declared}"><p>plain</p>'.encode())


SHOWN = " style='border-top:4px solid'"
"""Some of the soup shows nothing, and a page that shows nothing is not used."""

SOUP = [
    "<p>unclosed <b>bold <i>both</b> italic <p>next",
    "<table><tr><td>cell<p>loose text<div>in row</table>after",
    "<ul><li>a<li>b<ul><li>c</ul></ul><dl><dt>t<dd>d</dl>",
    "<pre>\n\n  two newlines</pre><textarea>\n\nx</textarea><listing>\n\ny</listing>",
    "<select><option>a<option selected>b<optgroup label=g><option>c</select>",
    "<a href=x>one<a href=y>two</a></a><button>b<button>c",
    "<svg viewBox='0 0 1 1'><foreignObject><p>html</p></foreignObject><linearGradient/></svg><math><mi>x",
    "<svg><style>rect{fill:red} @media (width<600px){rect{fill:blue}}</style><rect/></svg><p>after",
    "<p>a\0b</p><!-- c --><p>&amp;lt; &notit; &#0; &#x1F600;</p>",
    "<div " + " ".join(f"a{i}=1" for i in range(500)) + ">x</div>",
    "x" * 200_000 + "<p>end</p>",
    "<style>p{color:red;}}} @media{ .a{b:'unclosed } </style><p>after broken css</p>",
    "<style>@media (min-width:1px){p{color:red</style><p>unclosed block</p>",
    "<h1><h2>x</h1></h2><form><form>nested</form></form><nobr>a<nobr>b",
    "<details><summary>s</summary>d</details><dialog open>d</dialog><frameset><body class=late>",
    "<ruby>a<rt>b<rp>c</ruby><search>s</search><menu><li>m</menu><center>c</center><font color=red>f",
    "<noscript><p>shown</p><img alt=x></noscript><xmp><b>raw</b> &amp;</xmp><p>x<plaintext><i>to the end",
    "<marquee>m</marquee><object>inside <b>x</b></object><canvas>fallback</canvas><blink>b</blink><x-y>c</x-y>",
]


def test_the_stored_text_is_a_fixpoint_and_the_tree_of_chromium(browser: Browser, make: Make) -> None:
    raw = [
        RawPage(str(i), "u", f"<!DOCTYPE html><html><body{SHOWN}>{body}</body></html>") for i, body in enumerate(SOUP)
    ]
    for page, made in zip(raw, make(raw), strict=True):
        html = made.page.html
        assert html is not None, (page.html, made.page.drop_reason)
        assert dom.serialize(dom.parse(html)) == html, page.html
        assert same_tree(browser, html), page.html
        assert made.agreement == 1.0 or "progress" in str(page.html) or "marquee" in str(page.html), page.html


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
        "\n",
        "<option>",
        "<pre>",
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
    ]  # noqa: SIM905
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_FRAGMENTS, min_size=1, max_size=30))
def test_any_tag_soup_ends_as_a_fixpoint_or_with_a_reason(parts: list[str]) -> None:
    page = to_page("<!DOCTYPE html><html><head></head><body>" + "".join(parts))
    if page.html is None:
        assert page.drop_reason is not None and not page.drop_reason.startswith("failed")
    else:
        assert dom.serialize(dom.parse(page.html)) == page.html


HTML_401 = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">'
HTML_401_BARE = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">'
XHTML_FRAMESET = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Frameset//EN" "x">'


@pytest.mark.parametrize(
    ("doctype", "cell", "bare_width"),
    [("", 10, "300px"), (HTML_401_BARE, 10, "300px"), ("<!DOCTYPE html>", None, "auto"), (HTML_401, 10, "auto"),
     (XHTML_FRAMESET, 10, "auto"), ("<!DOCTYPE html SYSTEM 'about:legacy-compat'>", None, "auto")],
)  # fmt: skip
def test_each_rendering_mode_is_kept(
    browser: Browser, ingest: Ingest, doctype: str, cell: int | None, bare_width: str
) -> None:
    """A picture alone in a cell has no line around it in quirks and limited-quirks mode; `300` is a width in quirks."""
    gif = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    body = f"<table cellpadding=0><td><img src='{gif}' width=10 height=10></table><p style='width:300'>x"
    html = html_of(ingest, f"{doctype}<html><head><title>t</title></head><body>{body}")
    page, _ = open_page(browser, html)
    height = page.eval_on_selector("td", "e => e.getBoundingClientRect().height")
    assert height == cell if cell else height > 10
    assert page.evaluate("document.querySelector('p').style.width || 'auto'") == bare_width
    assert dom.serialize(dom.parse(html)) == html
    page.close()


def picture(size: tuple[int, int], kind: str = "PNG", noise: bool = False, mode: str = "RGB") -> bytes:
    rng = np.random.default_rng(1)
    shape = (size[1], size[0], 3)
    data = rng.integers(0, 255, shape, dtype=np.uint8) if noise else np.zeros(shape, np.uint8)
    out = io.BytesIO()
    Image.fromarray(data).convert(mode).save(out, kind)
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


def test_local_files_are_inlined_byte_for_byte(ingest: Ingest, tmp_path: Path, browser: Browser) -> None:
    big = picture((300, 200), noise=True)
    site(
        tmp_path,
        {
            "css/site.css": "@import 'more.css' screen; h1{background:url(../img/a.png)} .unused{background:url(b.png)}",
            "css/more.css": "h1{color:rgb(1, 2, 3)}",
            "img/a.png": picture((4, 4)),
            "img/big.png": big,
            "img/b.jpg": picture((5, 5), "JPEG"),
        },
    )
    raw = """<!DOCTYPE html><link rel="stylesheet" href="/css/site.css?v=3"><h1>x</h1>
        <img src="../img/big.png"><img src="..\\img\\b.jpg">"""
    html = html_of(ingest, raw, tmp_path, "css/page.html")
    kinds = [(kind, image.size) for kind, image in embedded_images(html)]
    assert sorted(kinds) == [("jpeg", (5, 5)), ("png", (4, 4)), ("png", (300, 200))]
    assert base64.b64encode(big).decode() in html
    page, requests = open_page(browser, html)
    assert requests == [] and page.eval_on_selector("h1", "e => getComputedStyle(e).color") == "rgb(1, 2, 3)"
    page.close()


@pytest.mark.parametrize(
    ("base", "found"),
    [
        ("/", True),
        ("./", False),
        ("//page.test/", True),
        ("..", True),
        ("http://elsewhere.test/", False),
        ("?x", False),
    ],
)
def test_addresses_start_at_the_base_of_the_page(ingest: Ingest, tmp_path: Path, base: str, found: bool) -> None:
    site(tmp_path, {"css/s.css": "p{color:red}", "img/a.png": picture((3, 3))})
    raw = f'<base href="{base}"><link rel="stylesheet" href="css/s.css"><p>x<img src="img\\a.png">'
    html = html_of(ingest, raw, tmp_path, "deep/page.html")
    assert ("color:red" in html, bool(embedded_images(html))) == (found, found)


def test_conditions_of_imports_and_links_stay(ingest: Ingest, tmp_path: Path) -> None:
    site(tmp_path, {"a.css": "@import url(b.css) layer(low) supports(display: grid) print;", "b.css": "p{color:red}"})
    html = html_of(ingest, '<link rel=stylesheet href=a.css media="(min-width: 5px)"><p>x</p>', tmp_path)
    assert '<style media="(min-width: 5px)">@layer low{@supports (display: grid){@media print{p{color:red}}}}' in html


def test_an_animated_picture_shows_its_first_frame(ingest: Ingest, tmp_path: Path) -> None:
    frames = [Image.new("RGB", (6, 6), color) for color in ("red", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    ((kind, image),) = embedded_images(html_of(ingest, "<img src=a.gif>", tmp_path))
    assert kind == "png" and getattr(image, "n_frames", 1) == 1
    red, _, blue = image.convert("RGB").getpixel((3, 3))  # type: ignore[misc]
    assert red > 200 > blue


def test_pictures_that_only_browsers_read_well_are_left_to_them(make: Make, tmp_path: Path) -> None:
    grey = Image.fromarray(np.arange(64 * 64, dtype=np.uint16).reshape(64, 64) * 16)
    grey.save(tmp_path / "grey.png")
    first, second = (Image.fromarray(np.full((40, 60, 3), shade, np.uint8)) for shade in (90, 200))
    exif = Image.Exif()
    exif[0x0112] = 6
    first.save(tmp_path / "photo.jpg", "MPO", save_all=True, append_images=[second], exif=exif)
    Image.new("CMYK", (30, 20), (0, 200, 200, 0)).save(tmp_path / "cmyk.jpg")
    body = "".join(f"<img src={name}>" for name in ("grey.png", "photo.jpg", "cmyk.jpg"))
    [made] = make([RawPage("t", "t", f"<!doctype html>{body}", root=tmp_path)])
    assert made.agreement == 1.0
    for name in ("grey.png", "photo.jpg", "cmyk.jpg"):
        assert base64.b64encode((tmp_path / name).read_bytes()).decode() in (made.page.html or "")


def test_the_picture_that_is_shown_is_the_one_that_is_kept(make: Make, browser: Browser, tmp_path: Path) -> None:
    site(tmp_path, {f"{name}.png": picture((10 * size, 10)) for size, name in enumerate("abcd", 1)})
    body = """<img id=plain srcset="d.png 2x,
        b.png 1x"><img id=commas srcset=",,c.png\t1x , d.png 3x"><img id=wide srcset="d.png 40w" sizes="20px">
        <picture><source media="(max-width: 9px)" srcset=d.png><source srcset=" a.png "><source srcset=d.png><img id=first></picture>
        <picture><source type="image/no" srcset=d.png><img id=type src=c.png></picture><img id=lazy loading=lazy src=b.png>
        <img id=spinner src=a.png data-src=d.png>"""
    [made] = make([RawPage("t", "t", f"<!doctype html><p>x{body}", root=tmp_path)])
    assert made.agreement == 1.0
    page, _ = open_page(browser, made.page.html or "")
    sizes = page.evaluate("Object.fromEntries([...document.images].map(i => [i.id, i.naturalWidth]))")
    assert sizes == {"plain": 20, "commas": 30, "wide": 20, "first": 10, "type": 30, "lazy": 20, "spinner": 10}
    page.close()


def test_files_outside_the_folder_are_not_reached(ingest: Ingest, tmp_path: Path) -> None:
    secrets: dict[str, bytes | str] = {"secret.png": picture((3, 3)), "secret.css": "p{color:red}"}
    site(tmp_path, secrets | {"site/a.css": "@import '../secret.css';", "site/own.png": picture((2, 2))})
    folder = tmp_path / "site"
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "inside.png").symlink_to(folder / "own.png")
    (folder / "loop.png").symlink_to(folder / "loop.png")
    (folder / "dir").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.png")
    addresses = ["../secret.png", "/../secret.png", "%2e%2e/secret.png", "..%2fsecret.png", "link.png", "loop.png",
                 "dir/secret.png", "pipe.png", f"file://{tmp_path}/secret.png", str(tmp_path / "secret.png"), "a%00b.png",
                 "..%5csecret.png", "x" * 5000, ".", "inside.png"]  # fmt: skip
    body = "".join(f'<img src="{address}">' for address in addresses)
    frames = '<iframe src="../secret.css"></iframe><object data="dir/secret.css"></object>'
    html = html_of(
        ingest,
        f"<link rel=stylesheet href=a.css><link rel=stylesheet href=../secret.css>{body}{frames}<p>x</p>",
        folder,
    )
    shown = [image.size for kind, image in embedded_images(html) if kind == "png" and image.size[0] < 100]
    assert shown == [(2, 2)]
    assert "color:red" not in html


def test_drawings_lose_what_runs_loads_or_moves(make: Make, tmp_path: Path, browser: Browser) -> None:
    svg = """<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY a "aa">
    <!ENTITY look "fill:#0000ff">]>
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="30"
    onload="x()">
    <script>x()</script><style>@import url(http://h.test/); .k{fill:red} .m{animation:s 1s infinite}
    @keyframes s{to{opacity:0}}</style><animate attributeName="x"/><g id="animation-import"><path d="M0 0h5v5z"/></g>
    <image xlink:href="http://h.test/a.png"/><rect class="k m" width="9" height="9"/>
    <use xlink:href="#animation-import" style="&look;"/><rect fill="url(http://h.test/b)" width="1" height="1"/>
    <text y="20">&a;Text</text><text y="28" font-family="monospace">mono</text></svg>"""
    site(tmp_path, {"a.svg": svg, "bad.svg": "<svg", "html.svg": "<html><body>x"})
    raw = "<!doctype html><img src=a.svg><img src=bad.svg><img src=html.svg>"
    [made] = make([RawPage("t", "t", raw, root=tmp_path)])
    html = made.page.html or ""
    cleaned = base64.b64decode(re.findall(r"svg\+xml;base64,([^\"]+)", html)[0]).decode()
    assert not re.search(r"<script|onload|h\.test|<animate|root:|@import", cleaned)
    for kept in (".k{fill:red}", 'id="animation-import"', "fill:#0000ff", "Text", "Times New Roman", "@font-face"):
        assert kept in cleaned
    page, requests = open_page(browser, html)
    assert requests == [] and page.evaluate("document.images[0].naturalWidth") == 40
    page.close()


def test_a_drawing_out_of_another_file_is_drawn_with_the_page(make: Make, tmp_path: Path) -> None:
    sprite = """<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><defs><linearGradient id="g"><stop stop-color="red"/>
    <stop offset="1" stop-color="blue"/></linearGradient></defs><symbol id="a b" viewBox="0 0 9 9"><script>x()</script>
    <rect width="9" height="9" fill="url(#g)"/></symbol><symbol id="c"><circle r="9" fill="currentColor"/></symbol></svg>"""
    site(tmp_path, {"i/s.svg": sprite})
    body = """<style>svg{width:40px;height:40px;color:green} body>:last-child{outline:9px solid}</style>
    <svg><use href="i/s.svg#a%20b"/></svg><svg><use xlink:href="../i/s.svg#c"/></svg><svg><use href="i/s.svg#gone"/></svg>
    <svg><symbol id="c"><rect width="9" height="9"/></symbol><use href="#c"/></svg>"""
    [made] = make([RawPage("t", "t", f"<!doctype html><body>{body}", "p/q.html".replace("p/", ""), tmp_path)])
    assert made.agreement == 1.0
    assert "<script" not in (made.page.html or "") and "s.svg" not in (made.page.html or "")


def test_missing_pictures_show_what_chromium_shows(make: Make) -> None:
    raw = """<!DOCTYPE html><style>.c{width:77px;height:33px}</style><img src="http://h/a.png" width=120 height=80>
        <img src="http://h/b.png" class="c" alt="words"><img src="gone.png"><img src="" style="display:block"><img>
        <iframe src="http://h" width=200 height=90></iframe>
        <div style="background:url(gone.png),pink">x</div><input type=image src=gone.png alt=go>"""
    [made] = make([RawPage("t", "t", raw)])
    assert made.agreement == 1.0


def test_frames_keep_their_size_and_what_they_show(make: Make, browser: Browser, tmp_path: Path) -> None:
    site(tmp_path, {"inner.html": "<body style='margin:0;background:teal'><h1>Inner"})
    raw = """<!doctype html><style>iframe{border:0;width:300px;height:100px}body{margin:0} img{filter:invert(1)}</style>
        <iframe id=f src=inner.html></iframe><iframe id=d srcdoc="<p>doc" style="height:70px;border:5px dotted red"></iframe>
        <object id=o data=inner.html width=99 height=40></object><div style="height:1500px"></div>
        <iframe id=far src=inner.html></iframe>"""
    [made] = make([RawPage("t", "t", raw, root=tmp_path)])
    assert made.agreement == 1.0
    page, _ = open_page(browser, made.page.html or "")
    sizes = page.evaluate("[...document.images].map(i => [i.id, i.offsetWidth, i.offsetHeight, i.naturalHeight])")
    assert sizes == [["f", 300, 100, 100], ["d", 310, 80, 70], ["o", 99, 40, 40], ["far", 300, 100, 100]]
    far = next(image for kind, image in reversed(embedded_images(made.page.html or "")) if kind == "png")
    assert far.convert("RGB").getpixel((299, 99)) == (0, 128, 128), "also below what is in sight"
    page.close()


def test_attributes_that_style_rules_look_at_stay(make: Make, browser: Browser) -> None:
    rules = {
        "a[target=_top]": "a", "a[href^='mailto:']": "b", "a[href*='/x']": "c", "form[action='/go']": "d",
        "[data-url*='//']": "e", "input[autofocus]": "f", "img[loading]": "g", "[slot=s]": "h", "td[background]": "i",
        "button[formaction]": "j", "[popover]": "k", "input[value^='javascript:']": "l", "[class*='url(']": "m",
        "input[placeholder*='url(x']": "n", "a[download]": "o", "[contenteditable]": "p", "q[cite]": "q",
    }  # fmt: skip
    css = "".join(f"{selector}{{padding-left:{index + 3}px}}" for index, selector in enumerate(rules))
    body = """<a id=a target=_top href=#>x</a><a id=b href="mailto:me@x.test">x</a><a id=c href="http://h.test/x">x</a>
        <form id=d action=/go><input id=f autofocus><button id=j formaction="/f">x</button></form><p id=e data-url="//h">x</p>
        <img id=g loading=eager><p id=h slot=s>x</p><div id=k popover>x</div><input id=l value="javascript:alert(1)">
        <p id=m class="bg-[url(x.png)]">x</p><input id=n placeholder="a url(x.png)"><a id=o href=# download>x</a>
        <p id=p contenteditable>x</p><q id=q cite="http://h.test/">x</q>"""
    [made] = make([RawPage("t", "t", f"<!doctype html><style>{css}</style>{body}")])
    page, _ = open_page(browser, made.page.html or "")
    seen = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[id]')].map(e => [e.id, getComputedStyle(e).paddingLeft]))"
    )
    wanted = {name: f"{index + 3}px" for index, name in enumerate(rules.values()) if name != "i"}
    assert seen == wanted
    assert made.agreement == 1.0
    page.close()


def test_a_shadow_root_that_is_written_in_html_is_shown(make: Make, browser: Browser) -> None:
    for mode in ("open", "closed"):
        raw = f"""<!doctype html><style>p{{color:red;margin:0}} #in{{color:teal}}</style><x-card id=host>
            <template shadowrootmode={mode}><style>:host{{display:block;border:4px solid}} p{{padding:9px}}
            ::slotted(b){{font-size:30px}}</style><p>Shadow</p><slot></slot><p>End</p></template><b id=in>Slotted</b></x-card>"""
        [made] = make([RawPage("t", "t", raw)])
        assert made.agreement == 1.0
        page, _ = open_page(browser, made.page.html or "")
        assert page.inner_text("body").split() == ["Shadow", "Slotted", "End"]
        style = page.eval_on_selector("#in", "e => [getComputedStyle(e).color, getComputedStyle(e).fontSize]")
        assert style == ["rgb(0, 128, 128)", "30px"]
        page.close()


def test_import_circles_end(ingest: Ingest, tmp_path: Path) -> None:
    site(tmp_path, {"a.css": "@import 'b.css'; p{color:red}", "b.css": "@import 'a.css'; @import 'b.css'; p{top:1px}"})
    assert "p{top:1px}p{color:red}" in html_of(ingest, "<link rel=stylesheet href=a.css><p>x</p>", tmp_path)


def test_a_page_that_stays_too_large_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "MAX_PAGE_BYTES", 100)
    assert (to_page("<html><head></head><body><p>x</p>").drop_reason or "").startswith("too_large: ")


def test_pictures_that_repeat_are_stored_once_and_the_largest_lose_a_little(make: Make, tmp_path: Path) -> None:
    large = picture((1100, 900), noise=True)
    site(tmp_path, {"a.png": large, "b.png": picture((400, 300), noise=True)})
    again = "<!doctype html>" + "<img src=a.png width=90>" * 4
    [made] = make([RawPage("t", "t", again, root=tmp_path)])
    assert made.agreement == 1.0 and (made.page.html or "").count(base64.b64encode(large).decode()) == 1
    rng = np.random.default_rng(2)
    for name in "cdef":
        Image.fromarray(rng.integers(0, 255, (900, 900, 3), dtype=np.uint8)).save(tmp_path / f"{name}.png")
    many = "<!doctype html><img src=b.png width=90>" + "".join(f"<img src={name}.png width=90>" for name in "cdef")
    [made] = make([RawPage("t", "t", many, root=tmp_path)])
    html = made.page.html or ""
    assert 0 < len(html) <= stored.MAX_PAGE_BYTES
    kinds = [kind for kind, _ in embedded_images(html)]
    assert kinds[0] == "png" and 0 < kinds.count("webp") < 4, "the small one stays, and some of the large ones"


def test_deep_css_does_not_break_anything(make: Make) -> None:
    broken = ("@media all{" * 3000 + "p{color:red}", "p{color:" + "(" * 20_000, "p{a:" + "calc(" * 5000, "&{" * 300,
              ":not(" * 5000)  # fmt: skip
    made = make([RawPage("t", "t", f"<!doctype html><style>{css}</style><p>x</p>") for css in broken])
    assert [done.page.drop_reason for done in made] == [None] * len(broken)
    assert [done.agreement for done in made] == [1.0] * len(broken)


def test_only_rules_that_can_match_are_stored(ingest: Ingest) -> None:
    html = html_of(
        ingest,
        """<style>.used{color:red}.unused{color:red}#id{top:0}#no{top:0}h1 .used>b{left:0}.used:not(.unused){right:0}
        @media print{.unused{top:1px}}@keyframes go{to{top:0}}.used{animation:go 1s}
        [class*=un]{bottom:0}table{top:0}:root{--a:1px;--\\1f355:2px}p{margin:var(--a)}@layer{#id{left:0}@media all{.x{top:0}}
        .used{left:1px}}</style><p class=used id=id>x<b>y</b>""",
    )
    css = re.findall(r"<style>(.*?)</style>", html)[1]
    assert css == (
        ".used{color:red}#id{top:0}.used:not(.unused){right:0}@media print{}@keyframes go{to{top:0}}"
        ".used{animation:go 1s}[class*=un]{bottom:0}:root{--a:1px;--\\1f355:2px}p{margin:var(--a)}"
        "@layer{#id{left:0}@media all{}.used{left:1px}}"
    )


NESTED = [
    "p.a,p.b{left:var(--x);top:var(--x)}:root{@media (min-width:1px){--x:7px;--gone:2}}.a,.b{left:1px;top:1px}",
    "p.a,p.b{left:var(--🍕);top:var(---ß)}:root{&{--🍕:7px;---ß:7px;--2xl:2}}.a,.b{left:1px;top:1px}",
    ".a,.b{@supports (top:0){@media (min-width:1px){&:not(i){left:7px;top:7px;font-family:X;background:url(x.png)}}}}",
    "body{@media (min-width:1px){& .a,& .b{left:7px;top:7px}}}",
    "@layer{p#one{left:7px;top:7px}@media all{.c{left:0}}.a{left:2px}}@layer{p#two{left:7px;top:7px}.b{left:3px}}",
    "@scope (body) to (i){p{left:7px;top:7px}} @container style(--no:1){p{left:0}}",
    ".a\\:b,.a{left:7px;top:7px}.b:is(.zz,p){left:7px;top:7px}.gone .a,.b.c{left:0}",
    "p{left:7px;top:7px} } p{left:0} /* } */ @unknown{p{left:0}} p{left:7px",
]


@pytest.mark.parametrize("css", NESTED)
def test_rules_mean_what_they_meant(browser: Browser, ingest: Ingest, css: str) -> None:
    html = (
        f"<!doctype html><style>i{{left:9px}}{css}</style><body><p class=a id=one>x</p><p class=b id=two>y</p><i>z</i>"
    )
    ask = "[...document.querySelectorAll('p,i')].map((e) => [getComputedStyle(e).left, getComputedStyle(e).top])"
    shown, _ = open_page(browser, html)
    expected = shown.evaluate(ask)
    assert ["7px", "7px"] in expected
    made, _ = open_page(browser, html_of(ingest, html))
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


LANGUAGES = {
    '<html lang="pt-BR"><p>olá mundo</p>': "pt-BR",
    "<p>plain</p>": None,
    "<p>これは日本語の文章です</p>": "ja",
    "<p>这是中文网页的内容</p>": "zh",
    '<html lang="en"><p>안녕하세요 세계 여러분</p>': "ko",
    '<html lang="fa"><p>سلام دنیا</p>': "fa",
    '<html lang="zh-Hant"><p>繁體中文網頁</p>': "zh-Hant",
    '<html lang="en"><p>' + "words " * 50 + "日本</p>": "en",
    '<html lang="???"><p>สวัสดีชาวโลก</p>': "th",
}


def test_language_is_what_the_page_says_unless_its_letters_say_otherwise(make: Make) -> None:
    made = make([RawPage("t", "t", html) for html in LANGUAGES])
    assert [done.page.language for done in made] == list(LANGUAGES.values())


@pytest.mark.parametrize(
    ("body", "richness"),
    [("<p>short</p>", "minimal"), ("<p>" + "word " * 200, "standard"), ("<p>word</p>" * 60, "standard"),
     ("<p>" + "word " * 600, "rich"), ("<p>word word</p>" * 250, "rich")],
)  # fmt: skip
def test_richness_is_measured(body: str, richness: str) -> None:
    assert to_page(f"<html><head></head><body>{body}</body>").richness == richness


def test_ingestion_is_deterministic_and_independent_of_order(make: Make) -> None:
    raw = [
        RawPage(str(i), "u", f"<p class='p-{i} flex'>{i} — {'日本語' * i}</p><img src=http://h/{i}.png>")
        for i in range(5)
    ]
    first = make(raw)
    assert make(raw) == first
    assert list(reversed(make(list(reversed(raw))))) == first


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
    rows: list[dict] = []
    # In a thread of its own: Playwright's other interface holds this one's event loop.
    spec = HtmlSource(name="s", kind="html", path=str(tmp_path), style="plain")
    thread = threading.Thread(target=lambda: rows.extend(ingest_source(spec)))
    thread.start()
    thread.join()
    [row] = rows
    assert (row["source"], row["url"], row["style"], row["language"]) == ("s", "index.html", "plain", "en")
    assert row["pixel_agreement"] == 1.0 and row["drop_reason"] is None
    shown, requests = open_page(browser, row["html"])
    assert requests == [] and foreign_fonts(shown) == set()
    assert shown.eval_on_selector(".bar", "e => getComputedStyle(e).backgroundColor") == "rgb(17, 34, 51)"
    assert shown.evaluate("document.images[0].naturalWidth") == 30
    shown.close()
