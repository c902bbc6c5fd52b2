"""The table as text: what the view of a game says, for a terminal of 80 columns."""

import os
from collections.abc import Iterable, Sequence

from service.cli.play.api import Json
from service.cli.play.words import Words

_SUITS = {"oros": ("●", "33;1"), "copas": ("♥", "31;1"), "espadas": ("♠", "36;1"), "bastos": ("♣", "32;1")}
_FIGURES = {"10": "S", "11": "C", "12": "R"}
"""Sota, caballo and rey."""
CLEAR = "\x1b[2J\x1b[H"


class Screen:
    """Draws in the words of a language; in colours, unless `NO_COLOR` is set. Suits differ by their sign as well."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._has_colours = not os.environ.get("NO_COLOR")

    def suit(self, suit: str) -> str:
        """Return a suit."""
        sign, colour = _SUITS[suit]
        return self._in(colour, f"{sign} {self._words(f'suit_{suit}')}")

    def card(self, card: str) -> str:
        """Return a card: its suit's sign, and its number, or S, C, R for sota, caballo and rey."""
        suit, _, number = card.partition("-")
        sign, colour = _SUITS[suit]
        return self._in(colour, f"{sign}{_FIGURES.get(number, number)}")

    def strong(self, text: str) -> str:
        """Return a text that stands out."""
        return self._in("1", text)

    def name(self, game: Json, seat: int) -> str:
        """Return the name of who sits there."""
        occupant = game["seats"][seat]
        if "player" in occupant:
            return str(occupant["player"]["display_name"])
        if "robot" in occupant:
            return self._words("robot", seat=seat + 1, level=occupant["robot"]["level"])
        return self._words("free")

    def table(self, game: Json, news: Sequence[str]) -> str:
        """Return the whole table, with what has just happened above it."""
        lines = [*news[-8:], ""] if news else []
        hand = game.get("hand")
        if hand is not None:
            lines += self._heading(game, hand)
        lines += self._seats(game, hand)
        if hand is not None:
            lines += self._cards(game, hand)
        return "\n".join(lines)

    def _heading(self, game: Json, hand: Json) -> Iterable[str]:
        words = self._words
        told = words(
            "hand",
            number=hand["number"],
            of=hand["of"],
            kind=self.kind(hand["kind"]),
            cards=words("one_card") if hand["cards"] == 1 else words("cards", number=hand["cards"]),
            dealer=self.name(game, hand["dealer"]),
        )
        yield self.strong(told)
        trump = words("trump", suit=self.suit(hand["trump"])) if "trump" in hand else words("no_trump")
        turned = f" ({self.card(hand['turn_up'])})" if "turn_up" in hand else ""
        factor = f" · {words('multiplier', factor=hand['multiplier'])}" if hand["multiplier"] > 1 else ""
        yield f"{trump}{turned}{factor}"
        yield ""

    def kind(self, kind: str) -> str:
        """Return the name of a kind of hand."""
        try:
            return self._words(kind)
        except KeyError:
            return kind

    def _seats(self, game: Json, hand: Json | None) -> Iterable[str]:
        yield f"{'':24}{self._words('columns')}"
        bids = {each["seat"]: each["bid"] for each in hand["bids"]} if hand else {}
        calls = {each["seat"]: each for each in hand.get("auction", [])} if hand else {}
        points = {each["seat"]: each["points"] for each in game["scores"]}
        for seat in range(game["players"]):
            is_mine = seat == game.get("my_seat")
            name = f"{self.name(game, seat)}{' (' + self._words('you') + ')' if is_mine else ''}"
            is_next = game.get("turn", {}).get("seat") == seat
            won = hand["tricks_won"][seat] if hand else ""
            call = "" if seat not in calls else f"  [{calls[seat].get('bid', self._words('pass'))}]"
            row = f"{'>' if is_next else ' '} {name[:21]:21} {bids.get(seat, '·'):>3}  {won!s:>3}  {points.get(seat, 0):>6}{call}"
            yield self.strong(row) if is_mine else row
        yield ""

    def _cards(self, game: Json, hand: Json) -> Iterable[str]:
        if "last_trick" in hand and not hand["trick"]:
            yield self._words("last_trick", name=self.name(game, hand["last_trick"]["winner"]))
            yield f"  {self._plays(game, hand['last_trick']['plays'])}"
        if hand["trick"]:
            yield f"{self._words('trick')}: {self._plays(game, hand['trick'])}"
        for each in hand.get("seen_cards", []):
            yield f"{self._words('seen_cards')}: {self.name(game, each['seat'])} {' '.join(map(self.card, each['cards']))}"
        if hand.get("my_cards"):
            yield f"{self._words('your_cards')}: {'  '.join(map(self.card, hand['my_cards']))}"

    def _plays(self, game: Json, plays: Iterable[Json]) -> str:
        return "   ".join(f"{self.name(game, each['seat'])} {self.card(each['card'])}" for each in plays)

    def news(self, game: Json, events: Iterable[Json]) -> list[str]:
        """Return in words what has happened, as far as the table does not show it."""
        told: list[str] = []
        for event in events:
            if event["type"] == "hand_scored":
                rows = [f"{self.name(game, each['seat'])} {each['points']:+d}" for each in event["scores"]]
                told.append(self._words("scored", number=event["number"], rows=", ".join(rows)))
            elif event["type"] == "renuncio_claimed":
                told.append(self._claimed(game, event))
            elif event["type"] == "card_played":
                told.append(f"  {self.name(game, event['seat'])}: {self.card(event['card'])}")
            elif event["type"] == "trick_taken":
                told.append(f"  = {self.name(game, event['seat'])} {self.card(event['card'])}")
        return told

    def _claimed(self, game: Json, event: Json) -> str:
        claimant, name = self.name(game, event["claimant"]), self.name(game, event["seat"])
        key = "claim_right" if event["proven"] else "claim_wrong"
        return self._words(key, claimant=claimant, name=name, card=self.card(event["card"]), points=event["penalty"])

    def ending(self, game: Json) -> str:
        """Return how the game ended."""
        if game["status"] == "abandoned":
            return self._words("abandoned")
        winners = ", ".join(self.name(game, seat) for seat in game["result"]["winners"])
        ranks = sorted(game["scores"], key=lambda score: score["rank"])
        rows = [f"{score['rank']}. {self.name(game, score['seat']):22} {score['points']:>6}" for score in ranks]
        return "\n".join([self.strong(self._words("over")), *rows, self.strong(self._words("won", names=winners))])

    def sheet(self, sheet: Json, game: Json) -> str:
        """Return the score sheet."""
        names = [self.name(game, seat)[:10] for seat in range(game["players"])]
        lines = [f"{'':4}" + "".join(f"{name:>12}" for name in names)]
        for row in sheet["rows"]:
            cells = [f"{each['tricks']}/{each['bid']}{each['total']:>7}" for each in row["entries"]]
            lines.append(f"{row['number']:>3} " + "".join(f"{cell:>12}" for cell in cells))
        return "\n".join(lines)

    def _in(self, colour: str, text: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._has_colours else text
