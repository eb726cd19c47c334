"""The HTML file: template, styles, script and data put together, under a policy that lets nothing else run.

Belongs here: escaping into HTML and the Content-Security-Policy. Does not belong here: what the page says
(`sections.py`, `templates/`).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from diffbench_assets.report import wording
from diffbench_assets.report.images import GalleryImages
from diffbench_assets.report.look import HEAT_DARK, HEAT_LIGHT, HEAT_TURN, PALETTE, heat_step

_TEMPLATES = Path(__file__).parent / "templates"
_UNSAFE = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""Characters that could end a script element, open a comment in it, or end a line of JavaScript."""


SCRIPTS = "DiffBench Scripts"
"""The family of the fonts that a page brings along for scripts that a reader's machine may not have."""
_ELSEWHERE = re.compile(r"[\u0250-\u1fff\u2c00-\ud7ff\uf900-\ufdff\ufe70-\uffef\U00020000-\U0003ffff]")
"""Characters beyond Latin and common signs, for which not every system has a font."""


def render_page(
    templates: Path,
    context: Mapping[str, Any],
    *,
    images: GalleryImages,
    faces: Callable[[frozenset[str]], str],
) -> str:
    """The whole page of a suite for the values of `context` (see `build.py`) and `images`.

    `templates` is the protocol's folder: report.html.j2 extends page.html.j2, report.js says how the gallery shows an
    item and its answers, and report.css, where there is one, adds to the stylesheet. `faces` gives the `@font-face`
    rules of family SCRIPTS for characters that the page's data holds.
    """
    environment = _environment(templates)
    index, blocks = script_json(context["index"]), [script_json(block) for block in context["blocks"]]
    held = frozenset(character for text in (index, *blocks) for character in _ELSEWHERE.findall(text))
    style = Markup(faces(held)) + _style(environment, templates)
    scripts = (_TEMPLATES / "tables.js", _TEMPLATES / "gallery.js", templates / "report.js")
    script = Markup("".join(file.read_text(encoding="utf-8") for file in scripts))
    policy = content_policy(style, script, images_in_folder=images.embedded is None)
    embedded = images.embedded and dict(sorted(images.embedded.items()))
    return environment.get_template("report.html.j2").render(
        {**context, "index_data": index, "blocks": blocks},
        style=style,
        script=script,
        policy=policy,
        embedded=embedded,
    )


def render_document(templates: Path, context: Mapping[str, Any]) -> str:
    """A page without a gallery and without scripts, from report.html.j2 of `templates` for the values of `context`."""
    environment = _environment(templates)
    style = _style(environment, templates)
    policy = content_policy(style, None, images_in_folder=False)
    return environment.get_template("report.html.j2").render(context, style=style, policy=policy)


def _environment(templates: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader([templates, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        name: getattr(wording, name)
        for name in (
            "percent", "span", "points", "points_span", "decimal", "decimal_span", "p_value", "dollars", "count",
            "seconds", "plural",
        )
    } | {"json": script_json, "heat": heat_step, "base64": _base64}  # fmt: skip
    return environment


def _style(environment: Environment, templates: Path) -> Markup:
    own = templates / "report.css"
    return Markup(
        environment.get_template("page.css.j2").render(**_colors())
        + (own.read_text(encoding="utf-8") if own.is_file() else "")
    )


def script_json(value: object) -> Markup:
    """`value` as JSON that may stand inside a script element whatever strings it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_UNSAFE))


def content_policy(style: str, script: str | None, images_in_folder: bool) -> str:
    """Only this style, this script and images from the page itself (or its folder); no requests of any other kind.

    Without a script none may run.
    """
    images = "data: 'self' file:" if images_in_folder else "data:"
    scripts = "'none'" if script is None else _source(script)
    return (
        f"default-src 'none'; img-src {images}; font-src data:; style-src {_source(style)}; script-src {scripts}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return f"'sha256-{_base64(hashlib.sha256(text.encode()).digest())}'"


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _colors() -> dict[str, Any]:
    return {
        "scripts": SCRIPTS,
        "palette": PALETTE,
        "heat_light": HEAT_LIGHT,
        "heat_dark": HEAT_DARK,
        "heat_turn": HEAT_TURN,
    }
