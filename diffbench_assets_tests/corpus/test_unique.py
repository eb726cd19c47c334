import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from diffbench_assets.corpus.unique import Unique, one_per_group, one_per_structure
from diffbench_assets.errors import UserError
from diffbench_assets.pages.fingerprint import structure_fingerprint
from diffbench_assets.pages.generator.generate import generate_page
from diffbench_assets_tests.corpus.plain_sampling import lot

SCHEMA = pa.schema(
    [("url_id", pa.string()), ("html", pa.string()), ("structure_fingerprint", pa.string()), ("failure", pa.string())]
)


def save(path, rows):
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), path, row_group_size=16)
    return path


def page(name, html):
    return {"url_id": name, "html": html, "structure_fingerprint": structure_fingerprint(html)}


def read(path):
    return {row["id"]: row["duplicates"] for row in pq.read_table(path).to_pylist()}


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    """Two shards: ten structures, each two to four times, and beside each a near duplicate; one failure."""
    rows = []
    for index in range(10):
        html = generate_page(3, index).html
        rows += [page(f"{index}-{copy}", html) for copy in range(2 + index % 3)]
        rows.append(page(f"{index}-near", html.replace("</body>", '<div class="notice"></div></body>')))
    rows.append({"url_id": "failed", "failure": "timeout"})
    folder = tmp_path_factory.mktemp("crawl")
    return [save(folder / "0.parquet", rows[::2]), save(folder / "1.parquet", rows[1::2])], rows


def test_of_each_structure_the_smallest_lot_stays_and_the_others_are_counted(crawl, tmp_path):
    files, rows = crawl
    counts = one_per_structure(files, tmp_path / "unique.parquet", seed=7, threads=1)
    groups = {}
    for row in rows[:-1]:
        groups.setdefault(row["structure_fingerprint"], []).append(row["url_id"])
    expected = {min(ids, key=lambda name: lot("unique/7", name)): len(ids) - 1 for ids in groups.values()}
    assert read(tmp_path / "unique.parquet") == dict(sorted(expected.items()))
    assert counts == Unique(pages=len(rows), kept=20, duplicates=len(rows) - 21, unreadable=1)
    failures_apart = one_per_structure(files, tmp_path / "b.parquet", seed=7, where="failure IS NULL")
    assert failures_apart == Unique(len(rows) - 1, 20, len(rows) - 21, 0)


def test_of_near_duplicates_one_stays_and_stands_for_all_pages_behind_it(crawl, tmp_path):
    files, rows = crawl
    structures = tmp_path / "unique.parquet"
    one_per_structure(files, structures, seed=7)
    counts = one_per_group(structures, files, tmp_path / "groups.parquet", seed=7)
    kept = read(tmp_path / "groups.parquet")
    assert counts == Unique(pages=20, kept=10, duplicates=10, unreadable=0)
    assert {name.split("-")[0]: others for name, others in kept.items()} == {
        str(index): 2 + index % 3 for index in range(10)
    }
    for name in kept:
        group = [other for other in read(structures) if other.split("-")[0] == name.split("-")[0]]
        assert name == min(group, key=lambda other: lot("unique/7", other))


def test_neither_files_nor_threads_change_a_byte_and_another_seed_keeps_other_pages(crawl, tmp_path):
    files, _ = crawl
    results = []
    for number, (order, threads, seed) in enumerate([(files, 1, 7), (files[::-1], 2, 7), (files, 1, 8)]):
        structures, groups = tmp_path / f"s{number}.parquet", tmp_path / f"g{number}.parquet"
        one_per_structure(order, structures, seed=seed, threads=threads, memory_limit="200MB")
        one_per_group(structures, order, groups, seed=seed, threads=threads, memory_limit="200MB")
        results.append((structures.read_bytes(), groups.read_bytes()))
    assert results[0] == results[1] != results[2]
    assert len(list(tmp_path.iterdir())) == 6


def test_a_page_without_html_is_counted_not_kept(tmp_path):
    html = generate_page(3, 0).html
    files = [save(tmp_path / "p.parquet", [page("a", html), {"url_id": "b", "structure_fingerprint": "f" * 32}])]
    one_per_structure(files, tmp_path / "s.parquet", seed=0)
    assert one_per_group(tmp_path / "s.parquet", files, tmp_path / "g.parquet", seed=0) == Unique(2, 1, 0, 1)


def test_an_empty_crawl_gives_an_empty_table(tmp_path):
    files = [save(tmp_path / "p.parquet", [])]
    assert one_per_structure(files, tmp_path / "s.parquet", seed=0) == Unique(0, 0, 0, 0)
    assert one_per_group(tmp_path / "s.parquet", files, tmp_path / "g.parquet", seed=0) == Unique(0, 0, 0, 0)
    assert pq.read_table(tmp_path / "g.parquet").num_rows == 0


def test_a_missing_file_or_column_is_a_clear_error(tmp_path):
    with pytest.raises(UserError, match="cannot read .*nothing.parquet"):
        one_per_structure([tmp_path / "nothing.parquet"], tmp_path / "s.parquet", seed=0)
    files = [save(tmp_path / "p.parquet", [])]
    with pytest.raises(UserError, match="page_id"):
        one_per_structure(files, tmp_path / "s.parquet", seed=0, key="page_id")
