"""Schemas of response bodies, except for games, events, score sheets and problems. Clients must accept new fields."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card
from domain.pocha.rules.schedule import HandPlan
from domain.pocha.view.schema import (
    Commitment,
    EventView,
    GameView,
    Id,
    Moment,
    OwnTurn,
    Players,
    Result,
    Ruleset,
    RulesetRef,
    Score,
    Seat,
    SeatView,
    Status,
    TurnView,
    Version,
)
from domain.table.table import Reaction, Visibility
from service.application.ports import ReactionHint
from service.rest.i18n import Language

# In Python `$` also matches before a final line feed; `\Z` does not, and is what `$` means in the contract (ECMA 262).
Cursor = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
KnownGames = Annotated[str, Meta(max_length=2200, pattern=r"^[A-Za-z0-9_-]*\Z")]
Term = Annotated[str, Meta(max_length=40, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\Z")]
Wording = Annotated[str, Meta(min_length=1, max_length=300)]


class Guest(msgspec.Struct, frozen=True):
    """A player with a new token, which is valid until `expires_at`, and is shown only here."""

    player_id: Id
    display_name: str
    token: str
    expires_at: Moment


class ScheduleFor(msgspec.Struct, frozen=True):
    """The hands of a game for a number of players, and the cards left out of the pack."""

    players: Players
    removed: tuple[Card, ...]
    hands: tuple[HandPlan, ...]


class RulesetView(msgspec.Struct, frozen=True):
    """A ruleset with every parameter, and its hand schedule for each number of players."""

    ruleset: Ruleset
    schedules: tuple[ScheduleFor, ...]


class GameRuleset(msgspec.Struct, frozen=True):
    """The ruleset of a game with its house rules, and its schedule for its number of players, without extra hands."""

    ruleset: Ruleset
    schedule: ScheduleFor


class RulesetList(msgspec.Struct, frozen=True):
    """The presets."""

    items: tuple[RulesetView, ...]


class GameSummary(msgspec.Struct, frozen=True):
    """A game in the lobby."""

    game_id: Id
    status: Status
    ruleset: RulesetRef
    players: Players
    free_seats: Annotated[int, Meta(ge=0, le=10)]
    created_at: Moment
    seats: tuple[SeatView, ...]


class GameList(msgspec.Struct, frozen=True):
    """A page of the lobby, newest game first; `next_cursor` leads to the next page, if there is one."""

    items: tuple[GameSummary, ...]
    next_cursor: Cursor | UnsetType = UNSET


class Me(msgspec.Struct, frozen=True):
    """The calling player."""

    player_id: Id
    display_name: str


class MyGame(msgspec.Struct, frozen=True):
    """A game of the caller; without `my_seat` a robot plays for the caller, who may come back."""

    game_id: Id
    version: Version
    status: Status
    ruleset: RulesetRef
    players: Players
    visibility: Visibility
    created_at: Moment
    seats: tuple[SeatView, ...]
    scores: tuple[Score, ...]
    my_seat: Seat | UnsetType = UNSET
    turn: TurnView | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    rematch_id: Id | UnsetType = UNSET


class MyGameList(msgspec.Struct, frozen=True):
    """A page of the caller's games, newest first; `next_cursor` leads to the next page, if there is one."""

    items: tuple[MyGame, ...]
    server_time: Moment
    next_cursor: Cursor | UnsetType = UNSET


class MoveResult(msgspec.Struct, frozen=True):
    """The result of a move as the caller may see it: its version, its events, and the game after it."""

    version: Version
    events: tuple[EventView, ...]
    game: GameView


class EventPage(msgspec.Struct, frozen=True):
    """Events of whole commits, in order. `next_after` is the `after` of the next page; `version` is the game's."""

    items: tuple[EventView, ...]
    next_after: Annotated[int, Meta(ge=0, le=2_147_483_647)]
    version: Version


class WaitingTurn(msgspec.Struct, frozen=True):
    """A turn of the caller in one game."""

    game_id: Id
    version: Version
    ruleset: RulesetRef
    my_seat: Seat
    turn: OwnTurn


class EndedGame(msgspec.Struct, frozen=True):
    """A game that is over."""

    game_id: Id
    version: Version
    status: Status
    result: Result | UnsetType = UNSET


class TurnList(msgspec.Struct, frozen=True):
    """The turns of the caller, nearest deadline first, and the games that ended since the answer with this `after`."""

    items: tuple[WaitingTurn, ...]
    ended: tuple[EndedGame, ...]
    open_games: Annotated[int, Meta(ge=0, le=1000)]
    next_after: KnownGames
    server_time: Moment


class StreamedCommit(msgspec.Struct, frozen=True):
    """A commit as the viewer of a stream may see it, and the turn after it."""

    version: Version
    events: tuple[EventView, ...]
    server_time: Moment
    status: Status
    turn: TurnView | UnsetType = UNSET


class SeatReaction(msgspec.Struct, frozen=True):
    """What the player of a seat said to the others. It is not kept; a repetition of one request has the same `reaction_id`."""

    reaction_id: Id
    seat: Seat
    player_id: Id
    reaction: Reaction
    at: Moment


def seat_reaction(sent: ReactionHint) -> SeatReaction:
    """Return a reaction as everybody at the table sees it."""
    return SeatReaction(str(sent.reaction_id), sent.seat, sent.player_id, sent.reaction, sent.at)


class StreamEnd(msgspec.Struct, frozen=True):
    """The end of a stream: how the game ended."""

    version: Version
    status: Status
    result: Result | UnsetType = UNSET


class StreamTicket(msgspec.Struct, frozen=True):
    """A ticket that opens the stream at `path` until `expires_at`, as its query parameter `ticket`."""

    ticket: str
    path: str
    expires_at: Moment


class SeedCommitment(msgspec.Struct, frozen=True):
    """The commitment to the server seed of the table `game_id`, which its asker may make until `expires_at`."""

    commitment: Commitment
    game_id: Id
    expires_at: Moment


class GlossaryWord(msgspec.Struct, frozen=True):
    """A term in one language, with its meaning."""

    language: Language
    word: Wording
    meaning: Wording


class GlossaryEntry(msgspec.Struct, frozen=True):
    """A term of the game: `term` is a stable id, and `source` the text of the rules that it comes from."""

    term: Term
    source: Wording
    words: tuple[GlossaryWord, ...]


class Glossary(msgspec.Struct, frozen=True):
    """The terms of the game, each in every language."""

    items: tuple[GlossaryEntry, ...]


class Health(msgspec.Struct, frozen=True):
    """The state of the process."""

    status: Literal["ok", "ready"]
