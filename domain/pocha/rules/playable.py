"""The hands that may be played by a ruleset, and what may be seen in them."""

from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from domain.cards import Card, Suit
from domain.pocha.rules import bidding, scoring
from domain.pocha.rules.ruleset import Ruleset, deck, hand_schedule, most_cards
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.rules.standings import extra_hand

_TIED = 2


class PlayableHand(msgspec.Struct, frozen=True):
    """A hand that may be played: its ruleset, the deck and the number of players at the table."""

    rules: Ruleset
    deck: tuple[Card, ...]
    players: int
    plan: HandPlan

    @property
    def turns_up(self) -> bool:
        """Whether a card is turned up."""
        return self.plan.kind in (HandKind.NORMAL, HandKind.INDIA, HandKind.TIE_BREAK)

    @property
    def has_hook(self) -> bool:
        """Whether the rules of bidding give the hand a hook."""
        return bidding.applies(self.plan, self.rules.bidding.hook)

    @property
    def is_hooked(self) -> bool:
        """Whether the hook forbids a bid, which in a subastado hand it does where the auction says so."""
        auction = self.rules.auction
        by_auction = auction.hook_in_first_round or auction.hook_on_last_predictor
        return self.has_hook and (by_auction or self.plan.kind is not HandKind.SUBASTADO)

    @property
    def factors(self) -> dict[Suit | Card, int]:
        """The multipliers by the card turned up or, where there is none, by the suit of trump."""
        rules, kind = self.rules.scoring, self.plan.kind
        if self.turns_up:
            return {card: scoring.multiplier(card.suit, card, rules) for card in self.deck}
        suits = {HandKind.OROS: (Suit.OROS,), HandKind.SUBASTADO: (*Suit,)}.get(kind, ())
        return {suit: scoring.multiplier(suit, None, rules) for suit in suits}

    @property
    def slam_factor(self) -> int:
        """By how much the slam bonus multiplies points, if it multiplies any."""
        rules, cards = self.rules.scoring, self.plan.cards
        bonus = rules.slam_bonus
        if bonus is UNSET or cards < bonus.min_cards or not rules.hit_base + rules.hit_per_trick * cards:
            return 1
        return bonus.factor


def playable_hands(ruleset: Ruleset) -> Iterator[PlayableHand]:
    """Yield each hand that a game for any number of players may have, once; the extra hands of a tie-break too."""
    for players in ruleset.players.allowed:
        cards = deck(ruleset, players)
        extra = extra_hand(_TIED, most_cards(ruleset, players), 0, ruleset.tiebreak)
        for plan in {*hand_schedule(ruleset, players), *([extra] if extra else [])}:
            yield PlayableHand(ruleset, cards, players, plan)
