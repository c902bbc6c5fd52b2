"""Where renuncios are punished instead of prevented: the card stands, and a rival may claim it (rulebook R-REN-1 to R-REN-3)."""

import pytest
from msgspec.structs import replace

from domain.cards import Card
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import ClaimRenuncio, MakeBid, PlayCard
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionWon,
    BidMade,
    BlindPickMade,
    CardPlayed,
    Event,
    GameOver,
    HandScored,
    RenuncioClaimed,
    TrickTaken,
)
from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import Dealing, Finished, Playing
from domain.pocha.rules.presets import ANTIGUA, CLASICA
from domain.pocha.rules.ruleset import RenuncioMode, RenuncioRules, Ruleset
from domain.pocha.rules.schedule import Block, HandKind
from domain.pocha.rules.standings import TiebreakRules, TiebreakStep
from tests.domain.spec import given
from tests.domain.tables import bids, dealt, house, plays, started

PUNISHED = RenuncioRules(RenuncioMode.PENALISED, penalty=100)
TWO_HANDS = house(Block(HandKind.NORMAL, "2", "2", "2"), renuncio=PUNISHED)
DEAL = dealt("oros-2 oros-3", "copas-1 bastos-4", "copas-5 bastos-7", turn_up="espadas-4")
LED = (DEAL, *bids(1, 0, 0), *plays("copas-1"))


def punished(*history: Event, ruleset: Ruleset = TWO_HANDS) -> tuple[Event, ...]:
    return *started(ruleset=ruleset), *history


# Seat 2 could follow with the five of copas, and plays the seven of bastos.
FIRST = (*LED, CardPlayed(2, Card.BASTOS_7))
TRICK = (*FIRST, CardPlayed(0, Card.OROS_2), TrickTaken(1, Card.COPAS_1))
SECOND = (CardPlayed(1, Card.BASTOS_4), CardPlayed(2, Card.COPAS_5), CardPlayed(0, Card.OROS_3))
SCORED = HandScored(1, (0, 1, 0), (0, 2, 0), (10, -5, 10), (10, -5, 10), (0, 1, 0), (1, 3, 1))
HAND = (*TRICK, *SECOND, TrickTaken(1, Card.BASTOS_4), SCORED)
NEXT = dealt("oros-2 oros-3", "copas-1 bastos-4", "copas-5 bastos-7", turn_up="espadas-4", dealer=1, number=2)


AUCTION = (AuctionBidMade(2, 0), AuctionBidMade(0, 0), AuctionBidMade(1, 0), AuctionWon(2, 0))


def proven(claimant: int, totals: tuple[int, ...], ranks: tuple[int, ...], penalty: int = 100) -> RenuncioClaimed:
    """Return a proven claim of seat 2's seven of bastos in the first trick."""
    return RenuncioClaimed(claimant, 2, 1, 1, Card.BASTOS_7, proven=True, penalty=penalty, totals=totals, ranks=ranks)


def test_an_illegal_card_stands() -> None:
    given(*punished(*LED)).when(PlayCard(2, Card.BASTOS_7)).then(CardPlayed(2, Card.BASTOS_7))


def test_a_card_that_is_not_held_is_refused_as_ever() -> None:
    facts = Facts(legal_cards=(Card.COPAS_5,))
    given(*punished(*LED)).when(PlayCard(2, Card.OROS_1)).refused(Reason.NOT_IN_HAND, facts)
    given(*punished(*LED)).when(PlayCard(0, Card.OROS_2)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=2))


def test_a_rival_proves_it_at_once() -> None:
    given(*punished(*FIRST)).when(ClaimRenuncio(0, 2, 1)).then(proven(0, (0, 0, -100), (1, 1, 3)))


def test_at_a_table_of_two_either_claims_against_the_other() -> None:
    deal = dealt("oros-2 copas-3", "copas-1 bastos-4", turn_up="espadas-4")
    history = (*started(2, TWO_HANDS), deal, BidMade(1, 1), BidMade(0, 0), *plays("copas-1 oros-2", players=2))
    given(*history).when(ClaimRenuncio(1, 0, 1)).then(
        RenuncioClaimed(1, 0, 1, 1, Card.OROS_2, proven=True, penalty=100, totals=(-100, 0), ranks=(2, 1))
    )


def test_a_rival_proves_it_later_in_the_hand() -> None:
    claim = proven(1, (0, 0, -100), (1, 1, 3))
    for history in (TRICK, (*TRICK, *SECOND[:2])):
        given(*punished(*history)).when(ClaimRenuncio(1, 2, 1)).then(claim)


def test_a_rival_proves_it_before_the_first_card_of_the_next_hand() -> None:
    claim = proven(0, (10, -5, -90), (1, 2, 3))
    for later in ((NEXT,), (NEXT, *bids(0, 0, 0, mano=2)[:2])):
        given(*punished(*HAND, *later)).when(ClaimRenuncio(0, 2, 1)).then(claim)


@pytest.mark.parametrize("later", ["auctioning", "choosing trump", "picking blind"])
def test_the_next_hand_may_be_of_any_kind(later: str) -> None:
    subastado = replace(NEXT, kind=HandKind.SUBASTADO, trump=None, turn_up=None)
    nexts = {
        "auctioning": (subastado,),
        "choosing trump": (subastado, *AUCTION),
        "picking blind": (replace(NEXT, face_down=True, trump=None, turn_up=None),),
    }
    given(*punished(*HAND, *nexts[later])).when(ClaimRenuncio(0, 2, 1)).then(proven(0, (10, -5, -90), (1, 2, 3)))


def test_once_the_next_hand_is_played_the_one_before_is_past() -> None:
    bid = (*HAND, NEXT, *bids(0, 0, 0, mano=2))
    given(*punished(*bid)).when(ClaimRenuncio(0, 2, 1)).then(proven(0, (10, -5, -90), (1, 2, 3)))
    playing = (*bid, CardPlayed(2, Card.COPAS_5))
    given(*punished(*playing)).when(ClaimRenuncio(0, 2, 2)).refused(Reason.NOT_PLAYED)
    given(*punished(*playing)).when(ClaimRenuncio(0, 2, 1)).then(
        RenuncioClaimed(0, 2, 2, 1, Card.COPAS_5, proven=False, penalty=0, totals=(10, -5, 10), ranks=(1, 3, 1))
    )
    taken = (*plays("copas-5 oros-2 copas-1", leader=2), TrickTaken(1, Card.COPAS_1))
    given(*punished(*bid, *taken)).when(ClaimRenuncio(0, 2, 2)).refused(Reason.NOT_PLAYED)


def test_between_the_hands_and_after_the_end_nothing_is_claimed() -> None:
    given(*punished(*HAND)).when(ClaimRenuncio(0, 2, 1)).refused(Reason.WRONG_PHASE, Facts(phase="dealing"))
    given(*punished(*HAND, GameOver((0, 2)))).when(ClaimRenuncio(0, 2, 1)).refused(Reason.GAME_OVER)


@pytest.mark.parametrize(("seat", "trick"), [(0, 1), (2, 2), (1, 2), (2, 0), (2, -1), (2, 99)])
def test_what_was_not_played_cannot_be_claimed(seat: int, trick: int) -> None:
    claimant = 1 if seat != 1 else 0
    given(*punished(*FIRST)).when(ClaimRenuncio(claimant, seat, trick)).refused(Reason.NOT_PLAYED)


@pytest.mark.parametrize("stranger", [3, 5, -1])
def test_who_does_not_sit_at_the_table_neither_claims_nor_is_accused(stranger: int) -> None:
    given(*punished(*FIRST)).when(ClaimRenuncio(0, stranger, 1)).refused(Reason.NO_SUCH_SEAT)
    given(*punished(*FIRST)).when(ClaimRenuncio(stranger, 2, 1)).refused(Reason.NO_SUCH_SEAT)


def test_before_any_card_nothing_can_be_claimed() -> None:
    for history in ((DEAL,), (DEAL, *bids(1, 0, 0))):
        given(*punished(*history)).when(ClaimRenuncio(0, 2, 1)).refused(Reason.NOT_PLAYED)


def test_nobody_claims_the_own_play() -> None:
    given(*punished(*FIRST)).when(ClaimRenuncio(2, 2, 1)).refused(Reason.OWN_PLAY)


def test_where_illegal_cards_are_refused_there_is_nothing_to_claim() -> None:
    history = punished(DEAL, *bids(1, 0, 0), *plays("copas-1 copas-5"), ruleset=house())
    for claimant in (0, 2):
        given(*history).when(ClaimRenuncio(claimant, 2, 1)).refused(Reason.RENUNCIO_ENFORCED)


def test_a_wrong_claim_costs_nothing() -> None:
    given(*punished(*FIRST)).when(ClaimRenuncio(0, 1, 1)).then(
        RenuncioClaimed(0, 1, 1, 1, Card.COPAS_1, proven=False, penalty=0, totals=(0, 0, 0), ranks=(1, 1, 1))
    )


def test_a_wrong_claim_costs_its_claimant_what_the_rules_say() -> None:
    at = replace(TWO_HANDS, renuncio=replace(PUNISHED, wrong_claim_penalty=30, scales_with_multiplier=True))
    tripled = (replace(DEAL, multiplier=3), *FIRST[1:])
    given(*punished(*tripled, ruleset=at)).when(ClaimRenuncio(0, 1, 1)).then(
        RenuncioClaimed(0, 1, 1, 1, Card.COPAS_1, proven=False, penalty=30, totals=(-30, 0, 0), ranks=(3, 1, 1))
    )


def test_a_proven_renuncio_is_punished_once() -> None:
    history = punished(*FIRST, proven(0, (0, 0, -100), (1, 1, 3)))
    for claimant in (0, 1):
        given(*history).when(ClaimRenuncio(claimant, 2, 1)).refused(Reason.ALREADY_CLAIMED)


def test_a_wrong_claim_is_not_made_twice_but_another_may_be() -> None:
    wrong = RenuncioClaimed(0, 1, 1, 1, Card.COPAS_1, proven=False, penalty=0, totals=(0, 0, 0), ranks=(1, 1, 1))
    table = given(*punished(*FIRST, wrong))
    table.when(ClaimRenuncio(0, 1, 1)).refused(Reason.ALREADY_CLAIMED)
    table.when(ClaimRenuncio(2, 1, 1)).then(replace(wrong, claimant=2))
    table.when(ClaimRenuncio(0, 2, 1)).then(proven(0, (0, 0, -100), (1, 1, 3)))


def test_the_same_trick_of_another_hand_is_another_play() -> None:
    history = punished(*HAND[:-1], proven(0, (0, 0, -100), (1, 1, 3)), SCORED, NEXT, *bids(0, 0, 0, mano=2))
    led = (CardPlayed(2, Card.COPAS_5), CardPlayed(0, Card.OROS_2))
    claimed = given(*history, *led).when(ClaimRenuncio(0, 2, 1)).happened()
    assert len(claimed) == 1


def test_all_the_cards_that_were_held_count_not_only_those_that_are_left() -> None:
    """In the second trick seat 2 has only the five of copas: playing it is no renuncio, whatever was led."""
    history = punished(*TRICK, *SECOND[:2])
    (claimed,) = given(*history).when(ClaimRenuncio(0, 2, 2)).happened()
    assert isinstance(claimed, RenuncioClaimed)
    assert (claimed.card, claimed.proven) == (Card.COPAS_5, False)


def test_a_card_is_judged_by_the_trick_as_it_lay_when_it_was_played() -> None:
    """The mano led the four of bastos, and nobody had yet played the higher card that would have had to be beaten."""
    deal = dealt("bastos-1 oros-3", "bastos-4 oros-5", "bastos-7 bastos-3", turn_up="espadas-4")
    history = punished(deal, *bids(0, 0, 1), *plays("bastos-4 bastos-7 bastos-1"), TrickTaken(0, Card.BASTOS_1))
    (claimed,) = given(*history).when(ClaimRenuncio(0, 2, 1)).happened()
    assert isinstance(claimed, RenuncioClaimed)
    assert not claimed.proven


DUTIES = {
    "not following": ("copas-5 espadas-1", "espadas-1", True),
    "not beating": ("copas-5 copas-3", "copas-5", True),
    "not trumping": ("oros-5 espadas-1", "oros-5", True),
    "following low, as one must": ("copas-5 espadas-1", "copas-5", False),
    "beating": ("copas-5 copas-3", "copas-3", False),
    "having neither suit nor trump": ("oros-5 oros-6", "oros-6", False),
}


@pytest.mark.parametrize(("hand", "card", "illegal"), DUTIES.values(), ids=DUTIES)
def test_every_duty_counts(hand: str, card: str, illegal: bool) -> None:
    deal = dealt("bastos-1 oros-3", "copas-12 oros-7", hand, turn_up="espadas-4")
    history = punished(deal, *bids(0, 0, 1), *plays(f"copas-12 {card}"))
    (claimed,) = given(*history).when(ClaimRenuncio(0, 2, 1)).happened()
    assert isinstance(claimed, RenuncioClaimed)
    assert claimed.proven is illegal


@pytest.mark.parametrize(
    ("preset", "multiplier", "penalty"),
    [(CLASICA, 1, 100), (CLASICA, 2, 200), (CLASICA, 3, 300), (CLASICA, 4, 400), (ANTIGUA, 1, 100), (ANTIGUA, 3, 100)],
)
def test_the_penalty_scales_with_the_hand_in_clasica_and_is_flat_in_antigua(
    preset: Ruleset, multiplier: int, penalty: int
) -> None:
    at = replace(TWO_HANDS, renuncio=replace(preset.renuncio, mode=RenuncioMode.PENALISED))
    history = punished(replace(DEAL, multiplier=multiplier), *FIRST[1:], ruleset=at)
    given(*history).when(ClaimRenuncio(1, 2, 1)).then(proven(1, (0, 0, -penalty), (1, 1, 3), penalty))


def test_the_penalty_of_the_hand_before_is_in_its_own_measure() -> None:
    at = replace(TWO_HANDS, renuncio=replace(PUNISHED, scales_with_multiplier=True))
    hand = (replace(DEAL, multiplier=3), *HAND[1:])
    given(*punished(*hand, NEXT, ruleset=at)).when(ClaimRenuncio(1, 2, 1)).then(
        proven(1, (10, -5, -290), (1, 2, 3), 300)
    )


def test_the_score_of_the_hand_comes_on_top_of_the_penalty() -> None:
    history = punished(*TRICK, proven(0, (0, 0, -100), (1, 1, 3)), *SECOND[:2])
    given(*history).when(PlayCard(0, Card.OROS_3)).then(
        CardPlayed(0, Card.OROS_3),
        TrickTaken(1, Card.BASTOS_4),
        HandScored(1, (0, 1, 0), (0, 2, 0), (10, -5, 10), (10, -5, -90), (0, 1, 0), (1, 2, 3)),
    )


def test_a_claim_changes_who_wins() -> None:
    one_hand = house(Block(HandKind.NORMAL, "2", "2"), renuncio=PUNISHED)
    for claims, winners in (((), (0, 2)), ((proven(0, (0, 0, -100), (1, 1, 3)),), (0,))):
        history = punished(*TRICK, *claims, *SECOND[:2], ruleset=one_hand)
        table = given(*history)
        after = fold(table.state, table.when(PlayCard(0, Card.OROS_3)).happened())
        assert isinstance(after, Finished)
        assert after.winners == winners


def test_a_claim_settles_a_tie_that_would_be_played_off() -> None:
    rules = house(
        Block(HandKind.NORMAL, "2", "2"), renuncio=PUNISHED, tiebreak=TiebreakRules((TiebreakStep.ONE_CARD_HANDS,))
    )
    history = punished(*TRICK, proven(1, (0, 0, -100), (1, 1, 3)), *SECOND[:2], ruleset=rules)
    assert given(*history).when(PlayCard(0, Card.OROS_3)).happened()[-1] == GameOver((0,))


def test_ranks_after_a_claim_still_count_the_mistaken_bids() -> None:
    fewest = replace(TWO_HANDS, tiebreak=TiebreakRules((TiebreakStep.FEWEST_MISTAKEN_BIDS,)))
    scored = replace(SCORED, totals=(10, 10, 110), missed=(0, 1, 0), ranks=(2, 3, 1))
    history = punished(*HAND[:-1], scored, NEXT, ruleset=fewest)
    given(*history).when(ClaimRenuncio(1, 2, 1)).then(proven(1, (10, 10, 10), (1, 3, 1)))


def test_a_card_played_after_a_blind_pick_is_judged_by_the_trump_that_was_picked() -> None:
    face_down = replace(DEAL, face_down=True, trump=None, turn_up=None)
    picked = BlindPickMade(0, Card.OROS_2, 1, DEAL.hands, 0)
    # Seat 0 has oros alone, and trumps; seat 2 could have followed.
    history = punished(face_down, picked, *FIRST[1:], CardPlayed(0, Card.OROS_2))
    for seat, illegal in ((2, True), (0, False)):
        (claimed,) = given(*history).when(ClaimRenuncio(1, seat, 1)).happened()
        assert isinstance(claimed, RenuncioClaimed)
        assert claimed.proven is illegal


def test_claims_stop_nobody_from_bidding_or_playing() -> None:
    claim = proven(0, (0, 0, -100), (1, 1, 3))
    assert isinstance(given(*punished(*FIRST, claim)).state, Playing)
    given(*punished(*FIRST, claim)).when(PlayCard(0, Card.OROS_2)).then(*TRICK[-2:])
    later = replace(claim, totals=(10, -5, -90), ranks=(1, 2, 3))
    given(*punished(*HAND, NEXT, later)).when(MakeBid(2, 0)).then(BidMade(2, 0))
    assert isinstance(given(*punished(*HAND)).state, Dealing)
