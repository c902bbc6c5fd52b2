"""What every `Matches` promises. Each adapter's test class inherits `MatchesContract`, and provides `matches`."""

import asyncio
from datetime import timedelta
from uuid import uuid4

from msgspec.structs import replace

from domain.pocha.rules.presets import PRESETS
from domain.table.table import Level, Player
from service.application.ports import Matches, MatchRequest, MatchSpec, MatchStatus
from tests.adapters.samples import WHEN

SPEC = MatchSpec(PRESETS["ludoteka-express-3"], 3, 60)
MINUTE = timedelta(minutes=1)


def request(
    name: str = "", *, robots: Level | None = None, pool: str = "p", tenant: str = "", age: int = 0
) -> MatchRequest:
    made = WHEN - timedelta(seconds=age)
    return MatchRequest(
        match_id=uuid4(),
        tenant=tenant,
        player=Player(name or str(uuid4())),
        command_id=uuid4(),
        fingerprint=b"\x00asked",
        created_at=made,
        expires_at=made + MINUTE,
        pool=pool,
        spec=SPEC,
        robots=robots,
    )


async def entered(matches: Matches, *requests: MatchRequest) -> list[MatchRequest]:
    return [await matches.enter(each) for each in requests]


async def status(matches: Matches, of: MatchRequest) -> MatchStatus:
    found = await matches.read(of.match_id)
    assert found is not None
    return found.status


class MatchesContract:
    async def test_a_request_is_read_as_it_was_entered(self, matches: Matches) -> None:
        new = request(robots=Level.HARD)
        assert await matches.read(new.match_id) is None
        assert await matches.enter(new) == new
        assert await matches.read(new.match_id) == new

    async def test_a_command_enters_one_request(self, matches: Matches) -> None:
        first = request("ana")
        again = [replace(first, match_id=uuid4()) for _ in range(4)]
        made = await asyncio.gather(*(matches.enter(each) for each in (first, *again)))
        assert len({each.match_id for each in made}) == 1

    async def test_a_player_waits_once(self, matches: Matches) -> None:
        mine = [request("ana") for _ in range(4)]
        await asyncio.gather(*(matches.enter(each) for each in mine))
        states = [await status(matches, each) for each in mine]
        assert sorted(states) == [MatchStatus.CANCELLED] * 3 + [MatchStatus.WAITING]
        await matches.enter(request("ana", tenant="app:shop"))
        assert [await status(matches, each) for each in mine] == states

    async def test_as_many_as_a_game_has_players_are_matched_oldest_first(self, matches: Matches) -> None:
        waiting = await entered(matches, *(request(age=age) for age in (4, 3, 2, 1)))
        game_id = uuid4()
        assert await matches.form(waiting[3], game_id, WHEN)
        assert [each.match_id for each in await matches.group(game_id)] == [each.match_id for each in waiting[:3]]
        assert await status(matches, waiting[3]) is MatchStatus.WAITING

    async def test_too_few_are_not_matched_nor_those_of_other_pools_and_tenants(self, matches: Matches) -> None:
        [first, *_] = await entered(matches, request(), request(), request(pool="q"), request(tenant="app:shop"))
        assert not await matches.form(first, uuid4(), WHEN)
        assert await status(matches, first) is MatchStatus.WAITING

    async def test_nobody_is_matched_twice(self, matches: Matches) -> None:
        waiting = await entered(matches, *(request(age=age) for age in range(7)))
        games = [uuid4() for _ in range(6)]
        formed = await asyncio.gather(*(matches.form(waiting[0], game_id, WHEN) for game_id in games))
        groups = [await matches.group(game_id) for game_id in games]
        assert [len(group) for group in groups] == [3 * has_formed for has_formed in formed]
        matched = [each.match_id for group in groups for each in group]
        assert len(matched) == len(set(matched))
        assert await matches.form(waiting[0], uuid4(), WHEN) is (sum(formed) == 1)

    async def test_a_game_has_one_group(self, matches: Matches) -> None:
        waiting = await entered(matches, *(request(age=age) for age in range(6)))
        game_id = uuid4()
        assert await matches.form(waiting[0], game_id, WHEN)
        await matches.form(waiting[0], game_id, WHEN)
        assert len(await matches.group(game_id)) == 3

    async def test_those_who_take_robots_fill_up_a_game(self, matches: Matches) -> None:
        robots = Level.EASY
        first, other, alone = await entered(matches, request(robots=robots), request(robots=robots), request())
        game_id = uuid4()
        assert await matches.fill_up(first, game_id, WHEN)
        assert {each.match_id for each in await matches.group(game_id)} == {first.match_id, other.match_id}
        assert await status(matches, alone) is MatchStatus.WAITING
        assert not await matches.fill_up(first, uuid4(), WHEN)

    async def test_a_request_that_ended_is_not_matched(self, matches: Matches) -> None:
        waiting = await entered(matches, request(), request(), request())
        await matches.end(waiting[0].match_id, MatchStatus.CANCELLED)
        await matches.end(waiting[0].match_id, MatchStatus.EXPIRED)
        assert await status(matches, waiting[0]) is MatchStatus.CANCELLED
        assert not await matches.form(waiting[1], uuid4(), WHEN)

    async def test_a_matched_request_does_not_end(self, matches: Matches) -> None:
        waiting = await entered(matches, request(), request(), request())
        assert await matches.form(waiting[0], uuid4(), WHEN)
        await matches.end(waiting[0].match_id, MatchStatus.CANCELLED)
        assert await status(matches, waiting[0]) is MatchStatus.MATCHED

    async def test_a_request_is_due_when_it_expires_and_after_it_was_matched_until_it_is_ready(
        self, matches: Matches
    ) -> None:
        waiting = await entered(matches, request(age=2), request(age=1), request())
        assert list(await matches.claim_due(WHEN, WHEN + MINUTE, 10)) == []
        later = WHEN + MINUTE
        claims = await asyncio.gather(*(matches.claim_due(later, later + MINUTE, 2) for _ in range(3)))
        assert sorted(each.match_id for claim in claims for each in claim) == sorted(each.match_id for each in waiting)
        game_id = uuid4()
        assert await matches.form(waiting[0], game_id, later)
        assert len(await matches.claim_due(later, later + MINUTE, 10)) == 3
        await matches.settle(game_id)
        assert list(await matches.claim_due(later + MINUTE, later + MINUTE, 10)) == []
        assert all(each.is_ready for each in await matches.group(game_id))

    async def test_old_requests_are_forgotten_but_for_those_that_are_due(self, matches: Matches) -> None:
        old, ended, young = await entered(matches, request(age=9), request(age=8), request())
        await matches.end(ended.match_id, MatchStatus.CANCELLED)
        await matches.end(young.match_id, MatchStatus.CANCELLED)
        await matches.delete_old(WHEN - timedelta(seconds=5))
        found = [await matches.read(each.match_id) is not None for each in (old, ended, young)]
        assert found == [True, False, True]

    async def test_requests_of_a_player_are_forgotten_but_for_those_whose_game_is_being_made(
        self, matches: Matches
    ) -> None:
        ana = str(uuid4())
        [waits] = await entered(matches, request(ana, pool="alone"))
        others = await entered(matches, *(request(pool="alone-too") for _ in range(2)))
        assert await matches.of_player("", ana) == [waits]
        assert await matches.of_player("app:shop", ana) == []
        await matches.forget("", ana)
        assert await matches.of_player("", ana) == []
        assert await matches.read(others[0].match_id) == others[0]
        made = await entered(matches, *(request(name, pool="made") for name in (ana, "", "")))
        game = uuid4()
        assert await matches.form(made[0], game, WHEN)
        await matches.forget("", ana)
        assert len(await matches.of_player("", ana)) == 1
        await matches.settle(game)
        await matches.forget("", ana)
        assert await matches.of_player("", ana) == []
