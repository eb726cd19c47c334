"""The last word on what a stored page may hold, whatever wrote it.

Belongs here: which elements and attributes stay, and the policy that every stored page carries, by which browsers
refuse to run or load anything. Does not belong here: styles and pictures (`snapshot/write.py`).

The policy is the allow-list: styles and pictures inside the page and fonts inside the page, nothing else. What could
run, load, move or lead away is taken out all the same, so that the page is harmless to every reader of its text.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
_ACTIVE: Final = frozenset(
    ["script", "noscript", "template", "base", "link", "iframe", "frame", "frameset", "object", "embed", "applet",
     "param", "audio", "video", "source", "track", "portal", "fencedframe", "noembed", "noframes", "bgsound",
     "handler", "listener", "animate", "animatetransform", "animatemotion", "animatecolor", "set", "mpath", "discard"]
)  # fmt: skip
_KEPT_META: Final = frozenset({"viewport", "color-scheme"})
_ACTIVE_ATTRIBUTES: Final = frozenset(
    ["archive", "attributionsrc", "autoplay", "classid", "codebase", "data", "dynsrc", "http-equiv", "imagesrcset",
     "integrity", "is", "lowsrc", "manifest", "nonce", "ping", "poster", "srcdoc", "xml:base"]
)  # fmt: skip
_FOLLOWED: Final = frozenset({"action", "cite", "formaction", "longdesc"})
"""Addresses that only a reader's click follows; style rules may look at them."""
_SCRIPT_SCHEME = re.compile(
    r"[\s\x00-\x20]*(?:(?:java|vb|live)[\s\x00-\x20]*script|data)[\s\x00-\x20]*:", re.IGNORECASE
)
_PICTURE: Final = "data:image/"


def clean_tree(tree: LexborHTMLParser) -> None:
    """Changes the tree in place: afterwards nothing in it runs, loads or moves, and pictures are `data:` addresses."""
    nodes = list(tree.root.traverse(include_text=True)) if tree.root is not None else []
    # Backwards, so that what is inside an element that goes is dealt with before it.
    for node in reversed(nodes):
        tag = (node.tag or "").lower()
        if node.is_comment_node or tag in _ACTIVE or (tag == "meta" and not _is_kept_meta(node)):
            node.decompose()
        elif node.is_element_node:
            _clean_attributes(node, tag)
    _keep_leading_newlines(tree)


def _is_kept_meta(node: LexborNode) -> bool:
    return (node.attributes.get("name") or "").strip().lower() in _KEPT_META


def _clean_attributes(node: LexborNode, tag: str) -> None:
    for name, value in list(node.attributes.items()):
        if not _may_stay(tag, name.lower(), value or ""):
            del node.attrs[name]


def _may_stay(tag: str, name: str, value: str) -> bool:
    if name.startswith("on"):
        return False
    if name in _FOLLOWED:
        return not _SCRIPT_SCHEME.match(value)
    if name in ("src", "srcset"):
        return tag in ("img", "input") and (not value or value.startswith(_PICTURE))
    if name == "background":
        return value.startswith(_PICTURE)
    if name in ("href", "xlink:href"):
        if tag in ("a", "area"):
            return not _SCRIPT_SCHEME.match(value)
        return value.startswith(_PICTURE if tag in ("image", "feimage") else "#")
    return name not in _ACTIVE_ATTRIBUTES


def _keep_leading_newlines(tree: LexborHTMLParser) -> None:
    """A parser drops one newline at the start of these elements, so a kept one needs something before it."""
    for node in tree.css("pre,listing,textarea"):
        first = node.first_child
        if first is not None and first.is_text_node and (first.text_content or "").startswith("\n"):
            first.insert_before("\u200b" if node.tag != "textarea" else " ")
            node.merge_text_nodes()
