"""Statistics and ratings: a projection of finished games.

The deadline queue hands over every finished game at least once. Games are counted one after the other: a position guards each write, so
that what a game adds follows from what was there before it. The journal keeps the order, which makes a rebuilding come to the same.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from uuid import UUID

from domain.pocha.model.state import Finished, HandResult
from domain.table.table import Player, Robot
from service.application import rating
from service.application.caller import Caller
from service.application.ports import (
    GameFacts,
    HandTally,
    Listings,
    PlayerRecord,
    Position,
    SeatFacts,
    Statistics,
    StoreUnavailable,
    TableTally,
)
from service.application.rating import Skill
from service.application.repository import Game, GameRepository

BAND = 8.0
"""The width of a band of ratings."""

_MAX_ATTEMPTS = 100
_PAGE = 500


class StatisticsKeeper:
    """Counts finished games, shows what players achieved, and rebuilds it."""

    def __init__(self, statistics: Statistics, games: GameRepository) -> None:
        self._statistics = statistics
        self._games = games
        self._one_by_one = asyncio.Lock()

    async def count(self, game: Game) -> None:
        """Count a game, unless it was counted, or does not count: it was not finished, or robots had all seats."""
        facts = facts_of(game)
        if facts is None:
            return
        deleted = deleted_of(game)
        async with self._one_by_one:
            for _ in range(_MAX_ATTEMPTS):
                if await self._statistics.is_counted(facts.game_id):
                    return
                at = await self._statistics.position()
                ids = [seat.player_id for seat in facts.seats if seat.player_id is not None]
                before = await self._statistics.records(at.generation, facts.ruleset_id, ids)
                if await self._statistics.count(at, facts, after_game(before, facts, deleted)):
                    return
        raise StoreUnavailable("too many processes count games: this one was not counted")

    async def of_player(self, caller: Caller, player_id: str) -> Sequence[PlayerRecord]:
        """Return the records of a player of the caller's tenant, by ruleset."""
        return await self._statistics.of_player(caller.tenant, player_id)

    async def band_of(self, caller: Caller, ruleset_id: str) -> int:
        """Return the band of the calling player's rating in a ruleset: 0 for newcomers, one more every `BAND` points."""
        records = await self._statistics.of_player(caller.tenant, caller.require_player().player_id)
        rating = next((record.rating for record in records if record.ruleset_id == ruleset_id), 0.0)
        return max(0, int(rating // BAND))

    async def leaderboard(
        self, caller: Caller, ruleset_id: str, after: tuple[float, str] | None, limit: int
    ) -> Sequence[PlayerRecord]:
        """Return records of the caller's tenant, the best rating first; those after a rating and player."""
        return await self._statistics.leaderboard(caller.tenant, ruleset_id, after, limit)

    async def rebuild(self, listings: Listings) -> int:
        """Count finished games that were not counted, in the order of their ends, then make all records anew; return how many games count.

        Games are counted again in the order of the journal, from their logs; one that was deleted, from the journal. Counting may go on
        meanwhile.
        """
        for game_id in await self._uncounted(listings):
            await self.count(await self._games.latest(game_id))
        while True:
            at = await self._statistics.position()
            records = await self._fold_journal(at.counted)
            new = Position(at.generation + 1, at.counted)
            for start in range(0, len(records), _PAGE):
                await self._statistics.add(new.generation, records[start : start + _PAGE])
            if await self._statistics.switch(at, new.generation):
                return at.counted

    async def _uncounted(self, listings: Listings) -> Sequence[UUID]:
        """Return the ids of finished games that were not counted, in the order of their ends."""
        found: list[tuple[datetime, UUID]] = []
        after: UUID | None = None
        while ids := await listings.finished(after, _PAGE):
            uncounted = [game_id for game_id in ids if not await self._statistics.is_counted(game_id)]
            found += [((await self._games.latest(game_id)).times.last_commit, game_id) for game_id in uncounted]
            after = ids[-1]
        return [game_id for _, game_id in sorted(found)]

    async def _fold_journal(self, counted: int) -> list[PlayerRecord]:
        records: defaultdict[str, dict[str, PlayerRecord]] = defaultdict(dict)
        for start in range(0, counted, _PAGE):
            for noted in await self._statistics.journal(start, min(_PAGE, counted - start)):
                game = await self._games.latest(noted.game_id)
                facts = facts_of(game) or noted
                deleted = deleted_of(game)
                of_ruleset = records[facts.ruleset_id]
                of_ruleset |= {each.player_id: each for each in after_game(of_ruleset, facts, deleted)}
        return [record for of_ruleset in records.values() for record in of_ruleset.values()]


def facts_of(game: Game) -> GameFacts | None:
    """Return what counts of a game; None where it is not finished, or robots had all seats."""
    state = game.state
    if not isinstance(state, Finished):
        return None
    progress = state.progress
    seats = progress.table.seats
    if not any(isinstance(seat.occupant, Player) or seat.away is not None for seat in seats):
        return None
    return GameFacts(
        game_id=game.game_id,
        finished_at=game.times.last_commit,
        tenant=progress.table.tenant,
        ruleset_id=progress.ruleset.id,
        seats=tuple(_seat_facts(state, seat) for seat in range(len(seats))),
    )


def deleted_of(game: Game) -> AbstractSet[str]:
    """Return the ids of the game's players who were deleted."""
    return {player_id for player_id, name in game.names.items() if name.is_deleted}


def _seat_facts(state: Finished, number: int) -> SeatFacts:
    progress = state.progress
    seat = progress.table.seats[number]
    has_left = seat.away is not None
    player = seat.away if has_left else seat.occupant
    won = number in state.winners
    return SeatFacts(
        place=_place(state, number, has_left=has_left, won=won),
        points=progress.totals[number],
        hands=_hands(progress.results, number),
        player_id=player.player_id if isinstance(player, Player) else None,
        level=seat.occupant.level if isinstance(seat.occupant, Robot) else None,
        has_left=has_left,
    )


def _place(state: Finished, number: int, *, has_left: bool, won: bool) -> int:
    """Return the place of a seat: the winners are first, and who left comes after the last rank."""
    ranks, seats = state.progress.ranks, state.progress.table.seats
    if won:
        return 1
    return len(seats) + 2 if has_left else 1 + ranks[number]


def _hands(results: Iterable[HandResult], seat: int) -> tuple[HandTally, ...]:
    tallies: dict[int, HandTally] = {}
    for hand in results:
        one = HandTally(hand.plan.cards, 1, int(hand.bids[seat] == hand.tricks[seat]))
        tallies[one.cards] = _sum_of_hands(tallies.get(one.cards), one)
    return tuple(tallies[cards] for cards in sorted(tallies))


def _sum_of_hands(one: HandTally | None, other: HandTally) -> HandTally:
    return other if one is None else HandTally(one.cards, one.hands + other.hands, one.exact + other.exact)


def after_game(before: Mapping[str, PlayerRecord], facts: GameFacts, deleted: AbstractSet[str]) -> list[PlayerRecord]:
    """Return the records of the players of a game after it, but for `deleted` ones; `before` are theirs for its ruleset, by player."""
    skills = rating.rated([_skill(seat, before) for seat in facts.seats], [seat.place for seat in facts.seats])
    return [
        _record(before.get(seat.player_id), facts, seat, seat.player_id, skill)
        for seat, skill in zip(facts.seats, skills, strict=True)
        if seat.player_id is not None and seat.player_id not in deleted
    ]


def _skill(seat: SeatFacts, before: Mapping[str, PlayerRecord]) -> Skill:
    if seat.player_id is None:
        return rating.NEWCOMER if seat.level is None else rating.ROBOTS[seat.level]
    known = before.get(seat.player_id)
    return rating.NEWCOMER if known is None else Skill(known.mu, known.sigma)


def _record(
    before: PlayerRecord | None, facts: GameFacts, seat: SeatFacts, player_id: str, skill: Skill
) -> PlayerRecord:
    tallies = {} if before is None else {tally.players: tally for tally in before.tallies}
    players = len(facts.seats)
    tallies[players] = _tally(tallies.get(players), players, seat)
    return PlayerRecord(
        tenant=facts.tenant,
        ruleset_id=facts.ruleset_id,
        player_id=player_id,
        mu=skill.mu,
        sigma=skill.sigma,
        games=1 if before is None else before.games + 1,
        tallies=tuple(tallies[number] for number in sorted(tallies)),
    )


def _tally(before: TableTally | None, players: int, seat: SeatFacts) -> TableTally:
    known = before or TableTally(players, 0, 0, 0, ())
    hands = {tally.cards: tally for tally in known.hands}
    for tally in seat.hands:
        hands[tally.cards] = _sum_of_hands(hands.get(tally.cards), tally)
    return TableTally(
        players=players,
        games=known.games + 1,
        wins=known.wins + int(seat.place == 1),
        points=known.points + seat.points,
        hands=tuple(hands[cards] for cards in sorted(hands)),
    )
