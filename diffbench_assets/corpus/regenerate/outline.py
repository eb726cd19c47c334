"""How a page is laid out, without a word of it.

Belongs here: the outline a model gets beside the screenshot. Does not belong here: the request (`ask.py`).

A page is hostile: its words, class names and attributes may be written to steer whoever reads them. So nothing of it is
quoted. An outline is made of fixed words and numbers only, and is short however large the page is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from diffbench_assets.corpus.regenerate.text import FLOWING, UNSEEN, words, writing
from diffbench_assets.pages import dom
from diffbench_assets.pages.errors import PageUnusable

MAX_CHARACTERS: Final = 8_000
MAX_ELEMENTS: Final = 5_000
MAX_LEVELS: Final = 10
MAX_COLORS: Final = 10
_MAX_SOURCE: Final = 2_000_000
_MAX_TEXT: Final = 2_000
"""Characters of one text that are looked at for its writing."""

_TAGS: Final = words(
    "a address article aside audio blockquote body button canvas caption center code details dialog div dl dt dd",
    "embed fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr iframe img input label legend li main",
    "menu meter nav object ol optgroup option p picture pre progress section select span summary svg table tbody td",
    "textarea tfoot th thead tr ul video",
)
_BARE: Final = words("svg canvas video audio iframe object embed img input hr progress meter select textarea")
"""Elements that show something without text, and whose insides say nothing about the layout."""
_BOXES: Final = frozenset({"body", "center", "div", "span", "custom element"})
_ROLES: Final = words(
    "alert banner button carousel complementary contentinfo dialog form grid heading img list listitem main menu",
    "menubar navigation region search tab tablist tabpanel table toolbar",
)
_INPUTS: Final = words("checkbox color date email file number password radio range search submit tel text url")
_LAYOUT: Final = re.compile(
    r"flex|inline-flex|grid|sticky|fixed|absolute|flex-col|flex-row|flex-wrap|row|container|columns-\d{1,2}"
    r"|grid-cols-\d{1,2}|col(?:-(?:sm|md|lg|xl))?-\d{1,2}|text-(?:left|center|right)"
)
_DISPLAY: Final = re.compile(r"display\s*:\s*(flex|inline-flex|grid)|position\s*:\s*(sticky|fixed|absolute)", re.I)
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_NUMBER: Final = re.compile(r"\s*(\d{1,4})(?:\.\d+)?(?:px)?\s*")
_HEX: Final = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})(?![0-9a-f])", re.I)
_RGB: Final = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})", re.I)


@dataclass(slots=True)
class _Node:
    tag: str
    hints: tuple[str, ...]
    children: list[_Node] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    length: int = 0
    links: int = 0
    flows: bool = False
    """Whether all of it reads as one text."""
    kind: int = 0
    """Equal for elements built alike, whatever their texts."""

    @property
    def shows(self) -> bool:
        return bool(self.length or self.children or self.tag in _BARE)


def outline(html: str) -> str:
    """Tags, roles, layout, lengths of texts with their writing, sizes of pictures, and colors; at most MAX_CHARACTERS.

    One element a line, indented by level; boxes around a single thing are left out, and equal neighbours stand once.
    Never raises; a page nested too deeply to be parsed has no lines.
    """
    try:
        tree = dom.parse(html[:_MAX_SOURCE])
    except PageUnusable:
        return "page: cannot be outlined"
    body = _sketch(tree)
    if body is None:
        return "page: empty"
    main = writing(" ".join(_texts(body)))
    lines = [_summary(tree, body, main)]
    if colors := _colors(tree):
        lines.append("colors in its styles, most used first: " + " ".join(colors))
    room = MAX_CHARACTERS - sum(map(len, lines)) - 100
    for line in _lines(_unwrapped(body), 0, main):
        room -= len(line) + 1
        if room < 0:
            lines.append("(and more below)")
            break
        lines.append(line)
    return "\n".join(lines)


def _sketch(tree: LexborHTMLParser) -> _Node | None:
    """The visible elements below `<body>`, at most MAX_ELEMENTS, as they stand in each other."""
    if tree.body is None:
        return None
    body = _Node("body", ())
    known = {tree.body.mem_id: body}
    order = [body]
    for node in tree.body.traverse(include_text=True):
        parent = known.get(node.parent.mem_id) if node.parent is not None else None
        if parent is None or parent.tag in _BARE:
            continue
        if node.is_text_node:
            text = " ".join((node.text_content or "").split())
            parent.length += len(text)
            parent.text.append(text[:_MAX_TEXT])
        elif node.is_element_node and len(order) < MAX_ELEMENTS and not _is_hidden(node):
            made = known[node.mem_id] = _Node(_tag(node), tuple(_hints(node)))
            parent.children.append(made)
            order.append(made)
    kinds: dict[tuple, int] = {}
    for made in reversed(order):  # what stands in an element comes before it
        made.children = [child for child in made.children if child.shows]
        made.links = sum(child.links + (child.tag == "a") for child in made.children)
        made.flows = (made.tag in FLOWING or made.tag == "span") and all(child.flows for child in made.children)
        if made.children and all(child.flows for child in made.children) and (made.length or made.flows):
            made.length += sum(child.length for child in made.children)
            made.text += [text for child in made.children for text in child.text]
            made.children = []
        key = (made.tag, made.hints, bool(made.length), *(child.kind for child in made.children))
        made.kind = kinds.setdefault(key, len(kinds))
    return body


def _tag(node: LexborNode) -> str:
    tag = (node.tag or "").lower()
    return tag if tag in _TAGS else "span" if tag in FLOWING else "custom element"


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    unseen = (node.tag or "") in UNSEEN - {"object", "iframe"} or "hidden" in attributes
    return unseen or bool(_HIDDEN.search(attributes.get("style") or "")) or attributes.get("type") == "hidden"


def _hints(node: LexborNode) -> Iterator[str]:
    attributes = node.attributes
    role, kind = attributes.get("role") or "", attributes.get("type") or ""
    if role in _ROLES:
        yield f"role {role}"
    if node.tag == "input" and kind in _INPUTS:
        yield kind
    width, height = (_NUMBER.fullmatch(attributes.get(name) or "") for name in ("width", "height"))
    if width and height:
        yield f"{int(width[1])}x{int(height[1])}"
    styled = {a or b for a, b in _DISPLAY.findall((attributes.get("style") or "").lower())}
    classes = {name for name in (attributes.get("class") or "")[:2000].split() if _LAYOUT.fullmatch(name)}
    yield from sorted(styled | classes)[:4]


def _texts(body: _Node) -> Iterator[str]:
    pending = [body]
    while pending:
        node = pending.pop()
        yield from node.text
        pending.extend(node.children)


def _unwrapped(node: _Node) -> _Node:
    """The first element inside that is more than a box around one other."""
    while node.tag in _BOXES and len(node.children) == 1 and not node.length and not node.hints:
        node = node.children[0]
    return node


def _lines(node: _Node, level: int, main: str | None, times: int = 1) -> Iterator[str]:
    yield " " * level + _line(node, main) + (f" × {times}" if times > 1 else "")
    if level >= MAX_LEVELS:
        return
    children = [_unwrapped(child) for child in node.children]
    start = 0
    while start < len(children):
        end = start + 1
        while end < len(children) and children[end].kind == children[start].kind:
            end += 1
        yield from _lines(children[start], level + 1, main, end - start)
        start = end


def _line(node: _Node, main: str | None) -> str:
    said = [" ".join((node.tag, *node.hints))]
    if node.length:
        own = writing(" ".join(node.text))
        length = f"{node.length} characters" if own else f"{node.length} characters, no letters"
        said.append(length if own in (None, main) else f"{length}, {own} script")
    if node.links and not node.children:
        said.append(f"{node.links} links in it")
    return ": ".join([said[0], ", ".join(said[1:])]) if said[1:] else said[0]


def _summary(tree: LexborHTMLParser, body: _Node, main: str | None) -> str:
    counted = {
        "headings": "h1,h2,h3,h4,h5,h6", "links": "a[href]", "pictures": "img,picture > source", "icons": "svg",
        "buttons": "button", "form fields": "input,select,textarea", "tables": "table",
    }  # fmt: skip
    counts = [f"{len(tree.css(selector))} {name}" for name, selector in counted.items()]
    return f"page: {main or 'no'} script, " + ", ".join(counts)


def _colors(tree: LexborHTMLParser) -> list[str]:
    counts: Counter[str] = Counter()
    styles = [node.text() for node in tree.css("style")]
    styles += [node.attributes.get("style") or "" for node in tree.css("[style]")]
    text = "\n".join(styles)[:_MAX_SOURCE]
    for short in _HEX.findall(text):
        digits = short if len(short) == 6 else "".join(digit * 2 for digit in short)
        counts[f"#{digits.lower()}"] += 1
    for channels in _RGB.findall(text):
        counts["#" + "".join(f"{min(255, int(channel)):02x}" for channel in channels)] += 1
    return [color for color, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_COLORS]]
