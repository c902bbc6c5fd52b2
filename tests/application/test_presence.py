import asyncio
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest

from service.application import presence as module
from service.application.ports import Hint, PresenceBeacon
from service.application.presence import CONNECTED_FOR, RETENTION, Presence
from tests.kit.clock import SetClock

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class Process:
    """A process: its presence, and all that it has told."""

    def __init__(self, clock: SetClock) -> None:
        self.told: list[Hint] = []
        self.presence = Presence(clock, self.told.append)

    def hears(self, other: "Process") -> None:
        """Take in the last that another process has told."""
        last = other.told[-1]
        assert isinstance(last, PresenceBeacon)
        self.presence.receive(last)

    def view(self, player_id: str = "p") -> tuple[bool, datetime] | None:
        view = self.presence.get(player_id)
        return None if view is None else (view.connected, view.last_seen)


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def here(clock: SetClock) -> Process:
    return Process(clock)


@pytest.fixture
def there(clock: SetClock) -> Process:
    return Process(clock)


def test_nothing_is_known_of_who_was_never_seen(here: Process) -> None:
    assert here.view() is None


def test_who_was_seen_is_known_with_the_time_and_not_connected(clock: SetClock, here: Process) -> None:
    here.presence.record_activity("p")
    clock.time += SECOND
    assert here.view() == (False, NOON)
    here.presence.record_activity("p")
    assert here.view() == (False, NOON + SECOND)


def test_the_others_are_told_at_once_and_then_every_ten_seconds_at_most(clock: SetClock, here: Process) -> None:
    for _ in range(25):
        here.presence.record_activity("p")
        clock.time += SECOND
    assert here.told == [PresenceBeacon("p", NOON + seconds * SECOND) for seconds in (0, 10, 20)]


def test_who_holds_several_streams_is_connected_until_the_last_ends(clock: SetClock, here: Process) -> None:
    with here.presence.connection("p"):
        with here.presence.connection("p"):
            assert here.view() == (True, NOON)
        clock.time += SECOND
        assert here.view() == (True, NOON)
    assert here.view() == (False, NOON + SECOND)


def test_a_stream_that_fails_ends_all_the_same(here: Process) -> None:
    with pytest.raises(RuntimeError), here.presence.connection("p"):
        raise RuntimeError
    assert here.view() == (False, NOON)


def test_another_process_knows_who_is_connected_for_25_seconds(clock: SetClock, here: Process, there: Process) -> None:
    with here.presence.connection("p"):
        there.hears(here)
    assert there.view() == (True, NOON)
    clock.time += CONNECTED_FOR - SECOND
    assert there.view() == (True, NOON)
    clock.time += SECOND
    assert there.view() == (False, NOON)


def test_who_stays_connected_is_told_of_again_and_again(clock: SetClock, here: Process, there: Process) -> None:
    with here.presence.connection("p"):
        for _ in range(10):
            there.hears(here)
            clock.time += 10 * SECOND
            assert there.view() == (True, clock.now() - 10 * SECOND)
            here.presence.run_once()
    clock.time += CONNECTED_FOR
    assert there.view() == (False, NOON + 90 * SECOND)


def test_a_request_of_a_connected_player_does_not_hide_that_they_are(
    clock: SetClock, here: Process, there: Process
) -> None:
    with here.presence.connection("p"):
        clock.time += 10 * SECOND
        here.presence.record_activity("p")
        there.hears(here)
        assert there.view() == (True, NOON + 10 * SECOND)


def test_a_request_elsewhere_does_not_end_a_connection(clock: SetClock, here: Process, there: Process) -> None:
    with here.presence.connection("p"):
        there.hears(here)
        clock.time += SECOND
        there.presence.receive(PresenceBeacon("p", clock.now()))
        assert there.view() == (True, NOON + SECOND)


def test_word_that_comes_late_takes_nothing_back(clock: SetClock, here: Process) -> None:
    here.presence.receive(PresenceBeacon("p", NOON, NOON + 20 * SECOND))
    here.presence.receive(PresenceBeacon("p", NOON - 5 * SECOND, NOON + 2 * SECOND))
    clock.time += 19 * SECOND
    assert here.view() == (True, NOON)


def test_a_clock_that_is_ahead_puts_nobody_into_the_future(clock: SetClock, here: Process) -> None:
    here.presence.receive(PresenceBeacon("p", NOON + timedelta(hours=1), NOON + timedelta(hours=2)))
    assert here.view() == (True, NOON)
    clock.time += CONNECTED_FOR
    assert here.view() == (False, NOON)


def test_who_was_not_heard_of_for_a_day_is_forgotten(clock: SetClock, here: Process) -> None:
    here.presence.record_activity("gone")
    here.presence.record_activity("back")
    clock.time += SECOND
    here.presence.record_activity("back")
    clock.time += RETENTION
    here.presence.run_once()
    assert (here.view("gone"), here.view("back")) == (None, (False, NOON + SECOND))


def test_who_is_connected_is_never_forgotten(clock: SetClock, here: Process) -> None:
    with here.presence.connection("p"):
        clock.time += 2 * RETENTION
        here.presence.run_once()
        assert here.view() == (True, clock.now())


def test_of_very_many_those_heard_of_longest_ago_are_forgotten(
    here: Process, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_PLAYERS", 100)
    with ExitStack() as streams:
        streams.enter_context(here.presence.connection("staying"))
        for number in range(150):
            clock.time += SECOND
            here.presence.record_activity(f"p{number}")
        assert (here.view("p49"), here.view("p50")) == (None, (False, NOON + 51 * SECOND))
        assert here.view("staying") is None
        here.presence.run_once()
        assert here.view("staying") == (True, clock.now())


async def test_the_rounds_are_made_by_themselves(clock: SetClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEACON_SECONDS", 0.001)
    told = asyncio.Queue[Hint]()
    presence = Presence(clock, told.put_nowait)
    running = asyncio.create_task(presence.run())
    with presence.connection("p"):
        for _ in range(3):
            assert await told.get() == PresenceBeacon("p", NOON, NOON + CONNECTED_FOR)
    running.cancel()
    await asyncio.wait([running])
