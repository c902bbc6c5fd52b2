"""Golden games: whole games in a short notation, kept under `data/golden`. Renew them with `python -m tests.domain.golden`.

A line a deal, a line a trick, a line a score: `deal 3 normal 2 by 0 turn-up oros-4 x1 | 0: copas-1 oros-7 | …`, `bids 1:0 2:1 0:0`,
`trick 1: copas-5 copas-1 oros-2 > 2 copas-1`, `score 0:+10=35 1:-5=10`, `over 2`.
"""

from collections.abc import Iterator
from pathlib import Path

from domain.pocha.events import (
    BidMade,
    CardPlayed,
    Event,
    GameOver,
    GameStarted,
    HandDealt,
    HandScored,
    TrickTaken,
)
from domain.pocha.presets import LISTED
from domain.pocha.ruleset import Ruleset
from tests.domain.playout import game

GOLDEN = Path(__file__).parent / "data" / "golden"
SEED = 1492
GAMES = [(rules, players) for rules in LISTED.values() for players in rules.players.allowed]


def name(rules: Ruleset, players: int) -> str:
    """Return the name of the file of a game."""
    return f"{rules.id}-{players}.txt"


def notation(rules: Ruleset, players: int) -> str:
    """Return the game of `SEED`, moves at random."""
    happened = (event for step in game(rules, players, SEED) for event in step.events)
    return "\n".join(lines(happened)) + "\n"


def lines(happened: Iterator[Event]) -> Iterator[str]:
    """Yield the notation line by line."""
    bids: list[str] = []
    trick: list[CardPlayed] = []
    for event in happened:
        match event:
            case GameStarted(seats=seats, dealer=dealer, schedule=schedule):
                yield f"start {len(seats)} players, {len(schedule)} hands, dealer {dealer}"
            case HandDealt():
                yield deal(event)
                bids, trick = [], []
            case BidMade(seat=seat, bid=bid):
                bids.append(f"{seat}:{bid}")
            case CardPlayed():
                if bids:
                    yield f"bids {' '.join(bids)}"
                    bids = []
                trick.append(event)
            case TrickTaken(seat=seat, card=card):
                yield f"trick {trick[0].seat}: {' '.join(play.card for play in trick)} > {seat} {card}"
                trick = []
            case HandScored(points=points, totals=totals):
                rows = enumerate(zip(points, totals, strict=True))
                yield "score " + " ".join(f"{seat}:{won:+}={total}" for seat, (won, total) in rows)
            case GameOver(winners=winners):
                yield "over " + " ".join(str(seat) for seat in winners)
            case _:
                raise ValueError(f"no notation for {event}")


def deal(event: HandDealt) -> str:
    """Return the line of a deal, the hands by seat."""
    hands = " | ".join(f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(event.hands))
    marks = f"turn-up {event.turn_up}" if event.turn_up else f"trump {event.trump or 'none'}"
    return f"deal {event.number} {event.kind} {event.cards} by {event.dealer} {marks} x{event.multiplier} | {hands}"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for ruleset, number_of_players in GAMES:
        (GOLDEN / name(ruleset, number_of_players)).write_text(notation(ruleset, number_of_players))
