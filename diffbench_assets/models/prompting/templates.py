"""Prompt templates of `prompts/`: rendering and their version.

Belongs here: finding, rendering and hashing Jinja2 templates. Does not belong here: what any prompt says
or which values go into it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

PROMPTS = Path(__file__).resolve().parents[2] / "prompts"


@cache
def _environment() -> Environment:
    # Plain text, not HTML: what hostile values need here is fencing, which the caller does.
    return Environment(
        loader=FileSystemLoader(PROMPTS),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
    )


def render(name: str, **values: object) -> str:
    """Text of template `name` (a path below `prompts/`). Raises jinja2.UndefinedError for a missing value."""
    return _environment().get_template(name).render(**values).strip()


def template_sha256(pattern: str) -> str:
    """Version of every template below `prompts/` that matches the glob `pattern`: SHA-256 of names and bytes.

    Raises FileNotFoundError when nothing matches.
    """
    paths = sorted(path for path in PROMPTS.glob(pattern) if path.is_file())
    if not paths:
        raise FileNotFoundError(f"no prompt template matches {PROMPTS / pattern}")
    digest = hashlib.sha256()
    for path in paths:
        body = path.read_bytes()
        digest.update(f"{path.relative_to(PROMPTS).as_posix()}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.hexdigest()
