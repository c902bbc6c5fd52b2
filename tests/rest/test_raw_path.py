"""Kind: a path that a proxy which filters by prefix could take for another one is no path of the service."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rest.middleware.raw_path import is_ambiguous
from tests.kit.player import Api

UNRESERVED = "ABCXYZabcxyz0189-._~"


@pytest.mark.parametrize(
    "path",
    [
        "/%6detrics",
        "/%6Detrics",
        "/%2fmetrics",
        "/v1%2Fgames",
        "/v1/games%2f01930000-0000-7000-8000-000000000000",
        "/v1/%2e%2e/metrics",
        "/v1/..%2Fmetrics",
        "/v1/%2E/rulesets",
        "/%76%31/rulesets",
        "/v1/rulesets/clasica%2f",
        "/healthz%00",
        "/v1%5cgames",
        "/docs/%2e%2e/metrics",
    ],
)
async def test_an_escaped_letter_slash_or_dot_is_not_found(api: Api, path: str) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        response = await api.client.request(method, f"http://pocha.example{path}")
        assert response.status_code == 404, (method, path)


@pytest.mark.parametrize("path", ["/v1/rulesets/clasica", "/v1/rulesets/no%20such", "/v1/rulesets/%C3%B1", "/docs"])
async def test_what_has_to_be_escaped_may_be(api: Api, path: str) -> None:
    response = await api.client.get(path)
    assert response.status_code in {200, 400, 404}
    assert response.status_code == 200 or "ruleset" in response.text


@given(letter=st.sampled_from(UNRESERVED + "/\\"), upper=st.booleans())
def test_every_escape_that_is_never_needed_is_found(letter: str, upper: bool) -> None:
    digits = f"{ord(letter):02x}"
    raw = f"/v1/a%{digits.upper() if upper else digits}b".encode()
    assert is_ambiguous({"raw_path": raw})  # pyright: ignore[reportArgumentType] - all that is looked at


@given(letter=st.characters(min_codepoint=1, max_codepoint=255).filter(lambda letter: letter not in UNRESERVED + "/\\"))
def test_no_other_escape_is(letter: str) -> None:
    if not letter.isascii() or not letter.isalnum():
        raw = f"/v1/a%{ord(letter):02X}b".encode()
        assert not is_ambiguous({"raw_path": raw})  # pyright: ignore[reportArgumentType] - all that is looked at
