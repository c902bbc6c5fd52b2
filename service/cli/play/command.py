"""Arguments of `pocha play`, and the table that they ask for."""

import argparse
import getpass
import json
from contextlib import nullcontext

from service.cli.play.api import Api, Json, NoService, Refusal
from service.cli.play.embedded import embedded_service
from service.cli.play.game import Play
from service.cli.play.words import LANGUAGES, Words, language_of

_CODE_LENGTH = 6
_LEVELS = ("easy", "normal", "hard")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--url", type=_address, help="the service; without it one of its own, which forgets the game")
    parser.add_argument(
        "--join", metavar="CODE", help="the table to join: its six letters and digits, or GAME_ID/INVITE_CODE"
    )
    parser.add_argument("--name", help="your name at the table")
    parser.add_argument("--players", type=int, default=4, help="number of seats (4)")
    parser.add_argument("--people", type=int, default=1, help="how many of them are for people; robots take the others")
    parser.add_argument("--robots", choices=_LEVELS, default="normal", help="level of the robots (normal)")
    parser.add_argument("--ruleset", default="clasica", help="preset (clasica)")
    parser.add_argument("--house-rules", type=_json, metavar="JSON", help="changes of the preset, as in the API")
    parser.add_argument("--language", choices=LANGUAGES, default=language_of(), help="default: that of the terminal")


def run(args: argparse.Namespace) -> None:
    """Play until the player quits.

    Raises:
        OSError: the service cannot be reached, or refuses the table.
    """
    with embedded_service() if args.url is None else nullcontext(args.url) as url:
        api = Api(url, args.language)
        try:
            api.become_guest(args.name or getpass.getuser())
            Play(api, Words(args.language), url).run(_table(api, args))
        except Refusal as refusal:
            raise NoService(str(refusal)) from None


def _table(api: Api, args: argparse.Namespace) -> Json:
    if args.join is not None:
        game_id, _, invite_code = args.join.partition("/")
        if len(game_id) == _CODE_LENGTH:
            return _by_code(api, game_id, args.language)
        return api.ask("POST", f"/v1/games/{game_id}/seats", {"invite_code": invite_code} if invite_code else {})
    robots = [{"level": args.robots}] * max(0, args.players - args.people)
    body: Json = {"players": args.players, "ruleset": args.ruleset, "robots": robots, "visibility": "private"}
    if args.house_rules is not None:
        body["house_rules"] = args.house_rules
    return api.ask("POST", "/v1/games", body)


def _by_code(api: Api, code: str, language: str) -> Json:
    joined = api.ask("POST", "/v1/joins", {"code": code})
    if "game" not in joined:
        raise NoService(Words(language)("no_table", code=code))
    return joined["game"]


def _address(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError("expected an address such as http://127.0.0.1:8000")
    return text


def _json(text: str) -> Json:
    try:
        return json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected JSON: {error}") from None
