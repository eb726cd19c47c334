"""CSS text keeps every character but its addresses, imports, font sources and generic families."""

from __future__ import annotations

import pytest

from diffbench_assets.pages.css import MAX_IMPORTS, StyleWriter
from diffbench_assets.pages.cut import cut

BASE = "http://site.test/css/main.css"
LOADED = {
    "http://site.test/a.png": "data:image/png;base64,AA",
    "http://site.test/css/f.woff2": "data:font/woff2;base64,BB",
}


def writer(**sheets: str) -> StyleWriter:
    named = {f"http://site.test/{name}.css": text for name, text in sheets.items()}
    return StyleWriter(LOADED.get, face, named, frozenset("abdpqx"))


def face(descriptors: str, address: str) -> str | None:
    found = LOADED.get(address)
    return f'@font-face{{src:url("{found}");{descriptors}}}' if found else None


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a{background:url(../a.png)}", 'a{background:url("data:image/png;base64,AA")}'),
        ("a{background:URL( '/a.png' ) no-repeat}", 'a{background:url("data:image/png;base64,AA") no-repeat}'),
        ("a{background:url(gone.png),red}", "a{background:none,red}"),
        ("a{fill:url(#g)}", 'a{fill:url("#g")}'),
        ("a::before{content:'url(../a.png) serif'}", "a::before{content:'url(../a.png) serif'}"),
        ("/* url(../a.png) */a{b:c}", "a{b:c}"),
        ("a{background:image-set('gone.png' 2x, '../a.png' 1x)}", 'a{background:url("data:image/png;base64,AA")}'),
        ("a{font:12px/1 X, sans-serif}", 'a{font:12px/1 X, "sans-serif"}'),
        (".sans-serif,.font-serif{color:red}", ""),
        ("a{--x:.sans-serif .font-serif}", "a{--x:.sans-serif .font-serif}"),
        ("a{background:u\\72l(../a.png)}", 'a{background:url("data:image/png;base64,AA")}'),
        ("a{background:ur/**/l(../a.png)}", "a{background:ur/**/l(../a.png)}"),
        ("@\\69mport '/one.css';a{b:c}", "p{q:r}a{b:c}"),
        (
            "@namespace svg url(http://www.w3.org/2000/svg);a{b:c}",
            "@namespace svg url(http://www.w3.org/2000/svg);a{b:c}",
        ),
        ("a{background:url(a b.png),url('a\\\nb.png')}", "a{background:none,none}"),
        ("a{background:url('..\\\\a.png')}", 'a{background:url("data:image/png;base64,AA")}'),
        (":root{--bs-btn-font-family: ;--x: }", ":root{--bs-btn-font-family: ;--x: }"),
    ],
)
def test_addresses_become_data_and_what_did_not_load_nothing(css: str, expected: str) -> None:
    assert writer(one="p{q:r}").sheet(css, BASE) == expected


def test_a_font_face_keeps_the_one_source_that_was_loaded() -> None:
    face = (
        "@font-face{font-family:F;src:url(f.eot);src:local(F),url(f.ttf),url(f.woff2) format('woff2');font-weight:700}"
    )
    assert writer().sheet(face, BASE) == (
        '@font-face{src:url("data:font/woff2;base64,BB");font-family:F;;;font-weight:700}'
    )
    assert writer().sheet("@font-face{font-family:G;src:url(g.woff2)}", BASE) == ""


def test_imports_stand_where_they_were_with_their_conditions() -> None:
    css = "@import '/one.css' layer(low) supports(display:grid) screen and (min-width:9px);a{b:c}"
    one = "@import url(two.css);p{background:url(a.png)}"
    assert writer(one=one, two="q{r:s}").sheet(css, BASE) == (
        "@layer low{@supports (display:grid){@media screen and (min-width:9px){q{r:s}"
        'p{background:url("data:image/png;base64,AA")}}}}a{b:c}'
    )


def test_imports_that_circle_or_multiply_end() -> None:
    circle = writer(one="@import '/two.css';a{b:c}", two="@import '/one.css';d{e:f}")
    assert circle.sheet("@import '/one.css';", BASE) == "d{e:f}a{b:c}"
    fan = writer(one="@import '/two.css';" * 100, two="@import '/three.css';" * 100, three="x{y:z}")
    assert fan.sheet("@import '/one.css';", BASE).count("x{y:z}") < MAX_IMPORTS


def test_what_is_cut_is_closed() -> None:
    names = frozenset({"p", ".a"})
    assert cut("p{color:red} @media all{.b{x:y} .a{x:y", names) == "p{color:red}@media all{.a{x:y}}"
    assert cut("p{a:'x}", names) == "p{a:'x}'}" and cut("p{a:url(x", names) == "p{a:url(x)}"
    assert cut("p{a:(} .a{x:y}", names) == "p{a:(} .a{x:y})}", "a bracket takes all that follows, as in browsers"
    assert cut("} p{x:y} p{z:w}", names) == "p{z:w}", "a brace too many takes the rule behind it"
    assert cut("/* p{ */ .a /* .b */ , .c{x:y} <!-- .b{x:y} -->", names) == ".a /* .b */ , .c{x:y}"


@pytest.mark.parametrize(
    "css", ["url(" * 20_000, "'" * 20_001, "@import " * 10_000, "image-set(" * 5_000, "/*" * 50_000]
)
def test_broken_text_takes_no_longer_than_sound_text(css: str) -> None:
    assert len(writer().sheet(css, BASE)) <= len(css) + 1, "what the text leaves open may be closed"
