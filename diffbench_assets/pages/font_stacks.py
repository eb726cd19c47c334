"""Rewriting font stacks so that they name embedded fonts only.

Belongs here: what a list of family names becomes. Does not belong here: finding the declarations (`css_values.py`) or
the fonts themselves (`fonts.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import tinycss2
from tinycss2.ast import Node

Kind = Literal["sans", "serif", "mono"]

OTHER: Final = "diffbench-other"
"""Family of the page's other scripts and symbols."""
BOX: Final = "diffbench-box"
"""Family of last resort, which has every code point."""

_MONO_WORDS: Final = ("mono", "courier", "consol", "menlo", "code", "terminal", "typewriter")
_SERIF_WORDS: Final = (
    "serif", "georgia", "times", "cambria", "garamond", "playfair", "merriweather", "lora", "baskerville", "palatino",
    "book antiqua", "didot", "bodoni", "charter", "crimson", "slab", "roman", "song", "ming", "mincho",
)  # fmt: skip
_KEPT: Final = frozenset({"inherit", "unset"})
_REVERTED: Final = frozenset({"revert", "revert-layer"})


def family(kind: Kind) -> str:
    """The embedded family of a kind: `diffbench-sans`."""
    return f"diffbench-{kind}"


def stack(kind: Kind) -> str:
    """The whole stack of a kind. The family for other scripts need not exist on a page that has none."""
    return f"{family(kind)},{OTHER},{BOX}"


class FontStacks:
    """Rewrites the stacks of one page and remembers which kinds they ended in.

    `own_families` are the case-folded names of the fonts that the page embeds itself: they stay where they stand.
    """

    def __init__(self, own_families: frozenset[str]) -> None:
        self.own_families = own_families
        self.kinds: set[Kind] = set()

    def use(self, kind: Kind) -> str:
        """The stack of a kind, noted as used."""
        self.kinds.add(kind)
        return stack(kind)

    def rewrite(self, value: Sequence[Node]) -> str:
        """A `font-family` value (component values) with its system families replaced by embedded ones.

        An empty one stays empty: as a custom property it stands for no stack at all, and elsewhere browsers ignore it.
        """
        entries = [entry for entry in _split_commas(value) if entry]
        if not entries:
            return ""
        if len(entries) == 1 and len(entries[0]) == 1 and entries[0][0].type == "ident":
            keyword = entries[0][0].lower_value
            if keyword in _KEPT:
                return keyword
            if keyword in _REVERTED:
                return "inherit"
            if keyword == "initial":
                return self.use("serif")
        kept: list[str] = []
        system: list[str] = []
        for entry in entries:
            words = [node for node in entry if node.type != "whitespace"]
            if len(words) == 1 and words[0].type == "function" and words[0].lower_name == "var":
                kept.append(self._variable(words[0]))
                continue
            name = " ".join(str(node.value) for node in entry if node.type in ("ident", "string"))
            if name.casefold() in self.own_families:
                kept.append(tinycss2.serialize(entry).strip())
            elif name:
                system.append(name.casefold())
        if kept and not system and len(kept) == len(entries) == 1 and kept[0].startswith("var("):
            return kept[0]
        return ",".join((*kept, self.use(_kind(system))))

    def _variable(self, node: Node) -> str:
        """`var(--name, fallback)` with the fallback rewritten."""
        parts = _split_commas(node.arguments, limit=1)
        name = tinycss2.serialize(parts[0]).strip()
        return f"var({name},{self.rewrite(parts[1])})" if len(parts) > 1 else f"var({name})"

    def rewrite_shorthand(self, value: Sequence[Node]) -> str:
        """A `font` value with its families replaced."""
        nodes = [node for node in value if node.type not in ("comment",)]
        words = [node for node in nodes if node.type != "whitespace"]
        if len(words) == 1 and words[0].type == "ident":
            keyword = words[0].lower_value
            if keyword in _KEPT:
                return keyword
            if keyword in _REVERTED:
                return "inherit"
            return f"medium {self.use('serif')}" if keyword == "initial" else f"13.3333px {self.use('sans')}"
        for position, node in enumerate(nodes):
            if _is_size(node):
                end = _after_line_height(nodes, position + 1)
                families = nodes[end:]
                if any(part.type != "whitespace" for part in families):
                    head = tinycss2.serialize(nodes[:end]).strip()
                    return f"{head} {self.rewrite(families)}"
        return "inherit"  # no size and no families: browsers ignore it, and it may hold anything


def _split_commas(value: Sequence[Node], limit: int = -1) -> list[list[Node]]:
    parts: list[list[Node]] = [[]]
    for node in value:
        if node.type == "literal" and node.value == "," and (limit < 0 or len(parts) <= limit):
            parts.append([])
        elif node.type != "comment" and (parts[-1] or node.type != "whitespace"):
            parts[-1].append(node)
    return parts


def _kind(names: Sequence[str]) -> Kind:
    """What a list of system families looks like: the last generic name decides, else the first that tells."""
    for name in reversed(names):
        if name in ("serif", "ui-serif"):
            return "serif"
        if name in ("monospace", "ui-monospace"):
            return "mono"
        if name in ("sans-serif", "system-ui", "ui-sans-serif", "ui-rounded", "cursive", "fantasy"):
            return "sans"
    for name in names:
        if any(word in name for word in _MONO_WORDS):
            return "mono"
        if "sans" not in name and any(word in name for word in _SERIF_WORDS):
            return "serif"
    return "sans"


_SIZE_WORDS: Final = frozenset(
    ["xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "smaller", "larger"]
)
_SIZE_FUNCTIONS: Final = frozenset({"calc", "clamp", "min", "max", "var"})


def _is_size(node: Node) -> bool:
    if node.type in ("dimension", "percentage"):
        return True
    if node.type == "ident":
        return node.lower_value in _SIZE_WORDS
    if node.type == "function":
        return node.lower_name in _SIZE_FUNCTIONS
    return bool(node.type == "number" and node.value == 0)


def _after_line_height(nodes: Sequence[Node], position: int) -> int:
    rest = [index for index in range(position, len(nodes)) if nodes[index].type != "whitespace"]
    if rest and nodes[rest[0]].type == "literal" and nodes[rest[0]].value == "/":
        return rest[1] + 1 if len(rest) > 1 else len(nodes)
    return position
