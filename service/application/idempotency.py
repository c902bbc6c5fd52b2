"""Names that follow from what they name: of requests, so that a repeated one is known as the one that it repeats, and of players."""

import hashlib
from uuid import UUID, uuid4

import msgspec


class RequestKey(msgspec.Struct, frozen=True):
    """The id under which a command is kept for ever, and the hash of what was asked; an empty one where nobody can repeat it."""

    command_id: UUID
    fingerprint: bytes


def random_key() -> RequestKey:
    """Return a key that nothing else has, for a request that came without one."""
    return RequestKey(uuid4(), b"")


def for_request(caller_id: str, key: str, method: str, path: str, body: bytes) -> RequestKey:
    """Return the key of a request at a game that its caller has given the name `key`; two callers may use the same names."""
    return RequestKey(_named("request", caller_id, key), _fingerprint(method, path, body))


def for_creation(caller_id: str, key: str, method: str, path: str, body: bytes) -> RequestKey:
    """Return the same of a request for a game that is not there yet: these names are apart from those that are used at it later."""
    return RequestKey(_named("creation", caller_id, key), _fingerprint(method, path, body))


def for_rematch(game_id: UUID) -> RequestKey:
    """Return the key under which the game after `game_id` is made, whoever asks for it."""
    return RequestKey(_named("rematch", str(game_id)), b"")


def of_player(tenant: str, external_id: str) -> UUID:
    """Return the id of the player whom `tenant` knows as `external_id`."""
    return _named("player", tenant, external_id)


def _fingerprint(method: str, path: str, body: bytes) -> bytes:
    return hashlib.sha256(b"\n".join((method.encode(), path.encode(), body))).digest()


def _named(*parts: str) -> UUID:
    """Return a UUID made from `parts` (RFC 9562, version 8)."""
    digest = hashlib.sha256(b"".join(_with_length(part.encode()) for part in parts)).digest()
    value = int.from_bytes(digest[:16], "big")
    return UUID(int=(value & ~(0xF << 76) & ~(0b11 << 62)) | (0x8 << 76) | (0b10 << 62))


def _with_length(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part
