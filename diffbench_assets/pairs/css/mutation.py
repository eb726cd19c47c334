"""A mutation: the edits that turn a page's stored HTML into its after page, and their JSON record.

Belongs here: the record's shape and its application to static HTML. Does not belong here: which mutations are worth
making (`operators/`) and whether they can be seen (`gate.py`). `page.js` applies the same edits to a live page.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from diffbench_assets.pages import dom

Mechanism = Literal["class_swap", "inline", "text_node"]


class UnresolvedSelector(ValueError):
    """The record's selector or text node does not exist in the HTML it is applied to."""


@dataclass(frozen=True)
class Edit:
    """One static edit of the target.

    kind `class`: the class token `before` becomes `after`. kind `style`: `property: after !important` is appended to
    the style attribute. kind `text`: the text of child node number `node` becomes `after`; the characters from `first`
    to `last` are the ones that differ.
    """

    kind: Literal["class", "style", "text"]
    after: str
    before: str = ""
    property: str = ""
    node: int = -1
    first: int = -1
    last: int = -1


@dataclass(frozen=True)
class Mutation:
    """One change of one property of one element, of known size."""

    operator: str
    tier: str
    selector: str
    mechanism: Mechanism
    edits: tuple[Edit, ...]
    property: str
    before: str
    after: str
    direction: int
    magnitude: float
    magnitude_unit: str
    element: dict[str, str] = field(default_factory=dict)

    def to_record(self) -> str:
        """The JSON record; keys sorted, so that equal mutations have equal records."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_record(cls, record: str) -> Mutation:
        """The mutation of a JSON record.

        Raises ValueError when the record is not one of ours.
        """
        try:
            fields: dict[str, Any] = json.loads(record)
            fields["edits"] = tuple(Edit(**edit) for edit in fields["edits"])
            return cls(**fields)
        except (TypeError, KeyError, json.JSONDecodeError) as error:
            raise ValueError(f"not a mutation record: {record[:80]!r} ({error})") from error


def apply_to_html(html: str, mutation: Mutation) -> str:
    """The after page: `mutation` applied to the stored HTML of its page.

    Raises UnresolvedSelector when the target is not there.
    """
    tree = LexborHTMLParser(html)
    try:
        matches = tree.css(mutation.selector)
    except SelectolaxError as error:
        raise UnresolvedSelector(f"{mutation.selector!r} is no CSS selector") from error
    if len(matches) != 1:
        raise UnresolvedSelector(f"{mutation.selector!r} finds {len(matches)} elements, expected 1")
    for edit in mutation.edits:
        _apply(matches[0], edit)
    return dom.serialize(tree)


def _apply(node: LexborNode, edit: Edit) -> None:
    if edit.kind == "class":
        tokens = (node.attributes.get("class") or "").split()
        if edit.before not in tokens:
            raise UnresolvedSelector(f"the target has no class {edit.before!r}")
        node.attrs["class"] = " ".join(edit.after if token == edit.before else token for token in tokens)
    elif edit.kind == "style":
        old = (node.attributes.get("style") or "").strip().removesuffix(";")
        node.attrs["style"] = f"{old}{'; ' if old else ''}{edit.property}: {edit.after} !important"
    else:
        child = node.child
        for _ in range(edit.node):
            child = child.next if child else None
        if child is None or not child.is_text_node:
            raise UnresolvedSelector(f"child {edit.node} of the target is not a text node")
        child.replace_with(edit.after)
