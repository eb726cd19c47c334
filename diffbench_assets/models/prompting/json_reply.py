"""Replies that must be one JSON object, read strictly, whatever they are about.

Belongs here: what counts as one object, and what is said of a reply that is none. Does not belong here: which fields it
needs, and what follows from them.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)

_PREAMBLE: Final = re.compile(r"\A(?:\s+|\ufeff|(?://|:)[^\r\n]*|/\*.*?\*/)*+", re.DOTALL)
_FENCE: Final = re.compile(r"(`{3,}|~{3,})[ \t]*(?:json[c5]?)?[ \t]*(?:\r\n?|\n)", re.IGNORECASE)


class Unparseable(ValueError):
    """A reply that is not what was asked for; the message says why."""


def without_preamble(text: str) -> str:
    """`text` without what may stand before JSON: white space, byte order marks, comments (event streams' as well)."""
    return _PREAMBLE.sub("", text, count=1).rstrip()


def unfenced(reply: str) -> str:
    """The reply without a preamble and without a markdown fence around the whole of it."""
    body = without_preamble(reply)
    if (fence := _FENCE.match(body)) and body.endswith(fence[1]):
        inside = body[fence.end() : -len(fence[1])].rstrip(" \t")
        return without_preamble(inside) if inside.endswith(("\n", "\r")) else body
    return body


def json_value(reply: str) -> Any:
    """The JSON value that a reply is: nothing around it but a markdown fence and comments before it, no field twice,
    no NaN.

    Raises Unparseable for anything else: nothing is guessed, mended or read in part.
    """
    try:
        return json.loads(unfenced(reply), object_pairs_hook=_once, parse_constant=_constant)
    except Unparseable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unparseable(f"not one JSON object ({type(error).__name__})") from error


def read_as(model: type[Model], reply: str) -> Model:
    """`json_value` as a `model`. Raises Unparseable, naming the first field that is wrong."""
    try:
        return model.model_validate(json_value(reply))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80] or "the reply"
        raise Unparseable(f"{where}: {first['msg']}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise Unparseable("a field stands twice")
    return dict(pairs)


def _constant(name: str) -> Any:
    raise Unparseable(f"{name} is not JSON")
