"""The log of all games as it stands in the database, read past the service."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from domain.pocha.model.events import Event, GameStarted, RobotSeated, SeatLeft, SeatTaken
from domain.table.table import Player
from service.adapters.postgres import codec, layout
from service.adapters.postgres.buckets import qualified, schemas
from service.adapters.postgres.connection import Row, connect
from service.application.ports import Commit

_READ = """
    SELECT game_id, seq, command_id, request_fp, recorded_at, format, payload FROM game_commit ORDER BY game_id, seq
"""

Seats = Mapping[str, int]
"""Where each player sits, by id."""

_NOBODY: Seats = {}


class Logbook:
    """Every row, decoded; and who sat where at each version."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self._commits = defaultdict[str, list[Commit]](list)
        self._seats = defaultdict[str, list[Seats]](list)
        for commit in commits:
            game_id = str(commit.game_id)
            self._commits[game_id].append(commit)
            earlier = self._seats[game_id]
            earlier.append(_seats_after(earlier[-1] if earlier else _NOBODY, commit.events))

    @classmethod
    async def read(cls, dsn: str) -> "Logbook":
        """Read it all."""
        connection = await connect(dsn)
        try:
            places = schemas(await layout.count(connection))
            return cls([_commit(row) for place in places for row in await connection.fetch(qualified(_READ, place))])
        finally:
            await connection.close()

    def __iter__(self) -> Iterator[str]:
        return iter(self._commits)

    def commits(self, game_id: str) -> Sequence[Commit]:
        """Return the commits of a game, in order."""
        return self._commits[game_id]

    def seat_of(self, player_id: str, game_id: str, version: int) -> int | None:
        """Return where a player sat at a version of a game; none for who looked on."""
        return self._seats[game_id][version - 1].get(player_id)


def _commit(row: Row) -> Commit:
    game_id: UUID = row["game_id"]
    events = codec.decode(row["format"], row["payload"])
    return Commit(game_id, row["seq"], row["command_id"], row["request_fp"], row["recorded_at"], events)


def _seats_after(seats: Seats, events: Sequence[Event]) -> Seats:
    for event in events:
        match event:
            case GameStarted(seats=occupants):
                persons = ((seat, each) for seat, each in enumerate(occupants) if isinstance(each, Player))
                seats = {person.player_id: seat for seat, person in persons}
            case SeatTaken(seat=seat, player=player):
                seats = {**seats, player.player_id: seat}
            case SeatLeft(seat=seat) | RobotSeated(seat=seat):
                seats = {player_id: taken for player_id, taken in seats.items() if taken != seat}
            case _:
                pass
    return seats
