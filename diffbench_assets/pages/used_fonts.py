"""The packaged fonts that a page is drawn with, cut to its characters and declared under the names the page uses.

Belongs here: which font of the world draws which text of a page, `@font-face` rules for them. Does not belong here: the
page's own web fonts (`snapshot/write.py`), the fonts themselves (`fonts.py`).

Names that mean no font in this world are declared with a face that draws nothing: where a system has such a font, the
page still is drawn as it was read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import tinycss2

from diffbench_assets.pages import font_world, fonts
from diffbench_assets.pages.css import css_string

_JOINERS: Final = frozenset("\u200c\u200d\ufe0f")


@dataclass(frozen=True)
class Sample:
    """Characters that a page shows in one font stack, as computed."""

    stack: str
    weight: str
    style: str
    locale: str
    characters: str


@dataclass(frozen=True)
class _Face:
    """A font that draws `characters` for a family name; `limited` to these where another draws the rest."""

    name: str
    font: fonts.Font | None
    characters: frozenset[str]
    limited: bool


@dataclass
class Use:
    """A sample and what draws it. `lacking` are the characters that neither its own fonts nor those it names have."""

    sample: Sample
    home: str
    lacking: frozenset[str]
    faces: list[_Face] = field(default_factory=list)
    void: list[str] = field(default_factory=list)


def plan(samples: Iterable[Sample], own: Mapping[str, frozenset[str]]) -> list[Use]:
    """What draws each sample. `own` are the characters of the page's own families, by case-folded name."""
    uses = [_plan(sample, own) for sample in samples]
    standing = {use.home.casefold() for use in uses if use.faces and use.home.casefold() not in own}
    for use in uses:
        # A name that only another stack needed now exists in this one too, and comes first.
        for name in [name for name in use.void if name.casefold() in standing]:
            font = font_world.known().get(name.casefold(), fonts.SERIF)
            use.faces.append(_Face(name, font, frozenset(use.sample.characters), False))
    return uses


def _plan(sample: Sample, own: Mapping[str, frozenset[str]]) -> Use:
    names = family_names(sample.stack)
    left = frozenset(c for c in sample.characters if not fonts.is_invisible(c))
    open_letters = fonts.PRINTABLE_ASCII
    use = Use(sample, "", frozenset())
    for name in names:
        key = name.casefold()
        if key in own:
            left -= own[key]
            open_letters -= own[key]
        elif key in font_world.known() and (left or open_letters):
            font = font_world.known()[key]
            use.home = use.home or name
            use.faces.append(_Face(name, font, left & fonts.coverage(font), False))
            left -= fonts.coverage(font)
            open_letters = frozenset()
        else:
            use.void.append(name)
    if not use.home and use.void and (left or open_letters):
        # None of its names means a font: the last stands for the one that the browser takes then.
        use.home = use.void.pop()
        use.faces.append(_Face(use.home, fonts.SERIF, left & fonts.coverage(fonts.SERIF), False))
        left -= fonts.coverage(fonts.SERIF)
    use.home = use.home or (names[-1] if names else "")
    if standard := left & fonts.coverage(fonts.SERIF):
        # What no name of the stack has, the browser's standard family draws before it looks for others.
        use.faces.append(_Face(use.home, fonts.SERIF, standard, True))
    use.lacking = left - standard if use.home else frozenset()
    return use


def family_names(stack: str) -> list[str]:
    """The names in a `font-family` value, without quotation marks."""
    entries: list[str] = []
    part: list[Any] = []
    for node in (*tinycss2.parse_component_value_list(stack), None):
        if node is None or (node.type == "literal" and node.value == ","):
            if name := " ".join(str(word.value) for word in part if word.type in ("ident", "string")):
                entries.append(name)
            part = []
        else:
            part.append(node)
    return entries


def rules(
    uses: Sequence[Use],
    drawn: Mapping[int, Mapping[str, str]],
    own: Iterable[str] = (),
    features: frozenset[str] = frozenset(),
) -> str:
    """The `@font-face` rules of a page.

    `drawn` says, by the number of a use, which family draws each character that it is lacking; where it says nothing
    the first font that has the character does, and a box where none has it.
    """
    faces = [face for use in uses for face in use.faces]
    for number, use in enumerate(uses):
        faces.extend(_fallback(use, drawn.get(number, {})))
    grouped: dict[tuple[bool, str, fonts.Font | None], set[str]] = defaultdict(set)
    for face in faces:
        grouped[face.limited, face.name, face.font].update(face.characters)
    declared = {face.name.casefold() for face in faces} | set(own)
    parts = [void_face(name) for name in sorted({n for use in uses for n in use.void if n.casefold() not in declared})]
    # Faces for single characters come last: within their range they win over those before them.
    for (limited, name, font), found in sorted(grouped.items(), key=lambda item: (*item[0][:2], repr(item[0][2]))):
        parts.append(_rule(name, font, frozenset(found), limited, features))
    return "".join(parts)


def faces_for(stacks: Iterable[str], characters: frozenset[str]) -> str:
    """The `@font-face` rules for text in any of `stacks`, without asking a browser."""
    samples = [Sample(stack, "400", "normal", "", "".join(sorted(characters))) for stack in sorted(stacks)]
    return rules(plan(samples, {}), {})


def faces_of_family(family: str, characters: frozenset[str]) -> str:
    """The `@font-face` rules of a family that draws `characters` with packaged fonts, as far as these have them."""
    left, parts = set(characters), []
    for font in (*fonts.FALLBACKS, fonts.CJK["zh-hans"]):
        if found := left & fonts.coverage(font):
            left -= found
            parts.append(_rule(family, font, frozenset(found), True, frozenset()))
    return "".join(parts)


def _fallback(use: Use, drawn: Mapping[str, str]) -> Iterable[_Face]:
    found: dict[fonts.Font | None, set[str]] = defaultdict(set)
    for character in use.lacking:
        font = font_world.known().get(drawn.get(character, "").casefold())
        if font is None or character not in fonts.coverage(font):
            candidates = (*fonts.FALLBACKS, fonts.CJK["zh-hans"])
            font = next((font for font in candidates if character in fonts.coverage(font)), None)
        found[font].add(character)
    return [_Face(use.home, font, frozenset(characters), True) for font, characters in found.items()]


def _rule(
    name: str, font: fonts.Font | None, characters: frozenset[str], limited: bool, features: frozenset[str]
) -> str:
    family = f'"{css_string(name)}"'
    if font is None:
        return fonts.font_face(family, fonts.box_font(), characters)
    if not limited:
        return fonts.font_face(family, fonts.cut(font, characters | fonts.PRINTABLE_ASCII, features))
    scope = fonts.shaped_parts(characters) & fonts.coverage(font)
    joined = scope | (_JOINERS & fonts.coverage(font))
    # Joined emoji are one glyph, so that the joiner must come from the same face; letters join across faces.
    return fonts.font_face(family, fonts.cut(font, joined, features), joined if font == fonts.EMOJI else scope)


def void_face(name: str) -> str:
    """A face that draws nothing, and so hides a font of the system that has this name."""
    return f'@font-face{{font-family:"{css_string(name)}";src:url(data:font/woff2,);unicode-range:U+10ffff}}'
