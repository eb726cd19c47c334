"""Files that appear whole or not at all.

Belongs here: writing bytes and removing what an earlier report left. Does not belong here: what is in the files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from diffbench_assets.durable import write_bytes


def write(path: Path, content: bytes | str) -> Path:
    """Write `content` (text as UTF-8) whole or not at all."""
    write_bytes(path, content.encode() if isinstance(content, str) else content)
    return path


def prune(folder: Path, pattern: str, kept: Iterable[Path]) -> None:
    """Remove the files of `folder` whose whole name matches `pattern` and that are not `kept`: an earlier report's."""
    keep = {path.name for path in kept}
    for path in folder.iterdir() if folder.is_dir() else ():
        if re.fullmatch(pattern, path.name) and path.name not in keep:
            path.unlink()


def slug(name: str) -> str:
    """`name` as part of a file name: unchanged where it is safe, else cleaned and told apart by a hash."""
    if re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}", name):
        return name
    clean = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:80]
    return f"{clean}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"
