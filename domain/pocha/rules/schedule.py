"""Schedule of a game: blocks of hands, expanded for a number of players (rulebook 1.3 and section 5)."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import msgspec

Size = Annotated[str, msgspec.Meta(pattern=r"^(max|max-1|[1-9]|1[0-9]|2[0-4])\Z")]
"""Cards a player: a number, `max` (all that can be dealt) or `max-1`."""

Times = Annotated[str, msgspec.Meta(pattern=r"^(n|[1-9]|1[0-9]|20)\Z")]
"""How often: a number, or `n` (once a player)."""


class HandKind(StrEnum):
    """How a hand is dealt, bid and scored. `tie_break` is an extra one-card hand; extra oros hands are `oros` (rulebook R-TIE-4)."""

    NORMAL = "normal"
    INDIA = "india"
    SUBASTADO = "subastado"
    OROS = "oros"
    CIEGA = "ciega"
    TIE_BREAK = "tie_break"


class HandPlan(msgspec.Struct, frozen=True):
    """One hand of the schedule: its kind, and the cards each player gets (so many tricks it has)."""

    kind: HandKind
    cards: Annotated[int, msgspec.Meta(ge=1, le=24)]


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hands of one kind: `times` of each size from `first` to `last`, one card more or less a step.

    From a number to `max` or `max-1` the sizes go up, the other way down; a block that would have to turn round (from 2 to `max-1` where
    `max` is 2) has no hands.
    """

    kind: HandKind
    first: Size
    last: Size
    times: Times = "1"


def hands(blocks: Sequence[Block], players: int, most: int) -> tuple[HandPlan, ...]:
    """Return the hands of `blocks` for `players` who can get `most` cards each."""
    return tuple(
        plan
        for block in blocks
        for cards in sizes(block, most)
        for plan in (HandPlan(block.kind, cards),) * _times(block, players)
    )


def length(blocks: Sequence[Block], players: int, most: int) -> int:
    """Return the number of the hands of `blocks`, without making them: there may be thousands, far more than a game may have."""
    return sum(len(sizes(block, most)) * _times(block, players) for block in blocks)


def sizes(block: Block, most: int) -> range:
    """Return the sizes of a block where `most` cards can be dealt to each player."""
    first, last = _cards(block.first, most), _cards(block.last, most)
    step = -1 if _goes_down(block) else 1
    return range(first, last + step, step)


def _times(block: Block, players: int) -> int:
    return players if block.times == "n" else int(block.times)


def _cards(size: str, most: int) -> int:
    match size:
        case "max":
            return most
        case "max-1":
            return most - 1
        case _:
            return int(size)


def _goes_down(block: Block) -> bool:
    """Tell from the words, not from their values: `2` to `max-1` goes up even where `max` is 2."""
    # 26 is above every number of cards that a size can name.
    return _cards(block.first, 26) > _cards(block.last, 26)
