"""Joining by a short code: six letters and digits that nobody takes for others, to be read out or shown on a screen.

A code has 26 random bits and is valid for a day; what keeps it from being guessed is that guesses are limited
(`service.rest.rate_limit.policies.Policy.JOINS`).
"""

import secrets
from datetime import timedelta
from uuid import UUID

from service.application.caller import Caller
from service.application.ports import Clock, JoinCode, JoinCodes, Joined, StoreUnavailable

ALPHABET = "CDFGHJKMNPQRTVWXY34679"
"""Without vowels, so that no code is a word, and without what looks like another: 0 1 2 5 8 B I L O S U Z."""
LENGTH = 6
VALID_FOR = timedelta(days=1)
_MAX_ATTEMPTS = 10


class NoSuchCode(Exception):
    """No valid code reads like that in the caller's tenant."""


class Joining:
    """Gives out codes, and finds what they lead to."""

    def __init__(self, codes: JoinCodes, clock: Clock) -> None:
        self._codes = codes
        self._clock = clock

    async def code_of(self, kind: Joined, target: UUID, tenant: str) -> JoinCode:
        """Return the valid code of something, a new one if there is none. The caller may know of it."""
        now = self._clock.now()
        for _ in range(_MAX_ATTEMPTS):
            code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
            issued = await self._codes.issue(JoinCode(tenant, code, kind, target, now + VALID_FOR), now)
            if issued is not None:
                return issued
        raise StoreUnavailable("no code is free")

    async def find(self, code: str, caller: Caller) -> JoinCode:
        """Return what a code leads to; capital and small letters are the same.

        Raises:
            NoSuchCode: as the name says.
        """
        found = await self._codes.find(caller.tenant, code.upper(), self._clock.now())
        if found is None:
            raise NoSuchCode
        return found
