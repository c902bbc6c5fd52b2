"""What every `Statistics` promises. Each adapter's test class inherits `StatisticsContract`, and provides `statistics`."""

import asyncio
from uuid import uuid4

from msgspec.structs import replace

from service.application.ports import GameFacts, HandTally, PlayerRecord, SeatFacts, Statistics, TableTally
from tests.adapters.samples import WHEN

HANDS = (HandTally(1, 2, 1), HandTally(5, 1, 0))


def facts() -> GameFacts:
    seats = (SeatFacts(1, 30, HANDS, str(uuid4())), SeatFacts(3, -5, HANDS, str(uuid4()), has_left=True))
    return GameFacts(uuid4(), WHEN, "", "clasica", seats)


def record(player_id: str = "", mu: float = 25.1, *, ruleset_id: str = "clasica", tenant: str = "") -> PlayerRecord:
    tallies = (TableTally(4, 3, 1, -20, HANDS),)
    return PlayerRecord(tenant, ruleset_id, player_id or str(uuid4()), mu, 25 / 3, 3, tallies)


async def counted(statistics: Statistics, *records: PlayerRecord) -> GameFacts:
    game = facts()
    assert await statistics.count(await statistics.position(), game, records)
    return game


class StatisticsContract:
    async def test_records_are_read_as_they_were_written_last(self, statistics: Statistics) -> None:
        first, other = record("ana"), record("eva", ruleset_id="torofun")
        await counted(statistics, first, other)
        later = replace(first, mu=26.123456789012345, games=4, tallies=())
        await counted(statistics, later)
        at = await statistics.position()
        assert await statistics.records(at.generation, "clasica", ["ana", "eva", "leo"]) == {"ana": later}
        assert await statistics.of_player("", "ana") == [later]
        assert await statistics.of_player("", "eva") == [other]
        assert await statistics.of_player("app:else", "ana") == []

    async def test_a_game_is_counted_once(self, statistics: Statistics) -> None:
        ana = record("ana")
        game = await counted(statistics, ana)
        assert await statistics.is_counted(game.game_id)
        assert not await statistics.is_counted(uuid4())
        assert await statistics.count(await statistics.position(), game, [replace(ana, games=9)])
        assert await statistics.of_player("", "ana") == [ana]
        assert (await statistics.position()).counted == 1

    async def test_of_those_who_count_at_one_position_one_succeeds(self, statistics: Statistics) -> None:
        at, games = await statistics.position(), [facts() for _ in range(3)]
        done = await asyncio.gather(*(statistics.count(at, game, [record(f"p{n}")]) for n, game in enumerate(games)))
        assert sorted(done) == [False, False, True]
        winner = done.index(True)
        assert [bool(await statistics.of_player("", f"p{n}")) for n in range(3)] == done
        assert await statistics.journal(0, 9) == [games[winner]]

    async def test_the_journal_keeps_the_order(self, statistics: Statistics) -> None:
        games = [await counted(statistics, record()) for _ in range(5)]
        assert await statistics.journal(0, 9) == games
        assert await statistics.journal(1, 2) == games[1:3]

    async def test_a_board_lists_the_best_first_page_by_page(self, statistics: Statistics) -> None:
        players = [record(name, mu) for name, mu in (("a", 20.0), ("b", 30.0), ("c", 25.0), ("d", 25.0), ("e", 0.1))]
        await counted(statistics, *players)
        await counted(statistics, record("x", 40, ruleset_id="torofun"), record("y", 40, tenant="app:else"))
        a, b, c, d, e = players
        assert await statistics.leaderboard("", "clasica", None, 9) == [b, c, d, a, e]
        assert await statistics.leaderboard("", "clasica", (c.rating, "c"), 2) == [d, a]
        assert await statistics.leaderboard("", "clasica", (e.rating, "e"), 2) == []

    async def test_a_new_generation_replaces_all_records(self, statistics: Statistics) -> None:
        await counted(statistics, record("ana"), record("eva"))
        at, new = await statistics.position(), record("ana", 1.5)
        await statistics.add(at.generation + 1, [new])
        assert (await statistics.of_player("", "ana"))[0].mu == 25.1
        assert await statistics.switch(at, at.generation + 1)
        assert await statistics.leaderboard("", "clasica", None, 9) == [new]
        assert not await statistics.switch(at, at.generation + 2)
        assert await statistics.leaderboard("", "clasica", None, 9) == [new]
        again = record("ana", 2.5)
        await counted(statistics, again)
        assert await statistics.of_player("", "ana") == [again]

    async def test_a_generation_that_misses_a_game_is_not_taken(self, statistics: Statistics) -> None:
        at = await statistics.position()
        await statistics.add(at.generation + 1, [record("ana", 1.5)])
        await counted(statistics, record("ana"))
        assert not await statistics.switch(at, at.generation + 1)
        assert (await statistics.of_player("", "ana"))[0].mu == 25.1

    async def test_nothing_is_left_of_who_is_forgotten(self, statistics: Statistics) -> None:
        await counted(statistics, record("ana"), record("ana", ruleset_id="torofun"), record("eva"))
        await statistics.forget("ana")
        assert await statistics.of_player("", "ana") == []
        assert [each.player_id for each in await statistics.leaderboard("", "clasica", None, 9)] == ["eva"]
