"""What a page tells the Tailwind play CDN about its own theme, as CSS that is safe to compile.

Belongs here: `tailwind.config = {…}` scripts and `<style type="text/tailwindcss">`. Does not belong here: compiling
(`tailwind.py`). A page is hostile: nothing here runs its script, and nothing that makes the compiler open a file or
load a plug-in passes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import tinycss2
from tinycss2.ast import Node

_ALLOWED: Final = frozenset(
    {"theme", "layer", "utility", "media", "supports", "keyframes", "custom-variant", "variant", "apply", "property"}
)
_FORBIDDEN = re.compile(r"@(?:import|plugin|config|source|reference|tailwind|charset|use)\b|url\(|\\", re.IGNORECASE)
_MAX_CSS: Final = 100_000


def safe_css(text: str) -> str:
    """The rules of a `text/tailwindcss` style element that may be compiled; the others are left out."""
    if len(text) > _MAX_CSS:
        return ""
    parts: list[str] = []
    for node in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
        allowed = node.type == "qualified-rule" or (node.type == "at-rule" and node.lower_at_keyword in _ALLOWED)
        if allowed and not _has_error(node):
            css = node.serialize()
            if not _FORBIDDEN.search(css):
                parts.append(css)
    return "\n".join(parts)


def _has_error(node: Node) -> bool:
    pending = [*(node.prelude or ()), *(node.content or ())]
    while pending:
        part = pending.pop()
        if part.type == "error":
            return True
        pending.extend(getattr(part, "content", None) or getattr(part, "arguments", None) or ())
    return False


_CONFIG = re.compile(r"tailwind\.config\s*=\s*")
_JS_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<name>[A-Za-z_$][\w$]*)"""
    r"""|(?P<number>-?\d+(?:\.\d+)?)|(?P<mark>[{}\[\]:,])|(?P<space>\s+)|(?P<other>.)""",
    re.DOTALL,
)
_THEME_NAMESPACES: Final = {
    "colors": "color", "fontFamily": "font", "borderRadius": "radius", "spacing": "spacing", "boxShadow": "shadow",
    "fontSize": "text", "maxWidth": "container", "letterSpacing": "tracking", "lineHeight": "leading",
}  # fmt: skip
_SAFE_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,60}")
_SAFE_VALUE = re.compile(r"[^{};\\@<>]{1,200}")


def theme_from_script(script: str) -> str:
    """The `@theme` block that a `tailwind.config = {…}` script amounts to, empty when it holds no plain data.

    Only an object literal is read, as data; what needs JavaScript (plug-ins, functions) cannot be honoured.
    """
    match = _CONFIG.search(script)
    config = _object_literal(script[match.end() :]) if match else None
    if not isinstance(config, dict) or not isinstance(config.get("theme"), dict):
        return ""
    theme = config["theme"]
    extend = theme.get("extend")
    merged = {**theme, **(extend if isinstance(extend, dict) else {})}
    lines = [
        f"--{namespace}-{name}:{value}"
        for key, namespace in _THEME_NAMESPACES.items()
        for name, value in _variables(merged.get(key), "")
        if "url(" not in value.lower()
    ]
    return f"@theme{{{';'.join(lines)}}}" if lines else ""


def _variables(value: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            key = key.replace(".", "_")
            if _SAFE_NAME.fullmatch(key) and name.count("-") < 6:
                yield from _variables(inner, name if key == "DEFAULT" else f"{name}-{key}".lstrip("-"))
    elif isinstance(value, list) and all(isinstance(part, str) for part in value):
        yield from _variables(",".join(_family(part) for part in value), name)
    elif isinstance(value, str | int | float) and name and _SAFE_VALUE.fullmatch(str(value)):
        yield name, str(value)


def _family(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+|\"[^\"]*\"|'[^']*'", name) else json.dumps(name, ensure_ascii=False)


def _object_literal(text: str) -> Any:
    parts: list[str] = []
    depth = 0
    for match in _JS_TOKEN.finditer(text):
        kind, piece = match.lastgroup, match[0]
        if kind in ("comment", "space"):
            continue
        if kind == "other":
            return None
        if kind == "string":
            inner = re.sub(r"\\(['\"\\])", r"\1", piece[1:-1])
            piece = json.dumps(inner)
        elif kind == "name":
            piece = piece if piece in ("true", "false", "null") else json.dumps(piece)
        elif kind == "mark":
            depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(piece, 0)
            if piece in "}]" and parts and parts[-1] == ",":
                parts.pop()
        elif kind == "number" and parts and parts[-1] in ("{", ","):
            piece = json.dumps(piece)
        parts.append(piece)
        if depth == 0:
            break
    # Numbers that are list items were quoted above like keys; they are text for CSS anyway.
    try:
        return json.loads("".join(parts))
    except (json.JSONDecodeError, RecursionError):
        return None
