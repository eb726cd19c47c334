"""Records: the list of steps that made a pair's images, as JSON.

Belongs here: the shape of each kind of step, and what steps on HTML do to a page. Those (`mutation`, `page_edit`) come
before steps on pixels (`transform`), whose doing is in `pixel_steps.py`. Does not belong here: rendering (`replay.py`),
comparing with what is stored (`verify.py`), which steps are worth taking (the pair makers).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

from diffbench_assets.pairs.edits import Edit, apply_to_html

NOTHING: Final = "[]"
"""The record of two renders of one page."""

Mechanism = Literal["class_swap", "inline", "text_node"]

Seed = Literal["before", "after", "neither"]
"""Which image of a pair is the one that a transform was applied to; neither where both were made from it."""


@dataclass(frozen=True)
class Mutation:
    """One change of one property of one element, of known size.

    `axis`: where the children of a container are distributed along it, which way its main axis runs from start to end:
    right, left, down or up; else empty.
    """

    operator: str
    tier: str
    selector: str
    mechanism: Mechanism
    edits: tuple[Edit, ...]
    property: str
    before: str
    after: str
    direction: int
    magnitude: float
    magnitude_unit: str
    element: dict[str, str] = field(default_factory=dict)
    axis: str = ""


@dataclass(frozen=True)
class PageEdit:
    """Edits of a page that have a meaning together, of one category."""

    category: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Transformation:
    """A transform of a whole image: what `seed` makes of the row of `change` at `strength`.

    `parameters` are what the seed drew, `profile` the changes that it was chosen from (`transforms/profiles.py`).
    `still`: the image before, where the transform makes one, is shown twice.
    """

    transform: str
    change: str
    strength: float
    seed: tuple[Any, ...]
    parameters: Mapping[str, Any]
    applied_to: Seed = "before"
    profile: str = "extended"
    still: bool = False


@dataclass(frozen=True)
class EndpointEdit:
    """What an image-edit endpoint was asked, and where: its answer cannot be made again."""

    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Given:
    """Both images came as they are, and who said how they differ: there is nothing to make again."""

    facts: Mapping[str, Any]


Step = Mutation | PageEdit | Transformation | EndpointEdit | Given
_KINDS: Final[Mapping[str, type[Any]]] = {
    "mutation": Mutation,
    "page_edit": PageEdit,
    "transform": Transformation,
    "endpoint_edit": EndpointEdit,
    "given": Given,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def dumps(steps: Iterable[Step]) -> str:
    """The JSON record; keys sorted, so that equal steps have equal records."""
    listed = [{"step": _NAMES[type(step)], **asdict(step)} for step in steps]
    return json.dumps(listed, sort_keys=True, ensure_ascii=False)


def loads(record: str) -> tuple[Step, ...]:
    """The steps of a JSON record. Raises ValueError when it is not one of ours."""
    try:
        listed = json.loads(record)
        if not isinstance(listed, list):
            raise ValueError("no list of steps")
        steps = tuple(_step(dict(values)) for values in listed)
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"not a record: {record[:80]!r} ({error})") from error
    on_html = [isinstance(step, Mutation | PageEdit) for step in steps]
    if on_html != sorted(on_html, reverse=True):
        raise ValueError(f"not a record: {record[:80]!r} (a step on HTML after one on pixels)")
    return steps


def _step(values: dict[str, Any]) -> Step:
    kind = _KINDS[values.pop("step")]
    if "edits" in values:
        values["edits"] = tuple(Edit(**edit) for edit in values["edits"])
    if "seed" in values:
        values["seed"] = tuple(values["seed"])
    step: Step = kind(**values)
    return step


def html_edits(steps: Iterable[Step]) -> list[Edit]:
    """The edits of the steps on HTML, in order."""
    return [edit for step in steps if isinstance(step, Mutation | PageEdit) for edit in step.edits]


def edited(steps: Iterable[Step], html: str) -> str:
    """The after page: what the steps on HTML make of the stored page. Raises UnresolvedSelector."""
    return apply_to_html(html, html_edits(steps))


def pixel_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that act on images."""
    return tuple(step for step in steps if not isinstance(step, Mutation | PageEdit))


def still(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The steps that make the image before of these steps, twice."""
    return tuple(
        replace(step, applied_to="neither", still=True)
        for step in steps
        if isinstance(step, Transformation) and step.applied_to != "before"
    )
