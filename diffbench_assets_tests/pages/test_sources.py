"""Sources are read as they are, in a stable order, and say plainly what is wrong with them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from diffbench_assets.pages import sources
from diffbench_assets.pages.ingest import source_fingerprint
from diffbench_assets.pages.sources import (
    HtmlSource,
    ParquetSource,
    RawPage,
    ScenesSource,
    SourceError,
    load_corpus,
    page_count,
    read_source,
)


def corpus(folder: Path, text: str) -> Path:
    path = folder / "corpus.yaml"
    path.write_text(text)
    return path


def test_a_corpus_lists_sources_of_four_kinds(tmp_path: Path) -> None:
    path = corpus(
        tmp_path,
        """
        sources:
          - {name: made, kind: generator, seed: 7, count: 20}
          - {name: drawn, kind: scenes, count: 30}
          - {name: site, kind: html, path: pages, domain: travel, language: en}
          - {name: sight, kind: parquet, path: data/*.parquet}
        """,
    )
    made, drawn, site, sight = load_corpus(path)
    assert isinstance(drawn, ScenesSource) and (drawn.seed, drawn.count) == (0, 30)
    assert (made.kind, made.seed, made.count) == ("generator", 7, 20)  # type: ignore[union-attr]
    assert isinstance(site, HtmlSource) and site.path == str(tmp_path / "pages") and site.domain == "travel"
    assert isinstance(sight, ParquetSource) and sight.html_column is None


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{name: a, kind: generator, count: 0}", "source a: count: Input should be greater than 0"),
        ("{name: a, kind: generator, count: 3, colour: red}", "source a: colour: Extra inputs are not permitted"),
        ("{name: a, kind: html}", "source a: path: Field required"),
        ("{name: A b, kind: html, path: x}", "source A b: name: String should match pattern"),
        ("{name: a, kind: csv, path: x}", "source a: kind: Input tag 'csv'"),
        ("{kind: html, path: x}", "source number 1: name: Field required"),
        ("just text", "source number 1: kind:"),
    ],
)
def test_each_wrong_field_is_one_line(tmp_path: Path, entry: str, message: str) -> None:
    path = corpus(tmp_path, f"sources: [{entry}]")
    with pytest.raises(SourceError) as caught:
        load_corpus(path)
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{path}: {message}")


@pytest.mark.parametrize("text", ["", "sources: []", "pages: 3", "sources: [", "- 1"])
def test_a_corpus_without_sources_says_so(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match="corpus.yaml"):
        load_corpus(corpus(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "sources:\n- {name: a, kind: html, path: x, path: y}\n",
        "sources:\n- {name: a, kind: html, path: x}\nsources: []\n",
        "sources:\n- {name: a, kind: html, {a: b}: c}\n",
        "sources:\n- {name: a, kind: html, [1, 2]: c}\n",
        "sources: " + "[" * 5000,
        "sources: " + "[" * 5000 + "]" * 5000,
        "sources: " + "{a: " * 5000 + "1" + "}" * 5000,
        "sources: *nobody",
        "sources: !!python/object:os.system {}",
        "sources: \t- x",
    ],
    ids=[
        "field twice", "list twice", "mapping as field", "list as field", "open nesting", "nesting", "nested fields",
        "alias", "tag", "tab",
    ],
)  # fmt: skip
def test_yaml_that_cannot_be_taken_is_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"^[^\n]*corpus.yaml: [^\n]*$"):
        load_corpus(corpus(tmp_path, text))


def test_a_field_that_is_given_twice_is_named_with_its_line(tmp_path: Path) -> None:
    text = "sources:\n- name: a\n  kind: html\n  path: x\n  path: y\n"
    with pytest.raises(SourceError, match="field 'path' is given twice .*line 5"):
        load_corpus(corpus(tmp_path, text))


def test_two_sources_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="'a' is used twice"):
        load_corpus(corpus(tmp_path, "sources: [{name: a, kind: html, path: x}, {name: a, kind: html, path: y}]"))


def test_a_folder_gives_its_html_files_at_any_depth_in_order(tmp_path: Path) -> None:
    for name in ("b.html", "a/z.HTM", "a/c.html", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"<p>{name}</p>")
    pages = list(read_source(HtmlSource(name="s", kind="html", path=str(tmp_path), style="plain")))
    assert [page.url for page in pages] == ["a/c.html", "a/z.HTM", "b.html"]
    assert pages[0].html == b"<p>a/c.html</p>" and pages[0].path == "a/c.html" and pages[0].root == tmp_path
    assert {page.style for page in pages} == {"plain"}
    assert len({page.page_id for page in pages}) == 3 and all(page.page_id.startswith("s-") for page in pages)


def test_page_ids_do_not_depend_on_where_the_folder_lies(tmp_path: Path) -> None:
    ids = []
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "a.html").write_text("<p>a</p>")
        ids += [p.page_id for p in read_source(HtmlSource(name="s", kind="html", path=str(tmp_path / place)))]
    assert ids[0] == ids[1]


def test_a_glob_and_a_single_file_work(tmp_path: Path) -> None:
    for name in ("x/1.html", "x/y/2.html", "x/y/3.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<p>x</p>")
    glob = read_source(HtmlSource(name="s", kind="html", path=str(tmp_path / "x/**/*.html")))
    assert [page.url for page in glob] == ["1.html", "y/2.html"]
    (page,) = read_source(HtmlSource(name="s", kind="html", path=str(tmp_path / "x/1.html")))
    assert page.root == tmp_path / "x"


def test_no_file_at_a_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="source s: no .html .* correct its `path`"):
        list(read_source(HtmlSource(name="s", kind="html", path=str(tmp_path / "none"))))


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.html").open("wb") as file:
        file.truncate(200 * 2**20)
    (page,) = read_source(HtmlSource(name="s", kind="html", path=str(tmp_path)))
    assert (page.html, page.error) == (None, "too_large: 200 MB")


def websight(path: Path, rows: int) -> None:
    image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    table = pa.table(
        {
            "image": pa.array([{"bytes": b"png", "path": None}] * rows, image),
            "text": [f"<html><p>{row}</p></html>" for row in range(rows)],
            "llm_generated_idea": ["idea"] * rows,
        }
    )
    pq.write_table(table, path, row_group_size=10)


def test_the_layout_of_websight_needs_no_settings(tmp_path: Path) -> None:
    websight(tmp_path / "b.parquet", 25)
    websight(tmp_path / "a.parquet", 3)
    pages = list(read_source(ParquetSource(name="w", kind="parquet", path=str(tmp_path / "*.parquet"))))
    assert len(pages) == 28 and pages[0].url == "a.parquet#0" and pages[-1].html == "<html><p>24</p></html>"
    assert len({page.page_id for page in pages}) == 28


def test_files_of_one_name_in_two_folders_give_different_pages(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in ("en", "fr"):
        (here / "split" / folder).mkdir(parents=True)
        websight(here / "split" / folder / "train-0.parquet", 3)
    for path in (here, here / "split/*/*.parquet"):
        pages = list(read_source(ParquetSource(name="w", kind="parquet", path=str(path))))
        assert len({page.page_id for page in pages}) == len({page.url for page in pages}) == 6
    ids = [page.page_id for page in read_source(ParquetSource(name="w", kind="parquet", path=str(here)))]
    here.rename(there)
    moved = [page.page_id for page in read_source(ParquetSource(name="w", kind="parquet", path=str(there)))]
    assert moved == ids, "where the folder lies does not count"


def test_an_id_that_comes_twice_names_its_row_and_column(tmp_path: Path) -> None:
    pq.write_table(pa.table({"key": ["a", "b"], "html": ["<p>1", "<p>2"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"key": ["c", "a"], "html": ["<p>3", "<p>4"]}), tmp_path / "b.parquet")
    spec = ParquetSource(name="w", kind="parquet", path=str(tmp_path), id_column="key")
    with pytest.raises(
        SourceError, match=r"source w: .*b\.parquet: row 1: column 'key' holds an id that an earlier row has"
    ):
        list(read_source(spec))


def test_parquet_is_read_as_it_is_needed(tmp_path: Path) -> None:
    websight(tmp_path / "a.parquet", 500)
    rows = read_source(ParquetSource(name="w", kind="parquet", path=str(tmp_path / "a.parquet")))
    before = pa.total_allocated_bytes()
    next(rows)
    assert pa.total_allocated_bytes() - before < 2**20


def test_named_columns_give_id_and_address(tmp_path: Path) -> None:
    table = pa.table({"key": [7, 8], "where": ["u7", "u8"], "body": [b"<p>7</p>", None]})
    pq.write_table(table, tmp_path / "a.parquet")
    spec = ParquetSource(
        name="w", kind="parquet", path=str(tmp_path), html_column="body", id_column="key", url_column="where"
    )
    first, second = read_source(spec)
    assert (first.url, first.html) == ("u7", b"<p>7</p>") and second.html is None
    assert first.page_id == next(iter(read_source(spec))).page_id != second.page_id


def test_a_missing_column_is_named_beside_those_present(tmp_path: Path) -> None:
    pq.write_table(pa.table({"page": ["x"], "other": ["y"]}), tmp_path / "a.parquet")
    with pytest.raises(SourceError) as caught:
        list(read_source(ParquetSource(name="w", kind="parquet", path=str(tmp_path))))
    message = str(caught.value)
    assert "a.parquet" in message and "html or text or content or code" in message and "page, other" in message
    with pytest.raises(SourceError, match="no column nope; it has page, other; set `html_column`"):
        list(read_source(ParquetSource(name="w", kind="parquet", path=str(tmp_path), html_column="nope")))


def test_a_column_that_is_no_text_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": [1, 2]}), tmp_path / "a.parquet")
    with pytest.raises(SourceError, match="'text' holds int64, not text"):
        list(read_source(ParquetSource(name="w", kind="parquet", path=str(tmp_path))))


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"no")
    with pytest.raises(SourceError, match="a.parquet is no readable Parquet file"):
        list(read_source(ParquetSource(name="w", kind="parquet", path=str(tmp_path))))


def test_an_oversized_row_is_kept_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_SOURCE_BYTES", 30)
    pq.write_table(pa.table({"html": ["<p>" + "x" * 50, "<p>y"]}), tmp_path / "a.parquet")
    large, small = read_source(ParquetSource(name="w", kind="parquet", path=str(tmp_path)))
    assert large.error is not None and large.error.startswith("too_large") and small.error is None


def test_of_many_pages_as_many_are_read_as_are_needed_and_the_same_ones_again(tmp_path: Path) -> None:
    names = [f"{number}.html" for number in range(40)]
    for name in names:
        (tmp_path / name).write_text(name)
    rows = pa.table({"html": names})
    pq.write_table(rows.slice(0, 25), tmp_path / "a.parquet")
    pq.write_table(rows.slice(25), tmp_path / "b.parquet")
    for spec in (
        HtmlSource(name="s", kind="html", path=str(tmp_path)),
        ParquetSource(name="s", kind="parquet", path=str(tmp_path)),
    ):
        every = [page.url for page in read_source(spec)]
        some = [page.url for page in read_source(spec, 10)]
        assert page_count(spec) == len(every) == 40 and len(some) == 10
        assert some == [url for url in every if url in some], "in the order of all"
        assert some != every[:10], "drawn from everywhere"
        assert set(some) < {page.url for page in read_source(spec, 11)}
        assert [page.url for page in read_source(spec, 99)] == every


def test_a_null_id_names_its_row_and_column(tmp_path: Path) -> None:
    pq.write_table(pa.table({"html": ["a", "b"], "key": ["1", None]}), tmp_path / "a.parquet")
    spec = ParquetSource(name="s", kind="parquet", path=str(tmp_path), id_column="key")
    with pytest.raises(SourceError, match=r"a\.parquet: row 1: column 'key' is null"):
        list(read_source(spec))


# Files that are not read


def pages_of(path: Path, **settings: str) -> dict[str, RawPage]:
    return {page.url: page for page in read_source(HtmlSource(name="s", kind="html", path=str(path), **settings))}


@pytest.mark.parametrize("through", ["folder", "glob"])
def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path, through: str) -> None:
    folder = tmp_path / "site"
    (folder / "deep").mkdir(parents=True)
    (tmp_path / "secret.html").write_text("secret")
    (folder / "page.html").write_text("page")
    (folder / "inside.html").symlink_to(folder / "page.html")
    (folder / "deep" / "out.html").symlink_to(tmp_path / "secret.html")
    (folder / "up.html").symlink_to("../secret.html")
    (folder / "gone.html").symlink_to("nowhere.html")
    pages = pages_of(folder if through == "folder" else folder / "**" / "*.html")
    assert {url: page.html for url, page in pages.items()} == {
        "page.html": b"page", "inside.html": b"page", "deep/out.html": None, "up.html": None
    }  # fmt: skip
    assert str(pages["up.html"].error).startswith("outside: ")


def test_a_folder_or_a_file_that_is_named_may_be_a_link_itself(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "page.html").write_text("page")
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "page.html").symlink_to(tmp_path / "real" / "page.html")
    assert pages_of(tmp_path / "folder")["page.html"].html == b"page"
    assert pages_of(tmp_path / "other" / "page.html")["page.html"].html == b"page"


def test_a_name_that_is_not_utf_8_costs_its_own_page_only(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("page")
    (tmp_path / "süß 湖.html").write_text("page")
    for name in (b"caf\xe9.html", b"caf\xe8.html"):
        Path(os.fsdecode(bytes(tmp_path) + b"/" + name)).write_text("page")
    pages = pages_of(tmp_path)
    assert {url: page.error for url, page in pages.items()} == {
        "page.html": None,
        "süß 湖.html": None,
        r"caf\xe9.html": "unreadable: its name is not UTF-8",
        r"caf\xe8.html": "unreadable: its name is not UTF-8",
    }
    assert len({page.page_id for page in pages.values()}) == 4
    pa.array([text for page in pages.values() for text in (page.url, page.page_id, page.error)])
    assert source_fingerprint(HtmlSource(name="s", kind="html", path=str(tmp_path)))


def test_a_file_that_may_not_be_read_costs_its_own_page_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("closed.html", "closed.css", "open.html"):
        (tmp_path / name).write_text("text")
    opened = Path.open

    def guarded(path: Path, *arguments: Any, **more: Any) -> Any:
        if path.stem == "closed":
            raise PermissionError(13, "Permission denied")
        return opened(path, *arguments, **more)

    spec = HtmlSource(name="s", kind="html", path=str(tmp_path))
    readable = source_fingerprint(spec)
    monkeypatch.setattr(Path, "open", guarded)
    pages = pages_of(tmp_path)
    assert pages["closed.html"].error == "unreadable: Permission denied" and pages["open.html"].html == b"text"
    assert source_fingerprint(spec) == source_fingerprint(spec) != readable
