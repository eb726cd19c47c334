"""From responses to verdict rows, whatever the protocol and whoever judges.

Belongs here: what a judge is, what is judged, and the rows. Does not belong here: how any judge decides
(`protocols/NAME/judges/`), or reading and writing tables.
"""

from __future__ import annotations

import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Final

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.outcomes import unscored_reason
from diffbench_assets.models.progress import Progress
from diffbench_assets.models.registry import EndpointJudge, Entry, RegistryError
from diffbench_assets.models.requests import Call
from diffbench_assets.models.run import Run
from diffbench_assets.protocols.asking import Item, Question, Row, grouped, item_id

MODEL = "model"
"""The kind of every entry of judges.yaml that has an endpoint."""

_NOTHING: Final[Row] = {"verdict": None, "matched": "", "hallucinations": [], "reasoning": "", "unscored_reason": None}
"""What a verdict says where nothing else is said."""


@dataclass(frozen=True)
class Subject:
    """What one verdict is about: a response, or several to one pair together, as rows of `schemas.RESPONSES`."""

    item_id: str
    responses: tuple[Mapping[str, Any], ...]

    @property
    def text(self) -> str:
        """The first answer."""
        return str(self.responses[0]["text"])

    @property
    def unscored_reason(self) -> str | None:
        """Why it may not be judged: what is wrong with one of the responses."""
        return next((reason for response in self.responses if (reason := unscored_reason(response))), None)


def in_both_orders(responses: Iterable[Row]) -> Iterator[Subject]:
    """Answers to a pair in forward and in backward order, together; both of the same repeat.

    The subject's id is that of the items with `both` in the place of their order.
    """
    waiting: dict[tuple[str, int], Row] = {}
    for response in responses:
        key = (response["pair_id"], response["repeat"])
        other = waiting.pop(key, None)
        if other is None:
            waiting[key] = response
        else:
            forward, backward = sorted((other, response), key=lambda row: row["order"], reverse=True)
            name = item_id(response["pair_id"], response["protocol"], "both", response["repeat"])
            yield Subject(name, (forward, backward))


class Judge(ABC):
    """A kind of judge. Each is a file of a protocol's folder `judges`, named for the kind, that holds it as JUDGE."""

    listed: ClassVar[bool] = True
    """Whether judges.yaml says that it judges; one that reads an answer key needs no saying."""

    asks_model: ClassVar[bool] = False

    @abstractmethod
    def version(self) -> str:
        """Hash of everything that decides."""

    @abstractmethod
    def verdict(self, subject: Subject, truth: Any, reply: str) -> Row:
        """Columns of the verdict row; `reply` is what a model said, and empty for a judge that asks none."""


class ModelJudge(Judge):
    """A judge that asks a model behind an endpoint, and reads its reply."""

    asks_model = True

    @abstractmethod
    def question(self, subject: Subject, truth: Any) -> Question:
        """What the model is asked about a subject."""


def judges_in(package: str) -> dict[str, Judge]:
    """The kinds of judges in a package, by name."""
    folder = import_module(package)
    names = sorted(module.name for module in pkgutil.iter_modules(folder.__path__))
    return {name: import_module(f"{package}.{name}").JUDGE for name in names}


def judges_of(kinds: Mapping[str, Judge], entries: Mapping[str, Entry]) -> dict[str, Judge]:
    """The judges of a protocol by id: entries of judges.yaml whose kind it has, and those that need no entry.

    Raises RegistryError for an entry with the id of one that needs none.
    """
    own = {kind: judge for kind, judge in kinds.items() if not judge.listed}
    if taken := sorted(own.keys() & entries.keys()):
        raise RegistryError(f"judges.yaml: judge {taken[0]!r}: id: is that of an answer key; choose another")
    kind_of = {name: getattr(entry, "kind", MODEL) for name, entry in entries.items()}
    listed = {name: kinds[kind] for name, kind in kind_of.items() if kind in kinds and kinds[kind].listed}
    return listed | own


def ask_judge(
    entry: EndpointJudge,
    judge: ModelJudge,
    groups: Mapping[str, tuple[Sequence[Subject], Mapping[str, Any]]],
    calls_of: Callable[[str, Iterable[Item]], Iterable[Call]],
    journal: Journal,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[tuple[str, list[Row]]]:
    """Raw judge replies of each group, as soon as its last one is there: one row for each subject that may be judged,
    in order. Raises Stopped, after the finished groups, when not all were asked.

    `groups` holds subjects and what is true of them by item id; `calls_of` puts the images in, where a question shows
    any.
    """
    asked: dict[str, dict[str, Subject]] = {}
    items: dict[str, list[Item]] = {}
    for group, (subjects, truth) in groups.items():
        of = {_judged_item(s): s for s in subjects if s.item_id in truth and s.unscored_reason is None}
        asked[group] = of
        items[group] = [
            Item(name, s.responses[0]["pair_id"], judge.question(s, truth[s.item_id])) for name, s in of.items()
        ]
    calls = (call for group, of in items.items() for call in calls_of(group, of))
    total = sum(map(len, items.values()))
    run = Run(entry, calls, journal, budget=budget, total=total, on_progress=on_progress)
    for group, replies in grouped(run, items):
        yield group, [{**reply.row(), **_identity(asked[group][reply.item_id]), "judge": entry.id} for reply in replies]


def verdicts(
    judge_id: str, judge: Judge, subjects: Iterable[Subject], truth: Mapping[str, Any], replies: Iterable[Row] = ()
) -> Iterator[Row]:
    """Verdict rows in order. What cannot be judged is unscored, with its reason; a subject without a truth, which is
    about something that is no longer there, has no row.

    `truth` is by item id; `replies` are those of a judge that asks a model.
    """
    version = judge.version()
    replied = {row["item_id"]: row for row in replies}
    for subject in subjects:
        if subject.item_id in truth:
            reply = replied.get(subject.item_id)
            reason = subject.unscored_reason or (_unread_reason(reply) if judge.asks_model else None)
            said = str(reply["text"]) if reply else ""
            found = {"unscored_reason": reason} if reason else judge.verdict(subject, truth[subject.item_id], said)
            yield {**_identity(subject), "judge": judge_id, "judge_prompt_sha256": version, **_NOTHING, **found}


def _unread_reason(reply: Row | None) -> str | None:
    if reply is None:
        return "judge: not asked"
    return None if reply["outcome"] == "completed" else f"judge: {reply['outcome']}"


def _identity(subject: Subject) -> Row:
    first = subject.responses[0]
    return {"item_id": subject.item_id} | {name: first[name] for name in ("pair_id", "model", "cell")}


def _judged_item(subject: Subject) -> str:
    return f"{subject.responses[0]['model']}:{subject.item_id}"
