"""What a partition was made from, in one hash: its inputs, and the code that decides what is in it.

Belongs here: hashing. Does not belong here: which inputs and which code an asset has (`assets/`).
"""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Final

PACKAGE: Final = Path(__file__).resolve().parent
STORAGE: Final = frozenset({"lake", "schemas", "durable", "errors", "versions", "bars"})
"""Modules that keep or count rows and decide none of them. A table's own columns are part of its fingerprint."""


def fingerprint(**inputs: Any) -> str:
    """Hash of everything a partition is made from."""
    return hashlib.sha256(json.dumps(inputs, sort_keys=True, default=str).encode()).hexdigest()


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def code_of(*things: Any) -> str:
    """Hash of the code of functions and classes: their modules, and all modules of this package that these import."""
    modules = sorted({thing.__module__ for thing in things})
    ours = [module.partition(".")[2] for module in modules if _is_ours(module)]
    others = [file_sha256(Path(str(sys.modules[module].__file__))) for module in modules if not _is_ours(module)]
    return fingerprint(ours=code_sha256(*ours), others=others)


def bound(value: Any) -> Any:
    """A function of a table's row as data: its name, and the values that it was built with."""
    if not callable(value):
        return repr(value)
    cells = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
    return [value.__module__, value.__qualname__, [bound(cell) for cell in cells]]


@cache
def code_sha256(*modules: str, but: frozenset[str] = frozenset()) -> str:
    """Hash of what `modules` do, and all modules of this package that they import, directly or not.

    Modules are named inside the package: `pairs.css.candidates`; those that a pattern of `but` fits are left out, with
    what only they import, because they decide nothing here or are inputs of their own. Files of other kinds beside them
    (scripts, templates, words) count as they are; comments, docstrings and layout of code do not. Raises
    ModuleNotFoundError.
    """
    reached = sorted(_reached(modules, but))
    folders = sorted({_file(module).parent for module in reached} - {PACKAGE})
    hashes = [_module_sha256(module) for module in reached]
    return fingerprint(code=hashes, data=[_data_sha256(folder) for folder in folders])


def _reached(modules: Iterable[str], but: frozenset[str]) -> set[str]:
    reached: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in reached and not any(fnmatchcase(module, pattern) for pattern in but):
            reached.add(module)
            waiting += _imports(module)
    return reached


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_file(module).read_bytes())


@cache
def _imports(module: str) -> frozenset[str]:
    """Modules of the package that a module imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[2] for alias in node.names if _is_ours(alias.name)}
        elif isinstance(node, ast.ImportFrom) and (node.level or _is_ours(node.module or "")):
            source = _source(node, module)
            names = [".".join(part for part in (source, alias.name) if part) for alias in node.names]
            found |= {name if _exists(name) else source for name in names}
    return frozenset(found - STORAGE - {""})


def _source(node: ast.ImportFrom, module: str) -> str:
    """The module inside the package that names are imported from; empty for the package itself."""
    if not node.level:
        return (node.module or "").partition(".")[2]
    parts = (*module.split("."), "") if _file(module).name == "__init__.py" else module.split(".")
    return ".".join([*parts[: -node.level], *filter(None, [node.module])])


def _is_ours(name: str) -> bool:
    return name.split(".")[0] == PACKAGE.name


def _exists(module: str) -> bool:
    return any(path.exists() for path in _places(module))


def _file(module: str) -> Path:
    found = [path for path in _places(module) if path.exists()]
    if not found:
        raise ModuleNotFoundError(f"{PACKAGE.name} has no module {module}")
    return found[0]


def _places(module: str) -> tuple[Path, Path]:
    path = PACKAGE.joinpath(*module.split("."))
    return path.with_suffix(".py"), path / "__init__.py"


@cache
def _module_sha256(module: str) -> str:
    return hashlib.sha256("\n".join(_shape(_tree(module))).encode("utf-8", "surrogatepass")).hexdigest()


def _shape(node: ast.AST) -> Iterator[str]:
    """What a piece of code does, without its docstrings; the same in every version of Python that reads it."""
    yield type(node).__name__
    for name, value in ast.iter_fields(node):
        values = value if isinstance(value, list) else [value]
        for item in values:
            if isinstance(item, ast.AST):
                if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)):
                    yield from _shape(item)
            elif item is not None and name not in ("kind", "type_comment"):
                yield f"{name}={item!r}"
    yield "."


@cache
def _data_sha256(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in (".py", ".pyc") and not _has_modules(path.parent, folder):
            digest.update(f"{path.relative_to(folder).as_posix()}\n".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _has_modules(folder: Path, below: Path) -> bool:
    """Whether modules lie between a file and the folder whose data it may be: it is theirs, then."""
    return any(next(parent.glob("*.py"), None) for parent in (folder, *folder.parents) if below in parent.parents)
