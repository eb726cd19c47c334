"""A figure as SVG inside the page: text stays text, colours follow the page, nothing that the page's CSP refuses.

Belongs here: rewriting matplotlib's SVG. Does not belong here: drawing.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from markupsafe import Markup, escape

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_DROPPED = (f"{_SVG}metadata", f"{_SVG}style")
_ENLARGED = 1.16
_FONT_SIZE = re.compile(r"([\d.]+)px")


def inline_svg(svg: bytes, name: str, title: str, description: str) -> Markup:
    """matplotlib's `svg` for the body of a page, labelled for screen readers; `name` keeps its ids apart from others'.

    Style attributes become presentation attributes: a policy without 'unsafe-inline' would drop them. Colours stay as
    matplotlib wrote them, for the page's stylesheet to match.
    """
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in _DROPPED:
                parent.remove(child)
    referred = set(re.findall(r"#([\w.-]+)", " ".join(v for e in root.iter() for v in e.attrib.values())))
    for element in root.iter():
        _present(element)
        _rename(element, name, referred)
    body = "".join(_plain(child) for child in root)
    label = f"{name}-title"
    return Markup(
        f'<svg class="figure" role="img" aria-labelledby="{label}" viewBox="{escape(root.get("viewBox") or "")}" '
        f'width="{_css_pixels(root.get("width"))}" height="{_css_pixels(root.get("height"))}">'
        f'<title id="{label}">{escape(title)}</title><desc>{escape(description)}</desc>{body}</svg>'
    )


def _present(element: ElementTree.Element) -> None:
    for declaration in (element.attrib.pop("style", "")).split(";"):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key == "font" and (size := _FONT_SIZE.search(value)):
            element.set("font-size", size[1])
            if "bold" in value or "700" in value:
                element.set("font-weight", "bold")
        elif key == "font-size":
            element.set(key, value.removesuffix("px"))
        elif key and key != "font-family":
            element.set(key, value)


def _rename(element: ElementTree.Element, name: str, referred: set[str]) -> None:
    own = element.attrib.pop("id", None)
    if own in referred:
        element.set("id", f"{name}-{own}")
    for key, value in list(element.attrib.items()):
        if key == _XLINK:
            del element.attrib[key]
            element.set("href", value.replace("#", f"#{name}-"))
        elif "url(#" in value:
            element.set(key, value.replace("url(#", f"url(#{name}-"))


def _plain(element: ElementTree.Element) -> str:
    """HTML needs no namespaces."""
    for item in element.iter():
        item.tag = item.tag.removeprefix(_SVG)
    return ElementTree.tostring(element, encoding="unicode", short_empty_elements=False).strip()


def _css_pixels(length: str | None) -> str:
    """matplotlib writes points; a page is read from farther away than paper."""
    return f"{float((length or '0').removesuffix('pt')) * 4 / 3 * _ENLARGED:.0f}"
