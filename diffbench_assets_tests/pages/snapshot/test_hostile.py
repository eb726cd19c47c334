"""Hostile pages come out harmless and bounded, or not at all."""

from __future__ import annotations

import random
import re
import struct
import zlib

import pytest
from playwright.async_api import Page

from diffbench_assets.pages.pictures import BROKEN, MAX_BYTES
from diffbench_assets.pages.sanitize import POLICY
from diffbench_assets.pages.snapshot.capture import SnapshotFailed, prepare_snapshot, take_snapshot
from diffbench_assets.pages.stored import MAX_PAGE_BYTES
from diffbench_assets_tests.pages.snapshot.conftest import Studio
from diffbench_assets_tests.pages.snapshot.constructs import FILES, HEAD, picture

HOSTILE = """
<img src=x onerror="document.title='run'" onload=alert(1)>
<a href="javascript:alert(1)">a</a>
<a href=" java&#10;script:alert(2)">b</a>
<svg><script>alert(3)</script>
<a href="javascript:alert(4)"><text>t</text></a><foreignObject>
<iframe srcdoc="<script>alert(5)</script>">
</iframe></foreignObject><animate onbegin=alert(6) attributeName=x dur=1s />
<use href="data:image/svg+xml,<svg id='x' onload='alert(7)'/>#x" /></svg>
<div style="background:url(http://169.254.169.254/latest/meta-data);behavior:url(x.htc)" 
onclick="alert(8)">meta</div>
<style>p{background:url(//10.0.0.1/a.png);cursor:url(http://192.168.0.1/c.cur),auto}@import url(http://10.0.0.2/x.css);
@font-face{font-family:f;src:url(http://10.0.0.3/f.woff2)}q::before{content:"</style><script>alert(9)</script>"}</style>
<p>text<q>q</q><form action=http://10.0.0.4/ onsubmit=alert(10)><input name=attributes>
<input name=childNodes>
<button formaction="javascript:alert(11)">go</button></form>
<meta http-equiv=refresh content="999;url=http://10.0.0.5/"><base target=_blank>
<link rel=preload href=http://10.0.0.6/x as=script>
<object data="javascript:alert(12)"></object><embed src="javascript:alert(13)">
<math href="javascript:alert(14)"><mi>m</mi></math>
<iframe src="javascript:alert(15)"></iframe><img name=styleSheets src=y>
<form name=documentElement></form>
<div><template shadowrootmode=open><script>alert(16)</script><b onclick=alert(20)>b</b></template></div>
<noscript><img src=x onerror=alert(17)></noscript>
<p style='data:"><script>alert(21)</script>' title='"><script>alert(22)</script>' background='data:x"><script>'>q</p>
<textarea></textarea><script>document.querySelector('textarea')
.value = '</textarea><script>alert(18)<\\/script>'
document.body.setAttribute('data-x', '"><script>alert(19)<\\/script>')
Array.prototype.map = () => { throw 1 }; JSON.stringify = () => '{}'; 
Element.prototype.getAttribute = () => 'x'</script>
"""


@pytest.mark.parametrize("which", ["text", "html"])
def test_nothing_runs_loads_or_leads_elsewhere(studio: Studio, which: str) -> None:
    copied = studio.copy(f"{HEAD}<body>{HOSTILE}", FILES)
    html = copied.text if which == "text" else copied.html.replace(POLICY, "").replace('http-equiv="Content', "")
    bare = re.sub(r"data:[\w/+.-]+;base64,[\w+/=]*", "", html)
    bare = re.sub(r' action="http://10.0.0.4/"', "", bare)  # only a click follows it
    tags = re.findall(r"<[a-zA-Z][^>]*>", re.sub(r"<(style|textarea)[^>]*>.*?</\1>", "", bare, flags=re.DOTALL))
    elements = r"<(script|iframe|object|embed|base|link|template|noscript)\b"
    attributes = r"\son\w+\s*=|script\s*:|srcdoc|http-equiv|action=.(?!#)"
    assert not [tag for tag in tags if re.search(f"{elements}|{attributes}", tag, re.IGNORECASE)]
    assert not re.search(r"10\.0\.0\.|192\.168|169\.254", bare)
    assert "<textarea>\n</textarea>" not in bare
    assert not copied.asked_while_copying


def test_a_script_that_waits_in_the_copy_never_runs(studio: Studio) -> None:
    copied = studio.copy(f"{HEAD}<body>{HOSTILE}", FILES)

    async def titles(page: Page) -> tuple[str, int]:
        said: list[str] = []
        page.on("dialog", lambda dialog: said.append(dialog.message))
        await page.set_content(copied.text)
        await page.wait_for_timeout(200)
        return await page.title(), len(said)

    assert studio.on_page("", titles) == ("", 0)


def heavy_picture(number: int) -> bytes:
    """A small PNG with two megabytes in a chunk that no reader needs."""
    kind, payload = b"heVy", random.Random(number).randbytes(2_100_000)
    chunk = struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))
    png = picture("teal", (200 + number, 100))
    return png[:33] + chunk + png[33:]


def test_fifty_megabytes_of_pictures_are_bounded(studio: Studio) -> None:
    heavy = {f"/{number}.png": ("image/png", heavy_picture(number)) for number in range(25)}
    assert sum(len(data) for _, data in heavy.values()) > 50e6
    pictures = "".join(f"<img src={number}.png width=200>" for number in range(25))
    copied = studio.copy(f"{HEAD}<body><h1>Heavy</h1>{pictures}", heavy)
    assert len(copied.text) < 40e6
    assert len(copied.html.encode()) <= MAX_PAGE_BYTES


def test_a_picture_that_alone_is_too_large_counts_as_missing(studio: Studio) -> None:
    files = {"/huge.png": ("image/png", picture("teal") + b"\0" * (MAX_BYTES + 1))}
    copied = studio.copy(f"{HEAD}<body><h1>Huge</h1><img src=huge.png>", files)
    assert len(copied.text) < 1e6
    assert BROKEN in copied.html


def test_pages_without_a_body_or_with_too_many_elements_or_attributes_have_a_reason(studio: Studio) -> None:
    async def reason(page: Page) -> str:
        with pytest.raises(SnapshotFailed) as failure:
            await take_snapshot(page)
        assert await prepare_snapshot(page)() is None
        return failure.value.reason

    many = "<div id=d hidden></div><script>d.innerHTML = '<i></i>'.repeat(70000)</script>"
    assert studio.on_page("<frameset cols=*><frame></frameset>", reason) == "no_body"
    assert studio.on_page(many, reason) == "too_many_nodes"
    assert studio.on_page(f"<h1>Title</h1><p {' '.join(f'a{n}' for n in range(2_000))}>Text", reason) == (
        "too_many_attributes"
    )
