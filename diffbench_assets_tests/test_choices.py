"""Multiple-choice suites through the real graph: pairs, questions, blind check, answers by the key, and the report."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dagster import DagsterInstance
from pydantic import BaseModel

from diffbench_assets import partitions
from diffbench_assets.cli.running import Graph, RunFailed, build, evaluate, judge
from diffbench_assets.definitions import defs
from diffbench_assets.lake import Lake
from diffbench_assets.pages.sources import GeneratorSource, ScenesSource
from diffbench_assets.protocols.multiple_choice.prompt import NO_DIFFERENCE
from diffbench_assets.protocols.multiple_choice.review import questions_to_review
from diffbench_assets.protocols.multiple_choice.tables import BLIND_CHECK, QUESTIONS
from diffbench_assets.resources.build import settings_of
from diffbench_assets.resources.embedder import EmbedderResource
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.review.decisions import option_sha256
from diffbench_assets.schemas import METRICS, PAGE_POOL, PAGES, PAIRS, RESPONSES, REVIEWS, VERDICTS
from diffbench_assets.suites import SUITES
from diffbench_assets.views import connect
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion, error
from diffbench_assets_tests.models.helpers import png
from diffbench_assets_tests.pairs.photographs.edit_server import good as redraw
from diffbench_assets_tests.pairs.photographs.scenes import signs

LOWLEVEL, WEBDIFF = SUITES["lowlevel_mcq"], SUITES["webdiff_mcq"]
CELLS = ["whole_color", "noise", "ocr", "no_diff"]
MODELS = ["always_no_diff", "pixel_diff", "random_choice", "informed_guess", "text_only"]
SETTINGS: dict[str, Any] = {"seed": 3, "n": 6, "seeds_from": ["scenes"], "no_difference_share": 0.1}
CSS = {"seed": 4, "n": 2, "no_diff": 2}


@pytest.fixture(scope="module")
def instance() -> Iterator[DagsterInstance]:
    with DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture(autouse=True, scope="module")
def corpus() -> Iterator[None]:
    partitions.corpus()["generator"] = GeneratorSource(name="generator", kind="generator", seed=3, count=6)
    partitions.corpus()["scenes"] = ScenesSource(name="scenes", kind="scenes", seed=3, count=30)
    yield
    partitions.corpus.cache_clear()


def graph(lake: Path, instance: DagsterInstance, settings: dict[str, Any] | None = None, **resources: object) -> Graph:
    given, kinds = SETTINGS | (settings or {}), LOWLEVEL.settings

    def chosen(kind: type[BaseModel]) -> dict[str, Any]:
        return {name: value for name, value in given.items() if name in kind.model_fields}

    replaced = {
        "embedder": EmbedderResource(weights="none"),
        "settings": settings_of(SUITES.values(), webdiff=CSS, **{name: chosen(kind) for name, kind in kinds.items()}),
        **resources,
    }
    return Graph(defs, instance, lake=LakeResource(root=str(lake)), **replaced)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, instance: DagsterInstance) -> Path:
    lake = tmp_path_factory.mktemp("built") / "lake"
    build(graph(lake, instance), LOWLEVEL, [], CELLS)
    return lake


def test_scenes_are_pages_that_make_pairs_and_are_not_in_the_pool(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = Lake(str(copy(built, tmp_path)))
    scenes = {row["page_id"] for row in lake.iter_all(PAGES, ["page_id"], within={"source": "scenes"})}
    pairs = lake.read_all(PAIRS.of("lowlevel_mcq"), ["page_id", "render_fingerprint"]).to_pylist()
    assert len(scenes) == 30 and {row["page_id"] for row in pairs} <= scenes
    assert all(row["render_fingerprint"].startswith("chromium-") for row in pairs)
    build(graph(Path(lake.root), instance), SUITES["webdiff"], [], [])
    pool = {row["source"] for row in lake.read_all(PAGE_POOL, ["source"]).to_pylist()}
    assert pool == {"generator"}


def copy(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "lake")
    return tmp_path / "lake"


def questions(lake: Path, suite: str = "lowlevel_mcq") -> list[dict[str, Any]]:
    return Lake(str(lake)).read_all(QUESTIONS.of(suite), QUESTIONS.names).to_pylist()


def test_every_category_has_its_questions_in_balanced_places(built: Path) -> None:
    rows = questions(built)
    assert Counter(row["cell"] for row in rows) == {"whole_color": 6, "noise": 6, "ocr": 6, "no_diff": 7}
    for cell in CELLS:
        of_cell = [row for row in rows if row["cell"] == cell]
        for column in ("answer", "no_difference_label"):
            places = Counter(row[column] for row in of_cell)
            assert max(places.values()) - min(places.get(label, 0) for label in "ABCD") <= 1
        assert abs(sum(1 if row["order"] == "forward" else -1 for row in of_cell)) <= 1
    for row in rows:
        assert row["options"][row["no_difference_label"]] == NO_DIFFERENCE
        assert (row["answer"] == row["no_difference_label"]) == (row["cell"] == "no_diff") == (row["truth"] is None)
        assert len(set(row["options"].values())) == 4


def test_the_same_settings_give_the_same_bytes_and_a_second_build_keeps_every_file(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = copy(built, tmp_path)
    original = {path: path.read_bytes() for path in lake.rglob("data.parquet")}
    times = {path: path.stat().st_mtime_ns for path in lake.rglob("*/cell=*/data.parquet")}
    build(graph(lake, instance), LOWLEVEL, [], CELLS)
    assert {path: path.stat().st_mtime_ns for path in lake.rglob("*/cell=*/data.parquet")} == times
    shutil.rmtree(lake / "lowlevel_mcq" / "pairs" / "cell=noise")
    shutil.rmtree(lake / "lowlevel_mcq" / "questions" / "cell=noise")
    build(graph(lake, instance), LOWLEVEL, [], ["noise"])
    assert {path: path.read_bytes() for path in lake.rglob("data.parquet")} == original


def test_the_blind_check_fails_the_build_when_the_text_gives_the_answer_away(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = copy(built, tmp_path)
    rows = [row for row in questions(lake) if row["truth"]]
    told = []
    for number in range(120):
        row = rows[number % len(rows)]
        options = {k: f"{v} It is plain to see." if k == row["answer"] else v for k, v in row["options"].items()}
        told.append(row | {"question_id": f"q{number}", "pair_id": f"p{number}", "options": options})
    Lake(str(lake)).write(QUESTIONS.of("lowlevel_mcq"), told, {"cell": "noise"}, fingerprint="made")
    with pytest.raises(RunFailed, match="text_alone_is_at_chance"):
        graph(lake, instance).run(["lowlevel_mcq", "blind_check"])
    found = Lake(str(lake)).read(BLIND_CHECK.of("lowlevel_mcq")).to_pylist()
    assert not all(row["passed"] for row in found)


def test_baselines_answer_and_the_key_decides(built: Path, tmp_path: Path, instance: DagsterInstance) -> None:
    lake = copy(built, tmp_path)
    running = graph(lake, instance, registry=RegistryResource(), spending=SpendingResource())
    evaluate(running, LOWLEVEL, MODELS, CELLS)
    judge(running, LOWLEVEL, "exact", MODELS, CELLS, replies=False)
    running.run(["lowlevel_mcq", "metrics"])
    running.run(["lowlevel_mcq", "report"])
    store = Lake(str(lake))
    board = {row["model"]: row for row in store.read(SUITES["lowlevel_mcq"].result("leaderboard")).to_pylist()}
    assert set(board) == set(MODELS) and board["always_no_diff"]["accuracy"] == pytest.approx(7 / 25)
    assert board["always_no_diff"]["missed_change"] == pytest.approx(18 / 25)
    assert board["pixel_diff"]["accuracy"] > 0.6 and board["pixel_diff"]["coverage"] == 1
    verdicts = store.read_all(VERDICTS.of("lowlevel_mcq")).to_pylist()
    assert {row["choice"] for row in verdicts} <= set("ABCD") and len(verdicts) == 25 * len(MODELS)
    page = (lake / "reports" / "lowlevel_mcq" / "report.html").read_text()
    assert "whole_color" in page or "whole color" in page
    with connect(store) as connection:
        rows = connection.sql("SELECT model, count(*), sum(success::INT) FROM scored_choices GROUP BY ALL").fetchall()
    assert {model: (n, right) for model, n, right in rows}["always_no_diff"] == (25, 7)


def test_a_model_is_asked_with_the_images_in_the_questions_order(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = copy(built, tmp_path)
    with ChatServer(lambda asked: completion("The answer is (B).")) as server:
        models = tmp_path / "models.yaml"
        models.write_text(f"models:\n  - {{id: tried, endpoint: '{server.url}'}}\n")
        running = graph(lake, instance, registry=RegistryResource(models_file=str(models)), spending=SpendingResource())
        evaluate(running, LOWLEVEL, ["tried"], ["noise"])
        evaluate(running, LOWLEVEL, ["tried"], ["noise"])
        assert len(server.log) == 6
    judge(running, LOWLEVEL, "exact", ["tried"], ["noise"], replies=False)
    store = Lake(str(lake))
    responses = {row["item_id"]: row for row in store.read_all(RESPONSES.of("lowlevel_mcq")).to_pylist()}
    pairs = {row["pair_id"]: row for row in store.read(PAIRS.of("lowlevel_mcq"), {"cell": "noise"}).to_pylist()}
    verdicts = {row["item_id"]: row for row in store.read_all(VERDICTS.of("lowlevel_mcq")).to_pylist()}
    for row in questions(lake):
        if row["cell"] == "noise":
            images = [pairs[row["pair_id"]][side]["bytes"] for side in ("image_before", "image_after")]
            shown = images if row["order"] == "forward" else images[::-1]
            sent = " ".join(hashlib.sha256(image).hexdigest() for image in shown)
            assert responses[row["question_id"]]["image_sha256"] == sent
            assert (verdicts[row["question_id"]]["verdict"] == "correct") == (row["answer"] == "B")


def test_a_model_that_never_answers_fails_its_run_and_one_that_sometimes_does_is_told_of(
    built: Path, tmp_path: Path, instance: DagsterInstance, capfd: pytest.CaptureFixture[str]
) -> None:
    lake = copy(built, tmp_path)
    with ChatServer(lambda asked: error(401, "bad key")) as server:
        models = tmp_path / "models.yaml"
        models.write_text(f"models:\n  - {{id: tried, endpoint: '{server.url}'}}\n")
        running = graph(lake, instance, registry=RegistryResource(models_file=str(models)), spending=SpendingResource())
        with pytest.raises(RunFailed, match=r"tried: 6 of 6 failed \(6 × HTTP 401: bad key\)"):
            evaluate(running, LOWLEVEL, ["tried"], ["noise"])
        server.behave = lambda asked: completion("B") if len(server.log) % 2 else error(401, "bad key")
        evaluate(running, LOWLEVEL, ["tried"], ["noise"])
    assert "of 6 failed (" in capfd.readouterr().err
    outcomes = Lake(str(lake)).read_all(RESPONSES.of("lowlevel_mcq"), ["outcome"])["outcome"].to_pylist()
    assert set(outcomes) == {"completed", "error"}


def test_circular_evaluation_asks_every_rotation(tmp_path: Path, built: Path, instance: DagsterInstance) -> None:
    lake = copy(built, tmp_path)
    running = graph(lake, instance, {"circular": True}, registry=RegistryResource(), spending=SpendingResource())
    build(running, LOWLEVEL, [], ["whole_color"])
    rows = [row for row in questions(lake) if row["cell"] == "whole_color"]
    assert len(rows) == 24 and len({row["origin_id"] for row in rows}) == 6
    evaluate(running, LOWLEVEL, ["pixel_diff"], ["whole_color"])
    judge(running, LOWLEVEL, "exact", ["pixel_diff"], ["whole_color"], replies=False)
    running.run(["lowlevel_mcq", "metrics"])
    metrics = {
        (row["metric"], row["slice"]): row for row in Lake(str(lake)).read(METRICS.of("lowlevel_mcq")).to_pylist()
    }
    assert metrics["circular_accuracy", "overall"]["value"] is not None


def test_reviews_change_the_questions_they_are_about_and_no_others(
    built: Path, tmp_path: Path, instance: DagsterInstance
) -> None:
    lake = copy(built, tmp_path)
    before = {row["question_id"]: row for row in questions(lake)}
    target = next(row for row in before.values() if row["cell"] == "ocr")
    unwanted = target["distractors"][0]["text"]
    review = {
        "question_id": target["question_id"], "option_sha256": option_sha256(unwanted), "text": unwanted,
        "reviewer": "ann", "decision": "discard", "rewritten": None, "reviewed_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    Lake(str(lake)).write(REVIEWS.of("lowlevel_mcq"), [review], {"reviewer": "ann"}, fingerprint="made")
    build(graph(lake, instance), LOWLEVEL, [], ["ocr"])
    after = {row["question_id"]: row for row in questions(lake)}
    changed = {key for key in before if before[key] != after.get(key)}
    assert changed == {target["question_id"]}
    assert unwanted not in after[target["question_id"]]["options"].values()


def test_two_models_may_write_the_false_statements(built: Path, tmp_path: Path, instance: DagsterInstance) -> None:
    lake = copy(built, tmp_path)
    statements = [
        {"text": "The image is brighter throughout in image B.", "strategy": "other_change"},
        {"text": "The image has a lower resolution in image B.", "strategy": "other_change"},
        {"text": "The image has a more greenish tint in image B.", "strategy": "attribute"},
    ]
    others = [
        {"text": "The image has a more bluish tint in image B.", "strategy": "attribute"},
        {"text": "The image is dimmer throughout in image B.", "strategy": "other_change"},
    ]

    def answer(asked: Asked) -> Answer:
        written = statements if asked.document["model"] == "writer" else others
        return completion(json.dumps({"statements": written, "possible_truths": []}))

    with ChatServer(answer) as server:
        models = tmp_path / "models.yaml"
        entries = [f"  - {{id: {name}, endpoint: '{server.url}'}}\n" for name in ("writer", "second")]
        models.write_text("models:\n" + "".join(entries))
        registry = RegistryResource(models_file=str(models))
        running = graph(
            lake,
            instance,
            {"false_statements_by": ["writer", "second"]},
            registry=registry,
            spending=SpendingResource(),
        )
        running.run(["lowlevel_mcq", "questions"], ("noise", "noise"))
        assert len(server.log) == 12
    rows = [row for row in questions(lake) if row["cell"] == "noise"]
    origins = Counter(d["origin"] for row in rows for d in row["distractors"])
    assert set(origins) == {"writer", "second"}


def test_css_mutated_pairs_are_asked_about_too(tmp_path: Path, instance: DagsterInstance) -> None:
    lake = tmp_path / "lake"
    cells = ["font_weight.easy", "color.easy", "no_diff"]
    running = graph(lake, instance, registry=RegistryResource(), spending=SpendingResource())
    build(running, SUITES["webdiff"], ["generator"], cells)
    for cell in cells:
        running.run(["webdiff_mcq", "questions"], (cell, cell))
    rows = questions(lake, "webdiff_mcq")
    pairs = {row["pair_id"] for row in Lake(str(lake)).read_all(PAIRS.of("webdiff")).to_pylist()}
    assert rows and {row["pair_id"] for row in rows} <= pairs
    assert {row["group"] for row in rows} <= {"typography", "color", "no_diff"}
    evaluate(running, WEBDIFF, ["pixel_diff"], cells)
    judge(running, WEBDIFF, "exact", ["pixel_diff"], cells, replies=False)
    running.run(["webdiff_mcq", "metrics"])
    assert Lake(str(lake)).read(SUITES["webdiff_mcq"].result("leaderboard")).num_rows == 1


def test_photographs_are_edited_through_an_endpoint_and_become_pairs(tmp_path: Path, instance: DagsterInstance) -> None:
    photos, lake = tmp_path / "photos", tmp_path / "lake"
    photos.mkdir()
    (photos / "street.png").write_bytes(signs([("Harbor Cafe", 40, 40), ("Garden Shop", 300, 120)]))
    (photos / "broken.png").write_bytes(b"no image")
    with ChatServer(redraw) as server:
        models = tmp_path / "models.yaml"
        models.write_text(f"models:\n  - {{id: editor, endpoint: '{server.url}'}}\n")
        running = graph(
            lake,
            instance,
            {"seeds_from": ["images"], "images": [str(photos)], "edit_with": "editor", "no_difference_share": 0.0},
            registry=RegistryResource(models_file=str(models)),
            spending=SpendingResource(),
        )
        running.run(["lowlevel_mcq", "pairs"], ("ocr", "ocr"))
        asked = len(server.log)
        (lake / "lowlevel_mcq" / "pairs" / "cell=ocr" / "data.parquet").unlink()
        running.run(["lowlevel_mcq", "pairs"], ("ocr", "ocr"))
        assert len(server.log) == asked >= 1
    (pair,) = Lake(str(lake)).read(PAIRS.of("lowlevel_mcq"), {"cell": "ocr"}).to_pylist()
    claim = pair["differences"][0]["claim"]
    assert claim["change"] == "reads" and pair["differences"][0]["after"] == claim["after"]
    assert pair["before_pixels"] != pair["after_pixels"] and 0 < pair["inside_change"] <= 1


def test_image_pairs_without_records_are_described_checked_and_asked_about(
    tmp_path: Path, instance: DagsterInstance
) -> None:
    given, lake = tmp_path / "given", tmp_path / "lake"
    given.mkdir()
    for side, color in (("before", "white"), ("after", "navy")):
        (given / f"desk-{side}.png").write_bytes(png(color, (64, 48)))
    cup, lamp = "The blue cup is further to the left in image B.", "The white lamp has been removed in image B."
    false = {
        "one": ["The blue cup is larger in image B.", "The white lamp is taller in image B."],
        "two": ["The blue cup is further to the right in image B.", "The white lamp is brighter in image B."],
    }

    def behave(asked: Asked) -> Answer:
        model = asked.document["model"]
        if model == "writer":
            told = [{"text": cup, "category": "position"}, {"text": lamp, "category": "appearance"}]
            return completion(json.dumps({"differences": told}))
        if model == "checker":
            checks = [{"number": number, "verdict": "supported", "text": ""} for number in (1, 2)]
            return completion(json.dumps({"checks": checks, "missing": []}))
        written = [{"text": text, "strategy": "other_change"} for text in false[model]]
        return completion(json.dumps({"statements": written, "possible_truths": []}))

    with ChatServer(behave) as server:
        models = tmp_path / "models.yaml"
        entries = [f"  - {{id: {name}, endpoint: '{server.url}'}}\n" for name in ("writer", "checker", "one", "two")]
        models.write_text("models:\n" + "".join(entries))
        settings = {
            "n": 0, "seeds_from": ["images"], "no_difference_share": 0.0, "image_pairs": [str(given)],
            "describe_with": "writer", "check_with": "checker", "false_statements_by": ["one", "two"],
        }  # fmt: skip
        running = graph(
            lake, instance, settings,
            registry=RegistryResource(models_file=str(models)), spending=SpendingResource(),
        )  # fmt: skip
        running.run(["lowlevel_mcq", "pairs"], ("position", "position"))
        running.run(["lowlevel_mcq", "questions"], ("position", "position"))
        with pytest.raises(RunFailed, match="check_with to another one"):
            graph(lake, instance, settings | {"check_with": "writer"}, registry=RegistryResource(
                models_file=str(models)), spending=SpendingResource()
            ).run(["lowlevel_mcq", "pairs"], ("position", "position"))  # fmt: skip
    rows = questions(lake)
    assert [row["options"][row["answer"]] for row in rows] == [cup, lamp], "one question for each difference"
    for row in rows:
        assert row["truth"] is None and row["truth_origin"] == "writer, checked by checker"
        assert row["false_origin"] in ("one", "two", "one + two") and row["order"] == "forward"
        said = {d["text"]: d["origin"] for d in row["distractors"]}
        assert len(said) == 2 and all(text in false[origin] for text, origin in said.items())
    (shown, _) = questions_to_review(Lake(str(lake)), "lowlevel_mcq")
    true = next(option for option in shown["options"] if option["role"] == "true")
    assert true["origin"] == "writer, checked by checker" and not true["fixed"]
