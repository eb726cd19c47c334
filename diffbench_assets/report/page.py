"""The HTML file: template, styles, script and data put together, under a policy that lets nothing else run.

Belongs here: escaping into HTML and the Content-Security-Policy. Does not belong here: what the page says
(`sections.py`, `templates/`).
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from diffbench_assets.report import wording
from diffbench_assets.report.images import GalleryImages
from diffbench_assets.report.look import HEAT_DARK, HEAT_LIGHT, HEAT_TURN, PALETTE, heat_step

_TEMPLATES = files("diffbench_assets.report") / "templates"
_UNSAFE = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""Characters that could end a script element, open a comment in it, or end a line of JavaScript."""


def render_page(name: str, context: Mapping[str, Any], *, images: GalleryImages) -> str:
    """The whole page for the values of `context` (see `build.py`) and `images`.

    `name` is the protocol's page: <name>.html.j2 extends page.html.j2, <name>.js says how the gallery shows an item and
    its answers, and <name>.css, where there is one, adds to the stylesheet.
    """
    environment = _environment()
    style = _style(environment, name)
    script = Markup("".join((_TEMPLATES / file).read_text(encoding="utf-8") for file in ("gallery.js", f"{name}.js")))
    policy = content_policy(style, script, images_in_folder=images.embedded is None)
    embedded = images.embedded and dict(sorted(images.embedded.items()))
    return environment.get_template(f"{name}.html.j2").render(
        context, style=style, script=script, policy=policy, embedded=embedded
    )


def render_document(name: str, context: Mapping[str, Any]) -> str:
    """A page without a gallery and without scripts, from <name>.html.j2 for the values of `context`."""
    environment = _environment()
    style = _style(environment, name)
    policy = content_policy(style, None, images_in_folder=False)
    return environment.get_template(f"{name}.html.j2").render(context, style=style, policy=policy)


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("diffbench_assets.report"),
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


def _style(environment: Environment, name: str) -> Markup:
    return Markup(environment.get_template("page.css.j2").render(**_colors()) + _optional(f"{name}.css"))


def _optional(file: str) -> str:
    part = _TEMPLATES / file
    return part.read_text(encoding="utf-8") if part.is_file() else ""


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
        f"default-src 'none'; img-src {images}; style-src {_source(style)}; script-src {scripts}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    return f"'sha256-{_base64(hashlib.sha256(text.encode()).digest())}'"


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _colors() -> dict[str, Any]:
    return {"palette": PALETTE, "heat_light": HEAT_LIGHT, "heat_dark": HEAT_DARK, "heat_turn": HEAT_TURN}
