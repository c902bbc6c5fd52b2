"""Where requests come from, and whose word is taken for it."""

import pytest

from service.rest.rate_limit.client_address import ClientAddresses, networks_of

TRUSTING = ClientAddresses(networks_of("10.0.0.0/8, 192.0.2.7,fd00::/8"))


@pytest.mark.parametrize("header", ["", "1.2.3.4", "10.0.0.1"])
def test_where_no_proxy_is_trusted_the_other_end_of_the_connection_counts(header: str) -> None:
    assert ClientAddresses().key_of("10.0.0.1", header) == "10.0.0.1"


@pytest.mark.parametrize(
    ("peer", "header", "counted"),
    [
        ("203.0.113.9", "1.2.3.4", "203.0.113.9"),
        ("10.0.0.1", "1.2.3.4", "1.2.3.4"),
        ("192.0.2.7", "1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.9.9.9,192.0.2.7", "1.2.3.4"),
        ("10.0.0.1", "10.2.2.2, 10.3.3.3", "10.2.2.2"),
        ("fd00::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("10.0.0.1", "1.2.3.4:5678", "1.2.3.4"),
        ("10.0.0.1", "[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.1", "1.2.3.4", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4, unknown", "10.0.0.1"),
        ("10.0.0.1", "nonsense, 10.5.5.5", "10.5.5.5"),
        ("10.0.0.1", "1.2.3.4, ", "10.0.0.1"),
        ("10.0.0.1", ",".join(["6.6.6.6"] + ["10.1.1.1"] * 10_000), "10.1.1.1"),
    ],
)
def test_the_last_address_that_is_no_trusted_proxys_counts(peer: str, header: str, counted: str) -> None:
    assert TRUSTING.key_of(peer, header) == counted


def test_an_ipv6_address_counts_with_all_of_its_home() -> None:
    addresses = ClientAddresses()
    assert addresses.key_of("2001:db8:1:2::1", "") == addresses.key_of("2001:db8:1:2:ffff::", "") == "2001:db8:1:2::/64"
    assert addresses.key_of("2001:db8:1:3::1", "") != addresses.key_of("2001:db8:1:2::1", "")
    assert addresses.key_of("::ffff:1.2.3.4", "") == "1.2.3.4"
    assert addresses.key_of("fe80::1%eth0", "") == "fe80::/64"


@pytest.mark.parametrize("peer", ["", "/run/socket", "testclient"])
def test_who_comes_from_no_address_at_all_counts_together(peer: str) -> None:
    assert TRUSTING.key_of(peer, "1.2.3.4") == "unknown"


@pytest.mark.parametrize("written", ["10.0.0.1/8", "10.0.0.0/33", "proxy", "10.0.0.0/8 192.0.2.7"])
def test_what_is_no_network_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        networks_of(written)
