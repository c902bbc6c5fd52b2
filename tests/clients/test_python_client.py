"""The Python client, against a real service process."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path

import httpx
import pytest

from pocha_client import AsyncPocha, NoAnswer, Pocha, PochaError, Turn, errors
from pocha_client.models import (
    AnyEvent,
    AnyJoined,
    AnyTurn,
    CardPlayedEvent,
    GameView,
    JoinedGame,
    MoveResult,
    SeatReaction,
    UnknownEvent,
    UnknownJoined,
    UnknownTurn,
)
from pocha_client.testing import FakePocha, Recorder, Request
from pocha_client.wire import Frame, decode, delay
from tests.contract.document import at
from tests.contract.kinds import BLIND_PICK, hands
from tests.kit.service_process import ServiceProcess
from tests.kit.waiting import PATIENCE_SECONDS

EXAMPLES = Path(__file__).parents[2] / "clients" / "python" / "examples"
MY_GAME = at("/components/examples/MyGameList/value/items/1")
ONE_CARD = hands(("normal", "1", "1"))
EVERY_KIND = {
    **hands(
        ("india", "1", "1"), ("subastado", "3", "1"), ("oros", "2", "1"), ("ciega", "2", "1"), ("normal", "max", "1")
    ),
    **BLIND_PICK,
}


@pytest.fixture(scope="module")
def url(postgres_server: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    from tests.conftest import Databases  # noqa: PLC0415

    databases = Databases(postgres_server, migrated_template)
    dsn = asyncio.run(databases.make())
    settings = {"POCHA_DATABASE_URL": dsn, "POCHA_DATA_DIR": str(tmp_path_factory.mktemp("pocha"))}
    with ServiceProcess({**settings, "POCHA_LIMIT_CREATION": "off"}) as service:
        yield service.url
    asyncio.run(databases.drop_all())


def move(turn: Turn) -> MoveResult:
    if turn.legal_cards:
        return turn.play(turn.legal_cards[0])
    if turn.may_pass:
        return turn.pass_()
    if turn.legal_bids:
        return turn.bid(turn.legal_bids[-1])
    if turn.legal_suits:
        return turn.choose(turn.legal_suits[0])
    return turn.pick(turn.positions[0])


def test_a_bot_plays_a_whole_game_of_clasica(url: str) -> None:
    with Pocha.guest("Bot", url=url) as me:
        game = me.create_game(4, ruleset="clasica", robots=["easy"] * 3)
        turns = 0
        for turn in me.turns([game.game_id]):
            move(turn)
            turns += 1
        over = me.game(game.game_id)
        assert over.status == "finished"
        assert over.result
        assert turns > 50
        assert len(me.score_sheet(game.game_id).rows) == len(me.record(game.game_id).hands)
        [mine] = me.my_games(status="finished")
        assert mine.game_id == game.game_id


def test_two_bots_play_every_kind_of_hand_at_one_table(url: str) -> None:
    with Pocha.guest("Ana", url=url) as ana, Pocha.guest("Eva", url=url) as eva:
        game = ana.create_game(4, robots=["easy"] * 2, house_rules=EVERY_KIND, visibility="private")
        game = eva.join(game.game_id, invite_code=game.invite_code)
        actions: set[str] = set()
        while game.status == "playing":
            for me in (ana, eva):
                turn = me.turn_of(me.game(game.game_id))
                if turn is not None:
                    actions.add(turn.action)
                    game = move(turn).game
        assert {"bid", "play", "auction_bid"} <= actions  # who picks blind is luck


async def test_a_follower_sees_every_event_once_and_the_end(url: str) -> None:
    async with await AsyncPocha.guest("Ana", url=url) as ana, await AsyncPocha.guest("Eva", url=url) as eva:
        table = await ana.create_game(3, robots=["easy"] * 2, house_rules=hands(("normal", "3", "2")))
        cards: list[str] = []
        last: GameView | None = None

        async def watch() -> None:
            nonlocal last
            async for game, events in eva.follow(table.game_id, after=0):
                last = game
                cards.extend(event.card for event in events if isinstance(event, CardPlayedEvent))

        watching = asyncio.create_task(watch())
        async for turn in ana.turns([table.game_id]):
            await turn.let_robot_play("easy")
        await asyncio.wait_for(watching, PATIENCE_SECONDS)
        assert last
        assert last.status == "finished"
        record = await ana.record(table.game_id)
        assert cards == [play.card for hand in record.hands for play in hand.plays]


async def test_where_streams_do_not_come_through_a_follower_polls(url: str) -> None:
    async with await AsyncPocha.guest("Ana", url=url) as ana:
        game = await ana.create_game(3, robots=["easy"] * 2, house_rules=ONE_CARD)

        async def lost(_: httpx.Request) -> None:
            raise httpx.ConnectError("no streams here")

        async with await AsyncPocha.guest("Eva", url=url) as eva:

            async def hook(request: httpx.Request) -> None:
                if request.url.path.endswith("/stream"):
                    await lost(request)

            eva._http.event_hooks = {"request": [hook], "response": []}  # pyright: ignore[reportPrivateUsage]
            seen: list[str] = []

            async def watch() -> None:
                async for view, events in eva.follow(game.game_id, after=0):
                    seen.extend(event.card for event in events if isinstance(event, CardPlayedEvent))
                    assert view.version > 0

            watching = asyncio.create_task(watch())
            async for turn in ana.turns([game.game_id]):
                await turn.let_robot_play()
            await asyncio.wait_for(watching, PATIENCE_SECONDS)
            record = await ana.record(game.game_id)
            assert seen == [play.card for hand in record.hands for play in hand.plays]


async def test_all_games_of_a_player_are_in_one_stream(url: str) -> None:
    async with await AsyncPocha.guest("Ana", url=url) as ana:
        game = await ana.create_game(3, robots=["easy"] * 2, house_rules=ONE_CARD)
        async for event, told, _ in ana.events():
            assert told.game_id == game.game_id
            if event == "ended":
                break
            turn = ana.turn_of(await ana.game(game.game_id))
            if turn is not None:
                await turn.let_robot_play()


async def test_where_streams_do_not_come_through_the_list_of_games_tells_the_same(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pocha_client.aio._SECONDS_BETWEEN_LISTS", 0.05)

    async def lost(request: httpx.Request) -> None:
        if request.url.path.endswith("/stream"):
            raise httpx.ConnectError("no streams here")

    async with await AsyncPocha.guest("Ana", url=url) as ana:
        ana._http.event_hooks = {"request": [lost], "response": []}  # pyright: ignore[reportPrivateUsage]
        game = await ana.create_game(3, robots=["easy"] * 2, house_rules=ONE_CARD)
        told: list[str] = []
        async for event, of, _ in ana.events():
            assert of.game_id == game.game_id
            told.append(event)
            if event == "ended":
                break
            turn = ana.turn_of(await ana.game(game.game_id))
            if turn is not None:
                await turn.let_robot_play()
        assert told[0] == "turn"


async def test_friends_sit_down_by_a_code_and_speak_to_each_other(url: str) -> None:
    async with await AsyncPocha.guest("Ana", url=url) as ana, await AsyncPocha.guest("Eva", url=url) as eva:
        table = await ana.create_game(4, robots=["easy"], visibility="private")
        code = await ana.join_code(table.game_id)
        joined = await eva.join_by_code(code.code)
        assert isinstance(joined, JoinedGame)
        assert joined.game.my_seat == 1
        heard: asyncio.Queue[SeatReaction] = asyncio.Queue()
        muted: list[SeatReaction] = []

        async def hear(tell: Callable[[SeatReaction], None], mute: Iterable[str] = ()) -> None:
            async for _ in ana.follow(table.game_id, on_reaction=tell, mute=mute):
                opened.release()

        opened = asyncio.Semaphore(0)
        assert eva.player_id
        hearing = [
            asyncio.create_task(hear(heard.put_nowait)),
            asyncio.create_task(hear(muted.append, [eva.player_id])),
        ]
        await opened.acquire()
        await opened.acquire()
        await eva.react(table.game_id, "well-played")
        assert (await asyncio.wait_for(heard.get(), PATIENCE_SECONDS)).reaction == "well-played"
        await ana.react(table.game_id, "thanks")
        assert (await asyncio.wait_for(heard.get(), PATIENCE_SECONDS)).seat == 0
        assert "well-played" not in {each.reaction for each in muted}
        for each in hearing:
            each.cancel()


def test_a_player_is_matched_counted_exported_and_deleted(url: str) -> None:
    with Pocha.guest("Ana", url=url) as me:
        match = me.request_match(3, ruleset="ludoteka-express-3", wait_seconds=30, robots="easy")
        assert me.cancel_match(match.match_id).status == me.match(match.match_id).status == "cancelled"
        assert me.player_id
        assert me.stats(me.player_id).items == ()
        assert all(player.rank > 0 for player in me.leaderboard("clasica"))
        game = me.create_game(3, robots=["easy"] * 2)
        assert me.auto_play(game.game_id, 0, "forced").seats[0].auto_play == "forced"
        rules = me.game_ruleset(game.game_id).ruleset
        assert rules == me.ruleset(rules.ruleset_id).ruleset
        assert me.fairness(game.game_id).commitment == game.commitment
        assert me.stream_ticket(game.game_id).path == f"/v1/games/{game.game_id}/stream"
        assert me.validate_ruleset("clasica", ONE_CARD).ruleset.house_rules
        assert me.abandon(me.create_game(4).game_id).status == "abandoned"
        assert me.export_me().player.display_name == "Ana"
        me.delete_me()
        with pytest.raises(errors.Unauthenticated):
            me.me()


def test_a_refusal_is_an_exception_of_its_code_with_what_is_legal(url: str) -> None:
    with Pocha.guest("Ana", url=url, language="es") as me:
        game = me.create_game(3, robots=["easy"] * 2)
        turn = me.turn_of(game)
        assert turn
        with pytest.raises(errors.IllegalBid) as refused:
            turn.bid(24)
        assert refused.value.legal_bids == turn.legal_bids
        assert refused.value.request_id
        turn.bid(turn.legal_bids[0])
        with pytest.raises(errors.VersionConflict):
            turn.bid(turn.legal_bids[0])
        with pytest.raises(errors.NotFound):
            me.game("01a22b65-9f82-74a4-86b2-99ff9c4cab8e")
        assert me.rename("Anita").display_name == me.me().display_name == me.renew().display_name == "Anita"


def test_a_command_that_is_sent_again_keeps_its_key_and_is_carried_out_once(url: str) -> None:
    with Pocha.guest("Ana", url=url) as me:
        game = me.create_game(3, robots=["easy"] * 2)
        keys: list[str] = []

        def lose_the_first_answer(response: httpx.Response) -> None:
            if response.request.method == "POST":
                keys.append(response.request.headers["Idempotency-Key"])
                if len(keys) == 1:
                    raise httpx.ReadError("the answer is lost")

        me._http.event_hooks = {"request": [], "response": [lose_the_first_answer]}  # pyright: ignore[reportPrivateUsage]
        turn = me.turn_of(game)
        assert turn
        done = turn.bid(turn.legal_bids[0])
        assert len(keys) == 2
        assert len(set(keys)) == 1
        assert done.version == game.version + 1


def play(me: Pocha) -> GameView:
    game = me.create_game(3, ruleset="ludoteka-express-3", robots=["easy"] * 2)
    for turn in me.turns([game.game_id]):
        turn.let_robot_play("easy")
    return me.game(game.game_id)


def test_a_recorded_game_is_played_again_without_a_service(url: str, tmp_path: Path) -> None:
    recorder = Recorder()
    with Pocha.guest("Ana", url=url, transport=recorder) as me:
        over = play(me)
    recorder.save(tmp_path / "game.json")
    fake = FakePocha.of(tmp_path / "game.json")
    with Pocha.guest("Ana", transport=fake.transport) as me:
        assert play(me) == over
    assert [each.path for each in fake.requests] == [each.path for each in recorder.exchanges]


async def test_a_script_answers_refuses_and_streams_and_says_what_it_does_not_know() -> None:
    fake = FakePocha()
    fake.refuse("POST", "/v1/games/1/plays", "illegal-card", status=422, legal_cards=["oros-3"])
    fake.stream("/v1/me/stream", [Frame("7", "ended", json.dumps(MY_GAME))])
    async with AsyncPocha(transport=fake.transport) as me:
        with pytest.raises(errors.IllegalCard) as refused:
            await me.move("1", "plays", {"card": "oros-1"}, expected_version=1)
        assert refused.value.legal_cards == ("oros-3",)
        assert fake.requests == [Request("POST", "/v1/games/1/plays", {"card": "oros-1", "expected_version": 1})]
        async for event, game, after in me.events():
            assert (event, game.game_id, after) == ("ended", MY_GAME["game_id"], "7")
            break
        with pytest.raises(PochaError, match="nothing is scripted for GET /v1/me"):
            await me.me()


def test_who_gives_no_answer_is_asked_again_and_then_given_up() -> None:
    with Pocha("a token", url="http://127.0.0.1:9", retries=1) as me, pytest.raises(NoAnswer):
        me.me()


def test_the_time_that_the_service_asks_for_is_waited() -> None:
    assert 7 <= delay(0, "7") < 8
    assert delay(0, None) <= 0.25
    assert delay(50, None) <= 15


def test_what_is_newer_than_the_client_is_kept_as_it_is() -> None:
    turn = decode('{"action":"juggle","balls":3}', AnyTurn)
    assert isinstance(turn, UnknownTurn)
    assert turn.data["balls"] == 3
    event = decode('{"type":"juggled"}', AnyEvent)
    assert isinstance(event, UnknownEvent)
    assert isinstance(decode('{"type":"club"}', AnyJoined), UnknownJoined)


def test_the_example_of_a_bot_plays_to_the_end_and_is_short(url: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "bot.py"), url],
        env={"PYTHONPATH": str(EXAMPLES.parent / "src")},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS * 4,
        check=True,
    )
    assert done.stdout.startswith("(")


def test_the_example_of_a_notifier_tells_of_a_turn(url: str) -> None:
    with Pocha.guest("Ana", url=url) as me:
        assert me.token
        notifier = subprocess.Popen(
            [sys.executable, str(EXAMPLES / "turn_notifier.py"), url],
            env={"PYTHONPATH": str(EXAMPLES.parent / "src"), "POCHA_TOKEN": me.token},
            stdout=subprocess.PIPE,
            text=True,
        )
        me.create_game(3, ruleset="clasica", robots=["easy"] * 2)
        assert notifier.stdout
        assert notifier.stdout.readline() in {"It is your turn at Pocha clásica.\n", "Pocha clásica has begun.\n"}
        notifier.terminate()
        notifier.wait(PATIENCE_SECONDS)
        notifier.stdout.close()
