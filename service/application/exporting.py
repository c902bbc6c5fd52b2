"""Everything that is kept about a player, for the player."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from uuid import UUID

import msgspec

from domain.pocha.behaviour.evolve import evolve
from domain.pocha.model import events
from domain.pocha.model.events import Event
from domain.pocha.model.state import NotCreated, State, table_of
from domain.table.table import Player
from service.application.caller import Caller
from service.application.games import Games
from service.application.ports import Commit, EventStore, Matches, MatchRequest, Profile, Profiles, ScoreKeepers
from service.application.repository import Game
from service.application.score_keeping import KeptSheet, ScoreKeeping

_PAGE = 50
_MOVES = (
    events.BlindPickMade,
    events.AuctionBidMade,
    events.AuctionPassed,
    events.TrumpChosen,
    events.BidMade,
    events.CardPlayed,
)


class OwnGame(msgspec.Struct, frozen=True):
    """A game, and what the player did in it: of each commit the events that are the player's."""

    game: Game
    own: tuple[Commit, ...]


class Exporting:
    """Reads what the stores have of one player."""

    def __init__(
        self,
        profiles: Profiles,
        log: EventStore,
        games: Games,
        matches: Matches,
        score_keepers: ScoreKeepers,
        keeping: ScoreKeeping,
    ) -> None:
        self._profiles = profiles
        self._log = log
        self._games = games
        self._matches = matches
        self._score_keepers = score_keepers
        self._keeping = keeping

    async def profile(self, caller: Caller) -> Profile | None:
        """Return the caller's profile; None where no name is kept yet.

        Raises:
            PlayerRequired: the caller is an app.
        """
        found = await self._profiles.profiles([caller.require_player().player_id])
        return found[0] if found else None

    async def matches(self, caller: Caller) -> Sequence[MatchRequest]:
        """Return the caller's requests for matches, oldest first."""
        return await self._matches.of_player(caller.tenant, caller.id)

    async def score_sheets(self, caller: Caller) -> AsyncIterator[KeptSheet]:
        """Yield the score sheets that the caller is a member of, newest first."""
        before: UUID | None = None
        while page := await self._score_keepers.listed(caller.tenant, caller.id, before, _PAGE):
            for keeper in page:
                yield await self._keeping.get(keeper.score_keeper_id, caller)
            before = page[-1].score_keeper_id

    async def games(self, caller: Caller) -> AsyncIterator[OwnGame]:
        """Yield the games of the caller, newest first, one at a time."""
        before: UUID | None = None
        while page := await self._games.list_ids_of_player(caller, None, before, _PAGE):
            for game_id in page:
                for game in await self._games.latest_of([game_id]):
                    commits = await self._log.read(game_id)
                    yield OwnGame(game, await asyncio.to_thread(_own, commits, caller.id))
            before = page[-1]


def _own(commits: Iterable[Commit], player_id: str) -> tuple[Commit, ...]:
    state: State = NotCreated()
    found: list[Commit] = []
    for commit in commits:
        own: list[Event] = []
        for event in commit.events:
            if _is_of(player_id, event, state):
                own.append(event)
            state = evolve(state, event)
        if own:
            found.append(msgspec.structs.replace(commit, events=tuple(own)))
    return tuple(found)


def _is_of(player_id: str, event: Event, before: State) -> bool:
    """Tell whether the player did it. A robot may move in the place of a player whose time is over."""
    if isinstance(event, (events.SeatTaken, events.SeatLeft)):
        return event.player.player_id == player_id
    if isinstance(event, events.RenuncioClaimed):
        return table_of(before).occupants[event.claimant] == Player(player_id)
    if not isinstance(event, _MOVES):
        return False
    table = table_of(before)
    return table.occupants[event.seat] == Player(player_id) and table.covered != event.seat
