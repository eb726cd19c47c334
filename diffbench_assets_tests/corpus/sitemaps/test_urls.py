"""One spelling for each address, and which addresses are pages."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from diffbench_assets.corpus.sitemaps.urls import host_of, is_page, normalise, origin_of, site_of, url_id

SAME = [
    ("HTTP://Shop.Example:80", "http://shop.example/"),
    ("https://shop.example:443/A/b", "https://shop.example/A/b"),
    ("https://shop.example:8443/", "https://shop.example:8443/"),
    ("http://user:secret@shop.example/", "http://shop.example/"),
    ("http://shop.example./x", "http://shop.example/x"),
    (" http://shop.example/a/./b/../c#part ", "http://shop.example/a/c"),
    ("http://shop.example/%7euser/%c3%a9?q=%2f", "http://shop.example/~user/%C3%A9?q=%2F"),
    ("http://shop.example/é?q=ü", "http://shop.example/%C3%A9?q=%C3%BC"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://shop.example/100%", "http://shop.example/100%25"),
    ("http://shop.example/?", "http://shop.example/"),
    ("http://shop.example/?utm_source=a&b=2&fbclid=x&c=3&UTM_x=1", "http://shop.example/?b=2&c=3"),
    ("http://shop.example/a;jsessionid=0AF?x=1", "http://shop.example/a?x=1"),
    ("http:\\\\shop.example\\a", "http://shop.example/a"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://[2001:DB8::0:1]:8080/", "http://[2001:db8::1]:8080/"),
]


@pytest.mark.parametrize("url, normal", SAME)
def test_one_spelling(url, normal):
    assert normalise(url) == normal
    assert url_id(normal) == url_id(normalise(url))


NO_ADDRESS = ["", "/a", "ftp://a.example/", "javascript:alert(1)", "file:///etc/passwd", "http://", "http://[::1",
              "http://a b.example/", "data:text/html,x", "http://\ud800/",
              "http://0x7f.1../", "http://a..example/", "http://./"]  # fmt: skip


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_what_is_no_address_of_the_web(url):
    assert normalise(url) is None


def test_host_and_origin():
    assert host_of("http://[2001:db8::1]:8080/") == host_of("http://[2001:db8::1]/") == "[2001:db8::1]"
    assert host_of("http://a.example:8080/x:1") == "a.example"
    assert origin_of("http://a.example:8080/x:1") == "http://a.example:8080"


def test_parameters_keep_their_order_and_relative_addresses_their_base():
    assert normalise("http://a.example/?b=1&a=2&b=0") == "http://a.example/?b=1&a=2&b=0"
    assert normalise("../x?y=1", "http://a.example/b/c/d") == "http://a.example/b/x?y=1"


ADDRESSES = st.builds(
    "{}://{}{}/{}?{}#{}".format,
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["a.example", "B.example.", "bücher.example", "10.0.0.1", "[2001:DB8::1]", "xn--a.example"]),
    st.sampled_from(["", ":80", ":443", ":8080", ":"]),
    st.text(st.sampled_from("ab/.%27eE;=é \\~+\t"), max_size=20),
    st.text(st.sampled_from("ab&=%27eEutm_?é #+"), max_size=20),
    st.text(max_size=5),
)


@given(ADDRESSES | st.text(max_size=40).map("http://a.example/".__add__) | st.text(max_size=30))
@example("http://a.example/%%34%31")
@example("http://a.example/%2e%2E/%2%65")
@example("http://a.example/;jsessionid=1;jsessionid=2?&&utm_a&%75tm_source=1")
@example("http://a.example/.;jsessionid=1./x")
@example("http://a.example//b/..//;phpsessid=/..")
def test_normalising_again_changes_nothing(url):
    normal = normalise(url)
    if normal is not None:
        assert normalise(normal) == normal
        assert "#" not in normal and host_of(normal) == host_of(normal).lower()
        assert normal.startswith(origin_of(normal) + "/")


@pytest.mark.parametrize("path", ["", "a", "a/", "index.html", "index.php", "a.aspx?x=y.pdf", "john.doe", "v1.2/notes",
                                  "shop.zip/page"])  # fmt: skip
def test_pages(path):
    assert is_page(f"http://a.example/{path}")


@pytest.mark.parametrize("path", ["a.pdf", "b/c.JPG", "feed.xml", "x.tar.gz", "movie.mp4?start=1", "app.js", ".zip"])
def test_not_pages(path):
    assert not is_page(f"http://a.example/{path}")


@pytest.mark.parametrize(
    "host, site",
    [
        ("www.shop.co.uk", "shop.co.uk"),
        ("a.b.shop.example", "shop.example"),
        ("one.github.io", "one.github.io"),
        ("co.uk", "co.uk"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_site_of_a_host(host, site):
    assert site_of(host) == site
