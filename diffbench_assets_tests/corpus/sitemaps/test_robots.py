"""Which group of a robots.txt is ours (RFC 9309, 2.2.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.corpus.sitemaps.robots import read_rules

PAGE = "http://a.test/page"


def allows(robots: str) -> bool:
    return read_rules(robots.encode()).allows(PAGE)


@pytest.mark.parametrize(
    "name",
    [
        "diffbench-assets",
        "DiffBench-Assets",
        "diffbench-assets/1.0",
        "DIFFBENCH-ASSETS/2.1 (+http://a.test/bot)",
        "diffbench-assets 1.0",
        "diffbench-assets*",
        "diffbench-assets # us",
        "diffbench-assets#us",
        "\tdiffbench-assets \t",
    ],
)
@pytest.mark.parametrize(
    "field", ["User-agent:", "user-agent :", "USER-AGENT:", "User agent:", "Useragent:", "User-agent"]
)
def test_our_group_is_obeyed_before_that_of_all(field: str, name: str) -> None:
    assert not allows(f"User-agent: *\nAllow: /\n\n{field} {name}\nDisallow: /\n")
    assert allows(f"User-agent: *\nDisallow: /\n\n{field} {name}\nAllow: /\n")
    assert allows(f"{field} {name}\nDisallow:\n\nUser-agent: *\nDisallow: /\n")


@pytest.mark.parametrize(
    "name",
    [
        "diffbench",
        "diffbench/1.0",
        "d",
        "assets",
        "bench-assets",
        "diffbench-assets-news",
        "diffbench_assets",
        "diffbenchassets",
        "my-diffbench-assets",
        "Mozilla/5.0 (compatible; diffbench-assets/1.0)",
        "somebody-else",
        "/",
        "ünbekannt",
    ],
)
def test_other_groups_are_not_ours(name: str) -> None:
    assert allows(f"User-agent: {name}\nDisallow: /\n")
    assert not allows(f"User-agent: {name}\nAllow: /\n\nUser-agent: *\nDisallow: /\n")
    assert not allows(f"User-agent: {name}\nUser-agent: diffbench-assets\nDisallow: /\n")


def test_groups_of_one_name_are_one_group() -> None:
    rules = read_rules(
        b"User-agent: diffbench-assets/1.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\n"
        b"User-agent: DiffBench-Assets\nDisallow: /c\nCrawl-delay: 3\n"
    )
    assert [rules.allows(f"http://a.test/{path}") for path in "abc"] == [False, True, False]
    assert rules.crawl_delay_s == 3


@pytest.mark.parametrize("name", ["*", "* # all", "*\t"])
def test_the_group_of_all_is_for_whom_no_other_is(name: str) -> None:
    assert not allows(f"User-agent: {name}\nDisallow: /\n")
    assert not allows(f"User-agent:\nUser-agent: {name}\nDisallow: /user-agent diffbench-assets\nDisallow: /page\n")


@given(
    st.text(
        st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="*#"), min_size=1, max_size=20
    )
)
def test_only_our_token_names_our_group(name: str) -> None:
    assert allows(f"User-agent: {name}\nDisallow: /\n")


@given(st.binary(max_size=300))
def test_any_bytes_are_rules(body: bytes) -> None:
    assert read_rules(body + b"\nUser-agent: diffbench-assets\nDisallow: /page\n").allows(PAGE) is False
