"""What every `Notifier` promises, on both adapters."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from domain.table.table import Reaction
from service.adapters.memory.notifier import MemoryBus, MemoryNotifier
from service.adapters.postgres.notifier import PostgresNotifier
from service.application.ports import Hint, Notifier, PresenceBeacon, ReactionHint, VersionHint
from tests.adapters.samples import WHEN
from tests.kit.waiting import PATIENCE_SECONDS


class Ear:
    """Subscribes to hints, and remembers all it hears."""

    def __init__(self, hints: Notifier) -> None:
        self.heard: list[Hint] = []
        self.gaps = 0
        self._stirred = asyncio.Event()
        hints.subscribe(self._on_hint, self._on_gap)

    async def until(self, satisfied: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not satisfied():
                self._stirred.clear()
                await self._stirred.wait()

    async def hears(self, hint: Hint) -> None:
        await self.until(lambda: hint in self.heard)

    def versions(self, game_id: UUID) -> list[int]:
        return [hint.version for hint in self.heard if isinstance(hint, VersionHint) and hint.game_id == game_id]

    def _on_hint(self, hint: Hint) -> None:
        self.heard.append(hint)
        self._stirred.set()

    def _on_gap(self) -> None:
        self.gaps += 1
        self._stirred.set()


async def marked(teller: Notifier, ear: Ear) -> None:
    """Wait until the ear has heard all that was published before."""
    mark = VersionHint(uuid4(), 1)
    teller.publish(mark)
    await ear.hears(mark)


class HintsContract:
    """`apart` are three adapters as in three processes, each listening already."""

    async def test_a_hint_reaches_all_others_and_not_oneself(self, apart: list[Notifier]) -> None:
        own, *others = [Ear(hints) for hints in apart]
        hint = VersionHint(uuid4(), 3)
        apart[0].publish(hint)
        for ear in others:
            await ear.hears(hint)
        await marked(apart[1], own)
        assert hint not in own.heard

    async def test_every_subscriber_of_a_process_is_told(self, apart: list[Notifier]) -> None:
        ears = [Ear(apart[1]) for _ in range(3)]
        hint = VersionHint(uuid4(), 3)
        apart[0].publish(hint)
        for ear in ears:
            await ear.hears(hint)

    @pytest.mark.parametrize("until", [None, WHEN + timedelta(seconds=25)])
    async def test_a_sighting_arrives_whole(self, apart: list[Notifier], until: object) -> None:
        ear = Ear(apart[1])
        hint = PresenceBeacon("p_ñandú", WHEN, WHEN + timedelta(seconds=25) if until else None)
        apart[0].publish(hint)
        await ear.hears(hint)

    async def test_every_reaction_arrives(self, apart: list[Notifier]) -> None:
        ear, now, game_id = Ear(apart[1]), WHEN, uuid4()
        hints = [ReactionHint(game_id, uuid4(), 1, "ana", reaction, now) for reaction in Reaction]
        for hint in hints:
            apart[0].publish(hint)
        for hint in hints:
            await ear.hears(hint)

    async def test_thousands_of_games_and_players_all_arrive(self, apart: list[Notifier]) -> None:
        ear = Ear(apart[2])
        hints = [VersionHint(uuid4(), number) for number in range(1, 3001)]
        sightings = [PresenceBeacon(f"p_{number}", WHEN) for number in range(3000)]
        for hint in (*hints, *sightings):
            apart[0].publish(hint)
        await ear.until(lambda: len(ear.heard) >= 6000)
        assert set(ear.heard) == {*hints, *sightings}

    async def test_the_newest_version_arrives_whatever_comes_before_it(self, apart: list[Notifier]) -> None:
        ear, game_id = Ear(apart[1]), uuid4()
        for version in (1, 2, 4, 3):
            apart[0].publish(VersionHint(game_id, version))
            await asyncio.sleep(0)
        await ear.hears(VersionHint(game_id, 4))

    async def test_several_processes_may_speak_at_once(self, apart: list[Notifier]) -> None:
        ear = Ear(apart[0])
        hints = [VersionHint(uuid4(), 1) for _ in range(200)]
        for number, hint in enumerate(hints):
            apart[1 + number % 2].publish(hint)
        await ear.until(lambda: len(ear.heard) >= 200)
        assert set(ear.heard) == set(hints)

    async def test_what_was_published_is_told_before_the_end(self, apart: list[Notifier]) -> None:
        ear, hint = Ear(apart[1]), VersionHint(uuid4(), 3)
        apart[0].publish(hint)
        await apart[0].close()
        await ear.hears(hint)

    async def test_who_is_closed_neither_hears_nor_tells_and_may_close_again(self, apart: list[Notifier]) -> None:
        closed, other = Ear(apart[0]), Ear(apart[1])
        await apart[0].close()
        await apart[0].close()
        apart[0].publish(VersionHint(uuid4(), 1))
        await marked(apart[2], other)
        await asyncio.sleep(0.02)
        assert (closed.heard, len(other.heard)) == ([], 1)


class TestMemoryHints(HintsContract):
    @pytest.fixture
    def apart(self) -> list[MemoryNotifier]:
        bus = MemoryBus()
        return [MemoryNotifier(bus) for _ in range(3)]

    async def test_hints_without_a_bus_reach_nobody(self) -> None:
        alone = MemoryNotifier()
        ear, other = Ear(alone), Ear(MemoryNotifier())
        alone.publish(VersionHint(uuid4(), 1))
        await asyncio.sleep(0)
        await alone.close()
        assert (ear.heard, other.heard) == ([], [])


class TestPostgresHints(HintsContract):
    @pytest.fixture
    async def apart(self, empty_database_url: str) -> AsyncGenerator[list[PostgresNotifier]]:
        apart = [PostgresNotifier(empty_database_url) for _ in range(3)]
        ears = [Ear(hints) for hints in apart]
        for hints, ear in zip(apart, ears, strict=True):
            await hints.open()
            await ear.until(lambda ear=ear: ear.gaps == 1)
        yield apart
        for hints in apart:
            await hints.close()
