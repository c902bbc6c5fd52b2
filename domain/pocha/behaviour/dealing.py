"""The deal, and the card that the dealer picks blind to mark trump."""

from msgspec.structs import replace

from domain.pocha.behaviour import legal
from domain.pocha.behaviour.decision import Decision
from domain.pocha.behaviour.phases import impossible, require_turn, wrong_phase
from domain.pocha.behaviour.seating import moved
from domain.pocha.model.commands import DealHand, PickBlind
from domain.pocha.model.events import BlindPickMade, HandDealt
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import Auctioning, Bidding, Deal, Dealing, PickingBlind, State
from domain.pocha.rules import dealing, scoring
from domain.pocha.rules.ruleset import TrumpWhenAllDealt
from domain.pocha.rules.schedule import HandKind, HandPlan


def deal_hand(state: State, command: DealHand) -> Decision:
    """Deal the next hand."""
    if not isinstance(state, Dealing):
        raise wrong_phase(state)
    progress = state.progress
    plan, dealer = progress.next_hand, progress.next_dealer
    if plan is None:
        raise Refused(Reason.WRONG_PHASE)
    dealt = dealing.deal(command.deck, plan, dealer, progress.players)
    picks = progress.ruleset.trump.when_all_dealt is TrumpWhenAllDealt.DEALER_BLIND_PICK
    face_down = picks and dealt.turn_up is not None and dealt.turn_up in dealt.hands[dealer]
    event = HandDealt(
        number=progress.next_number,
        kind=plan.kind,
        cards=plan.cards,
        dealer=dealer,
        hands=dealt.hands,
        stock=dealt.stock,
        multiplier=1 if face_down else scoring.multiplier(dealt.trump, dealt.turn_up, progress.ruleset.scoring),
        trump=None if face_down else dealt.trump,
        turn_up=None if face_down else dealt.turn_up,
        face_down=face_down,
    )
    return Decision((event,), hand_dealt(state, event))


def pick_blind(state: State, command: PickBlind) -> Decision:
    """Turn up the card pointed at; without a position the last card dealt marks trump, "en su defecto" (seed 004:8, rulebook R-TRU-2)."""
    if not isinstance(state, PickingBlind):
        raise wrong_phase(state)
    require_turn(state, command.seat)
    positions = legal.legal_positions(state)
    position = positions[-1] if command.position is None else command.position
    if position not in positions:
        raise Refused(Reason.NO_SUCH_POSITION, Facts(positions=positions))
    card = state.deal.hands[command.seat][position]
    multiplier = scoring.multiplier(card.suit, card, state.progress.ruleset.scoring)
    event = BlindPickMade(
        seat=command.seat, card=card, multiplier=multiplier, hands=state.deal.hands, position=command.position
    )
    return Decision((event,), blind_pick_made(state, event))


def hand_dealt(state: State, event: HandDealt) -> PickingBlind | Auctioning | Bidding:
    """Return the hand before its first move."""
    if not isinstance(state, Dealing):
        raise impossible(state, event)
    deal = Deal(
        number=event.number,
        plan=HandPlan(event.kind, event.cards),
        dealer=event.dealer,
        trump=event.trump,
        turn_up=event.turn_up,
        multiplier=event.multiplier,
        hands=event.hands,
        stock=event.stock,
    )
    if event.face_down:
        return PickingBlind(state.progress, deal, event.dealer)
    if event.kind is HandKind.SUBASTADO:
        return Auctioning(state.progress, deal, deal.mano)
    return Bidding(state.progress, deal, deal.mano)


def blind_pick_made(state: State, event: BlindPickMade) -> Bidding:
    """Return the hand with its trump, before its bids."""
    if not isinstance(state, PickingBlind):
        raise impossible(state, event)
    deal = replace(state.deal, trump=event.trump, turn_up=event.card, multiplier=event.multiplier)
    return Bidding(moved(state.progress, event.seat), deal, deal.mano)
