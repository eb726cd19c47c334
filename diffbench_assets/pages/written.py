"""Pages that the project wrote itself, stored as they were written.

Belongs here: what a browser would find in such a page, told without one. Does not belong here: writing such pages
(`generator/`, `scenes/`), what becomes of what is found (`snapshot/write.py`, `stored.py`).

They hold one style element, name their fonts in it, and refer to nothing outside themselves.
"""

from __future__ import annotations

import re
from typing import Final

from diffbench_assets.pages import dom, font_world
from diffbench_assets.pages.snapshot.write import Captured, Draft
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pages.stored import Page, to_page
from diffbench_assets.pages.tailwind import Engine, Source
from diffbench_assets.pages.used_fonts import Sample

_STYLE = re.compile(r"<style(?P<tailwind> type=\"text/tailwindcss\")?>(?P<css>.*?)</style>", re.DOTALL)
_STACK = re.compile(r"(?:--font-sans|font-family)\s*:\s*([^;}]+)")
_BROWSER: Final = "…‐"
"""What a browser writes itself where text is cut or broken."""
_DEFAULTS: Final = (f'"{font_world.STANDARD}"',) * 5


async def stored(engine: Engine, raw: RawPage) -> Page:
    """The page that `raw` of a generator or scenes source becomes."""
    assert isinstance(raw.html, str)
    style = _STYLE.search(raw.html)
    assert style is not None
    elements = dom.parse(raw.html).css("*")
    classes = {name for node in elements for name in (node.attributes.get("class") or "").split()}
    ids = {f"#{node.attributes['id']}" for node in elements if node.attributes.get("id")}
    css = style["css"]
    if style["tailwind"]:
        css = await engine.compiled(Source("4", (), (), (css,), tuple(sorted(classes))))
    characters = "".join(sorted({*raw.html, *raw.html.upper(), *_BROWSER} - {"\n"}))
    before, after = raw.html[: style.start()], raw.html[style.end() :]
    captured = Captured(
        parts=(f"{before}<style>", {"sheet": 0, "foreign": False}, f"</style>{after}"),
        sheets=({"css": css, "base": ""},),
        base="",
        defaults=_DEFAULTS,
        texts=[Sample(stack, "400", "normal", "", characters) for stack in sorted(set(_STACK.findall(style["css"])))],
        names=tuple({*(node.tag or "" for node in elements), *(f".{name}" for name in classes), *ids}),
        features=tuple(name for name in sorted(classes) if "(" not in name),  # classes of features are named like them
        resources={},
        boxes=(),
        scripted=False,
    )  # fmt: skip
    return to_page(Draft(captured).finished({}), raw.language, raw.richness)
