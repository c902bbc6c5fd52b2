"""Refusals of commands: a closed list of reasons, each with the facts that explain it."""

from enum import StrEnum

import msgspec

from domain.cards import Card


class Reason(StrEnum):
    """The reasons. Duties of play bear the names of `domain.tricks.Duty`."""

    UNKNOWN_RULESET = "unknown-ruleset"
    UNKNOWN_COMMITMENT = "unknown-commitment"
    COMMITMENT_USED = "commitment-used"
    WRONG_NUMBER_OF_PLAYERS = "wrong-number-of-players"
    TOO_MANY_ROBOTS = "too-many-robots"
    NOT_INVITED = "not-invited"
    NO_SUCH_SEAT = "no-such-seat"
    SEAT_TAKEN = "seat-taken"
    ALREADY_SEATED = "already-seated"
    GAME_FULL = "game-full"
    REMOVED_BY_HOST = "removed-by-host"
    NOT_YOUR_SEAT = "not-your-seat"
    NOT_THE_HOST = "not-the-host"
    WRONG_PHASE = "wrong-phase"
    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    OUT_OF_RANGE = "out-of-range"
    HOOK = "hook"
    BELOW_AUCTION_BID = "below-auction-bid"
    NOT_HIGHER = "not-higher"
    MUST_BID = "must-bid"
    NO_SUCH_POSITION = "no-such-position"
    NOT_IN_HAND = "not-in-hand"
    MUST_FOLLOW = "must-follow"
    MUST_BEAT = "must-beat"
    MUST_TRUMP = "must-trump"
    MUST_OVERTRUMP = "must-overtrump"
    RENUNCIO_ENFORCED = "renuncio-enforced"
    OWN_PLAY = "own-play"
    NOT_PLAYED = "not-played"
    ALREADY_CLAIMED = "already-claimed"
    TRICKS_DO_NOT_ADD_UP = "tricks-do-not-add-up"
    TRUMP_UNKNOWN = "trump-unknown"
    NOT_IN_PACK = "not-in-pack"
    NO_PENALTY = "no-penalty"
    NOTHING_TO_CORRECT = "nothing-to-correct"
    SHEET_FULL = "sheet-full"


class Facts(msgspec.Struct, frozen=True):
    """What else there is to say: only what the one who asked may know."""

    phase: str | None = None
    seat_on_turn: int | None = None
    players_allowed: tuple[int, ...] | None = None
    legal_bids: tuple[int, ...] | None = None
    forbidden_bid: int | None = None
    may_pass: bool | None = None
    legal_cards: tuple[Card, ...] | None = None
    positions: tuple[int, ...] | None = None


NO_FACTS = Facts()


class Refused(Exception):
    """The command may not be carried out; nothing happened."""

    def __init__(self, reason: Reason, facts: Facts = NO_FACTS) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.facts = facts
