"""What may be done now: the one answer that `decide`, the views and the robots all ask for."""

from domain import tricks
from domain.cards import Card
from domain.pocha import bidding
from domain.pocha.state import Bidding, Playing, turn_of


def forbidden_bid(state: Bidding) -> int | None:
    """Return the bid that the hook forbids the seat on turn, if there is one."""
    match = state.match
    return bidding.forbidden_bid(state.deal.plan, state.bids, match.players, match.table.ruleset.bidding.hook)


def legal_bids(state: Bidding) -> tuple[int, ...]:
    """Return the bids that the seat on turn may make, ascending; never none."""
    return bidding.legal_bids(state.deal.plan, forbidden_bid(state))


def legal_cards(state: Playing) -> tuple[Card, ...]:
    """Return the cards that the seat on turn may play, in the order of its hand; never none."""
    rules = state.match.table.ruleset
    return tricks.legal_plays(
        hand_on_turn(state),
        state.trick.cards,
        state.deal.trump,
        tricks.ranks(rules.deck.rank_order),
        rules.play,
    )


def hand_on_turn(state: Playing) -> tuple[Card, ...]:
    """Return the cards that the seat on turn holds."""
    return state.hands[turn_of(state)]
