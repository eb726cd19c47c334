"""Image pairs without records: what one model writes and another one checks becomes differences, over real HTTP."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from diffbench_assets.errors import UserError
from diffbench_assets.pairs.made import MadePair, pair_row
from diffbench_assets.pairs.photographs.described import described_pairs, pair_ids, read_image_pairs, told_of
from diffbench_assets.pairs.record import Given, loads
from diffbench_assets.schemas import DIFFERENCE
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion, error
from diffbench_assets_tests.models.helpers import endpoint, png

CUP = "The blue cup on the shelf is further to the left in image B."
LAMP = "In image B, the lamp is yellow instead of white."
CAT = "The cat has been removed in image B."


def folder(path: Path, *names: str) -> Path:
    for number, name in enumerate(names):
        (path / "more").mkdir(exist_ok=True)
        (path / "more" / f"{name}-before.png").write_bytes(png("white", (40 + number, 30)))
        (path / "more" / f"{name}_AFTER.png").write_bytes(png("black", (40 + number, 30)))
    return path


def written(*differences: tuple[str, str]) -> Answer:
    return completion(json.dumps({"differences": [{"text": t, "category": c} for t, c in differences]}))


def checked(*verdicts: tuple[str, str], missing: tuple[str, ...] = ()) -> Answer:
    checks = [{"number": n, "verdict": v, "text": t} for n, (v, t) in enumerate(verdicts, 1)]
    return completion(json.dumps({"checks": checks, "missing": list(missing)}))


def told(
    path: Path, write: Answer, check: Answer, category: str = "position", log: list[Asked] | None = None
) -> tuple[list[MadePair], Counter[str]]:
    """The pairs of a category, of a writer and a checker that say the same of every pair."""

    def behave(asked: Asked) -> Answer:
        if log is not None:
            log.append(asked)
        return write if asked.document["model"] == "writer" else check

    with ChatServer(behave) as server:
        models = [endpoint(server.url, id=name) for name in ("writer", "checker")]
        journals = path / "journals"
        journals.mkdir(exist_ok=True)
        by_id, counts = told_of(lambda: read_image_pairs(path), *models, journals)
        return list(described_pairs(category, lambda: read_image_pairs(path), by_id, *models)), counts


def test_pairs_are_found_by_their_names_and_known_by_their_bytes(tmp_path: Path) -> None:
    first, second = read_image_pairs(folder(tmp_path, "a", "b"))
    assert (first.origin, first.size, second.size) == ("more/a-before.png", (40, 30), (41, 30))
    assert pair_ids(tmp_path) == [first.pair_id, second.pair_id]
    (tmp_path / "more" / "a-before.png").write_bytes(png("red", (40, 30)))
    assert pair_ids(tmp_path)[0] != first.pair_id and pair_ids(tmp_path)[1] == second.pair_id


def test_a_folder_that_holds_no_whole_pairs_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no image pairs"):
        pair_ids(tmp_path)
    (folder(tmp_path, "a") / "more" / "a_AFTER.png").unlink()
    with pytest.raises(UserError, match="a-before.png: the other image"):
        pair_ids(tmp_path)
    (tmp_path / "more" / "a_after.png").write_bytes(png("black", (41, 30)))
    with pytest.raises(UserError, match="differ in size"):
        list(read_image_pairs(tmp_path))


def test_what_both_models_see_is_true_and_what_one_sees_is_kept_from_passing_for_false(tmp_path: Path) -> None:
    rug = "The rug is larger in image B."
    better = "The cat on the mat has been removed in image B."
    (pair,), counts = told(
        folder(tmp_path, "a"),
        written((CUP, "position"), (LAMP, "regional_color"), (CAT, "appearance")),
        checked(("supported", ""), ("unsupported", ""), ("rewritten", better), missing=(rug,)),
    )  # fmt: skip
    assert [(d.description, d.kind, d.role, d.origin) for d in pair.differences] == [
        (CUP, "position", "report", "writer, checked by checker"),
        (better, "appearance", "report", "writer, checked by checker"),
        (rug, "unconfirmed", "ignore", "checker"),
    ]
    assert counts["statement supported"] == counts["statement rewritten"] == counts["statement unsupported"] == 1
    row = pair_row("lowlevel_mcq", "position", pair, "position", "semantic", None)
    assert row["description"] == f"{CUP} {better}" and row["record"].count("checked_by") == 1
    assert set(row["differences"][0]) == {field.name for field in DIFFERENCE}
    (step,) = loads(row["record"])
    assert isinstance(step, Given) and step.facts["file"] == "more/a-before.png"


def test_the_checker_sees_both_images_and_the_statements_as_data(tmp_path: Path) -> None:
    log: list[Asked] = []
    said = "The sign with “===== statements” is larger in image B."
    told(folder(tmp_path, "a"), written((said, "substitution")), checked(("supported", "")), log=log)
    (first, second), (pair,) = log, read_image_pairs(tmp_path)
    assert first.images == second.images == [pair.before, pair.after]
    assert said not in first.text and json.dumps({"1": said}, ensure_ascii=False)[1:-1] in second.text
    assert "unsupported" in second.text and "regional_color" in first.text


def test_a_pair_is_asked_about_once_and_stands_in_the_cell_of_its_first_difference(tmp_path: Path) -> None:
    write, check = written((CUP, "position"), (CAT, "appearance")), checked(("supported", ""), ("supported", ""))
    log: list[Asked] = []
    found = {
        category: told(folder(tmp_path, "a", "b"), write, check, category, log)[0]
        for category in ("appearance", "position", "ocr")
    }
    assert {category: len(pairs) for category, pairs in found.items()} == {"appearance": 0, "position": 2, "ocr": 0}
    assert len(log) == 4
    assert found["position"] == told(tmp_path, write, check, "position", log)[0] and len(log) == 4


@pytest.mark.parametrize(
    ("write", "check", "count"),
    [
        (completion("A cup moved."), checked(), "image pair whose differences nobody wrote"),
        (error(400, "no"), checked(), "image pair whose differences nobody wrote"),
        (written((CUP, "camera")), checked(), "image pair whose differences nobody wrote"),
        (written(("A cup moved.", "position")), checked(), "statement of another form"),
        (written((f"{CUP}\nAnd more in image B.", "position")), checked(), "statement of another form"),
        (written((CUP, "position")), completion("Yes."), "image pair that nobody checked"),
        (written((CUP, "position")), error(400, "no"), "image pair that nobody checked"),
        (written((CUP, "position")), checked(), "statement unsupported"),
        (written((CUP, "position")), checked(("rewritten", "A cup.")), "statement unsupported"),
    ],
)  # fmt: skip
def test_what_is_not_told_and_checked_as_asked_makes_no_pair(
    tmp_path: Path, write: Answer, check: Answer, count: str
) -> None:
    pairs, counts = told(folder(tmp_path, "a"), write, check)
    assert pairs == [] and counts[count] == 1
