"""An images/edits endpoint on loopback that really edits what it is sent, and ways for it to misbehave.

Built on the chat server of the evaluation tests, which speaks HTTP over a real socket and logs what it was asked.
"""

from __future__ import annotations

import base64
import email.policy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from email.parser import BytesParser

import numpy as np

from diffbench_assets.pairs.photographs.crops import Pixels, decode, encode
from diffbench_assets_tests.models.chat_server import Answer, Asked
from diffbench_assets_tests.pairs.photographs.scenes import rewrite, shift

_STRING = r'("(?:[^"\\]|\\.)*")'
_TEXT = re.compile(rf"that says {_STRING}.*?so that it says {_STRING}", re.DOTALL)
_MOVE = re.compile(r'Thing: "the (\w+) disc".*?clearly further (?:to the )?(left|right|up|down)', re.DOTALL)
DISTANCE = 90


@dataclass(frozen=True)
class Form:
    """A multipart request, taken apart."""

    fields: dict[str, str]
    image: bytes

    @property
    def pixels(self) -> Pixels:
        return decode(self.image)

    @property
    def texts(self) -> tuple[str, str]:
        """What the crop says, and what it is to say."""
        found = _TEXT.search(self.fields["prompt"])
        assert found, self.fields["prompt"]
        return json.loads(found[1]), json.loads(found[2])


def form(asked: Asked) -> Form:
    """The fields and the image of a request."""
    head = f"Content-Type: {asked.headers['content-type']}\r\n\r\n".encode()
    message = BytesParser(policy=email.policy.HTTP).parsebytes(head + asked.body)
    fields: dict[str, str] = {}
    image = b""
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        data = part.get_payload(decode=True)
        if name == "image":
            assert part.get_content_type() == "image/png" and part.get_filename()
            image = data
        else:
            assert name not in fields, f"{name} was sent twice"
            fields[name] = data.decode()
    return Form(fields, image)


def answer(image: bytes, **more: object) -> Answer:
    """A well-formed answer with one image."""
    document = {"created": 1, "data": [{"b64_json": base64.b64encode(image).decode()}], **more}
    return Answer(json.dumps(document).encode(), headers={"Content-Type": "application/json"})


def error(status: int, message: str, code: str | None = None, **headers: str) -> Answer:
    """An error in OpenAI's shape."""
    body = json.dumps({"error": {"message": message, "code": code, "type": "image_generation_user_error"}})
    return Answer(body.encode(), status, headers)


def edited(sent: Form) -> Pixels:
    """What a good model answers: the text rewritten, or the disc moved."""
    if moved := _MOVE.search(sent.fields["prompt"]):
        dx, dy = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}[moved[2]]
        return shift(sent.pixels, moved[1], dx * DISTANCE, dy * DISTANCE)
    return rewrite(sent.pixels, *sent.texts)


def good(asked: Asked) -> Answer:
    """Edits as asked."""
    return answer(encode(edited(form(asked))))


def then(change: Callable[[Pixels], Pixels]) -> Callable[[Asked], Answer]:
    """Edits as asked, and does `change` to the result."""
    return lambda asked: answer(encode(change(edited(form(asked)))))


def idle(asked: Asked) -> Answer:
    """The same image back."""
    return answer(form(asked).image)


def misspelt(asked: Asked) -> Answer:
    """Other text than was asked for."""
    sent = form(asked)
    old, _ = sent.texts
    return answer(encode(rewrite(sent.pixels, old, old[::-1])))


def spotted(pixels: Pixels) -> Pixels:
    """A dark spot in the top left corner."""
    result = pixels.copy()
    result[2:11, 2:13] = 30
    return result


def redrawn(pixels: Pixels) -> Pixels:
    """Drawn anew: other grain, a trace of compression."""
    noise = np.random.default_rng(5).normal(0, 2.5, pixels.shape)
    return np.clip(np.rint(pixels + noise), 0, 255).astype(np.uint8)
