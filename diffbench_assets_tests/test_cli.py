"""The shell: commands over a small lake, and one line with exit code 2 for what the user can put right."""

from __future__ import annotations

import asyncio
import csv
import gc
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from dagster import asset, materialize
from PIL import Image

from diffbench_assets import __version__
from diffbench_assets.browser.render import Renderer
from diffbench_assets.cli import main
from diffbench_assets.cli.build import _stages
from diffbench_assets.cli.common import registry
from diffbench_assets.durable import Log, write_bytes
from diffbench_assets.errors import UserError
from diffbench_assets.graph import definitions_of
from diffbench_assets.lake import Lake
from diffbench_assets.pairs.css.candidates import PageTask, Row, find_candidates
from diffbench_assets.pairs.css.pairs import draw_pairs
from diffbench_assets.resources.build import settings_of
from diffbench_assets.schemas import PAGES, PAIRS, RESPONSES
from diffbench_assets.suites import SUITES
from diffbench_assets.views import connect, tables
from diffbench_assets_tests.models.chat_server import ChatServer, completion, error
from diffbench_assets_tests.small_pages import plain_page
from diffbench_assets_tests.test_durable import disk_of

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


@pytest.fixture
def copied(built: tuple[Path, list[Row]], tmp_path: Path) -> Path:
    """A lake of its own, with the pairs of `built`."""
    return Path(shutil.copytree(built[0], tmp_path / "lake"))


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


@pytest.mark.parametrize("replaced", [True, False], ids=["replaced", "as it was"])
def test_sql_begins_again_when_a_file_was_replaced_meanwhile(
    copied: Path, replaced: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    connects = []

    def broken_once(lake: Lake, suites: Any) -> Any:
        connects.append(lake)
        if len(connects) > 1:
            return connect(lake, suites)
        if replaced:
            path = Path(lake.files(PAGES)[0])
            write_bytes(path, path.read_bytes())
        raise duckdb.IOException("the file is not what it was")

    monkeypatch.setattr("diffbench_assets.views.connect", broken_once)
    monkeypatch.setenv("DIFFBENCH_LAKE", str(copied))
    with pytest.raises(SystemExit) as ended:
        main(["sql", "SELECT 40 + count(*) AS answer FROM webdiff_pairs"])
    said = capsys.readouterr()
    assert (ended.value.code, len(connects)) == ((0, 2) if replaced else (2, 1))
    assert "43" in said.out if replaced else "not what it was" in said.err


def test_sql_runs_a_file(built: tuple[Path, list[Row]], tmp_path: Path) -> None:
    script = tmp_path / "count.sql"
    script.write_text("SELECT 40 + count(*) AS answer FROM webdiff_pairs")
    assert "43" in diffbench("sql", str(script), lake=built[0]).stdout


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_query_gives_its_rows_to_other_programs(built: tuple[Path, list[Row]], form: str) -> None:
    query = "SELECT pair_id, differences, description FROM webdiff_pairs ORDER BY ALL"
    done = diffbench("sql", query, "--format", form, lake=built[0])
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout) if form == "json" else list(csv.DictReader(io.StringIO(done.stdout)))
    wanted = sorted(built[1], key=lambda pair: pair["pair_id"])
    assert [(row["pair_id"], row["description"]) for row in read] == [
        (pair["pair_id"], pair["description"]) for pair in wanted
    ]


def test_columns_knows_the_views_and_the_tables_of_suites() -> None:
    done = diffbench("columns", "scored")
    assert done.stdout.startswith("\nscored   A row for each model, judge and pair")
    assert "success" in done.stdout and "The cluster" not in done.stdout
    of_suite, of_protocol = (diffbench("columns", f"{name}_verdicts") for name in ("lowlevel_mcq", "multiple_choice"))
    assert of_suite.stdout == of_protocol.stdout


def test_names_of_options_are_whole_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = diffbench("build", "--help").stdout
    assert "--no-difference-share <" in shown and "--false-statements-by <" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_version_is_that_of_the_package() -> None:
    assert diffbench("--version").stdout == f"diffbench-assets {__version__}\n"


def test_list_prints_the_pairs_of_cells_or_with_a_word(built: tuple[Path, list[Row]]) -> None:
    folder, pairs = built
    ids = {pair["pair_id"]: pair for pair in pairs}
    assert {line.split()[0] for line in diffbench("list", lake=folder).stdout.splitlines()} == {*ids}
    (one,) = diffbench("list", "--cells", "rounded", lake=folder).stdout.splitlines()
    assert ids[one.split()[0]]["cell"] == "rounded.easy"
    words = pairs[0]["description"].upper()
    (pair,) = json.loads(diffbench("list", "--containing", words, "--format", "json", lake=folder).stdout)
    assert pair["pair_id"] == pairs[0]["pair_id"]
    assert_one_line(diffbench("list", "--containing", "no such word", lake=folder), "no such pair")


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
        (("build", "--source", "nowhere.html", "--cells", "color.easy"), ("no file and no source 'nowhere.html'",)),
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
        "file of pages",
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


def test_a_demo_says_how_long_each_stage_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stages = _stages(("pairs", 150), ("questions", 15))
    next(stages)
    assert capsys.readouterr().out.endswith("1/2  pairs (about 2 min)\n")
    next(stages)
    assert capsys.readouterr().out == "\n2/2  questions (about 15 s)\n"


def test_a_short_cell_says_how_many_pages_would_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIFFBENCH_CLIP_WEIGHTS", "none")
    site = tmp_path / "site"
    site.mkdir()
    (site / "page.html").write_text(plain_page("color"))
    arguments = ("--source", str(site), "--cells", "color", "--n", "2", "--no-diff", "0")
    done = diffbench("build", *arguments, lake=tmp_path / "lake")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("short") == 3
    assert "about 1 pages more than these 1 would probably do" in done.stdout


# What came of asking and judging


def test_asking_and_judging_say_what_came_of_them(copied: Path, tmp_path: Path) -> None:
    arguments = ("--suite", "webdiff", "--model", "always_no_diff")
    assert "always_no_diff           3 completed" in diffbench("eval", *arguments, lake=copied).stdout
    done = diffbench("judge", *arguments, "--judge", "rules", lake=copied)
    assert done.returncode == 0 and "3 of 3 answers judged" in done.stdout
    for command in (("eval",), ("judge", "--judge", "rules")):
        quiet = diffbench(*command, *arguments, "--quiet", lake=copied)
        assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


@contextmanager
def _judging(folder: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> Iterator[None]:
    """A model that answers and a judge that replies `said`, in the registries."""
    with ChatServer(lambda asked: completion(said)) as server:
        _registry(monkeypatch, folder, f"- {{id: asked, endpoint: '{server.url}'}}\n")
        (folder / "judges.yaml").write_text(f"judges:\n- {{id: strict, endpoint: '{server.url}'}}\n")
        monkeypatch.setenv("DIFFBENCH_JUDGES", str(folder / "judges.yaml"))
        yield


def test_a_judge_that_judges_nothing_is_a_failure_with_its_reasons(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _judging(tmp_path, monkeypatch, "I would rather not say."):
        assert diffbench("eval", "--suite", "webdiff", lake=copied).returncode == 0
        done = diffbench("judge", "--suite", "webdiff", lake=copied)
    assert done.returncode == 1
    assert "0 of 3 answers judged (3 × " in done.stdout
    assert done.stderr.strip() == "strict gave no verdict on any answer of asked in webdiff"


def test_calls_that_fail_are_counted_with_their_reasons(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer(lambda asked: error(401, "who are you?")) as server:
        _registry(monkeypatch, tmp_path, f"- {{id: asked, endpoint: '{server.url}'}}\n")
        done = diffbench("eval", "--suite", "webdiff", "--model", "asked", lake=copied)
    assert (
        done.returncode == 2
        and "1 error (1 × HTTP 401: who are you?)" in done.stdout
        and "models check asked" in done.stderr
    )


def test_an_estimate_counts_what_is_not_answered_yet_and_asks_nothing(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer(lambda asked: completion("No difference.")) as server:
        price = "usd_per_million_tokens: {input: 1000, output: 2000}"
        _registry(monkeypatch, tmp_path, f"- {{id: asked, endpoint: '{server.url}', {price}}}\n")
        before = diffbench("eval", "--suite", "webdiff", "--estimate", lake=copied).stdout
        assert "3 of 3 calls left" in before and not server.log
        diffbench("eval", "--suite", "webdiff", "--cells", "color.easy", lake=copied)
        after = diffbench("eval", "--suite", "webdiff", "--estimate", lake=copied).stdout
        assert "2 of 3 calls left" in after and len(server.log) == 1
    (tokens,) = (int(found.replace(",", "")) for found in re.findall(r"about ([\d,]+) input tokens", before))
    assert f"${(1000 * tokens + 3 * 2000 * 500) / 1e6:.2f}" in before


def test_one_command_asks_judges_and_reports(copied: Path) -> None:
    done = diffbench("run", "--suite", "webdiff", "--model", "always_no_diff", "--judge", "rules", lake=copied)
    assert done.returncode == 0, done.stderr
    assert "3 completed" in done.stdout and "3 of 3 answers judged" in done.stdout and "33.3 %" in done.stdout
    board = diffbench("report", "--suite", "webdiff", "--format", "json", lake=copied)
    (row,) = json.loads(board.stdout)
    assert (row["suite"], row["model"], row["accuracy"]) == ("webdiff", "always_no_diff", pytest.approx(1 / 3))
    board = diffbench("report", "--suite", "webdiff", "--format", "csv", lake=copied)
    (row,) = csv.DictReader(io.StringIO(board.stdout))
    assert row["model"] == "always_no_diff"
    overview = diffbench("open", "--no-browser", lake=copied).stdout.strip()
    assert "webdiff/report.html" in Path(overview).read_text()


# What the lake remembers


def test_what_a_build_was_asked_for_holds_for_runs_that_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = Lake(str(tmp_path))
    lake.remember("webdiff", ["color.easy"], {"webdiff": {"n": 2, "no_diff": 10, "gone": 1}})
    lake.remember("webdiff", ["color.hard"], {"webdiff": {"n": 3, "no_diff": 10}})
    assert lake.asked.cells == {"webdiff": ["color.easy", "color.hard"]}

    @asset(required_resource_keys={"settings"})
    def sizes(context):  # type: ignore[no-untyped-def]
        of = context.resources.settings.of(SUITES["webdiff"].pair_set)
        return of.n, of.no_diff, of.seed

    def found(**config: Any) -> tuple[int, int, int]:
        settings = settings_of(SUITES.values(), lake.asked.settings)
        said = {"resources": {"settings": {"config": config}}} if config else None
        done = materialize([sizes], resources={"settings": settings}, run_config=said)
        return done.output_for_node("sizes")  # type: ignore[no-any-return]

    assert found() == (3, 10, 0)
    assert found(webdiff={"n": 7}) == (7, 10, 0)
    monkeypatch.setenv("DIFFBENCH_N", "5")
    assert found() == (5, 10, 0)
    monkeypatch.setenv("DIFFBENCH_N", "many")
    with pytest.raises(UserError, match="DIFFBENCH_N: .*integer.* 'many'"):
        settings_of(SUITES.values())


# What goes wrong inside a step


ASKED = "- {id: asked, endpoint: http://127.0.0.1:%d/v1%s}\n"


def _registry(monkeypatch: pytest.MonkeyPatch, folder: Path, entry: str) -> None:
    (folder / "models.yaml").write_text(f"models:\n{entry}")
    monkeypatch.setenv("DIFFBENCH_MODELS", str(folder / "models.yaml"))


def test_the_lake_that_the_option_names_is_the_one_that_is_used(copied: Path, tmp_path: Path) -> None:
    arguments = ("eval", "--suite", "webdiff", "--model", "always_no_diff", "--lake", str(copied))
    done = diffbench(*arguments, lake=tmp_path / "another")
    assert done.returncode == 0, done.stderr
    assert Lake(str(copied)).files(RESPONSES.of("webdiff")) and not (tmp_path / "another").exists()


def test_a_key_that_is_not_set_is_one_line(copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _registry(monkeypatch, tmp_path, ASKED % (9, ", api_key_env: NO_SUCH_KEY"))
    assert_one_line(
        diffbench("eval", "--suite", "webdiff", "--model", "asked", lake=copied), "NO_SUCH_KEY", "is not set"
    )


def test_a_budget_without_a_price_is_one_line(copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _registry(monkeypatch, tmp_path, ASKED % (9, ""))
    done = diffbench("eval", "--model", "asked", "--budget-usd", "5", lake=copied)
    assert_one_line(done, "price of asked", "usd_per_million_tokens", "--budget-calls")


@pytest.mark.parametrize("variable", ["DIFFBENCH_MODELS", "DIFFBENCH_JUDGES"])
def test_a_registry_that_is_not_there_is_one_line(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "/nowhere/registry.yaml")
    assert_one_line(diffbench("models"), "/nowhere/registry.yaml", "cannot be read")


def test_a_journal_that_another_run_holds_is_one_line(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _registry(monkeypatch, tmp_path, ASKED % (9, ""))
    with Log(copied / "journals" / "webdiff" / "asked.jsonl"):
        done = diffbench("eval", "--suite", "webdiff", "--model", "asked", lake=copied)
    assert_one_line(done, "asked.jsonl", "another run is using it")


def test_a_full_disk_is_one_line(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    with disk_of(500):
        done = diffbench("eval", "--suite", "webdiff", "--model", "always_no_diff", lake=copied)
    assert_one_line(done, "webdiff/responses/", "File too large")


def test_a_path_of_the_corpus_that_is_not_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "corpus.yaml").write_text("sources:\n- {name: mine, kind: html, path: gone/}\n")
    monkeypatch.setenv("DIFFBENCH_CORPUS", str(tmp_path / "corpus.yaml"))
    assert_one_line(diffbench("build", "--source", "mine", lake=tmp_path / "lake"), "source mine", "gone")


def test_a_browser_that_a_build_cannot_start_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html").write_text(plain_page("color"))
    monkeypatch.setenv("DIFFBENCH_CHROMIUM", "/nowhere/chromium")
    done = diffbench("build", "--source", str(tmp_path / "page.html"), lake=tmp_path / "lake")
    *bars, said = done.stderr.strip().splitlines()
    assert done.returncode == 2 and said.startswith("diffbench: pages: DIFFBENCH_CHROMIUM names '/nowhere/chromium'")
    assert all(bar.startswith("pages page: 0") for bar in bars if bar)


def test_a_full_disk_below_the_home_of_dagster_is_one_line(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dagster.yaml").touch()
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    with disk_of(500):
        assert_one_line(diffbench("report", lake=copied), "DAGSTER_HOME", str(tmp_path))


@pytest.mark.parametrize("home", ["relative", "/nowhere/home"])
def test_a_home_of_dagster_that_cannot_be_used_is_one_line(
    copied: Path, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", home)
    assert_one_line(diffbench("report", lake=copied), "DAGSTER_HOME", home)


@pytest.mark.parametrize("command", [("eval", "--model", "always_no_diff"), ("verify",), ("show", "webdiff")])
def test_a_damaged_footer_names_the_file(copied: Path, command: tuple[str, ...]) -> None:
    path = Path(Lake(str(copied)).files(PAIRS.of("webdiff"))[0])
    path.write_bytes(path.read_bytes()[:-4] + b"0000")
    assert_one_line(diffbench(*command, lake=copied), str(path), "damaged")


def test_damaged_answers_are_named_by_judge_and_asked_again_by_eval(copied: Path) -> None:
    arguments = ("--suite", "webdiff", "--model", "always_no_diff")
    assert diffbench("eval", *arguments, lake=copied).returncode == 0
    path = Path(Lake(str(copied)).files(RESPONSES.of("webdiff"))[0])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert_one_line(diffbench("judge", *arguments, "--judge", "rules", lake=copied), str(path), "damaged")
    done = diffbench("eval", *arguments, lake=copied)
    assert done.returncode == 0 and f"{path} is damaged" in done.stderr
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "damage", [b"", b"no picture", lambda png: png[:200], lambda png: png[:60] + b"0" * 60 + png[120:]]
)
def test_verify_names_the_pair_whose_image_is_damaged(
    built: tuple[Path, list[Row]], copied: Path, damage: bytes | Callable[[bytes], bytes]
) -> None:
    pair = built[1][0]
    image = pair["image_after"]["bytes"]
    broken = {**pair, "image_after": {"bytes": damage(image) if callable(damage) else damage, "path": "x.png"}}
    Lake(str(copied)).write(PAIRS.of("webdiff"), [broken], {"cell": pair["cell"]}, fingerprint="made")
    done = diffbench("verify", lake=copied)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"{pair['pair_id']} {pair['cell']}: an image that is stored cannot be read" in done.stdout
    assert "3 pairs verified, 1 differ" in done.stdout


def test_an_interrupt_ends_a_run_with_status_130_and_no_stack(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        _registry(monkeypatch, tmp_path, ASKED % (server.getsockname()[1], ""))
        command = [sys.executable, "-c", SHELL, "eval", "--suite", "webdiff", "--model", "asked"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "DIFFBENCH_LAKE": str(copied)}
        with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as running:
            connection, _ = server.accept()
            running.send_signal(signal.SIGINT)
            said = running.communicate(timeout=60)[1]
            connection.close()
    assert running.returncode == 130, said
    assert "Traceback" not in said and "Interrupt" not in said


def test_a_bug_in_a_step_is_told_with_its_stack(copied: Path) -> None:
    broken = (
        "from diffbench_assets.protocols import asking\n"
        "def ask(*arguments): raise RuntimeError('a bug')\n"
        f"asking.ask = ask\n{SHELL}"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DIFFBENCH_LAKE": str(copied)}
    command = [sys.executable, "-c", broken, "eval", "--suite", "webdiff", "--model", "always_no_diff"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2 and "in ask" in done.stderr
    assert done.stderr.strip().splitlines()[-1] == "diffbench: webdiff/responses: RuntimeError: a bug"


def test_a_registry_leaves_no_instance_to_the_garbage_collector(caplog: pytest.LogCaptureFixture) -> None:
    definitions_of(SUITES.values())
    registry()
    gc.collect()
    assert not [record for record in caplog.records if record.name.startswith("sqlalchemy")]


# Sources of a lake


def _build(page: Path, lake: Path, *more: str) -> subprocess.CompletedProcess[str]:
    arguments = ("--source", str(page), "--cells", "color.easy", "--n", "1", "--no-diff", "0", *more)
    return diffbench("build", *arguments, lake=lake)


def test_a_lake_takes_pages_of_no_other_sources_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIFFBENCH_CLIP_WEIGHTS", "none")
    lake, mine, other = tmp_path / "lake", tmp_path / "mine", tmp_path / "other"
    for folder in (mine, other, tmp_path / "elsewhere" / "mine"):
        folder.mkdir(parents=True)
        (folder / "page.html").write_text(plain_page("color").replace("<body", f"<body title='{folder.name}'"))
    assert _build(mine, lake).returncode == 0
    made = {path: path.read_bytes() for path in lake.rglob("*.parquet")}

    assert_one_line(_build(other, lake), "holds pages of mine", "--lake", "--source")
    assert_one_line(_build(tmp_path / "elsewhere" / "mine", lake), "source mine of", str(mine), "--lake")
    assert_one_line(diffbench("build", "--cells", "color.easy", lake=lake), "holds pages of mine")
    assert {path: path.read_bytes() for path in lake.rglob("*.parquet")} == made

    assert _build(mine, lake).returncode == 0
    assert {path: path.read_bytes() for path in lake.rglob("*.parquet")} == made
    assert _build(mine, lake, "--source", str(other)).returncode == 0
    assert {row["source"] for row in Lake(str(lake)).iter_all(PAGES, ["source"])} == {"mine", "other"}
