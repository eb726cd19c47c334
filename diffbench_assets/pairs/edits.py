"""Edits: static changes of a page's stored HTML, which is all that any pair of a page is made of.

Belongs here: the shape of an edit as records store it, and what it does to HTML; `browser/page.js` does the same to a
live page. Does not belong here: which edits are worth making (one folder a pair maker) and whether they can be seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from diffbench_assets.pages import dom

DRAWN: Final = {
    "img": ("src",),
    "svg": ("viewBox", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "preserveAspectRatio"),
}
"""Attributes that decide what an image or a drawing shows; size and style stay the element's own."""


class UnresolvedSelector(ValueError):
    """What an edit names (its element, a class, a text node) is not in the HTML that it is applied to."""


@dataclass(frozen=True)
class Edit:
    """One static edit of the one element that `selector` finds.

    kind `class`: the class token `name` becomes `value`. kind `style`: `name: value !important` is appended to the
    style attribute. kind `attribute`: attribute `name` becomes `value`, or goes when that is None. kind `text`: the
    text of child node number `node` becomes `value`; where `first` and `last` are given, the characters from one to the
    other are all that differ. kind `drawing`: an image or svg shows what the element at selector `value` shows. kind
    `content`: an element of an svg holds the markup `value` and nothing else.
    """

    selector: str
    kind: Literal["class", "style", "attribute", "text", "drawing", "content"]
    name: str = ""
    value: str | None = None
    node: int = -1
    first: int = -1
    last: int = -1


def apply_to_html(html: str, edits: Iterable[Edit]) -> str:
    """The after page: `edits` applied in order to the stored HTML of their page.

    Raises UnresolvedSelector when a target is not there.
    """
    tree = LexborHTMLParser(html)
    for edit in edits:
        _apply(tree, edit)
    return dom.serialize(tree)


def _only(tree: LexborHTMLParser, selector: str | None) -> LexborNode:
    try:
        matches = tree.css(selector or "")
    except SelectolaxError as error:
        raise UnresolvedSelector(f"{selector!r} is no CSS selector") from error
    if len(matches) != 1:
        raise UnresolvedSelector(f"{selector!r} finds {len(matches)} elements, expected 1")
    return matches[0]


def _apply(tree: LexborHTMLParser, edit: Edit) -> None:
    target = _only(tree, edit.selector)
    if edit.kind == "class":
        tokens = (target.attributes.get("class") or "").split()
        if edit.name not in tokens:
            raise UnresolvedSelector(f"{edit.selector!r} has no class {edit.name!r}")
        target.attrs["class"] = " ".join(edit.value or "" if token == edit.name else token for token in tokens)
    elif edit.kind == "style":
        old = (target.attributes.get("style") or "").strip().removesuffix(";")
        target.attrs["style"] = f"{old}{'; ' if old else ''}{edit.name}: {edit.value} !important"
    elif edit.kind == "attribute":
        _set(target, edit.name, edit.value)
    elif edit.kind == "text":
        child = target.child
        for _ in range(edit.node):
            child = child.next if child else None
        if child is None or not child.is_text_node:
            raise UnresolvedSelector(f"child {edit.node} of {edit.selector!r} is not a text node")
        child.replace_with(edit.value or "")
    elif edit.kind == "content":
        target.inner_html = edit.value or ""
    else:
        model = _only(tree, edit.value)
        for name in DRAWN.get(target.tag or "", ()):
            _set(target, name, model.attributes.get(name))
        if target.tag == "svg":
            target.inner_html = model.inner_html or ""


def _set(node: LexborNode, name: str, value: str | None) -> None:
    if value is not None:
        node.attrs[name] = value
    elif name in node.attributes:
        del node.attrs[name]


def related(one: str, other: str) -> bool:
    """Whether one of two selectors of a stored page finds an ancestor of the other's element, or the same."""
    return one == other or one.startswith(f"{other} > ") or other.startswith(f"{one} > ")
