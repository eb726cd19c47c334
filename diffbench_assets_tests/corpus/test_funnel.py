from collections import Counter

import matplotlib as mpl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from diffbench_assets.corpus.domains import ListsRead
from diffbench_assets.corpus.funnel import STAGES, count_stages, funnel_rows, plot, short
from diffbench_assets.report import look
from diffbench_assets.schemas import CRAWLED, DOMAINS, FUNNEL, SELF_CONTAINED, SITES


def save(path, schema, rows):
    pq.write_table(pa.Table.from_pylist([{n: row.get(n) for n in schema.names} for row in rows], schema), path)
    return [path]


@pytest.fixture
def files(tmp_path):
    made = [
        {"duplicates": 2, "domain": "travel"},
        {"duplicates": 0, "domain": "travel"},
        {"duplicates": 0, "domain": None},
    ]
    dropped = ["pii: email×2", "dynamic: video", "dissimilar: 0.61", "dissimilar: 0.02", "unusable: too_deep"]
    return {
        "domains": save(tmp_path / "d", DOMAINS.schema, [{"ranks": [("a", 1), ("b", 2)]}, {"ranks": [("a", 2)]}]),
        "sites": save(
            tmp_path / "s", SITES.schema,
            [
                {"outcome": "read", "urls_kept": 14, "left_out": [("robots", 3), ("cap", 10)]},
                {"outcome": "forbidden", "urls_kept": 0, "left_out": [("robots", 1)]},
            ],
        ),
        "crawled": save(
            tmp_path / "c", CRAWLED.schema, [{}] * 11 + [{"failure": "timeout"}, {"failure": "http_status: 500"}]
        ),
        "self_contained": save(
            tmp_path / "m", SELF_CONTAINED.schema, 
            made + [{"duplicates": 0, "drop_reason": reason} for reason in dropped],
        ),
        "sampled": save(tmp_path / "p", pa.schema([("id", pa.string())]), [{"id": "x"}]),
    }  # fmt: skip


def test_every_row_of_every_stage_is_counted_as_kept_or_with_its_reason(files):
    assert count_stages(files) == {
        "domains": {"kept": 2, "same_host": 1},
        "sites": {"kept": 1, "forbidden": 1},
        "urls": {"kept": 14, "robots": 4, "cap": 10},
        "crawled": {"kept": 11, "timeout": 1, "http_status": 1, "not_visited": 1},
        "unique": {"kept": 8, "built_alike": 2, "unreadable": 1},
        "self_contained": {"kept": 6, "dissimilar": 2},
        "filtered": {"kept": 3, "pii": 1, "dynamic": 1, "unusable": 1},
        "labelled": {"kept": 2, "no_domain": 1},
        "sampled": {"kept": 1, "over_cap": 1},
    }


def test_what_stage_keeps_is_what_the_next_one_sees(files):
    counts = count_stages(files)
    for before, after in zip(STAGES[2:], STAGES[3:], strict=False):
        assert sum(counts[after].values()) == counts[before]["kept"]


def test_stages_whose_tables_are_not_there_are_left_out_and_lists_add_their_reasons(files):
    lists = ListsRead(hosts=2, rows={"a": 3, "b": 1}, left_out=Counter(ip_address=1))
    counts = count_stages({"domains": files["domains"]}, lists)
    assert counts == {"domains": {"kept": 2, "same_host": 1, "ip_address": 1}}


def test_rows_have_the_columns_of_the_table_and_say_the_largest_reason_first(files):
    rows = funnel_rows("mine", count_stages(files))
    pa.Table.from_pylist(rows, FUNNEL.schema)
    assert [row["order"] for row in rows] == sorted(row["order"] for row in rows)
    urls = [(row["reason"], row["n"]) for row in rows if row["stage"] == "urls"]
    assert urls == [("kept", 14), ("cap", 10), ("robots", 4)]
    assert not any(row["n"] == 0 for row in rows if row["reason"] != "kept")


def test_the_plot_names_stages_numbers_and_reasons_and_a_stage_may_be_empty(files, tmp_path):
    rows = funnel_rows("mine", {**count_stages(files), "sampled": {"kept": 0}})
    with mpl.rc_context(look.settings()):
        plot(rows).savefig(tmp_path / "funnel.svg")
    svg = (tmp_path / "funnel.svg").read_text()
    for text in ("self contained", "14 of 28", "cap 10 · robots 4", "0 of 0"):
        assert text in svg


def test_numbers_are_short():
    assert [short(n) for n in (0, 812, 9_999, 12_000, 9_040_000, 17_750_000)] == [
        "0", "812", "9,999", "12 k", "9.04 M", "17.75 M",
    ]  # fmt: skip
