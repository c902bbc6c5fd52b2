"""A second engine, slow and literal, that shares only the cards with `domain`: legal plays, one function a document, and whole hands.

Strength is the place in the rank order, so the lower number beats the higher one.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from domain.cards import Card, Suit

TUTE = (1, 3, 12, 11, 10, 7, 6, 5, 4, 2)
FRENCH = (1, 12, 11, 10, 7, 6, 5, 4, 3, 2)


def beats(one: Card, other: Card, order: Sequence[int]) -> bool:
    """Tell whether `one` is higher than `other`, of the same suit."""
    return one.suit == other.suit and order.index(one.number) < order.index(other.number)


def allowed_in_000(card: Card, hand: Sequence[Card], trick: Sequence[Card], trump: Suit | None) -> bool:
    """Tell whether `card` may be played, sentence by sentence of seed 000:49 (as R-PLAY-3, R-PLAY-8 and R-PLAY-9 read them)."""
    # "echando una carta que dejará descubierta": whoever leads plays any card (000:53).
    if len(trick) == 0:
        return True
    start = trick[0].suit
    ruffs = [played for played in trick if played.suit == trump and start != trump]
    mine_of_the_suit = [held for held in hand if held.suit == start]
    mine_that_beat = [
        held for held in mine_of_the_suit if all(beats(held, played, TUTE) for played in trick if played.suit == start)
    ]
    # "Si tuviera más de una carta del palo de inicio y la baza estuviera ganada por un triunfo, podrá optar por la que quisiera."
    if len(mine_of_the_suit) > 1 and ruffs:
        return card.suit == start
    # "Si tuviera una del palo con que se inició la baza, deberá echarla superando el valor de las que ya hubiera, de ese palo."
    if mine_that_beat and not ruffs:
        return card in mine_that_beat
    # "Si no tuviera para superar, pero sí tuviera de valor inferior deberá echarla igualmente."
    if mine_of_the_suit:
        return card.suit == start
    # "Si no tuviera ninguna carta del palo de inicio, deberá echar un triunfo si fuera de valor superior al de otro triunfo."
    winning_trumps = [
        held
        for held in hand
        if held.suit == trump and all(beats(held, played, TUTE) for played in trick if played.suit == trump)
    ]
    if winning_trumps:
        return card in winning_trumps
    # "Si no tuviera un triunfo con el que superar la baza, entonces podrá echar la carta que quisiera, sea triunfo o no."
    return True


def allowed_in_002(card: Card, hand: Sequence[Card], trick: Sequence[Card], trump: Suit | None) -> bool:
    """Tell whether `card` may be played by seed 002:33: follow, with no duty to beat; else over-trump; else anything."""
    if not trick:
        return True
    led = trick[0].suit
    follows, holds_led = card.suit == led, any(held.suit == led for held in hand)
    if holds_led:
        return follows
    on_table = {FRENCH.index(played.number) for played in trick if played.suit == trump}
    bar = min(on_table, default=99)
    high = {held for held in hand if held.suit == trump and FRENCH.index(held.number) < bar}
    return card in high or not high


def taker(trick: Sequence[Card], trump: Suit | None, order: Sequence[int]) -> int:
    """Return the place of the card that takes the trick: play by play, the later one must beat the best so far (000:53)."""
    best = 0
    for place, card in enumerate(trick):
        ruffs = card.suit == trump and trick[best].suit != trump
        if ruffs or beats(card, trick[best], order):
            best = place
    return best


class House(NamedTuple):
    """What the second engine knows of a preset, as its document says it."""

    allowed: Callable[[Card, Sequence[Card], Sequence[Card], Suit | None], bool]
    order: Sequence[int] = TUTE
    hook_with_one_card: bool = True
    auction: str = "none"
    picks: bool = False


HOUSES = {
    "clasica": House(allowed_in_000, auction="double"),
    "antigua": House(allowed_in_000, auction="double", picks=True),
    "ludoteka-express-3": House(allowed_in_000),
    "ludoteka-express-4": House(allowed_in_000),
    "ludoteka-subebaja": House(allowed_in_000),
    "ludoteka-loca": House(allowed_in_000, auction="ascending"),
    "fournier": House(allowed_in_002, order=FRENCH),
    "torofun": House(allowed_in_000, hook_with_one_card=False),
}


class Opening(NamedTuple):
    """A way to come to a trump: what is said, the trump, and a bid that stands already."""

    said: tuple[str, ...]
    trump: Suit | None
    fixed: dict[int, int]


def hand_lines(
    house: House, kind: str, hands: Sequence[Sequence[Card]], dealer: int, turn_up: Card | None
) -> Iterator[tuple[str, ...]]:
    """Yield every complete course of a hand, in words: `call 1:2`, `trump oros`, `bid 1:0`, `play 1:oros-1`, `won 0 2 1`.

    Without a `turn_up` a normal hand is one whose cards all lie face down.
    """
    order = [(dealer + 1 + place) % len(hands) for place in range(len(hands))]
    for said, trump, fixed in openings(house, kind, hands, order, turn_up):
        hooked = len(hands[0]) != 1 or house.hook_with_one_card
        for bids in bid_lines(order, len(hands[0]), fixed, hooked=hooked):
            for plays in play_lines(house, [list(hand) for hand in hands], order[0], trump):
                yield (*said, *bids, *plays)


def openings(
    house: House, kind: str, hands: Sequence[Sequence[Card]], order: Sequence[int], turn_up: Card | None
) -> Iterator[Opening]:
    """Yield every way in which trump comes about."""
    cards, dealer = len(hands[0]), order[-1]
    if kind == "subastado" and house.auction == "double":
        # "Primero cada uno pide sin decir el triunfo para ver quien pide más, y luego otra vez, sabiendo que pinta."
        for bids in product(range(cards + 1), repeat=len(order)):
            winner = order[bids.index(max(bids))]
            for suit in Suit:
                yield Opening((*_calls(order, bids), f"trump {winner}:{suit}"), suit, {})
    elif kind == "subastado":
        # "Cada jugador lanzará su puja si es mano o supera la máxima apuesta de un jugador anterior. En caso contrario debe pasar."
        for bids in product(("-", *range(cards + 1)), repeat=len(order)):
            made = [bid for bid in bids if isinstance(bid, int)]
            if bids[0] != "-" and made == sorted(set(made)):
                winner = order[bids.index(made[-1])]
                for suit in Suit:
                    yield Opening((*_calls(order, bids), f"trump {winner}:{suit}"), suit, {winner: made[-1]})
    elif kind in ("oros", "ciega"):
        yield Opening((), Suit.OROS if kind == "oros" else None, {})
    elif turn_up is not None:
        yield Opening((), turn_up.suit, {})
    else:
        # "El triunfo se marca por la carta que el jugador desee, sin haberla visto previamente, o en su defecto por la última."
        for place in (*range(cards), "last"):
            card = hands[dealer][-1] if place == "last" else hands[dealer][int(place)]
            yield Opening((f"pick {dealer}:{place} {card}",), card.suit, {})


def _calls(order: Sequence[int], bids: Sequence[int | str]) -> list[str]:
    return [f"call {seat}:{bid}" for seat, bid in zip(order, bids, strict=True)]


def bid_lines(order: Sequence[int], cards: int, fixed: dict[int, int], *, hooked: bool) -> Iterator[tuple[str, ...]]:
    """Yield every round of bids: "la suma de las bazas pedidas nunca puede coincidir con el número de bazas"."""
    asked = [seat for seat in order if seat not in fixed]
    for bids in product(range(cards + 1), repeat=len(asked)):
        if not (hooked and sum(bids) + sum(fixed.values()) == cards):
            yield tuple(f"bid {seat}:{bid}" for seat, bid in zip(asked, bids, strict=True))


def play_lines(
    house: House, hands: list[list[Card]], leader: int, trump: Suit | None, won: tuple[int, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield every way to play the tricks that are left."""
    won = won or (0,) * len(hands)
    if not any(hands):
        yield (f"won {' '.join(str(tricks) for tricks in won)}",)
        return
    for trick in tricks_from(house, hands, leader, trump, ()):
        taken = (leader + taker(trick, trump, house.order)) % len(hands)
        left = [[card for card in hand if card not in trick] for hand in hands]
        after = tuple(tricks + (seat == taken) for seat, tricks in enumerate(won))
        said = tuple(f"play {(leader + place) % len(hands)}:{card}" for place, card in enumerate(trick))
        for rest in play_lines(house, left, taken, trump, after):
            yield (*said, *rest)


def tricks_from(
    house: House, hands: list[list[Card]], leader: int, trump: Suit | None, trick: tuple[Card, ...]
) -> Iterator[tuple[Card, ...]]:
    """Yield every trick that begins with `trick`."""
    if len(trick) == len(hands):
        yield trick
        return
    hand = hands[(leader + len(trick)) % len(hands)]
    for card in hand:
        if house.allowed(card, hand, trick, trump):
            yield from tricks_from(house, hands, leader, trump, (*trick, card))
