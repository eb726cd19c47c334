"""Rewriting the values of CSS declarations: addresses become embedded data, font stacks embedded fonts.

Belongs here: walking declaration blocks, wherever they stand (rules, nested rules, style attributes). Does not belong
here: what an address or a stack becomes (`assets.py`, `font_stacks.py`), which rules are kept (`rules.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

import tinycss2
from tinycss2 import ast
from tinycss2.ast import Node

from diffbench_assets.pages.font_stacks import FontStacks
from diffbench_assets.pages.rules import MAX_NESTING, has_error

UrlRewriter = Callable[[str], str | None]
"""Turns an address as written into a `data:` or `#fragment` one, or None when it must not stay."""

_NEEDS_CARE = re.compile(
    r"(?:url|src|image|image-set|cross-fade|element|paint|expression)\(|font(?:-family)?\s*:|(?<![\w-])all\s*:"
    r"|behavior|binding|\\",
    re.IGNORECASE,
)


@lru_cache(maxsize=1 << 16)
def _needs_care(body: str) -> bool:
    # Pages share most of their rules, so most bodies have been looked at before.
    return _NEEDS_CARE.search(body) is not None


_SHAPE_PROPERTIES: Final = ("mask", "clip-path", "filter", "backdrop-filter", "shape-outside", "-webkit-mask")
_EXTERNAL_FUNCTIONS: Final = frozenset({"src", "element", "-moz-element", "paint", "expression"})
_IMAGE_SETS: Final = frozenset({"image-set", "-webkit-image-set", "image"})
_BLOCKS: Final = {
    "() block": ast.ParenthesesBlock,
    "[] block": ast.SquareBracketsBlock,
    "{} block": ast.CurlyBracketsBlock,
}


class _Unusable(Exception):
    """The declaration asks for something that cannot be embedded, and has no stand-in."""


class ValueRewriter:
    """Rewrites declaration blocks of one page.

    `stand_in` gives the picture that takes the place of an address that `url` refuses.
    `font_variables` are the custom properties that hold font stacks.
    """

    def __init__(
        self,
        stacks: FontStacks,
        stand_in: Callable[[str], str],
        font_variables: frozenset[str] = frozenset(),
    ) -> None:
        self._stacks = stacks
        self._stand_in = stand_in
        self._font_variables = font_variables

    def block(self, body: str, url: UrlRewriter) -> str:
        """The text of a declaration block, rewritten. Text that needs nothing comes back as it is."""
        if not _needs_care(body) and not any(name in body for name in self._font_variables):
            return body
        nodes = tinycss2.parse_blocks_contents(body, skip_comments=True, skip_whitespace=True)
        return self._nodes(nodes, url, 0)

    def _nodes(self, nodes: Iterable[Node], url: UrlRewriter, depth: int) -> str:
        if depth > MAX_NESTING:
            return ""
        parts: list[str] = []
        for node in nodes:
            if node.type == "declaration":
                parts.append(self._declaration(node, url))
            elif (
                node.type in ("qualified-rule", "at-rule") and node.content is not None and not has_error(node.prelude)
            ):
                inner = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
                prelude = tinycss2.serialize(node.prelude).strip()
                if node.type == "at-rule":
                    prelude = f"@{node.lower_at_keyword} {prelude}"
                parts.append(f"{prelude}{{{self._nodes(inner, url, depth + 1)}}}")
        return "".join(parts)

    def _declaration(self, node: Node, url: UrlRewriter) -> str:
        name = node.name if node.name.startswith("--") else node.lower_name
        important = "!important" if node.important else ""
        if name in ("behavior", "-moz-binding") or has_error(node.value):
            return ""
        try:
            if name == "font-family" or name in self._font_variables:
                value = self._stacks.rewrite(node.value)
            elif name == "font":
                value = self._stacks.rewrite_shorthand(node.value)
            else:
                value = tinycss2.serialize(self._value(node.value, url, name, 0)).strip()
        except _Unusable:
            return ""
        text = f"{name}:{value}{important};"
        if name == "all":
            keyword = value.lower()
            if keyword == "initial":
                text += f"font-family:{self._stacks.use('serif')}{important};"
            elif keyword.startswith("revert"):
                text += f"font-family:inherit{important};"
        return text

    def _value(self, nodes: Sequence[Node], url: UrlRewriter, name: str, depth: int) -> list[Node]:
        """Component values with their addresses replaced. They are written as nodes, never glued as text: only the
        serializer knows which neighbours must be kept apart (`ur/**/l(x)` is no address and must not become one)."""
        if depth > MAX_NESTING:
            raise _Unusable
        result: list[Node] = []
        for node in nodes:
            if node.type == "url":
                result.append(self._address(node, node.value, url, name))
            elif node.type == "function":
                function = node.lower_name
                if function in _EXTERNAL_FUNCTIONS:
                    raise _Unusable
                if function == "url":
                    address = next((part.value for part in node.arguments if part.type == "string"), "")
                    result.append(self._address(node, address, url, name))
                elif function in _IMAGE_SETS:
                    result.append(self._first_image(node, url, name, depth))
                else:
                    inner = self._value(node.arguments, url, name, depth + 1)
                    result.append(ast.FunctionBlock(node.source_line, node.source_column, node.name, inner))
            elif node.type in _BLOCKS:
                inner = self._value(node.content, url, name, depth + 1)
                result.append(_BLOCKS[node.type](node.source_line, node.source_column, inner))
            else:
                result.append(node)
        return result

    def _first_image(self, node: Node, url: UrlRewriter, name: str, depth: int) -> Node:
        """The first choice of an `image-set()`: one resolution is all that a fixed screen needs."""
        for part in node.arguments:
            if part.type == "string":
                return self._address(part, part.value, url, name)
            if part.type in ("url", "function"):
                return self._value([part], url, name, depth + 1)[0]
        raise _Unusable

    def _address(self, node: Node, address: str, url: UrlRewriter, name: str) -> Node:
        replaced = url(address.strip())
        if replaced is None:
            if name.startswith(_SHAPE_PROPERTIES):
                raise _Unusable
            replaced = self._stand_in(address)
        text = f'url("{css_string(replaced)}")'
        return ast.URLToken(node.source_line, node.source_column, replaced, text)


def css_string(text: str) -> str:
    """Text as the inside of a double-quoted CSS string."""
    return re.sub(r'["\\\n\r\f\0]', lambda match: f"\\{ord(match[0]):x} ", text)


_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)")
_FONT_USE = re.compile(r"(?<![\w-])(?:font-family|font)\s*:\s*([^;{}]*)", re.IGNORECASE)
_DEFINITION = re.compile(r"(?<![\w-])(--[\w-]+)\s*:\s*([^;{}]*)")


@lru_cache(maxsize=1 << 16)
def _variables(body: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """The variables a block uses for fonts, and all that it defines."""
    uses = (name for use in _FONT_USE.finditer(body) for name in _VARIABLE.findall(use[1]))
    return frozenset(uses), tuple(_DEFINITION.findall(body))


def font_variables(bodies: Iterable[str]) -> frozenset[str]:
    """Custom properties whose value ends up in `font-family` or `font`, directly or through other ones."""
    found: set[str] = set()
    definitions: dict[str, list[str]] = {}
    for body in bodies:
        if "--" in body:
            uses, defined = _variables(body)
            found |= uses
            for name, value in defined:
                definitions.setdefault(name, []).append(value)
    pending = list(found)
    while pending:
        for value in definitions.get(pending.pop(), ()):
            fresh = set(_VARIABLE.findall(value)) - found
            found |= fresh
            pending.extend(fresh)
    # A variable that holds a size or a weight of a `font` shorthand is no stack.
    return frozenset(name for name in found if any(_looks_like_stack(value) for value in definitions.get(name, ())))


def _looks_like_stack(value: str) -> bool:
    return not re.match(r"\s*[-+]?\.?\d", value) and not re.fullmatch(
        r"\s*(normal|bold|bolder|lighter|italic|oblique|(xx?-)?(small|large)|medium|smaller|larger|(calc|clamp|min|max)\(.*)\s*",
        value,
        re.IGNORECASE,
    )
