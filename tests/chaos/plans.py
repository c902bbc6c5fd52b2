"""The tables of a run: presets of every kind, with hands enough for a few minutes, and how their players behave."""

import msgspec

from tests.kit.board import Json


class Plan(msgspec.Struct, frozen=True):
    """A table. Its persons may be `restless` (they leave and come back) or `sleepy` (they let their turns expire)."""

    ruleset: str
    players: int
    persons: int
    hands: tuple[tuple[str, str, str], ...] = ()
    visibility: str = "public"
    turn_seconds: int | None = None
    restless: bool = False
    sleepy: bool = False
    penalised: bool = False
    spectators: int = 0

    @property
    def is_steady(self) -> bool:
        """Tell whether nothing can happen there but moves by whoever is on turn, so that no move can be refused."""
        return not (self.turn_seconds or self.restless or self.penalised)

    def request(self) -> Json:
        """Return the body that makes the table."""
        body: Json = {"ruleset": self.ruleset, "players": self.players, "visibility": self.visibility}
        body["robots"] = [{"level": "easy"}] * (self.players - self.persons)
        if self.turn_seconds:
            body["turn_seconds"] = self.turn_seconds
        return body | ({"house_rules": self._house_rules()} if self.hands else {})

    def _house_rules(self) -> Json:
        blocks = [{"kind": kind, "first": size, "last": size, "times": times} for kind, size, times in self.hands]
        penalised = {"renuncio": {"mode": "penalised", "penalty": 50, "wrong_claim_penalty": 10}}
        return {"schedule": {"blocks": blocks}} | (penalised if self.penalised else {})


_KINDS = (
    Plan("ludoteka-express-3", 3, 3),
    Plan("clasica", 4, 3, (("india", "1", "2"), ("subastado", "4", "2"), ("oros", "5", "1"), ("normal", "3", "2"))),
    Plan("antigua", 5, 3, (("normal", "max", "2"), ("india", "1", "1"), ("subastado", "max", "1"))),
    Plan("ludoteka-loca", 4, 2, (("subastado", "5", "3"), ("ciega", "4", "1"), ("india", "1", "3"))),
    Plan("torofun", 4, 4, (("normal", "1", "2"), ("normal", "5", "1"))),
    Plan("clasica", 3, 2, (("normal", "5", "3"), ("subastado", "5", "2"), ("oros", "4", "1")), penalised=True),
    Plan("fournier", 3, 2, (("normal", "2", "1"), ("normal", "1", "1"))),
    Plan("ludoteka-express-4", 4, 2),
)

_SECONDS = (None, 1, None, 2, None)


def plan(number: int) -> Plan:
    """Return the plan of the table of this number; neighbours differ in everything."""
    seconds = _SECONDS[number % len(_SECONDS)]
    private = number % 3 == 2
    return msgspec.structs.replace(
        _KINDS[number % len(_KINDS)],
        visibility="private" if private else "public",
        spectators=0 if private else 1,
        turn_seconds=seconds,
        sleepy=seconds is not None,
        restless=number % 7 in (1, 4),
    )
