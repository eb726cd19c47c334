"""Taking out of a page's tree whatever runs, loads, moves or leads elsewhere, with the layout kept.

Belongs here: the policy for elements and attributes. Does not belong here: stylesheets and style values
(`selfcontained.py` hands these to `stylesheets.py` and `css_values.py`), fonts.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from diffbench_assets.pages.assets import AssetFolder, image_uri
from diffbench_assets.pages.placeholders import DEFAULT_SIZE, placeholder, size_from_address

_DROPPED: Final = frozenset(
    [
        "script",
        "noscript",
        "template",
        "base",
        "link",
        "noembed",
        "noframes",
        "param",
        "source",
        "track",
        "portal",
        "fencedframe",
        "applet",
        "bgsound",
        "animate",
        "animatetransform",
        "animatemotion",
        "animatecolor",
        "set",
        "mpath",
        "discard",
        "handler",
        "listener",
        "frame",
        "slot-assets",
    ]
)
_BOXES: Final = frozenset({"iframe", "embed", "object", "video"})
_BOX_SIZE: Final = (300, 150)
_AUDIO_SIZE: Final = (300, 54)
_KEPT_META: Final = frozenset({"viewport", "color-scheme"})

_DROPPED_ATTRIBUTES: Final = frozenset(
    [
        "srcset",
        "sizes",
        "imagesrcset",
        "imagesizes",
        "ping",
        "download",
        "action",
        "formaction",
        "formmethod",
        "formtarget",
        "target",
        "autofocus",
        "autoplay",
        "nonce",
        "integrity",
        "crossorigin",
        "referrerpolicy",
        "loading",
        "decoding",
        "fetchpriority",
        "srcdoc",
        "manifest",
        "archive",
        "codebase",
        "classid",
        "data",
        "code",
        "longdesc",
        "profile",
        "cite",
        "contenteditable",
        "popovertarget",
        "commandfor",
        "command",
        "dynsrc",
        "lowsrc",
        "attributionsrc",
        "shadowrootmode",
        "http-equiv",
        "usemap",
        "ismap",
        "poster",
        "spellcheck",
        "accesskey",
        "xml:base",
    ]
)
_BOX_ATTRIBUTES: Final = ("id", "class", "style", "width", "height", "align", "hspace", "vspace", "hidden", "title")
_OUTSIDE_URL = re.compile(r"url\(\s*['\"]?\s*(?!#)", re.IGNORECASE)
_SCRIPT_SCHEME = re.compile(
    r"[\s\x00-\x20]*(?:java|vb|live)\s*script\s*:|[\s\x00-\x20]*data\s*:\s*text/html", re.IGNORECASE
)


def clean_tree(tree: LexborHTMLParser, folder: AssetFolder, base: Path | None) -> None:
    """Changes the tree in place. `base` is the folder that the page's addresses are relative to.

    `<style>` elements and `style` attributes are left as they are; every stylesheet `<link>` must have been replaced
    before, as links go. Afterwards no element runs, loads or animates anything, and pictures are `data:` addresses.
    """
    _drop(tree)
    nodes = [node for node in tree.root.traverse(include_text=False) if node.is_element_node] if tree.root else []
    # Backwards, so that what is inside a replaced element is dealt with before it goes.
    for node in reversed(nodes):
        tag = (node.tag or "").lower()
        if tag in _BOXES:
            _replace_by_box(tree, node, tag, folder, base)
        elif tag == "audio":
            if "controls" in node.attributes:
                _replace_by_box(tree, node, tag, folder, base)
            else:
                node.decompose()
        elif tag == "marquee":
            _retag(tree, node, "div")
        else:
            _clean_element(node, tag, folder, base)
    _keep_leading_newlines(tree)


def _drop(tree: LexborHTMLParser) -> None:
    doomed = [
        node
        for node in (tree.root.traverse(include_text=True) if tree.root else ())
        if node.is_comment_node
        or (node.is_element_node and (node.tag or "").lower() in _DROPPED)
        or (node.is_element_node and node.tag == "meta" and not _is_kept_meta(node))
    ]
    # Descendants first: an ancestor takes its subtree with it.
    for node in reversed(doomed):
        _select_source(node)
        node.decompose()


def _is_kept_meta(node: LexborNode) -> bool:
    return (node.attributes.get("name") or "").strip().lower() in _KEPT_META


def _select_source(node: LexborNode) -> None:
    """An `<img>` of a `<picture>` that has no address of its own takes the one of a `<source>` that goes."""
    if node.tag != "source" or node.parent is None or node.parent.tag != "picture":
        return
    image = node.parent.css_first("img")
    candidate = _first_candidate(node.attributes.get("srcset"))
    if image is not None and candidate and not (image.attributes.get("src") or image.attributes.get("srcset")):
        image.attrs["src"] = candidate


def _first_candidate(srcset: str | None) -> str:
    return (srcset or "").strip().split(" ")[0].rstrip(",")


def _clean_element(node: LexborNode, tag: str, folder: AssetFolder, base: Path | None) -> None:
    if tag == "img" or (tag == "input" and (node.attributes.get("type") or "").lower() == "image"):
        _embed_image(node, folder, base)
    elif tag in ("image", "feimage"):
        _embed_svg_image(node, folder, base)
    if tag == "mi":
        node.attrs["mathvariant"] = "normal"  # else one letter is drawn as another character, an italic of mathematics
    if tag == "progress" and "value" not in node.attributes:
        node.attrs["value"] = "0.5"  # without a value the bar moves
    for name, value in list(node.attributes.items()):
        kept = _attribute(tag, name.lower(), value or "", folder, base)
        if kept is None:
            del node.attrs[name]
        elif kept != (value or ""):
            node.attrs[name] = kept


def _attribute(tag: str, name: str, value: str, folder: AssetFolder, base: Path | None) -> str | None:
    """What an attribute's value becomes; None when the attribute goes."""
    if name.startswith("on") or name in _DROPPED_ATTRIBUTES:
        return None
    if name == "style":
        return value
    if name == "src":
        return value if tag in ("img", "input") and value.startswith("data:image/") else None
    if name in ("href", "xlink:href"):
        if tag in ("image", "feimage"):
            return value if value.startswith("data:image/") else None
        if value.strip().startswith("#"):
            return value.strip()
        return "#" if tag in ("a", "area") else None
    if name == "background":
        return image_uri(value, folder, base)
    if _SCRIPT_SCHEME.match(value) or (_OUTSIDE_URL.search(value) and name not in ("alt", "title", "value")):
        return None
    if name.startswith("data-") and "//" in value:
        return None
    return value


def _pixels(value: str | None) -> int | None:
    match = re.fullmatch(r"\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*", value or "")
    return int(match[1]) if match and int(match[1]) > 0 else None


def _stand_in(node: LexborNode, address: str, default: tuple[int, int]) -> str:
    width, height = _pixels(node.attributes.get("width")), _pixels(node.attributes.get("height"))
    stated = size_from_address(address) or default
    if width and height:
        size = (width, height)
    elif width:
        size = (width, max(1, width * stated[1] // stated[0]))
    elif height:
        size = (max(1, height * stated[0] // stated[1]), height)
    else:
        size = stated
    return placeholder(address, size)


def _embed_image(node: LexborNode, folder: AssetFolder, base: Path | None) -> None:
    source = (node.attributes.get("src") or "").strip()
    lazy = next((node.attributes[key] for key in ("data-src", "data-lazy-src") if node.attributes.get(key)), None)
    if lazy and (not source or source.startswith("data:")):
        source = lazy
    source = source or _first_candidate(node.attributes.get("srcset"))
    if source:
        node.attrs["src"] = image_uri(source, folder, base) or _stand_in(node, source, DEFAULT_SIZE)


def _embed_svg_image(node: LexborNode, folder: AssetFolder, base: Path | None) -> None:
    address = node.attributes.get("href") or node.attributes.get("xlink:href") or ""
    for name in ("href", "xlink:href"):
        if name in node.attributes:
            del node.attrs[name]
    if address:
        node.attrs["href"] = image_uri(address, folder, base) or placeholder(address)


def _replace_by_box(tree: LexborHTMLParser, node: LexborNode, tag: str, folder: AssetFolder, base: Path | None) -> None:
    """Puts a picture where a frame, plug-in or player was: it is sized by the same attributes and rules."""
    attributes = node.attributes
    if tag == "object" and node.first_child is not None and not attributes.get("data"):
        node.unwrap()  # an object without data shows what is inside
        return
    address = attributes.get("poster") or attributes.get("src") or attributes.get("data") or tag
    local = image_uri(address, folder, base) if tag != "iframe" else None
    box = tree.create_node("img")
    for name in _BOX_ATTRIBUTES:
        if name in attributes:
            box.attrs[name] = attributes[name] or ""
    box.attrs["alt"] = ""
    box.attrs["src"] = local or _stand_in(node, address, _AUDIO_SIZE if tag == "audio" else _BOX_SIZE)
    node.replace_with(box, move=True)


def _retag(tree: LexborHTMLParser, node: LexborNode, tag: str) -> None:
    fresh = tree.create_node(tag)
    for name in ("id", "class", "style"):
        if name in node.attributes:
            fresh.attrs[name] = node.attributes[name] or ""
    for child in list(node.iter(include_text=True)):
        fresh.insert_child(child, move=True)
    node.replace_with(fresh, move=True)


def _keep_leading_newlines(tree: LexborHTMLParser) -> None:
    """A parser drops one newline at the start of these elements, so a kept one needs something before it."""
    for node in tree.css("pre,listing,textarea"):
        first = node.first_child
        if first is not None and first.is_text_node and (first.text_content or "").startswith("\n"):
            first.insert_before("\u200b" if node.tag != "textarea" else " ")
            node.merge_text_nodes()
