"""From hosts to page addresses over real HTTP: every kind of sitemap, what robots.txt forbids, and traps."""

from __future__ import annotations

import gzip
import itertools
import time

import pyarrow as pa
import pytest

from diffbench_assets.schemas import SITE_URLS, SITES
from diffbench_assets_tests.corpus.net.bombs import gzip_bomb
from diffbench_assets_tests.corpus.net.loopback_web import Answer, moved
from diffbench_assets_tests.corpus.sitemaps.helpers import discover, index, urlset

A = "http://a.test"


def kept(found, host="a.test"):
    return found.sites[host]["outcome"], found.urls(host)


def test_the_rows_fit_their_tables(tmp_path):
    found = discover({"a.test/sitemap.xml": urlset(A + "/1", A + "/2.pdf")}, tmp_path, "a.test", "gone.test")
    pa.Table.from_pylist(found.rows, SITE_URLS.schema)
    pa.Table.from_pylist(list(found.sites.values()), SITES.schema)
    assert list(found.sites["a.test"]) == SITES.names and list(found.rows[0]) == SITE_URLS.names
    assert found.sites["a.test"] == {
        "host": "a.test",
        "outcome": "read",
        "robots": "none",
        "crawl_delay_s": None,
        "sitemaps": 1,
        "urls_seen": 2,
        "urls_kept": 1,
        "left_out": {"not_a_page": 1},
        "error": None,
    }


@pytest.mark.parametrize("where", ["/sitemap.xml", "/sitemap_index.xml", "/sitemap.xml.gz", "/sitemap.txt", "/named"])
@pytest.mark.parametrize(
    "document",
    [
        urlset(A + "/1"),
        gzip.compress(urlset(A + "/1").encode()),
        A + "/1\n" + A + "/logo.png\n",
        f"<rss><channel><item><link>{A}/1</link></item></channel></rss>",
        f"<feed><entry><link href='{A}/1'/></entry></feed>",
        index(A + "/child.xml"),
    ],
    ids=["xml", "gzip", "text", "rss", "atom", "index"],
)
def test_every_kind_at_every_place(tmp_path, where, document):
    web = {"a.test" + where: document, "a.test/child.xml": gzip.compress(urlset(A + "/1").encode())}
    if where == "/named":
        web["a.test/robots.txt"] = f"User-agent: *\nSitemap: {A}{where}\n"
    assert kept(discover(web, tmp_path, "a.test")) == ("read", [A + "/1"])


def test_a_host_without_sitemap_gives_its_home(tmp_path):
    web = {"a.test/robots.txt": "User-agent: *\nCrawl-delay: 0.25\n", "a.test/sitemap.xml": "<html>not found</html>"}
    found = discover(web, tmp_path, "a.test")
    assert kept(found) == ("no_sitemap", [A + "/"])
    assert found.rows[0]["sitemap"] == "home"
    assert (found.sites["a.test"]["robots"], found.sites["a.test"]["crawl_delay_s"]) == ("obeyed", 0.25)


def test_the_home_is_where_a_server_answers(tmp_path):
    async def resolve(host):
        if host != "www.a.test":
            raise OSError
        return ["127.7.7.7"]

    assert discover({}, tmp_path, "a.test", gateway={"resolve": resolve}).urls("a.test") == ["http://www.a.test/"]


def test_robots_that_forbid_are_obeyed(tmp_path):
    web = {
        "a.test/robots.txt": "User-agent: *\nDisallow: /private\nDisallow: /*?\nSitemap: /s.xml\nSitemap: /private.xml",
        "a.test/s.xml": urlset(A + "/1", A + "/private/2", A + "/3?x=1"),
        "b.test/robots.txt": "User-agent: *\nDisallow: /\n",
        "c.test/robots.txt": "User-agent: *\nAllow: /\n\nUser-agent: diffbench-assets\nDisallow: /\n",
        "d.test/robots.txt": "User-agent: *\nDisallow: /\n\nUser-agent: diffbench-assets\nAllow: /\n",
    }
    found = discover(web, tmp_path, "a.test", "b.test", "c.test", "d.test")
    assert kept(found) == ("read", [A + "/1"]) and found.sites["a.test"]["left_out"] == {"robots": 2}
    assert kept(found, "b.test") == kept(found, "c.test") == ("forbidden", [])
    assert found.urls("d.test") == ["http://d.test/"]
    assert found.asked("a.test") == ["/robots.txt", "/s.xml"]
    assert found.asked("b.test") == found.asked("c.test") == ["/robots.txt"]


@pytest.mark.parametrize(
    "answer, robots, outcome",
    [
        (Answer(status=404), "none", "no_sitemap"),
        (Answer(status=403), "none", "no_sitemap"),
        (Answer("User-agent: *\nDisallow: /x", 500), "unreachable", "unreachable"),
        (Answer(status=429), "unreachable", "unreachable"),
        (Answer(delay_s=30), "unreachable", "unreachable"),
        (Answer(hang_up=True), "unreachable", "unreachable"),
        (Answer(headers={"X": "a" * 5_000_000}), "unreachable", "unreachable"),
        (moved("http://a.test/robots.txt"), "none", "no_sitemap"),
        (moved("http://10.0.0.1/robots.txt"), "unreachable", "refused_address"),
        (moved("file:///etc/passwd"), "unreachable", "unreachable"),
        (Answer(stream=gzip_bomb(10 << 30, b"User-agent: *\nDisallow: /\n")), "obeyed", "forbidden"),
        (Answer(b"User-agent: *\n" + b"Disallow: /x\n" * 10**6 + b"Disallow: /\n"), "obeyed", "no_sitemap"),
        (Answer("\ufeffUser-agent: *\r\nDisallow: /"), "obeyed", "forbidden"),
        (Answer("<html>Disallow: /</html>"), "obeyed", "no_sitemap"),
    ],
)
def test_what_robots_txt_means(tmp_path, answer, robots, outcome):
    """RFC 9309, 2.3 and 2.5: 4xx and too many redirects allow all, 5xx and silence forbid all, 500 KiB are read."""
    web = {"a.test/robots.txt": answer, "www.a.test/robots.txt": answer}
    found = discover(web, tmp_path, "a.test")
    assert (found.sites["a.test"]["robots"], found.sites["a.test"]["outcome"]) == (robots, outcome)
    assert bool(found.urls("a.test")) == (outcome == "no_sitemap")
    assert len(found.log) <= 10


def test_robots_txt_five_redirects_away(tmp_path):
    web = {f"r{n}.test/robots.txt": moved(f"http://r{n + 1}.test/robots.txt") for n in range(5)}
    web["r5.test/robots.txt"] = "User-agent: *\nDisallow: /"
    found = discover(web, tmp_path, "r0.test")
    assert kept(found, "r0.test") == ("forbidden", [])


def test_only_addresses_of_the_site_and_of_pages(tmp_path):
    inside = ["/1", "/1#top", "/1?utm_source=x", "http://www.a.test/3"]
    outside = ["//b.test/2", "/4.pdf", "ftp://a.test/", "/5" * 2000]
    found = discover({"a.test/sitemap.xml": urlset(*inside, *outside)}, tmp_path, "a.test")
    assert kept(found) == ("read", [A + "/1", "http://www.a.test/3"])
    left_out = {"duplicate": 2, "not_a_page": 1, "not_an_address": 1, "other_site": 1, "too_long": 1}
    assert found.sites["a.test"]["left_out"] == left_out


def test_other_hosts_of_the_site_are_asked_for_their_rules(tmp_path):
    web = {
        "a.test/sitemap.xml": urlset("http://x.a.test/1", "http://y.a.test/1"),
        "x.a.test/robots.txt": "User-agent: *\nDisallow: /1",
    }
    assert kept(discover(web, tmp_path, "a.test")) == ("read", ["http://y.a.test/1"])


def test_another_host_may_hold_the_sitemap_when_robots_txt_says_so(tmp_path):
    web = {
        "a.test/robots.txt": "Sitemap: http://cdn.test/a.xml\nSitemap: http://closed.test/a.xml",
        "cdn.test/a.xml": index("http://cdn.test/b.xml", "http://third.test/c.xml"),
        "cdn.test/b.xml": urlset(A + "/1", "http://cdn.test/2"),
        "third.test/c.xml": urlset(A + "/3"),
        "closed.test/robots.txt": "User-agent: *\nDisallow: /",
    }
    found = discover(web, tmp_path, "a.test")
    assert kept(found) == ("read", [A + "/1"])
    assert found.asked("third.test") == [] and found.asked("closed.test") == ["/robots.txt"]


def test_the_sample_under_the_cap_does_not_depend_on_order(tmp_path):
    urls = [f"{A}/{n}" for n in range(3000)]
    ways = {
        "forwards": {"a.test/sitemap.xml": urlset(*urls)},
        "backwards": {"a.test/sitemap.xml": urlset(*urls[::-1])},
        "in files": {
            "a.test/sitemap.xml": index(A + "/s1.xml", A + "/s2.xml"),
            "a.test/s1.xml": urlset(*urls[::2]),
            "a.test/s2.xml": urlset(*urls[1::2]),
        },
    }
    found = {name: discover(web, tmp_path / name, "a.test") for name, web in ways.items()}
    chosen = {name: found.urls("a.test") for name, found in found.items()}
    assert chosen["forwards"] == chosen["backwards"] == chosen["in files"]
    assert len(chosen["forwards"]) == 20 and len({len(url) for url in chosen["forwards"]}) > 1
    assert found["forwards"].sites["a.test"]["left_out"] == {"over_cap": 2980}
    other = discover(ways["forwards"], tmp_path / "other seed", "a.test", seed=7)
    assert set(other.urls("a.test")) != set(chosen["forwards"])


def test_a_smaller_site_keeps_its_sample_when_pages_are_added(tmp_path):
    before = discover({"a.test/sitemap.xml": urlset(*(f"{A}/{n}" for n in range(1000)))}, tmp_path / "1", "a.test")
    after = discover({"a.test/sitemap.xml": urlset(*(f"{A}/{n}" for n in range(1010)))}, tmp_path / "2", "a.test")
    assert len(set(before.urls("a.test")) - set(after.urls("a.test"))) <= 3


PACKED = {"Content-Encoding": "gzip"}
URL = f"<url><loc>http://a.test/sitemap.pdf</loc><lastmod>{'2024' * 500}</lastmod></url>".encode()


def endless_index(asked):
    if asked.path == "/robots.txt":
        return Answer(status=404)
    n = int("".join(filter(str.isdigit, asked.path)) or 0)
    return Answer(index(*(f"{A}/sitemap{n * 10 + k}.xml" for k in range(1, 10))))


@pytest.mark.parametrize(
    "web, outcome, requests",
    [
        ({"a.test/sitemap.xml": index(A + "/sitemap.xml", A + "/sitemap_index.xml"),
          "a.test/sitemap_index.xml": index(A + "/sitemap.xml")}, "read", 3),
        (endless_index, "too_many_sitemaps", 51),
        ({"a.test/sitemap.xml": moved("/sitemap.xml")}, "no_sitemap", 11),
        ({"a.test/sitemap.xml": moved("http://169.254.169.254/latest/meta-data/")}, "no_sitemap", 5),
        ({"a.test/sitemap.xml": moved("http://127.0.0.1/")}, "no_sitemap", 5),
        ({"a.test/sitemap.xml": moved("file:///etc/passwd")}, "no_sitemap", 5),
        ({"a.test/sitemap.xml": Answer(stream=itertools.repeat(b"<urlset>"), pause_s=0.1)}, "timeout", 5),
        ({"a.test/sitemap.xml": Answer(headers={"X": "a" * 5_000_000})}, "no_sitemap", 5),
        ({"a.test/sitemap.xml.gz": Answer(stream=gzip_bomb(10 << 30, b"<urlset>", URL))}, "gzip_bomb", 5),
        ({"a.test/sitemap.xml": Answer(stream=gzip_bomb(10 << 30), headers=PACKED)}, "no_sitemap", 5),
    ],
    ids=["cycle", "endless index", "redirect loop", "metadata", "loopback", "file", "drip", "headers", "bomb",
         "encoded bomb"],
)  # fmt: skip
def test_traps_end(tmp_path, web, outcome, requests):
    started = time.monotonic()
    found = discover(web, tmp_path, "a.test")
    assert found.sites["a.test"]["outcome"] == outcome
    assert found.urls("a.test") == [A + "/"]
    assert len(found.log) <= requests and time.monotonic() - started < 60


def test_limits_keep_what_was_read_before_them(tmp_path):
    urls = [f"{A}/{n}" for n in range(5000)]
    many = discover({"a.test/sitemap.xml": urlset(*urls)}, tmp_path / "1", "a.test", urls_read_per_host=1000)
    large = discover({"a.test/sitemap.xml": urlset(*urls)}, tmp_path / "2", "a.test", sitemap_bytes=100_000)
    deep = {f"a.test/{n}.xml": index(f"{A}/{n + 1}.xml") for n in range(9)}
    deep |= {"a.test/robots.txt": f"Sitemap: {A}/0.xml\nSitemap: {A}/s.xml", "a.test/s.xml": urlset(*urls)}
    deeper = discover(deep, tmp_path / "3", "a.test")
    slow = {"a.test/robots.txt": f"Sitemap: {A}/s.xml\nSitemap: {A}/slow.xml", "a.test/s.xml": urlset(*urls)}
    slow["a.test/slow.xml"] = Answer(delay_s=30)
    late = discover(slow, tmp_path / "4", "a.test", host_s=1.0)
    assert many.sites["a.test"]["urls_seen"] == 1000
    outcomes = [found.sites["a.test"]["outcome"] for found in (many, large, deeper, late)]
    assert outcomes == ["too_many_urls", "too_large", "too_deep", "timeout"]
    assert len(many.urls("a.test")) == len(large.urls("a.test")) == len(deeper.urls("a.test")) == 20


def test_an_address_that_two_hosts_name_is_kept_once(tmp_path):
    shared = urlset("http://x.a.test/1", "http://a.test/1")
    found = discover({"a.test/sitemap.xml": shared, "x.a.test/sitemap.xml": shared}, tmp_path, "a.test", "x.a.test")
    assert [(row["host"], row["url"]) for row in found.rows] == [
        ("a.test", A + "/1"),
        ("x.a.test", "http://x.a.test/1"),
    ]


def test_private_hosts_are_never_reached(tmp_path):
    async def resolve(host):
        return {"a.test": ["127.7.7.7"], "inside.test": ["10.0.0.1"], "both.test": ["127.7.7.7", "192.168.0.1"]}[host]

    hosts = ["a.test", "inside.test", "both.test"]
    found = discover({}, tmp_path, *hosts, gateway={"resolve": lambda host: resolve(host.removeprefix("www."))})
    assert [found.sites[host]["outcome"] for host in hosts] == ["no_sitemap", "refused_address", "refused_address"]
    assert {asked.host for asked in found.log} == {"a.test"}


def test_a_host_that_moves_to_a_private_address_in_between(tmp_path):
    """DNS rebinding between robots.txt and the sitemap."""
    moved_inside = False

    def behave(asked):
        nonlocal moved_inside
        moved_inside = asked.path == "/robots.txt"
        return Answer(urlset(A + "/1"), 404 if moved_inside else 200)

    async def resolve(host):
        return ["10.0.0.1" if moved_inside else "127.7.7.7"]

    found = discover(behave, tmp_path, "a.test", gateway={"resolve": resolve})
    assert found.asked("a.test") == ["/robots.txt"] and len(found.log) == 1
    assert "refused_address" in found.sites["a.test"]["error"]
