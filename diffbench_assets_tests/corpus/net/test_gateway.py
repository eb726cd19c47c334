"""The gateway lets through what is allowed, to the address that was checked, under its limits, and nothing else."""

from __future__ import annotations

import asyncio
import itertools
import os
import time

import httpx
import pytest

from diffbench_assets.corpus.net.gateway import FAILED_HEADER, REFUSED_HEADER, Gateway, Limits, system_resolver
from diffbench_assets_tests.corpus.net.loopback_web import STAND_IN, Answer, LoopbackWeb, pages

TLS = httpx.create_ssl_context()


def get(gateway: Gateway, url: str, method: str = "GET", **options) -> httpx.Response:
    """One request through the gateway, from a thread so that the gateway's loop is free."""
    with httpx.Client(proxy=gateway.url, trust_env=False, timeout=20, verify=TLS) as client:
        return client.request(method, url, **options)


async def asked(gateway: Gateway, url: str, method: str = "GET", **options) -> httpx.Response:
    return await asyncio.to_thread(get, gateway, url, method, **options)


async def raw(gateway: Gateway, sent: bytes) -> bytes:
    """What comes back on a bare connection to the gateway."""
    reader, writer = await asyncio.open_connection(*gateway.url.removeprefix("http://").split(":"))
    writer.write(sent)
    try:
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()


def in_gateway(web: LoopbackWeb, scenario, **options):
    async def main():
        async with web.gateway(**options) as gateway:
            return await scenario(gateway)

    return asyncio.run(main())


@pytest.fixture
def web():
    with LoopbackWeb(pages({"shop.test/": "hello", "shop.test/big": b"x" * 2_000_000})) as web:
        yield web


def test_a_plain_request_arrives_whole(web):
    async def scenario(gateway):
        answer = await asked(gateway, "http://shop.test/a%2fb/?q=1&r=%20", "POST", content=b"z" * 300_000)
        return answer, gateway.requests, gateway.bytes["shop.test"]

    answer, requests, received = in_gateway(web, scenario)
    (seen,) = web.log
    assert (seen.method, seen.host, seen.path, seen.body) == ("POST", "shop.test", "/a%2fb/?q=1&r=%20", b"z" * 300_000)
    assert answer.status_code == 404 and requests == {"shop.test": 1}
    assert received >= len("nothing here")
    assert not {"proxy-connection", "keep-alive", "x-diffbench-refused"} & seen.headers.keys()


def test_a_large_body_and_many_at_once(web):
    async def scenario(gateway):
        answers = await asyncio.gather(*(asked(gateway, "http://shop.test/big") for _ in range(20)))
        return [answer.content for answer in answers]

    assert in_gateway(web, scenario) == [b"x" * 2_000_000] * 20


def test_a_tunnel_carries_anything(web):
    async def scenario(gateway):
        request = b"GET / HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n"
        reader, writer = await asyncio.open_connection(*gateway.url.removeprefix("http://").split(":"))
        writer.write(b"CONNECT shop.test:80 HTTP/1.1\r\nHost: shop.test:80\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        writer.write(request)
        body = await reader.read()
        writer.close()
        return body

    assert in_gateway(web, scenario).endswith(b"hello")


@pytest.mark.parametrize(
    "url, reason",
    [
        ("http://127.0.0.1/", "address"),
        ("http://10.0.0.1/", "address"),
        ("http://[::1]/", "address"),
        ("http://[::ffff:127.0.0.1]/", "address"),
        ("http://169.254.169.254/latest/meta-data/", "address"),
        ("http://localhost/", "address"),
        ("http://2130706433/", "address"),
        ("http://0x7f.1/", "address"),
        ("http://shop.test:22/", "port"),
        ("http://shop.test:8080/", "port"),
    ],
)
@pytest.mark.parametrize("tunnel", [False, True])
def test_what_is_not_public_is_refused_with_its_reason(web, url, reason, tunnel):
    """With the real policy and the real resolver: spellings of loopback that only the system knows are refused too."""

    async def scenario():
        async with Gateway(resolve=system_resolver) as gateway:
            target = url.removeprefix("http://").partition("/")[0] + ("" if reason == "port" else ":443")
            first = f"CONNECT {target}" if tunnel else f"GET {url}"
            return await raw(gateway, f"{first} HTTP/1.1\r\nHost: x\r\n\r\n".encode()), dict(gateway.refused)

    head, refused = asyncio.run(scenario())
    assert head.startswith(f"HTTP/1.1 403 {reason}\r\n{REFUSED_HEADER}: {reason}\r\n".encode())
    assert refused == {reason: 1}
    assert web.log == []


def test_one_forbidden_address_among_allowed_ones_is_enough(web):
    async def resolve(host):
        return [STAND_IN, "10.0.0.7"]

    answer = in_gateway(web, lambda gateway: asked(gateway, "http://shop.test/"), resolve=resolve)
    assert answer.headers[REFUSED_HEADER] == "address" and web.log == []


def test_a_name_that_answers_differently_the_second_time_gains_nothing(web):
    """DNS rebinding: allowed at first, then forbidden. Each connection goes to the address that was checked for it."""
    answers = itertools.chain([[STAND_IN]], itertools.repeat(["10.0.0.7"]))
    dialled = []

    async def resolve(host):
        return next(answers)

    async def scenario(gateway):
        inner = gateway._dial

        async def dial(address, port):
            dialled.append(address)
            return await inner(address, port)

        gateway._dial = dial
        first = await asked(gateway, "http://rebind.test/")
        second = await asked(gateway, "http://rebind.test/")
        return first, second, gateway.refused

    first, second, refused = in_gateway(web, scenario, resolve=resolve)
    assert first.status_code == 404 and second.headers[REFUSED_HEADER] == "address"
    assert dialled == [STAND_IN] and refused == {"address": 1}


def test_it_never_asks_itself(web):
    async def scenario(gateway):
        inside = await asked(gateway, gateway.url + "/")
        origin_form = await raw(gateway, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return inside.headers[REFUSED_HEADER], origin_form, gateway.refused

    itself, origin_form, refused = in_gateway(web, scenario, ports=range(1, 65536), allowed=lambda address: True)
    assert itself == "itself" and b" 403 not_a_proxy_request" in origin_form
    assert refused == {"itself": 1, "not_a_proxy_request": 1}


@pytest.mark.parametrize(
    "sent",
    [
        b"GET file:///etc/passwd HTTP/1.1\r\n\r\n",
        b"GET https://shop.test/ HTTP/1.1\r\n\r\n",
        b"CONNECT shop.test HTTP/1.1\r\n\r\n",
        b"CONNECT shop.test:port HTTP/1.1\r\n\r\n",
        b"CONNECT \xff:443 HTTP/1.1\r\n\r\n",
        b"GET http:///nowhere HTTP/1.1\r\n\r\n",
        b"GET http://sh op.test/ HTTP/1.1\r\n\r\n",
        b"GET http://shop.test/ HTTP/1.1\nX: a\rb\n\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n",
        b"GET http://shop.test/ HTTP/1.1\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    ],
)
def test_what_is_no_proxy_request_is_turned_away(web, sent):
    assert in_gateway(web, lambda gateway: raw(gateway, sent)).startswith(b"HTTP/1.1 403 ")
    assert web.log == []


def test_the_host_header_cannot_name_another_site(web):
    sent = b"GET http://shop.test/ HTTP/1.1\r\nHost: other.test\r\nConnection: x-secret\r\nX-Secret: 1\r\n\r\n"
    in_gateway(web, lambda gateway: raw(gateway, sent))
    assert web.log[0].host == "shop.test" and "x-secret" not in web.log[0].headers


def test_no_server_can_speak_in_the_name_of_the_gateway():
    forged = {REFUSED_HEADER: "address", FAILED_HEADER.lower(): "timeout", "X-Other": "1"}
    with LoopbackWeb(lambda _: Answer("ok", 403, forged)) as web:
        answer = in_gateway(web, lambda gateway: asked(gateway, "http://shop.test/"))
    assert answer.status_code == 403 and answer.headers["x-other"] == "1"
    assert REFUSED_HEADER not in answer.headers and FAILED_HEADER not in answer.headers


def test_failures_say_what_failed(web):
    async def scenario(gateway):
        unresolved = await asked(gateway, "http://shop.invalid/")
        unreachable = await raw(gateway, b"CONNECT shop.test:443 HTTP/1.1\r\n\r\n")
        return unresolved, unreachable, gateway.failed, gateway.refused

    unresolved, unreachable, failed, refused = in_gateway(web, scenario)
    assert (unresolved.status_code, unresolved.headers[FAILED_HEADER]) == (502, "unresolved")
    assert unreachable.startswith(b"HTTP/1.1 502 unreachable")
    assert failed == {"unresolved": 1, "unreachable": 1} and not refused


@pytest.mark.parametrize(
    "answer, reason",
    [
        (Answer(headers={"X-Bomb": "a" * 5_000_000}), "header_too_large"),
        (Answer(headers={f"X-{n}": "a" * 1000 for n in range(5000)}), "header_too_large"),
        (Answer(raw=b"\x00\x01\x02 not http\n\n"), "bad_response"),
        (Answer(raw=b"HTTP/1.1 200 OK\r\nX: 1"), "bad_response"),
        (Answer(raw=b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), "bad_response"),
        (Answer(hang_up=True), "bad_response"),
        (Answer(delay_s=30), "timeout"),
        (Answer(raw=b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000), "bad_response"),
    ],
)
def test_servers_that_never_answer_properly(answer, reason):
    with LoopbackWeb(lambda _: answer) as web:
        seen = in_gateway(web, lambda gateway: asked(gateway, "http://shop.test/"), limits=Limits(idle_s=0.5))
    assert seen.headers[FAILED_HEADER] == reason


@pytest.mark.parametrize(
    "answer, reason",
    [
        (Answer(stream=itertools.repeat(b"x" * 50_000)), "too_large"),
        (Answer(stream=itertools.repeat(b"x"), pause_s=0.05), "timeout"),
        (Answer(raw=b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 150_000), "too_large"),
        (Answer(stream=[b"x", b"y"], pause_s=20), "timeout"),
    ],
    ids=["endless", "slow drip", "too long", "silent in the middle"],
)
def test_a_body_that_breaks_a_limit_is_reset_so_that_a_part_never_looks_whole(answer, reason):
    """None of these bodies has a length: with an ordinary end the client would take the part for the whole."""

    async def scenario(gateway):
        with pytest.raises(httpx.ReadError):
            await asked(gateway, "http://shop.test/")
        return gateway.failed

    with LoopbackWeb(lambda _: answer) as web:
        started = time.monotonic()
        limits = Limits(idle_s=0.4, total_s=0.8)
        assert in_gateway(web, scenario, max_bytes=100_000, limits=limits) == {reason: 1}
        assert time.monotonic() - started < 20


def test_no_socket_is_left_behind(web):
    """Clients that vanish, idle ones and refused ones, and one that is being served when the gateway closes."""

    async def scenario(gateway):
        await asyncio.gather(*(asked(gateway, "http://shop.test/") for _ in range(10)))
        address = gateway.url.removeprefix("http://").split(":")
        writers = []
        tunnel, large = b"CONNECT shop.test:80 HTTP/1.1\r\n\r\n", b"GET http://shop.test/big HTTP/1.1\r\n\r\n"
        for sent in [b"", b"GET ht", tunnel, large]:
            for vanishes in (True, False):
                _, writer = await asyncio.open_connection(*address)
                writer.write(sent)
                await writer.drain()
                writer.transport.abort() if vanishes else writers.append(writer)
        await asyncio.sleep(0.3)
        served = gateway.open_connections
        await gateway.__aexit__(None, None, None)
        left = gateway.open_connections
        for writer in writers:
            writer.transport.abort()
        return served, left

    async def main():
        async with web.gateway() as gateway:
            return await scenario(gateway)

    before = len(os.listdir("/proc/self/fd"))
    served, left = asyncio.run(main())
    assert served >= 3 and left == 0
    deadline = time.monotonic() + 5
    while len(os.listdir("/proc/self/fd")) > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(os.listdir("/proc/self/fd")) <= before
