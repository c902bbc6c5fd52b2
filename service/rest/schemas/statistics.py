"""Schemas of statistics and leaderboards."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.pocha.view.schema import Cards, Id, Players
from service.application.ports import HandTally, PlayerRecord, TableTally
from service.rest.schemas.responses import Cursor

Count = Annotated[int, Meta(ge=0, le=2_147_483_647)]
Rating = Annotated[float, Meta(ge=-1000, le=1000)]
AveragePoints = Annotated[float, Meta(ge=-1_000_000_000, le=1_000_000_000)]
RankOnBoard = Annotated[int, Meta(ge=1, le=2_147_483_647)]

_DIGITS = 2


class HandStats(msgspec.Struct, frozen=True):
    """Hands of so many cards, and how many of them the player bid exactly."""

    cards: Cards
    hands: Count
    exact: Count


class TableStats(msgspec.Struct, frozen=True):
    """Finished games of one number of players."""

    players: Players
    games: Count
    wins: Count
    average_points: AveragePoints
    hands: tuple[HandStats, ...]


class RulesetStats(msgspec.Struct, frozen=True):
    """A player's rating and finished games of one ruleset."""

    ruleset_id: str
    rating: Rating
    games: Count
    by_players: tuple[TableStats, ...]


class PlayerStats(msgspec.Struct, frozen=True):
    """What a player achieved, by ruleset."""

    player_id: Id
    items: tuple[RulesetStats, ...]


class LeaderboardEntry(msgspec.Struct, frozen=True):
    """A player on a leaderboard."""

    rank: RankOnBoard
    player_id: Id
    display_name: str
    rating: Rating
    games: Count


class Leaderboard(msgspec.Struct, frozen=True):
    """A page of a leaderboard, the best rating first; `next_cursor` leads to the next page, if there is one."""

    ruleset_id: str
    items: tuple[LeaderboardEntry, ...]
    next_cursor: Cursor | UnsetType = UNSET


def ruleset_stats(record: PlayerRecord) -> RulesetStats:
    """Return what a player achieved in one ruleset."""
    tables = tuple(map(_table_stats, record.tallies))
    return RulesetStats(record.ruleset_id, round(record.rating, _DIGITS), record.games, tables)


def leaderboard_entry(rank: int, record: PlayerRecord, name: str) -> LeaderboardEntry:
    """Return a player on a leaderboard."""
    return LeaderboardEntry(rank, record.player_id, name, round(record.rating, _DIGITS), record.games)


def _table_stats(tally: TableTally) -> TableStats:
    average = round(tally.points / tally.games, _DIGITS)
    return TableStats(tally.players, tally.games, tally.wins, average, tuple(map(_hand_stats, tally.hands)))


def _hand_stats(tally: HandTally) -> HandStats:
    return HandStats(tally.cards, tally.hands, tally.exact)
