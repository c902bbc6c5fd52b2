"""Server seeds of new tables, and commitments to the seeds of tables that are yet to be made.

A maker who has the commitment gives a client seed when the server has no choice any more. Nothing but the id of the future game is stored:
the seed follows from the service's secret, the maker and that id, and the id from the commitment. So no process can change either, and no
commitment makes two tables.
"""

import hmac
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from domain.pocha.model.refusals import Reason, Refused
from service.application import ids, shuffle
from service.application.caller import Caller
from service.application.ports import Clock, Reservations, Shuffler

LIFETIME = timedelta(hours=1)


class SeedCommitment(msgspec.Struct, frozen=True):
    """The commitment to a seed, the id of the table to be made with it, and until when it can be made."""

    commitment: str
    game_id: UUID
    expires_at: datetime


class CommittedSeed(msgspec.Struct, frozen=True):
    """A seed whose commitment was given away, and the id of the table that it is for. Once it `has_expired`, it makes no new table."""

    seed: bytes
    game_id: UUID
    has_expired: bool = False


class Commitments:
    """Gives commitments, and finds their seeds again. The first of `secrets` makes new ones; the others have made some before."""

    def __init__(self, reservations: Reservations, shuffler: Shuffler, clock: Clock, secrets: Sequence[bytes]) -> None:
        self._reservations = reservations
        self._shuffler = shuffler
        self._clock = clock
        self._secrets = secrets

    def new_seed(self) -> bytes:
        """Return a seed for a table without a commitment fetched beforehand."""
        return self._shuffler.new_seed()

    async def issue(self, maker: Caller) -> SeedCommitment:
        """Return a commitment for a table that the caller may make.

        Raises:
            PlayerRequired: the caller is an app.
        """
        maker.require_player()
        game_id = ids.new_game_id()
        commitment = shuffle.commitment(_seed(self._secrets[0], maker, game_id))
        await self._reservations.reserve(_key(commitment), game_id)
        return SeedCommitment(commitment, game_id, self._clock.now() + LIFETIME)

    async def find(self, maker: Caller, commitment: str) -> CommittedSeed:
        """Return the seed of a commitment.

        Raises:
            Refused: it was not given to the caller.
        """
        game_id = await self._reservations.reserved(_key(commitment))
        if game_id is not None:
            for secret in self._secrets:
                seed = _seed(secret, maker, game_id)
                if shuffle.commitment(seed) == commitment:
                    return CommittedSeed(seed, game_id, self._has_expired(game_id))
        raise Refused(Reason.UNKNOWN_COMMITMENT)

    def _has_expired(self, game_id: UUID) -> bool:
        return self._clock.now() >= ids.time_of(game_id) + LIFETIME


def _seed(secret: bytes, maker: Caller, game_id: UUID) -> bytes:
    # The line break keeps the message apart from those of tokens, which the same secret signs.
    message = msgspec.json.encode(("server-seed", maker.tenant, maker.id, game_id)) + b"\n"
    return hmac.digest(secret, message, "sha256")


def _key(commitment: str) -> UUID:
    return ids.uuid_of("commitment", commitment)
