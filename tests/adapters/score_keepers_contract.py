"""What every `ScoreKeepers` promises. Each adapter's test class inherits `ScoreKeepersContract`, and provides `keepers`."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha.keeping.entries import (
    AuctionNoted,
    BidNoted,
    Correction,
    Entry,
    PenaltyNoted,
    TricksNoted,
    TrumpNoted,
)
from domain.pocha.rules.presets import PRESETS
from service.application.ports import (
    AlreadyDone,
    Appended,
    CommandReused,
    NewEntry,
    ScoreKeeper,
    ScoreKeepers,
    VersionConflict,
    WrittenEntry,
)
from tests.adapters.samples import WHEN, ascending_ids

ENTRIES: tuple[Entry, ...] = (
    BidNoted(0, 1),
    AuctionNoted(1, 2, Suit.OROS),
    TrumpNoted(Suit.COPAS, Card.COPAS_1),
    TricksNoted((1, 0, 2)),
    PenaltyNoted(2, 50, wrong_claim=True),
    Correction(3),
)


def keeper(
    score_keeper_id: UUID | None = None, *, tenant: str = "", members: tuple[str, ...] = ("ana",)
) -> ScoreKeeper:
    return ScoreKeeper(
        score_keeper_id=score_keeper_id or uuid4(),
        tenant=tenant,
        command_id=uuid4(),
        fingerprint=b"\x00asked",
        created_at=WHEN,
        changed_at=WHEN,
        ruleset=PRESETS["antigua"],
        names=("Ana", "ñandú 🂡", "{Beto}", '"Carmen"'),
        first_dealer=3,
        members=members,
    )


def entry(of: ScoreKeeper, expected: int, what: Entry = ENTRIES[0]) -> NewEntry:
    return NewEntry(
        score_keeper_id=of.score_keeper_id,
        expected=expected,
        command_id=uuid4(),
        fingerprint=b"asked",
        player_id="ana",
        recorded_at=WHEN + timedelta(seconds=expected),
        entry=what,
    )


class ScoreKeepersContract:
    async def test_a_sheet_is_read_as_it_was_created(self, keepers: ScoreKeepers) -> None:
        new = keeper()
        assert await keepers.read(new.score_keeper_id) is None
        assert await keepers.create(new) == new
        assert await keepers.read(new.score_keeper_id) in ((new, ()), (new, []))

    async def test_a_command_creates_one_sheet(self, keepers: ScoreKeepers) -> None:
        first = keeper()
        again = [replace(first, score_keeper_id=uuid4(), fingerprint=b"other") for _ in range(5)]
        created = await asyncio.gather(*(keepers.create(each) for each in (first, *again)))
        assert len({each.score_keeper_id for each in created}) == 1

    async def test_entries_are_read_as_they_were_written(self, keepers: ScoreKeepers) -> None:
        new = await keepers.create(keeper())
        entries = [entry(new, version, what) for version, what in enumerate(ENTRIES, 1)]
        assert [await keepers.append(each) for each in entries] == [Appended(version) for version in range(2, 8)]
        found = await keepers.read(new.score_keeper_id)
        assert found is not None
        assert found[0].changed_at == entries[-1].recorded_at
        assert list(found[1]) == [
            WrittenEntry(
                each.expected + 1, each.command_id, each.fingerprint, each.player_id, each.recorded_at, each.entry
            )
            for each in entries
        ]

    async def test_of_many_entries_at_one_version_one_is_written(self, keepers: ScoreKeepers) -> None:
        new = await keepers.create(keeper())
        outcomes = await asyncio.gather(*(keepers.append(entry(new, 1)) for _ in range(8)))
        assert sorted(map(str, outcomes)) == sorted(map(str, [Appended(2), *[VersionConflict(2)] * 7]))

    async def test_a_command_is_written_once(self, keepers: ScoreKeepers) -> None:
        new = await keepers.create(keeper())
        first = entry(new, 1)
        assert await keepers.append(first) == Appended(2)
        assert await keepers.append(entry(new, 2)) == Appended(3)
        assert await keepers.append(first) == AlreadyDone(2)
        assert await keepers.append(replace(first, fingerprint=b"other")) == CommandReused(2)

    async def test_nothing_is_written_to_a_sheet_that_is_not_there(self, keepers: ScoreKeepers) -> None:
        assert await keepers.append(entry(keeper(), 1)) == VersionConflict(0)

    async def test_a_member_is_admitted_once(self, keepers: ScoreKeepers) -> None:
        new = await keepers.create(keeper())
        for player_id in ("beto", "beto", "ana"):
            await keepers.admit(new.score_keeper_id, player_id)
        await keepers.admit(uuid4(), "beto")
        found = await keepers.read(new.score_keeper_id)
        assert found is not None
        assert found[0].members == ("ana", "beto")

    async def test_members_find_their_sheets_newest_first_and_page_by_page(self, keepers: ScoreKeepers) -> None:
        ids = ascending_ids(5)
        for each in ids:
            await keepers.create(keeper(each, members=("ana", "beto")))
        await keepers.create(keeper(members=("eva",)))
        await keepers.create(keeper(tenant="app:shop"))
        first = await keepers.listed("", "beto", None, 3)
        rest = await keepers.listed("", "beto", first[-1].score_keeper_id, 3)
        assert [each.score_keeper_id for each in (*first, *rest)] == ids[::-1]

    async def test_a_deleted_sheet_is_gone(self, keepers: ScoreKeepers) -> None:
        new = await keepers.create(keeper())
        await keepers.append(entry(new, 1))
        await keepers.delete(new.score_keeper_id)
        await keepers.delete(new.score_keeper_id)
        assert await keepers.read(new.score_keeper_id) is None
        assert await keepers.append(entry(new, 2)) == VersionConflict(0)
        assert list(await keepers.listed("", "ana", None, 10)) == []

    async def test_the_sheets_that_a_player_made_are_forgotten_and_of_others_the_player_is_no_member(
        self, keepers: ScoreKeepers
    ) -> None:
        ana, eva = str(uuid4()), str(uuid4())
        made = await keepers.create(replace(keeper(), members=(ana,)))
        theirs = await keepers.create(replace(keeper(), members=(eva,)))
        for each in (made, theirs):
            await keepers.append(entry(each, 1))
            await keepers.admit(each.score_keeper_id, eva if each == made else ana)
        await keepers.forget(ana)
        assert await keepers.read(made.score_keeper_id) is None
        left = await keepers.read(theirs.score_keeper_id)
        assert left is not None
        assert (left[0].members, len(left[1])) == ((eva,), 1)
