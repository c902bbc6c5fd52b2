"""Settings that only make sense together, and keys that cannot be read: the start stops, with the variable's name."""

from pathlib import Path

import pytest

from service.bootstrap.settings import InvalidSetting, from_environment
from tests.e2e.test_cli import pocha

ISSUER = {
    "POCHA_JWT_ISSUER": "https://login.example",
    "POCHA_JWT_AUDIENCE": "pocha",
    "POCHA_JWT_JWKS": "https://login.example/jwks.json",
}
SECRET, PREVIOUS = "s" * 32, "p" * 32


def test_an_issuer_is_trusted_when_all_of_it_is_said() -> None:
    chosen = from_environment(ISSUER)
    assert (chosen.jwt_issuer, chosen.jwt_audience, chosen.jwt_jwks) == tuple(ISSUER.values())
    assert (chosen.jwt_leeway_seconds, chosen.token_hours) == (30, 720)


@pytest.mark.parametrize("missing", ISSUER)
def test_what_is_missing_of_an_issuer_is_named(missing: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^{missing}: "):
        from_environment({name: value for name, value in ISSUER.items() if name != missing})


@pytest.mark.parametrize(
    "source", ["https://login.example/keys", "http://localhost:8080/keys", "http://127.0.0.1/k", "keys", "/etc/keys"]
)
def test_keys_come_from_a_file_or_from_an_address_that_nobody_else_answers_at(source: str) -> None:
    assert from_environment({**ISSUER, "POCHA_JWT_JWKS": source}).jwt_jwks == source


@pytest.mark.parametrize(
    "source",
    ["http://login.example/keys", "http://localhost.evil.example/keys", "http://127.0.0.1.evil.example/", "http:"],
)
def test_keys_do_not_come_over_a_wire_that_anybody_may_touch(source: str) -> None:
    with pytest.raises(InvalidSetting, match=r"^POCHA_JWT_JWKS: "):
        from_environment({**ISSUER, "POCHA_JWT_JWKS": source})


def test_a_previous_secret_is_another_one_and_beside_a_present_one() -> None:
    assert from_environment({"POCHA_SECRET": SECRET, "POCHA_SECRET_PREVIOUS": PREVIOUS}).secret_previous == PREVIOUS
    with pytest.raises(InvalidSetting, match=r"^POCHA_SECRET_PREVIOUS: "):
        from_environment({"POCHA_SECRET": SECRET, "POCHA_SECRET_PREVIOUS": SECRET})
    with pytest.raises(InvalidSetting, match="POCHA_SECRET_PREVIOUS"):
        from_environment({"POCHA_SECRET_PREVIOUS": PREVIOUS})


@pytest.mark.parametrize("written", [None, "{}", '{"keys": []}'])
def test_a_file_without_keys_stops_the_start(tmp_path: Path, written: str | None) -> None:
    path = tmp_path / "jwks.json"
    if written is not None:
        path.write_text(written)
    done = pocha("serve", environment={**ISSUER, "POCHA_JWT_JWKS": str(path), "POCHA_SECRET": SECRET})
    assert done.returncode == 1
    assert done.stderr.startswith("pocha: POCHA_JWT_JWKS: ")
    assert "Traceback" not in done.stderr
