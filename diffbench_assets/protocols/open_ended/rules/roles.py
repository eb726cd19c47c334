"""Kinds of page elements and the names people give them.

Belongs here: tables of roles, and which roles a target has. Does not belong here: reading statements.
"""

from __future__ import annotations

import re
from functools import cache

ROLES: tuple[tuple[str, str], ...] = (
    ("heading", r"headings?|headlines?|titles?|heading text|h[1-6]|greeting|headers?(?= text| line)|name"),
    ("button", r"buttons?|cta|calls?[- ]to[- ]action|btn"),
    ("link", r"links?|menu items?|nav(?:igation)? items?|anchor|tab|breadcrumb"),
    (
        "paragraph",
        r"paragraphs?|sentences?|body text|copy|descriptions?|subtitles?|sub-?headings?|taglines?|blurb"
        r"|intro(?:duction)?(?: text)?|text block|text line|line of text|note|line",
    ),
    (
        "image",
        r"images?|photos?|pictures?|illustrations?|thumbnails?|avatars?|profile (?:picture|photo)"
        r"|banner image|portrait|graphic",
    ),
    ("icon", r"icons?|glyph icon|symbols?|logo mark"),
    ("logo", r"logos?|brand(?: name)?|wordmark"),
    (
        "input",
        r"inputs?|fields?|text ?box(?:es)?|search (?:box|bar|field)|form fields?|text ?area|placeholder"
        r"|select|dropdown",
    ),
    ("card", r"cards?|tiles?|panels?|box(?:es)?|containers?|modules?|callout|widget"),
    ("badge", r"badges?|tags?|pills?|chips?|labels?|status|ribbon"),
    ("label", r"labels?|chips?|tags?|legend"),
    ("navigation", r"nav(?:igation)?(?: bar| menu| links| items)?|navbar|menus?(?: bar)?|top bar|menu items?"),
    ("header", r"headers?|top bar|page header|app bar|header bar|masthead|title bar"),
    ("footer", r"footers?|bottom (?:section|bar)|copyright(?: line| text| notice)?"),
    ("section", r"sections?|areas?|blocks?|hero(?: section| banner)?|region|background of the page"),
    ("banner", r"banners?|hero|strip|announcement(?: bar)?|promo(?: bar| banner)?"),
    ("list", r"lists?|menu|bullets|items"),
    ("list item", r"bullets?(?: points?)?|list (?:items?|entry|entries)|items?|entry|entries"),
    ("cell", r"cells?|table (?:values?|entry)|amount|values?|figure|status|row|entry"),
    ("table", r"tables?|rows?|columns?|timetable"),
    ("price", r"prices?|amount|figure|cost"),
    ("quote", r"quotes?|testimonials?|quotation|pull quote|review"),
    ("caption", r"captions?|figure caption"),
    ("figure", r"figures?|photo|picture|image|chart|diagram"),
    ("alert", r"alerts?|notices?|messages?|notification(?: bar)?|warning|banner"),
    ("toolbar", r"toolbars?|controls|button row|tool bar"),
    ("grid", r"grids?|gallery|cards|tiles|columns"),
    ("sidebar", r"side ?bars?|aside|side (?:panel|menu|column)"),
    ("progress bar", r"progress(?: bar)?|meter|bar"),
    ("pagination", r"pagination|pager|page (?:links|numbers)"),
    ("code block", r"code(?: (?:box|block|snippet))?|snippet"),
    ("checkbox", r"check ?box(?:es)?|check ?marks?|toggles?|switch(?:es)?|radio buttons?"),
    ("social icons", r"social(?: media)?(?: icons| links)?|icons"),
    ("button group", r"buttons|button (?:group|row)|actions"),
    ("chart", r"charts?|graphs?|plots?|diagrams?|bars?"),
    ("divider", r"dividers?|separators?|rules?|horizontal line"),
    ("subject", r"arrow|star(?: rating)?|bell|date|result count|cookie notice|heart"),
)
"""Role and the names people give it, most specific rows matched on their own words."""

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
PATTERNS = {role: re.compile(rf"(?<![\w-])(?:{names})(?![\w-])") for role, names in ROLES}

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
ONCE = frozenset(role for role, _ in ROLES) - MANY


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
    return frozenset(named | by_tag)
