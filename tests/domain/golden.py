"""Golden games: whole games in a short notation, kept under `data/golden`. Renew them with `python -m tests.domain.golden`.

A line a deal, a line a trick, a line a score: `deal 3 normal 2 by 0 turn-up oros-4 x1 | 0: copas-1 oros-7 | …`, `bids 1:0 2:1 0:0`,
`trick 1: copas-5 copas-1 oros-2 > 2 copas-1`, `score 0:+10=35 1:-5=10`, `over 2`. A subastado has its auction and its trump,
`auction 1:3 2:pass 0:4 > 0 4 locked`, `trump 0 copas x2`, a card picked blind the place where it lay, `pick 0 oros-4 at 3 x3`.
"""

from collections.abc import Iterator
from pathlib import Path

from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    BidMade,
    BlindPickMade,
    CardPlayed,
    Event,
    GameOver,
    GameStarted,
    HandDealt,
    HandScored,
    TrickTaken,
    TrumpChosen,
)
from domain.pocha.rules.presets import ANTIGUA, CLASICA, PRESETS
from domain.pocha.rules.ruleset import Ruleset
from tests.domain.playout import game

GOLDEN = Path(__file__).parent / "data" / "golden"
SEED = 1492
_LONG = {CLASICA.id: (4,), ANTIGUA.id: (5,)}
"""Presets whose games are long: one number of players of each is enough."""

GAMES = [(rules, players) for rules in PRESETS.values() for players in _LONG.get(rules.id, rules.players.allowed)]


def name(rules: Ruleset, players: int) -> str:
    """Return the name of the file of a game."""
    return f"{rules.id}-{players}.txt"


def notation(rules: Ruleset, players: int) -> str:
    """Return the game of `SEED`, moves at random."""
    happened = (event for step in game(rules, players, SEED) for event in step.events)
    return "\n".join(lines(happened)) + "\n"


def lines(happened: Iterator[Event]) -> Iterator[str]:
    """Yield the notation line by line."""
    said: list[str] = []
    trick: list[str] = []
    for event in happened:
        match event:
            case GameStarted(seats=seats, dealer=dealer, schedule=schedule):
                yield f"start {len(seats)} players, {len(schedule)} hands, dealer {dealer}"
            case HandDealt():
                yield deal(event)
            case AuctionBidMade(seat=seat, bid=bid) | BidMade(seat=seat, bid=bid):
                said.append(f"{seat}:{bid}")
            case AuctionPassed(seat=seat):
                said.append(f"{seat}:pass")
            case AuctionWon(seat=seat, bid=bid, locked=locked):
                yield f"auction {' '.join(said)} > {seat} {bid}{' locked' if locked else ''}"
                said = []
            case CardPlayed(seat=seat, card=card):
                if said:
                    yield f"bids {' '.join(said)}"
                    said = []
                trick.append(f"{card}" if trick else f"{seat}: {card}")
            case TrickTaken(seat=seat, card=card):
                yield f"trick {' '.join(trick)} > {seat} {card}"
                trick = []
            case _:
                yield single(event)


def single(event: Event) -> str:
    """Return the line of an event that has a line of its own."""
    match event:
        case BlindPickMade(seat=seat, card=card, multiplier=factor, position=position):
            return f"pick {seat} {card} at {'the end' if position is None else position} x{factor}"
        case TrumpChosen(seat=seat, suit=suit, multiplier=factor):
            return f"trump {seat} {suit} x{factor}"
        case HandScored(points=points, totals=totals):
            rows = enumerate(zip(points, totals, strict=True))
            return "score " + " ".join(f"{seat}:{won:+}={total}" for seat, (won, total) in rows)
        case GameOver(winners=winners):
            return "over " + " ".join(str(seat) for seat in winners)
        case _:
            raise ValueError(f"no notation for {event}")


def deal(event: HandDealt) -> str:
    """Return the line of a deal, the hands by seat."""
    hands = " | ".join(f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(event.hands))
    marks = f"turn-up {event.turn_up}" if event.turn_up else f"trump {event.trump or 'none'}"
    marks = "face down" if event.face_down else marks
    return f"deal {event.number} {event.kind} {event.cards} by {event.dealer} {marks} x{event.multiplier} | {hands}"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for ruleset, number_of_players in GAMES:
        (GOLDEN / name(ruleset, number_of_players)).write_text(notation(ruleset, number_of_players))
