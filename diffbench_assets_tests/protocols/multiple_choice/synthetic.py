"""Pairs that exist as claims only: what pair makers hand over, drawn as they should draw it.

Each pair has a few subjects with every change of its category, and its truth is drawn uniformly from them.
"""

from __future__ import annotations

from collections.abc import Callable

from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.categories import CATEGORIES
from diffbench_assets.pairs.counts import PAPER_PAIRS, PAPER_QUESTIONS
from diffbench_assets.pairs.grammar import TINTS, WHOLE_IMAGE, Claim
from diffbench_assets.pairs.transforms import choose
from diffbench_assets.pairs.transforms.profiles import PROFILES, possible_claims
from diffbench_assets.protocols.multiple_choice.questions import Built, PairClaims, build_questions
from diffbench_assets.seeds import rng

SUITE = "lowlevel_mcq"
COLORS = ("red", "green", "blue", "yellow", "gray", "orange")
SHAPES = ("ring", "square", "star", "cross", "arrow", "triangle", "bar", "dot")
PLACES = ("at the top left", "at the top", "at the left", "in the middle", "at the right", "at the bottom right")
WORDS = ("Harbor", "Basket", "Signal", "Meadow", "Copper", "Lantern", "Orchard", "Velvet", "Tunnel", "Window")

UNVALUED = {
    "position": ("moved_left", "moved_right", "moved_up", "moved_down"),
    "motion": ("turned_clockwise", "turned_counterclockwise"),
    "regional_color": ("lighter", "darker"),
    "appearance": ("appeared", "disappeared"),
    "substitution": ("larger", "smaller"),
    "whole_color": TINTS,
    "noise": ("grainier", "cleaner", "coarser", "finer"),
    "texture": ("smoother", "rougher", "woven", "unwoven"),
    "illumination": ("brighter", "dimmer", "lit_left", "lit_right", "lit_top", "lit_bottom"),
}


def claims_of(category: str, *seed: object, subjects: int = 4) -> tuple[Claim, ...]:
    """Every claim of one image, closed under reversal."""
    generator = rng("synthetic", category, *seed)
    if CATEGORIES[category].group == "low_level":
        return tuple(Claim(WHOLE_IMAGE, change) for change in UNVALUED[category])
    shapes = [f"the {SHAPES[i]} {PLACES[generator.integers(6)]}" for i in generator.permutation(8)[:subjects]]
    made = [Claim(subject, change) for subject in shapes for change in UNVALUED.get(category, ())]
    for subject in shapes:
        if category == "regional_color":
            now, *others = [COLORS[i] for i in generator.permutation(6)[:4]]
            made += [Claim(subject, "recolored", now, other) for other in others]
        if category == "ocr":
            word = WORDS[generator.integers(10)]
            cuts = generator.permutation(len(word))[:3]
            made += [Claim(f"{subject} with words", "reads", word, word[:i] + "x" + word[i + 1 :]) for i in cuts]
    return tuple(dict.fromkeys(c for claim in made for c in (claim, claim.reversed())))


def pairs_of(category: str, n: int, *seed: object, subjects: int = 4) -> list[PairClaims]:
    """`n` pairs of a category, the truth drawn uniformly from its claims."""
    pairs = []
    for i in range(n):
        possible = claims_of(category, i, *seed, subjects=subjects)
        truth = possible[rng("truth", category, i, *seed).integers(len(possible))]
        pairs.append(PairClaims(f"{category}-{i}", category, CATEGORIES[category].group, truth, possible))
    return pairs


def unchanged_pairs(n: int, *seed: object) -> list[PairClaims]:
    """`n` pairs without a difference, of the categories in turn."""
    names = list(CATEGORIES)
    return [
        PairClaims(f"same-{i}", NO_DIFF, NO_DIFF, None, claims_of(names[i % len(names)], "same", i, *seed))
        for i in range(n)
    ]


def paper_sized(seed: int = 0, share: float = 1.0) -> dict[str, Built]:
    """The ten cells in the paper's size, or that share of it."""
    return {name: _sized(name, pairs_of, seed, share) for name in PAPER_QUESTIONS}


def papers_low_level(seed: int = 0, share: float = 1.0) -> dict[str, Built]:
    """The four low-level cells with the paper's changes, in its size, or that share of it."""
    return {name: _sized(name, mixed_pairs, seed, share) for name in PROFILES["paper"].changes}


def _sized(name: str, make: Callable[..., list[PairClaims]], seed: int, share: float) -> Built:
    pairs, n = make(name, round(PAPER_PAIRS[name] * share), seed), round(PAPER_QUESTIONS[name] * share)
    return build_questions(SUITE, name, pairs, n, seed)


def mixed_pairs(category: str, n: int, *seed: object) -> list[PairClaims]:
    """`n` pairs of a low-level category with the paper's changes."""
    pairs = []
    for i in range(n):
        change = choose(PROFILES["paper"], category, i, *seed).change
        possible = possible_claims(PROFILES["paper"], change, category, i, *seed)
        pairs.append(PairClaims(f"{category}-{i}", category, "low_level", Claim(WHOLE_IMAGE, change), possible))
    return pairs
