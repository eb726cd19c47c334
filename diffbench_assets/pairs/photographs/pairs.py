"""Edited pairs from photographs: choose an edit, ask for it, verify it, and say with claims what changed.

Belongs here: the order of these steps, and the count of what was dropped and why. Does not belong here: the steps, and
where photographs come from or pairs go to.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import Any, Final

from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import Budget
from diffbench_assets.models.registry import Endpoint
from diffbench_assets.models.retry import DEFAULT_POLICY, RetryPolicy
from diffbench_assets.models.run import Run
from diffbench_assets.pairs.categories import dimensions_of
from diffbench_assets.pairs.grammar import Claim, describe
from diffbench_assets.pairs.made import Difference, MadePair
from diffbench_assets.pairs.naming import location
from diffbench_assets.pairs.photographs import position_edits, text_edits
from diffbench_assets.pairs.photographs.check import Moved, move_problem, text_problem
from diffbench_assets.pairs.photographs.crops import (
    PADDING,
    BadImage,
    Box,
    Pixels,
    decode,
    encode,
    paste,
    size_of,
)
from diffbench_assets.pairs.photographs.editor import EditAnswer, ImageEditor
from diffbench_assets.pairs.photographs.ocr import Reader, Text, editable, reads_as, subjects
from diffbench_assets.pairs.record import EndpointEdit

TRIES: Final = 2
"""Text edits that are asked for, at most, until one of a photograph comes out well."""

Seed = tuple[str, bytes]
"""Id and bytes (PNG, JPEG or WebP) of a photograph."""


_Result = tuple[MadePair | None, list[str]]


def text_edit_pairs(
    seeds: Iterable[Seed], editor: ImageEditor, reader: Reader, *, seed: int = 0, counts: Counter[str] | None = None
) -> Iterator[MadePair]:
    """One pair for each photograph with text of which an edit comes out well, in the order of `seeds`.

    `counts` gains "accepted" and, for each photograph or edit that was dropped, the reason: bad_seed, no_text, an
    outcome of the client, changed_elsewhere, or text_not_read_back. Raises StoreError, KeyProblem and UserError.
    """

    async def make(name: str, data: bytes) -> _Result:
        return await _text_pair(name, data, editor, reader, seed)

    return _in_order(make, seeds, editor, counts)


def position_edit_pairs(
    seeds: Iterable[Seed],
    proposals: Mapping[str, str | None],
    editor: ImageEditor,
    *,
    counts: Counter[str] | None = None,
) -> Iterator[MadePair]:
    """One pair for each photograph whose first proposed move comes out well, in the order of `seeds`.

    `proposals` are the replies of `ask_proposals`. `counts` gains "accepted" and the reasons of what was dropped:
    bad_seed, no_proposals, bad_proposals, an outcome of the client, or a problem that `check.move_problem` names.
    """

    async def make(name: str, data: bytes) -> _Result:
        return await _position_pair(name, data, proposals.get(name), editor)

    return _in_order(make, seeds, editor, counts)


def ask_proposals(
    seeds: Iterable[Seed],
    model: Endpoint,
    journal: Journal | None = None,
    *,
    budget: Budget | None = None,
    policy: RetryPolicy = DEFAULT_POLICY,
) -> dict[str, str | None]:
    """The raw replies of `model` about what could be moved, by seed; None where it completed none."""
    calls = (
        position_edits.proposal_call(name, encode(pixels))
        for name, data in seeds
        if (pixels := _pixels(data)) is not None
    )
    replies = Run(model, calls, journal, budget=budget, policy=policy)
    return {reply.item_id: reply.text if reply.outcome == "completed" else None for reply in replies}


async def _text_pair(name: str, data: bytes, editor: ImageEditor, reader: Reader, seed: int) -> _Result:
    if (source := _pixels(data)) is None:
        return None, ["bad_seed"]
    size = size_of(source)
    texts = editable(await asyncio.to_thread(reader.read, source), size)
    edits = text_edits.possible_edits([text.text for text in texts], seed, name)
    if not edits:
        return None, ["no_text"]
    dropped: list[str] = []
    for edit in edits[:TRIES]:
        text = texts[edit.index]
        crop = text.box.grown(PADDING, size)
        prompt = text_edits.edit_prompt(edit)
        answer = await editor.edit(encode(source[crop.slices]), prompt)
        if answer.pixels is None:
            dropped.append(answer.outcome)
            continue
        if problem := text_problem(source[crop.slices], answer.pixels, text.box.within(crop)):
            dropped.append(problem)
            continue
        after = paste(source, answer.pixels, crop)
        if not reads_as(await asyncio.to_thread(reader.read, after), text.box, edit.after):
            dropped.append("text_not_read_back")
            continue
        named = subjects(texts, size)
        claims = {other: Claim(named[other.index], "reads", other.before, other.after) for other in edits}
        record = {
            **_record(editor, answer, f"text_{edit.kind}", text_edits.edit_prompt_sha256()),
            "crop": list(crop),
            "text_box": list(text.box),
        }
        difference = _text_difference(text, edit, claims[edit], size, record)
        return _pair(name, source, after, difference, list(claims.values())), dropped
    return None, dropped


async def _position_pair(name: str, data: bytes, reply: str | None, editor: ImageEditor) -> _Result:
    if (source := _pixels(data)) is None:
        return None, ["bad_seed"]
    if reply is None:
        return None, ["no_proposals"]
    try:
        moves = position_edits.parse_proposals(reply)
    except position_edits.BadProposals:
        return None, ["bad_proposals"]
    move = moves[0]
    answer = await editor.edit(encode(source), position_edits.move_prompt(move))
    if answer.pixels is None:
        return None, [answer.outcome]
    moved = await asyncio.to_thread(move_problem, source, answer.pixels, move.direction)
    if not isinstance(moved, Moved):
        return None, [moved]
    record = {
        **_record(editor, answer, "position", position_edits.move_prompt_sha256()),
        "proposal_prompt_sha256": position_edits.proposal_prompt_sha256(),
        "moves": [proposal.model_dump() for proposal in moves],
        "regions": [list(region) for region in moved.regions],
    }
    difference = _position_difference(move, moved, size_of(source), record)
    return _pair(name, source, answer.pixels, difference, [proposal.claim for proposal in moves]), []


def _pair(name: str, before: Pixels, after: Pixels, difference: Difference, claims: list[Claim]) -> MadePair:
    possible = tuple(dict.fromkeys(either for one in claims for either in (one, one.reversed())))
    # One encoder makes both files, so that nothing but pixels can tell them apart.
    return MadePair("photographs", name, encode(before), encode(after), (difference,), difference.steps, possible)


def _record(editor: ImageEditor, answer: EditAnswer, kind: str, prompt_sha256: str) -> dict[str, Any]:
    return {
        "edit": kind,
        "prompt_sha256": prompt_sha256,
        "model": editor.endpoint.id,
        "request_sha256": answer.request_sha256,
        "resized_from": list(answer.resized_from) if answer.resized_from else None,
    }


def _text_difference(
    text: Text, edit: text_edits.TextEdit, claim: Claim, size: tuple[int, int], record: dict[str, Any]
) -> Difference:
    return Difference(
        kind="ocr",
        claim=claim,
        description=describe(claim.subject, [claim]),
        dimensions=dimensions_of("ocr", claim.change),
        target={"tag": None, "role": "text", "text": edit.before, "location": location(text.box.xywh, size)},
        property="text",
        before=edit.before,
        after=edit.after,
        box=text.box.xywh,
        steps=(EndpointEdit(record),),
    )


def _position_difference(
    move: position_edits.Move, moved: Moved, size: tuple[int, int], record: dict[str, Any]
) -> Difference:
    lefts, tops, rights, bottoms = zip(*moved.regions, strict=True)
    box = Box(min(lefts), min(tops), max(rights), max(bottoms))
    along = moved.dx if move.direction in {"left", "right"} else moved.dy
    # Where the thing still overlaps its old place, the edges tell which way it went but not exactly how far.
    apart = len(moved.regions) > 1
    return Difference(
        kind="position",
        claim=move.claim,
        description=describe(move.claim.subject, [move.claim]),
        dimensions=dimensions_of("position", move.claim.change),
        target={"tag": None, "role": None, "text": move.claim.subject, "location": location(box.xywh, size)},
        property="position",
        direction=1 if along > 0 else -1,
        magnitude=round(abs(along), 1) if apart else None,
        unit="px" if apart else None,
        box=box.xywh,
        steps=(EndpointEdit(record),),
    )


def _pixels(data: bytes) -> Pixels | None:
    try:
        return decode(data)
    except BadImage:
        return None


def _in_order(
    make: Callable[[str, bytes], Coroutine[Any, Any, _Result]],
    seeds: Iterable[Seed],
    editor: ImageEditor,
    counts: Counter[str] | None,
) -> Iterator[MadePair]:
    """Makes pairs of several photographs at once and yields them in their order, counting as it goes.

    The event loop has a thread of its own: requests keep moving while the consumer writes a file.
    """
    counts = Counter() if counts is None else counts
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="image edits", daemon=True)
    thread.start()

    def wait(coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, loop).result()

    try:
        wait(editor.__aenter__())
        running: deque[Any] = deque()
        for name, data in seeds:
            running.append(asyncio.run_coroutine_threadsafe(make(name, data), loop))
            if len(running) > editor.endpoint.concurrency:
                yield from _counted(running.popleft().result(), counts)
        while running:
            yield from _counted(running.popleft().result(), counts)
    finally:
        wait(_stop(editor))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _counted(result: _Result, counts: Counter[str]) -> Iterator[MadePair]:
    pair, dropped = result
    counts.update(dropped)
    if pair is not None:
        counts["accepted"] += 1
        yield pair


async def _stop(editor: ImageEditor) -> None:
    """Ends what an early leave or an error left running, then the connections."""
    here = asyncio.current_task()
    left = [task for task in asyncio.all_tasks() if task is not here]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await editor.__aexit__(None, None, None)
    await asyncio.get_running_loop().shutdown_default_executor()
