"""A second engine for legal plays, slow and literal, that shares nothing with `domain.tricks`: one function a document.

Strength is the place in the rank order, so the lower number beats the higher one.
"""

from collections.abc import Sequence

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
