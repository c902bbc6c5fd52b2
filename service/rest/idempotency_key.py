"""The `Idempotency-Key` header of a request."""

import re

import msgspec

from service.application import idempotency
from service.application.idempotency import RequestKey
from service.rest.errors import invalid_request
from service.rest.requests import ApiRequest
from service.rest.scope import header_lines

_OWNERS_OF_KEYS = {"game_id", "score_keeper_id"}
_KEY = re.compile(r"[!-~]([ -~]{0,126}[!-~])?")


def idempotency_key(request: ApiRequest, body: msgspec.Struct | None = None) -> RequestKey | None:
    """Return the key of a request with its fingerprint: method, path and decoded body. None without the header.

    Raises:
        ApiError: the header is malformed, or sent twice.
    """
    keys = header_lines(request.scope, b"idempotency-key")
    if not keys:
        return None
    if len(keys) > 1 or not _KEY.fullmatch(keys[0]):
        raise invalid_request(
            "header/Idempotency-Key", "Expected 1 to 128 printable ASCII characters, without spaces at the ends."
        )
    encoded = b"" if body is None else msgspec.json.encode(body, order="deterministic")
    is_creation = request.path_params.keys().isdisjoint(_OWNERS_OF_KEYS)
    make_key = idempotency.for_creation if is_creation else idempotency.for_request
    path = request.scope["path"].lower()  # a game's id in capitals is the same
    return make_key(request.user.id, keys[0], request.method, path, encoded)
