"""A real browser behind the gateway: pages work, over HTTP and TLS, and nothing private is reached around it."""

from __future__ import annotations

import asyncio
import os
import ssl

import trustme
from playwright.async_api import async_playwright

from diffbench_assets.browser.chromium import find_chromium
from diffbench_assets.corpus.net.gateway import Gateway
from diffbench_assets_tests.corpus.net.loopback_web import Answer, Asked, LoopbackWeb

IMAGES = 40
DOT = b"<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'/>"
SVG = {"Content-Type": "image/svg+xml", "Cache-Control": "no-store"}
HTML = {"Content-Type": "text/html"}


def tls_server() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("*.test").configure_cert(context)
    return context


def behave(secret_port: int):
    def answer(asked: Asked) -> Answer:
        if asked.path.startswith("/dot"):
            return Answer(DOT, headers=SVG)
        if asked.path == "/gone":
            return Answer("", 302, {"Location": f"http://127.0.0.1:{secret_port}/redirected"})
        if asked.path != "/":
            return Answer(status=404)
        dots = [f"cdn{n % 5}.test/dot{n}" for n in range(IMAGES)]
        images = [f"<img src='http://{dot}'><img src='https://{dot}'>" for dot in dots]
        at = f"127.0.0.1:{secret_port}"
        probes = f"""
            <iframe src="http://{at}/frame"></iframe><img src="http://{at}/image"><img src="http://localhost:{secret_port}/">
            <img src="http://127.0.0.1/eighty"><img src="http://[::1]/six"><img src="http://shop.test/gone">
            <link rel=preconnect href="http://{at}/"><link rel=dns-prefetch href="http://private.test">
            <script>
              fetch("http://{at}/fetch", {{mode: "no-cors"}}).catch(() => 0); navigator.sendBeacon("http://{at}/beacon");
              new WebSocket("ws://{at}/socket"); new EventSource("http://{at}/events");
            </script>"""
        return Answer("<title>shop</title>" + "".join(images) + probes, headers=HTML)

    return answer


async def visit(gateway: Gateway) -> tuple[list[int], str | None]:
    """Images that three contexts at once have loaded, and what a private address answers."""
    arguments = [] if os.geteuid() else ["--no-sandbox"]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
        proxy = {"server": gateway.url}
        contexts = [await browser.new_context(proxy=proxy, ignore_https_errors=True) for _ in range(3)]
        pages = [await context.new_page() for context in contexts]
        await asyncio.gather(*(page.goto("http://shop.test/", wait_until="load") for page in pages))
        count = "[...document.images].filter(i => i.src.includes('cdn') && i.naturalWidth).length"
        loaded = [await page.evaluate(count) for page in pages]
        refused = await pages[0].goto("http://10.0.0.1/")
        await browser.close()
    return loaded, refused.headers.get("x-diffbench-refused")


def test_chromium_works_through_the_gateway_and_reaches_nothing_else():
    with LoopbackWeb(lambda _: Answer("secret")) as secret, LoopbackWeb(behave(secret.port), tls_server()) as web:

        async def main():
            async with web.gateway(ports={80, 443, secret.port}) as gateway:
                return *await visit(gateway), gateway

        loaded, refused, gateway = asyncio.run(main())
    assert loaded == [2 * IMAGES] * 3
    assert refused == "address"
    assert secret.log == [] and gateway.refused["address"] >= 3 * 6
    assert {asked.host for asked in web.log} == {"shop.test", *(f"cdn{n}.test" for n in range(5))}
