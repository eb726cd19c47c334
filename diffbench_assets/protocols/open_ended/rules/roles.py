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
    }
)
"""Roles that a page has several of, so that the role alone does not tell which."""
ONCE = frozenset(ROLES) - MANY


PLAIN_ROLES = frozenset(
    ("shape", "icon", "badge", "label", "card", "button", "banner", "section", "image", "text", "subject", "paragraph")
)
"""What people may call an element without a role of its own."""


@cache
def target_roles(tag: str, role: str) -> frozenset[str]:
    named = (
        {role} if role in PATTERNS else {name for name, pattern in PATTERNS.items() if role and pattern.fullmatch(role)}
    )
    by_tag = (
        {_BY_TAG[tag]}
        if tag in _BY_TAG and (role in GENERIC_ROLES or tag not in ("div", "span", "a", "section"))
        else set()
    )
    plain = PLAIN_ROLES if role in GENERIC_ROLES and tag in ("div", "span") else frozenset()
    return frozenset(named | by_tag) | plain
