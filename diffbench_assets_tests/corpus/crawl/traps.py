"""The traps of the hostile web, and what becomes of a visit to each.

Belongs here: one entry for each thing that a page or a server may do to a crawler. Does not belong here: the server.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from diffbench_assets_tests.corpus.crawl.answers import (
    PIXEL,
    Answer,
    cut_short,
    endless,
    gzip_bomb,
    huge_headers,
    image_of_size,
    redirect,
    reply,
    script,
    silent,
)

PRIVATE: Final = {
    "intranet.test": "10.0.0.7",
    "router.test": "192.168.1.1",
    "metadata.test": "169.254.169.254",
    "home.test": "127.0.0.1",
    "home6.test": "::1",
    "mapped.test": "::ffff:127.0.0.1",
}


@dataclass(frozen=True)
class Place:
    """An address to visit and what its row must say: `failure`, or None for a page, and further columns."""

    name: str
    url: str
    failure: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def row(self) -> dict[str, Any]:
        """A row as the crawler takes it."""
        return {"url_id": self.name, "url": self.url, "host": urlsplit(self.url).hostname, "crawl_delay_s": None}


HELLO: Final = "<!doctype html><title>Hello</title><h1>Hello</h1><p>A small page.</p>"
ARTICLE: Final = (
    '<!doctype html><html lang="en"><title>Site {number}</title><link rel="stylesheet" href="/style.css">'
    '<h1>Article {number}</h1><p class="lead">Words about things.</p><img src="/picture.png" width="90" height="60">'
)
ARTICLE_PARTS: Final = {
    "/style.css": reply("h1 { color: #246; font: 700 40px sans-serif } .lead { font-size: 20px }", "text/css"),
    "/picture.png": reply(PIXEL, "image/png"),
}
BANNER: Final = (
    '<!doctype html><body style="height:4000px"><h1>News</h1>'
    '<div class="bar" style="position:fixed;inset:auto 0 0 0;height:90px;background:#ddd">We use cookies to make this '
    "site better. <button>Accept all</button><button>Reject</button></div>"
    '<header style="position:sticky;top:0;height:60px;background:#eee">Menu</header><p>text</p>'
)
LAZY: Final = (
    '<!doctype html><h1>Long</h1><div style="height:9000px"></div>'
    '<img loading="lazy" src="/far.png" width="50" height="50">'
)
CLOBBERED: Final = """<!doctype html><body>
<img name=documentElement><img name=querySelectorAll><img name=doctype><img name=fonts><h1>Names</h1>
<form><input name=getBoundingClientRect><input name=innerText><input name=outerHTML></form>
<script>
Array.prototype.filter = Element.prototype.getBoundingClientRect = getComputedStyle = () => { throw 1 };
</script>"""
FADE: Final = """<style>h1 { opacity: 0; animation: in 9s forwards } @keyframes in { to { opacity: 1 } }</style>
<h1>Here at last</h1>"""
# A canvas that a worker paints: holding the page's own scripts does not stop it.
FLICKER: Final = """
const canvas = document.body.appendChild(document.createElement('canvas')).transferControlToOffscreen();
const paint = `onmessage = ({data}) => {
  const brush = data.getContext('2d');
  setInterval(() => {
    brush.fillStyle = 'hsl(' + 360 * Math.random() + ' 90% 50%)';
    brush.fillRect(0, 0, 300, 150);
  }, 1);
}`;
new Worker(URL.createObjectURL(new Blob([paint]))).postMessage(canvas, [canvas]);
"""


def all_traps(secret_tcp: int, secret_udp: int) -> Iterator[tuple[Place, dict[str, Answer]]]:
    """Every trap with the paths of its host."""

    def trap(
        name: str,
        answers: Answer | dict[str, Answer],
        failure: str | None = None,
        url: str | None = None,
        **facts: Any,
    ) -> tuple[Place, dict[str, Answer]]:
        paths = answers if isinstance(answers, dict) else {"/": answers}
        return Place(name, url or f"http://{name}.test/", failure, facts), paths

    # Redirects by status.
    chain = {f"/{step}": redirect(f"/{step + 1}") for step in range(5)}
    yield trap("chain", {"/": redirect("/0"), **chain, "/5": reply(HELLO)}, final_url="http://chain.test/5")
    yield trap("loop", redirect("/"), "redirects")
    yield trap("staircase", {"*": redirect(lambda path: path + "x")}, "redirects")
    yield trap("across", redirect("http://site-000.test/"), redirects=["http://across.test/"], status=200)
    for host in PRIVATE:
        yield trap(f"to-{host.split('.')[0]}", redirect(f"http://{host}/"), "refused_address")
    yield trap("to-loopback", redirect("http://127.0.0.1/admin"), "refused_address")
    yield trap("to-service", redirect(f"http://127.0.0.1:{secret_tcp}/admin"), "refused_port")
    yield trap("to-localhost", redirect(f"http://localhost:{secret_tcp}/admin"), "refused_port")
    yield trap("to-octal", redirect("http://0177.0.0.1/"), "refused_address")
    yield trap("to-tls", redirect("https://intranet.test/"), "refused_address")
    yield trap("to-file", redirect("file:///etc/passwd"), "refused_scheme")
    yield trap("to-data", redirect("data:text/html,<h1>data</h1>"), "refused_scheme")
    yield trap("straight-to-private", {}, "refused_address", "http://intranet.test/", status=None, final_url=None)
    yield trap("nowhere", {}, "unresolved", "http://no-such-name.test/")
    yield trap("plain-behind-tls", reply(HELLO), "tls", "https://plain-behind-tls.test/")
    # Redirects by page.
    yield trap("meta-loop", {"*": reply('<meta http-equiv="refresh" content="0;url=/"><h1>Again</h1>')}, "redirects")
    yield trap("script-loop", {"*": script("location = '/' + Math.random()")}, "redirects")
    yield trap("reload-loop", {"*": script("setTimeout(() => location.reload(), 30)")}, "redirects")
    yield trap("form-loop", {"*": script("document.forms[0].submit()", '<form method="post"></form>')}, "redirects")
    yield trap("meta-once", {"/": reply('<meta http-equiv="refresh" content="0;url=/there">'), "/there": reply(HELLO)})
    yield trap("script-once", {"/": script("location = '/there'"), "/there": reply(HELLO)})
    yield trap("script-to-private", script("location = 'http://intranet.test/'"), "refused_address")
    yield trap("script-to-file", script("location = 'file:///etc/passwd'"), refused=1)
    yield trap("script-to-chrome", script("location = 'chrome://version'"), refused=1)
    yield trap("script-to-data", script("location = 'data:text/html,<h1>data</h1>'"), refused=1)
    yield trap(
        "script-to-blob",
        script("location = URL.createObjectURL(new Blob(['x'], {type: 'text/html'}))"),
        "refused_scheme",
    )
    yield trap("script-to-blank", script("location = 'about:blank'"), "refused_scheme")
    # Answers.
    yield trap("gzip-bomb", gzip_bomb(), "too_large")
    yield trap("endless-page", endless("text/html", b"<p>more and more of it</p>" * 4000), "too_large")
    yield trap("slow-drip", endless("text/html", b" ", 0.2, b"<h1>Wait"), "timeout")
    yield trap("slow-picture", {"/": reply(f"{HELLO}<img src=/p>"), "/p": endless("image/png", b"x", 0.2)})
    yield trap("silent", silent, "timeout")
    yield trap("huge-headers", huge_headers, "bad_response")
    yield trap("cut-short", cut_short, "incomplete")
    yield trap("no-content", reply("", status="204 No Content"), "no_content")
    yield trap("missing", reply(HELLO, status="404 Not Found"), "http_error", status=404)
    yield trap("broken", reply(HELLO, status="500 Oops"), "http_error")
    yield trap("busy", reply(HELLO, status="503 Busy"), "try_again")
    yield trap(
        "password", reply("", status="401 Who", extra='WWW-Authenticate: Basic realm="x"\r\n'), "http_error", status=401
    )
    yield trap("document", reply(b"%PDF-1.7", "application/pdf"), "not_html")
    yield trap("picture", reply(PIXEL, "image/png"), "not_html")
    yield trap("archive", reply(gzip.compress(b"x"), "application/octet-stream"), "not_html")
    yield trap("attachment", reply(HELLO, extra="Content-Disposition: attachment\r\n"), "download")
    yield trap(
        "bad-encoding", reply(b"<title>\xff\xfe</title><h1>\x80\xc3(\xed\xa0\x80</h1>", "text/html; charset=utf-99")
    )
    yield trap("utf-16", reply("\ufeff<h1>wide</h1>".encode("utf-16-le"), "text/html"))
    yield trap("lone-surrogate", script(r"document.querySelector('h1').textContent = '\ud800 half'"))
    # Scripts that would not let go.
    yield trap("endless-script", script("for (;;) {}"), "timeout")
    yield trap("endless-script-later", script("setTimeout(() => { for (;;) {} }, 20)"), "unresponsive")
    yield trap("alert-loop", script("for (;;) alert('you have won')"), "dialogs")
    yield trap("alert-once", script("alert('welcome'); confirm('sure?'); prompt('name?')"))
    yield trap("before-unload", script("onbeforeunload = (event) => { event.preventDefault(); return 'stay' }"))
    yield trap("print", script("print(); onafterprint = () => print()"))
    yield trap("popups", script("for (let i = 0; i < 5; i++) open('http://site-001.test/popup')"), refused=5)
    yield trap("popup-storm", script("setInterval(() => open('http://site-001.test/popup'), 1)"), "popups")
    yield trap("closes-itself", script("setTimeout(() => { opener = self; close() }, 10)"))
    yield trap(
        "asks-permission",
        script("navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission()"),
    )
    yield trap(
        "stun",
        script(
            f"const c = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{secret_udp}'}}]}});"
            "c.createDataChannel('x'); c.createOffer().then((offer) => c.setLocalDescription(offer))"
        ),
    )
    yield trap(
        "prefetch",
        reply('<link rel="dns-prefetch" href="//intranet.test"><link rel="preconnect" href="//home.test">' + HELLO),
    )
    yield trap(
        "service-worker",
        {"/": script("navigator.serviceWorker.register('/worker.js')"), "/worker.js": reply("", "text/javascript")},
        url="http://worker.localhost/",
        refused=1,
    )
    yield trap(
        "console-flood", script("setInterval(() => { for (let i = 0; i < 200; i++) console.log(Array(999)) }, 5)")
    )
    yield trap(
        "request-storm",
        {"/": script("setInterval(() => { for (let i = 0; i < 50; i++) fetch('/' + i) }, 5)"), "*": reply("x")},
        "too_many_requests",
    )
    local = f"['127.0.0.1', 'localhost', '[::1]'].forEach((host) => fetch(`http://${{host}}:{secret_tcp}/`))"
    yield trap("local-service", script(local))
    private_parts = "<iframe src='http://intranet.test/'></iframe><img src='http://router.test/x.png'>"
    yield trap("private-frame", reply(HELLO + private_parts), refused=2)
    yield trap("private-socket", script("new WebSocket('ws://intranet.test/'); new EventSource('http://router.test/')"))
    work = "fetch('http://intranet.test/'); importScripts('http://router.test/')"
    yield trap("private-worker", script(f"new Worker(URL.createObjectURL(new Blob([{work!r}])))"))
    file_parts = "<iframe src='file:///etc/passwd'></iframe><img src='file:///etc/hosts'>"
    yield trap("file-frame", reply(HELLO + file_parts), refused=2)
    archive = {"/x.zip": reply(b"PK", "application/zip")}
    yield trap("download-frame", {"/": reply(HELLO + "<iframe src='/x.zip'></iframe>"), **archive}, refused=1)
    players = "<video autoplay src=/v.mp4></video><audio autoplay src=/a.mp3></audio>"
    yield trap("media", {"/": reply(HELLO + players), "*": endless("video/mp4", b"x" * 9999)}, requests=3)
    # Memory.
    more = "const more = (n) => { for (let i = 0; i < n; i++) document.body.append(document.createElement('b')) }"
    yield trap("many-elements", script(f"{more}; more(25000); setInterval(more, 10, 2000)"), "too_many_elements")
    keep = "for (let i = 0; i < 4; i++) kept.push(new Uint8Array(3e7).fill(1))"
    yield trap("memory-hog", script(f"const kept = []; setInterval(() => {{ {keep} }}, 5)"), "out_of_memory")
    vast = reply(image_of_size(20_000, 20_000), "image/png")
    yield trap("huge-picture", {"/": reply(f"{HELLO}<img src=/p>"), "/p": vast}, "out_of_memory")
    # Pages that hide what they are, or never stand still.
    yield trap("clobbered", reply(CLOBBERED), sticky_overlays=0)
    yield trap("changes", script("setInterval(() => { document.querySelector('h1').textContent = Math.random() }, 1)"))
    yield trap("flickers", script(FLICKER), settle_ms=None)
    yield trap("fades-in", reply(FADE), consent_banner=False, sticky_overlays=0)
    yield trap("banner", reply(BANNER), consent_banner=True, sticky_overlays=2)
    yield trap("lazy", {"/": reply(LAZY), "/far.png": reply(PIXEL, "image/png")}, requests=2)
