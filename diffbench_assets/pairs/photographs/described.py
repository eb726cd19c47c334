"""Pairs of images that come without records: one model writes how they differ, another one checks it (VDiff-Bench
§3.2.2, where two experts do).

Belongs here: finding such pairs, both requests, and what their replies make of a pair. Does not belong here: false
statements, what people decide about statements (multiple choice).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from diffbench_assets.errors import UserError
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.prompting.fencing import answer_fence, inert_text
from diffbench_assets.models.prompting.json_reply import Unparseable, read_as
from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.models.registry import EndpointModel
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run, raise_if_stopped
from diffbench_assets.pairs.categories import CATEGORIES
from diffbench_assets.pairs.made import Difference, MadePair, png
from diffbench_assets.pairs.photographs.seed_images import MAX_SIDE, SUFFIXES, decode
from diffbench_assets.pairs.record import Given

MOST: Final = 12
"""Differences that a model may name. Ours."""

LONGEST: Final = 240

_WRITE: Final = "image_pairs/write.j2"
_CHECK: Final = "image_pairs/check.j2"
_SIDE: Final = re.compile(r"(.+)[-_](before|after)", re.IGNORECASE)
_FORM: Final = re.compile(r"[A-Z0-9“\"].* in image B\.|In image B, .+\.")


@dataclass(frozen=True)
class ImagePair:
    """Two images of one size as PNG bytes. `pair_id` is a hash of both files, wherever they lie."""

    pair_id: str
    origin: str
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    size: tuple[int, int]
    """Width and height in pixels."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Difference(_Strict):
    text: str
    category: str

    @field_validator("category")
    @classmethod
    def _is_known(cls, name: str) -> str:
        if name not in CATEGORIES:
            raise ValueError(f"no category {name!r}")
        return name


class _Written(_Strict):
    differences: list[_Difference] = Field(max_length=MOST)


class _Check(_Strict):
    number: int
    verdict: Literal["supported", "rewritten", "unsupported"]
    text: str


class _Checked(_Strict):
    checks: list[_Check]
    missing: list[str] = Field(max_length=MOST)


@dataclass(frozen=True)
class Told:
    """What two models say of a pair: (text, category) of each difference that both see, and what is told besides."""

    differences: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]


def described_sha256() -> tuple[str, str]:
    """Versions of both requests: hashes of their templates."""
    return template_sha256(_WRITE), template_sha256(_CHECK)


def pair_ids(folder: str | Path) -> list[str]:
    """The ids of the pairs that `read_image_pairs` finds, without decoding any; raises as it does."""
    return [_pair_id(before, after) for before, after in _files(folder)]


def read_image_pairs(folder: str | Path) -> Iterator[ImagePair]:
    """The pairs NAME-before.SUFFIX and NAME-after.SUFFIX of a folder and all below it, in the order of their paths.

    Raises UserError where there are none, one lacks the other, they cannot be read, or differ in size.
    """
    for before, after in _files(folder):
        one, two = (decode(path.read_bytes(), str(path), MAX_SIDE) for path in (before, after))
        if one.shape != two.shape:
            raise UserError(f"{before} and {after} differ in size: the two images of a pair must not")
        name = before.relative_to(folder).as_posix()
        yield ImagePair(_pair_id(before, after), name, png(one), png(two), (one.shape[1], one.shape[0]))


def _files(folder: str | Path) -> list[tuple[Path, Path]]:
    sides: dict[Path, dict[str, Path]] = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix.lower() in SUFFIXES and (found := _SIDE.fullmatch(path.stem)):
            sides.setdefault(path.with_name(found[1]), {})[found[2].lower()] = path
    if not sides:
        raise UserError(f"no image pairs in {folder}: name them NAME-before.png and NAME-after.png")
    if alone := next((of for of in sides.values() if len(of) == 1), None):
        raise UserError(f"{next(iter(alone.values()))}: the other image of the pair is missing")
    return [(of["before"], of["after"]) for of in sides.values()]


def _pair_id(before: Path, after: Path) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(p.read_bytes()).digest() for p in (before, after))).hexdigest()[:16]


def told_of(
    images: Callable[[], Iterable[ImagePair]],
    writer: EndpointModel,
    checker: EndpointModel,
    journals: Path,
    budget_calls: int | None = None,
) -> tuple[dict[str, Told], Counter[str]]:
    """What both models say of every pair, by its id, and what became of their statements.

    Finished replies are in `journals`. Raises Stopped.
    """
    budget, counts = Budget(calls=budget_calls), Counter[str]()
    with Journal(journals / f"written-{writer.id}.jsonl") as journal:
        replies = _ask(writer, (write_call(pair) for pair in images()), journal, budget)
    written = {pair_id: _read_written(text, counts) for pair_id, text in replies.items()}
    asked = (
        check_call(pair, [text for text, _ in written[pair.pair_id]]) for pair in images() if written[pair.pair_id]
    )
    with Journal(journals / f"checked-{checker.id}.jsonl") as journal:
        checks = _ask(checker, asked, journal, budget)
    return {of: _read_checked(checks.get(of), statements, counts) for of, statements in written.items()}, counts


def described_pairs(
    category: str,
    images: Callable[[], Iterable[ImagePair]],
    told: Mapping[str, Told],
    writer: EndpointModel,
    checker: EndpointModel,
) -> Iterator[MadePair]:
    """The pairs whose first difference is of `category`, in the order of `images`.

    A pair without a difference that both models see is left out.
    """
    for pair in images():
        said = told[pair.pair_id]
        if said.differences and said.differences[0][1] == category:
            yield _made(pair, said, writer, checker)


def _ask(model: EndpointModel, calls: Iterable[Call], journal: Journal, budget: Budget) -> dict[str, str | None]:
    run = Run(model, calls, journal, budget=budget)
    replies = {reply.item_id: reply.text if reply.outcome == "completed" else None for reply in run}
    raise_if_stopped(run)
    return replies


def write_call(pair: ImagePair) -> Call:
    """The request for all differences of a pair."""
    prompt = render(_WRITE, most=MOST, categories=tuple(CATEGORIES))
    return Call(pair.pair_id, (pair.before, pair.after, prompt), response_schema=_Written.model_json_schema())


def check_call(pair: ImagePair, texts: Sequence[str]) -> Call:
    """The request to check `texts`, each by its number from 1; they are a model's words and fenced as data."""
    listed = inert_text(json.dumps(dict(enumerate(texts, 1)), ensure_ascii=False, indent=1))
    prompt = render(_CHECK, most=MOST, statements=listed, fence=answer_fence(listed))
    return Call(pair.pair_id, (pair.before, pair.after, prompt), response_schema=_Checked.model_json_schema())


def _read_written(reply: str | None, counts: Counter[str]) -> list[tuple[str, str]]:
    """(text, category) of each statement that has the form asked for, each once."""
    try:
        listed = read_as(_Written, reply or "").differences
    except Unparseable:
        counts["image pair whose differences nobody wrote"] += 1
        return []
    formed = {text: each.category for each in listed if _is_formed(text := each.text.strip())}
    counts["statement of another form"] += len(listed) - len(formed)
    return list(formed.items())


def _read_checked(reply: str | None, written: Sequence[tuple[str, str]], counts: Counter[str]) -> Told:
    if not written:
        return Told((), ())
    try:
        checked = read_as(_Checked, reply or "")
    except Unparseable:
        counts["image pair that nobody checked"] += 1
        return Told((), ())
    by_number = {check.number: check for check in checked.checks}
    kept: dict[str, str] = {}
    for number, (text, category) in enumerate(written, 1):
        check = by_number.get(number)
        verdict = check.verdict if check else "unsupported"
        if check and verdict == "rewritten":
            text = check.text.strip()
            verdict = verdict if _is_formed(text) else "unsupported"
        counts[f"statement {verdict}"] += 1
        if verdict != "unsupported":
            kept.setdefault(text, category)
    return Told(tuple(kept.items()), tuple(text.strip() for text in checked.missing if _is_formed(text.strip())))


def _is_formed(text: str) -> bool:
    return len(text) <= LONGEST and text.isprintable() and _FORM.fullmatch(text) is not None


def _made(pair: ImagePair, told: Told, writer: EndpointModel, checker: EndpointModel) -> MadePair:
    facts: Mapping[str, Any] = {"file": pair.origin, "written_by": writer.id, "checked_by": checker.id}
    steps, (width, height) = (Given(facts),), pair.size

    def difference(text: str, category: str, role: Literal["report", "ignore"], origin: str) -> Difference:
        return Difference(
            kind=category,
            claim=None,
            description=text,
            dimensions=CATEGORIES[category].dimensions if category in CATEGORIES else (),
            target={"tag": None, "role": "image", "text": "", "location": None},
            property="",
            box=(0.0, 0.0, float(width), float(height)),
            steps=steps,
            role=role,
            origin=origin,
        )

    both = f"{writer.id}, checked by {checker.id}"
    differences = [difference(text, category, "report", both) for text, category in told.differences]
    # What one model alone sees is not asked about, but nothing like it may pass for false.
    differences += [difference(text, "unconfirmed", "ignore", checker.id) for text in told.missing]
    return MadePair("described", pair.pair_id, pair.before, pair.after, tuple(differences), steps, ())
