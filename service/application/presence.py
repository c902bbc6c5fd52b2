"""Who is there: soft state in memory, told from process to process, never written."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from domain.pocha.view.schema import PresenceView
from service.application.ports import Clock, Hint, PresenceBeacon

BEACON_SECONDS = 10.0
"""How often others are told of a player, at most, and of a connected one, at least."""
CONNECTED_FOR = timedelta(seconds=25)
"""How long a player counts as connected after another process has said so."""
RETENTION = timedelta(days=1)
"""How long a player is remembered after they were last heard of."""
MAX_PLAYERS = 100_000
"""How many players are remembered; those heard of longest ago are forgotten first."""

_BEACON_INTERVAL = timedelta(seconds=BEACON_SECONDS)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class _Player:
    """What is known of a player; all times UTC."""

    __slots__ = ("connected_until", "next_beacon_at", "seen_at")

    def __init__(self) -> None:
        self.seen_at = _LONG_AGO
        self.connected_until = _LONG_AGO
        self.next_beacon_at = _LONG_AGO


class Presence:
    """When players were last heard of, here or by another process, and whether they hold a stream or a waiting read open."""

    def __init__(self, clock: Clock, publish: Callable[[Hint], None]) -> None:
        self._clock = clock
        self._publish = publish
        self._players: OrderedDict[str, _Player] = OrderedDict()
        self._open: dict[str, int] = {}

    def record_activity(self, player_id: str) -> None:
        """Note a sign of life of a player, and tell the others, though not at every one."""
        now = self._clock.now()
        player = self._touch(player_id, now)
        if player.next_beacon_at <= now:
            self._publish_beacon(player_id, player, now)

    @contextmanager
    def connection(self, player_id: str) -> Generator[None]:
        """Count a player as connected within the `with`; several may be open for one player."""
        self._open[player_id] = self._open.get(player_id, 0) + 1
        self._announce(player_id, self._clock.now())
        try:
            yield
        finally:
            self._disconnect(player_id)

    def receive(self, beacon: PresenceBeacon) -> None:
        """Take in what another process says. Its clock may be ahead of ours; nobody was seen in the future."""
        now = self._clock.now()
        player = self._touch(beacon.player_id, min(beacon.seen_at, now))
        if beacon.connected_until is not None:
            player.connected_until = max(player.connected_until, min(beacon.connected_until, now + CONNECTED_FOR))

    def get(self, player_id: str) -> PresenceView | None:
        """Return what is known of a player; none when they were not heard of for long, or ever."""
        player = self._players.get(player_id)
        if player is None:
            return None
        connected = player_id in self._open or player.connected_until > self._clock.now()
        return PresenceView(connected=connected, last_seen=player.seen_at)

    async def run(self) -> None:
        """Keep telling the others who is connected, and forget who is long gone, until cancelled."""
        while True:
            await asyncio.sleep(BEACON_SECONDS)
            self.run_once()

    def run_once(self) -> None:
        """Tell the others once who is connected, and forget who is long gone."""
        now = self._clock.now()
        for player_id in self._open:
            self._announce(player_id, now)
        self._forget_before(now - RETENTION)

    def _touch(self, player_id: str, seen_at: datetime) -> _Player:
        player = self._players.get(player_id)
        if player is None:
            player = self._players[player_id] = _Player()
            if len(self._players) > MAX_PLAYERS:
                self._players.popitem(last=False)
        if seen_at > player.seen_at:
            player.seen_at = seen_at
            self._players.move_to_end(player_id)
        return player

    def _announce(self, player_id: str, now: datetime) -> None:
        self._publish_beacon(player_id, self._touch(player_id, now), now)

    def _publish_beacon(self, player_id: str, player: _Player, now: datetime) -> None:
        # A hint replaces the one before, so each says all: that somebody was seen must not hide that they are connected.
        player.next_beacon_at = now + _BEACON_INTERVAL
        self._publish(PresenceBeacon(player_id, now, now + CONNECTED_FOR if player_id in self._open else None))

    def _disconnect(self, player_id: str) -> None:
        self._open[player_id] -= 1
        if not self._open[player_id]:
            del self._open[player_id]
        self._touch(player_id, self._clock.now())

    def _forget_before(self, moment: datetime) -> None:
        while self._players and next(iter(self._players.values())).seen_at < moment:
            self._players.popitem(last=False)
