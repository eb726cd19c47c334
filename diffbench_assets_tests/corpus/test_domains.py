import gzip

import pyarrow.parquet as pq
import pytest

from diffbench_assets.corpus.domains import ListSpec, read_lists
from diffbench_assets.errors import UserError
from diffbench_assets.schemas import DOMAINS
from diffbench_assets_tests.corpus.plain_sampling import shard_of

MAJESTIC = (
    "GlobalRank,TldRank,Domain,TLD,RefSubNets,RefIPs,IDN_Domain,IDN_TLD,"
    "PrevGlobalRank,PrevTldRank,PrevRefSubNets,PrevRefIPs\n"
)


def majestic(rank, domain, idn=None):
    return f"{rank},1,{domain},com,9,9,{idn or domain},com,1,1,9,9\n"


@pytest.fixture
def lists(tmp_path):
    crux = "origin,rank\nhttps://www.example.com,1000\nhttps://shop.example.co.uk,1000\nhttp://example.com,5000\n"
    (tmp_path / "crux.csv.gz").write_bytes(gzip.compress(crux.encode()))
    rows = majestic(1, "example.com") + majestic(2, "xn--bcher-kva.de", "bücher.de") + majestic(3, "192.0.2.7")
    (tmp_path / "majestic.csv").write_text(MAJESTIC + rows)
    (tmp_path / "own.txt").write_text(
        "\ufeff# our sites\nBÜCHER.de  # with words\n\nhttps://new.example.org/a\nintranet\n"
    )
    return [
        ListSpec("crux", tmp_path / "crux.csv.gz"),
        ListSpec("majestic", tmp_path / "majestic.csv"),
        ListSpec("own", tmp_path / "own.txt"),
    ]


def test_hosts_of_all_lists_become_one_row_each_with_their_ranks(lists, tmp_path):
    read = read_lists(lists, tmp_path / "out.parquet", shards=16)
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.schema.names == DOMAINS.names and table.cast(DOMAINS.schema)
    rows = {row["host"]: (row["registered_domain"], row["rank"], dict(row["ranks"])) for row in table.to_pylist()}
    assert rows == {
        "example.com": ("example.com", 1, {"crux": 1000, "majestic": 1}),
        "new.example.org": ("example.org", None, {"own": None}),
        "shop.example.co.uk": ("example.co.uk", 1000, {"crux": 1000}),
        "xn--bcher-kva.de": ("xn--bcher-kva.de", 2, {"majestic": 2, "own": None}),
    }
    assert list(rows) == sorted(rows)
    assert all(row["shard"] == shard_of(row["registered_domain"], 16) for row in table.to_pylist())
    assert read.rows == {"crux": 3, "majestic": 3, "own": 3} and read.hosts == 4 and read.duplicates == 3


def test_rows_that_name_no_host_are_counted_and_the_first_are_shown(lists, tmp_path):
    read = read_lists(lists, tmp_path / "out.parquet", shards=1)
    assert read.left_out == {"ip_address": 1, "single_label": 1}
    assert read.examples == {"ip_address": ["majestic:4: 192.0.2.7"], "single_label": ["own:5: intranet"]}


def test_the_same_lists_give_the_same_bytes_whatever_the_threads(lists, tmp_path):
    files = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for out, threads in zip(files, (1, 2), strict=True):
        read_lists(lists, out, shards=4, threads=threads, memory_limit="200MB")
    assert files[0].read_bytes() == files[1].read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {
        "crux.csv.gz",
        "majestic.csv",
        "own.txt",
        "a.parquet",
        "b.parquet",
    }


@pytest.mark.parametrize(
    ("content", "layout", "says"),
    [
        (b"", "auto", "is empty"),
        (b"origin,rank\nhttps://a.example,1\nhttps://b.example\n", "auto", "line 3 has 1 columns, the header has 2"),
        (b"origin,rank\nhttps://a.example,first\n", "auto", "line 2 has rank 'first'; a rank is a whole number"),
        (b"origin,rank\n\"https://a.example,1\n", "auto", "line 2 is no CSV"),
        (b"host,place\na.example,1\n", "crux", "line 1 must be a header with columns origin and rank"),
        (b"# list\n1,a.example\n", "auto", "line 2 has more than one column"),
        (b"a.example\nb\xff.example\n", "auto", "line 2 is not UTF-8 text"),
        (b"a.example\n" + b"b" * 20_000, "plain", "line 2 is longer than 10000 characters"),
        (gzip.compress(b"a.example\n" * 1000)[:-12], "auto", "is damaged"),
        (gzip.compress(b"a.example\n")[:12] + b"zzzzzzzzzzzzzzz", "auto", "is damaged"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_error_with_file_and_line_and_leaves_nothing(content, layout, says, tmp_path):
    (tmp_path / "list.csv").write_bytes(content)
    with pytest.raises(UserError) as error:
        read_lists([ListSpec("x", tmp_path / "list.csv", layout)], tmp_path / "out.parquet", shards=4)
    assert says in str(error.value) and "list.csv" in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["list.csv"]


def test_a_missing_file_and_a_name_used_twice_are_errors(tmp_path):
    with pytest.raises(UserError, match="cannot read domain list .*no.csv"):
        read_lists([ListSpec("x", tmp_path / "no.csv")], tmp_path / "out.parquet", shards=4)
    with pytest.raises(UserError, match="distinct names"):
        read_lists([ListSpec("x", tmp_path / "a"), ListSpec("x", tmp_path / "b")], tmp_path / "out.parquet", shards=4)
