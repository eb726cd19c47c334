"""Changes: the static edits of a semantic pair, and their application to stored HTML.

Belongs here: the shape of a change as records store it, and what it does to HTML. `page.js` does the same to a live
page. Does not belong here: which changes are worth making (one module per category).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from diffbench_assets.pages import dom
from diffbench_assets.pairs.css.mutation import UnresolvedSelector

DRAWN: Final = {
    "img": ("src",),
    "svg": ("viewBox", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "preserveAspectRatio"),
}
"""Attributes that decide what an image or a drawing shows; size and style stay the element's own."""


@dataclass(frozen=True)
class Change:
    """One static edit of one element.

    kind `style`: `name: value !important` is appended to the style attribute. kind `attribute`: attribute `name`
    becomes `value`, or goes when that is None. kind `text`: the text of child node number `node` becomes `value`. kind
    `drawing`: an image or svg shows what the element at selector `value` shows.
    """

    selector: str
    kind: Literal["style", "attribute", "text", "drawing"]
    name: str = ""
    value: str | None = None
    node: int = -1


def changes_of(record: Mapping[str, Any]) -> tuple[Change, ...]:
    """The changes of a pair's record.

    Raises ValueError when the record holds none of ours.
    """
    try:
        return tuple(Change(**change) for change in record["changes"])
    except (TypeError, KeyError) as error:
        raise ValueError(f"not a record of page changes: {str(record)[:80]!r} ({error})") from error


def apply_to_html(html: str, changes: Iterable[Change]) -> str:
    """The after page: `changes` applied to the stored HTML of their page.

    Raises UnresolvedSelector when a target is not there.
    """
    tree = LexborHTMLParser(html)
    for change in changes:
        _apply(tree, change)
    return dom.serialize(tree)


def _only(tree: LexborHTMLParser, selector: str | None) -> LexborNode:
    try:
        matches = tree.css(selector or "")
    except SelectolaxError as error:
        raise UnresolvedSelector(f"{selector!r} is no CSS selector") from error
    if len(matches) != 1:
        raise UnresolvedSelector(f"{selector!r} finds {len(matches)} elements, expected 1")
    return matches[0]


def _apply(tree: LexborHTMLParser, change: Change) -> None:
    target = _only(tree, change.selector)
    if change.kind == "style":
        old = (target.attributes.get("style") or "").strip().removesuffix(";")
        target.attrs["style"] = f"{old}{'; ' if old else ''}{change.name}: {change.value} !important"
    elif change.kind == "attribute":
        _set(target, change.name, change.value)
    elif change.kind == "text":
        child = target.child
        for _ in range(change.node):
            child = child.next if child else None
        if child is None or not child.is_text_node:
            raise UnresolvedSelector(f"child {change.node} of {change.selector!r} is not a text node")
        child.replace_with(change.value or "")
    else:
        model = _only(tree, change.value)
        for name in DRAWN.get(target.tag or "", ()):
            _set(target, name, model.attributes.get(name))
        if target.tag == "svg":
            target.inner_html = model.inner_html or ""


def _set(node: LexborNode, name: str, value: str | None) -> None:
    if value is not None:
        node.attrs[name] = value
    elif name in node.attributes:
        del node.attrs[name]
