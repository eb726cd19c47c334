"""A change of code makes stale what the code decides, without a version bumped by hand, and nothing else."""

from __future__ import annotations

import ast
import shutil
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diffbench_assets import assets, versions
from diffbench_assets.assets.ranged import Declaration
from diffbench_assets_tests.assets.test_stale import World, declarations, matching, same_machine, stale

__all__ = ["same_machine"]

LONGEST = 25
INSTRUMENTS = (
    # What reads, keeps, asks or shows; what is in a table is decided elsewhere.
    "assets", "resources", "partitions", "lake", "schemas", "versions", "errors", "bars", "models", "pages.sources",
    "corpus.net", "pairs.preview",
    # What these choose is an input itself.
    "pairs.css.sampling", "pairs.pair_set", "corpus.labels.llm",
)  # fmt: skip


def forget() -> None:
    for cached in (
        versions.code_sha256,
        versions._tree,
        versions._imports,
        versions._module_sha256,
        versions._data_sha256,
    ):
        cached.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the package that may be edited."""
    copy = tmp_path / "copy" / "diffbench_assets"
    shutil.copytree(versions.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "prompts", "sql"))
    monkeypatch.setattr(versions, "PACKAGE", copy)
    forget()
    yield copy
    forget()


def append(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(path.read_text() + text)


def insert(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text + path.read_text())


READ = ["pages files", "pages generator", "pages scenes"]
EDIT = append("\nEDITED = 1\n")
PAIRS, CRAWL = ["webdiff/pairs *", "lowlevel_mcq/pairs *"], ["crawled *", "self_contained *"]
CHANGES: dict[str, tuple[str, Callable[[Path], object], list[str]]] = {
    "the gate": ("browser/gate.py", EDIT, ["pages files", "self_contained *", "webdiff/candidates *", *PAIRS]),
    "the walk over candidates": ("pairs/css/candidates.py", EDIT, ["webdiff/candidates *"]),
    "how pairs are drawn": ("pairs/css/pairs.py", EDIT, ["webdiff/pairs *"]),
    "one family of operators": (
        "pairs/css/operators/color.py",
        EDIT,
        ["webdiff/* color.*", "lowlevel_mcq/pairs *"],
    ),
    "another family": ("pairs/css/operators/typography.py", EDIT, ["lowlevel_mcq/pairs *"]),
    "one ladder": (
        "pages/ladders.py",
        lambda path: path.write_text(
            path.read_text().replace('("lg", "8px"), ("xl", "12px")', '("lg", "8px"), ("xl", "13px")')
        ),
        [*READ, "crawled *", "lowlevel_mcq/pairs *"],
    ),
    "the generator": ("pages/generator/themes.py", EDIT, ["pages generator", "self_contained *"]),
    "how a model is asked": ("models/retry.py", EDIT, ["realness_scores *", "sites *", "crawled *"]),
    "a pixel transform": ("pairs/transforms/noise.py", EDIT, ["lowlevel_mcq/pairs *"]),
    "CLIP": ("embedding.py", EDIT, ["webdiff/pairs *"]),
    "ingestion": ("pages/ingest.py", EDIT, ["pages files"]),
    "the pool": ("pages/pool.py", EDIT, ["page_pool"]),
    "the sample": ("corpus/sampling.py", EDIT, ["sampled *"]),
    "lists of hosts": ("corpus/domains.py", EDIT, ["domains *", "crawl_funnel *"]),
    "sitemaps": ("corpus/sitemaps/parse.py", EDIT, ["sites *"]),
    "a visit": ("corpus/crawl/visit.py", EDIT, ["crawled *"]),
    "near duplicates": ("corpus/near_duplicates.py", EDIT, ["unique_pages *"]),
    "numbers of the audit": ("statistics/realness.py", EDIT, ["realness *"]),
    "a judge's rules": ("protocols/open_ended/rules/judge.py", EDIT, []),
    "a report": ("corpus/report/build.py", EDIT, []),
    "the lake": ("lake.py", EDIT, []),
    "an asset": ("assets/webdiff.py", EDIT, []),
    "a script of the page": ("browser/page.js", append("\n// edited"), [*READ, "webdiff/*", *PAIRS, *CRAWL]),
    "a comment": ("browser/gate.py", append("\n# Nothing else.\n"), []),
    "a docstring": (
        "browser/gate.py",
        lambda path: path.write_text(path.read_text().replace('"""', '"""Now: ', 1)),
        [],
    ),
    "layout": ("browser/gate.py", append("\n\n\n"), []),
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_edit_makes_exactly_what_it_decides_stale(name: str, package: Path, tmp_path: Path) -> None:
    file, edit, expected = CHANGES[name]
    world = World(tmp_path)
    before = world.fingerprints()
    edit(package / file)
    forget()
    after = world.fingerprints()
    assert stale(before, after) == matching(before, expected)


def test_the_hash_is_of_the_code_and_not_of_where_it_lies(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = versions.code_sha256("pairs.css.candidates")
    monkeypatch.undo()
    forget()
    assert versions.code_sha256("pairs.css.candidates") == elsewhere


def test_a_module_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"has no module pairs\.css\.gone"):
        versions.code_sha256("pairs.css.gone")


def test_the_code_of_an_asset_holds_every_module_that_its_maker_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()
    original = versions._reached

    def watched(modules: tuple[str, ...], but: frozenset[str]) -> set[str]:
        asked.update(original(modules, frozenset()))
        return original(modules, but)

    monkeypatch.setattr(versions, "_reached", watched)
    world = World(tmp_path)
    world.settings("webdiff", polish_with="one")
    for side in ("before", "after"):
        (tmp_path / f"x-{side}.png").write_bytes((tmp_path / "x.png").read_bytes())
    world.settings("lowlevel", edit_with="one", propose_with="one", image_pairs=[str(tmp_path)])
    world.settings("lowlevel", describe_with="one", check_with="two")
    world.spec("web", way="regenerate", regenerate_with="one", label_with="one")
    lacking = {}
    for name, declaration in declarations().items():
        asked.clear()
        forget()
        if world.fingerprints(only=name):
            missing = {module for module in named(declaration) if not module.startswith(INSTRUMENTS)} - asked
            lacking |= {name: missing} if missing else {}
    assert not lacking


def named(declaration: Declaration) -> set[str]:
    """Modules of the package that a maker names, itself or through other functions of its own module."""
    found: set[str] = set()
    seen: set[types.CodeType] = set()

    def look(code: types.CodeType, globals_: dict[str, object], own: str) -> None:
        if code in seen:
            return
        seen.add(code)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                look(constant, globals_, own)
        for name in code.co_names:
            value = globals_.get(name)
            module = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
            if name.startswith(versions.PACKAGE.name + "."):
                found.add(name)
            elif module == own and isinstance(value, types.FunctionType):
                look(value.__code__, globals_, own)
            elif module and module.startswith(versions.PACKAGE.name):
                found.add(module)

    make = declaration.make
    look(make.__code__, make.__globals__, make.__module__)  # type: ignore[attr-defined]
    return {module.partition(".")[2] for module in found}


def test_no_function_of_an_asset_is_long() -> None:
    long = {}
    for file in sorted(Path(assets.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = [item for item in ast.walk(node) if isinstance(item, ast.FunctionDef) and item is not node]
                lines = (node.end_lineno or 0) - node.lineno + 1
                lines -= sum((item.end_lineno or 0) - item.lineno + 1 for item in inner)
                if lines > LONGEST:
                    long[f"{file.name}: {node.name}"] = lines
    assert not long
