"""kill -9 in the middle of discovery, twice: no finished host is asked again."""

from __future__ import annotations

import sys
from collections import Counter

from diffbench_assets.corpus.sitemaps.spool import rows_of
from diffbench_assets_tests.corpus.net.loopback_web import Answer, LoopbackWeb
from diffbench_assets_tests.corpus.sitemaps.discoverer import PARALLEL, hosts
from diffbench_assets_tests.corpus.sitemaps.helpers import urlset
from diffbench_assets_tests.killing import run

HOSTS = 80


def behave(asked):
    if asked.path == "/robots.txt":
        return Answer("User-agent: *\nAllow: /\nSitemap: /s.xml", delay_s=0.02)
    return Answer(urlset(f"http://{asked.host}/1", f"http://{asked.host}/2"), delay_s=0.02)


def test_killed_twice_no_finished_host_is_asked_again(tmp_path):
    spool = tmp_path / "spool"
    with LoopbackWeb(behave) as web:
        command = [sys.executable, "-m", "diffbench_assets_tests.corpus.sitemaps.discoverer", str(web.port), spool]
        for kill_at in (50, 110, None):
            finished = {str(row["host"]) for row in rows_of(spool, hosts(HOSTS))[0]}
            before = len(web.log)
            run([*command, HOSTS], kill_at and (lambda limit=kill_at: len(web.log) >= limit))
            assert not finished & {asked.host for asked in web.log[before:]}
        asked = Counter(asked.url for asked in web.log)
    sites, urls = rows_of(spool, hosts(HOSTS))
    assert [row["host"] for row in sites] == sorted(hosts(HOSTS))
    assert [row["url"] for row in urls] == [f"http://{host}/{n}" for host in sorted(hosts(HOSTS)) for n in (1, 2)]
    assert set(asked) == {f"http://{host}{path}" for host in hosts(HOSTS) for path in ("/robots.txt", "/s.xml")}
    repeated = {url.split("/")[2] for url, times in asked.items() if times > 1}
    assert len(repeated) <= 2 * PARALLEL, "only hosts in flight at a kill may be asked again"
