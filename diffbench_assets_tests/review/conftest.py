"""A lake with questions, the page's own server on loopback and one real browser."""

from __future__ import annotations

import io
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uvicorn
from PIL import Image
from playwright.sync_api import Browser, Page

from diffbench_assets.lake import Lake
from diffbench_assets.pairs.grammar import Claim
from diffbench_assets.protocols.multiple_choice.prompt import NO_DIFFERENCE
from diffbench_assets.protocols.multiple_choice.review import questions_to_review
from diffbench_assets.protocols.multiple_choice.tables import QUESTIONS
from diffbench_assets.review.server import create_app
from diffbench_assets.schemas import PAIRS, REVIEWS, Table
from diffbench_assets_tests.watched import WatchedPage

SUITE = "lowlevel_mcq"
TOKEN = "a-token-for-tests"
SIZE = (320, 200)


def png(number: int, changed: bool) -> bytes:
    """A picture of its own for each number; the changed one has another square at (40…79, 60…99)."""
    pixels = np.full((SIZE[1], SIZE[0], 3), (200, 210 - 20 * number, 220), dtype=np.uint8)
    pixels[60:100, 40:80] = (30, 90, 160) if changed else (160, 60, 30)
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    return data.getvalue()


def pair(number: int, **more: Any) -> dict[str, Any]:
    return {
        "pair_id": f"pair-{number}", "suite": SUITE, "cell": "regional_color", "page_id": f"page-{number}",
        "image_before": {"bytes": png(number, False), "path": "before.png"},
        "image_after": {"bytes": png(number, True), "path": "after.png"},
    } | more  # fmt: skip


def question(number: int, **more: Any) -> dict[str, Any]:
    """Question `number`: A true, B and C false, D no difference."""
    claim = Claim(f"square {number}", "recolored", "red", "blue")
    larger, removed = f"Square {number} is larger in image B.", f"The circle {number} has been removed in image B."
    return {
        "question_id": f"question-{number}", "origin_id": f"question-{number}", "suite": SUITE,
        "cell": "regional_color", "pair_id": f"pair-{number}", "category": "regional_color", "group": "semantic",
        "order": "forward", "rotation": 0, "answer": "A", "no_difference_label": "D",
        "options": {"A": claim.words(), "B": larger, "C": removed, "D": NO_DIFFERENCE},
        "truth": json.dumps(claim.as_dict()),
        "distractors": [
            {"text": larger, "strategy": "another_property", "origin": "programmatic"},
            {"text": removed, "strategy": "start_object", "origin": "some-model"},
        ],
        "suspected_truths": [],
    } | more  # fmt: skip


def write_suite(lake: Lake, questions: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> None:
    lake.write(QUESTIONS.of(SUITE), questions, {"cell": "regional_color"}, fingerprint="made")
    lake.write(PAIRS.of(SUITE), pairs, {"cell": "regional_color"}, fingerprint="made")


def small_lake(folder: Path) -> Lake:
    """Three questions; the last one has a false statement that may be true."""
    lake = Lake(str(folder / "lake"))
    suspect = question(2)
    suspect["suspected_truths"] = [suspect["options"]["C"]]
    rotated = {**question(0), "question_id": "question-0:1", "rotation": 1}
    write_suite(lake, [question(0), rotated, question(1, order="backward"), suspect], [pair(i) for i in range(3)])
    return lake


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return small_lake(tmp_path)


@contextmanager
def serving(lake: Lake, reviewer: str = "ann", pairs: Table | None = None) -> Iterator[str]:
    """The page's address, while it is served."""
    app = create_app(lake, SUITE, questions_to_review(lake, SUITE), reviewer, TOKEN, pairs or PAIRS.of(SUITE))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/{TOKEN}/"
        server.should_exit = True
        thread.join()


class Watched(WatchedPage):
    """The review page, watched."""

    def open(self, address: str) -> Page:
        self.page.goto(address)
        self.page.wait_for_selector("#options li")
        return self.page


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(5000)
    yield Watched(context.new_page())
    context.close()


def saved(lake: Lake, reviewer: str = "ann") -> list[tuple[str, str, str, str | None]]:
    """(question, text, decision, new wording) of every row in the reviewer's file."""
    if not lake.exists(REVIEWS.of(SUITE), {"reviewer": reviewer}):
        return []
    rows = lake.read(REVIEWS.of(SUITE), {"reviewer": reviewer}).to_pylist()
    return sorted((row["question_id"], row["text"], row["decision"], row["rewritten"]) for row in rows)
