"""The 13 operators × 3 tiers of DiffSpot, as one table.

Belongs here: the table and look-ups over it. Adding an operator is adding a row (and its variants in a family module),
and a block of its name among the LLM judge's rules in `prompts/`: no other list names the operators.
Tier ranges are those of facts given in DiffSpot's appendix on per-operator parameters: scale steps for class-based
operators, em for spacing of letters and lines, replaced characters for text.
"""

from __future__ import annotations

from typing import Final

from diffbench_assets.pages.ladders import SCALES
from diffbench_assets.pairs.css.floor import FLOOR
from diffbench_assets.pairs.css.operators import color, layout, shape, typography
from diffbench_assets.pairs.css.operators.base import TIERS, JudgeRule, Operator, either, stepped, tells
from diffbench_assets.versions import fingerprint

STEPS: Final = {"easy": (3, 5), "medium": (2, 2), "hard": (1, 1)}
EMS: Final = {"easy": (0.20, 0.20), "medium": (0.12, 0.12), "hard": (0.06, 0.06)}
SHADES: Final = STEPS | {"easy": (3, 6)}
"""As far as the paper's example of a class swap goes: from blue-700 to blue-100 (DiffSpot, appendix)."""
CHARACTERS: Final = {"easy": (5, 60), "medium": (2, 4), "hard": (1, 1)}

_letters = typography.em_groups("letter-spacing", least=-0.2)
_lines = typography.em_groups("line-height", least=0.5)
_SURFACE: Final = "unsaid color contrast gradient letters opacity border corner"

OPERATORS: Final[dict[str, Operator]] = {
    operator.name: operator
    for operator in (
        Operator(
            "font_weight", "typography", "steps", STEPS, stepped(typography.weight_variants),
            scales=("font",),
            says=either("thinner", "bolder"),
            dimensions=("attribute", "text_symbol"),
            judge=JudgeRule((
                tells("weight", "unsaid weight letters size color"),
                tells("thick emphasis", "unsaid weight letters"),
                tells("amount size height shade", "weight"),
                tells("shade", "letters unsaid"),
            )),
        ),
        Operator(
            "font_size", "typography", "steps", STEPS, stepped(typography.size_variants),
            scales=("text",),
            says=either("smaller_text", "larger_text"),
            dimensions=("attribute", "text_symbol"),
            judge=JudgeRule((
                tells("size", "unsaid size letters height"),
                tells("amount height spread", "size"),
                tells("height amount", "letters"),
            )),
        ),
        Operator(
            "letter_spacing", "typography", "em", EMS, _letters,
            says=either("tighter_letters", "wider_letters"),
            dimensions=("attribute", "text_symbol"),
            judge=JudgeRule((
                tells("amount width spread size near height", "tracking"),
                tells("spread near width", "letters unsaid width"),
                tells("amount", "width"),
            )),
        ),
        Operator(
            "line_height", "typography", "em", EMS, _lines,
            says=either("tighter_lines", "wider_lines"),
            dimensions=("attribute", "text_symbol"),
            judge=JudgeRule((
                tells("amount width spread size near height", "leading"),
                tells("spread height y", "unsaid height letters space"),
                tells("amount", "space height"),
                tells("y", "leading place"),
            )),
            shifts=True, plain=lambda element: element.lines > 1,
        ),
        Operator(
            "text", "typography", "characters", CHARACTERS, typography.text_groups,
            says=typography.reads,
            dimensions=("text_symbol",),
            judge=JudgeRule(),
            rewrites=True,
        ),
        Operator(
            "color", "color", "steps", SHADES, stepped(color.color_variants),
            scales=color.scales("text", "bg"),
            says=color.recolors,
            dimensions=("attribute",),
            judge=JudgeRule((tells("shade vivid opaque", _SURFACE),), hues=True),
            layout=False,
        ),
        Operator(
            "opacity", "color", "steps", STEPS, stepped(color.opacity_variants),
            scales=("opacity",),
            says=either("more_transparent", "more_solid"),
            dimensions=("attribute",),
            judge=JudgeRule(
                (tells("opaque vivid emphasis", _SURFACE), tells("amount", "opacity contrast")), any_direction=True
            ),
            layout=False, silhouette=True,
        ),
        Operator(
            "gradient", "color", "steps", STEPS, stepped(color.gradient_variants),
            scales=color.scales("from", "via", "to"),
            says=color.shades_gradient,
            dimensions=("attribute",),
            judge=JudgeRule((tells("shade vivid", _SURFACE),), hues=True),
            layout=False,
        ),
        Operator(
            "position", "layout", "steps", STEPS, stepped(layout.position_variants),
            scales=tuple(layout.SIDES),
            says=layout.moves,
            dimensions=("spatial",),
            judge=JudgeRule(moves=True),
            shifts=True, silhouette=True, keeps_size=True,
        ),
        Operator(
            "spacing", "layout", "steps", STEPS, stepped(layout.spacing_variants),
            scales=(*layout.PADDINGS, *layout.GAPS),
            says=either("less_padding", "more_padding"),
            dimensions=("spatial",),
            judge=JudgeRule(
                (
                    tells("amount size width height spread near thick", "space"),
                    tells("spread width height near", "unsaid width height border"),
                    tells("thick", "unsaid"),
                    tells("amount", "width height"),
                ),
                moves=True, beside=True,
            ),
            shifts=True, plain=lambda element: element.painted,
        ),
        Operator(
            "justify", "layout", "steps", STEPS, stepped(layout.justify_variants),
            scales=("justify",),
            says=layout.spreads,
            dimensions=("spatial", "composition"),
            judge=JudgeRule(spreads=True),
            shifts=True,
        ),
        Operator(
            "border", "shape", "steps", STEPS, stepped(shape.border_variants),
            scales=tuple(shape.SIDES),
            says=either("thinner_border", "thicker_border"),
            dimensions=("attribute",),
            judge=JudgeRule(
                (tells("thick weight amount size width height emphasis presence opaque", "border"),), beside=True
            ),
        ),
        Operator(
            "rounded", "shape", "steps", STEPS, stepped(shape.rounded_variants),
            scales=("rounded",),
            says=either("sharper", "rounder"),
            dimensions=("attribute",),
            judge=JudgeRule((tells("round", "unsaid corner border size"), tells("amount size width", "corner"))),
            layout=False, silhouette=True,
        ),
    )
}  # fmt: skip
"""One row an operator: where it applies, how its change is worded, what of an answer reports it."""

CELLS: Final = tuple(f"{name}.{tier}" for name in OPERATORS for tier in TIERS)
"""The 39 cells, operator-major, so that the tiers of an operator are neighbours."""


def cell_parameters(cell: str) -> str:
    """Everything in the table that decides what a cell holds, as text; it changes when the operator's row does.

    The ladders that the operator climbs and the visibility floor are part of it.
    """
    name, tier = split_cell(cell)
    operator = OPERATORS[name]
    ladders = [table.get(scale) for table in SCALES.values() for scale in operator.scales]
    flags = (operator.layout, operator.shifts, operator.silhouette, operator.keeps_size)
    row = (name, operator.family, operator.unit, tier, operator.tiers[tier], flags)
    return f"{' '.join(map(str, row))} {FLOOR} {fingerprint(ladders=ladders)}"


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
