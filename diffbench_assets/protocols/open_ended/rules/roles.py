"""Which kinds of page elements a target is, so that they can be compared with the kinds that a statement names.

Belongs here: from tag and role to the kinds of `lexicon.txt`. Does not belong here: reading statements.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from diffbench_assets.protocols.open_ended.rules.lexicon import ROLES, table

GENERIC_ROLES: Final = frozenset(
    ["", "generic", "none", "presentation", "group", "text", "div", "span", "element", "container", "wrapper", "row"]
    + ["column"]
)
_BY_TAG: Final = {tag: role for role, tags in table("tags") for tag in tags.split("|")}

MANY: Final = frozenset(
    ["button", "link", "paragraph", "heading", "label", "badge", "cell", "list item", "card", "tile", "icon", "image"]
    + ["input", "section", "price", "list", "text", "caption", "figure", "shape", "subject", "banner", "checkbox"]
)
"""Kinds that a page has several of, so that the kind alone does not tell which."""
WITH_WORDS: Final = frozenset(
    ("label", "badge", "button", "link", "heading", "paragraph", "card", "cell", "subject", "section")
)
WITHOUT_WORDS: Final = frozenset(
    ("shape", "icon", "badge", "card", "button", "banner", "section", "image", "subject", "progress bar", "checkbox")
)
"""What people may call an element without a role of its own, whether it shows words or not."""


@cache
def target_roles(tag: str, role: str, words: bool = True) -> frozenset[str]:
    """The kinds of element that a target of `tag` and `role` is; `words`: it shows some."""
    if tag in ("div", "span") and role in GENERIC_ROLES:
        return WITH_WORDS if words else WITHOUT_WORDS
    named = {role} if role in ROLES else {name for name, names in ROLES.items() if role and names.fullmatch(role)}
    if tag in _BY_TAG and (role in GENERIC_ROLES or tag not in ("div", "span", "a", "section")):
        named.add(_BY_TAG[tag])
    return frozenset(named)
