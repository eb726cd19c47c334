"""Flat lists of CSS rules, and cutting them to what a page can match.

Belongs here: turning stylesheet text into flat rules, selecting rules by the names a page has, writing rules back.
Does not belong here: loading stylesheets and their imports (`stylesheets.py`), rewriting values (`css_values.py`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

import tinycss2
import tinycss2.ast

MAX_NESTING = 64
"""Blocks inside blocks that are followed; deeper ones are dropped, as no author writes them."""

_CONDITIONAL = frozenset({"media", "supports", "layer", "container", "scope", "starting-style"})
_NAMED = frozenset({"keyframes", "-webkit-keyframes", "property", "font-face", "counter-style", "font-palette-values"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One style rule or one at-rule that stands for itself.

    `wrappers` are the enclosing conditional at-rules, outermost first, such as `@media (min-width:640px)`. `prelude` is
    the selector list, or the at-rule with its prelude. `body` is the text between the braces, None for a statement
    (`@layer a, b`). `needs` holds, for each selector, the names (`.class`, `#id`, `tag`, case-folded) that a tree must
    have for it to match; an empty set for one that needs none. `base` is the folder that addresses in the body are
    relative to, None when they cannot be local.
    """

    wrappers: tuple[str, ...]
    prelude: str
    body: str | None
    needs: tuple[frozenset[str], ...]
    base: Path | None = None

    @property
    def at_keyword(self) -> str | None:
        """`font-face` for an `@font-face` rule, None for a style rule."""
        return self.prelude[1:].split(" ", 1)[0].lower() if self.prelude.startswith("@") else None

    @property
    def name(self) -> str:
        """What an at-rule defines: `spin` of `@keyframes spin`."""
        return self.prelude.partition(" ")[2].strip()


_EVERYTHING = (frozenset[str](),)
_SELECTOR_TOKEN = re.compile(
    r"""(?P<name>[.\#](?:\\[0-9a-fA-F]{1,6}\s?|\\.|[-\w]|[^\x00-\x7f])+)"""
    r"""|(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<open>[(\[])|(?P<close>[)\]])|(?P<comma>,)|\\."""
    r"""|::?-?\w[-\w]*|(?P<tag>[a-zA-Z][-\w]*)(?!\|)""",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)


def unescape(text: str) -> str:
    """CSS text with its backslash escapes resolved; code points outside Unicode become U+FFFD."""

    def character(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[2]
        code = int(match[1], 16)
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"

    return _ESCAPE.sub(character, text) if "\\" in text else text


def selector_needs(selectors: str) -> tuple[frozenset[str], ...]:
    """Per selector of a list, the classes, ids and tags it cannot match without.

    Names inside `:not()`, `:is()`, `[…]` and other arguments are left out: that errs on the side of keeping a rule.
    """
    needs: list[frozenset[str]] = []
    current: set[str] = set()
    depth = 0
    for match in _SELECTOR_TOKEN.finditer(selectors):
        kind = match.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif depth == 0 and kind in ("name", "tag"):
            current.add(unescape(match[0]).casefold())
        elif depth == 0 and kind == "comma":
            needs.append(frozenset(current))
            current = set()
    needs.append(frozenset(current))
    return tuple(needs)


def flatten(
    nodes: Iterable[tinycss2.ast.Node], wrappers: tuple[str, ...] = (), base: Path | None = None
) -> Iterator[Rule]:
    """Flat rules of parsed nodes, conditional at-rules turned into `wrappers` of what they hold.

    What is broken is dropped as browsers drop it. `@import`, `@charset` and `@namespace` are left out: `stylesheets.py`
    resolves imports before this.
    """
    for node in nodes:
        if node.type == "error" or has_error(node.prelude):
            continue
        if node.type == "qualified-rule":
            prelude = tinycss2.serialize(node.prelude).strip()
            yield Rule(wrappers, prelude, _body(node.content), selector_needs(prelude), base)
        elif node.type == "at-rule":
            keyword = node.lower_at_keyword
            prelude = f"@{keyword} {tinycss2.serialize(node.prelude).strip()}".strip()
            if keyword in _CONDITIONAL and node.content is not None:
                if len(wrappers) < MAX_NESTING:
                    inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
                    yield from flatten(inner, (*wrappers, prelude), base)
            elif keyword == "layer":
                yield Rule(wrappers, prelude, None, _EVERYTHING, base)
            elif keyword in _NAMED and node.content is not None:
                yield Rule(wrappers, prelude, _body(node.content), _EVERYTHING, base)


def has_error(nodes: Sequence[tinycss2.ast.Node]) -> bool:
    """Whether component values hold a token that is broken, at any depth."""
    pending = [nodes]
    while pending:
        for node in pending.pop():
            if node.type == "error":
                return True
            if inner := getattr(node, "content", None) or getattr(node, "arguments", None):
                pending.append(inner)
    return False


def _body(content: Sequence[tinycss2.ast.Node]) -> str:
    """A block's text. Broken text could swallow the rules behind it, so then only sound declarations are written."""
    if not has_error(content):
        return tinycss2.serialize(content).strip()
    parts = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    sound = (part for part in parts if part.type == "declaration" and not has_error(part.value))
    return "".join(f"{part.serialize()};" for part in sound)


_STRUCTURE = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/\*.*?\*/|\\.|[{};]""", re.DOTALL)


def parse_trusted(css: str) -> tuple[Rule, ...]:
    """Flat rules of a stylesheet that Tailwind itself wrote; twenty times as fast as a full parser.

    Only for well-formed text: blocks are found by their braces alone.
    """
    rules: list[Rule] = []
    wrappers: list[str] = []
    prelude, body_start, depth, start = "", 0, 0, 0
    for match in _STRUCTURE.finditer(css):
        mark = match[0]
        if mark.startswith("/*") and depth == 0:
            start = match.end()
        elif mark == "{":
            if depth == 0:
                prelude = css[start : match.start()].strip()
                keyword = re.match(r"@([-\w]+)", prelude)
                if keyword and keyword[1] in _CONDITIONAL:
                    wrappers.append(prelude)
                    start = match.end()
                    continue
                body_start = match.end()
            depth += 1
        elif mark == ";" and depth == 0:
            statement = css[start : match.start()].strip()
            if statement.startswith("@layer"):
                rules.append(Rule(tuple(wrappers), statement, None, _EVERYTHING))
            start = match.end()
        elif mark == "}":
            if depth == 0:
                wrappers.pop()
            else:
                depth -= 1
                if depth == 0:
                    needs = _EVERYTHING if prelude.startswith("@") else selector_needs(prelude)
                    rules.append(Rule(tuple(wrappers), prelude, css[body_start : match.start()], needs))
            start = match.end() if depth == 0 else start
    return tuple(rules)


class RuleIndex:
    """Rules arranged so that the ones a page can match are found without looking at all of them."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._always: list[int] = []
        self._by_name: dict[str, list[tuple[int, frozenset[str]]]] = defaultdict(list)
        for position, rule in enumerate(self.rules):
            for need in rule.needs:
                if need:
                    # Ids are rarer than classes, these than tags, long names than short ones: fewer false candidates.
                    key = max(need, key=lambda name: (name[0] in ".#", name[0] == "#", len(name), name))
                    self._by_name[key].append((position, need))
                else:
                    self._always.append(position)
        self.classes = frozenset(
            name[1:] for rule in self.rules for need in rule.needs for name in need if name[0] == "."
        )

    def cut(self, names: frozenset[str]) -> list[Rule]:
        """The rules, in order, that can match a tree having exactly `names` (case-folded `.class`, `#id`, `tag`)."""
        found = set(self._always)
        for name in names:
            found.update(position for position, need in self._by_name.get(name, ()) if need <= names)
        return [self.rules[position] for position in sorted(found)]


_WORD = re.compile(r"-{0,2}[A-Za-z_][\w-]*")


@lru_cache(maxsize=1 << 16)
def _words(text: str) -> frozenset[str]:
    # Pages share most of their rules, so most texts have been looked at before.
    return frozenset(_WORD.findall(text))


_REFERRED = frozenset({"keyframes", "-webkit-keyframes", "property", "counter-style", "font-palette-values"})


def _is_theme(rule: Rule) -> bool:
    body = rule.body or ""
    return rule.prelude.startswith(":root") and "--" in body and "{" not in body  # nested rules are left whole


def drop_unused(sheets: Sequence[Sequence[Rule]], other_text: str = "") -> list[list[Rule]]:
    """The sheets of a page without the keyframes, registered properties and theme variables nothing refers to.

    Theme variables are custom properties declared for `:root`. `other_text` is CSS that also counts as use, such as the
    page's style attributes. Text is compared by whole words, so nothing used is lost.
    """
    variables: dict[str, str] = {}
    used = set(_WORD.findall(other_text))
    for rule in (rule for sheet in sheets for rule in sheet):
        if _is_theme(rule):
            for name, value in _declarations(rule.body or ""):
                if name.startswith("--"):
                    variables[name] = f"{variables.get(name, '')} {value}"
                else:
                    used |= _words(value)
        elif rule.at_keyword not in ("property", "counter-style", "font-palette-values"):
            used |= _words(rule.body or "")
    pending = [name for name in variables if name in used]
    while pending:
        fresh = _words(variables[pending.pop()]) - used
        used |= fresh
        pending.extend(name for name in fresh if name in variables)
    return [[kept for rule in sheet if (kept := _without_unused(rule, used)) is not None] for sheet in sheets]


def _without_unused(rule: Rule, used: set[str]) -> Rule | None:
    if rule.at_keyword in _REFERRED:
        return rule if rule.name in used else None
    if not _is_theme(rule):
        return rule
    kept = (
        (name, value) for name, value in _declarations(rule.body or "") if not name.startswith("--") or name in used
    )
    body = ";".join(f"{name}:{value}" for name, value in kept)
    return replace(rule, body=body) if body else None


def _declarations(body: str) -> list[tuple[str, str]]:
    pairs = (part.partition(":") for part in re.findall(r"""(?:"[^"]*"|'[^']*'|\([^()]*\)|[^;])+""", body))
    return [(name.strip(), value.strip()) for name, separator, value in pairs if separator]


_MIN_SHARED: Final = 80
"""Characters from which a shared tail of declarations is worth a rule of its own."""


def share_tails(rules: Iterable[Rule]) -> list[Rule]:
    """The same styles in less text: neighbours that differ in their first custom property only share the rest.

    For rules of one class each, as Tailwind writes the colours of a gradient: there, what follows the first declaration
    is the same for every colour, and most of the text. The first declaration moves behind the others, which is the same
    only for a custom property: the order of others can matter (`background` after `background-color`).
    """
    shared: list[Rule] = []
    for (wrappers, tail), group in groupby(rules, key=lambda rule: (rule.wrappers, _long_tail(rule))):
        members = list(group)
        if tail is None or len(members) == 1:
            shared.extend(members)
            continue
        needs = tuple(need for rule in members for need in rule.needs)
        shared.append(Rule(wrappers, ",".join(rule.prelude for rule in members), tail, needs))
        shared.extend(replace(rule, body=(rule.body or "").partition(";")[0]) for rule in members)
    return shared


_MORE_THAN_DECLARATIONS = re.compile(r"""[{}"'\\]|/\*|url\(""", re.IGNORECASE)
"""Nested rules, and what may hide a semicolon: strings, escapes, comments, addresses."""


def _long_tail(rule: Rule) -> str | None:
    body = rule.body or ""
    head, _, tail = body.partition(";")
    one_class = len(rule.needs) == 1 and len(rule.needs[0]) == 1
    if not one_class or len(tail) < _MIN_SHARED or not head.startswith("--") or _MORE_THAN_DECLARATIONS.search(body):
        return None
    name = head.partition(":")[0].strip()
    again = any(other == name for other, _ in _declarations(tail))
    return None if again or head.count("(") != head.count(")") or "[" in head else tail


def write_rules(rules: Iterable[Rule]) -> str:
    """Stylesheet text of flat rules; neighbours with the same wrappers share them."""
    parts: list[str] = []
    for wrappers, group in groupby(rules, key=lambda rule: rule.wrappers):
        inner = "".join(f"{rule.prelude};" if rule.body is None else f"{rule.prelude}{{{rule.body}}}" for rule in group)
        parts.append("".join(f"{wrapper}{{" for wrapper in wrappers) + inner + "}" * len(wrappers))
    return "".join(parts)
