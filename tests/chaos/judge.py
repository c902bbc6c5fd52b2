"""Judges a run when all is quiet again: what was acknowledged against the log, boards against views, and bytes against secrets."""

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby

import msgspec

from domain.pocha.model.events import Event, GameAbandoned, GameCreated, SeatTaken, TurnExpired
from tests.chaos.follower import Follower
from tests.chaos.logbook import Logbook
from tests.chaos.run import Received, Run
from tests.chaos.table import Ended
from tests.e2e.secrets import Ledger

_MOST_REPLAYED = 1500
_BY_ITSELF = (TurnExpired, GameAbandoned, GameCreated)


async def judge(run: Run, logbook: Logbook, ended: Sequence[Ended]) -> None:
    """Judge the games that were played, and all that was said about them.

    Raises:
        AssertionError: something is wrong; the message says what.
    """
    require_whole(logbook)
    require_kept(run, logbook)
    require_asked_for(run, logbook)
    followers = [follower for game in ended for follower in game.followers]
    for follower in followers:
        await require_seen(run, logbook, follower)
    require_secret(run, logbook)
    callers = {follower.caller.player_id: follower.caller for follower in followers}
    luck, acknowledged = random.Random(f"{run.seed} judge"), list(run.acknowledged())
    for each in luck.sample(acknowledged, min(_MOST_REPLAYED, len(acknowledged))):
        await callers[each.request.player_id].replay(each)


def require_whole(logbook: Logbook) -> None:
    """No version is missing, none is double, and no command was carried out twice."""
    for game_id in logbook:
        commits = logbook.commits(game_id)
        assert [commit.version for commit in commits] == list(range(1, len(commits) + 1)), game_id
        assert len({commit.command_id for commit in commits}) == len(commits), game_id


def require_kept(run: Run, logbook: Logbook) -> None:
    """What was acknowledged is in the log once, as the version that was told."""
    versions = {(game, commit.command_id): commit.version for game in logbook for commit in logbook.commits(game)}
    for each in run.acknowledged():
        found = versions.get((each.view["game_id"], each.request.command_id))
        assert found == each.view["version"], f"{each} is in the log as version {found}"


def require_asked_for(run: Run, logbook: Logbook) -> None:
    """Nothing is in the log but what was asked for, and what the clock brought about."""
    for game_id in logbook:
        for commit in logbook.commits(game_id):
            first = commit.events[0]
            of_rematch = isinstance(first, SeatTaken) and game_id in run.rematches
            assert commit.command_id in run.asked or of_rematch or isinstance(first, _BY_ITSELF), commit


async def require_seen(run: Run, logbook: Logbook, follower: Follower) -> None:
    """The board is the view, and the pages of events tell of each commit what the log has and what moves were answered."""
    game_id = follower.board["game_id"]
    view = await follower.caller.view(game_id)
    assert view["version"] == follower.version, f"{follower} has missed the end, {view}"
    follower.compare(view)
    events = await follower.caller.events(game_id)
    told = {version: list(of) for version, of in groupby(events, lambda event: event["version"])}
    kinds = {version: [event["type"] for event in of] for version, of in told.items()}
    assert kinds == {commit.version: [_kind(event) for event in commit.events] for commit in logbook.commits(game_id)}
    for each in run.acknowledged_to(follower.caller.player_id, game_id):
        if "events" in each.answer and each.view.get("my_seat") == view.get("my_seat"):
            assert each.answer["events"] == told[each.view["version"]], (
                f"{each} is told as {told[each.view['version']]}"
            )


def require_secret(run: Run, logbook: Logbook) -> None:
    """Nobody was told of a card that they could not see."""
    received = defaultdict[str, list[Received]](list)
    for each in run.received:
        received[each.game_id].append(each)
    for game_id, told in received.items():
        commits = logbook.commits(game_id)
        created = commits[0].events[0]
        assert isinstance(created, GameCreated)
        ledger = Ledger(commits, created.players)
        for each in told:
            version = msgspec.json.decode(each.body, type=_Versioned).version or len(commits)
            run.tally["cards"] += ledger.check(logbook.seat_of(each.player_id, game_id, version), each.body)


class _Versioned(msgspec.Struct, frozen=True):
    """The version of what somebody was told; 0: all versions up to the last one."""

    version: int = 0


def _kind(event: Event) -> object:
    return event.__struct_config__.tag
