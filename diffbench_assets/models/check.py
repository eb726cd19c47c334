"""Is this entry usable? One real request, and what is wrong in a sentence.

Belongs here: `check_model` and the hints it gives. Does not belong here: anything a run needs.
"""

from __future__ import annotations

import asyncio
import io
import re
import time
from dataclasses import dataclass

from PIL import Image

from diffbench_assets.models.clients import client_of
from diffbench_assets.models.failures import Failure
from diffbench_assets.models.keys import KeyProblem
from diffbench_assets.models.registry import Endpoint, Judge, Model
from diffbench_assets.models.replies import Answer
from diffbench_assets.models.requests import Call

COLOURS = ("red", "blue")
ANSWER_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}

_ONE_IMAGE = (
    r"\b(at most|only|more than|maximum( of| is|:)?|max( of|:)?|up to|exceeds?( the)?( limit of)?|limit( of| is|:)?) "
    r"(1|one|a single)( \w+)? images?\b"
    r"|\b(multiple|several|two|too many) images\b"
    r"|\b(1|one|a single) image (per|in (a|one|each)) (request|prompt|message)"
    r"|\bsingle.image\b|(number|count) of images"
)
_TOO_LARGE = (
    r"\b(image|picture|pixel|dimension|resolution|payload)\w*\b.*"
    r"(too (large|big|long|many (pixels|bytes))|larger than|exceed"
    r"|maximum (allowed )?(size|dimension|resolution|pixels))"
    r"|(too (large|big)|larger than|exceed\w*|maximum).*\b(image (size|dimension|resolution)|pixels)"
)
_HINTS = (
    (r"max_completion_tokens", "set sampling.max_tokens_name to max_completion_tokens"),
    (r"temperature", "set sampling.temperature to null if the model takes none"),
    (r"context (length|window|size)|maximum.*tokens|max_tokens", "lower sampling.max_tokens"),
    (
        _ONE_IMAGE,
        "at most one image a request is allowed here, and a pair needs two; raise the server's limit if it has one",
    ),
    (_TOO_LARGE, "the images are too large for this model or server"),
    (r"image|vision|multimodal|mmproj", "this model or server takes no images"),
    (r"response_format|json_schema|schema", "set json_schema to false"),
)
_BY_STATUS = {
    401: "the endpoint does not accept the key",
    402: "the account has no credit left",
    403: "the key may not use this model",
    413: "the images are too large for this server",
    404: "no such model or path; compare model and endpoint with what the server lists",
    429: "the endpoint says too many requests; the key works but its quota or rate is used up",
}


@dataclass(frozen=True)
class Diagnosis:
    """What one real request showed."""

    ok: bool
    sentence: str


def check_model(entry: Model | Judge, *, images: bool = True) -> Diagnosis:
    """Send `entry` one small request (two images, or with `images` false text alone) and say what came of it."""
    if entry.embedded:
        return Diagnosis(True, f"{entry.id} is embedded and needs no endpoint")
    return asyncio.run(_check(entry, images))


async def _check(endpoint: Endpoint, images: bool) -> Diagnosis:
    started = time.monotonic()
    try:
        async with client_of(endpoint) as client:
            answer = await client.attempt(client.prepare(_call(endpoint, images)))
    except KeyProblem as problem:
        return Diagnosis(False, str(problem))
    except Failure as failure:
        return Diagnosis(False, f"{endpoint.id}: {_explain(failure)}")
    return _judge(endpoint, answer, images, time.monotonic() - started)


def _call(endpoint: Endpoint, images: bool) -> Call:
    if endpoint.client == "image_edit":
        return Call("check", (_square(COLOURS[0]), f"Make this plain square {COLOURS[1]}."))
    if not images:
        return Call("check", ("Reply with the JSON object that says you are ready.",), response_schema=ANSWER_SCHEMA)
    question = "Here are two images, each of one plain colour. Name the colour of the first and of the second."
    return Call("check", (question, *(_square(colour) for colour in COLOURS)))


def _square(colour: str) -> bytes:
    png = io.BytesIO()
    Image.new("RGB", (64, 64), colour).save(png, "PNG")
    return png.getvalue()


def _explain(failure: Failure) -> str:
    message = str(failure)
    if failure.kind == "refused":
        return f"moderation stands in the way of this harmless question ({message})"
    if failure.status in _BY_STATUS:
        return f"{_BY_STATUS[failure.status]} ({message})"
    for pattern, hint in _HINTS:
        if failure.status is not None and failure.status >= 400 and re.search(pattern, message, re.IGNORECASE):
            return f"{hint} ({message})"
    return message


def _judge(endpoint: Endpoint, answer: Answer, images: bool, seconds: float) -> Diagnosis:
    facts = f"{endpoint.id} answers in {seconds:.1f} s"
    if answer.input_tokens is None or answer.output_tokens is None:
        facts += "; it reports no token counts, so costs stay unknown"
    if answer.outcome == "truncated":
        return Diagnosis(False, f"{facts}, but sampling.max_tokens ended even this short answer; raise it")
    if answer.outcome != "completed":
        return Diagnosis(False, f"{facts}, but with outcome {answer.outcome} to a harmless question")
    said = (answer.text or "").lower()
    if answer.image is None and images and not all(colour in said for colour in COLOURS):
        return Diagnosis(False, f"{facts}, but did not name the colours of two plain images: it may not see them")
    return Diagnosis(True, facts)
