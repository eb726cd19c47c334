"""Only one whole document of plain HTML with Tailwind classes is a page; everything else has a reason of its own."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diffbench_assets.corpus.regenerate.check import MAX_BYTES, BadPage, read_html
from diffbench_assets.pages import dom
from diffbench_assets_tests.corpus.regenerate.small_site import COPY, with_body


def reason(reply: str) -> str | None:
    """Why a reply is no page, None when it is one."""
    try:
        read_html(reply)
    except BadPage as error:
        return error.reason
    return None


def with_head(extra: str) -> str:
    return COPY.replace("</head>", f"{extra}</head>")


def test_a_whole_document_is_a_page_with_or_without_a_fence():
    page = read_html(COPY)
    assert page == read_html(f"\n```html\n{COPY}\n```\n") == read_html(COPY.replace("\n", "\r\n"))
    assert "Stoneware shaped by four patient hands" in page and page.count("data:image/svg+xml;base64,") == 3


def test_a_script_that_only_fetches_tailwind_is_taken_out():
    fetching = with_head('<script src="https://cdn.tailwindcss.com"></script>')
    assert read_html(fetching) == read_html(COPY)
    assert reason(with_head('<script src="https://cdn.tailwindcss.com">steal()</script>')) == "script"


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ("<script>fetch('//evil.test')</script>", "script"),
        ('<script src="https://evil.test/x.js"></script>', "script"),
        ("<svg><script>x()</script></svg>", "script"),
        ('<button onclick="x()">Go</button>', "handler"),
        ('<svg onload="x()"><path d="M0 0"/></svg>', "handler"),
        ("<style>@import 'https://evil.test/a.css';</style>", "style"),
        ('<link rel="stylesheet" href="https://evil.test/a.css">', "style"),
        ('<div style="background: url(https://evil.test/a.png)">a</div>', "style"),
        ('<div style="background: \\75rl(//evil.test/a.png)">a</div>', "style"),
        ("<div class=\"bg-[url('https://evil.test/a.png')]\">a</div>", "style"),
        ('<iframe src="about:blank"></iframe>', "element:iframe"),
        ('<object data="x"></object>', "element:object"),
        ("<video controls></video>", "element:video"),
        ("<template><p>hidden</p></template>", "element:template"),
        ("<svg><foreignObject><p>a</p></foreignObject></svg>", "element:foreignobject"),
        ("<svg><animate attributeName='x'/></svg>", "element:animate"),
        ("<my-card>a</my-card>", "element:my-card"),
        ('<form action="https://evil.test/" method="post"><input></form>', "attribute:action"),
        ('<form method="post"><input></form>', "attribute:method"),
        ('<button formaction="/x">Go</button>', "attribute:formaction"),
        ('<a href="https://evil.test/">a</a>', "address:href"),
        ('<a href="//evil.test/">a</a>', "address:href"),
        ('<a href=" java\nscript:x()">a</a>', "address:href"),
        ('<a href="data:text/html,<script>x()</script>">a</a>', "address:href"),
        ('<a href="mailto:a@example.com">a</a>', "address:href"),
        ('<svg><use href="sprite.svg#a"/></svg>', "address:href"),
        ('<svg><path d="M0 0" fill="url(https://evil.test/#a)"/></svg>', "address:fill"),
        ('<div data-load="https://evil.test/">a</div>', "address:data-load"),
        ('<input type="image" src="placeholder-10x10.svg">', "attribute:src"),
        ('<img src="https://evil.test/a.png">', "address:src"),
        ('<img src="data:image/png;base64,AAAA">', "address:src"),
        ('<img src="logo.png">', "picture"),
        ('<img alt="none">', "picture"),
        ('<img src="placeholder-0x10.svg">', "picture"),
        ('<img src="placeholder-10x10.svg" srcset="b.png 2x">', "attribute:srcset"),
        ("<div>" * 4 + "unfinished", "truncated"),
        ("<div>" * 450 + "</div>" * 450, "too_deep"),
        ("<b></b>" * 6000, "too_large"),
    ],
)
def test_what_runs_loads_or_leads_elsewhere_is_refused(extra, expected):
    assert reason(with_body(extra)) == expected


@pytest.mark.parametrize(
    "extra",
    [
        '<form action="#"><input type="email" placeholder="Mail, as in: me@example.com"></form>',
        '<a href="#">a</a><a href="shop/mugs.html">b</a>',
        '<svg viewBox="0 0 10 10" xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="g"><stop offset="1"/>'
        '</linearGradient></defs><rect width="9" height="9" fill="url(#g)"/><use href="#g"/></svg>',
        '<div class="md:w-1/2 @lg:p-4 before:content-[\'→\'] hover:underline" style="width: 33.3%">a</div>',
        '<meta name="viewport" content="width=device-width">',
        '<img src="PLACEHOLDER-10x10-AABBCC.png" alt="https://example.com/">',
    ],
)
def test_what_a_plain_page_has_is_allowed(extra):
    assert reason(with_body(extra)) is None


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("", "no_document"),
        ("I'm sorry, but I can't help with copying this page.", "no_document"),
        (f"Here is the page:\n{COPY}", "no_document"),
        (f"{COPY}\nLet me know if you want changes!", "no_document"),
        (f"```html\n{COPY}\n```\n```html\n{COPY}\n```", "no_document"),
        (COPY + COPY, "no_document"),
        ('{"html": "<html></html>"}', "no_document"),
        (COPY[: len(COPY) // 2], "truncated"),
        (f"```html\n{COPY[: len(COPY) // 2]}", "truncated"),
        (COPY.removesuffix("</html>"), "truncated"),
        ("<!DOCTYPE html><html><head><title>a</title></head><body></body></html>", "too_small"),
        ("<!DOCTYPE html><html><body><p>one line</p></body></html>", "too_small"),
        (with_body("x" * 5_000_000), "too_large"),
        (with_body("語" * (MAX_BYTES // 3)), "too_large"),
    ],
)
def test_what_is_not_one_whole_document_is_refused(reply, expected):
    assert reason(reply) == expected


@given(st.text(max_size=300))
@example("<html><body></body></html>")
def test_any_reply_is_a_page_or_has_a_reason(reply):
    reason(reply)


tags = st.sampled_from(
    ["div", "p", "a", "script", "img", "svg", "style", "title", "textarea", "table", "b", "/div", "/body"]
)
attributes = st.sampled_from(
    [
        "href='javascript:x()'",
        "onclick=x",
        "src=placeholder-9x9.svg",
        "style='a:url(x)'",
        "class=p-4",
        "xlink:href=#a",
        "",
    ]
)
bodies = st.lists(st.builds(lambda t, a, w: f"<{t} {a}>{w}", tags, attributes, st.text(max_size=8)), max_size=15)


@given(bodies.map("".join))
def test_a_page_that_is_let_through_runs_and_loads_nothing(body):
    try:
        page = read_html(with_body(body))
    except BadPage:
        return
    for _, node in dom.with_depth(dom.parse(page).root):
        assert node.tag not in ("script", "style", "link", "iframe")
        assert not any(
            name.startswith("on") or "javascript" in (value or "") for name, value in node.attributes.items()
        )
        assert (node.attributes.get("src") or "data:image/svg+xml").startswith("data:image/svg+xml")
