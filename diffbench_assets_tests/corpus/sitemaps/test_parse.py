"""Every kind of sitemap is read, common faults are forgiven, and bombs and secrets stay shut."""

from __future__ import annotations

import contextlib
import resource
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.corpus.sitemaps.parse import Entry, NotASitemap, SitemapParser
from diffbench_assets_tests.corpus.net.loopback_web import Answer, LoopbackWeb

XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
URLSET = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset {XMLNS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
 <url><loc> http://a.test/1?x=1&amp;y=2 </loc><lastmod>2024-05-01</lastmod><changefreq>daily</changefreq>
  <image:image><image:loc>http://a.test/picture</image:loc></image:image></url>
 <url><lastmod>2020</lastmod><loc><![CDATA[http://a.test/2?x=1&y=2]]></loc></url>
 <url><lastmod>no address</lastmod></url>
</urlset>"""
ENTRIES = [Entry("http://a.test/1?x=1&y=2", "2024-05-01"), Entry("http://a.test/2?x=1&y=2", "2020")]


def parse(document: bytes | str, step: int = 16384):
    data = document.encode() if isinstance(document, str) else document
    parser = SitemapParser()
    entries = [entry for at in range(0, len(data), step) for entry in parser.feed(data[at : at + step])]
    return parser.kind, entries + parser.close()


@pytest.mark.parametrize("step", [1, 7, 16384])
def test_urlset(step):
    assert parse(URLSET, step) == ("urlset", ENTRIES)


@pytest.mark.parametrize("step", [1, 16384])
def test_index(step):
    sitemap = "<sitemap><loc>http://a.test/s.xml</loc><lastmod>2024</lastmod></sitemap>"
    document = f"<sitemapindex {XMLNS}>{sitemap}</sitemapindex>"
    assert parse(document, step) == ("index", [Entry("http://a.test/s.xml", "2024")])


def test_rss_atom_and_rdf():
    rss = """<rss version="2.0"><channel><link>http://a.test/</link><image><link>http://a.test/i</link></image><item>
      <title>one</title><link>http://a.test/1</link><pubDate>Mon, 06 May 2024</pubDate></item></channel></rss>"""
    atom = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.test/"/><entry>
      <link rel="edit" href="http://a.test/edit"/><link href="http://a.test/1"/><updated>2024</updated></entry></feed>"""
    rdf = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
      <channel><link>http://a.test/</link></channel><item><link>http://a.test/1</link></item></rdf:RDF>"""
    assert parse(rss) == ("feed", [Entry("http://a.test/1", "Mon, 06 May 2024")])
    assert parse(atom) == ("feed", [Entry("http://a.test/1", "2024")])
    assert parse(rdf) == ("feed", [Entry("http://a.test/1", None)])


@pytest.mark.parametrize("step", [1, 16384])
def test_lines(step):
    assert parse(b"\xef\xbb\xbf\r\nhttp://a.test/1\r\n\r\n  http://a.test/\xc3\xa9\nhttp://a.test/3", step) == (
        "text",
        [Entry("http://a.test/1", None), Entry("http://a.test/é", None), Entry("http://a.test/3", None)],
    )


@pytest.mark.parametrize("step", [1, 33, 16384])
@pytest.mark.parametrize(
    "document",
    [
        URLSET.replace("&amp;", "&"),
        "\ufeff \n" + URLSET,
        URLSET.replace("urlset", "URLSET").replace("<loc", "<Loc").replace("/loc", "/Loc"),
        URLSET.replace(XMLNS, ""),
        URLSET.removesuffix("</urlset>"),
        URLSET.replace("&amp;", "&amp;amp;"),
        '<!DOCTYPE urlset SYSTEM "http://a.test/sitemap.dtd">' + URLSET.partition("?>")[2],
    ],
    ids=["bare ampersand", "space before", "capitals", "no namespace", "cut", "escaped twice", "doctype"],
)
def test_common_faults_are_forgiven(document, step):
    assert parse(document, step) == ("urlset", ENTRIES)


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252"])
def test_encodings(encoding):
    url = "<url><loc>http://a.test/é?a&amp;b</loc></url>"
    document = f'<?xml version="1.0" encoding="{encoding}"?><urlset>{url}</urlset>'
    assert parse(document.encode(encoding), 50)[1] == [Entry("http://a.test/é?a&b", None)]


@pytest.mark.parametrize(
    "document, reason",
    [
        ("<!DOCTYPE html><html><body>not found</body></html>", "not_a_sitemap"),
        ("hello", "not_a_sitemap"),
        ("", "not_a_sitemap"),
        ("{}" * 50, "not_a_sitemap"),
        ("%PDF-1.4 ..............................", "not_a_sitemap"),
        ("<urlset>" + "<a>" * 1000, "bad_xml"),
    ],
)
def test_what_is_no_sitemap(document, reason):
    with pytest.raises(NotASitemap) as failure:
        parse(document)
    assert failure.value.reason == reason


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
TRAPS = {
    "laughs": [f'<!DOCTYPE u [<!ENTITY l0 "lol">{LAUGHS}]><urlset><url><loc>&l11;</loc></url></urlset>'],
    "laughs in an attribute": [f'<!DOCTYPE u [<!ENTITY l0 "lol">{LAUGHS}]><urlset><url a="&l11;"/></urlset>'],
    "quadratic": [f'<!DOCTYPE u [<!ENTITY a "{"a" * 50_000}">]><urlset><url><loc>', "&a;" * 50_000],
    "text": ["<urlset><url><loc>", None, "</loc></url></urlset>"],
    "attribute": ['<urlset><url a="', None, '"/></urlset>'],
    "comment": ["<urlset><!--", None, "--></urlset>"],
    "name": ["<", None, "/>"],
    "depth": ["<urlset>", *["<url><x>" * 2000] * 1000],
    "attributes": ["<urlset ", *["".join(f'a{n}{m}="1" ' for n in range(1000)) for m in range(1000)]],
    "entities": ["<!DOCTYPE u [", *["".join(f'<!ENTITY e{n}x{m} "1">' for n in range(1000)) for m in range(1000)]],
    "ampersands": ["<urlset><url><loc>", *["&" * 16384] * 2560],
    "tags": ["<urlset>", *["<a/>" * 4096] * 2560],
    "line": ["http://a.test/", None],
}


@pytest.mark.parametrize("trap", TRAPS)
def test_bombs_fill_no_memory_and_take_no_time(trap):
    forty_megabytes = [b"x" * 16384] * 2560
    pieces = [data for piece in TRAPS[trap] for data in (forty_megabytes if piece is None else [piece.encode()])]
    parser = SitemapParser()
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with contextlib.suppress(NotASitemap):
        entries = [entry for piece in pieces for entry in parser.feed(piece)] + parser.close()
        assert all(len(entry.url) < 10_000 for entry in entries)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 << 10, "more than 32 MB"
    assert time.process_time() - started < 30


def test_external_entities_are_never_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("http://a.test/secret")
    with LoopbackWeb(lambda _: Answer("<!ENTITY x 'http://a.test/secret'>")) as web:
        at = f"http://127.0.0.1:{web.port}"
        for dtd in (
            f'[<!ENTITY x SYSTEM "file://{secret}">]',
            f'[<!ENTITY x SYSTEM "{at}/entity">]',
            f'[<!ENTITY % p SYSTEM "{at}/parameter"> %p;]',
            f'SYSTEM "{at}/dtd"',
            f'SYSTEM "file://{secret}"',
        ):
            document = f"<!DOCTYPE urlset {dtd}><urlset><url><loc>http://a.test/1&x;</loc></url></urlset>"
            assert "secret" not in str(parse(document))
        assert web.log == []


@given(st.binary(max_size=300) | st.text("<>/&;![]urlsetloc \"'=?-").map(lambda text: f"<urlset>{text}".encode()))
def test_no_bytes_break_the_parser(data):
    with contextlib.suppress(NotASitemap):
        parse(data, 11)
