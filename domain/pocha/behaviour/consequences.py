"""What follows of itself from a card: it may complete a trick, the trick the hand, and the hand the game."""

from domain import tricks
from domain.pocha.behaviour.evolve import evolve
from domain.pocha.model.events import CardPlayed, Event, GameOver, HandScored, TrickTaken
from domain.pocha.model.state import Dealing, Playing, State, next_hand
from domain.pocha.rules import scoring, standings

Events = tuple[Event, ...]


def with_conclusions(state: Playing, played: CardPlayed) -> Events:
    """Return `played` and what it concludes."""
    events: Events = (played,)
    after = evolve(state, played)
    for conclude in (_trick_taken, _hand_scored, _game_over):
        follows = conclude(after)
        if follows is None:
            return events
        events = (*events, follows)
        after = evolve(after, follows)
    return events


def _trick_taken(state: State) -> TrickTaken | None:
    if not isinstance(state, Playing) or len(state.trick.cards) < state.progress.players:
        return None
    strength = tricks.ranks(state.progress.ruleset.deck.rank_order)
    place = tricks.winner(state.trick.cards, state.deal.trump, strength)
    return TrickTaken((state.trick.leader + place) % state.progress.players, state.trick.cards[place])


def _hand_scored(state: State) -> HandScored | None:
    if not isinstance(state, Playing) or any(state.hands):
        return None
    progress, deal, rules = state.progress, state.deal, state.progress.ruleset
    points = tuple(
        scoring.points(bid, won, deal.plan.cards, deal.multiplier, rules.scoring)
        for bid, won in zip(state.bids, state.tricks_won, strict=True)
    )
    missed = tuple(
        before + (bid != won) for before, bid, won in zip(progress.missed, state.bids, state.tricks_won, strict=True)
    )
    totals = tuple(before + won for before, won in zip(progress.totals, points, strict=True))
    ranks = standings.ranks(totals, missed, rules.tiebreak)
    return HandScored(deal.number, state.bids, state.tricks_won, points, totals, missed, ranks)


def _game_over(state: State) -> GameOver | None:
    if not isinstance(state, Dealing) or next_hand(state.progress) is not None:
        return None
    return GameOver(standings.winners(state.progress.ranks))
