"""The client, async."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Self, TypeVar

import httpx
import msgspec

from pocha_client import errors, models, wire
from pocha_client.models import AnyEvent, AnyTurn, GameView, MoveResult, MyGame, RulesetRef

T = TypeVar("T")

_RENEWED_BEFORE = timedelta(days=2)
_FAILURES_BEFORE_POLLING = 2
_UNTAKEN_SECONDS = 0.5
"""Turns that nobody takes are answered at once, again and again."""
_LISTS_BEFORE_STREAMS = 100
_SECONDS_BETWEEN_LISTS = 3.0


class AsyncTurn:
    """A turn of the caller, with the legal moves in `data`, and the methods that make them.

    A method returns what the service answers, and keeps it as `result`. `VersionConflict` says that the turn is over already.
    """

    def __init__(
        self, client: "AsyncPocha", game_id: str, version: int, seat: int, ruleset: RulesetRef, data: AnyTurn
    ) -> None:
        self.client = client
        self.game_id = game_id
        self.version = version
        self.seat = seat
        self.ruleset = ruleset
        self.data = data
        self.result: MoveResult | None = None

    @property
    def action(self) -> str:
        """What there is to do: `bid`, `play`, `auction_bid`, `choose_trump`, `blind_pick`, or something newer than this client."""
        return (
            self.data.data["action"] if isinstance(self.data, models.UnknownTurn) else getattr(self.data, "action", "")
        )

    @property
    def deadline(self) -> datetime | None:
        """When the time of the turn is over."""
        return getattr(self.data, "deadline", None)

    @property
    def legal_bids(self) -> tuple[int, ...]:
        """The bids to choose from, in the auction too."""
        return getattr(self.data, "legal_bids", ())

    @property
    def forbidden_bid(self) -> int | None:
        """The bid that the hook forbids."""
        return getattr(self.data, "forbidden_bid", None)

    @property
    def may_pass(self) -> bool:
        """Whether the caller may pass in the auction."""
        return getattr(self.data, "may_pass", False)

    @property
    def legal_cards(self) -> tuple[str, ...]:
        """The cards to choose from."""
        return getattr(self.data, "legal_cards", ())

    @property
    def legal_suits(self) -> tuple[str, ...]:
        """The suits to choose trump from."""
        return getattr(self.data, "legal_suits", ())

    @property
    def positions(self) -> tuple[int, ...]:
        """The face-down cards to pick from."""
        return getattr(self.data, "positions", ())

    async def game(self) -> GameView:
        """Read the game."""
        return await self.client.game(self.game_id)

    async def bid(self, bid: int) -> MoveResult:
        """Bid, in the auction or for the hand."""
        return await self._move("auction-bids" if self.action == "auction_bid" else "bids", {"bid": bid})

    async def pass_(self) -> MoveResult:
        """Pass in the auction."""
        return await self._move("auction-passes", {})

    async def play(self, card: str) -> MoveResult:
        """Play a card."""
        return await self._move("plays", {"card": card})

    async def choose(self, suit: str) -> MoveResult:
        """Name trump."""
        return await self._move("trump", {"suit": suit})

    async def pick(self, position: int) -> MoveResult:
        """Turn up a face-down card."""
        return await self._move("blind-pick", {"position": position})

    async def let_robot_play(self, level: str = "normal") -> MoveResult:
        """Let a robot make this move, whatever it is."""
        return await self._move("robot-moves", {"level": level})

    async def _move(self, path: str, move: Mapping[str, object]) -> MoveResult:
        self.result = await self.client.move(self.game_id, path, move, expected_version=self.version)
        return self.result


class AsyncPocha:
    """A client of the service at `url`, with the token of a player or, for an app, its API key.

    Every command has an idempotency key, which it keeps when it is sent again: after no answer, 429 and 5xx, up to `retries` times, after
    the time that the service asks for. A token of `guest` is renewed before it expires; `on_renewed` gets the new one. `language` is that
    of problems: `es`, `en`, `fr` or `de`. `transport` is how requests are sent, as in tests (`pocha_client.testing`).
    """

    def __init__(
        self,
        token: str | None = None,
        *,
        url: str = "http://127.0.0.1:8000",
        retries: int = 5,
        language: str | None = None,
        on_renewed: Callable[[models.Guest], None] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.url = url
        self.token = token
        self.player_id: str | None = None
        self._expires_at: datetime | None = None
        self._retries = retries
        self._on_renewed = on_renewed
        headers = {} if language is None else {"Accept-Language": language}
        self._http = httpx.AsyncClient(base_url=url, headers=headers, timeout=wire.READ_SECONDS, transport=transport)

    @classmethod
    async def guest(cls, display_name: str, *, url: str = "http://127.0.0.1:8000", **options: Any) -> Self:
        """Return the client of a new guest."""
        client = cls(url=url, **options)
        try:
            client._take(await client._ask("POST", "/v1/players", models.Guest, {"display_name": display_name}))
        except BaseException:
            await client.aclose()
            raise
        return client

    @classmethod
    def app(cls, api_key: str, *, url: str = "http://127.0.0.1:8000", **options: Any) -> Self:
        """Return the client of an app, for its server."""
        return cls(api_key, url=url, **options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    # Players and apps

    async def me(self) -> models.Me:
        """Return who the caller is."""
        return await self._ask("GET", "/v1/me", models.Me)

    async def rename(self, display_name: str) -> models.Me:
        """Change the name that tables show from now on."""
        return await self._ask("PATCH", "/v1/me", models.Me, {"display_name": display_name})

    async def renew(self) -> models.Guest:
        """Get a new token for the same player, and use it from now on."""
        renewed = await self._ask("POST", "/v1/me/token", models.Guest)
        self._take(renewed)
        if self._on_renewed is not None:
            self._on_renewed(renewed)
        return renewed

    async def token_for(self, external_id: str, display_name: str) -> models.Guest:
        """Return a token for a user of the app: the same player each time."""
        body = {"external_id": external_id, "display_name": display_name}
        return await self._ask("POST", "/v1/players", models.Guest, body)

    async def delete_me(self) -> None:
        """Delete the caller: the name is erased, and the token void. There is no way back."""
        await self._ask("DELETE", "/v1/me", type(None))

    async def export_me(self) -> models.MyExport:
        """Return everything that is kept about the caller."""
        return await self._ask("GET", "/v1/me/export", models.MyExport)

    async def stats(self, player_id: str) -> models.PlayerStats:
        """Return what a player achieved in finished games."""
        return await self._ask("GET", f"/v1/players/{player_id}/stats", models.PlayerStats)

    async def leaderboard(self, ruleset_id: str) -> AsyncIterator[models.LeaderboardEntry]:
        """Yield the players of a ruleset by their ratings, the best first."""
        asked: dict[str, object] = {"limit": 100}
        while True:
            path = f"/v1/leaderboards/{ruleset_id}"
            page = await self._ask("GET", path, models.Leaderboard, query=wire.query(asked))
            for player in page.items:
                yield player
            if page.next_cursor is None:
                return
            asked["cursor"] = page.next_cursor

    # Tables

    async def commit(self) -> models.SeedCommitment:
        """Return the commitment to the server seed of a table that `create_game` is to make, and its id."""
        return await self._ask("POST", "/v1/commitments", models.SeedCommitment)

    async def create_game(  # noqa: PLR0913 - as many as the contract has
        self,
        players: int,
        *,
        ruleset: str | None = None,
        robots: Iterable[str] = (),
        visibility: str | None = None,
        house_rules: Mapping[str, object] | None = None,
        turn_seconds: int | None = None,
        on_timeout: str | None = None,
        robot_seconds: int | None = None,
        client_seed: str | None = None,
        commitment: str | None = None,
        key: str | None = None,
    ) -> GameView:
        """Make a table, with the caller at seat 0 and robots of these levels at the last ones."""
        body = {
            "players": players,
            "ruleset": ruleset,
            "robots": wire.robots(robots),
            "visibility": visibility,
            "house_rules": house_rules,
            "turn_seconds": turn_seconds,
            "on_timeout": on_timeout,
            "robot_seconds": robot_seconds,
            "client_seed": client_seed,
            "commitment": commitment,
        }
        return await self._ask("POST", "/v1/games", GameView, wire.body(body), key=key)

    async def join(
        self,
        game_id: str,
        *,
        invite_code: str | None = None,
        seat: int | None = None,
        client_seed: str | None = None,
        key: str | None = None,
    ) -> GameView:
        """Take a seat."""
        body = wire.body({"invite_code": invite_code, "seat": seat, "client_seed": client_seed})
        return await self._ask("POST", f"/v1/games/{game_id}/seats", GameView, body, key=key)

    async def join_code(self, game_id: str) -> models.JoinCode:
        """Return the code of six letters and digits by which others sit down, for a day."""
        return await self._ask("POST", f"/v1/games/{game_id}/join-code", models.JoinCode)

    async def join_by_code(self, code: str, *, client_seed: str | None = None) -> models.AnyJoined:
        """Join the table, or the score sheet, that a code leads to."""
        body = wire.body({"code": code, "client_seed": client_seed})
        return await self._ask("POST", "/v1/joins", models.AnyJoined, body)

    async def leave(self, game_id: str, seat: int, key: str | None = None) -> GameView:
        """Leave a seat; as the host, clear a seat before the start."""
        return await self._ask("DELETE", f"/v1/games/{game_id}/seats/{seat}", GameView, key=key)

    async def seat_robot(self, game_id: str, seat: int, level: str = "normal", key: str | None = None) -> GameView:
        """Give a free seat to a robot."""
        return await self._ask("PUT", f"/v1/games/{game_id}/seats/{seat}/robot", GameView, {"level": level}, key=key)

    async def auto_play(self, game_id: str, seat: int, choice: str, key: str | None = None) -> GameView:
        """Let the service make the moves of the caller's seat where there is no choice (`forced`), or not (`off`)."""
        body = {"auto_play": choice}
        return await self._ask("PUT", f"/v1/games/{game_id}/seats/{seat}/auto-play", GameView, body, key=key)

    async def react(self, game_id: str, reaction: str, key: str | None = None) -> models.SeatReaction:
        """Say something to the others at the table."""
        body = {"reaction": reaction}
        return await self._ask("POST", f"/v1/games/{game_id}/reactions", models.SeatReaction, body, key=key)

    async def abandon(self, game_id: str, key: str | None = None) -> GameView:
        """Close a table before the start, as its host; abandon a game, as the app that owns it."""
        return await self._ask("DELETE", f"/v1/games/{game_id}", GameView, key=key)

    async def rematch(self, game_id: str) -> GameView:
        """Return the next game of a table, with the caller at a seat."""
        return await self._ask("POST", f"/v1/games/{game_id}/rematch", GameView)

    async def game(self, game_id: str, *, after_version: int | None = None, wait: int = 0) -> GameView:
        """Read a game; with `after_version`, once it is past that version, or after `wait` seconds."""
        asked = wire.query({"after_version": after_version, "wait": wait or None})
        return await self._ask("GET", f"/v1/games/{game_id}", GameView, query=asked, seconds=wait + wire.READ_SECONDS)

    async def games(
        self, *, status: str | None = None, ruleset: str | None = None
    ) -> AsyncIterator[models.GameSummary]:
        """Yield the public tables, newest first; to an app all of its own."""
        asked = {"status": status, "ruleset": ruleset, "limit": 100}
        while True:
            page = await self._ask("GET", "/v1/games", models.GameList, query=wire.query(asked))
            for game in page.items:
                yield game
            if page.next_cursor is None:
                return
            asked["cursor"] = page.next_cursor

    async def my_games(self, *, status: str | None = None) -> AsyncIterator[MyGame]:
        """Yield all games of the caller, newest first."""
        asked: dict[str, object] = {"status": status, "limit": 50}
        while True:
            page = await self._ask("GET", "/v1/me/games", models.MyGameList, query=wire.query(asked))
            for game in page.items:
                yield game
            if page.next_cursor is None:
                return
            asked["cursor"] = page.next_cursor

    async def request_match(
        self,
        players: int,
        *,
        ruleset: str | None = None,
        house_rules: Mapping[str, object] | None = None,
        turn_seconds: int | None = None,
        wait_seconds: int | None = None,
        robots: str | None = None,
        similar_rating: bool | None = None,
        key: str | None = None,
    ) -> models.Match:
        """Wait for others who want the same game; `robots` is the level of those who take the seats that are left."""
        body = {
            "players": players,
            "ruleset": ruleset,
            "house_rules": house_rules,
            "turn_seconds": turn_seconds,
            "wait_seconds": wait_seconds,
            "robots": None if robots is None else {"level": robots},
            "similar_rating": similar_rating,
        }
        return await self._ask("POST", "/v1/matches", models.Match, wire.body(body), key=key)

    async def match(self, match_id: str, *, wait: int = 0) -> models.Match:
        """Return a request for a match, once it waits no more or after `wait` seconds."""
        asked = wire.query({"wait": wait or None})
        seconds = wait + wire.READ_SECONDS
        return await self._ask("GET", f"/v1/matches/{match_id}", models.Match, query=asked, seconds=seconds)

    async def cancel_match(self, match_id: str) -> models.Match:
        """Cancel a request for a match, if it still waits."""
        return await self._ask("DELETE", f"/v1/matches/{match_id}", models.Match)

    async def score_sheet(self, game_id: str) -> models.ScoreSheet:
        """Return the score sheet."""
        return await self._ask("GET", f"/v1/games/{game_id}/score-sheet", models.ScoreSheet)

    async def record(self, game_id: str) -> models.GameRecord:
        """Return all of a finished game."""
        return await self._ask("GET", f"/v1/games/{game_id}/record", models.GameRecord)

    async def fairness(self, game_id: str) -> models.GameFairness:
        """Return what the deals are checked with."""
        return await self._ask("GET", f"/v1/games/{game_id}/fairness", models.GameFairness)

    async def game_ruleset(self, game_id: str) -> models.GameRuleset:
        """Return the rules of a game, and its hands."""
        return await self._ask("GET", f"/v1/games/{game_id}/ruleset", models.GameRuleset)

    async def rulesets(self) -> models.RulesetList:
        """Return the presets."""
        return await self._ask("GET", "/v1/rulesets", models.RulesetList)

    async def ruleset(self, ruleset_id: str) -> models.RulesetView:
        """Return a preset."""
        return await self._ask("GET", f"/v1/rulesets/{ruleset_id}", models.RulesetView)

    async def validate_ruleset(self, ruleset: str, house_rules: Mapping[str, object]) -> models.RulesetView:
        """Return a preset with house rules, as a table would have it."""
        body = {"ruleset": ruleset, "house_rules": house_rules}
        return await self._ask("POST", "/v1/rulesets/validate", models.RulesetView, body)

    async def stream_ticket(self, game_id: str | None = None) -> models.StreamTicket:
        """Return a ticket for the stream of a game, or of all games, for a page that reads it by `EventSource`."""
        return await self._ask("POST", "/v1/stream-tickets", models.StreamTicket, wire.body({"game_id": game_id}))

    async def glossary(self) -> models.Glossary:
        """Return the terms of the game."""
        return await self._ask("GET", "/v1/glossary", models.Glossary)

    # Moves

    async def move(
        self,
        game_id: str,
        path: str,
        move: Mapping[str, object],
        *,
        expected_version: int | None = None,
        key: str | None = None,
    ) -> MoveResult:
        """Make a move by the last part of its path, such as `plays`."""
        body = wire.body({**move, "expected_version": expected_version})
        return await self._ask("POST", f"/v1/games/{game_id}/{path}", MoveResult, body, key=key)

    async def claim_renuncio(self, game_id: str, seat: int, trick: int) -> MoveResult:
        """Claim that a rival played an illegal card to a trick."""
        return await self.move(game_id, "renuncio-claims", {"seat": seat, "trick": trick})

    def turn_of(self, game: GameView) -> AsyncTurn | None:
        """Return the caller's turn in a game; None if there is none."""
        if game.turn is None or game.my_seat is None or isinstance(game.turn, models.WaitTurn):
            return None
        return AsyncTurn(self, game.game_id, game.version, game.my_seat, game.ruleset, game.turn)

    async def turns(self, games: Iterable[str] | None = None) -> AsyncIterator[AsyncTurn]:
        """Yield the caller's turns, each once, as they come; with `games`, of these alone, until all of them are over."""
        left = None if games is None else {each for each in games if (await self.game(each)).status not in wire.OVER}
        seen: dict[str, int] = {}
        after: str | None = None
        while left is None or left:
            asked = wire.query({"wait": wire.LONGEST_WAIT, "after": after})
            seconds = wire.LONGEST_WAIT + wire.READ_SECONDS
            found = await self._ask("GET", "/v1/me/turns", models.TurnList, query=asked, seconds=seconds)
            new = [each for each in found.items if seen.get(each.game_id) != each.version]
            for each in new:
                if left is None or each.game_id in left:
                    yield AsyncTurn(self, each.game_id, each.version, each.my_seat, each.ruleset, each.turn)
            seen = {each.game_id: each.version for each in found.items}
            if left is not None:
                left = left - {each.game_id for each in found.ended}
                if after is None:  # what ended before the first answer is in no other
                    left = {each for each in left if (await self.game(each)).status not in wire.OVER}
            after = found.next_after
            if found.items and not new:
                await asyncio.sleep(_UNTAKEN_SECONDS)

    # Streams

    async def follow(
        self,
        game_id: str,
        after: int | None = None,
        *,
        on_reaction: Callable[[models.SeatReaction], None] | None = None,
        mute: Iterable[str] = (),
    ) -> AsyncIterator[tuple[GameView, tuple[AnyEvent, ...]]]:
        """Yield the game and what has happened, until it is over: first the game as it is, unless `after` is a version seen already.

        Lost connections are resumed. Where streams do not come through, the game is read by long polling. `on_reaction` gets what players
        say to each other, but for the players of the ids in `mute`; these are in streams alone.
        """
        version = after
        asked = {"mute": ",".join(mute) or None}
        while True:
            failures = 0
            while failures < _FAILURES_BEFORE_POLLING:
                failures += 1
                with suppress(httpx.TransportError):
                    last = None if version is None else str(version)
                    async for frame in self._frames(f"/v1/games/{game_id}/stream", last, wire.query(asked)):
                        failures = 0
                        if frame.event == "reaction" and on_reaction is not None:
                            on_reaction(wire.decode(frame.data, models.SeatReaction))
                        game, events = await self._told(game_id, frame)
                        if game is not None:
                            version = game.version
                            yield game, events
                        if frame.event == "game_over":
                            return
                await asyncio.sleep(wire.delay(failures, None))
            with suppress(errors.NoAnswer):
                async for game, events in self._poll(game_id, version):
                    version = game.version
                    yield game, events
                return

    async def _told(self, game_id: str, frame: wire.Frame) -> tuple[GameView | None, tuple[AnyEvent, ...]]:
        if frame.event == "snapshot":
            return wire.decode(frame.data, GameView), ()
        if frame.event == "commit":
            commit = wire.decode(frame.data, models.StreamedCommit)
            return await self.game(game_id), commit.events
        return None, ()

    async def _poll(self, game_id: str, version: int | None) -> AsyncIterator[tuple[GameView, tuple[AnyEvent, ...]]]:
        game = await self.game(game_id)
        if version is None:
            version = game.version
            yield game, ()
        while game.status not in wire.OVER or game.version > version:
            game = await self.game(game_id, after_version=version, wait=wire.LONGEST_WAIT)
            if game.version > version:
                page = await self._ask(
                    "GET", f"/v1/games/{game_id}/events", models.EventPage, query={"after": str(version)}
                )
                version = page.next_after
                yield game, page.items

    async def events(self, after: str | None = None) -> AsyncIterator[tuple[str, MyGame, str]]:
        """Yield what happens in all of the caller's games, without end: its name, the game, and the id to go on after.

        The names are `turn`, `started`, `ended` and `rematch`. A new stream begins with the turns that wait. Lost connections are resumed.
        Where streams do not come through, the list of games is read every few seconds, which does not tell of rematches; the id then stays.
        """
        while True:
            failures = 0
            while failures < _FAILURES_BEFORE_POLLING:
                failures += 1
                with suppress(httpx.TransportError):
                    async for frame in self._frames("/v1/me/stream", after):
                        failures, after = 0, frame.id
                        if frame.event != "games":
                            yield frame.event, wire.decode(frame.data, MyGame), after
                            continue
                        for game in wire.decode(frame.data, models.MyGameList).items:
                            if wire.waits_for_caller(game):
                                yield "turn", game, after
                await asyncio.sleep(wire.delay(failures, None))
            with suppress(errors.NoAnswer):
                async for event, game in self._poll_games():
                    yield event, game, after or ""

    async def _poll_games(self) -> AsyncIterator[tuple[str, MyGame]]:
        """Yield what happens in the caller's games, by their list, for some minutes: then streams may come through again."""
        known: dict[str, MyGame] | None = None
        for _ in range(_LISTS_BEFORE_STREAMS):
            games = (await self._ask("GET", "/v1/me/games", models.MyGameList, query={"limit": "50"})).items
            for game in games:
                for event in wire.news_of(known, game):
                    yield event, game
            known = {game.game_id: game for game in games}
            await asyncio.sleep(_SECONDS_BETWEEN_LISTS)

    async def _frames(
        self, path: str, after: str | None, asked: Mapping[str, str] | None = None
    ) -> AsyncIterator[wire.Frame]:
        """Yield the frames of a stream until the connection ends.

        Raises:
            PochaError: the stream is refused for good.
            httpx.TransportError: the connection is lost.
        """
        await self._renew_if_due()
        headers = {**self._authorization(), "Accept": "text/event-stream"}
        if after is not None:
            headers["Last-Event-ID"] = after
        timeout = httpx.Timeout(wire.READ_SECONDS, read=wire.SILENCE_SECONDS)
        async with self._http.stream("GET", path, params=asked, headers=headers, timeout=timeout) as response:
            if response.status_code == wire.NO_CONTENT:
                yield wire.Frame(after or "", "game_over", "{}")
                return
            if response.status_code != wire.OK:
                await response.aread()
                if response.status_code in wire.RETRIED:
                    raise httpx.ReadError("the stream is refused for now")
                raise wire.error_of(response)
            reader = wire.FrameReader()
            async for line in response.aiter_lines():
                frame = reader.feed(line)
                if frame is not None:
                    yield frame

    # Requests

    async def _ask(
        self,
        method: str,
        path: str,
        kind: type[T],
        body: Mapping[str, object] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        key: str | None = None,
        seconds: float = wire.READ_SECONDS,
    ) -> T:
        """Send a request, again where that helps, and return the answer.

        Raises:
            PochaError: the service refuses it.
            NoAnswer: it gave no answer.
        """
        if path != "/v1/me/token":
            await self._renew_if_due()
        headers = self._authorization()
        if method != "GET":
            headers["Idempotency-Key"] = key or wire.new_key()
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            headers["Content-Type"] = "application/json"
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries
            try:
                response = await self._http.request(
                    method, path, content=content, params=query, headers=headers, timeout=seconds
                )
            except httpx.TransportError as error:
                if is_last:
                    raise errors.NoAnswer(f"{method} {path}: {error!r}") from error
                await asyncio.sleep(wire.delay(attempt, None))
                continue
            if response.is_success:
                return wire.decode(response.content or b"null", kind)
            if is_last or response.status_code not in wire.RETRIED:
                raise wire.error_of(response)
            await asyncio.sleep(wire.delay(attempt, response.headers.get("retry-after")))
        raise AssertionError("the last attempt returns or raises")

    def _authorization(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def _take(self, guest: models.Guest) -> None:
        self.token, self.player_id, self._expires_at = guest.token, guest.player_id, guest.expires_at

    async def _renew_if_due(self) -> None:
        if self._expires_at is not None and datetime.now(UTC) > self._expires_at - _RENEWED_BEFORE:
            self._expires_at = None  # one attempt: the token that is left still works
            with suppress(errors.PochaError, errors.NoAnswer):
                await self.renew()
