"""`diffbench models check`: one real request, and a sentence that says what is wrong."""

from __future__ import annotations

import pytest

from diffbench_assets.models.check import check_model
from diffbench_assets.models.registry import BaselineModel, EndpointJudge
from diffbench_assets_tests.models.chat_server import Answer, ChatServer, completion, error
from diffbench_assets_tests.models.helpers import endpoint


@pytest.mark.parametrize(
    ("answer", "ok", "says"),
    [
        (completion("Red, then blue."), True, "answers in"),
        (completion("Red, then blue.", usage=None), True, "no token counts"),
        (completion("I see no pictures."), False, "may not see them"),
        (completion("Re", "length"), False, "sampling.max_tokens ended even this short answer"),
        (completion(""), False, "outcome empty"),
        (error(401, "bad key"), False, "does not accept the key (HTTP 401: bad key)"),
        (error(402, "pay"), False, "no credit"),
        (error(403, "no"), False, "may not use this model"),
        (error(404, "model not found"), False, "no such model or path"),
        (error(429, "quota"), False, "too many requests"),
        (error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'"), False, "max_tokens_name"),
        (error(400, "temperature must be 1"), False, "sampling.temperature"),
        (error(400, "At most 0 image(s) may be provided"), False, "takes no images"),
        (error(400, "At most 1 image(s) may be provided in one request."), False, "at most one image"),
        (error(400, "You may only send one image per request"), False, "at most one image"),
        (error(422, "This model does not support multiple images"), False, "at most one image"),
        (error(400, "Image dimensions exceed the maximum allowed size: 8000 pixels"), False, "too large"),
        (error(400, "messages.0.content.1: image exceeds 5 MB maximum"), False, "too large"),
        (error(413, "Payload Too Large"), False, "too large"),
        (error(400, "This model does not support image input"), False, "takes no images"),
        (error(400, "Invalid content type. image_url is only supported by certain models"), False, "takes no images"),
        (error(403, "Your input was flagged"), False, "moderation stands in the way"),
        (error(500, "image input is not supported - you may need the mmproj"), False, "takes no images"),
        (error(500, "out of memory"), False, "HTTP 500: out of memory"),
        (Answer(b"<html>proxy</html>"), False, "not JSON"),
        (Answer(b"", 302), False, "redirects"),
        (Answer(hang=True), False, "no full answer within the time limit"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_diagnosis_says_what_is_wrong(answer, ok, says):
    with ChatServer(lambda asked: answer) as server:
        diagnosis = check_model(endpoint(server.url, timeout_s=0.5 if answer.hang else 10))
        assert len(server.log) == 1 and len(server.log[0].images) == 2
    assert (diagnosis.ok, says in diagnosis.sentence) == (ok, True), diagnosis.sentence


def test_a_host_that_does_not_exist_is_told_apart_from_a_closed_port_and_from_wrong_tls():
    with ChatServer() as server:
        plain = server.url
        assert "TLS failed" in check_model(endpoint(plain.replace("http:", "https:"))).sentence
    assert "connection refused" in check_model(endpoint(plain)).sentence
    assert "does not resolve" in check_model(endpoint("http://no-such-host.invalid/v1")).sentence


def test_a_missing_key_is_told(monkeypatch):
    monkeypatch.delenv("SOME_KEY", raising=False)
    assert "SOME_KEY is not set" in check_model(endpoint("http://127.0.0.1:1", api_key_env="SOME_KEY")).sentence


def test_a_judge_is_asked_with_text_and_a_schema():
    with ChatServer(lambda asked: completion('{"ready": true}')) as server:
        judge = EndpointJudge.model_validate({"id": "judge", "endpoint": server.url})
        assert check_model(judge, images=False).ok
        assert isinstance(server.log[0].content, str)
        assert server.log[0].document["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    ("answer", "ok", "says"),
    [
        (Answer(b'{"data": [{"b64_json": "iVBORw0KGgo="}]}'), True, "answers in"),
        (Answer(b'{"data": [{"b64_json": "%"}]}'), False, "outcome empty"),
        (error(404, "no such path"), False, "no such model or path"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_image_model_is_asked_for_an_edit(answer, ok, says):
    with ChatServer(lambda asked: answer) as server:
        diagnosis = check_model(endpoint(server.url, client="image_edit"))
        (asked,) = server.log
        assert asked.headers["content-type"].startswith("multipart/form-data") and b"image/png" in asked.body
    assert (diagnosis.ok, says in diagnosis.sentence) == (ok, True), diagnosis.sentence


def test_an_embedded_entry_needs_no_request():
    assert check_model(BaselineModel(id="pixel_diff", baseline="pixel_diff")).ok
