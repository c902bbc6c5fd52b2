"""The course of a game in the terminal: show, ask, move, wait."""

from collections.abc import Sequence

from service.cli.play.api import Api, Json, Refusal
from service.cli.play.keyboard import keys_at_once, read_choice, read_key
from service.cli.play.screen import CLEAR, Screen
from service.cli.play.words import Words

_WAIT_SECONDS = 20
_OVER = frozenset({"finished", "abandoned"})

Option = tuple[str, str, Json]
"""What may be chosen: its text, and the path and body of the move."""


class Quit(Exception):
    """The player has had enough."""


class Play:
    """One player at one table after another."""

    def __init__(self, api: Api, words: Words, url: str) -> None:
        self._api = api
        self._words = words
        self._url = url
        self._screen = Screen(words)
        self._news: list[str] = []

    def run(self, game: Json) -> None:
        """Play, and play again as long as the player wants to."""
        with keys_at_once():
            try:
                while True:
                    game = self._play(game)
                    print(f"{CLEAR}{self._screen.table(game, self._news)}\n{self._screen.ending(game)}")
                    print(self._words("again"), flush=True)
                    if game["status"] == "abandoned" or read_choice(0, "nq") == "q":
                        return
                    game = self._api.ask("POST", f"/v1/games/{game['game_id']}/rematch")
                    self._news.clear()
            except (Quit, EOFError):
                return

    def _play(self, game: Json) -> Json:
        while game["status"] not in _OVER:
            turn = game.get("turn")
            if turn is not None and turn["seat"] == game.get("my_seat"):
                game = self._my_turn(game, turn)
            else:
                self._show(game, self._waits_for(game))
                game = self._wait(game)
        return game

    def _waits_for(self, game: Json) -> str:
        if game["status"] == "waiting":
            code = "/".join(filter(None, (game["game_id"], game.get("invite_code"))))
            return self._words("waiting_players", url=self._url, code=code)
        return self._words("waits_for", name=self._screen.name(game, game["turn"]["seat"]))

    def _show(self, game: Json, *below: str) -> None:
        print(CLEAR + "\n".join([self._screen.table(game, self._news), "", *below]), flush=True)

    def _wait(self, game: Json) -> Json:
        """Return the game once it has gone on."""
        path, version = f"/v1/games/{game['game_id']}", game["version"]
        after = self._api.ask("GET", f"{path}?after_version={version}&wait={_WAIT_SECONDS}", wait=_WAIT_SECONDS)
        if after["version"] > version:
            events = self._api.ask("GET", f"{path}/events?after={version}")["items"]
            self._news = self._screen.news(after, events)
        return after

    def _my_turn(self, game: Json, turn: Json) -> Json:
        options = self._options(turn)
        question = self._words(f"do_{turn['action']}") if options else self._words("do_other")
        hook = [self._words("forbidden", bid=turn["forbidden_bid"])] if "forbidden_bid" in turn else []
        listed = [f"  {number:>2}) {text}" for number, (text, _, _) in enumerate(options, 1)]
        self._show(game, *hook, self.strong(question), *listed, self._words("keys"))
        return self._choose(game, options)

    def strong(self, text: str) -> str:
        """Return a text that stands out."""
        return self._screen.strong(text)

    def _options(self, turn: Json) -> Sequence[Option]:
        screen = self._screen
        match turn["action"]:
            case "bid":
                return [(str(bid), "bids", {"bid": bid}) for bid in turn["legal_bids"]]
            case "play":
                return [(screen.card(card), "plays", {"card": card}) for card in turn["legal_cards"]]
            case "auction_bid":
                bids: list[Option] = [(str(bid), "auction-bids", {"bid": bid}) for bid in turn["legal_bids"]]
                passing: list[Option] = [(self._words("pass"), "auction-passes", {})] if turn["may_pass"] else []
                return [*bids, *passing]
            case "choose_trump":
                return [(screen.suit(suit), "trump", {"suit": suit}) for suit in turn["legal_suits"]]
            case "blind_pick":
                return [(f"[{place + 1}]", "blind-pick", {"position": place}) for place in turn["positions"]]
            case _:
                return []

    def _choose(self, game: Json, options: Sequence[Option]) -> Json:
        match read_choice(len(options), "rsq"):
            case "q":
                raise Quit
            case "s":
                sheet = self._api.ask("GET", f"/v1/games/{game['game_id']}/score-sheet")
                print(f"{CLEAR}{self._screen.sheet(sheet, game)}\n\n{self._words('press')}", flush=True)
                read_key()
                return game
            case "r":
                return self._move(game, "robot-moves", {})
            case number:
                _, path, body = options[int(number) - 1]
                return self._move(game, path, body)

    def _move(self, game: Json, path: str, body: Json) -> Json:
        body = {**body, "expected_version": game["version"]}
        try:
            done = self._api.ask("POST", f"/v1/games/{game['game_id']}/{path}", body)
        except Refusal as refusal:
            self._news = [str(refusal)]
            return self._api.ask("GET", f"/v1/games/{game['game_id']}")
        self._news = self._screen.news(done["game"], done["events"])
        return done["game"]
