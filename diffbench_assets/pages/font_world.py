"""The fonts that a browser knows while it reads pages: the packaged ones and no others.

Belongs here: a fontconfig world made of the packaged files, and which family stands for which name in it. Does not
belong here: the font table (`fonts.py`), what a page uses of it (`used_fonts.py`).

A page that is read in this world is drawn with the same fonts on every machine, and every font that it takes from the
system is one that may be embedded. Chromium takes the hinting of system fonts from fontconfig and ignores
`--font-render-hinting` for them, while web fonts obey that flag: here both are drawn alike.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._f_v_a_r import NamedInstance

from diffbench_assets.pages import fonts

_SANS_NAMES: Final = (
    "sans-serif", "sans", "arial", "helvetica", "helvetica neue", "verdana", "tahoma", "segoe ui", "system-ui",
    "cursive", "fantasy", "ui-sans-serif", "ui-rounded",
)  # fmt: skip
_SERIF_NAMES: Final = (
    "serif", "times new roman", "times", "georgia", "cambria", "garamond", "palatino", "book antiqua", "ui-serif",
)  # fmt: skip
_MONO_NAMES: Final = ("monospace", "mono", "courier new", "courier", "consolas", "menlo", "monaco", "ui-monospace")
STANDARD: Final = "Times New Roman"
"""The family of text whose stack names nothing that is there."""

_CJK_LANGUAGES: Final = {
    "ja": "ja", "ja-jp": "ja", "ko": "ko", "ko-kr": "ko", "zh-tw": "zh-hant", "zh-mo": "zh-hant", "zh-hant": "zh-hant",
    "zh-hk": "zh-hk", "yue": "zh-hk",
}  # fmt: skip
_WEIGHTS: Final = range(100, 1000, 50)


@cache
def known() -> dict[str, fonts.Font]:
    """The font of every family name that means one in this world, case-folded."""
    stand_ins = (
        (_SANS_NAMES, fonts.SANS), (_SERIF_NAMES, fonts.SERIF), (_MONO_NAMES, fonts.MONO), (("math",), fonts.MATH),
    )  # fmt: skip
    return {fonts.family(font).casefold(): font for font in fonts.ALL} | {
        name: font for names, font in stand_ins for name in names
    }


@cache
def environment() -> dict[str, str | float | bool]:
    """The process environment for a browser that is to know these fonts."""
    return {**os.environ, "FONTCONFIG_FILE": str(_made() / "fonts.conf")}


def _made() -> Path:
    """The folder of this world, made when it is not there yet."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for font in fonts.ALL:
        path = fonts.source(font.package, font.file)
        digest.update(f"{path}\n{path.stat().st_size}\n{font.pinned}\n".encode())
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "diffbench-assets"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError:  # no home that can be written
        home = Path(tempfile.mkdtemp(prefix="diffbench-fonts-"))
    folder = home / f"fonts-{digest.hexdigest()[:16]}"
    if not folder.exists():
        fresh = Path(tempfile.mkdtemp(prefix=".making-", dir=home))
        _fill(fresh, folder)
        with suppress(OSError):  # someone else was first
            fresh.rename(folder)
        shutil.rmtree(fresh, ignore_errors=True)
    return folder


def _fill(fresh: Path, folder: Path) -> None:
    (fresh / "files").mkdir()
    for font in fonts.ALL:
        path = fresh / "files" / Path(font.file).name
        if not path.exists():
            original = fonts.source(font.package, font.file)
            whole = _with_all_weights(font)
            if whole is None:
                path.symlink_to(original)
            else:
                path.write_bytes(whole)
    (fresh / "fonts.conf").write_text(_config(folder))


def _with_all_weights(font: fonts.Font) -> bytes | None:
    """The font file pinned, and with a named instance for every weight, as fontconfig knows no others.

    None when the packaged file is that already.
    """
    data = fonts.pinned(font).data if font.pinned else fonts.source(font.package, font.file).read_bytes()
    if data[:4] == b"ttcf":
        return None
    sfnt = TTFont(io.BytesIO(data), recalcTimestamp=False)
    if "fvar" not in sfnt:
        return None
    variations = sfnt["fvar"]
    axis = next(axis for axis in variations.axes if axis.axisTag == "wght")
    there = {instance.coordinates["wght"] for instance in variations.instances}
    lacking = [weight for weight in _WEIGHTS if axis.minValue <= weight <= axis.maxValue and weight not in there]
    if not lacking and not font.pinned:
        return None
    for weight in lacking:
        instance = NamedInstance()
        instance.subfamilyNameID = sfnt["name"].addMultilingualName({"en": f"W{weight}"}, sfnt)
        instance.coordinates = {other.axisTag: other.defaultValue for other in variations.axes} | {"wght": weight}
        variations.instances.append(instance)
    out = io.BytesIO()
    sfnt.save(out, reorderTables=None)
    return out.getvalue()


def _config(folder: Path) -> str:
    order = [fonts.family(font) for font in (fonts.SANS, *fonts.FALLBACKS)]
    cjk = [fonts.family(fonts.CJK[tag]) for tag in ("zh-hans", "ja", "ko", "zh-hant", "zh-hk")]
    # Mathematics and symbols come last of all: their fonts have letters of many scripts too.
    order, last = order[:-2], order[-2:]
    languages = "".join(
        _rule(f'<test name="lang" compare="eq"><string>{tag}</string></test>', "append_last",
              [*order, fonts.family(fonts.CJK[key])])
        for tag, key in _CJK_LANGUAGES.items()
    )  # fmt: skip
    stand_ins = "".join(
        _rule(f'<test name="family"><string>{name}</string></test>', "prepend", [fonts.family(font)])
        for name, font in known().items()
        if name != fonts.family(font).casefold()
    )
    unhinted = "".join(
        f'<edit name="{name}" mode="assign">{value}</edit>'
        for name, value in (
            ("hinting", "<bool>false</bool>"),
            ("autohint", "<bool>false</bool>"),
            ("hintstyle", "<const>hintnone</const>"),
        )
    )
    return (
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>'
        f"<dir>{escape(str(folder / 'files'))}</dir><cachedir>{escape(str(folder / 'cache'))}</cachedir>"
        f"{stand_ins}{languages}{_rule('', 'append_last', [*order, *cjk, *last])}"
        f'<match target="font">{unhinted}</match><match target="pattern">{unhinted}</match></fontconfig>'
    )


def _rule(test: str, mode: str, families: list[str]) -> str:
    strings = "".join(f"<string>{family}</string>" for family in families)
    return f'<match target="pattern">{test}<edit name="family" mode="{mode}" binding="strong">{strings}</edit></match>'
