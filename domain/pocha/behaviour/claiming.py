"""Renuncios, where the rules punish them: claims, and whether a card was illegal when played (R-REN-1 to R-REN-3)."""

from msgspec.structs import replace

from domain import tricks
from domain.cards import Card
from domain.pocha.behaviour.decision import Decision
from domain.pocha.behaviour.phases import impossible, wrong_phase
from domain.pocha.model.commands import ClaimRenuncio
from domain.pocha.model.events import RenuncioClaimed
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import Claim, InHand, PlayedHand, Playing, Progress, State
from domain.pocha.rules import standings
from domain.pocha.rules.ruleset import RenuncioMode, RenuncioRules, Ruleset
from domain.seats import steps_to


def claim_renuncio(state: State, command: ClaimRenuncio) -> Decision:
    """Judge a claim about the hand being played; before its first card, about the hand before."""
    if not isinstance(state, InHand):
        raise wrong_phase(state)
    progress, rules = state.progress, state.progress.ruleset
    _require_rivals(progress, command)
    hand = _hand_in_question(state)
    card = _card_of(hand, command.seat, command.trick) if hand else None
    if hand is None or card is None:
        raise Refused(Reason.NOT_PLAYED)
    _require_new_claim(progress, hand, command)
    proven = _was_illegal(hand, command.seat, command.trick, rules)
    cost = penalty(rules.renuncio, hand.deal.multiplier, proven=proven)
    loser = command.seat if proven else command.claimant
    totals = tuple(total - cost * (seat == loser) for seat, total in enumerate(progress.totals))
    event = RenuncioClaimed(
        claimant=command.claimant,
        seat=command.seat,
        hand=hand.deal.number,
        trick=command.trick,
        card=card,
        proven=proven,
        penalty=cost,
        totals=totals,
        ranks=standings.ranks(totals, progress.missed, rules.tiebreak),
    )
    return Decision((event,), renuncio_claimed(state, event))


def renuncio_claimed(state: State, event: RenuncioClaimed) -> State:
    """Return the hand after a claim, which costs points at once."""
    if not isinstance(state, InHand):
        raise impossible(state, event)
    claim = Claim(
        claimant=event.claimant,
        seat=event.seat,
        hand=event.hand,
        trick=event.trick,
        proven=event.proven,
        penalty=event.penalty,
    )
    progress = state.progress
    return replace(
        state,
        progress=replace(progress, claims=(*progress.claims, claim), totals=event.totals, ranks=event.ranks),
    )


def _require_rivals(progress: Progress, command: ClaimRenuncio) -> None:
    if progress.ruleset.renuncio.mode is RenuncioMode.ENFORCED:
        raise Refused(Reason.RENUNCIO_ENFORCED)
    if not {command.seat, command.claimant} <= set(range(progress.players)):
        raise Refused(Reason.NO_SUCH_SEAT)
    if command.seat == command.claimant:
        raise Refused(Reason.OWN_PLAY)


def _require_new_claim(progress: Progress, hand: PlayedHand, command: ClaimRenuncio) -> None:
    """A proven renuncio is punished once, and a claimant claims the same one once."""
    for claim in progress.claims:
        same = (claim.hand, claim.seat, claim.trick) == (hand.deal.number, command.seat, command.trick)
        if same and (claim.proven or claim.claimant == command.claimant):
            raise Refused(Reason.ALREADY_CLAIMED)


def _hand_in_question(state: InHand) -> PlayedHand | None:
    if isinstance(state, Playing) and (state.taken or state.trick.cards):
        return PlayedHand(state.deal, (*(taken.trick for taken in state.taken), state.trick))
    return state.progress.last_hand


def _card_of(hand: PlayedHand, seat: int, number: int) -> Card | None:
    """Return the card that `seat` played to trick `number` (from 1), if it has."""
    if not 1 <= number <= len(hand.tricks):
        return None
    trick = hand.tricks[number - 1]
    position = steps_to(seat, trick.leader, len(hand.deal.hands))
    return trick.cards[position] if position < len(trick.cards) else None


def _was_illegal(hand: PlayedHand, seat: int, number: int, rules: Ruleset) -> bool:
    """Tell whether the card that `seat` played to trick `number` was a renuncio: another one had to be played."""
    trick = hand.tricks[number - 1]
    position = steps_to(seat, trick.leader, len(hand.deal.hands))
    earlier = {_card_of(hand, seat, before) for before in range(1, number)}
    held = tuple(card for card in hand.deal.hands[seat] if card not in earlier)
    strength = rules.deck.strengths
    legal = tricks.legal_plays(held, trick.cards[:position], hand.deal.trump, strength, rules.play)
    return trick.cards[position] not in legal


def penalty(rules: RenuncioRules, multiplier: int, *, proven: bool) -> int:
    """Return the points that a claim costs: the rival when it is proven (in the hand's own measure, R-REN-2), else the claimant."""
    if not proven:
        return rules.wrong_claim_penalty
    return rules.penalty * (multiplier if rules.scales_with_multiplier else 1)
