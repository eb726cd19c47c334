"""The 13 operators × 3 tiers of DiffSpot, as one table.

Belongs here: the table and look-ups over it. Adding an operator is adding a row (and its variants in a family module).
Tier ranges are those of facts given in DiffSpot's appendix on per-operator parameters: scale steps for class-based
operators, em for spacing of letters and lines, replaced characters for text.
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.pairs.css.operators import color, layout, shape, typography
from diffbench_assets.pairs.css.operators.base import TIERS, Operator, stepped

STEPS: Final = {"easy": (3, 5), "medium": (2, 2), "hard": (1, 1)}
EMS: Final = {"easy": (0.20, 0.20), "medium": (0.12, 0.12), "hard": (0.06, 0.06)}
CHARACTERS: Final = {"easy": (5, 8), "medium": (2, 4), "hard": (1, 1)}

_letters = typography.em_groups("letter-spacing", least=-0.2)
_lines = typography.em_groups("line-height", least=0.5)

OPERATORS: Final[dict[str, Operator]] = {
    operator.name: operator
    for operator in (
        # fmt: off
        #        name              family        unit          tiers       where it applies
        Operator("font_weight", "typography", "steps", STEPS, stepped(typography.weight_variants)),
        Operator("font_size", "typography", "steps", STEPS, stepped(typography.size_variants)),
        Operator("letter_spacing", "typography", "em", EMS, _letters),
        Operator("line_height", "typography", "em", EMS, _lines, shifts=True),
        Operator("text", "typography", "characters", CHARACTERS, typography.text_groups),
        Operator("color", "color", "steps", STEPS, stepped(color.color_variants), layout=False),
        Operator("opacity", "color", "steps", STEPS, stepped(color.opacity_variants), layout=False, silhouette=True),
        Operator("gradient", "color", "steps", STEPS, stepped(color.gradient_variants), layout=False),
        Operator(
            "position",
            "layout",
            "steps",
            STEPS,
            stepped(layout.position_variants),
            shifts=True,
            silhouette=True,
            keeps_size=True,
        ),
        Operator("spacing", "layout", "steps", STEPS, stepped(layout.spacing_variants), shifts=True),
        Operator("justify", "layout", "steps", STEPS, stepped(layout.justify_variants), shifts=True),
        Operator("border", "shape", "steps", STEPS, stepped(shape.border_variants)),
        Operator("rounded", "shape", "steps", STEPS, stepped(shape.rounded_variants), layout=False, silhouette=True),
        # fmt: on
    )
}

NO_DIFF: Final = "no_diff"
CELLS: Final = tuple(f"{name}.{tier}" for name in OPERATORS for tier in TIERS)
"""The 39 cells, operator-major, so that the tiers of an operator are neighbours."""


def cell_parameters(cell: str) -> str:
    """Everything in the table that decides what a cell holds, as text; it changes when the operator's row does."""
    name, tier = split_cell(cell)
    operator = OPERATORS[name]
    flags = (operator.layout, operator.shifts, operator.silhouette, operator.keeps_size)
    return f"{name} {operator.family} {operator.unit} {tier} {operator.tiers[tier]} {flags}"


def split_cell(cell: str) -> tuple[str, str]:
    """(operator, tier) of a cell key.

    Raises ValueError, naming what exists, when there is no such cell.
    """
    operator, _, tier = cell.partition(".")
    if operator not in OPERATORS:
        raise ValueError(f"unknown operator {operator!r} in cell {cell!r}; operators are {', '.join(OPERATORS)}")
    if tier not in TIERS:
        raise ValueError(f"unknown tier {tier!r} in cell {cell!r}; tiers are {', '.join(TIERS)}")
    return operator, tier
