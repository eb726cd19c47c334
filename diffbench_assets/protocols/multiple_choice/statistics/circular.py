"""Circular evaluation: a question asked four times, its options one letter further each time.

Belongs here: what holds over all four rotations of a question. Does not belong here: making the rotations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.protocols.multiple_choice.statistics.choices import LETTERS, Choices
from diffbench_assets.statistics.answers import Bools, Ints, codes, text

ROTATIONS = 4


@dataclass(frozen=True)
class Circular:
    """All four answers to C questions together; the arrays are (M, C)."""

    origins: Ints
    """(C,) places in `Choices.asked` of the questions that have all four rotations."""
    right: Bools
    """Right in every rotation."""
    consistent: Bools
    """The same statement chosen in every rotation, right or wrong."""
    scored: Bools
    """Every rotation has a scored answer."""


def circular(choices: Choices) -> Circular | None:
    """None where no question has all its rotations."""
    rotation = choices.questions["rotation"].to_numpy().astype(np.int64)
    origin = codes(choices.questions["origin_id"], text(choices.questions["question_id"]))
    place = np.full((choices.questions.num_rows, ROTATIONS), -1)
    place[origin, rotation] = np.arange(len(rotation))
    rows = place[choices.asked]
    origins = np.flatnonzero((rows >= 0).all(axis=1))
    if not len(origins):
        return None
    rows = rows[origins]
    statement = _statements(choices)[:, rows]
    return Circular(
        origins,
        np.all(choices.right[:, rows], axis=2),
        np.all((statement == statement[:, :, :1]) & (statement >= 0), axis=2),
        np.all(choices.scored[:, rows], axis=2),
    )


def _statements(choices: Choices) -> Ints:
    """(M, Q): number of the statement chosen, the same for the same words; -1 where none was."""
    options = choices.questions["options"].combine_chunks()
    words = [text(pc.struct_field(options, letter)) for letter in LETTERS]
    number = np.stack([codes(column, pc.unique(pa.concat_arrays(words))) for column in words])
    letter = (choices.choice >= 0) & (choices.choice < len(LETTERS))
    return np.where(letter, number[np.where(letter, choices.choice, 0), np.arange(number.shape[1])], -1)
