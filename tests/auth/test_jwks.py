"""Reading an issuer's keys: from files and addresses, seldom, and only keys that are fit to trust."""

import asyncio
import json
import threading
import time
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448, rsa

from service.rest.auth import jwks
from service.rest.auth.jwks import KeySet, NoKeySet
from tests.kit.clock import SetClock
from tests.security.world import IssuerOfTokens

WEAK = rsa.generate_private_key(65537, 1024)  # noqa: S505 - which is why it is passed over


@pytest.fixture
def issuer(tmp_path: Path) -> IssuerOfTokens:
    return IssuerOfTokens(tmp_path, SetClock())


def write(issuer: IssuerOfTokens, *keys: Any) -> str:
    issuer.path.write_text(json.dumps({"keys": keys}))
    return str(issuer.path)


class Watch:
    """Counts seconds, when told to."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def now(self) -> float:
        """Return the seconds so far."""
        return self.seconds


class Site:
    """Serves one document at any path, and counts how often."""

    def __init__(self) -> None:
        self.status, self.body, self.location, self.asked, self.seconds = 200, b"", "", 0, 0.0
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked += 1
                time.sleep(site.seconds)
                self.send_response(site.status)
                if site.location:
                    self.send_header("Location", site.location)
                self.end_headers()
                self.wfile.write(site.body)

            def log_message(self, *_: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - says nothing
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/jwks"


@pytest.fixture
def site(issuer: IssuerOfTokens) -> Generator[Site]:
    site = Site()
    site.body = issuer.path.read_bytes()
    thread = threading.Thread(target=site.server.serve_forever, daemon=True)
    thread.start()
    yield site
    site.server.shutdown()
    site.server.server_close()
    thread.join()


def test_a_set_in_a_file_is_read_with_all_kinds_of_keys(issuer: IssuerOfTokens) -> None:
    keys = jwks.read(str(issuer.path))
    assert {name: key.algorithm_name for name, key in keys.items()} == {"rsa": "RS256", "ec": "ES256", "ed": "EdDSA"}


def test_keys_that_are_not_fit_to_trust_are_passed_over(issuer: IssuerOfTokens) -> None:
    curve = ec.generate_private_key(ec.SECP384R1())
    source = write(
        issuer,
        issuer.public("good", issuer.ec),
        issuer.public("for encryption", issuer.ec, use="enc"),
        issuer.public("weak", WEAK),
        issuer.public("of another curve", curve),
        issuer.public("for another algorithm", issuer.rsa, alg="RS512"),
        {"kty": "oct", "kid": "symmetric", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"},
        {
            "kty": "OKP",
            "crv": "Ed448",
            "kid": "ed448",
            "x": ed448.Ed448PrivateKey.generate().public_key().public_bytes_raw().hex(),
        },
        {"kty": "RSA", "kid": "incomplete"},
        {"kid": "no kind"},
        {"kty": ["RSA"], "kid": "nonsense"},
        {name: value for name, value in issuer.public("", issuer.rsa).items() if name != "kid"},
    )
    assert set(jwks.read(source)) == {"good"}


@pytest.mark.parametrize(
    "written",
    [
        "",
        "{",
        "null",
        "[]",
        "{}",
        '{"keys": {}}',
        '{"keys": []}',
        '{"keys": [7]}',
        '{"keys": [{"kty": "RSA"}]}',
        "[" * 9999,
    ],
)
def test_what_is_no_set_is_told(issuer: IssuerOfTokens, written: str) -> None:
    issuer.path.write_text(written)
    with pytest.raises(NoKeySet):
        jwks.read(str(issuer.path))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoKeySet, match="No such file"):
        jwks.read(str(tmp_path / "none"))


def test_a_set_at_an_address_is_read(site: Site) -> None:
    assert set(jwks.read(site.address)) == {"rsa", "ec", "ed"}


@pytest.mark.parametrize("status", [204, 301, 302, 307, 308, 404, 500])
def test_an_address_that_does_not_answer_with_a_set_is_told_and_not_followed(site: Site, status: int) -> None:
    site.status, site.location = status, "file:///etc/passwd"
    with pytest.raises(NoKeySet) as told:
        jwks.read(site.address)
    assert "root:" not in str(told.value)
    site.location, site.asked = site.address, 0
    if status != 204:
        with pytest.raises(NoKeySet):
            jwks.read(site.address)
        assert site.asked == 1


def test_an_address_where_nobody_answers_is_told_without_the_address() -> None:
    with pytest.raises(NoKeySet) as told:
        jwks.read("http://user:hunter2@127.0.0.1:1/jwks")
    assert "hunter2" not in str(told.value)


async def test_many_who_need_the_keys_at_once_read_them_once(site: Site) -> None:
    keys = KeySet(site.address)
    found = await asyncio.gather(*(keys.key(name) for name in ("rsa", "ec", "ed", "unknown") * 20))
    assert len([key for key in found if key is not None]) == 60
    assert site.asked == 1


async def test_unknown_keys_are_looked_for_every_thirty_seconds_at_most(site: Site, issuer: IssuerOfTokens) -> None:
    watch = Watch()
    keys = KeySet(site.address, watch.now)
    await keys.key("ec")
    issuer.publish(new=issuer.ec)
    site.body = issuer.path.read_bytes()
    assert [await keys.key("new") for _ in range(50)] == [None] * 50
    assert site.asked == 1
    watch.seconds += jwks.MIN_SECONDS
    assert await keys.key("new") is not None
    assert await keys.key("ec") is None
    assert site.asked == 2


async def test_a_key_that_was_taken_back_is_forgotten_while_tokens_come(site: Site, issuer: IssuerOfTokens) -> None:
    watch = Watch()
    keys = KeySet(site.address, watch.now)
    await keys.key("ec")
    issuer.publish(rsa=issuer.rsa)
    site.body = issuer.path.read_bytes()
    watch.seconds += jwks.STALE_SECONDS
    assert await keys.key("ec") is not None  # and the set is being read
    assert await keys.key("unknown") is None  # who waits for it
    assert await keys.key("ec") is None


async def test_while_the_set_cannot_be_read_the_last_one_is_in_force(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    watch = Watch()
    keys = KeySet(site.address, watch.now)
    await keys.key("ec")
    site.status = 500
    watch.seconds += jwks.MIN_SECONDS
    assert await keys.key("unknown") is None
    assert await keys.key("ec") is not None
    assert "cannot read the issuer's key set: HTTP Error 500" in caplog.text


async def test_a_set_that_was_not_there_at_first_is_read_later(site: Site) -> None:
    watch = Watch()
    keys = KeySet(site.address, watch.now)
    site.status = 503
    assert await keys.key("ec") is None
    site.status = 200
    assert await keys.key("ec") is None
    watch.seconds += jwks.MIN_SECONDS
    assert await keys.key("ec") is not None


async def test_an_answer_that_does_not_end_is_not_waited_for(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(jwks, "_READ_SECONDS", 0.2)
    site.seconds = 1.0
    assert await KeySet(site.address).key("ec") is None
    assert "cannot read the issuer's key set: timeout after 0.2 s" in caplog.text


async def test_who_goes_away_while_the_set_is_read_disturbs_nobody(site: Site) -> None:
    keys = KeySet(site.address)
    impatient, patient = (asyncio.ensure_future(keys.key("ec")) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await patient is not None
