"""A protocol made of one folder runs through the whole graph, the shell and the report; nothing else names it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dagster import DagsterInstance

import diffbench_assets
from diffbench_assets.cli import app
from diffbench_assets.cli.running import Graph, evaluate, judge
from diffbench_assets.conformance import violations
from diffbench_assets.definitions import build
from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.protocols.together import write_side_by_side
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource, baselines_of, kinds_of
from diffbench_assets.schemas import RESPONSES
from diffbench_assets.suites import SUITES as REAL
from diffbench_assets.views import connect
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion
from diffbench_assets_tests.protocols.toy.protocol import HOW_MUCH
from diffbench_assets_tests.protocols.toy.small import CELLS, SUITES, TOLD, write_pairs, write_registries

DOTS = SUITES["dots"]
ORDERS = ("forward", "backward")


def reply(asked: Asked) -> Answer:
    """As a judge 0.5; as a model "4", and "5" to images in the other order."""
    said = json.dumps(asked.document["messages"])
    if "You judge" in said:
        return completion('{"score": 0.5}')
    images = re.findall(r"base64,([^\"]+)", said)
    backward = images[0] > images[1] if images[0] != images[1] else False
    return completion("5 hundredths" if backward else "4 hundredths")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Lake, list[dict[str, Any]]]]:
    """A lake after a run of the whole graph, and the documents that the endpoint was sent."""
    folder = tmp_path_factory.mktemp("toy")
    lake = Lake(str(folder / "lake"))
    write_pairs(lake)
    with ChatServer(reply) as server, DagsterInstance.ephemeral() as instance:
        write_registries(folder, server.url)
        registry = RegistryResource(
            models_file=str(folder / "models.yaml"),
            judges_file=str(folder / "judges.yaml"),
            baselines=baselines_of(SUITES.values()),
            kinds=kinds_of(SUITES.values()),
        )
        graph = Graph(
            build(list(SUITES.values()), registry),
            instance,
            lake=LakeResource(root=lake.root),
            spending=SpendingResource(),
        )
        for suite in SUITES.values():
            evaluate(graph, suite, ["counts", "zero", "asked"], CELLS)
            judge(graph, suite, "close", ["counts", "zero", "asked"], CELLS, replies=False)
            judge(graph, suite, "eyes", ["counts"], CELLS, replies=True)
            graph.run([suite.name, "metrics"])
            graph.run([suite.name, "report"])
        yield lake, [asked.document for asked in server.log]


def test_both_orders_and_every_repeat_are_asked_with_the_systems_words(
    made: tuple[Lake, list[dict[str, Any]]],
) -> None:
    lake, sent = made
    rows = lake.read_all("dots/responses").to_pylist()
    asked = {(row["pair_id"], row["order"], row["repeat"]) for row in rows if row["model"] == "asked"}
    assert len(asked) == 3 * 2 * 2 * 2 and {row["protocol"] for row in rows} == {"toy"}
    told = [document for document in sent if document["messages"][0] == {"role": "system", "content": TOLD}]
    assert len(told) == 3 * 2 * 2
    assert all(document["temperature"] == 0.5 for document in told)
    questions = [document for document in sent if HOW_MUCH in json.dumps(document)]
    assert len(questions) == 3 * 2 * 2 * (2 + 1)
    first = [f"color.easy-0:toy:{order}:0" for order in ORDERS]
    shown = {
        row["order"]: row["image_sha256"].split() for row in rows if row["model"] == "asked" and row["item_id"] in first
    }
    assert shown["forward"] == shown["backward"][::-1] and len(set(shown["forward"])) == 2


def test_scores_are_real_numbers_and_a_verdict_is_over_two_responses(made: tuple[Lake, list[dict[str, Any]]]) -> None:
    lake, sent = made
    verdicts = lake.read_all("dots/verdicts", DOTS.protocol.verdicts.names).to_pylist()
    close = {
        (row["model"], row["item_id"]): row for row in verdicts if row["judge"] == "close" and "color" in row["pair_id"]
    }
    assert close["counts", "color.easy-0:toy:forward:0"]["closeness"] == 1.0
    assert close["zero", "color.easy-0:toy:forward:0"]["closeness"] == 0.25
    assert {close["asked", f"color.easy-0:toy:{order}:0"]["closeness"] for order in ORDERS} == {
        0.5, 1 / 3,
    }  # fmt: skip
    assert close["asked", "color.easy-0:toy:both:0"]["reversible"] == 0.0
    assert close["zero", "color.easy-0:toy:both:0"]["reversible"] == 1.0
    eyes = [row for row in verdicts if row["judge"] == "eyes"]
    assert {row["closeness"] for row in eyes if ":both:" not in row["item_id"]} == {0.5}
    judged = [document for document in sent if "You judge" in json.dumps(document)]
    assert judged and all(str(document).count("data:image/png") == 2 for document in judged)
    assert judged[0]["messages"][0]["role"] == "system" and "response_format" in judged[0]


def test_numbers_of_a_suite_are_means_over_items(made: tuple[Lake, list[dict[str, Any]]]) -> None:
    lake, _ = made
    board = {(row["judge"], row["model"]): row for row in lake.read("dots/leaderboard").to_pylist()}
    assert board["close", "counts"]["closeness"] == 1.0 and board["close", "counts"]["rank"] == 1
    assert board["close", "zero"]["closeness"] == pytest.approx((0.25 + 1.0) / 2)
    assert board["close", "asked"]["reversible"] == pytest.approx(0.5)
    assert board["close", "counts"]["n"] == 3 * 2 * 2 * 2
    assert board["eyes", "counts"]["closeness"] == pytest.approx(0.5)
    compared = lake.read("dots/comparisons").to_pylist()
    best = next(row for row in compared if (row["model_a"], row["model_b"]) == ("counts", "zero"))
    assert best["difference"] == pytest.approx(0.375) and best["only_a"] == 12
    assert {row["slice"] for row in lake.read("dots/metrics").to_pylist()} >= {"overall", "cell", "order"}


def test_tables_are_as_declared_and_views_read_them(made: tuple[Lake, list[dict[str, Any]]]) -> None:
    lake, _ = made
    for suite in SUITES.values():
        for table in (RESPONSES, suite.protocol.verdicts):
            assert violations(lake, suite.table(table)) == {}
    with connect(lake, SUITES.values()) as connection:
        rows = connection.sql('SELECT suite, "order", model, judge, closeness FROM toy_orders').fetchall()
    found = {(suite, order): closeness for suite, order, *by, closeness in rows if by == ["counts", "close"]}
    assert found == {(suite, order): 1.0 for suite in SUITES for order in ORDERS}


def test_the_shell_asks_judges_and_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIFFBENCH_LAKE", str(tmp_path / "lake"))
    lake = Lake(str(tmp_path / "lake"))
    write_pairs(lake, n=1)

    def shell(*arguments: str) -> str:
        app(list(arguments), obj=SUITES, standalone_mode=False)
        return capsys.readouterr().out

    with ChatServer(reply) as server:
        write_registries(tmp_path, server.url)
        shell("eval")
        shell("judge")
        printed = shell("report", "--together")
    assert re.search(r"1 +counts +close +1\.00 \[1\.00, 1\.00\] +1\.00", printed)
    assert "reports/dots/report.html" in printed and "reports/dots+dots_told/report.html" in printed
    with pytest.raises(UserError, match="unknown model 'other'"):
        shell("eval", "--model", "other")


def test_only_suites_of_one_protocol_stand_side_by_side(made: tuple[Lake, list[dict[str, Any]]]) -> None:
    lake, _ = made
    for suites in ([DOTS], [DOTS, REAL["webdiff"]]):
        with pytest.raises(UserError, match=r"at least two: not dots \(toy\)"):
            write_side_by_side(lake, suites, {})


def test_no_module_of_the_package_names_a_protocol_outside_its_folder() -> None:
    package = Path(diffbench_assets.__file__).parent
    # Pairs of lowlevel_mcq are made by the settings of its questions; `pairs` and the schemas only explain themselves.
    allowed = {"suites.py", "schemas.py", "pairs/", "assets/lowlevel.py"}
    allowed |= {"protocols/multiple_choice/", "protocols/open_ended/"}
    named = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        for name in ("open_ended", "multiple_choice", "OpenEnded", "MultipleChoice")
        if re.search(rf"\b{name}\b", file.read_text(encoding="utf-8"))
    }
    assert {file for file in named if not any(file.startswith(one) for one in allowed)} == set()
