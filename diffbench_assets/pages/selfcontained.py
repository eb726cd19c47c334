"""Raw pages made self-contained: the steps of ingestion in order, for a batch of pages.

Belongs here: the sequence of steps and what stops a page. Does not belong here: any step itself: text (`decode.py`),
tree (`sanitize.py`), stylesheets (`stylesheets.py`, `rules.py`, `css_values.py`), Tailwind (`tailwind.py`), fonts
(`page_fonts.py`), labels (`describe.py`).

What comes out needs no network, runs nothing and draws the same pixels everywhere; and parsing then serialising it
gives the same text again, so that a change of one element is the only change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import tinycss2
from selectolax.lexbor import LexborHTMLParser, LexborNode

from diffbench_assets.pages import css_values, describe, dom, page_fonts, tailwind, tailwind_source
from diffbench_assets.pages.assets import AssetFolder, data_bytes, image_uri
from diffbench_assets.pages.decode import to_text
from diffbench_assets.pages.errors import PageUnusable
from diffbench_assets.pages.fingerprint import fingerprint_of_tree
from diffbench_assets.pages.font_stacks import FontStacks
from diffbench_assets.pages.placeholders import placeholder
from diffbench_assets.pages.rules import Rule, RuleIndex, drop_unused, share_tails, write_rules
from diffbench_assets.pages.sanitize import clean_tree
from diffbench_assets.pages.sources import RawPage
from diffbench_assets.pages.stylesheets import sheet_from_file, sheet_from_text

MAX_PAGE_BYTES: Final = 8 * 2**20
"""A finished page that is larger is dropped."""
MIN_UNBUILT_TOKENS: Final = 10
MIN_UNBUILT_SHARE: Final = 0.5
"""Class names without a rule are taken for unbuilt Tailwind from this number on, if this share of them compiles."""


@dataclass(frozen=True)
class Page:
    """A page ready to be stored. Either `html` or `drop_reason` is None.

    `drop_reason` is `code` or `code: detail`: empty, binary, not_html, too_large, too_deep, css_import_loop,
    css_too_large, css_too_deep, tailwind_failed, no_visible_content, no_fixpoint, unreadable, failed.
    """

    html: str | None = None
    drop_reason: str | None = None
    missing_glyphs: str = ""
    language: str | None = None
    richness: str | None = None
    structure_fingerprint: str | None = None


Recipe = tuple[tailwind.Flavour, str] | None


@dataclass
class _Sheet:
    """A `<style>` element of the page and the rules that belong in it."""

    node: LexborNode
    rules: RuleIndex


@dataclass
class _Draft:
    """A page between the steps."""

    raw: RawPage
    tree: LexborHTMLParser
    folder: AssetFolder
    base: Path | None
    sheets: list[_Sheet] = field(default_factory=list)
    flavour: tailwind.Flavour | None = None
    tailwind_css: str = ""
    unbuilt: frozenset[str] = frozenset()

    @property
    def recipe(self) -> Recipe:
        """What the compiler is told besides class names; pages with equal recipes share a call."""
        return (self.flavour, self.tailwind_css) if self.flavour in ("3", "4") else None


def make_self_contained(pages: Sequence[RawPage]) -> list[Page]:
    """Every page of a batch made self-contained, in order. Larger batches save calls of the Tailwind compiler.

    A page that cannot be used becomes a Page with a `drop_reason`; it never stops the others.
    """
    drafts: list[_Draft | Page] = []
    folders: dict[Path | None, AssetFolder] = {}
    for raw in pages:
        folder = folders.setdefault(raw.root, AssetFolder.at(raw.root))
        try:
            drafts.append(_draft(raw, folder))
        except Exception as error:  # a hostile page must not end the run; its reason is stored and counted
            drafts.append(_dropped(error))
    sheets = _compile([draft for draft in drafts if isinstance(draft, _Draft)])
    results: list[Page] = []
    for draft in drafts:
        if isinstance(draft, _Draft):
            try:
                results.append(_finish(draft, sheets.get(draft.recipe)))
            except Exception as error:
                results.append(_dropped(error))
        else:
            results.append(draft)
    return results


def _dropped(error: Exception) -> Page:
    if isinstance(error, PageUnusable):
        return Page(drop_reason=str(error))
    if isinstance(error, RecursionError):
        return Page(drop_reason="css_too_deep: blocks nest too deeply")
    return Page(drop_reason=f"failed: {type(error).__name__}: {error}"[:300])


def _draft(raw: RawPage, folder: AssetFolder) -> _Draft:
    """Parses a page, finds its stylesheets and takes out all that must go."""
    if raw.error is not None:
        raise PageUnusable(raw.error)
    tree = dom.parse(to_text(raw.html))
    dom.check_depth(tree)
    if tree.body is None or tree.head is None:
        raise PageUnusable("no_visible_content: no body")
    draft = _Draft(raw, tree, folder, _base_folder(tree, raw))
    _collect_stylesheets(draft)
    clean_tree(tree, folder, draft.base)
    if not describe.shows_something(tree, describe.visible_text(tree)):
        raise PageUnusable("no_visible_content")
    _choose_flavour(draft)
    return draft


def _base_folder(tree: LexborHTMLParser, raw: RawPage) -> Path | None:
    node = tree.css_first("base[href]")
    href = (node.attributes.get("href") or "").strip() if node is not None else ""
    if not href or raw.base is None:
        return raw.base
    remote = "//" in href or ":" in href.split("/")[0]
    return None if remote else raw.base / href.rpartition("/")[0]


def _collect_stylesheets(draft: _Draft) -> None:
    for node in draft.tree.css("script,link,style"):
        attributes = node.attributes
        if node.tag == "script":
            draft.flavour = tailwind.flavour_of_address(attributes.get("src") or "") or draft.flavour
            draft.tailwind_css += tailwind_source.theme_from_script(node.text() or "")
        elif node.tag == "style":
            _collect_style(draft, node)
        elif _is_stylesheet(node):
            rules = _linked_rules(draft, (attributes.get("href") or "").strip())
            if rules is not None:
                _put_sheet(draft, node, rules)


def _is_stylesheet(link: LexborNode) -> bool:
    rel = (link.attributes.get("rel") or "").lower().split()
    late = "preload" in rel and (link.attributes.get("as") or "").lower() == "style"
    return ("stylesheet" in rel or late) and "alternate" not in rel and "disabled" not in link.attributes


def _linked_rules(draft: _Draft, address: str) -> RuleIndex | None:
    path = draft.folder.resolve(address, draft.base)
    if path is not None:
        return sheet_from_file(path, draft.folder)
    if address[:9].lower() == "data:text":
        return sheet_from_text((data_bytes(address) or b"").decode("utf-8", "replace"), None, draft.folder)
    flavour = tailwind.flavour_of_address(address)
    if flavour == "2":
        draft.flavour = "2"
        return tailwind.tailwind_2()
    draft.flavour = flavour or draft.flavour
    return None


def _collect_style(draft: _Draft, node: LexborNode) -> None:
    kind = (node.attributes.get("type") or "").strip().lower()
    text = node.text() or ""
    if kind == "text/tailwindcss":
        draft.tailwind_css += tailwind_source.safe_css(text)
        draft.flavour = draft.flavour or "4"
    elif kind in ("", "text/css"):
        _put_sheet(draft, node, sheet_from_text(text, draft.base, draft.folder))
        return
    node.decompose()


def _put_sheet(draft: _Draft, node: LexborNode, rules: RuleIndex) -> None:
    """Puts an empty `<style>` where the stylesheet was; styles of an SVG go to the end of the head."""
    style = draft.tree.create_node("style")
    media = node.attributes.get("media")
    if media and "onload" not in node.attributes:  # otherwise a script would have made it apply
        style.attrs["media"] = media
    inside_svg = False
    parent = node.parent
    while parent is not None and not inside_svg:
        inside_svg, parent = parent.tag == "svg", parent.parent
    if inside_svg and draft.tree.head is not None:
        draft.tree.head.insert_child(style, move=True)
        node.decompose()
    else:
        node.replace_with(style, move=True)
    draft.sheets.append(_Sheet(style, rules))


def _class_tokens(tree: LexborHTMLParser) -> set[str]:
    return {token for node in tree.css("[class]") for token in (node.attributes.get("class") or "").split()}


def _choose_flavour(draft: _Draft) -> None:
    """Decides which compiler input the page needs, and gives its class names the form that input has."""
    defined = frozenset[str]().union(*(sheet.rules.classes for sheet in draft.sheets))
    tokens = _class_tokens(draft.tree)
    unknown = {token for token in tokens if token.casefold() not in defined}
    if draft.flavour is None and len(unknown) >= MIN_UNBUILT_TOKENS:
        draft.unbuilt = frozenset(unknown)
        draft.flavour = "3" if tailwind.looks_like_3(unknown) else "4"
    if draft.flavour in ("3", "4") and not draft.unbuilt:
        _rename_classes(draft, defined)


def _rename_classes(draft: _Draft, defined: frozenset[str]) -> None:
    """Old class names become those of Tailwind 4, except where the page's own rules know the old ones."""
    if draft.flavour not in ("3", "4"):
        return
    for node in draft.tree.css("[class]"):
        tokens = (node.attributes.get("class") or "").split()
        fresh = tailwind.current_names(tuple(tokens), draft.flavour)
        kept = [old if old.casefold() in defined else new for old, new in zip(tokens, fresh, strict=True)]
        if kept != tokens:
            node.attrs["class"] = " ".join(kept)


def _compile(drafts: Sequence[_Draft]) -> dict[Recipe, RuleIndex | PageUnusable]:
    """One compiled sheet for all pages with the same recipe: in most batches one or two calls."""
    groups: dict[Recipe, list[_Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.recipe is not None:
            groups[draft.recipe].append(draft)
    return {recipe: _compile_group(recipe, group) for recipe, group in groups.items() if recipe is not None}


def _compile_group(recipe: tuple[tailwind.Flavour, str], group: Sequence[_Draft]) -> RuleIndex | PageUnusable:
    flavour, own_css = recipe
    tokens: set[str] = set()
    for draft in group:
        names = _class_tokens(draft.tree)
        tokens |= names | set(tailwind.current_names(tuple(sorted(names)), flavour))
    try:
        return tailwind.compile_tokens(tailwind.with_siblings(tokens, 4), flavour, own_css)
    except PageUnusable as error:
        return error


def _finish(draft: _Draft, compiled: RuleIndex | PageUnusable | None) -> Page:
    """Cuts and rewrites the stylesheets, embeds the fonts, writes the page."""
    tree = draft.tree
    if isinstance(compiled, PageUnusable):
        if not draft.unbuilt:
            raise compiled
        compiled = None
    if compiled is not None and draft.unbuilt and not _is_unbuilt_tailwind(draft, compiled):
        compiled = None
    if compiled is not None and tree.head is not None:
        style = tree.create_node("style")
        tree.head.insert_child(style, move=True)
        draft.sheets.append(_Sheet(style, compiled))
    missing = _write_styles(draft)
    text = describe.visible_text(tree)
    language = draft.raw.language or describe.language(tree, text)
    html = dom.fixpoint(dom.serialize(tree))
    if len(html.encode("utf-8")) > MAX_PAGE_BYTES:
        raise PageUnusable(f"too_large: {len(html) / 2**20:.0f} MB after inlining")
    return Page(
        html=html,
        missing_glyphs=missing,
        language=language,
        richness=draft.raw.richness or describe.richness(tree, text),
        structure_fingerprint=fingerprint_of_tree(tree),
    )


def _is_unbuilt_tailwind(draft: _Draft, compiled: RuleIndex) -> bool:
    known = sum(token.casefold() in compiled.classes for token in draft.unbuilt)
    if known < MIN_UNBUILT_SHARE * len(draft.unbuilt):
        return False
    _rename_classes(draft, frozenset[str]().union(*(sheet.rules.classes for sheet in draft.sheets)))
    return True


def _names(tree: LexborHTMLParser) -> frozenset[str]:
    """What selectors can match: tags, ids, and classes with every class they may be swapped for."""
    tokens = _class_tokens(tree)
    swaps = tailwind.with_siblings(tokens, 4) | tailwind.with_siblings(tokens, 2)
    found = {f".{token.casefold()}" for token in swaps}
    for _, node in dom.with_depth(tree.root):
        found.add((node.tag or "").casefold())
        if identifier := node.attributes.get("id"):
            found.add(f"#{identifier.casefold()}")
    return frozenset(found)


def _write_styles(draft: _Draft) -> str:
    """Fills the page's `<style>` elements and attributes; returns the characters that no font has."""
    tree = draft.tree
    names = _names(tree)
    styled = tree.css("[style]")
    inline = [node.attributes.get("style") or "" for node in styled]
    cut = [[rule for rule in sheet.rules.cut(names) if rule.prelude] for sheet in draft.sheets]
    sheets = drop_unused(cut, " ".join(inline))
    rules = [rule for sheet in sheets for rule in sheet]
    bodies = [rule.body or "" for rule in rules if rule.at_keyword != "font-face"] + inline
    own = page_fonts.own_faces(rules, draft.folder, " ".join(bodies))
    page_fonts.replace_ligature_icons(tree, (face.family for face in own))
    characters = page_fonts.shown_characters(tree, bodies)
    faces = page_fonts.cut_faces(own, characters)
    stacks = FontStacks(frozenset(cut_face.face.family.casefold() for cut_face in faces))
    rewriter = css_values.ValueRewriter(stacks, placeholder, css_values.font_variables(bodies))

    written: list[Rule] = []
    for sheet, sheet_rules in zip(draft.sheets, sheets, strict=True):
        fresh = [_rewritten(rule, rewriter, draft.folder) for rule in sheet_rules if rule.at_keyword != "font-face"]
        written.extend(fresh)
        _fill(sheet.node, write_rules(share_tails(fresh)))
    page_url = _url_rewriter(draft.folder, draft.base)
    for node, css in zip(styled, inline, strict=True):
        fresh_css = rewriter.block(css, page_url)
        if fresh_css != css:
            node.attrs["style"] = fresh_css
    for name in ("font-family", "face"):
        for node in tree.css(f"[{name}]"):
            value = tinycss2.parse_component_value_list(node.attributes.get(name) or "")
            node.attrs[name] = stacks.rewrite(value)
    base = page_fonts.base_rules(tree, written, stacks)
    language = draft.raw.language or describe.language(tree, describe.visible_text(tree))
    embedded = page_fonts.embed(stacks.kinds, faces, characters, language)
    _put_first(tree, base + embedded.css)
    return embedded.missing


def _rewritten(rule: Rule, rewriter: css_values.ValueRewriter, folder: AssetFolder) -> Rule:
    body = rewriter.block(rule.body, _url_rewriter(folder, rule.base)) if rule.body else rule.body
    return rule if body == rule.body else replace(rule, body=body)


def _url_rewriter(folder: AssetFolder, base: Path | None) -> css_values.UrlRewriter:
    return lambda address: address if address.startswith("#") else image_uri(address, folder, base)


def _fill(style: LexborNode, css: str) -> None:
    if css:
        # `</style` inside a CSS string would end the element; the escaped slash means the same.
        style.insert_child(css.replace("</", "<\\/"))
    else:
        style.decompose()


def _put_first(tree: LexborHTMLParser, css: str) -> None:
    """The character set and the project's own rules stand before everything that the page says."""
    head = tree.head
    if head is None:
        raise PageUnusable("no_visible_content: no head")
    charset, style = tree.create_node("meta"), tree.create_node("style")
    charset.attrs["charset"] = "utf-8"
    style.insert_child(css)
    first = head.first_child
    for node in (charset, style):
        if first is None:
            head.insert_child(node, move=True)
        else:
            first.insert_before(node, move=True)
