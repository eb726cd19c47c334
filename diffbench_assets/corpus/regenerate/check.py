"""A model's reply, read strictly: one document of plain HTML with Tailwind classes, or the reason why it is none.

Belongs here: the form that a reply must have. Does not belong here: what of the original it may not repeat
(`originality.py`), and making it self-contained (`web/pages/`), which takes out again whatever runs or loads.

Nothing is mended: a model that was told to write no script and wrote one did something else than it was asked for. The
one thing tolerated is a script element that only fetches Tailwind, which models add by habit: it is taken out.
"""

from __future__ import annotations

import base64
import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from diffbench_assets.corpus.regenerate.text import SPOKEN, words
from diffbench_assets.pages import describe, dom
from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.tailwind import flavour_of_address

MAX_BYTES: Final = 512 * 2**10
"""Eight times what 16,384 output tokens can hold."""
MIN_ELEMENTS: Final = 5
MAX_ELEMENTS: Final = 5_000
MOST_UNCLOSED: Final = 3
"""Boxes left open; a parser closes them, but a page with more ends where its author stopped."""

PICTURE: Final = re.compile(r"placeholder-(\d{1,4})x(\d{1,4})((?:-[0-9a-f]{6}){0,2})\.(?:svg|png|jpg)", re.IGNORECASE)
"""The only pictures a page may name: a size, and one or two colors."""

_FENCE: Final = re.compile(r"\A```(?:html|HTML)?[ \t]*\n(.*)\n[ \t]*```\Z", re.DOTALL)
_OPENING: Final = re.compile(r"<!doctype html>\s*<html[\s>]|<html[\s>]", re.IGNORECASE)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BOX: Final = re.compile(r"<(/?)(?:div|section|main|header|footer|nav|article|aside|ul|ol|form|table)(?=[\s/>])")

_TAGS: Final = words(
    # The document and its text
    "html head meta title body header nav main section article aside footer div h1 h2 h3 h4 h5 h6 hgroup p hr pre",
    "blockquote ol ul li menu dl dt dd figure figcaption address search a em strong small s cite q dfn abbr data",
    "time code var samp kbd sub sup i b u mark ruby rt rp bdi bdo span br wbr del ins img picture details summary",
    # Tables and forms
    "table caption colgroup col thead tbody tfoot tr td th form label input button select datalist optgroup option",
    "textarea output progress meter fieldset legend",
    # Drawings
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan lineargradient radialgradient",
    "stop clippath mask pattern desc",
)
_LOADING: Final = words(
    "srcset sizes imagesrcset action formaction ping background poster data srcdoc manifest codebase archive classid",
    "longdesc profile cite dynsrc lowsrc attributionsrc http-equiv usemap download",
)
_META_NAMES: Final = frozenset({"viewport", "description", "color-scheme", "theme-color", ""})
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//|\\", re.IGNORECASE)
_FOREIGN: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|(?:java|vb|live)script\s*:|data\s*:", re.IGNORECASE)
_NAMESPACES: Final = frozenset(f"http://www.w3.org/{name}" for name in ("2000/svg", "1999/xlink", "1999/xhtml"))
_LOADING_STYLE: Final = re.compile(r"(?:url|image-set|image|src|expression)\s*\(|-moz-binding|\\", re.IGNORECASE)
_OWN_PART: Final = re.compile(r"url\(\s*#[\w-]+\s*\)")
_WRITTEN_CLASS: Final = re.compile(r"content-\[['\"](.*?)['\"]\]", re.DOTALL)


class BadPage(Exception):
    """A reply that is no page as asked for. `reason` is a word, some with a tag or attribute name behind a colon."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_html(reply: str) -> str:
    """The page in a reply, its placeholder pictures drawn. A code fence around the whole of it is tolerated.

    Raises BadPage: no_document (prose, several documents, text around one), truncated, too_large, too_small, too_deep,
    script, handler, style, element:<tag>, attribute:<name>, address:<attribute>, picture, meta.
    """
    if len(reply) > MAX_BYTES or len(reply.encode("utf-8", "replace")) > MAX_BYTES:
        raise BadPage("too_large")
    body = reply.strip().replace("\r\n", "\n")
    if fenced := _FENCE.match(body):
        body = fenced[1].strip()
    elif body.startswith("```html") and not body.endswith("```"):
        raise BadPage("truncated")
    _check_document(body)
    tree = _parsed(body)
    for node in [node for _, node in dom.with_depth(tree.root)]:
        _check_element(node)
    if not describe.shows_something(tree, describe.visible_text(tree)) or describe.count_elements(tree) < MIN_ELEMENTS:
        raise BadPage("too_small")
    return dom.serialize(tree)


def written_classes(tree: LexborHTMLParser) -> list[str]:
    """Texts that classes put on a page, such as that of `before:content-['New']`."""
    found = (_WRITTEN_CLASS.findall(node.attributes.get("class") or "") for node in tree.css("[class*='content-[']"))
    return [text.replace("_", " ") for texts in found for text in texts]


def _check_document(body: str) -> None:
    """One document and nothing else, written to its end."""
    if not _OPENING.match(body):
        raise BadPage("no_document")
    bare = _COMMENT.sub("", body).rstrip().lower()
    if not bare.endswith("</html>"):
        raise BadPage("truncated" if "</html" not in bare else "no_document")
    once = (r"<html[\s>]", r"</html>", r"<body[\s>]")
    if any(len(re.findall(pattern, bare)) != 1 for pattern in once):
        raise BadPage("no_document")
    open_boxes = sum(-1 if closing else 1 for closing in _BOX.findall(bare))
    if "</body>" not in bare or open_boxes > MOST_UNCLOSED:
        raise BadPage("truncated")


def _parsed(body: str) -> LexborHTMLParser:
    try:
        tree = dom.parse(body)
        dom.check_depth(tree)
    except PageUnusable:
        raise BadPage("too_deep") from None
    if sum(1 for _ in dom.with_depth(tree.root)) > MAX_ELEMENTS:
        raise BadPage("too_large")
    return tree


def _check_element(node: LexborNode) -> None:
    tag = (node.tag or "").lower()
    if tag == "script":
        if not flavour_of_address(node.attributes.get("src") or "") or (node.text() or "").strip():
            raise BadPage("script")
        node.decompose()
        return
    if tag in ("style", "link"):
        raise BadPage("style")
    if tag not in _TAGS:
        raise BadPage(f"element:{tag}" if re.fullmatch(r"[a-z0-9-]{1,30}", tag) else "element")
    for name, value in list(node.attributes.items()):
        _check_attribute(node, name.lower(), value or "")
    if tag == "meta" and (node.attributes.get("name") or "").lower() not in _META_NAMES:
        raise BadPage("meta")
    if tag == "form" and (node.attributes.get("method") or "get").lower() != "get":
        raise BadPage("attribute:method")
    if tag == "img":
        _draw_picture(node)


def _check_attribute(node: LexborNode, name: str, value: str) -> None:
    if name.startswith("on"):
        raise BadPage("handler")
    if name in _LOADING and not (name == "action" and value.strip() in ("", "#")):
        raise BadPage(f"attribute:{name}")
    if name in SPOKEN:
        return
    if name.startswith("xmlns"):
        if value not in _NAMESPACES:
            raise BadPage("attribute:xmlns")
    elif name == "class" or name == "style":
        if _LOADING_STYLE.search(value) or (name == "style" and "@" in value):
            raise BadPage("style")
    elif name == "src" and node.tag != "img":
        raise BadPage("attribute:src")
    elif name in ("href", "xlink:href", "src"):
        address = re.sub(r"[\s\x00-\x20]+", "", value)
        if _ADDRESS.match(address) or (node.tag == "use" and not address.startswith("#")):
            raise BadPage(f"address:{name}")
    elif _FOREIGN.search(value) or "url(" in _OWN_PART.sub("", value.lower()):
        raise BadPage(f"address:{name}" if re.fullmatch(r"[a-z-]{1,20}", name) else "address")


def _draw_picture(node: LexborNode) -> None:
    """A picture of the size and colors that its name states; gray without one."""
    match = PICTURE.fullmatch((node.attributes.get("src") or "").strip())
    if match is None or not int(match[1]) or not int(match[2]):
        raise BadPage("picture")
    colors = match[3].lower().split("-")[1:] or ["c4c8cf", "9aa1ac"]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{int(match[1])}" height="{int(match[2])}">'
        f'<linearGradient id="g" x2="1" y2="1"><stop stop-color="#{colors[0]}"/>'
        f'<stop offset="1" stop-color="#{colors[-1]}"/></linearGradient>'
        f'<rect width="100%" height="100%" fill="url(#g)"/></svg>'
    )
    node.attrs["src"] = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
