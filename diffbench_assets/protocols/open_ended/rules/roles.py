"""Kinds of page elements and the names people give them.

Belongs here: tables of roles, and which roles a target has. Does not belong here: reading statements.
"""

from __future__ import annotations

from functools import cache

from diffbench_assets.protocols.open_ended.rules.lexicon import ROLES

GENERIC_ROLES = frozenset(
    {
        "",
        "generic",
        "none",
        "presentation",
        "group",
        "text",
        "div",
        "span",
        "element",
        "container",
        "wrapper",
        "row",
        "column",
    }
)
_BY_TAG = {
    "h1": "heading",
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "h5": "heading",
    "h6": "heading",
    "button": "button",
    "a": "link",
    "p": "paragraph",
    "img": "image",
    "svg": "icon",
    "input": "input",
    "textarea": "input",
    "select": "input",
    "nav": "navigation",
    "header": "header",
    "footer": "footer",
    "section": "section",
    "main": "section",
    "article": "card",
    "ul": "list",
    "ol": "list",
    "li": "list item",
    "td": "cell",
    "th": "cell",
    "tr": "table",
    "table": "table",
    "blockquote": "quote",
    "figcaption": "caption",
    "figure": "figure",
    "aside": "sidebar",
    "label": "label",
    "pre": "code block",
    "code": "code block",
    "span": "label",
    "div": "card",
    "hr": "divider",
    "progress": "progress bar",
    "legend": "label",
}
PATTERNS = ROLES

MANY = frozenset(
    {
        "button",
        "link",
        "paragraph",
        "heading",
        "label",
        "badge",
        "cell",
        "list item",
        "card",
        "tile",
        "icon",
        "image",
        "input",
        "section",
        "price",
        "list",
        "text",
        "caption",
        "figure",
        "shape",
        "subject",
        "banner",
        "checkbox",
    }
)
"""Roles that a page has several of, so that the role alone does not tell which."""
ONCE = frozenset(ROLES) - MANY


WITH_WORDS = frozenset(("label", "badge", "button", "link", "heading", "paragraph", "card", "cell", "subject", "section"))
WITHOUT_WORDS = frozenset(
    ("shape", "icon", "badge", "card", "button", "banner", "section", "image", "subject", "progress bar", "checkbox")
)
"""What people may call an element without a role of its own."""


@cache
def target_roles(tag: str, role: str, words: bool = True) -> frozenset[str]:
    """The kinds of element that a target of `tag` and `role` is; `words`: it shows some."""
    named = (
        {role} if role in PATTERNS else {name for name, pattern in PATTERNS.items() if role and pattern.fullmatch(role)}
    )
    if tag in ("div", "span") and role in GENERIC_ROLES:
        return WITH_WORDS if words else WITHOUT_WORDS
    if tag in _BY_TAG and (role in GENERIC_ROLES or tag not in ("div", "span", "a", "section")):
        named.add(_BY_TAG[tag])
    return frozenset(named)
