"""A game as its viewer may see it, on its way out."""

from datetime import datetime

from domain.pocha import view
from domain.pocha.redact import redact
from domain.pocha.seen import GameView, SeenEvent
from domain.pocha.table import Player
from service.ports import Clock, Commit
from service.rest.bodies import MoveResult
from service.rest.replies import PRIVATE, Reply, json_reply
from service.snapshots import Done, Snapshot


def etag(snapshot: Snapshot, viewer: int | None) -> str:
    """Return the entity tag of a view: its version and whose it is. Weak, since `server_time` goes on."""
    return f'W/"{snapshot.version}-{"spectator" if viewer is None else viewer}"'


def game_view(snapshot: Snapshot, viewer: int | None, now: datetime) -> GameView:
    """Return the game as `viewer` may see it."""
    frame = view.Frame(str(snapshot.game_id), snapshot.version, snapshot.created_at, now)
    return view.see(snapshot.state, viewer, frame)


def seen_events(commit: Commit, viewer: int | None) -> tuple[SeenEvent, ...]:
    """Return the events of a commit as `viewer` may see them."""
    return tuple(redact(event, viewer, commit.version, commit.recorded_at) for event in commit.events)


def view_reply(snapshot: Snapshot, player: Player, clock: Clock, status: int = 200, location: str = "") -> Reply:
    """Answer with the view of `player`."""
    viewer = snapshot.seat_of(player)
    headers = _headers(snapshot, viewer)
    if location:
        headers["Location"] = location
    return json_reply(game_view(snapshot, viewer, clock.now()), status, headers)


def move_reply(done: Done, player: Player, clock: Clock) -> Reply:
    """Answer with what a move led to, as `player` may see it."""
    snapshot = done.snapshot
    viewer = snapshot.seat_of(player)
    game = game_view(snapshot, viewer, clock.now())
    result = MoveResult(snapshot.version, seen_events(done.commit, viewer), game)
    return json_reply(result, headers=_headers(snapshot, viewer))


def not_modified(snapshot: Snapshot, viewer: int | None) -> Reply:
    """Answer that the view is the one that the caller has."""
    return Reply(b"", 304, headers=_headers(snapshot, viewer))


def _headers(snapshot: Snapshot, viewer: int | None) -> dict[str, str]:
    return PRIVATE | {"ETag": etag(snapshot, viewer)}
