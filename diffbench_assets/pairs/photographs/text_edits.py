"""What a text in a photograph could be made to read instead: the four edits of VDiff-Bench (A.3).

Belongs here: drawing possible edits from the texts of one image, and the words that ask for one. Does not belong here:
finding the texts (`ocr.py`), and whether an edit came out well (`check.py`).

All possible edits come from one draw, and the one that is made is one of them: nothing in its form gives it away.
"""

from __future__ import annotations

import json
import string
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar, get_args

from diffbench_assets.models.prompting.templates import render, template_sha256
from diffbench_assets.pairs.photographs.ocr import normalised
from diffbench_assets.seeds import rng

_T = TypeVar("_T")
Kind = Literal["character", "digit", "swap", "word"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""One letter becomes another of its type, one digit another, two neighbours trade places, or a word of the same image
and script takes a word's place."""

VARIANTS: Final = 2
"""Edits that are drawn, at most, for each text and kind."""

OTHER: Final = "Other"
"""Script of digits, signs and what else belongs to none."""

_TEMPLATE = "image_edit/text.j2"


@dataclass(frozen=True, slots=True)
class TextEdit:
    """`before` becomes `after` in text number `index` of the image; both are whole texts."""

    index: int
    kind: Kind
    before: str
    after: str


def possible_edits(texts: Sequence[str], *seed: object) -> list[TextEdit]:
    """Edits of `texts` that one could make, in the order in which to try them; `seed` decides which.

    Each kind that is possible at all stands in it equally often. Since any of them is as likely to be made as any
    other, neither a digit nor a word nor a place among them hints at the truth.
    """
    by_kind = {kind: _edits_of_kind(kind, texts, seed) for kind in KINDS}
    most = min((len(edits) for edits in by_kind.values() if edits), default=0)
    different: dict[tuple[int, str], TextEdit] = {}
    for edits in by_kind.values():
        for edit in edits[:most]:
            different.setdefault((edit.index, normalised(edit.after)), edit)
    return _shuffled(list(different.values()), "order", *seed)


def _edits_of_kind(kind: Kind, texts: Sequence[str], seed: tuple[object, ...]) -> list[TextEdit]:
    edits: list[TextEdit] = []
    for index, text in enumerate(texts):
        others = [other for position, other in enumerate(texts) if position != index]
        afters = {normalised(after): after for after in _AFTERS[kind](text, others)}
        afters.pop(normalised(text), None)
        drawn = _shuffled(list(afters.values()), kind, index, text, *seed)[:VARIANTS]
        edits += [TextEdit(index, kind, text, after) for after in drawn]
    return _shuffled(edits, kind, *seed)


def edit_prompt(edit: TextEdit) -> str:
    """What the image-edit model is asked about the crop. Texts stand as JSON strings: they may say anything."""
    before, after = (json.dumps(text, ensure_ascii=False) for text in (edit.before, edit.after))
    return render(_TEMPLATE, before=before, after=after, script=_main_script(edit.before), other=OTHER)


def edit_prompt_sha256() -> str:
    """Version of the prompt."""
    return template_sha256(_TEMPLATE)


def _shuffled(entries: Sequence[_T], *seed: object) -> list[_T]:
    return [entries[position] for position in rng("text edits", *seed).permutation(len(entries))]


def _characters(text: str, others: Sequence[str]) -> Iterator[str]:
    seen = dict.fromkeys("".join([text, *others]))
    for position, old in enumerate(text):
        if not old.isalpha():
            continue
        alphabet = {"Lu": string.ascii_uppercase, "Ll": string.ascii_lowercase}.get(unicodedata.category(old), "")
        pool = alphabet if script(old) == "Latin" else seen
        yield from (_put(text, position, new) for new in pool if new != old and _type(new) == _type(old))


def _digits(text: str, _: Sequence[str]) -> Iterator[str]:
    for position, old in enumerate(text):
        if old in string.digits:
            leads = position == 0 or text[position - 1] not in string.digits
            yield from (_put(text, position, new) for new in string.digits if new != old and not (leads and new == "0"))


def _swaps(text: str, _: Sequence[str]) -> Iterator[str]:
    for position, (one, two) in enumerate(zip(text, text[1:], strict=False)):
        if one != two and one.isalnum() and _type(one) == _type(two):
            yield _put(text, position, two + one)


def _words(text: str, others: Sequence[str]) -> Iterator[str]:
    words = [word for other in others for word in other.split()]
    start = 0
    for old in text.split():
        start = text.index(old, start)
        for new in words:
            # About as long: what is much longer would be drawn over its surroundings.
            alike = abs(len(new) - len(old)) <= max(1, len(old) // 5) and min(len(new), len(old)) > 1
            if alike and _main_script(new) == _main_script(old) != OTHER and new.casefold() != old.casefold():
                yield text[:start] + new + text[start + len(old) :]
        start += len(old)


_AFTERS: Final = {"character": _characters, "digit": _digits, "swap": _swaps, "word": _words}


def _put(text: str, position: int, new: str) -> str:
    return text[:position] + new + text[position + len(new) :]


def script(character: str) -> str:
    """Script of a letter, such as Latin, Cyrillic or Cjk; OTHER for what has none."""
    return unicodedata.name(character, OTHER).partition(" ")[0].capitalize() if character.isalpha() else OTHER


def _type(character: str) -> tuple[str, str]:
    return script(character), unicodedata.category(character)


def _main_script(text: str) -> str:
    """Script of most letters; the first one of several that are as frequent; OTHER without letters."""
    scripts = [script(character) for character in text if character.isalpha()]
    return max(dict.fromkeys(scripts), key=scripts.count) if scripts else OTHER
