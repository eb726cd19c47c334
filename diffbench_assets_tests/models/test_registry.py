"""models.yaml and judges.yaml: what may stand there, and the one clear error for what may not."""

from __future__ import annotations

import pickle
from datetime import date
from pathlib import Path
from typing import get_args

import pytest
import yaml

from diffbench_assets.models.clients import CLIENTS
from diffbench_assets.models.failures import LONGEST_ERROR, excerpt
from diffbench_assets.models.keys import Key, read_key
from diffbench_assets.models.registry import (
    BaselineModel,
    EmbeddedJudge,
    EndpointJudge,
    EndpointModel,
    RegistryError,
    load_judges,
    load_models,
)
from diffbench_assets.protocols.multiple_choice.baselines import BASELINES
from diffbench_assets.resources.models import RegistryResource

REPO = Path(__file__).parents[2]
GOOD = {"id": "m", "endpoint": "http://localhost:8000/v1"}


@pytest.fixture
def load(tmp_path):
    def load_entries(*entries: object) -> dict:
        path = tmp_path / "models.yaml"
        path.write_text(yaml.safe_dump({"models": list(entries)}))
        return load_models(path, BASELINES)

    return load_entries


def test_the_files_of_this_project_load():
    models, judges = load_models(REPO / "models.yaml", BASELINES), load_judges(REPO / "judges.yaml", ["rules"])
    assert all(isinstance(models[name], BaselineModel) for name in ("always_no_diff", "pixel_diff"))
    assert isinstance(judges["rules"], EmbeddedJudge)


@pytest.mark.parametrize("name", ["models", "judges"])
def test_the_commented_examples_load_too(tmp_path, name):
    text = (REPO / f"{name}.yaml").read_text()
    lines = [line.removeprefix("# ") if line.startswith("#   ") else line for line in text.splitlines()]
    start = lines.index(f"{name}:")
    documented = lines[:start]
    path = tmp_path / f"{name}.yaml"
    path.write_text("\n".join(lines[start:]))
    examples = load_models(path, BASELINES) if name == "models" else load_judges(path, ["rules"])
    assert len(examples) > 1
    fields = [line for line in documented if line.startswith("  ")]
    if name == "models":
        path.write_text("\n".join(["models:", *fields]))
        loaded = load_models(path, BASELINES)
        assert loaded["qwen3-vl-8b"].model_dump(exclude={"id", "endpoint", "model"}) == EndpointModel.model_validate(
            GOOD
        ).model_dump(exclude={"id", "endpoint", "model"}), "documented defaults are not the real ones"


def test_the_defaults_are_those_of_the_paper(load):
    model = load(GOOD)["m"]
    assert isinstance(model, EndpointModel)
    assert model.sampling.body() == {"temperature": 0.0, "max_tokens": 16384}
    assert (model.sent_model, model.client, model.embedded) == ("m", "chat", False)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"id": "My Model"}, "id: may hold only a-z"),
        ({"id": "a/b"}, "id: may hold only a-z"),
        ({"id": "a|b"}, "id: may hold only a-z"),
        ({"id": "a\n"}, "id: may hold only a-z"),
        ({"endpoint": "localhost:8000"}, "endpoint: must start with http"),
        ({"endpoint": "http://my host/v1"}, "endpoint: must start with http"),
        ({"endpoint": "http://"}, "endpoint: must start with http"),
        ({"endpoint": "http://h:port/v1"}, "endpoint: is not a URL"),
        ({"endpoint": "http://h/v1/chat/completions"}, "endpoint: is the base URL"),
        ({"endpoint": "https://me:secret@h/v1"}, "endpoint: must be a bare URL"),
        ({"endpoint": "https://h/v1?key=secret"}, "endpoint: must be a bare URL"),
        ({"concurrency": 0}, "concurrency: Input should be greater"),
        ({"sampling": {"temperature": "hot"}}, "sampling.temperature: Input should be a valid number"),
        ({"sampling": {"temperature": float("nan")}}, "sampling.temperature:"),
        ({"sampling": {"top_p": 1}}, "sampling.top_p: unknown field"),
        ({"sampling": {"extra": {"messages": []}}}, "sampling.extra: messages cannot be set here"),
        ({"sampling": {"extra": {"stream": True}}}, "sampling.extra: stream cannot be set here"),
        ({"sampling": {"extra": {"since": date(2026, 1, 1)}}}, "sampling.extra: holds what JSON cannot say"),
        ({"sampling": {"extra": {"bias": float("inf")}}}, "sampling.extra: holds what JSON cannot say"),
        ({"image_detail": "medium"}, "image_detail: Input should be 'auto', 'low' or 'high'"),
        ({"usd_per_million_tokens": {"input": 1}}, "usd_per_million_tokens.output: Field required"),
        ({"facts": {"access": "open"}}, "facts.access: Input should be 'proprietary' or 'open_weight'"),
        ({"baseline": "pixel_diff"}, "needs exactly one of the fields baseline and endpoint"),
        ({"temprature": 0}, "temprature: unknown field"),
        ({"client": "telepathy"}, "client: Input should be 'chat' or 'image_edit'"),
    ],
    ids=str,
)
def test_a_mistake_is_named_by_file_entry_and_field(load, change, says):
    with pytest.raises(RegistryError) as raised:
        load(GOOD | change)
    message = str(raised.value)
    assert message.startswith(f"models.yaml: model {(GOOD | change)['id']!r}: ") and says in message
    assert "\n" not in message and "secret" not in message


@pytest.mark.parametrize(
    "field",
    [{"api_key": "sk-abc"}, {"api_key_env": "sk-abc"}, {"api_key_env": "AIzaSyabc"}, {"key": "sk-abc"}],
    ids=str,
)
def test_a_key_written_into_the_file_is_refused_and_not_repeated(load, field):
    with pytest.raises(RegistryError) as raised:
        load(GOOD | field)
    assert "abc" not in str(raised.value) and raised.value.__cause__ is None


def test_a_baseline_that_nobody_embeds_is_named(load):
    with pytest.raises(RegistryError, match="model 'b': baseline: is none of always_no_diff, "):
        load({"id": "b", "baseline": "pixel_dif"})


def test_every_client_that_the_file_can_name_is_in_the_table_of_clients():
    clients = get_args(EndpointModel.model_fields["client"].annotation)
    assert {*clients, BaselineModel.client} == CLIENTS.keys()


def test_all_mistakes_are_told_at_once(load):
    with pytest.raises(RegistryError) as raised:
        load(GOOD, GOOD, {"id": "b", "endpoint": "x", "more": 1}, {"endpoint": "http://h"}, "text")
    lines = str(raised.value).splitlines()
    assert len(lines) == 5 and "id: stands twice in this file" in lines[0]
    assert lines[3].startswith("models.yaml: entry 4: id: Field required")
    assert lines[4].startswith("models.yaml: entry 5: must be a mapping")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must hold one list named `models`"),
        ("models: {a: 1}", "must hold one list named `models`"),
        ("model: []", "must hold one list named `models`"),
        ("models: [", "line 1 not valid YAML"),
        ("models:\n- id: a\n  id: b\n", "line 3 not valid YAML: field 'id' stands twice"),
        ("models:\n- {id: a, [b]: c}\n", "line 2 not valid YAML: a field's name must be a word"),
        ("models: " + "[" * 5000 + "]" * 5000, "nested too deep"),
        ("models: !!python/object/apply:os.system [true]", "not valid YAML"),
    ],
    ids=str,
)
def test_a_file_of_another_shape_is_refused(tmp_path, text, says):
    path = tmp_path / "models.yaml"
    path.write_text(text)
    with pytest.raises(RegistryError, match="models.yaml") as raised:
        load_models(path, [])
    assert says in str(raised.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(RegistryError, match="nowhere.yaml: cannot be read"):
        load_models(tmp_path / "nowhere.yaml", [])


def test_only_the_usual_files_may_be_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    embedded = RegistryResource(models_file="models.yaml", judges_file="judges.yaml")
    assert "always_no_diff" in embedded.models and "rules" in embedded.judges
    for name in ("models", "judges"):
        with pytest.raises(RegistryError, match="mine.yaml: cannot be read"):
            getattr(RegistryResource(**{f"{name}_file": "mine.yaml"}), name)


def test_judges_are_rules_or_endpoints_that_obey_a_schema(tmp_path):
    path = tmp_path / "judges.yaml"
    path.write_text("judges:\n- {id: rules, kind: rules}\n- {id: llm, endpoint: 'http://h/v1', json_schema: false}\n")
    judges = load_judges(path, ["rules"])
    assert isinstance(judges["llm"], EndpointJudge) and not judges["llm"].json_schema
    assert EndpointJudge.model_validate(GOOD).json_schema
    path.write_text("judges:\n- {id: rules, kind: magic}\n- {id: x, endpoint: 'http://h', facts: {}}\n")
    with pytest.raises(
        RegistryError, match="(?s)judge 'rules': kind: is none of rules.*judge 'x': facts: unknown field"
    ):
        load_judges(path, ["rules"])


def test_a_key_is_in_no_repr_dump_or_pickle(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "  sk-secret-value \n")
    model = EndpointModel.model_validate(GOOD | {"api_key_env": "SOME_KEY"})
    key = read_key(model)
    assert key.headers() == {"Authorization": "Bearer sk-secret-value"}
    for shown in (repr(key), str(key), f"{key}", repr(model), model.model_dump_json()):
        assert "secret" not in shown
    with pytest.raises(TypeError, match="never pickled"):
        pickle.dumps(key)


def test_a_key_is_scrubbed_whole_in_any_case_and_before_an_error_is_cut():
    key = Key("sk-Abc/def+0123456789")
    assert key.scrub("so SK-ABC/DEF+0123456789 is") == "so [key removed] is"
    assert key.scrub_error("Bearer sk-Abc/def+0123456789, Bearer other!") == "[key removed], [key removed]"
    for start in range(LONGEST_ERROR - 30, LONGEST_ERROR):
        told = excerpt(b"x" * start + b" sk-Abc/def+0123456789", key)
        assert len(told) <= LONGEST_ERROR and "sk-" not in told


def test_an_excerpt_holds_nothing_that_a_terminal_obeys():
    assert excerpt(b"a\x1b[31m\x07\r\nb\x00\xc2\x9b\xe2\x80\xae c", Key(None)) == "a [31m b c"


def test_placeholder_keys_of_local_servers_do_not_spoil_answers():
    assert Key("EMPTY").scrub("An EMPTY cart") == "An EMPTY cart"
