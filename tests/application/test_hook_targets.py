"""Addresses to which web hooks may be sent."""

import pytest

from service.application.webhooks.targets import MAX_URL_LENGTH, ForbiddenTarget, is_public, require_target

PRIVATE = (
    *(
        "0.0.0.0",  # noqa: S104 - nothing binds to it
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
    ),
    *(
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
    ),
    *("224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *(
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "::ffff:8.8.8.8",
        "::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "100::1",
        "fc00::1",
    ),
    *(
        "fd12:3456::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "2001::1",
        "2001:db8::1",
        "2002:a00:1::",
        "3fff::1",
    ),
    *("", "shop.example", "1", "0x7f.1", "010.0.0.1"),
)
PUBLIC = ("8.8.8.8", "93.184.216.34", "100.63.255.255", "172.32.0.1", "192.0.1.1", "2606:4700:4700::1111", "2a00::1")


@pytest.mark.parametrize("address", PRIVATE)
def test_special_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_all_others_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        *("https://shop.example/hooks?a=b", "https://shop.example:8443", "https://8.8.8.8/", "https://[2a00::1]:443/x"),
        *("https://SHOP.example./", "https://xn--espaa-rta.example/", "https://a_b.shop-1.example/"),
    ],
)
def test_a_public_address_may_be_named(url: str) -> None:
    require_target(url, allows_private=False)
    require_target(url, allows_private=True)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://shop.example/",
            "https://shop.example:22/",
            "https://localhost/",
            "https://a.localhost/",
            "https://db.internal/",
        ),
        *(
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://192.168.0.1:8443/",
        ),
        *("https://0x7f000001/", "https://0x7f.1/", "https://localhost./", "https://a.localhost./", "https://pocha/"),
        *("https://shop..example/", "https://.shop.example/", "https://*.example/", "https://shop.example;x/"),
    ],
)
def test_a_private_one_needs_the_setting(url: str) -> None:
    require_target(url, allows_private=True)
    with pytest.raises(ForbiddenTarget):
        require_target(url, allows_private=False)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "shop.example",
            "ftp://shop.example/",
            "file:///etc/passwd",
            "https://",
            "https:///hooks",
            "https://a:b@shop.example/",
        ),
        *(
            "https://@shop.example/",
            "https://shop.example/#part",
            "https://shop.example:0/",
            "https://shop.example:99999/",
        ),
        *(
            "https://shop.example:x/",
            "https://shop.example/a b",
            "https://shop.example/\r\nx: y",
            "https://niño.example/",
        ),
        *("https://shop.example\\@127.0.0.1/", "https://[::1/", f"https://shop.example/{'a' * MAX_URL_LENGTH}"),
    ],
)
def test_what_is_no_address_of_a_hook_is_refused_with_the_setting_too(url: str) -> None:
    for allows_private in (False, True):
        with pytest.raises(ForbiddenTarget):
            require_target(url, allows_private=allows_private)
