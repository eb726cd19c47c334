import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diffbench_assets.corpus import out_of_core
from diffbench_assets.corpus.sampling import Drawn, capped_sample_files, effective_cap
from diffbench_assets.errors import UserError
from diffbench_assets_tests.corpus.plain_sampling import capped_sample, lot, shard_of

SCHEMA = pa.schema([("page_id", pa.string()), ("domain", pa.string())])

PAGES = st.lists(
    st.tuples(st.text(min_size=1, max_size=6), st.sampled_from(["news", "shop", "bank", None])),
    unique_by=lambda page: page[0],
    max_size=40,
).map(lambda pages: [{"page_id": name, "domain": kind} for name, kind in pages])


def pages(**counts: int) -> list[dict[str, str]]:
    return [{"page_id": f"{kind}-{i}", "domain": kind} for kind, n in counts.items() for i in range(n)]


def ids(rows) -> list[str]:
    return [row["page_id"] for row in rows]


def sizes(rows) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in rows:
        found[row["domain"]] = found.get(row["domain"], 0) + 1
    return found


@settings(max_examples=40, deadline=None)
@given(rows=PAGES, cap=st.integers(1, 12), seed=st.integers(0, 3), share=st.sampled_from([None, 0.25, 0.4, 0.7, 1.0]))
def test_files_and_rows_give_the_same_sample(tmp_path_factory, rows, cap, seed, share):
    folder = tmp_path_factory.mktemp("sample")
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), folder / "in.parquet")

    def from_files() -> list[str]:
        capped_sample_files([folder / "in.parquet"], folder / "out.parquet", seed=seed, cap=cap, share=share, threads=1)
        return pq.read_table(folder / "out.parquet")["id"].to_pylist()

    try:
        expected = ids(capped_sample(rows, seed=seed, cap=cap, share=share))
    except UserError:
        with pytest.raises(UserError):
            from_files()
    else:
        assert from_files() == expected


@settings(max_examples=60, deadline=None)
@given(rows=PAGES, more=PAGES, cap=st.integers(1, 12))
def test_added_pages_push_out_only_as_many_of_their_own_kind(rows, more, cap):
    known = {row["page_id"] for row in rows}
    added = [row for row in more if row["page_id"] not in known]
    before = capped_sample(rows, seed=0, cap=cap)
    after = capped_sample(rows + added, seed=0, cap=cap)
    for kind in {row["domain"] for row in rows}:
        old = {row["page_id"] for row in before if row["domain"] == kind}
        new = {row["page_id"] for row in after if row["domain"] == kind}
        assert len(old - new) <= len(new - old) <= sum(row["domain"] == kind for row in added)


@given(
    counts=st.lists(st.integers(1, 300), min_size=1, max_size=12),
    share=st.sampled_from([0.07, 0.1, 0.2, 0.35, 0.5, 0.9, 1.0]),
    cap=st.one_of(st.none(), st.integers(1, 400)),
)
def test_the_share_holds_on_the_sample_and_no_larger_cap_would(counts, share, cap):
    def allowed(most: int) -> bool:
        kept = [min(count, most) for count in counts]
        return max(kept) * 100 <= round(share * 100) * sum(kept)

    limit = max(counts) if cap is None else min(cap, max(counts))
    if not allowed(1):
        with pytest.raises(UserError, match="allow a share of"):
            effective_cap(counts, cap, share)
    else:
        assert min(effective_cap(counts, cap, share), limit) == max(c for c in range(1, limit + 1) if allowed(c))


def test_a_share_of_the_input_would_not_be_a_share_of_the_sample():
    rows = pages(shop=900, news=60, bank=40)
    sample = capped_sample(rows, seed=0, cap=None, share=0.5)
    assert sizes(sample) == {"shop": 100, "news": 60, "bank": 40}


def test_with_800_of_each_of_15_domains_the_largest_is_the_papers_seven_percent():
    sample = sizes(capped_sample(pages(**{f"d{i}": 800 + 150 * i for i in range(15)}), seed=1))
    assert set(sample.values()) == {800} and round(800 / sum(sample.values()), 2) == 0.07


def test_a_smaller_cap_keeps_a_subset_and_another_seed_another_sample():
    rows = pages(shop=200, news=50)
    large, small = (set(ids(capped_sample(rows, seed=0, cap=cap))) for cap in (40, 10))
    assert small < large and set(ids(capped_sample(rows, seed=1, cap=40))) != large


def test_rows_come_ordered_by_id_whatever_their_order_was():
    rows = pages(shop=30, news=30)
    sample = capped_sample(rows, seed=0, cap=20)
    assert sample == capped_sample(rows[::-1], seed=0, cap=20) and ids(sample) == sorted(ids(sample))


def test_files_tell_what_was_drawn_and_can_be_limited(tmp_path):
    pq.write_table(pa.Table.from_pylist(pages(shop=30, news=5), SCHEMA), tmp_path / "a.parquet")
    pq.write_table(pa.Table.from_pylist([{"page_id": "x", "domain": None}], SCHEMA), tmp_path / "b.parquet")
    drawn = capped_sample_files(
        [tmp_path / "*.parquet"], tmp_path / "out" / "s.parquet", seed=0, cap=10, where="domain IS NOT NULL"
    )
    assert drawn == Drawn(before={"shop": 30, "news": 5}, after={"shop": 10, "news": 5}, cap=10)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["s.parquet"]


def test_limits_that_mean_nothing_are_errors():
    for cap, share in ((0, None), (10, 0.0), (10, 1.5)):
        with pytest.raises(UserError, match="a cap is 1 page or more"):
            effective_cap([5, 5], cap, share)


@settings(max_examples=40, deadline=None)
@given(seed=st.text(max_size=5), name=st.text(max_size=12), shards=st.integers(1, 5000))
def test_sql_and_python_draw_the_same_lots_and_shards(tmp_path_factory, seed, name, shards):
    with out_of_core.connect(tmp_path_factory.getbasetemp(), threads=1) as connection:
        drawn = connection.execute("SELECT lot($1, $2), shard_of($2, $3)", [seed, name, shards]).fetchone()
    assert drawn is not None and (drawn[0].hex, drawn[1]) == (lot(seed, name), shard_of(name, shards))
