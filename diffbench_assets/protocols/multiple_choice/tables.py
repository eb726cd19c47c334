"""Tables that only multiple choice has: their columns, with one sentence each."""

from __future__ import annotations

import pyarrow as pa

from diffbench_assets import schemas
from diffbench_assets.schemas import KEY, ORDER, REQUIRED, STRING, one_of, table

OPTIONS = pa.struct([(label, STRING) for label in "ABCD"])

DISTRACTOR = pa.struct([("text", STRING), ("strategy", STRING), ("origin", STRING), ("claim", STRING)])
"""A false statement: how it departs from the truth, who made it (programmatic or a model id), and its claim as JSON."""

QUESTIONS = table(
    "questions",
    ("cell",),
    ("question_id", STRING, "Stable id; also the item_id of responses and verdicts.", KEY | REQUIRED),
    ("suite", STRING, "Suite the question belongs to, for example lowlevel_mcq.", REQUIRED),
    ("cell", STRING, "Cell of the pair.", REQUIRED),
    ("pair_id", STRING, "The pair asked about; the cluster of every interval.", REQUIRED),
    ("category", STRING, "One of the ten categories, the operator of a CSS-mutated pair, or no_diff."),
    ("group", STRING, "semantic, low_level or ocr; the operator's family for CSS-mutated pairs; no_diff."),
    ("order", STRING, "forward (the pair's before image is A) or backward.", REQUIRED | ORDER),
    ("rotation", pa.int8(), "0, or 1 to 3 for the rotated copies of a circular evaluation."),
    ("origin_id", STRING, "question_id of rotation 0; the same for all rotations of one question."),
    ("options", OPTIONS, "The four statements by their letter."),
    ("answer", STRING, "Letter of the right option.", REQUIRED | one_of(*"ABCD")),
    ("no_difference_label", STRING, "Letter of the option that says nothing differs.", REQUIRED | one_of(*"ABCD")),
    ("truth", STRING, "JSON of the true claim, as A and B are shown; null when nothing differs, or a model worded it."),
    ("truth_origin", STRING, "record, or the models that wrote and checked the true statement; null without one."),
    ("false_origin", STRING, "Who made the false statements: programmatic, model ids, or several of these."),
    ("distractors", pa.list_(DISTRACTOR), "The false statements in the order of their letters."),
    ("suspected_truths", pa.list_(STRING), "False statements that a person should look at: they may be true."),
    (
        "review",
        STRING,
        "accepted or rewritten when a person reviewed the question; null otherwise.",
        one_of("accepted", "rewritten"),
    ),
)

BLIND_CHECK = table(
    "blind_check",
    (),
    ("suite", STRING, "Suite.", REQUIRED),
    ("slice", STRING, "overall, group or cell.", KEY | REQUIRED),
    ("slice_value", STRING, "The value of the slice; all for overall.", KEY | REQUIRED),
    (
        "reader",
        STRING,
        "text_model (trained, cross-validated by pair) or a simple rule such as longest.",
        KEY | REQUIRED,
    ),
    ("accuracy", pa.float64(), "Share of questions whose right option the reader of the text alone found."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("chance", pa.float64(), "Accuracy of the best reader when text tells nothing."),
    ("p_value", pa.float64(), "Chance of an accuracy this high by luck, corrected for all rows of the check."),
    ("n", pa.int64(), "Questions."),
    ("passed", pa.bool_(), "Whether the accuracy is not above chance."),
)

VERDICTS = schemas.VERDICTS.adding(
    ("choice", STRING, "The letter chosen, or invalid."),
    ("error_kind", STRING, "missed_change, competing_change, false_alarm or invalid; null when right."),
)
