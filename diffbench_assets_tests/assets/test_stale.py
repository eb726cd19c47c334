"""What makes what stale: every input of every ranged asset, changed alone, on a lake of a few rows.

An input that is missing here lets users keep old numbers and not know it; one too many makes them wait for nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dagster import AssetsDefinition, MultiPartitionKey

from diffbench_assets import partitions, schemas
from diffbench_assets.assets import webdiff
from diffbench_assets.assets.ranged import DECLARED, WHOLE, Declaration, Run
from diffbench_assets.definitions import defs
from diffbench_assets.lake import Lake
from diffbench_assets.pages.sources import CrawlSource, DomainList, GeneratorSource, HtmlSource, ScenesSource
from diffbench_assets.pairs.css import operators
from diffbench_assets.pairs.css.floor import Floor
from diffbench_assets.pairs.css.pair_set import CssSettings
from diffbench_assets.pairs.lowlevel import LowLevelSettings
from diffbench_assets.resources import browser
from diffbench_assets.resources.browser import BrowserResource
from diffbench_assets.resources.build import settings_of
from diffbench_assets.resources.crawl import CrawlResource
from diffbench_assets.resources.embedder import EmbedderResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import Table
from diffbench_assets.suites import SUITES
from diffbench_assets_tests.models.helpers import png

SOURCES, PAGES = ["web", "other"], ["generator", "files", "scenes", "web", "other"]
SHARDS = [("web", "000"), ("web", "001"), ("other", "000")]
MUTATED = ["color.easy", "color.hard", "border.easy"]
CATEGORIES = ["noise", "position"]
KEYS: dict[str, list[str]] = {
    **dict.fromkeys(("domains", "unique_pages", "sampled", "crawl_funnel", "realness_scores", "realness"), SOURCES),
    **dict.fromkeys(
        ("sites", "crawled", "self_contained"),
        [MultiPartitionKey({"source": source, "shard": shard}) for source, shard in SHARDS],
    ),
    "pages": PAGES,
    "page_pool": [WHOLE],
    "webdiff/candidates": MUTATED,
    "webdiff/pairs": [*MUTATED, "no_diff"],
    "lowlevel_mcq/pairs": CATEGORIES,
}
MODELS = """
models:
  - {id: one, endpoint: 'http://127.0.0.1:9/v1', sampling: {temperature: %s}}
  - {id: two, endpoint: 'http://127.0.0.1:9/v1'}
"""


def declarations() -> dict[str, Declaration]:
    """Every ranged asset that this table speaks of."""
    keys = [made.key for made in defs.assets or () if isinstance(made, AssetsDefinition)]
    return {key.to_user_string(): DECLARED[key] for key in keys if key in DECLARED}


@dataclass
class World:
    """A lake with a few rows of every table, and the settings that a run would have."""

    folder: Path

    def __post_init__(self) -> None:
        self.lake = Lake(str(self.folder / "lake"))
        self.webdiff = CssSettings(seed=1, n=1, no_diff=2)
        self.lowlevel = LowLevelSettings(seed=1, n=1, images=[str(self.folder / "x.png")])
        self.embedder = EmbedderResource(model="small", weights="first")
        self.image("red")
        (self.folder / "site").mkdir()
        (self.folder / "site" / "index.html").write_text("<p>first")
        (self.folder / "hosts.txt").write_text("a.test\n")
        self.temperature(0.0)
        lists = [DomainList(name="mine", path=str(self.folder / "hosts.txt"), layout="plain")]
        crawl = CrawlSource(name="web", kind="crawl", lists=lists, contact="x@example.org", audit_with=["one"])
        self.specs: dict[str, Any] = {
            "generator": GeneratorSource(name="generator", kind="generator", count=2),
            "files": HtmlSource(name="files", kind="html", path=str(self.folder / "site")),
            "scenes": ScenesSource(name="scenes", kind="scenes", count=2),
            "web": crawl,
            "other": crawl.model_copy(update={"name": "other", "lists": [lists[0].model_copy(update={"name": "x"})]}),
        }
        for source in SOURCES:
            hosts = [{"host": f"{name}.test", "rank": n + 1, "shard": n % 2} for n, name in enumerate("abcd")]
            self.put(schemas.DOMAINS, hosts, source=source)
            self.put(schemas.UNIQUE, [{"id": "u"}], source=source)
            self.put(schemas.SAMPLED, [{"id": "u"}], source=source)
            self.put(schemas.REALNESS_SCORES, [{"page_id": "u"}], source=source)
        for source, shard in SHARDS:
            for table in (schemas.SITES, schemas.SITE_URLS, schemas.CRAWLED, schemas.SELF_CONTAINED):
                self.put(table, [{"host": f"{shard}.test"}], source=source, shard=shard)
        for source in PAGES:
            self.put(schemas.PAGES, [{"page_id": f"{source}-1"}], source=source)
        self.pool = [
            {"page_id": f"p{n}", "html_sha256": "first", "domain": "travel", "missing_glyphs": ""} for n in range(3)
        ]
        self.put(schemas.PAGE_POOL, self.pool)
        for cell in MUTATED:
            self.candidates(cell)

    def put(self, table: Table, rows: list[dict[str, Any]], **place: str) -> None:
        self.lake.write(table, rows, place, fingerprint="made")

    def candidates(self, cell: str, before: str = "first") -> None:
        shared = {"tier": cell.partition(".")[2], "status": "accepted", "before_pixels": before}
        rows = [{"page_id": page["page_id"], "after_pixels": page["page_id"], **shared} for page in self.pool]
        self.put(schemas.CANDIDATES.of("webdiff"), rows, cell=cell)

    def image(self, color: str) -> None:
        (self.folder / "x.png").write_bytes(png(color))

    def temperature(self, value: float) -> None:
        (self.folder / "models.yaml").write_text(MODELS % value)

    def page(self, number: int, **columns: Any) -> None:
        self.pool[number] |= columns
        self.put(schemas.PAGE_POOL, self.pool)

    def spec(self, name: str, **fields: Any) -> None:
        self.specs[name] = self.specs[name].model_copy(update=fields)

    def settings(self, of: str, **fields: Any) -> None:
        setattr(self, of, getattr(self, of).model_copy(update=fields))

    def fingerprints(self, only: str = "") -> dict[str, str]:
        """What every partition is made from, by asset and partition; of one asset or of all."""
        corpus = partitions.corpus()
        corpus.clear()
        corpus.update(self.specs)
        resources = SimpleNamespace(
            browser=BrowserResource(),
            settings=settings_of(
                SUITES.values(), webdiff=self.webdiff.model_dump(), lowlevel_mcq=self.lowlevel.model_dump()
            ),
            embedder=self.embedder,
            registry=RegistryResource(models_file=str(self.folder / "models.yaml")),
            spending=SpendingResource(),
            web=CrawlResource(),
        )
        log: Any = logging.getLogger("test")
        return {
            f"{asset} {key}".strip(): found
            for asset, made in declarations().items()
            if asset in KEYS and only in ("", asset)
            for key, found in made.fingerprints(Run(tuple(KEYS[asset]), self.lake, log), resources).items()
        }


@pytest.fixture(autouse=True)
def same_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(browser, "_fingerprint", lambda: "chromium-1")
    monkeypatch.setattr(partitions, "SHARDS", 2)
    yield
    partitions.corpus.cache_clear()


Change = Callable[[World, pytest.MonkeyPatch], object]


def setting(of: str, **fields: Any) -> Change:
    return lambda world, patch: world.settings(of, **fields)


def spec(name: str, **fields: Any) -> Change:
    return lambda world, patch: world.spec(name, **fields)


def rows(table: Table, **place: str) -> Change:
    changed = {"host": "changed.test"} if "host" in table.names else {table.names[0]: "changed"}
    return lambda world, patch: world.put(table, [changed], **place)


def tier(world: World, patch: pytest.MonkeyPatch) -> None:
    from diffbench_assets.pairs.css.operators import OPERATORS

    patch.setitem(OPERATORS["color"].tiers, "hard", (1, 2))  # type: ignore[arg-type]


def says(world: World, patch: pytest.MonkeyPatch) -> None:
    from diffbench_assets.pairs.css.operators import OPERATORS
    from diffbench_assets.pairs.css.operators.base import either

    patch.setitem(OPERATORS, "color", replace(OPERATORS["color"], says=either("darker", "lighter")))


DRAWN_FROM_IT = ["webdiff/pairs *"]
"""Every cell may draw from every page."""

ALL: dict[str, tuple[Change, list[str]]] = {
    # Settings of CSS-mutated pairs.
    "seed of CSS-mutated pairs": (setting("webdiff", seed=2), ["webdiff/*"]),
    "pairs a cell": (setting("webdiff", n=2), ["webdiff/pairs *.*"]),
    "pairs without a difference": (setting("webdiff", no_diff=1), ["webdiff/pairs no_diff"]),
    "pages searched at a time": (
        lambda world, patch: patch.setattr(webdiff, "PAGES_A_ROUND", 2),
        ["webdiff/candidates *"],
    ),
    "least that a change has to show": (setting("webdiff", gate="exact"), ["webdiff/candidates *"]),
    "visibility floor": (
        lambda world, patch: patch.setattr(operators, "FLOOR", Floor(2.0, 9)),
        ["webdiff/candidates *", "webdiff/pairs *.*"],
    ),
    "who polishes": (setting("webdiff", polish_with="one"), ["webdiff/pairs *.*"]),
    "tier range of one operator": (tier, ["webdiff/candidates color.hard", "webdiff/pairs color.hard"]),
    "what one operator says of its change": (says, ["webdiff/pairs color.*"]),
    "browser": (
        lambda world, patch: patch.setattr(browser, "_fingerprint", lambda: "chromium-2"),
        ["webdiff/*", "lowlevel_mcq/pairs *", "self_contained *"],
    ),
    "CLIP weights": (setting("embedder", weights="second"), ["webdiff/pairs *", "self_contained *"]),
    "CLIP model": (setting("embedder", model="large"), ["webdiff/pairs *", "self_contained *"]),
    # Settings of pixel-level and semantic pairs.
    "seed of the ten categories": (setting("lowlevel", seed=2), ["lowlevel_mcq/pairs *"]),
    "pairs a category": (setting("lowlevel", n=2), ["lowlevel_mcq/pairs *"]),
    "profile of pixel transforms": (setting("lowlevel", profile="paper"), ["lowlevel_mcq/pairs *"]),
    "strength of pixel transforms": (setting("lowlevel", strength=2.0), ["lowlevel_mcq/pairs *"]),
    "where pairs come from": (setting("lowlevel", seeds_from=["scenes"]), ["lowlevel_mcq/pairs *"]),
    "an image": (lambda world, patch: world.image("white"), ["lowlevel_mcq/pairs *"]),
    "who edits photographs": (setting("lowlevel", edit_with="one"), ["lowlevel_mcq/pairs position"]),
    "who proposes to an editor that is not there": (setting("lowlevel", propose_with="one"), []),
    # Sources of pages.
    "pages generated": (spec("generator", count=3), ["pages generator"]),
    "seed of generated pages": (spec("generator", seed=3), ["pages generator"]),
    "a source's file": (
        lambda world, patch: (world.folder / "site" / "index.html").write_text("<p>second"),
        ["pages files"],
    ),
    "a file beside it": (
        lambda world, patch: (world.folder / "site" / "new.css").write_text("p{color:red}"),
        ["pages files"],
    ),
    "language of a source": (spec("files", language="th"), ["pages files"]),
    # Crawls.
    "a list of hosts": (lambda world, patch: (world.folder / "hosts.txt").write_text("b.test\n"), ["domains *"]),
    "number of shards": (lambda world, patch: patch.setattr(partitions, "SHARDS", 3), ["domains *"]),
    "most hosts": (spec("web", max_hosts=3), ["sites 001|web"]),
    "addresses a host": (spec("web", urls_per_host=9), ["sites *|web"]),
    "seed of a crawl": (
        spec("web", seed=9),
        ["sites *|web", "unique_pages web", "sampled web", "realness_scores web", "realness web"],
    ),
    "contact": (spec("web", contact="y@example.org"), []),
    "way": (spec("web", way="regenerate", regenerate_with="one"), ["crawled *|web", "self_contained *|web"]),
    "who labels": (spec("web", label_with="one"), ["self_contained *|web"]),
    "cap of a label": (spec("web", cap=9), ["sampled web"]),
    "share of a label": (spec("web", share=0.5), ["sampled web"]),
    "who judges": (spec("web", audit_with=["two"]), ["realness_scores web"]),
    "pages judged": (spec("web", audit_pages=9), ["realness_scores web"]),
    "how a judge is asked": (lambda world, patch: world.temperature(0.5), ["realness_scores *"]),
    # Tables.
    "hosts": (rows(schemas.DOMAINS, source="web"), ["sites *|web", "crawl_funnel web"]),
    "sites": (rows(schemas.SITES, source="web", shard="001"), ["crawled 001|web", "crawl_funnel web"]),
    "addresses": (rows(schemas.SITE_URLS, source="web", shard="001"), ["crawled 001|web"]),
    "crawled pages": (
        rows(schemas.CRAWLED, source="web", shard="001"),
        ["unique_pages web", "self_contained *|web", "realness_scores web", "crawl_funnel web"],
    ),
    "unique pages": (rows(schemas.UNIQUE, source="web"), ["self_contained *|web"]),
    "self-contained pages": (
        rows(schemas.SELF_CONTAINED, source="web", shard="000"),
        ["sampled web", "pages web", "realness_scores web", "crawl_funnel web"],
    ),
    "a sample": (rows(schemas.SAMPLED, source="web"), ["pages web", "realness_scores web", "crawl_funnel web"]),
    "scores": (rows(schemas.REALNESS_SCORES, source="web"), ["realness web"]),
    "pages": (rows(schemas.PAGES, source="files"), ["page_pool"]),
    "html of a page": (
        lambda world, patch: world.page(0, html_sha256="second"),
        ["webdiff/candidates *", *DRAWN_FROM_IT, "lowlevel_mcq/pairs *"],
    ),
    "domain of a page": (
        lambda world, patch: world.page(0, domain="healthcare"),
        [*DRAWN_FROM_IT, "lowlevel_mcq/pairs *"],
    ),
    "candidates of a cell": (
        lambda world, patch: world.candidates("color.hard", "second"),
        ["webdiff/pairs color.hard"],
    ),
}


@pytest.mark.parametrize("name", ALL)
def test_a_change_makes_exactly_what_depends_on_it_stale(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, expected = ALL[name]
    world = World(tmp_path)
    before = world.fingerprints()
    assert world.fingerprints() == before
    change(world, monkeypatch)
    after = world.fingerprints()
    assert before.keys() == after.keys()
    assert stale(before, after) == matching(before, expected)


def stale(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def matching(names: Iterable[str], patterns: list[str]) -> set[str]:
    found = {pattern: {name for name in names if fnmatchcase(name, pattern)} for pattern in patterns}
    assert all(found.values()), f"nothing is named {[pattern for pattern in patterns if not found[pattern]]}"
    return set().union(*found.values())


def test_every_ranged_asset_stands_in_the_table() -> None:
    evaluated = {name for name, made in declarations().items() if "model" in made.tables[0].keys}
    prepared = {
        suite.table(preparation.table).name for suite in SUITES.values() for preparation in suite.protocol.prepares
    }
    assert declarations().keys() - evaluated - prepared == KEYS.keys()
