"""Which addresses a page may lead to."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diffbench_assets.corpus.net.addresses import is_public

PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "192.0.1.1", "100.63.255.255", "2606:4700:4700::1111", "2a00:1450::1",
          "::ffff:8.8.8.8", "64:ff9b::808:808"]  # fmt: skip
CLOSED = ["0.0.0.0", "0.1.2.3", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
          "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.88.99.1",
          "192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1",
          "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1",
          "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808", "100::1", "2001::1", "2001:db8::1",
          "2002:808:808::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1",
          "fe80::1%eth0", "2606:4700:4700::1111%eth0", "fec0::1", "ff02::1"]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", CLOSED)
def test_closed(address):
    assert not is_public(ipaddress.ip_address(address))


@given(st.ip_addresses(v=4))
def test_nothing_is_public_that_the_standard_library_calls_special(address):
    special = (
        address.is_private or address.is_multicast or address.is_reserved or address.is_loopback
        or address.is_link_local or address.is_unspecified
    )  # fmt: skip
    assert not (special and is_public(address))


@given(st.ip_addresses(v=4))
def test_an_embedded_address_is_as_public_as_itself(address):
    assert is_public(ipaddress.ip_address(f"::ffff:{address}")) == is_public(address)
    assert is_public(ipaddress.ip_address(int(ipaddress.ip_address("64:ff9b::")) + int(address))) == is_public(address)


@given(st.ip_addresses(v=6))
def test_no_address_outside_global_unicast_is_public(address):
    carries = address.ipv4_mapped or address in ipaddress.ip_network("64:ff9b::/96")
    if is_public(address) and not carries:
        assert address.is_global and not address.is_multicast
