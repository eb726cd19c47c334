"""The shell: commands over a small lake, and one line with exit code 2 for what the user can put right."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from diffbench_assets.browser.render import Renderer
from diffbench_assets.lake import Lake
from diffbench_assets.pairs.css.candidates import PageTask, Row, find_candidates
from diffbench_assets.pairs.css.pairs import draw_pairs
from diffbench_assets.schemas import PAGES, PAIRS
from diffbench_assets.suites import SUITES
from diffbench_assets.views import tables
from diffbench_assets_tests.small_pages import plain_page

ROOT = Path(__file__).parents[1]
SHELL = "from diffbench_assets.cli import main; main()"


def diffbench(*arguments: str, lake: Path | None = None, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command as a shell runs it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DIFFBENCH_LAKE": str(lake or cwd / "no-lake")}
    return subprocess.run(
        [sys.executable, "-c", SHELL, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=120
    )


def assert_one_line(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("diffbench: "), done.stderr
    for word in words:
        assert word in lines[0]


async def _pairs(pages: dict[str, Row]) -> list[Row]:
    async with Renderer() as renderer:
        found = []
        for name in ("rounded", "color"):
            task = PageTask(name, pages[name]["html"], "", (f"{name}.easy",))
            rows = (await find_candidates(renderer, [task], 0))[0].rows[f"{name}.easy"]
            found += (await draw_pairs(renderer, f"{name}.easy", rows, pages, 1)).rows
        return found + (await draw_pairs(renderer, "no_diff", [{"page_id": "color"}], pages, 1)).rows


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Row]]:
    """A lake of two pages and three pairs, and the rows of its pairs."""
    folder = tmp_path_factory.mktemp("lake")
    labels = {"source": "test", "domain": None, "style": None, "language": "en"}
    pages = {name: {"page_id": name, "html": plain_page(name), **labels} for name in ("rounded", "color")}
    pairs = asyncio.run(_pairs(pages))
    lake = Lake(str(folder))
    lake.write(PAGES, pages.values(), {"source": "test"}, fingerprint="made")
    for pair in pairs:
        lake.write(PAIRS.of("webdiff"), [pair], {"cell": pair["cell"]}, fingerprint="made")
    return folder, pairs


def test_columns_prints_every_column_with_its_sentence() -> None:
    done = diffbench("columns")
    assert done.returncode == 0
    for name, table in tables().items():
        assert f"\n{name}\n" in done.stdout
        for field in table.schema:
            assert field.metadata[b"description"].decode() in done.stdout
    single = diffbench("columns", "pairs").stdout
    assert "pair_id" in single and "missing_glyphs" not in single


def test_sql_runs_over_the_views(built: tuple[Path, list[Row]]) -> None:
    folder, pairs = built
    done = diffbench("sql", "SELECT cell, count(*) AS made FROM webdiff_pairs GROUP BY ALL ORDER BY ALL", lake=folder)
    assert done.returncode == 0, done.stderr
    for pair in pairs:
        assert pair["cell"] in done.stdout


def test_sql_runs_a_file(built: tuple[Path, list[Row]], tmp_path: Path) -> None:
    script = tmp_path / "count.sql"
    script.write_text("SELECT 40 + count(*) AS answer FROM webdiff_pairs")
    assert "43" in diffbench("sql", str(script), lake=built[0]).stdout


def test_show_writes_the_pair_side_by_side(built: tuple[Path, list[Row]], tmp_path: Path) -> None:
    folder, pairs = built
    target = tmp_path / "out" / "pair.png"
    done = diffbench("show", pairs[0]["pair_id"][:16], "--out", str(target), lake=folder)
    assert done.returncode == 0, done.stderr
    assert pairs[0]["description"] in done.stdout
    assert Image.open(io.BytesIO(target.read_bytes())).size == (2576, 840)


def test_verify_finds_no_difference_and_then_the_one_that_was_made(
    built: tuple[Path, list[Row]], tmp_path: Path
) -> None:
    folder, pairs = built
    done = diffbench("verify", lake=folder)
    assert done.returncode == 0, done.stderr
    assert "3 pairs verified, 0 differ" in done.stdout
    lake = Lake(str(tmp_path))
    lake.write(PAGES, Lake(str(folder)).iter_all(PAGES, PAGES.names), {"source": "test"}, fingerprint="made")
    lake.write(
        PAIRS.of("webdiff"),
        [{**pairs[0], "record": pairs[1]["record"]}],
        {"cell": pairs[0]["cell"]},
        fingerprint="made",
    )
    done = diffbench("verify", lake=tmp_path)
    assert done.returncode == 1
    assert pairs[0]["pair_id"] in done.stdout and "1 pairs verified, 1 differ" in done.stdout


def test_build_has_an_option_for_every_setting_of_a_suite() -> None:
    done = diffbench("build", "--help")
    for suite in SUITES.values():
        for kind in suite.settings.values():
            for name in kind.model_fields:
                assert f"--{name.replace('_', '-')} " in done.stdout


# What the user can put right


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("build", "--cells", "colour.easy"), ("no cell 'colour.easy'", "font_weight", "font_size")),
        (("build", "--cells", "color.huge"), ("no cell 'color.huge'", "easy", "hard")),
        (("build", "--suite", "nonsense"), ("no suite 'nonsense'", "webdiff, webdiff_mcq, lowlevel_mcq")),
        (("build", "--circular"), ("suite webdiff takes no --circular",)),
        (("build", "--suite", "webdiff_mcq", "--n", "3"), ("suite webdiff_mcq takes no --n",)),
        (("build", "--suite", "webdiff_mcq"), ("no webdiff/pairs yet", "diffbench build --suite webdiff`")),
        (("build", "--n", "many"), ("--n: ", "valid integer")),
        (("build", "--suite", "lowlevel_mcq", "--no-difference-share", "2"), ("--no-difference-share: ", "0.9")),
        (("build", "--source", "nowhere", "--cells", "color.easy", "--n", "1"), ("nowhere",)),
        (("columns", "nonsense"), ("nonsense", "pages, page_pool")),
        (("sql", "nonsense.sql"), ("there is no file nonsense.sql",)),
    ],
    ids=[
        "operator",
        "tier",
        "suite",
        "option of another suite",
        "option of the pairs",
        "pairs that are not built",
        "text for a number",
        "number out of range",
        "source",
        "table",
        "file",
    ],  # fmt: skip
)
def test_unknown_names_are_one_line_that_says_what_exists(
    arguments: tuple[str, ...], words: tuple[str, ...], tmp_path: Path
) -> None:
    assert_one_line(diffbench(*arguments, lake=tmp_path / "lake"), *words)


def test_a_missing_source_file_is_one_line(tmp_path: Path) -> None:
    done = diffbench("build", "--source", str(tmp_path / "no.parquet"), "--cells", "color.easy", lake=tmp_path / "lake")
    assert_one_line(done, "no.parquet")


def test_unknown_pairs_are_one_line(built: tuple[Path, list[Row]]) -> None:
    assert_one_line(diffbench("show", "webdiff-nothing", lake=built[0]), "'webdiff-nothing'", "0 pair ids")
    assert_one_line(diffbench("show", "webdiff-", lake=built[0]), "3 pair ids")
    assert_one_line(diffbench("verify", "webdiff-nothing", lake=built[0]), "webdiff-nothing")


def test_a_wrong_query_is_an_error_of_exit_code_2_without_a_traceback(built: tuple[Path, list[Row]]) -> None:
    done = diffbench("sql", "SELECT nonsense FROM webdiff_pairs", lake=built[0])
    assert done.returncode == 2
    assert done.stderr.startswith("diffbench: ") and "nonsense" in done.stderr and "Traceback" not in done.stderr


def test_an_empty_lake_says_what_to_run(tmp_path: Path) -> None:
    assert_one_line(diffbench("sql", "SELECT 1", lake=tmp_path), "diffbench build")
    assert_one_line(diffbench("show", "x", lake=tmp_path), "0 pair ids")
    assert_one_line(diffbench("verify", lake=tmp_path), "no pair")


def test_a_lake_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "page.html").write_text(plain_page("color"))
    arguments = (
        "build",
        "--source",
        str(tmp_path / "page.html"),
        "--cells",
        "color.easy",
        "--n",
        "1",
        "--no-diff",
        "0",
    )
    assert_one_line(diffbench(*arguments, lake=tmp_path / "file" / "lake"), "file/lake")


def test_a_browser_that_does_not_exist_is_one_line(
    built: tuple[Path, list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIFFBENCH_CHROMIUM", "/nowhere/chromium")
    assert_one_line(diffbench("verify", lake=built[0]), "DIFFBENCH_CHROMIUM", "/nowhere/chromium")
