"""The system's fonts that a page was drawn with, cut to its characters and declared under the names the page uses.

Belongs here: asking the browser which font draws what, finding its file, `@font-face` rules. Does not belong here: the
page's own web fonts (`css.py`), the fonts of the project (`web/pages/fonts.py`).

Fonts whose licence bits forbid embedding are left out, and so are those whose files cannot be found: there the
project's own fonts step in when the page is stored.
"""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

import tinycss2
from fontTools.ttLib import TTFont

from diffbench_assets.pages.css_values import css_string
from diffbench_assets.pages.fonts import PRINTABLE_ASCII, OwnFont, font_face, is_invisible

MAX_SAMPLES: Final = 60
"""Combinations of stack, weight and style that are looked into; pages have a dozen."""
_RESTRICTED: Final = 0x0002
_BOLD: Final = 600
_REGULAR: Final = 400


class World(Protocol):
    """What this module needs of the page: calls into its isolated world, and the DevTools session."""

    session: Any

    async def call(self, function: str, argument: Any = None, by_value: bool = True) -> Any: ...


@dataclass(frozen=True)
class Sample:
    """Characters that a page shows in one font stack, as computed."""

    stack: str
    weight: str
    style: str
    stretch: str
    characters: str


@dataclass(frozen=True)
class Face:
    """A file that draws `characters` for a family name at a weight; `limited` to these where another draws the rest."""

    name: str
    file: tuple[str, int]
    weight: int
    characters: frozenset[str]
    limited: bool


def unhinted_environment() -> dict[str, str | float | bool]:
    """The process environment with fontconfig told not to hint.

    Chromium takes the hinting of system fonts from fontconfig and ignores `--font-render-hinting` for them, while web
    fonts obey that flag. A browser started with this environment draws both alike, so that a system font embedded in a
    page gives the same pixels.
    """
    return {**os.environ, "FONTCONFIG_FILE": _unhinted_config()}


@cache
def _unhinted_config() -> str:
    inherited = os.environ.get("FONTCONFIG_FILE") or "/etc/fonts/fonts.conf"
    path = Path(tempfile.gettempdir()) / f"diffbench-unhinted-{os.getuid()}.conf"
    text = (Path(__file__).parent / "unhinted.conf").read_text().replace("@INHERITED@", inherited)
    if not path.exists() or path.read_text() != text:
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_text(text)
        fresh.replace(path)
    return str(path)


async def system_faces(world: World, samples: Sequence[Sample]) -> str:
    """`@font-face` rules for every system font that draws text of the page; empty where none can be embedded."""
    samples = samples[:MAX_SAMPLES]
    probes: dict[tuple[str, str, str, str, str], int] = {}

    def probe(*key: str) -> int:
        return probes.setdefault(key, len(probes))  # type: ignore[arg-type]

    plans = []
    for sample in samples:
        shape = (sample.weight, sample.style, sample.stretch)
        names = family_names(sample.stack)
        pairs = [(probe(f"{n},serif", *shape, "A"), probe(f"{n},monospace", *shape, "A")) for n in names]
        plans.append((sample, names, pairs, probe(sample.stack, *shape, sample.characters)))
    if not probes:
        return ""
    await world.call("(samples) => diffbenchProbe(samples)", [list(key) for key in probes])
    fonts = await _platform_fonts(world, len(probes))
    await world.call("() => diffbenchProbeHost.remove()")
    uses: list[_Use] = []
    for sample, names, pairs, whole in plans:
        shown = [(_bare(name), fonts[one], fonts[other]) for name, (one, other) in zip(names, pairs, strict=True)]
        uses.append(_Use(sample, shown, [font for font in fonts[whole] if font]))
    return await asyncio.to_thread(lambda: _rules(_faces(uses)))


@dataclass(frozen=True)
class _Use:
    """A sample and what draws it.

    `shown` holds, for each name of the stack, what drew it before `serif` and before `monospace`: the system knows the
    name when both are the same. `drawn` are the fonts that drew the whole sample, most glyphs first.
    """

    sample: Sample
    shown: Sequence[tuple[str, list[str], list[str]]]
    drawn: Sequence[str]

    @property
    def known(self) -> list[tuple[str, str]]:
        """Names that the system knows, with the font of each, if it drew anything."""
        return [
            (name, one[0])
            for name, one, other in self.shown
            if one == other and one and one[0] in font_files() and (one[0] in self.drawn or not self.drawn)
        ]

    @property
    def system(self) -> list[str]:
        """Names that are no web fonts."""
        return [name for name, one, _ in self.shown if one != [""]]


def _faces(uses: Sequence[_Use]) -> list[Face]:
    homes = [_home(use) for use in uses]
    faces = [face for use, home in zip(uses, homes, strict=True) for face in _faces_of(use, home)]
    declared = {face.name for face in faces}
    for use, home in zip(uses, homes, strict=True):
        # A name that only another stack needed now exists in this one too, and comes first.
        first = next((name for name in use.system if name in declared), home)
        if first != home:
            faces.extend(_faces_of(use, first))
    return faces


def _home(use: _Use) -> str:
    """The name under which fonts are declared that no name of the stack stands for."""
    known = use.known
    return known[0][0] if known else (use.system or [name for name, *_ in use.shown] or [""])[-1]


def family_names(stack: str) -> list[str]:
    """The entries of a computed `font-family`, as written there."""
    entries: list[str] = []
    part: list[Any] = []
    for node in (*tinycss2.parse_component_value_list(stack), None):
        if node is None or (node.type == "literal" and node.value == ","):
            if name := tinycss2.serialize(part).strip():
                entries.append(name)
            part = []
        else:
            part.append(node)
    return entries


def _bare(name: str) -> str:
    return name[1:-1] if name[:1] in "\"'" else name


async def _platform_fonts(world: World, count: int) -> list[list[str]]:
    """Per probe the PostScript names of the fonts that drew it, most glyphs first; an empty one for a web font."""
    await world.session.send("DOM.getDocument", {"depth": 0})
    fonts: list[list[str]] = []
    for number in range(count):
        handle = await world.call("(number) => diffbenchProbes[number]", number, by_value=False)
        node = await world.session.send("DOM.requestNode", {"objectId": handle})
        reply = await world.session.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})
        found = sorted(reply["fonts"], key=lambda font: (-font["glyphCount"], font["postScriptName"]))
        fonts.append(["" if font["isCustomFont"] else font["postScriptName"] for font in found])
    return fonts


def _faces_of(use: _Use, home: str) -> Iterable[Face]:
    """The faces one sample needs: one for each name that the system knows, the rest under `home`."""
    sample, known, files = use.sample, use.known, font_files()
    weight = round(float(sample.weight))
    left = {c for c in sample.characters if not is_invisible(c)}
    for name, post in known:
        font = load(files[post])
        if font is not None:
            yield Face(name, files[post], weight, frozenset(left) & font.coverage, False)
            left -= font.coverage
    limited = bool(known) or not use.system
    for post in use.drawn:
        font = load(files[post]) if post in files and post not in {post for _, post in known} else None
        if font is not None and home and (found := frozenset(left) & font.coverage):
            left -= found
            yield Face(home, files[post], weight, found, limited)
            limited = True


def _rules(faces: Iterable[Face]) -> str:
    """One rule per name, file and slant, for all weights that the file draws."""
    grouped: dict[tuple[bool, str, tuple[str, int]], list[Face]] = defaultdict(list)
    for face in faces:
        grouped[(face.limited, face.name, face.file)].append(face)
    parts: list[str] = []
    # Faces for single characters come last: within their range they win over those before them.
    for (limited, name, file), members in sorted(grouped.items(), key=lambda item: item[0]):
        characters = frozenset[str]().union(*(face.characters for face in members))
        font = load(file)
        if font is None or (limited and not characters):
            continue
        try:
            data = font.cut(characters if limited else characters | PRINTABLE_ASCII)
        except ValueError:  # a broken font counts as missing
            continue
        descriptors = _descriptors(file, [face.weight for face in members])
        parts.append(font_face(f'"{css_string(name)}"', data, characters if limited else (), descriptors))
    return "".join(parts)


def _descriptors(file: tuple[str, int], weights: Sequence[int]) -> str:
    bold, slanted = _nature(file)
    # A heavy weight that a light file was used for came from thickening it, which a browser does again by itself.
    served = [weight if bold else min(weight, _REGULAR) if weight >= _BOLD else weight for weight in weights]
    low, high = min(served), max(served)
    weight = f"{low} {high}" if low < high else str(low)
    return f"font-weight:{weight};font-style:{'italic' if slanted else 'normal'}"


@cache
def font_files() -> dict[str, tuple[str, int]]:
    """File and index of every font fontconfig knows, by PostScript name; empty where there is no fontconfig."""
    program = shutil.which("fc-list")
    if program is None:
        return {}
    command = [program, "--format", "%{postscriptname}\t%{file}\t%{index}\n"]
    listing = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
    rows = (line.split("\t") for line in sorted(listing.splitlines()))
    return {row[0]: (row[1], int(row[2]) & 0xFFFF) for row in rows if len(row) == 3 and row[0]}


@lru_cache(maxsize=64)
def load(file: tuple[str, int]) -> OwnFont | None:
    """A system font ready to be cut; None when it cannot be read or must not be embedded."""
    try:
        font = TTFont(file[0], fontNumber=file[1], lazy=True, recalcTimestamp=False)
        if "OS/2" in font and font["OS/2"].fsType & 0x000F == _RESTRICTED:
            return None
        out = io.BytesIO()
        font.save(out, reorderTables=None)
        return OwnFont(out.getvalue())
    except Exception:  # fontTools raises many kinds on fonts it does not understand
        return None


@lru_cache(maxsize=256)
def _nature(file: tuple[str, int]) -> tuple[bool, bool]:
    """Whether a file holds a bold (or variable) and a slanted face."""
    font = TTFont(file[0], fontNumber=file[1], lazy=True)
    os2 = font.get("OS/2")
    bold = "fvar" in font or (os2 is not None and os2.usWeightClass >= _BOLD)
    return bold, os2 is not None and bool(os2.fsSelection & 0x0201)
