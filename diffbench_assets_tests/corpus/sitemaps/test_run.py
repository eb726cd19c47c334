"""Many hosts side by side, one request at a time to each, kept once and for all."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import replace

import pytest

from diffbench_assets.corpus.net.client import GatewayGone
from diffbench_assets.corpus.sitemaps.politeness import Politeness
from diffbench_assets.corpus.sitemaps.run import discover_sites
from diffbench_assets.corpus.sitemaps.spool import rows_of, spool_of
from diffbench_assets.durable import StoreError
from diffbench_assets_tests.corpus.net.loopback_web import Answer, LoopbackWeb
from diffbench_assets_tests.corpus.sitemaps.helpers import QUICK, discover, urlset


def politely(asked):
    """Each site has a sitemap of its own and one on a host that all share; the first asks for a long delay."""
    if asked.path == "/robots.txt":
        delay = 900 if asked.host == "h0.test" else 0
        shared = f"http://cdn.test/{asked.host}.xml"
        return Answer(f"User-agent: *\nCrawl-delay: {delay}\nSitemap: {shared}\nSitemap: /s.xml")
    return Answer(urlset(f"http://{asked.host}/1"), delay_s=0.02)


def test_one_request_at_a_time_to_a_host_with_a_gap_while_others_go_on(tmp_path):
    hosts = [f"h{n}.test" for n in range(12)]
    with LoopbackWeb(politely) as web:

        async def main():
            async with web.gateway() as gateway:
                settings = replace(QUICK, gap_s=0.05, longest_crawl_delay_s=0.4)
                await discover_sites(hosts, gateway.url, tmp_path, settings)

        started = time.monotonic()
        asyncio.run(main())
        took = time.monotonic() - started
    spans = {host: sorted(span[1:] for span in web.spans if span[0] == host) for host in [*hosts, "cdn.test"]}
    gaps = {host: [b[0] - a[1] for a, b in itertools.pairwise(of_host)] for host, of_host in spans.items()}
    assert all(gap >= 0.045 for of_host in gaps.values() for gap in of_host)
    assert len(gaps["cdn.test"]) == 2 * len(hosts) - 1, "sites that share a host share its turns"
    assert all(0.36 <= gap < 2 for gap in gaps["h0.test"]), "Crawl-delay counts, up to the cap"
    assert took < sum(of_host[-1][1] - of_host[0][0] for of_host in spans.values()), "hosts were asked side by side"


def test_turns_that_nobody_needs_any_more_take_no_memory():
    async def main():
        politeness = Politeness(0.001, 0.02)
        for n in range(100):
            async with politeness.turn(f"h{n}.test"):
                pass
        await asyncio.sleep(0.1)
        return len(politeness._hosts)

    assert asyncio.run(main()) == 0


def test_a_finished_host_is_never_asked_again_whatever_came_of_it(tmp_path):
    hosts = ["a.test", "forbidden.test", "down.test"]
    web = {
        "a.test/sitemap.xml": urlset("http://a.test/1"),
        "forbidden.test/robots.txt": "User-agent: *\nDisallow: /",
        "down.test/robots.txt": Answer(status=503),
    }
    first = discover(web, tmp_path, *hosts)
    again = discover({}, tmp_path, *hosts)
    assert first.log and again.log == []
    assert (again.sites, again.rows) == (first.sites, first.rows)
    assert [row["outcome"] for row in again.sites.values()] == ["read", "unreachable", "forbidden"]


def test_each_finished_site_is_told_when_it_is_durable(tmp_path):
    told = []

    async def main(web):
        async with web.gateway() as gateway:
            await discover_sites(
                ["a.test", "b.test"],
                gateway.url,
                tmp_path,
                QUICK,
                lambda row: told.append((row["host"], rows_of(tmp_path, [row["host"]])[0] == [row])),
            )

    with LoopbackWeb(lambda _: Answer(status=404)) as web:
        asyncio.run(main(web))
    assert sorted(told) == [("a.test", True), ("b.test", True)]


def test_a_gateway_that_closes_ends_the_run_and_blames_no_host(tmp_path):
    async def main(web):
        async with web.gateway() as gateway:
            url = gateway.url
        with pytest.raises(GatewayGone):
            await discover_sites(["a.test", "b.test"], url, tmp_path, QUICK)

    with LoopbackWeb(lambda _: Answer()) as web:
        asyncio.run(main(web))
    assert rows_of(tmp_path, ["a.test", "b.test"]) == ([], [])


def test_a_spool_belongs_to_one_run_and_one_kind_of_settings(tmp_path):
    with spool_of(tmp_path, QUICK), pytest.raises(StoreError, match="another run"), spool_of(tmp_path, QUICK):
        pass
    with pytest.raises(StoreError, match="other settings"), spool_of(tmp_path, replace(QUICK, seed=1)):
        pass
    with spool_of(tmp_path, replace(QUICK, parallel_hosts=3, gap_s=9)):
        pass


def test_hosts_whose_names_are_no_file_names_are_kept_all_the_same(tmp_path):
    hosts = ["../../etc/passwd", "a" * 300 + ".test", "b c.test", "\n.test", ""]
    found = discover({}, tmp_path, *hosts)
    assert {row["outcome"] for row in found.sites.values()} == {"unreachable"} and len(found.sites) == 5
    assert found.log == [] and found.rows == []
