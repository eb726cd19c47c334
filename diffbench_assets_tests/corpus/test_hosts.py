import random

import pytest
import tldextract

from diffbench_assets.corpus.hosts import Host, normalise_host, registered_domain
from diffbench_assets_tests.corpus.plain_sampling import shard_of


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("example.com", "example.com"),
        ("https://www.Example.COM:443/a?b#c", "example.com"),
        ("HTTP://user:pass@example.com.", "example.com"),
        ("//example.com/path", "example.com"),
        ("  example.com\t", "example.com"),
        ("www.example.co.uk", "example.co.uk"),
        ("www2.example.com", "www2.example.com"),
        ("www.com", "www.com"),
        ("www.www.example.com", "www.example.com"),
        ("Bücher.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("faß.de", "xn--fa-hia.de"),
        ("日本語。jp", "xn--wgv71a119e.jp"),
        ("foo_bar.example.com", "foo_bar.example.com"),
        ("a." + "b" * 63 + ".com", "a." + "b" * 63 + ".com"),
    ],
)
def test_spellings_of_a_host_become_one(text, host):
    assert normalise_host(text) == Host(host, None)
    assert normalise_host(host) == Host(host, None) or host.startswith("www.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("192.0.2.1", "ip_address"),
        ("http://192.0.2.1:8080/", "ip_address"),
        ("http://[2001:db8::1]/", "ip_address"),
        ("2001:db8::1", "ip_address"),
        ("host.0x7f", "ip_address"),
        ("localhost", "single_label"),
        ("https://com/", "single_label"),
        ("exa mple.com", "invalid_name"),
        ("-bad.example.com", "invalid_name"),
        ("a..example.com", "invalid_name"),
        ("*.example.com", "invalid_name"),
        ("i❤.example", "invalid_name"),
        ("b" * 64 + ".com", "invalid_name"),
        (".".join(["abcdefg"] * 32) + ".com", "invalid_name"),
        ("https:///path", "invalid_name"),
        ("example.com:port", "invalid_name"),
    ],
)
def test_what_names_no_host_of_the_web_is_left_out_with_the_reason(text, why):
    assert normalise_host(text) == Host(None, why)


def test_registered_domains_agree_with_tldextract_on_twenty_thousand_hosts():
    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
    rules, random_ = sorted(extract.tlds), random.Random(0)
    label = lambda: "".join(random_.choices("abcxyz0123", k=random_.randint(1, 6)))  # noqa: E731
    compared = 0
    while compared < 20_000:
        suffix = random_.choice([*rules, "unknownsuffix"]).lstrip("!").replace("*", label())
        host = normalise_host(".".join([*(label() for _ in range(random_.randint(0, 3))), suffix])).name
        if host is None:
            continue
        parts = extract.extract_str(host)
        expected = parts.top_domain_under_public_suffix if parts.suffix else ".".join(host.split(".")[-2:])
        assert registered_domain(host) == (expected or host)
        compared += 1


@pytest.mark.parametrize(
    ("host", "registered"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("me.github.io", "me.github.io"),
        ("deep.me.github.io", "me.github.io"),
        ("github.io", "github.io"),
        ("a.www.ck", "www.ck"),
        ("a.b.other.ck", "b.other.ck"),
        ("x.city.kawasaki.jp", "city.kawasaki.jp"),
        ("a.b.nosuchsuffix", "b.nosuchsuffix"),
        ("a.xn--wgv71a119e.xn--p1ai", "xn--wgv71a119e.xn--p1ai"),
    ],
)
def test_wildcards_exceptions_and_private_suffixes_of_the_public_suffix_list_count(host, registered):
    assert registered_domain(host) == registered


def test_a_shard_depends_on_the_domain_alone_and_shards_are_even():
    counts = [0] * 8
    for number in range(4000):
        counts[shard_of(f"site{number}.example", 8)] += 1
    assert shard_of("example.com", 1000) == 709 and min(counts) > 400 and max(counts) < 600
