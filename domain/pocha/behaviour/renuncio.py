"""Renuncios, where the rules punish instead of prevent: whether a card was illegal when played, and what it costs (R-REN-1 to 3)."""

from domain import tricks
from domain.cards import Card
from domain.pocha.model.state import PlayedHand, Playing
from domain.pocha.rules.ruleset import RenuncioRules, Ruleset


def played_so_far(state: Playing) -> PlayedHand:
    """Return the hand, the trick that is under way as its last."""
    return PlayedHand(state.deal, (*(taken.trick for taken in state.taken), state.trick))


def card_of(hand: PlayedHand, seat: int, trick: int) -> Card | None:
    """Return the card that `seat` played to trick `trick` (from 1), if it has."""
    if not 1 <= trick <= len(hand.tricks):
        return None
    under = hand.tricks[trick - 1]
    place = (seat - under.leader) % len(hand.deal.hands)
    return under.cards[place] if place < len(under.cards) else None


def was_illegal(hand: PlayedHand, seat: int, trick: int, rules: Ruleset) -> bool:
    """Tell whether the card that `seat` played to trick `trick` was a renuncio: another one had to be played."""
    under = hand.tricks[trick - 1]
    place = (seat - under.leader) % len(hand.deal.hands)
    earlier = {card_of(hand, seat, number) for number in range(1, trick)}
    held = tuple(card for card in hand.deal.hands[seat] if card not in earlier)
    order = tricks.ranks(rules.deck.rank_order)
    return under.cards[place] not in tricks.legal_plays(held, under.cards[:place], hand.deal.trump, order, rules.play)


def penalty(rules: RenuncioRules, multiplier: int, *, proven: bool) -> int:
    """Return the points that a claim costs: the one who played, when it is proven (in a hand's own measure, R-REN-2), else the claimant."""
    if not proven:
        return rules.wrong_claim_penalty
    return rules.penalty * (multiplier if rules.scales_with_multiplier else 1)
