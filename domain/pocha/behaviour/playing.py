"""The play of a hand. A card may complete a trick, the trick the hand, and the hand the game."""

from msgspec.structs import replace

from domain import tricks
from domain.pocha.behaviour import legal
from domain.pocha.behaviour.decision import Decision
from domain.pocha.behaviour.phases import impossible, require_turn, wrong_phase
from domain.pocha.behaviour.seating import moved
from domain.pocha.model.commands import PlayCard
from domain.pocha.model.events import CardPlayed, Event, GameOver, HandScored, TrickTaken
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import Dealing, Finished, HandResult, PlayedHand, Playing, State, TakenTrick, Trick
from domain.pocha.rules import scoring, standings
from domain.pocha.rules.ruleset import RenuncioMode
from domain.pocha.rules.schedule import HandKind
from domain.seats import changed_at, next_seat, seat_at

_INDIA = HandKind.INDIA  # members of an enum are slow to look up in Python 3.11, and this is asked for every card


def play_card(state: State, command: PlayCard) -> Decision:
    """Play a card, and conclude what it completes."""
    if not isinstance(state, Playing):
        raise wrong_phase(state)
    require_turn(state, command.seat)
    _require_playable(state, command)
    return _concluded(state, CardPlayed(command.seat, command.card))


def play_out(before: tuple[Event, ...], state: State) -> Decision:
    """Play a hand in which no seat has a choice to its end: `before` and what follows."""
    events = before
    while isinstance(state, Playing):
        decision = _concluded(state, CardPlayed(state.turn, state.hands[state.turn][0]))
        events, state = events + decision.events, decision.state
    return Decision(events, state)


def _require_playable(state: Playing, command: PlayCard) -> None:
    allowed = legal.legal_cards(state)
    if command.card in allowed:
        return
    hand = state.hands[command.seat]
    if command.card not in hand:
        raise Refused(Reason.NOT_IN_HAND, Facts(legal_cards=allowed))
    if state.progress.ruleset.renuncio.mode is RenuncioMode.ENFORCED:
        duty = tricks.broken_duty(command.card, hand, state.trick.cards, state.deal.trump)
        raise Refused(Reason(duty.value), Facts(legal_cards=allowed))


def _concluded(state: Playing, played: CardPlayed) -> Decision:
    on_table = card_played(state, played)
    if len(on_table.trick.cards) < len(on_table.hands):
        return Decision((played,), on_table)
    taken = _taken(on_table)
    between = trick_taken(on_table, taken)
    if between.hands[taken.seat]:
        return Decision((played, taken), between)
    scores = scored(between)
    after = hand_scored(between, scores)
    if after.progress.next_hand is not None:
        return Decision((played, taken, scores), after)
    over = GameOver(standings.winners(scores.ranks, after.progress.table.away_seats))
    return Decision((played, taken, scores, over), game_over(after, over))


def _taken(state: Playing) -> TrickTaken:
    strength = state.progress.ruleset.deck.strengths
    position = tricks.winner(state.trick.cards, state.deal.trump, strength)
    return TrickTaken(seat_at(state.trick.leader, position, len(state.hands)), state.trick.cards[position])


def scored(state: Playing) -> HandScored:
    """Return the event that scores a hand whose tricks are all taken."""
    progress, deal, rules = state.progress, state.deal, state.progress.ruleset
    outcomes = tuple(zip(state.bids, state.tricks_won, strict=True))
    points = tuple(scoring.points(bid, won, deal.plan.cards, deal.multiplier, rules.scoring) for bid, won in outcomes)
    missed = tuple(before + (bid != won) for before, (bid, won) in zip(progress.missed, outcomes, strict=True))
    totals = tuple(before + won for before, won in zip(progress.totals, points, strict=True))
    return HandScored(
        number=deal.number,
        bids=state.bids,
        tricks=state.tricks_won,
        points=points,
        totals=totals,
        missed=missed,
        ranks=standings.ranks(totals, missed, rules.tiebreak),
    )


def card_played(state: State, event: CardPlayed) -> Playing:
    """Return the hand with the card on the table."""
    if not isinstance(state, Playing):
        raise impossible(state, event)
    seat, progress, hands, trick = event.seat, state.progress, state.hands, state.trick
    # An india hand plays itself: no seat has moved.
    if state.deal.plan.kind is not _INDIA:
        progress = moved(progress, seat)
    try:
        at = hands[seat].index(event.card)
    except ValueError:
        raise impossible(state, event) from None
    # `replace` would cost half as much again, for every card.
    return Playing(
        progress,
        state.deal,
        next_seat(seat, len(hands)),
        changed_at(hands, seat, hands[seat][:at] + hands[seat][at + 1 :]),
        state.bids,
        state.tricks_won,
        Trick(trick.leader, (*trick.cards, event.card)),
        state.taken,
    )


def trick_taken(state: State, event: TrickTaken) -> Playing:
    """Return the hand after a trick; who took it leads to the next one."""
    if not isinstance(state, Playing):
        raise impossible(state, event)
    return replace(
        state,
        turn=event.seat,
        tricks_won=changed_at(state.tricks_won, event.seat, state.tricks_won[event.seat] + 1),
        trick=Trick(event.seat),
        taken=(*state.taken, TakenTrick(event.seat, state.trick)),
    )


def hand_scored(state: State, event: HandScored) -> Dealing:
    """Return the game after a hand."""
    if not isinstance(state, Playing):
        raise impossible(state, event)
    deal, progress = state.deal, state.progress
    result = HandResult(
        plan=deal.plan,
        dealer=deal.dealer,
        trump=deal.trump,
        turn_up=deal.turn_up,
        multiplier=deal.multiplier,
        bids=event.bids,
        tricks=event.tricks,
        points=event.points,
    )
    return Dealing(
        replace(
            progress,
            results=(*progress.results, result),
            totals=event.totals,
            missed=event.missed,
            ranks=event.ranks,
            last_hand=PlayedHand(deal, tuple(taken.trick for taken in state.taken)),
        )
    )


def game_over(state: State, event: GameOver) -> Finished:
    """Return the game with its winners."""
    if not isinstance(state, Dealing):
        raise impossible(state, event)
    return Finished(state.progress, event.winners)
