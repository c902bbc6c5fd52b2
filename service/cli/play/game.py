"""The course of a game in the terminal: show, ask, move, wait."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from service.cli.play.api import Api, Json, Refusal
from service.cli.play.keyboard import keys_at_once, read_choice, read_key
from service.cli.play.screen import CLEAR, Screen
from service.cli.play.words import Words

_WAIT_SECONDS = 20
_OVER = frozenset({"finished", "abandoned"})

Option = tuple[str, str, Json]
"""What may be chosen: its text, and the path and body of the move."""


def program() -> str:
    """Return how this program is started here: by its name where the shell finds it, or else as it was typed."""
    typed = Path(sys.argv[0])
    if typed.name == "__main__.py":
        return "python -m service"
    return typed.name if shutil.which(typed.name) else str(typed)


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
        self._penalising: dict[str, bool] = {}

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
            code = self._api.ask("POST", f"/v1/games/{game['game_id']}/join-code")["code"]
            return self._words("waiting_players", program=program(), url=self._url, code=code)
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
        options = [*self._options(turn), *self._illegal(game, turn)]
        question = self._words(f"do_{turn['action']}") if options else self._words("do_other")
        hook = [self._words("forbidden", bid=turn["forbidden_bid"])] if "forbidden_bid" in turn else []
        listed = [f"  {number:>2}) {text}" for number, (text, _, _) in enumerate(options, 1)]
        keys = [self._words("keys"), *([self._words("claim_key")] if self._penalises(game) else [])]
        self._show(game, *hook, self.strong(question), *listed, " · ".join(keys))
        return self._choose(game, options)

    def _penalises(self, game: Json) -> bool:
        """Tell whether illegal cards may be played here, and are penalised when claimed."""
        game_id = game["game_id"]
        if game_id not in self._penalising:
            rules = self._api.ask("GET", f"/v1/games/{game_id}/ruleset")["ruleset"]
            self._penalising[game_id] = rules["renuncio"]["mode"] == "penalised"
        return self._penalising[game_id]

    def _illegal(self, game: Json, turn: Json) -> Sequence[Option]:
        """Return the cards that break a duty, where they may be played all the same."""
        if turn["action"] != "play" or not self._penalises(game):
            return []
        cards = [card for card in game["hand"]["my_cards"] if card not in turn["legal_cards"]]
        return [(f"{self._screen.card(card)}  {self._words('illegal')}", "plays", {"card": card}) for card in cards]

    def _claims(self, game: Json) -> Sequence[Option]:
        """Return what may be claimed: the cards of the others in the trick on the table and in the last one."""
        hand = game["hand"]
        done = sum(hand["tricks_won"])
        tricks = [(done + 1, hand["trick"]), (done, hand.get("last_trick", {}).get("plays", []))]
        return [
            (
                f"{self._screen.name(game, play['seat'])} {self._screen.card(play['card'])}",
                "renuncio-claims",
                {"seat": play["seat"], "trick": number},
            )
            for number, plays in tricks
            for play in plays
            if play["seat"] != game.get("my_seat")
        ]

    def _claim(self, game: Json) -> Json:
        claims = self._claims(game)
        listed = [f"  {number:>2}) {text}" for number, (text, _, _) in enumerate(claims, 1)]
        self._show(game, self.strong(self._words("which_claim")), *listed, self._words("back"))
        choice = read_choice(len(claims), "b")
        if choice == "b":
            return game
        _, path, body = claims[int(choice) - 1]
        return self._move(game, path, body)

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
        match read_choice(len(options), "rsqc" if self._penalises(game) else "rsq"):
            case "q":
                raise Quit
            case "s":
                sheet = self._api.ask("GET", f"/v1/games/{game['game_id']}/score-sheet")
                print(f"{CLEAR}{self._screen.sheet(sheet, game)}\n\n{self._words('press')}", flush=True)
                read_key()
                return game
            case "c":
                return self._claim(game)
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
