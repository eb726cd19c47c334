"""A protocol made of one folder runs through the whole graph, the shell and the report; nothing else names it."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import diffbench_assets
from diffbench_assets.cli import main
from diffbench_assets.conformance import violations
from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.protocols.together import write_side_by_side
from diffbench_assets.schemas import RESPONSES
from diffbench_assets.suites import SUITES
from diffbench_assets.views import connect
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion
from diffbench_assets_tests.protocols.toy.protocol import HOW_MUCH
from diffbench_assets_tests.protocols.toy.small import PAIRS, TOLD, TOYS, write_pairs, write_registries
from diffbench_assets_tests.report.opened import Watched, wait_for_images, watched
from diffbench_assets_tests.watched import browser

__all__ = ["browser", "watched"]

DOTS = TOYS["dots"]
ORDERS = ("forward", "backward")
COMMANDS = (
    "eval --suite dots --suite dots_told",
    "judge --suite dots --suite dots_told --judge close",
    "judge --suite dots --judge eyes --model counts",
    "report --suite dots --suite dots_told --together",
)
TEXT = (".py", ".js", ".css", ".html", ".j2")


@dataclass
class Ran:
    """A lake after a run of the whole graph, what the shell printed, and the documents that the endpoint was sent."""

    lake: Lake
    printed: str
    sent: list[dict[str, Any]]

    def verdicts(self, suite: str, judge: str) -> dict[tuple[str, str], dict[str, Any]]:
        rows = self.lake.read_all(TOYS[suite].table(DOTS.protocol.verdicts)).to_pylist()
        return {(row["model"], row["item_id"]): row for row in rows if row["judge"] == judge}


def reply(asked: Asked) -> Answer:
    """As a judge 0.5; as a model "4", and "5" to images in the other order."""
    said = json.dumps(asked.document["messages"])
    if "You judge" in said:
        return completion('{"score": 0.5}')
    first, second = re.findall(r"base64,([^\"]+)", said)
    return completion("5 hundredths" if first > second else "4 hundredths")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    folder = tmp_path_factory.mktemp("toy")
    lake = Lake(str(folder / "lake"))
    write_pairs(lake)
    with pytest.MonkeyPatch.context() as patch, ChatServer(reply) as server:
        patch.chdir(folder)
        patch.setenv("DIFFBENCH_LAKE", lake.root)
        write_registries(folder, server.url)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            for command in COMMANDS:
                with pytest.raises(SystemExit, match="0"):
                    main(command.split(), SUITES | TOYS)
        yield Ran(lake, printed.getvalue(), [asked.document for asked in server.log])


def test_both_orders_and_every_repeat_are_asked_with_the_systems_words(ran: Ran) -> None:
    rows = ran.lake.read_all(DOTS.table(RESPONSES)).to_pylist()
    asked = {(row["pair_id"], row["order"], row["repeat"]) for row in rows if row["model"] == "asked"}
    assert len(asked) == 2 * PAIRS * len(ORDERS) * 2 and {row["protocol"] for row in rows} == {"toy"}
    # Two equal images are the same question in both orders: it is put once.
    told = [document for document in ran.sent if document["messages"][0] == {"role": "system", "content": TOLD}]
    assert len(told) == PAIRS * (len(ORDERS) + 1) and {document["temperature"] for document in told} == {0.5}
    assert len([document for document in ran.sent if HOW_MUCH in json.dumps(document)]) == (2 + 1) * len(told)
    shown = [
        row["image_sha256"].split() for row in rows if row["model"] == "asked" and row["pair_id"] == "rounded.hard-0"
    ]
    assert len({frozenset(images) for images in shown}) == 1 and len({tuple(images) for images in shown}) == len(ORDERS)


def test_scores_are_real_numbers_and_a_verdict_may_be_about_two_responses(ran: Ran) -> None:
    close, eyes = ran.verdicts("dots", "close"), ran.verdicts("dots", "eyes")
    first = "rounded.hard-0:toy:forward:0"
    assert (close["counts", first]["closeness"], close["zero", first]["closeness"]) == (1.0, 0.25)
    orders = {close["asked", f"rounded.hard-0:toy:{order}:0"]["closeness"] for order in ORDERS}
    assert orders == {1 / 2, 1 / 3}
    both = {model: close[model, "rounded.hard-0:toy:both:0"]["reversible"] for model in ("counts", "zero", "asked")}
    assert both == {"counts": 1.0, "zero": 1.0, "asked": 0.0}
    assert {row["closeness"] for row in eyes.values() if ":both:" not in row["item_id"]} == {0.5}
    judged = [document for document in ran.sent if "You judge" in json.dumps(document)]
    assert judged and all(json.dumps(document).count("data:image/png") == 2 for document in judged)
    assert judged[0]["messages"][0]["role"] == "system" and "response_format" in judged[0]


def test_numbers_of_a_suite_are_means_over_items(ran: Ran) -> None:
    board = {(row["judge"], row["model"]): row for row in ran.lake.read(DOTS.result("leaderboard")).to_pylist()}
    assert (board["close", "counts"]["closeness"], board["close", "counts"]["rank"]) == (1.0, 1)
    assert board["close", "zero"]["closeness"] == pytest.approx((0.25 + 1.0) / 2)
    assert board["close", "asked"]["reversible"] == pytest.approx(0.5)
    assert board["close", "counts"]["n"] == 2 * PAIRS * len(ORDERS) * 2
    compared = ran.lake.read(DOTS.result("comparisons")).to_pylist()
    best = next(
        row for row in compared if (row["judge"], row["model_a"], row["model_b"]) == ("close", "counts", "zero")
    )
    assert best["difference"] == pytest.approx(0.375) and best["only_a"] == PAIRS * len(ORDERS) * 2
    assert {row["slice"] for row in ran.lake.read(DOTS.result("metrics")).to_pylist()} >= {"overall", "cell", "order"}


def test_tables_are_as_declared_and_views_read_them(ran: Ran) -> None:
    for suite in TOYS.values():
        for table in (RESPONSES, suite.protocol.verdicts):
            assert violations(ran.lake, suite.table(table)) == {}
    with connect(ran.lake, (SUITES | TOYS).values()) as connection:
        rows = connection.sql('SELECT suite, "order", model, judge, closeness FROM toy_orders').fetchall()
    found = {(suite, order): closeness for suite, order, *by, closeness in rows if by == ["counts", "close"]}
    assert found == {(suite, order): 1.0 for suite in TOYS for order in ORDERS}


def test_the_shell_prints_leaderboards_and_where_the_reports_are(ran: Ran) -> None:
    assert re.search(r"1 +counts +close +1\.00 \[1\.00, 1\.00\] +1\.00", ran.printed)
    assert "reports/dots/report.html" in ran.printed and "reports/dots+dots_told/report.html" in ran.printed


def test_only_suites_of_one_protocol_stand_side_by_side(ran: Ran) -> None:
    for suites in ([DOTS], [DOTS, SUITES["webdiff"]]):
        with pytest.raises(UserError, match=r"at least two: not dots \(toy\)"):
            write_side_by_side(ran.lake, suites, {})


def test_the_page_shows_its_own_section_and_every_item(ran: Ran, watched: Watched) -> None:
    page = watched.open(ran.lake.report_folder("dots") / "report.html")
    assert "counts" in page.inner_text("#orders") and "0.62" in page.inner_text("#orders")
    assert page.inner_text("#found") == f"{8 * PAIRS} items"
    wait_for_images(page)
    assert "close: 1.00" in page.inner_text("#pair")
    page.select_option("#f-order", "backward")
    assert page.inner_text("#found").startswith(f"{4 * PAIRS} of")
    assert watched.errors == [] and watched.outside() == []


def test_suites_stand_side_by_side_with_their_differences(ran: Ran, watched: Watched) -> None:
    page = watched.page
    page.goto((ran.lake.report_folder("dots+dots_told") / "report.html").absolute().as_uri())
    text = page.inner_text("main")
    assert "dots_told − dots" in text and "counts" in text
    assert page.locator("table.board").count() >= 2
    assert watched.errors == [] and watched.outside() == []


def test_only_its_folder_and_its_row_name_a_protocol_and_no_command_names_a_suite() -> None:
    package = Path(diffbench_assets.__file__).parent
    protocols = {type(suite.protocol): suite.protocol.name for suite in SUITES.values()}
    names = [name for kind, own in protocols.items() for name in (own, kind.__name__)]
    own = [package / "suites.py", *(Path(inspect.getfile(kind)).parent for kind in protocols)]
    for file in package.rglob("*.*"):
        if file.suffix in TEXT and not any(file.is_relative_to(one) for one in own):
            forbidden = names + (list(SUITES) if file.parent.name == "cli" else [])
            assert not re.search(rf"\b({'|'.join(forbidden)})\b", file.read_text(encoding="utf-8")), file
