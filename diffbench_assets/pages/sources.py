"""Where raw pages come from: corpus.yaml and its five kinds of sources.

Belongs here: the settings of a source and reading its pages one by one. Does not belong here: anything done to a page
(`original.py`, `stored.py`).
"""

from __future__ import annotations

import glob
import hashlib
import heapq
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, TypeAdapter, ValidationError, model_validator

from diffbench_assets.errors import UserError

MAX_SOURCE_BYTES: Final = 8 * 2**20
"""A larger HTML source is not read at all."""
_HTML_SUFFIXES: Final = (".html", ".htm", ".xhtml")
_HTML_COLUMNS: Final = ("html", "text", "content", "code")
_PARQUET_BATCH_ROWS: Final = 64


class SourceError(UserError):
    """A source or corpus.yaml cannot be used. The message names the file, the field and what to do."""


@dataclass(frozen=True)
class RawPage:
    """A page as its source has it.

    `html` is None when it was not read; then `error` says why. `root` is the folder that no file it uses may lie
    outside of, None for a page without files; `path` is where in that folder the page lies.
    """

    page_id: str
    url: str
    html: bytes | str | None
    path: str = "index.html"
    root: Path | None = None
    domain: str | None = None
    style: str | None = None
    richness: str | None = None
    language: str | None = None
    error: str | None = None


class _Source(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")


class GeneratorSource(_Source):
    """Pages made by the project itself."""

    kind: Literal["generator"]
    seed: int = 0
    count: PositiveInt


class ScenesSource(_Source):
    """Drawn scenes made by the project itself, of which lowlevel_mcq makes pairs."""

    kind: Literal["scenes"]
    seed: int = 0
    count: PositiveInt


class HtmlSource(_Source):
    """HTML files: one file, a folder (searched to any depth) or a glob."""

    kind: Literal["html"]
    path: str
    domain: str | None = None
    style: str | None = None
    language: str | None = None


class ParquetSource(_Source):
    """Rows of Parquet files: one file or a glob. WebSight's layout needs no further settings."""

    kind: Literal["parquet"]
    path: str
    html_column: str | None = None
    id_column: str | None = None
    url_column: str | None = None
    domain: str | None = None
    style: str | None = None
    language: str | None = None


class DomainList(BaseModel):
    """A list of sites to crawl: CrUX or Majestic CSV, or one host or address a line; may be gzipped."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")
    path: str
    layout: Literal["auto", "crux", "majestic", "plain"] = "auto"


class CrawlSource(_Source):
    """Pages of the live web, from lists of domains.

    `way`: snapshot keeps the rendered page (for one's own or licensed pages), regenerate has model `regenerate_with`
    write a new one that looks alike. `label_with` names a model that labels; without one the embedded classifier does.
    `cap` is the most pages of one domain label, `share` the largest part of the pages that one may be. `audit_with`
    names the vision models that judge how real `audit_pages` originals and their copies look (DiffSpot §3.6: 501).
    """

    kind: Literal["crawl"]
    lists: list[DomainList] = Field(min_length=1)
    contact: str = Field(min_length=3)
    max_hosts: PositiveInt | None = None
    urls_per_host: PositiveInt = 5
    way: Literal["snapshot", "regenerate"] = "snapshot"
    regenerate_with: str = ""
    label_with: str = ""
    cap: PositiveInt = 800
    share: float | None = Field(default=None, gt=0, le=1)
    audit_with: list[str] = []
    audit_pages: PositiveInt = 501
    seed: int = 0

    @model_validator(mode="after")
    def _names_who_writes(self) -> CrawlSource:
        if self.way == "regenerate" and not self.regenerate_with:
            raise ValueError("way regenerate needs regenerate_with: a model of models.yaml that writes the pages")
        return self


SourceSpec = Annotated[
    GeneratorSource | ScenesSource | HtmlSource | ParquetSource | CrawlSource, Field(discriminator="kind")
]
_SPECS: TypeAdapter[list[SourceSpec]] = TypeAdapter(list[SourceSpec])


class _Loader(yaml.SafeLoader):
    """YAML whose fields have plain names, each given once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value in names:
                said = f"field {key.value!r} is given twice" if isinstance(key, yaml.ScalarNode) else "is no field name"
                raise yaml.MarkedYAMLError(problem=said, problem_mark=key.start_mark)
            names.add(key.value)
        return super().construct_mapping(node, deep)


def load_corpus(path: Path) -> list[SourceSpec]:
    """The sources of a corpus.yaml, relative paths taken from the file's folder.

    Raises SourceError with one line for each wrong field.
    """
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise SourceError(f"{path}: cannot be read as YAML: {said}") from error
    if not isinstance(data, dict) or not isinstance(data.get("sources"), list) or not data["sources"]:
        raise SourceError(f"{path}: needs a list `sources` with at least one source")
    try:
        specs = _SPECS.validate_python(data["sources"])
    except ValidationError as error:
        raise SourceError("\n".join(_field_error(path, data["sources"], item) for item in error.errors())) from error
    names = [spec.name for spec in specs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SourceError(f"{path}: source name {twice[0]!r} is used twice; names must differ")
    return [_below(path.parent, spec) for spec in specs]


def _below(folder: Path, spec: SourceSpec) -> SourceSpec:
    """The source with relative paths taken from `folder`."""
    if isinstance(spec, GeneratorSource | ScenesSource):
        return spec
    if isinstance(spec, CrawlSource):
        lists = [entry.model_copy(update={"path": str(folder / entry.path)}) for entry in spec.lists]
        return spec.model_copy(update={"lists": lists})
    return spec.model_copy(update={"path": str(folder / spec.path)})


def _field_error(path: Path, sources: list[Any], item: Any) -> str:
    index, *rest = item["loc"]
    entry = sources[index]
    name = entry.get("name", f"number {index + 1}") if isinstance(entry, dict) else f"number {index + 1}"
    field = (
        ".".join(str(part) for part in rest if part not in ("generator", "scenes", "html", "parquet", "crawl"))
        or "kind"
    )
    return f"{path}: source {name}: {field}: {item['msg']}"


def read_source(spec: SourceSpec, most: int | None = None) -> Iterator[RawPage]:
    """The raw pages of a source, in a stable order, one at a time; of more than `most`, so many by a draw of their own.

    Pages that the project makes are as many as the source says. A page that cannot be read is a RawPage with `error`.
    Raises SourceError when the source as a whole is unusable.
    """
    if isinstance(spec, GeneratorSource):
        return _generated(spec)
    if isinstance(spec, ScenesSource):
        return _scenes(spec)
    if isinstance(spec, CrawlSource):
        raise SourceError(f"source {spec.name}: crawled pages come from the tables of the crawl, not from files")
    return _files(spec, most) if isinstance(spec, HtmlSource) else _rows(spec, most)


def page_count(spec: HtmlSource | ParquetSource) -> int:
    """How many pages the source has. Raises SourceError when it is unusable."""
    paths = find_files(spec)[1]
    return len(paths) if isinstance(spec, HtmlSource) else sum(_row_count(spec, path) for path in paths)


def _drawn(names: Iterable[str], most: int | None) -> frozenset[str]:
    """All names, or the `most` that a draw by their hashes takes: a name's chance does not hang on the others."""
    return frozenset(names if most is None else heapq.nsmallest(most, names, key=_lot))


def _lot(name: str) -> bytes:
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest()


def _page_id(source: str, identity: str) -> str:
    return f"{source}-{hashlib.sha256(identity.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"


def _generated(spec: GeneratorSource) -> Iterator[RawPage]:
    from diffbench_assets.pages.generator import generate_page

    for index in range(spec.count):
        page = generate_page(spec.seed, index)
        url = f"generator:{spec.seed}/{index}"
        yield RawPage(
            _page_id(spec.name, url), url, page.html,
            domain=page.domain, style=page.style, richness=page.richness, language=page.language,
        )  # fmt: skip


def _scenes(spec: ScenesSource) -> Iterator[RawPage]:
    from diffbench_assets.pages.scenes import scene_page

    for index in range(spec.count):
        page = scene_page(spec.seed, index)
        url = f"scenes:{spec.seed}/{index}"
        yield RawPage(_page_id(spec.name, url), url, page.html, domain=page.place, style=page.style, language="en")


def _files(spec: HtmlSource, most: int | None) -> Iterator[RawPage]:
    root, paths = find_files(spec)
    names = [path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name for path in paths]
    drawn = _drawn(names, most)
    for path, name in zip(paths, names, strict=True):
        if name in drawn:
            html, error = _content(path, name, root, named=Path(spec.path) == path)
            url = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            yield RawPage(
                _page_id(spec.name, name), url, html, url, root,
                domain=spec.domain, style=spec.style, language=spec.language, error=error,
            )  # fmt: skip


def _content(path: Path, name: str, root: Path, *, named: bool) -> tuple[bytes | None, str | None]:
    """What a file holds, or why it is not read. One that the source itself names may be a link to anywhere."""
    if any("\udc80" <= char <= "\udcff" for char in name):
        return None, "unreadable: its name is not UTF-8"
    try:
        if not named and not path.resolve().is_relative_to(root.resolve()):
            return None, "outside: a link to a file that is not in the source's folder"
        size = path.stat().st_size
        # Read only what may be used: a huge file must not fill the memory.
        if size > MAX_SOURCE_BYTES:
            return None, f"too_large: {size / 2**20:.0f} MB"
        return path.read_bytes(), None
    except OSError as error:
        return None, f"unreadable: {error.strerror}"


def find_files(spec: HtmlSource | ParquetSource) -> tuple[Path, list[Path]]:
    """The folder that holds everything, and the source's own files in it in a stable order.

    Raises SourceError when there are none.
    """
    suffixes = _HTML_SUFFIXES if isinstance(spec, HtmlSource) else (".parquet",)
    given = Path(spec.path)
    if given.is_dir():
        root = given
        found = [path for path in given.rglob("*") if path.suffix.lower() in suffixes and path.is_file()]
    elif given.is_file():
        root, found = given.parent, [given]
    else:
        plain = [part for part in given.parts[: _first_magic(given)]]
        root = Path(*plain) if plain else Path()
        found = [Path(name) for name in glob.glob(spec.path, recursive=True) if Path(name).is_file()]
    if not found:
        raise SourceError(f"source {spec.name}: no {' or '.join(suffixes)} file at {spec.path}; correct its `path`")
    return root, sorted(found, key=lambda path: path.as_posix())


def _first_magic(path: Path) -> int:
    return next((index for index, part in enumerate(path.parts) if glob.has_magic(part)), len(path.parts) - 1)


def _opened(spec: ParquetSource, path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise SourceError(f"source {spec.name}: {path} is no readable Parquet file: {error}") from error


def _row_count(spec: ParquetSource, path: Path) -> int:
    with _opened(spec, path) as file:
        return int(file.metadata.num_rows)


def _rows(spec: ParquetSource, most: int | None) -> Iterator[RawPage]:
    root, paths = find_files(spec)
    places = {path: path.relative_to(root).as_posix() for path in paths}
    drawn = _drawn((f"{places[path]}#{row}" for path in paths for row in range(_row_count(spec, path))), most)
    seen: set[str] = set()
    for path in paths:
        with _opened(spec, path) as file:
            for row, page in _file_rows(spec, path, places[path], file, drawn):
                if page.page_id in seen:
                    raise SourceError(
                        f"source {spec.name}: {path}: row {row}: column {spec.id_column!r} holds an id that an earlier"
                        " row has; ids must differ, or leave `id_column` out"
                    )
                seen.add(page.page_id)
                yield page


def _file_rows(
    spec: ParquetSource, path: Path, place: str, file: pq.ParquetFile, drawn: Collection[str]
) -> Iterator[tuple[int, RawPage]]:
    """The drawn pages of a file, each with its row."""
    present = file.schema_arrow.names
    html_column = spec.html_column or next((name for name in _HTML_COLUMNS if name in present), None)
    if html_column is None:
        raise _missing_column(spec, path, "html_column", " or ".join(_HTML_COLUMNS), present)
    for setting in ("html_column", "id_column", "url_column"):
        name = getattr(spec, setting)
        if name is not None and name not in present:
            raise _missing_column(spec, path, setting, name, present)
    kind = file.schema_arrow.field(html_column).type
    if not any(test(kind) for test in (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary,
                                       pa.types.is_large_binary, pa.types.is_string_view)):  # fmt: skip
        raise SourceError(
            f"source {spec.name}: {path}: column {html_column!r} holds {kind}, not text; set `html_column`"
        )
    columns = list(dict.fromkeys(name for name in (html_column, spec.id_column, spec.url_column) if name))
    first = 0
    for batch in file.iter_batches(batch_size=_PARQUET_BATCH_ROWS, columns=columns):
        rows = [row for row in range(len(batch)) if f"{place}#{first + row}" in drawn]
        for row, values in zip(rows, batch.take(rows).to_pylist(), strict=True):
            html, here = values[html_column], f"{place}#{first + row}"
            if spec.id_column and values[spec.id_column] is None:
                raise SourceError(
                    f"source {spec.name}: {path}: row {first + row}: column {spec.id_column!r} is null; give every row"
                    " an id, or leave `id_column` out"
                )
            too_large = html is not None and len(html) > MAX_SOURCE_BYTES
            yield first + row, RawPage(
                _page_id(spec.name, str(values[spec.id_column]) if spec.id_column else here),
                str(values[spec.url_column]) if spec.url_column else here,
                None if too_large else html,
                domain=spec.domain, style=spec.style, language=spec.language,
                error=f"too_large: {len(html) / 2**20:.0f} MB" if too_large else None,
            )  # fmt: skip
        first += len(batch)


def _missing_column(spec: ParquetSource, path: Path, setting: str, wanted: str, present: list[str]) -> SourceError:
    return SourceError(
        f"source {spec.name}: {path} has no column {wanted}; it has {', '.join(present)}; "
        f"set `{setting}` to one of them"
    )
