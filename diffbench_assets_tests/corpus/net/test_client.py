"""The client asks again what may pass, names what does not, and keeps no cookies."""

from __future__ import annotations

import asyncio
import itertools
import time

import pytest

from diffbench_assets import __version__
from diffbench_assets.corpus.net.bodies import unpacked
from diffbench_assets.corpus.net.client import Client, ClientLimits, GatewayGone, Unanswered
from diffbench_assets_tests.corpus.net.bombs import gzip_bomb
from diffbench_assets_tests.corpus.net.loopback_web import Answer, LoopbackWeb
from diffbench_assets_tests.corpus.net.test_gateway_chromium import tls_server

QUICK = ClientLimits(attempts=3, request_s=0.7, first_wait_s=0.02, longest_wait_s=0.5)


def ask(behave, *urls: str, tls=None):
    """(outcome of each url: status and body, or reason) and the server's log."""

    async def read(response):
        return response.status_code, b"".join([piece async for piece in unpacked(response, 1_000_000)])

    async def main(web):
        found = []
        async with web.gateway() as gateway, Client(gateway.url, "mail@shop.example", QUICK) as client:
            for url in urls:
                try:
                    found.append(await client.ask(url, read))
                except Unanswered as failure:
                    found.append(failure.reason)
        return found

    with LoopbackWeb(behave, tls) as web:
        return asyncio.run(main(web)), web.log


def test_it_says_who_it_is_and_keeps_no_cookies():
    cookies = {"Set-Cookie": "id=7; Path=/"}
    found, log = ask(lambda _: Answer("ok", headers=cookies), "http://shop.test/", "http://shop.test/")
    assert found == [(200, b"ok")] * 2
    assert log[0].headers["user-agent"] == f"diffbench-assets/{__version__} (mail@shop.example)"
    assert "cookie" not in log[1].headers


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(status):
    found, log = ask(lambda asked: Answer("ok", 200 if asked.nth == 3 else status), "http://shop.test/")
    assert found == [(200, b"ok")] and len(log) == 3


def test_the_last_refusal_is_the_answer():
    found, log = ask(lambda asked: Answer("down", 503), "http://shop.test/")
    assert found == [(503, b"down")] and len(log) == 3


def test_retry_after_is_honoured_up_to_the_cap():
    waits = {1: "0.3", 2: "86400"}
    found, log = ask(
        lambda asked: Answer("ok", 429, {"Retry-After": waits[asked.nth]}) if asked.nth < 3 else Answer("ok"),
        "http://shop.test/",
    )
    gaps = [later.at - earlier.at for earlier, later in itertools.pairwise(log)]
    assert found == [(200, b"ok")] and 0.3 <= gaps[0] < 1 and 0.5 <= gaps[1] < 1.5


@pytest.mark.parametrize(
    "answer, reason, asked",
    [
        (Answer(status=404), (404, b""), 1),
        (Answer(hang_up=True), "bad_response", 3),
        (Answer(delay_s=5), "timeout", 3),
        (Answer(stream=itertools.repeat(b"x"), pause_s=0.05), "timeout", 1),
        (Answer(stream=itertools.repeat(b"x" * 10_000)), "too_large", 1),
        (Answer(headers={"X": "a" * 5_000_000}), "header_too_large", 1),
        (Answer(headers={"Content-Encoding": "br"}), "bad_encoding", 1),
        (Answer(stream=gzip_bomb(10 << 30), headers={"Content-Encoding": "gzip"}), "too_large", 1),
        (Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nxy"), "bad_response", 1),
    ],
)
def test_what_cannot_be_used_has_a_name(answer, reason, asked):
    found, log = ask(lambda _: answer, "http://shop.test/")
    assert found == [reason] and len(log) == asked


def test_what_the_gateway_refuses_is_not_asked_again():
    urls = ["http://10.0.0.1/", "https://10.0.0.1/", "http://shop.test:81/", "https://shop.test:81/"]
    urls += ["http://shop.invalid/", "https://shop.invalid/", "https://shop.test/"]
    found, log = ask(lambda _: Answer("ok"), *urls)
    assert found == ["refused_address"] * 2 + ["refused_port"] * 2 + ["unresolved"] * 2 + ["unreachable"]
    assert log == []


def test_a_server_cannot_speak_as_the_gateway_and_certificates_are_checked():
    forged = Answer("ok", 403, {"X-Diffbench-Refused": "address"})
    found, log = ask(lambda _: forged, "http://shop.test/", "https://shop.test/", tls=tls_server())
    assert found == [(403, b"ok"), "tls"] and len(log) == 1


def test_without_the_gateway_no_host_is_blamed():
    async def main(web):
        async with web.gateway() as gateway:
            url = gateway.url
        async with Client(url, limits=QUICK) as client:
            for scheme in ("http", "https"):
                with pytest.raises(GatewayGone):
                    await client.ask(f"{scheme}://shop.test/", lambda response: response.aread())

    with LoopbackWeb(lambda _: Answer("ok")) as web:
        started = time.monotonic()
        asyncio.run(main(web))
        assert time.monotonic() - started < 20
