"""Use cases of score sheets of tables with real cards."""

import asyncio
from collections.abc import Callable, Sequence
from uuid import UUID

import msgspec

from domain.pocha.keeping import keep
from domain.pocha.keeping.entries import Correction, Entry
from domain.pocha.keeping.keep import Sheet
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.rules.ruleset import Ruleset
from service.application import idempotency, ids
from service.application.caller import Caller
from service.application.command_handler import KeyReused, StaleVersion
from service.application.idempotency import RequestKey
from service.application.ports import (
    AlreadyDone,
    Appended,
    Clock,
    CommandReused,
    NewEntry,
    Notifier,
    ScoreKeeper,
    ScoreKeepers,
    StoreUnavailable,
    VersionHint,
    WrittenEntry,
)
from service.application.wakeup import Wakeups
from service.observability.metrics import Metrics

MAX_ENTRIES = 5000
"""Entries of one sheet, corrections among them; the longest game has about 2,600."""
MAX_MEMBERS = 50
_MAX_ATTEMPTS = 20
_POLL_SECONDS = 2.0
"""How often a waiting read looks again, in case a hint got lost."""


class NoSuchScoreKeeper(Exception):
    """The sheet does not exist, or the caller may not know of it."""


class KeptSheet(msgspec.Struct, frozen=True):
    """A sheet with its log. `is_replay`: an earlier request with the same idempotency key led to it."""

    keeper: ScoreKeeper
    entries: Sequence[WrittenEntry]
    sheet: Sheet
    is_replay: bool = False

    @property
    def version(self) -> int:
        """The version: 1 for a new sheet, and one more for each entry."""
        return len(self.entries) + 1

    def counting(self) -> Sequence[bool]:
        """Return for each entry whether it counts: notes that were corrected, and corrections, do not."""
        counts: list[bool] = []
        notes: list[int] = []
        for position, written in enumerate(self.entries):
            is_note = not isinstance(written.entry, Correction)
            counts.append(is_note)
            if isinstance(written.entry, Correction):
                for undone in notes[-written.entry.entries :]:
                    counts[undone] = False
                del notes[-written.entry.entries :]
            else:
                notes.append(position)
        return counts


class ScoreKeeping:
    """Creates, reads and writes score sheets. Their members are their creator and who joined by code."""

    def __init__(self, keepers: ScoreKeepers, clock: Clock, notifier: Notifier, metrics: Metrics) -> None:
        self._keepers = keepers
        self._clock = clock
        self._notifier = notifier
        self._metrics = metrics
        self.changes = Wakeups()

    async def create(
        self, caller: Caller, ruleset: Ruleset, names: Sequence[str], first_dealer: int, key: RequestKey | None = None
    ) -> KeptSheet:
        """Create a sheet for players of these names, with the caller as its member.

        Raises:
            PlayerRequired, Refused, KeyReused: as the names say.
        """
        player, now = caller.require_player(), self._clock.now()
        sheet = keep.opened(ruleset, names, first_dealer)
        key = key or idempotency.random_key()
        new = ScoreKeeper(
            score_keeper_id=ids.new_game_id(),
            tenant=caller.tenant,
            command_id=key.command_id,
            fingerprint=key.fingerprint,
            created_at=now,
            changed_at=now,
            ruleset=ruleset,
            names=tuple(names),
            first_dealer=first_dealer,
            members=(player.player_id,),
        )
        stored = await self._keepers.create(new)
        if stored.fingerprint != key.fingerprint:
            raise KeyReused
        if stored.score_keeper_id == new.score_keeper_id:
            return KeptSheet(stored, (), sheet)
        return KeptSheet(stored, (), sheet, is_replay=True)

    async def get(self, score_keeper_id: UUID, caller: Caller) -> KeptSheet:
        """Return a sheet to a member, or to the app whose tenant it is.

        Raises:
            NoSuchScoreKeeper: as the name says.
        """
        kept = await self._read(score_keeper_id)
        keeper = kept.keeper
        if keeper.tenant != caller.tenant or (caller.player and caller.player.player_id not in keeper.members):
            raise NoSuchScoreKeeper
        return kept

    async def wait(self, score_keeper_id: UUID, caller: Caller, after_version: int, seconds: float) -> KeptSheet:
        """Return the sheet once its version is higher than `after_version`, or as it is after `seconds`.

        Raises:
            NoSuchScoreKeeper: as the name says.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        with self.changes.of(score_keeper_id) as changed:
            while True:
                changed.clear()
                kept = await self.get(score_keeper_id, caller)
                left = end - loop.time()
                if kept.version > after_version or left <= 0:
                    return kept
                await changed.wait(min(left, _POLL_SECONDS))

    async def write(
        self,
        score_keeper_id: UUID,
        caller: Caller,
        make_entry: Callable[[Sheet], Entry],
        expected: int | None = None,
        key: RequestKey | None = None,
    ) -> KeptSheet:
        """Write the entry that `make_entry` makes for the sheet, if `expected` is its version or None.

        Raises:
            NoSuchScoreKeeper, PlayerRequired, StaleVersion, Refused, KeyReused: as the names say.
        """
        key = key or idempotency.random_key()
        for _ in range(_MAX_ATTEMPTS):
            kept = await self.get(score_keeper_id, caller)
            player = caller.require_player()
            done = _done_before(kept, key)
            if done is not None:
                return done
            if expected not in (None, kept.version):
                raise StaleVersion(kept.version)
            if len(kept.entries) >= MAX_ENTRIES:
                raise Refused(Reason.SHEET_FULL)
            entry = make_entry(kept.sheet)
            sheet = keep.written(kept.sheet, entry)
            new = NewEntry(
                score_keeper_id=score_keeper_id,
                expected=kept.version,
                command_id=key.command_id,
                fingerprint=key.fingerprint,
                player_id=player.player_id,
                recorded_at=self._clock.now(),
                entry=entry,
            )
            match await self._keepers.append(new):
                case Appended(version=version):
                    self._metrics.score_keeper_entries.inc()
                    self._announce(score_keeper_id, version)
                    return KeptSheet(kept.keeper, (*kept.entries, _written(new)), sheet)
                case CommandReused():
                    raise KeyReused
                case AlreadyDone() | _:
                    pass  # decide again on what is there now
        raise StoreUnavailable("too many concurrent entries: the entry was not written")

    async def admit(self, score_keeper_id: UUID, caller: Caller) -> KeptSheet:
        """Make the caller, who showed the sheet's code, a member, and return the sheet.

        Raises:
            NoSuchScoreKeeper, PlayerRequired, Refused: as the names say.
        """
        player = caller.require_player()
        kept = await self._read(score_keeper_id)
        if player.player_id not in kept.keeper.members:
            if len(kept.keeper.members) >= MAX_MEMBERS:
                raise Refused(Reason.SHEET_FULL)
            await self._keepers.admit(score_keeper_id, player.player_id)
        return await self.get(score_keeper_id, caller)

    async def list(self, caller: Caller, before: UUID | None, limit: int) -> Sequence[ScoreKeeper]:
        """Return the sheets that the caller is a member of, newest first.

        Raises:
            PlayerRequired: the caller is an app.
        """
        return await self._keepers.listed(caller.tenant, caller.require_player().player_id, before, limit)

    async def delete(self, score_keeper_id: UUID, caller: Caller) -> None:
        """Delete a sheet, which its creator may, and the app whose tenant it is.

        Raises:
            NoSuchScoreKeeper, Refused: as the names say.
        """
        kept = await self.get(score_keeper_id, caller)
        if caller.player and caller.player.player_id != kept.keeper.members[0]:
            raise Refused(Reason.NOT_THE_HOST)
        await self._keepers.delete(score_keeper_id)
        self._announce(score_keeper_id, kept.version)

    def _announce(self, score_keeper_id: UUID, version: int) -> None:
        self.changes.wake(score_keeper_id)
        self._notifier.publish(VersionHint(score_keeper_id, version))

    async def _read(self, score_keeper_id: UUID) -> KeptSheet:
        found = await self._keepers.read(score_keeper_id)
        if found is None:
            raise NoSuchScoreKeeper
        keeper, entries = found
        beginning = keep.opened(keeper.ruleset, keeper.names, keeper.first_dealer)
        return KeptSheet(keeper, entries, keep.kept(beginning, (written.entry for written in entries)))


def _done_before(kept: KeptSheet, key: RequestKey) -> KeptSheet | None:
    """Return the sheet after the entry of an earlier request with this key, if there was one.

    Raises:
        KeyReused: that was another request.
    """
    for place, written in enumerate(kept.entries, 1):
        if written.command_id == key.command_id:
            if written.fingerprint != key.fingerprint:
                raise KeyReused
            keeper, entries = kept.keeper, kept.entries[:place]
            beginning = keep.opened(keeper.ruleset, keeper.names, keeper.first_dealer)
            return KeptSheet(keeper, entries, keep.kept(beginning, (each.entry for each in entries)), is_replay=True)
    return None


def _written(new: NewEntry) -> WrittenEntry:
    return WrittenEntry(new.expected + 1, new.command_id, new.fingerprint, new.player_id, new.recorded_at, new.entry)
