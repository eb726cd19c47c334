"""What the crawler stores of a page shows, offline, the very pixels of the screenshot it took."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from diffbench_assets.browser.gate import pixel_agreement
from diffbench_assets.browser.render import Renderer
from diffbench_assets.corpus.crawl.crawler import Settings, crawl
from diffbench_assets.corpus.crawl.spool import Spool
from diffbench_assets.corpus.self_contained import from_snapshot
from diffbench_assets.pages.snapshot.capture import prepare_snapshot
from diffbench_assets_tests.corpus.net.loopback_web import Answer, LoopbackWeb, pages
from diffbench_assets_tests.pages.snapshot.constructs import CONSTRUCTS, FILES, HEAD

MANY = "".join(f"<img src='red.png?{number}' width=9>" for number in range(150))
PAGES = {
    "system.test": f"{HEAD}<body>{CONSTRUCTS['system fonts']}",
    # The font comes first, and then more requests than Playwright remembers.
    "early.test": (
        f"{HEAD}<link rel=preload as=font crossorigin href=mono.woff2><body><h1>Early</h1>{MANY}"
        "<style>@font-face{font-family:W;src:url(mono.woff2)}h1{font:40px W}</style>"
    ),
    "pictures.test": f"{HEAD}<body>{CONSTRUCTS['pictures of all kinds']}",
}


def test_the_crawler_keeps_fonts_and_pictures_to_the_pixel(tmp_path: Path) -> None:
    answers: dict[str, Answer | str | bytes] = {}
    for host, html in PAGES.items():
        answers[f"{host}/"] = Answer(html, headers={"Content-Type": "text/html; charset=utf-8"})
        for path, (kind, data) in FILES.items():
            answers[host + path] = Answer(data, headers={"Content-Type": kind})
        answers |= {f"{host}/red.png?{number}": answers[f"{host}/red.png"] for number in range(150)}
    rows = [{"url_id": h.partition(".")[0], "url": f"http://{h}/", "host": h, "crawl_delay_s": None} for h in PAGES]

    async def run() -> list[tuple[dict[str, Any], bytes]]:
        with LoopbackWeb(pages(answers)) as web:
            async with web.gateway() as gateway:
                spool = Spool(tmp_path)
                await crawl(rows, spool, Settings(gap_s=0), gateway.url, snapshot=prepare_snapshot)
        async with Renderer() as renderer, renderer.tab() as tab:
            shots = []
            for row in spool.rows():
                await tab.load(from_snapshot(row)["html"])
                shots.append((row, await tab.settled()))
            return shots

    shots = asyncio.run(run())
    assert len(shots) == len(PAGES)
    agreement = {row["url_id"]: pixel_agreement(row["screenshot"]["bytes"], copy) for row, copy in shots}
    assert agreement == dict.fromkeys(agreement, 1.0)
