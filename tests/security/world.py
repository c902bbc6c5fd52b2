"""A service with two apps and a trusted issuer of tokens, and all kinds of callers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from service.adapters.memory.apps import MemoryApps
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.auth import api_keys
from service.rest.auth.config import AuthConfig
from service.rest.auth.external_jwt import TrustedIssuer
from service.rest.auth.jwks import KeySet
from tests.kit.clock import SetClock
from tests.kit.player import Json, client_of

SECRET = b"the secret of the tests of security, long enough"
ISSUER = "https://login.example"
AUDIENCE = "pocha-of-example"
SHOP, MALL = "shop", "mall"

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey
_ALGORITHMS: Mapping[type[PrivateKey], Any] = {
    rsa.RSAPrivateKey: RSAAlgorithm,
    ec.EllipticCurvePrivateKey: ECAlgorithm,
    ed25519.Ed25519PrivateKey: OKPAlgorithm,
}


class IssuerOfTokens:
    """Somebody else who signs tokens; `keys` are those of the set that is published in a file."""

    def __init__(self, folder: Path, clock: SetClock) -> None:
        self.path = folder / "jwks.json"
        self.clock = clock
        self.rsa = rsa.generate_private_key(65537, 2048)
        self.ec = ec.generate_private_key(ec.SECP256R1())
        self.ed = ed25519.Ed25519PrivateKey.generate()
        self.publish(rsa=self.rsa, ec=self.ec, ed=self.ed)

    def publish(self, **keys: PrivateKey) -> None:
        """Write the set of the public halves of `keys`, by their ids."""
        self.path.write_text(json.dumps({"keys": [self.public(name, key) for name, key in keys.items()]}))

    @staticmethod
    def public(name: str, key: PrivateKey, **more: str) -> Json:
        """Return the public half of a key as a JSON Web Key."""
        algorithm = next(found for kind, found in _ALGORITHMS.items() if isinstance(key, kind))
        return {**json.loads(algorithm.to_jwk(key.public_key())), "kid": name, "use": "sig", **more}

    def claims(self, sub: str = "user-1", **more: Any) -> Json:
        """Return the claims of a token that is good, but for what `more` changes; none takes a claim away."""
        now = int(self.clock.now().timestamp())
        said = {"iss": ISSUER, "aud": AUDIENCE, "sub": sub, "name": "Ida", "iat": now, "nbf": now, "exp": now + 300}
        return {name: value for name, value in {**said, **more}.items() if value is not None}

    def token(self, sub: str = "user-1", **more: Any) -> str:
        """Return a token, good but for what `more` changes."""
        return jwt.encode(self.claims(sub, **more), self.ec, "ES256", {"kid": "ec"})


class World:
    """The service, and who calls it."""

    def __init__(self, folder: Path) -> None:
        self.log, self.apps, self.clock = MemoryStore(), MemoryApps(), SetClock()
        self.issuer = IssuerOfTokens(folder, self.clock)
        self.client = self.client_of_service()

    def client_of_service(self, secret: bytes = SECRET, **trust: Any) -> httpx.AsyncClient:
        """Return a client of another process of the service."""
        keys = KeySet(str(self.issuer.path))
        everybody: dict[str, Any] = {
            "apps": self.apps,
            "issuer": TrustedIssuer(ISSUER, AUDIENCE, keys, self.clock),
            "key_seconds": 0.0,
        }
        service = Service(self.log, self.clock, SeededShuffler(), secret, trust=AuthConfig(**{**everybody, **trust}))
        return client_of(service.asgi)

    async def new_app(self, name: str) -> str:
        """Make an app, and return its key."""
        written, key = api_keys.new_key(name, self.clock.now())
        assert await self.apps.create(key)
        return written

    async def ask(self, credential: str | None, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request."""
        bearer = {} if credential is None else {"Authorization": f"Bearer {credential}"}
        everything = {**bearer, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return await self.client.request(method, path, json=body, headers=everything)

    async def is_let_in(self, credential: str | None, client: httpx.AsyncClient | None = None) -> bool:
        """Tell whether a credential opens the lobby; holds every refusal to be the same."""
        bearer = {} if credential is None else {b"Authorization": f"Bearer {credential}".encode("latin-1")}
        answer = await (client or self.client).get("/v1/games", headers=bearer)
        if answer.status_code == 200:
            return True
        assert_refused(answer)
        return False

    async def player(self, key: str | None = None, external_id: str = "user-1", name: str = "Ana") -> Json:
        """Return a new guest, or a user of an app, with their token."""
        body = {"display_name": name} if key is None else {"display_name": name, "external_id": external_id}
        answer = await self.ask(key, "POST", "/v1/players", body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def table(self, token: str, **more: Any) -> Json:
        """Return a new table, where whoever has the token sits at seat 0."""
        answer = await self.ask(token, "POST", "/v1/games", {"ruleset": "ludoteka-express-3", "players": 3, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()


UNAUTHENTICATED = {
    "type": "/problems/unauthenticated",
    "title": "A valid bearer token is needed",
    "status": 401,
    "code": "unauthenticated",
    "detail": "Send the header Authorization: Bearer CREDENTIAL, with a token or an API key that is good now. "
    "POST /v1/players gives tokens.",
}


def assert_refused(answer: httpx.Response) -> None:
    """Hold an answer to be the one refusal that there is for credentials, whatever is wrong with them."""
    assert answer.status_code == 401, answer.text
    assert answer.json() == UNAUTHENTICATED
    assert answer.headers["www-authenticate"] == 'Bearer realm="pocha"'


def lasting(answer: httpx.Response) -> tuple[int, Any, dict[str, str]]:
    """Return all of an answer but what is of the request alone."""
    headers = {name: value for name, value in answer.headers.items() if name != "x-request-id"}
    return answer.status_code, answer.content, headers
