"""Small pages, one construct each, that only a careful copy shows the same way.

Belongs here: the pages and their files. Does not belong here: what is expected of them (`test_constructs.py`).
"""

# ruff: noqa: E501  (markup is not broken)
from __future__ import annotations

import io
from typing import Final

from PIL import Image, ImageDraw

from diffbench_assets.pages import fonts

HEAD: Final = "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>t</title>"
LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz 0123456789.,")


def picture(color: str, size: tuple[int, int] = (120, 80), kind: str = "PNG") -> bytes:
    image = Image.new("RGB", size, color)
    ImageDraw.Draw(image).ellipse((8, 8, size[0] - 30, size[1] - 8), fill="white", outline="black")
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def two_frames() -> bytes:
    frames = [Image.new("RGB", (60, 60), color) for color in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=40, loop=0)
    return out.getvalue()


SVG: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><defs><linearGradient id="g">'
    b'<stop stop-color="red"/>'
    b'<stop offset="1" stop-color="navy"/></linearGradient></defs><rect width="90" height="60" fill="url(#g)"/></svg>'
)
SPRITE: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg"><symbol id="star" viewBox="0 0 10 10"><path d="M5 0L10 10H0z"/>'
    b"</symbol></svg>"
)
FILES: Final = {
    "/red.png": ("image/png", picture("crimson")),
    "/green.png": ("image/png", picture("seagreen", (240, 160))),
    "/photo.jpg": ("image/jpeg", picture("orange", (500, 300), "JPEG")),
    "/moving.gif": ("image/gif", two_frames()),
    "/drawing.svg": ("image/svg+xml", SVG),
    "/sprite.svg": ("image/svg+xml", SPRITE),
    "/inter.woff2": ("font/woff2", fonts.cut(fonts.SANS, LETTERS)),
    "/mono.woff2": ("font/woff2", fonts.cut(fonts.MONO, LETTERS)),
    "/main.css": ("text/css", b"@import 'deep/more.css' screen; h1 { color: teal; border-bottom: 6px double gold }"),
    "/deep/more.css": ("text/css", b"@import url(../last.css) layer(low);"
    b" body { background: #eef url(../red.png) no-repeat right top }"),
    "/last.css": ("text/css", b"h1 { font-size: 50px; letter-spacing: 4px }"),
    "/nocors.css": ("text/css", b"h2 { background: url(red.png); padding: 30px; color: white }"),
    "/frame.html": ("text/html", b"<!doctype html><body style='margin:0;background:tomato'><h1>inside</h1>"),
}  # fmt: skip

CONSTRUCTS: Final[dict[str, str]] = {
    "linked stylesheets with imports, media and layers": "<link rel=stylesheet href=main.css><h1>Imported</h1>",
    "stylesheet of another origin": "<link rel=stylesheet href='{other}/nocors.css'><h2>Elsewhere</h2>",
    "stylesheet made by a script": (
        "<style id=s></style><h1>Inserted</h1><script>s.sheet.insertRule('h1{color:red;transform:rotate(4deg)}"
        "')</script>"
    ),
    "adopted stylesheet": (
        "<h1>Adopted</h1><script>const c = new CSSStyleSheet(); c.replaceSync('h1{background:lime;width:300px}');"
        "document.adoptedStyleSheets = [c]</script>"
    ),
    "shorthand with a variable, in a changed sheet": (
        "<style id=s>:root{--b:3px solid red} p{border:var(--b)}</style><p>Text"
        "<script>s.sheet.insertRule('p{padding:20px}')</script>"
    ),
    "switched media": "<style media=print onload=\"this.media='all'\">p{color:red;font-size:40px}</style><p>Late",
    "disabled stylesheet": "<style id=s>p{color:red}</style><p>Off<script>s.sheet.disabled = true</script>",
    "pictures of all kinds": (
        "<img src=red.png><img src=photo.jpg width=200><img src=moving.gif><img src=drawing.svg>"
        "<input type=image src=red.png><img src=missing.png alt='not here'><img src=gone.png width=80 height=50>"
    ),
    "srcset by density and width": (
        "<img srcset='green.png 2x, red.png 1x'><br><img srcset='green.png 240w' sizes='120px'>"
        "<picture><source srcset=photo.jpg media='(min-width:900px)'><img src=red.png></picture>"
    ),
    "backgrounds, masks, borders, lists and content": (
        "<style>div{width:200px;height:100px;margin:4px}.a{background:url(red.png) 10px 5px/40px repeat,#ddd}"
        ".b{background:navy;-webkit-mask:url(drawing.svg);mask:url(drawing.svg)}"
        ".c{border:20px solid;border-image:url(green.png) 30 round}li{list-style-image:url(moving.gif)}"
        ".d::before{content:url(red.png)}.e{background-image:image-set('missing.png' 3x, 'red.png' 1x)}"
        ".f{background:url(missing.png),pink}</style><div class=a></div><div class=b></div><div class=c></div>"
        "<div class=d></div><div class=e></div><div class=f></div><ul><li>item</ul>"
    ),
    "web fonts by range, and icons in a private area": (
        "<style>@font-face{font-family:W;src:url(gone.eot);src:url(inter.woff2) format('woff2');"
        "unicode-range:U+41-5A}"
        "@font-face{font-family:W;src:local('No Such'),url(mono.woff2);unicode-range:U+61-7A}"
        "@font-face{font-family:Unused;src:url(never.woff2)}p{font:40px W,serif}</style><p>UPPER lower 123"
    ),
    "system fonts": (
        "<p style='font-family:sans-serif'>Sans <b>bold</b> <i>slanted</i><p style='font-family:serif'>Serif <b>"
        "bold</b>"
        "<p>Default<pre>pre formatted</pre><code>code</code><button>Button</button>"
        "<p style='font:20px monospace'>mono"
        "<p style='font-family:Helvetica,Arial,sans-serif;font-weight:600'>"
        "Semi <p style='font-family:system-ui'>System"
    ),
    "drawings by reference": (
        "<svg width=80 height=80><use href='sprite.svg#star' fill=purple /></svg><svg width=0 height=0>"
        "<symbol id=own>"
        "<circle r=30 cx=30 cy=30 /></symbol></svg><svg width=80 height=80><use href='#own' fill=teal /></svg>"
        "<svg width=100 height=80><image href=red.png width=90 /></svg>"
    ),
    "canvas": (
        "<style>canvas{border:4px solid gold;margin:11px}</style><canvas width=300 height=120 id=c></canvas><script>"
        "const x=c.getContext('2d');x.fillStyle='teal';x.fillRect(20,10,99.5,70);x.font='30px serif';"
        "x.fillText('drawn',140,60)</script>"
    ),
    "canvas with pixels of another origin": (
        "<canvas width=200 height=120 id=c></canvas><script>const i=new Image;i.src='{other}/green.png';"
        "i.onload=()=>c.getContext('2d').drawImage(i,0,0);document.body.append(i)</script>"
    ),
    "frames, plug-ins and players": (
        "<style>iframe{border:3px dashed red;width:300px}</style><iframe src=frame.html></iframe>"
        "<iframe src='{other}/frame.html'>"
        "</iframe><iframe srcdoc='<p>doc'></iframe><object data=red.png width=100 height=70></object>"
        "<embed src=drawing.svg>"
        "<video poster=green.png width=200 height=130></video>"
    ),
    "open shadow roots with slots": (
        "<style>p{color:red!important;margin:0}.x{color:orange}</style><my-card><b slot=top>Top</b><i class=x>"
        "Rest</i></my-card><p>outside<script>"
        "customElements.define('my-card',class extends HTMLElement{constructor(){super();"
        "this.attachShadow({mode:'open'}).innerHTML="
        "`<style>:host{display:block;border:5px solid blue;padding:9px}p{color:green;font-size:30px}"
        "::slotted(b){color:purple}"
        "p::before{content:'> ';color:teal}</style><p>shadow</p><slot name=top></slot>"
        "<div style='background:#ddd'><slot></slot></div>`}})</script>"
    ),
    "states of forms": (
        "<input id=a value=old><input type=checkbox id=b><input type=radio name=r id=c><select id=d><option>"
        "one<option>two"
        "</select><textarea id=e>\n\nold</textarea><details id=f><summary>More</summary>Hidden</details>"
        "<input placeholder=Hint>"
        "<progress value=0.3></progress><input type=range id=g><script>a.value='typed';b.checked=c.checked=true;"
        "d.selectedIndex=1;"
        "e.value='\\nnew text';f.open=true;g.value=90</script>"
    ),
    "closed shadow roots": (
        "<style>p{color:red}</style><x-closed></x-closed><script>customElements.define('x-inner',class extends HTMLElement{"
        "constructor(){super();this.attachShadow({mode:'closed'}).innerHTML='<b>deeper</b>'}});"
        "customElements.define('x-closed',class extends HTMLElement{"
        "constructor(){super();this.attachShadow({mode:'closed'}).innerHTML='<style>p{color:#fff;background:#c33;"
        "padding:30px}</style><p>closed <x-inner></x-inner></p>'}})</script>"
    ),
    "states that only scripts give": (
        "<style>x-a{display:block;width:200px;background:#ccc}x-a:state(on){background:#0c0;width:400px}x-a:state(off){"
        "height:90px}x-a:state(on) b{color:blue}:not(:defined){outline:5px solid red}x-a:defined{padding:9px}</style><x-a><b>"
        "State</b></x-a><x-none>undefined</x-none><script>customElements.define('x-a',class extends HTMLElement{constructor(){"
        "super();this.i=this.attachInternals();this.i.states.add('on')}})</script>"
    ),
    "highlighted text": (
        "<style>::highlight(one){background:#ff0;color:#c00}::highlight(two){background:teal}</style><p id=p>Some words here <b>"
        "are highlighted</b> by a script</p><script>const r=new Range;r.setStart(p.firstChild,5);r.setEnd(p.lastChild,4);"
        "const q=new StaticRange({startContainer:p.firstChild,startOffset:0,endContainer:p.firstChild,endOffset:3});"
        "CSS.highlights.set('one',new Highlight(r));CSS.highlights.set('two',new Highlight(q))</script>"
    ),
    "values of all kinds of fields": (
        "<input type=checkbox id=a><input type=checkbox id=b><select id=m multiple><option>x<option>y<option>z</select>"
        "<progress id=p max=10></progress><meter id=e max=10></meter><input type=color id=c><input type=date id=d>"
        "<input type=time id=t><input type=search id=s><input type=number id=n><output id=o></output><script>"
        "a.indeterminate=true;b.checked=true;m.options[0].selected=m.options[2].selected=true;p.value=7;e.value=8;"
        "c.value='#ff0000';d.value='2024-05-06';t.value='10:20';s.value='words';n.value=12;o.value='out'</script>"
    ),
    "popovers open and closed": (
        "<div popover id=a style='color:teal'>Open</div><div popover>Closed</div><p>Behind<script>a.showPopover()</script>"
    ),
    "text that the parser reads in other ways": (
        "<style>svg{width:90px}</style><svg viewBox='0 0 9 9'><style>rect{fill:gold} @media (width>9px){rect{stroke:red}}"
        "</style><rect width=9 height=9 /></svg><xmp><b>raw</b> &amp;</xmp><p>x<plaintext><i>end"
    ),
    "dialog in the top layer": (
        "<dialog id=d style='color:navy'>Consent</dialog><p>Behind<script>d.showModal()</script>"
    ),
    "inner scroll positions": (
        "<div id=s style='height:100px;overflow:auto;width:200px'><div style='height:90px;background:red'></div>"
        "<div style='height:290px;border-top:60px solid gold;background:teal'>Text</div></div><script>"
        "s.scrollTop=70</script>"
    ),
    "fixed and sticky boxes": (
        "<div style='position:sticky;top:0;background:gold;padding:20px'>Sticky</div><div style='height:3000px;"
        "background:"
        "linear-gradient(white,gray)'></div><div style='position:fixed;bottom:0;right:0;background:red;"
        "padding:30px'>Fixed</div>"
    ),
    "what follows a script counts as before": (
        "<style>section>*+*{margin-top:40px}section>:first-child{color:red}</style><section><script></script><p>"
        "One<p>Two"
        "<template></template><p>Three</section>"
    ),
    "responsive rules and states set by scripts": (
        "<style>@media(min-width:1200px){p{columns:3;background:#cfc}}.on{outline:9px solid}</style><p id=p>"
        "Wide words in here"
        "<script>if(innerWidth===1280&&innerHeight===800)p.className='on';"
        "document.documentElement.style.fontSize='22px'</script>"
    ),
    "classes without rules": (
        "<p class='flex p-10 text-red-500 bg-blue-500 mt-4 w-1/2 rounded border shadow px-4 py-2 grid'>Plain"
    ),
    "script styles and noscript": "<noscript><p>None</noscript><p>Text<style>p{color:teal}</style>",
}  # fmt: skip
