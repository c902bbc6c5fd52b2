"""Idempotency keys: ids of commands that follow from the request, so that a retry has the id of the first try."""

import hashlib
from uuid import UUID, uuid4

import msgspec

from service.application import ids


class RequestKey(msgspec.Struct, frozen=True):
    """Id under which a command is stored, and the hash of its request; the hash is empty for a command that is never retried."""

    command_id: UUID
    fingerprint: bytes


def random_key() -> RequestKey:
    """Return a unique key, for a request without an idempotency key."""
    return RequestKey(uuid4(), b"")


def for_request(caller_id: str, key: str, method: str, path: str, body: bytes) -> RequestKey:
    """Return the key of a request to a game; `key` is the caller's idempotency key, in a name space of its own per caller."""
    return RequestKey(ids.uuid_of("request", caller_id, key), _fingerprint(method, path, body))


def for_creation(caller_id: str, key: str, method: str, path: str, body: bytes) -> RequestKey:
    """Return the key of a request that creates a game; its name space is apart from that of requests to games."""
    return RequestKey(ids.uuid_of("creation", caller_id, key), _fingerprint(method, path, body))


def for_rematch(game_id: UUID) -> RequestKey:
    """Return the key under which the rematch of `game_id` is created, the same for every caller."""
    return RequestKey(ids.uuid_of("rematch", str(game_id)), b"")


def _fingerprint(method: str, path: str, body: bytes) -> bytes:
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), body))).digest()
