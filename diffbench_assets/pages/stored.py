"""A stored page made from a snapshot: sanitized, labelled, and the same after parsing and serialising.

Belongs here: the order of these steps and what stops a page. Does not belong here: any step itself.

What comes out needs no network, runs nothing and draws the same pixels everywhere; and parsing then serialising it
gives the same text again, so that a change of one element is the only change.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.pages import describe, dom, fonts
from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.fingerprint import fingerprint_of_tree
from diffbench_assets.pages.pictures import empty, smaller
from diffbench_assets.pages.sanitize import POLICY, clean_tree

MAX_PAGE_BYTES: Final = 8 * 2**20
"""A finished page that is larger is dropped."""
MAX_CONTROL_SHARE: Final = 0.05
"""Share of control characters in a page's text from which its source was no text."""

_SHARED: Final = "data-diffbench-picture"
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif|bmp|x-icon);base64,[A-Za-z0-9+/=]{1000,}")
_MOST_CONTROLS: Final = 10
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")


@dataclass(frozen=True)
class Page:
    """A page ready to be stored. Either `html` or `drop_reason` is None.

    `drop_reason` is `code` or `code: detail`: empty, binary, not_html, too_large, too_deep, no_visible_content,
    no_fixpoint, unreadable, failed, or what a snapshot or the browser failed with.
    """

    html: str | None = None
    drop_reason: str | None = None
    missing_glyphs: str = ""
    language: str | None = None
    richness: str | None = None
    structure_fingerprint: str | None = None


def to_page(snapshot: str, language: str | None = None, richness: str | None = None) -> Page:
    """The page that a snapshot's text holds; `language` and `richness` as its source states them, else measured.

    Its pictures are those of the snapshot unless the page would exceed MAX_PAGE_BYTES: then the largest lose some of
    their quality until it fits.
    """
    try:
        return _to_page(snapshot, language, richness)
    except PageUnusable as error:
        return Page(drop_reason=str(error))


def _to_page(snapshot: str, language: str | None, richness: str | None) -> Page:
    tree = dom.parse(snapshot)
    dom.check_depth(tree)
    if tree.body is None or tree.head is None:
        raise PageUnusable("no_visible_content: no body")
    clean_tree(tree)
    if len(snapshot) > MAX_PAGE_BYTES:
        _share_pictures(tree)
    text = describe.visible_text(tree)
    if not describe.shows_something(tree, text):
        raise PageUnusable("no_visible_content")
    if len(_CONTROL.findall(text)) > max(_MOST_CONTROLS, len(text) * MAX_CONTROL_SHARE):
        raise PageUnusable("binary")
    if all(node.is_text_node for node in tree.body.iter(include_text=True)):
        raise PageUnusable("not_html: no HTML tag in it")
    _put_first(tree)
    html = dom.fixpoint(_fitting(dom.serialize(tree)))
    if len(html.encode("utf-8")) > MAX_PAGE_BYTES:
        raise PageUnusable(f"too_large: {len(html) / 2**20:.0f} MB after inlining")
    return Page(
        html=html,
        missing_glyphs=fonts.boxed(html),
        language=language or describe.language(tree, text),
        richness=richness or describe.richness(tree, text),
        structure_fingerprint=fingerprint_of_tree(tree),
    )


def _put_first(tree: LexborHTMLParser) -> None:
    """The character set and the policy stand before everything that the page says."""
    assert tree.head is not None
    charset, policy = tree.create_node("meta"), tree.create_node("meta")
    charset.attrs["charset"] = "utf-8"
    policy.attrs["http-equiv"], policy.attrs["content"] = "Content-Security-Policy", POLICY
    first = tree.head.first_child
    for node in (charset, policy):
        if first is None:
            tree.head.insert_child(node, move=True)
        else:
            first.insert_before(node, move=True)


def _share_pictures(tree: LexborHTMLParser) -> None:
    """Stores a picture that many elements show once, in a rule for them all."""
    assert tree.head is not None
    pictures = [node for node in tree.css("img[src]") if _PICTURE.fullmatch(node.attributes["src"] or "")]
    counts = Counter(node.attributes["src"] for node in pictures)
    numbers = {uri: number for number, uri in enumerate(counts) if counts[uri] > 1}
    for node in pictures:
        if (number := numbers.get(node.attributes["src"])) is not None:
            node.attrs["src"], node.attrs[_SHARED] = empty((1, 1)), str(number)
    rules = (f'[{_SHARED}="{number}"]{{content:url("{uri}")!important}}' for uri, number in numbers.items())
    style = tree.create_node("style")
    style.insert_child("".join(rules))
    tree.head.insert_child(style, move=True)


def _fitting(html: str) -> str:
    """The text with its largest pictures stored smaller until it fits."""
    if len(html) <= MAX_PAGE_BYTES:
        return html
    sizes: dict[str, int] = {}
    for match in _PICTURE.finditer(html):
        sizes[match[0]] = sizes.get(match[0], 0) + len(match[0])
    total, chosen = len(html), {}
    for uri in sorted(sizes, key=lambda uri: (-sizes[uri], uri)):
        if total <= MAX_PAGE_BYTES:
            break
        chosen[uri] = smaller(uri)
        total -= sizes[uri] * (len(uri) - len(chosen[uri])) // len(uri)
    return _PICTURE.sub(lambda match: chosen.get(match[0], match[0]), html)
