"""Presence of players: in-memory soft state, shared between processes by beacons and never stored."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from domain.pocha.view.schema import PresenceView
from service.application.ports import Clock, Hint, PresenceBeacon

BEACON_SECONDS = 10.0
"""Interval of a player's beacons: at most one for activity, at least one while connected."""
CONNECTED_FOR = timedelta(seconds=25)
"""How long a player counts as connected after a beacon of another process."""
RETENTION = timedelta(days=1)
"""How long a player is remembered after the last activity."""
MAX_PLAYERS = 100_000
"""How many players are remembered; the least recently active go first."""

_BEACON_INTERVAL = timedelta(seconds=BEACON_SECONDS)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class _Player:
    """Presence of one player; all times UTC."""

    __slots__ = ("connected_until", "last_active", "next_beacon_at")

    def __init__(self) -> None:
        self.last_active = _LONG_AGO
        self.connected_until = _LONG_AGO
        self.next_beacon_at = _LONG_AGO


class Presence:
    """Last activity of players, in any process, and whether they hold a stream or a long poll open."""

    def __init__(self, clock: Clock, publish: Callable[[Hint], None]) -> None:
        self._clock = clock
        self._publish = publish
        self._players: OrderedDict[str, _Player] = OrderedDict()
        self._connections: dict[str, int] = {}
        self._began = clock.now()

    def record_activity(self, player_id: str) -> None:
        """Note a player's activity now, and publish a beacon if the last one is old enough."""
        now = self._clock.now()
        player = self._touch(player_id, now)
        if player.next_beacon_at <= now:
            self._publish_beacon(player_id, player, now)

    @contextmanager
    def connection(self, player_id: str) -> Generator[None]:
        """Count a player as connected within the `with` block; a player may have several connections."""
        self._connections[player_id] = self._connections.get(player_id, 0) + 1
        self._announce(player_id, self._clock.now())
        try:
            yield
        finally:
            self._disconnect(player_id)

    def receive(self, beacon: PresenceBeacon) -> None:
        """Take a beacon of another process. Its clock may be ahead: times in the future are cut to now."""
        now = self._clock.now()
        player = self._touch(beacon.player_id, min(beacon.seen_at, now))
        if beacon.connected_until is not None:
            player.connected_until = max(player.connected_until, min(beacon.connected_until, now + CONNECTED_FOR))

    def get(self, player_id: str) -> PresenceView | None:
        """Return a player's presence; None without recent activity."""
        player = self._players.get(player_id)
        if player is None:
            return None
        connected = player_id in self._connections or player.connected_until > self._clock.now()
        return PresenceView(connected=connected, last_seen=player.last_active)

    def heard_of(self, player_id: str) -> datetime:
        """Return when a player was last heard of: now while connected. Before this process began, any of them may have been."""
        known = self.get(player_id)
        if known is None:
            return self._began
        return self._clock.now() if known.connected else max(known.last_seen, self._began)

    async def run(self) -> None:
        """Call `run_once` every `BEACON_SECONDS`, until cancelled."""
        while True:
            await asyncio.sleep(BEACON_SECONDS)
            self.run_once()

    def run_once(self) -> None:
        """Publish a beacon of each connected player, and forget players past `RETENTION`."""
        now = self._clock.now()
        for player_id in self._connections:
            self._announce(player_id, now)
        self._forget_before(now - RETENTION)

    def _touch(self, player_id: str, active_at: datetime) -> _Player:
        player = self._players.get(player_id)
        if player is None:
            player = self._players[player_id] = _Player()
            if len(self._players) > MAX_PLAYERS:
                self._players.popitem(last=False)
        if active_at > player.last_active:
            player.last_active = active_at
            self._players.move_to_end(player_id)
        return player

    def _announce(self, player_id: str, now: datetime) -> None:
        self._publish_beacon(player_id, self._touch(player_id, now), now)

    def _publish_beacon(self, player_id: str, player: _Player, now: datetime) -> None:
        # A hint replaces the previous one, so each carries activity and connection together.
        player.next_beacon_at = now + _BEACON_INTERVAL
        connected_until = now + CONNECTED_FOR if player_id in self._connections else None
        self._publish(PresenceBeacon(player_id, now, connected_until))

    def _disconnect(self, player_id: str) -> None:
        self._connections[player_id] -= 1
        if not self._connections[player_id]:
            del self._connections[player_id]
        self._touch(player_id, self._clock.now())

    def _forget_before(self, moment: datetime) -> None:
        while self._players and next(iter(self._players.values())).last_active < moment:
            self._players.popitem(last=False)
