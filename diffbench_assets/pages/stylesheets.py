"""Stylesheets as a page refers to them: text, files, and what they import.

Belongs here: finding all rules behind a `<style>` or `<link>`. Does not belong here: choosing rules (`rules.py`) or
rewriting their values (`css_values.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

import tinycss2
import tinycss2.bytes
from tinycss2.ast import Node

from diffbench_assets.pages.assets import AssetFolder
from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.rules import Rule, RuleIndex, flatten

MAX_SHEETS: Final = 200
"""Files that one stylesheet may bring in; a page that asks for more is dropped, as its imports do not end."""
MAX_CSS_BYTES: Final = 8 * 2**20


@dataclass
class _Budget:
    """What one stylesheet and its imports have used so far."""

    sheets: int = 0
    bytes: int = 0
    open_files: list[Path] = field(default_factory=list)

    def spend(self, text: str) -> None:
        self.sheets += 1
        self.bytes += len(text)
        if self.sheets > MAX_SHEETS:
            raise PageUnusable(f"css_import_loop: more than {MAX_SHEETS} imports")
        if self.bytes > MAX_CSS_BYTES:
            raise PageUnusable(f"css_too_large: more than {MAX_CSS_BYTES >> 20} MB of stylesheets")


@lru_cache(maxsize=256)
def sheet_from_text(text: str, base: Path | None, folder: AssetFolder) -> RuleIndex:
    """The rules of a `<style>` element. Raises PageUnusable when its imports do not end."""
    return RuleIndex(_rules(text, base, folder, (), _Budget()))


def sheet_from_file(path: Path, folder: AssetFolder) -> RuleIndex:
    """The rules of a stylesheet file inside `folder`. Raises PageUnusable when its imports do not end."""
    stat = path.stat()
    return _sheet_from_file(path, folder, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=256)
def _sheet_from_file(path: Path, folder: AssetFolder, _mtime_ns: int, _size: int) -> RuleIndex:
    return RuleIndex(_file_rules(path, folder, (), _Budget()))


def _file_rules(path: Path, folder: AssetFolder, wrappers: tuple[str, ...], budget: _Budget) -> list[Rule]:
    budget.open_files.append(path)
    text, _ = tinycss2.bytes.decode_stylesheet_bytes(path.read_bytes())
    rules = _rules(text, path.parent, folder, wrappers, budget)
    budget.open_files.pop()
    return rules


def _rules(text: str, base: Path | None, folder: AssetFolder, wrappers: tuple[str, ...], budget: _Budget) -> list[Rule]:
    budget.spend(text)
    nodes = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    rules: list[Rule] = []
    after_imports = len(nodes)
    # Imports count only before the first other rule; a layer statement may stand between them.
    for position, node in enumerate(nodes):
        keyword = node.lower_at_keyword if node.type == "at-rule" else ""
        if keyword == "import":
            rules.extend(_imported(node.prelude, base, folder, wrappers, budget))
        elif keyword == "layer" and node.content is None:
            rules.extend(flatten([node], wrappers, base))
        elif keyword != "charset" and node.type != "error":
            after_imports = position
            break
    rules.extend(flatten(nodes[after_imports:], wrappers, base))
    return rules


def _imported(
    prelude: Sequence[Node], base: Path | None, folder: AssetFolder, wrappers: tuple[str, ...], budget: _Budget
) -> list[Rule]:
    words = [node for node in prelude if node.type != "whitespace"]
    if not words:
        return []
    target = words[0]
    if target.type == "function" and target.lower_name == "url":
        target = next((node for node in target.arguments if node.type == "string"), target)
    address = target.value if target.type in ("url", "string") else ""
    path = folder.resolve(address, base)
    # A file that is being read already would bring nothing new: browsers end the circle there too.
    if path is None or path in budget.open_files:
        return []
    return _file_rules(path, folder, (*wrappers, *_import_conditions(words[1:])), budget)


def _import_conditions(words: Sequence[Node]) -> list[str]:
    conditions: list[str] = []
    media: list[Node] = []
    for node in words:
        if not media and node.type == "ident" and node.lower_value == "layer":
            conditions.append("@layer")
        elif not media and node.type == "function" and node.lower_name == "layer":
            conditions.append(f"@layer {tinycss2.serialize(node.arguments).strip()}")
        elif not media and node.type == "function" and node.lower_name == "supports":
            condition = tinycss2.serialize(node.arguments).strip()
            conditions.append(f"@supports {condition if condition.startswith('(') else f'({condition})'}")
        else:
            media.append(node)
    if media:
        conditions.append("@media " + " ".join(node.serialize() for node in media))
    return conditions
