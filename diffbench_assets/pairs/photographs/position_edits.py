"""Where a thing in a photograph could be moved: proposals of a model that sees it, and the words that ask for one.

Belongs here: the question to that model, the strict reading of its reply, and the edit prompt (VDiff-Bench A.3). Does
not belong here: asking (`models/` and `editor.py`), and whether a thing did move (`check.py`).
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError, field_validator

from diffbench_assets.models.prompting.json_reply import unfenced
from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.models.requests import Call
from diffbench_assets.pairs.grammar import Claim

PROPOSALS: Final = 5
"""Moves that are proposed for an image; the first one is made (VDiff-Bench A.3)."""

LEAST_OBJECTS: Final = 3
"""Different things among them, so that false statements name other things too."""

LONGEST_REPLY: Final = 20_000
_PROPOSE = "image_edit/propose_moves.j2"
_MOVE = "image_edit/move.j2"

Direction = Literal["left", "right", "up", "down"]


def _one_line(text: str) -> str:
    if not text.isprintable() or set(text) & set("“”"):
        raise ValueError("must be one line of plain text, without curly quotes")
    return text


_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_one_line)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Move(_Strict):
    """One thing and where it goes, as the photograph is seen."""

    object: Annotated[_Line, StringConstraints(pattern=r"^the \S", max_length=80)]
    direction: Direction
    instruction: Annotated[_Line, StringConstraints(max_length=400)]

    @property
    def claim(self) -> Claim:
        """What is true when the move was made."""
        return Claim(self.object.rstrip(" ."), f"moved_{self.direction}")


class _Proposals(_Strict):
    moves: list[Move]

    @field_validator("moves")
    @classmethod
    def _are_as_many_and_different(cls, moves: list[Move]) -> list[Move]:
        if len(moves) != PROPOSALS:
            raise ValueError(f"{len(moves)} moves, not {PROPOSALS}")
        if len({move.claim for move in moves}) < len(moves):
            raise ValueError("the same thing and direction twice")
        if len({move.claim.subject for move in moves}) < LEAST_OBJECTS:
            raise ValueError(f"fewer than {LEAST_OBJECTS} different things")
        return moves


class BadProposals(ValueError):
    """A reply that does not hold the moves asked for."""


def proposal_call(seed_id: str, image: bytes) -> Call:
    """The question about one photograph (PNG bytes); its item is the seed."""
    prompt = render(_PROPOSE, count=PROPOSALS, different=LEAST_OBJECTS)
    return Call(seed_id, (image, prompt), response_schema=_schema())


def parse_proposals(reply: str) -> tuple[Move, ...]:
    """The moves of a reply: one JSON object, with or without a markdown fence around it. Raises BadProposals."""
    if len(reply.strip()) > LONGEST_REPLY:
        raise BadProposals("the reply is too long")
    try:
        return tuple(_Proposals.model_validate_json(unfenced(reply)).moves)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadProposals(f"{where}: {first['msg']}" if where else first["msg"]) from None


def move_prompt(move: Move) -> str:
    """What the image-edit model is asked about the whole photograph. A model's words stand as JSON strings."""
    thing, instruction = (json.dumps(text, ensure_ascii=False) for text in (move.object, move.instruction))
    sideways = move.direction in {"left", "right"}
    toward = f"to the {move.direction}" if sideways else move.direction
    level = "height in the picture" if sideways else "distance from the left and right edges"
    return render(_MOVE, object=thing, instruction=instruction, toward=toward, level=level)


def move_prompt_sha256() -> str:
    """Version of the edit prompt."""
    return template_sha256(_MOVE)


def proposal_prompt_sha256() -> str:
    """Version of the question for proposals."""
    return template_sha256(_PROPOSE)


def _schema() -> dict[str, Any]:
    """For endpoints that obey one; `parse_proposals` is stricter."""
    fields = {"object": {"type": "string"}, "instruction": {"type": "string"}}
    direction = {"type": "string", "enum": ["left", "right", "up", "down"]}
    move = {
        "type": "object",
        "properties": {"object": fields["object"], "direction": direction, "instruction": fields["instruction"]},
        "required": ["object", "direction", "instruction"],
        "additionalProperties": False,
    }
    moves = {"type": "array", "items": move}
    return {"type": "object", "properties": {"moves": moves}, "required": ["moves"], "additionalProperties": False}
