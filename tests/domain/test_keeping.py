"""The sheet of a table with real cards: what may be written, what follows, and that it adds up as a game that the service dealt."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha.keeping.entries import (
    AuctionNoted,
    BidNoted,
    Correction,
    Entry,
    PenaltyNoted,
    TricksNoted,
    TrumpNoted,
)
from domain.pocha.keeping.keep import Sheet, kept, lacks_trump, opened, penalty_points, written
from domain.pocha.model.events import AuctionWon, BidMade, BlindPickMade, HandDealt, HandScored, TrumpChosen
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import Auctioning, Bidding, Finished, Playing
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import RenuncioMode, RenuncioRules, Ruleset
from domain.pocha.rules.schedule import HandKind
from tests.domain.playout import Step, anything_legal, game
from tests.domain.strategies import rulesets

NAMES = ("Ana", "Beto", "Carmen", "Diego")
EXPRESS, CLASICA = PRESETS["ludoteka-express-4"], PRESETS["clasica"]
ENTRY = msgspec.json.Decoder(Entry)


def sheet_of(ruleset: Ruleset, players: int = 4, dealer: int = 3) -> Sheet:
    return opened(ruleset, [f"player {seat}" for seat in range(players)], dealer)


def refused(sheet: Sheet, entry: Entry) -> Refused:
    with pytest.raises(Refused) as caught:
        written(sheet, entry)
    return caught.value


def of_kind(ruleset: Ruleset, *kinds: HandKind) -> Ruleset:
    """Return the ruleset with only the hands of some kinds."""
    blocks = tuple(block for block in ruleset.schedule.blocks if block.kind in kinds)
    return replace(ruleset, schedule=replace(ruleset.schedule, blocks=blocks))


def bid_all(sheet: Sheet, *bids: int) -> Sheet:
    for bid in bids:
        assert isinstance(sheet.game, Bidding)
        sheet = written(sheet, BidNoted(sheet.game.turn, bid))
    return sheet


def entries_of(steps: list[Step]) -> list[Entry]:
    """Return what somebody who sat beside the table would have written down."""
    entries: list[Entry] = []
    won: AuctionWon | None = None
    for event in (event for step in steps for event in step.events):
        match event:
            case HandDealt(turn_up=Card() as card) | BlindPickMade(card=card):
                entries.append(TrumpNoted(card.suit, card))
            case AuctionWon():
                won = event
            case TrumpChosen():
                assert won is not None
                entries.append(AuctionNoted(event.seat, won.bid, event.suit))
            case BidMade():
                entries.append(BidNoted(event.seat, event.bid))
            case HandScored():
                entries.append(TricksNoted(event.tricks))
            case _:
                pass
    return entries


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_a_sheet_adds_up_as_the_game_that_was_played(ruleset: Ruleset, seed: int) -> None:
    players = ruleset.players.allowed[0]
    steps = list(game(ruleset, players, seed, anything_legal, claims=False))
    played = steps[-1].after
    assert isinstance(played, Finished)
    entries = [ENTRY.decode(msgspec.json.encode(entry)) for entry in entries_of(steps)]
    sheet = kept(sheet_of(ruleset, players, played.progress.first_dealer), entries)
    assert isinstance(sheet.game, Finished)
    progress = sheet.game.progress
    assert progress.results == played.progress.results
    assert (progress.totals, progress.missed, progress.ranks) == (
        played.progress.totals,
        played.progress.missed,
        played.progress.ranks,
    )
    assert sheet.game.winners == played.winners


@given(rulesets(), st.integers(0, 2**32), st.data())
@settings(max_examples=25, deadline=None)
def test_a_correction_leads_back_to_the_sheet_of_before(ruleset: Ruleset, seed: int, data: st.DataObject) -> None:
    players = ruleset.players.allowed[0]
    steps = list(game(ruleset, players, seed, anything_legal, claims=False))
    played = steps[-1].after
    assert isinstance(played, Finished)
    beginning, entries = sheet_of(ruleset, players, played.progress.first_dealer), entries_of(steps)
    first = data.draw(st.integers(0, len(entries) - 1))
    before, correction = kept(beginning, entries[:first]), Correction(len(entries) - first)
    assert written(kept(beginning, entries), correction) == before
    assert kept(beginning, [*entries, correction]) == before


def test_a_sheet_is_for_as_many_as_its_ruleset() -> None:
    with pytest.raises(Refused) as caught:
        opened(EXPRESS, NAMES[:3], 0)
    assert (caught.value.reason, caught.value.facts.players_allowed) == (Reason.WRONG_NUMBER_OF_PLAYERS, (4,))
    with pytest.raises(Refused) as caught:
        opened(EXPRESS, NAMES, 4)
    assert caught.value.reason is Reason.NO_SUCH_SEAT


def test_bids_come_from_the_mano_on_and_heed_the_hook() -> None:
    sheet = sheet_of(CLASICA)
    assert refused(sheet, BidNoted(1, 0)).facts.seat_on_turn == 0
    sheet = bid_all(sheet, 1, 0, 0)
    problem = refused(sheet, BidNoted(3, 0))
    assert (problem.reason, problem.facts.forbidden_bid) == (Reason.HOOK, 0)
    assert isinstance(bid_all(sheet, 1).game, Playing)


def test_tricks_add_up_to_the_hand() -> None:
    sheet = bid_all(written(sheet_of(CLASICA), TrumpNoted(Suit.BASTOS, Card.BASTOS_5)), 1, 0, 0, 1)
    for tricks in ((1, 0, 0), (1, 1, 0, 0), (0, 0, 0, 0)):
        assert refused(sheet, TricksNoted(tricks)).reason is Reason.TRICKS_DO_NOT_ADD_UP
    scored = written(sheet, TricksNoted((1, 0, 0, 0)))
    assert scored.game.progress.totals == (15, 10, 10, -5)
    assert refused(scored, TricksNoted((1, 0, 0, 0))).reason is Reason.WRONG_PHASE


def test_trump_is_asked_for_where_it_multiplies() -> None:
    bids = (1, 0, 0, 1)
    plain = replace(CLASICA, scoring=replace(CLASICA.scoring, suit_multiplier={}, turn_up_multiplier={}))
    assert not lacks_trump(sheet_of(plain).game)
    by_suit = bid_all(sheet_of(replace(CLASICA, scoring=replace(CLASICA.scoring, turn_up_multiplier={}))), *bids)
    assert refused(by_suit, TricksNoted((1, 0, 0, 0))).reason is Reason.TRUMP_UNKNOWN
    by_suit = written(by_suit, TrumpNoted(Suit.OROS))
    assert written(by_suit, TricksNoted((1, 0, 0, 0))).game.progress.totals == (45, 30, 30, -15)
    by_card = bid_all(written(sheet_of(CLASICA), TrumpNoted(Suit.OROS)), *bids)
    assert refused(by_card, TricksNoted((1, 0, 0, 0))).reason is Reason.TRUMP_UNKNOWN
    by_card = written(by_card, TrumpNoted(Suit.OROS, Card.OROS_4))
    assert written(by_card, TricksNoted((1, 0, 0, 0))).game.progress.totals == (60, 40, 40, -20)


def test_a_turned_up_card_is_one_of_the_pack() -> None:
    assert refused(sheet_of(CLASICA), TrumpNoted(Suit.OROS, Card.OROS_8)).reason is Reason.NOT_IN_PACK


def test_an_auction_comes_before_the_bids_and_names_trump() -> None:
    sheet = sheet_of(of_kind(CLASICA, HandKind.SUBASTADO))
    assert isinstance(sheet.game, Auctioning)
    cards = sheet.game.deal.plan.cards
    for entry in (BidNoted(0, 1), TrumpNoted(Suit.OROS)):
        assert refused(sheet, entry).reason is Reason.WRONG_PHASE
    assert refused(sheet, AuctionNoted(4, 1, Suit.OROS)).reason is Reason.NO_SUCH_SEAT
    assert refused(sheet, AuctionNoted(1, cards + 1, Suit.OROS)).facts.legal_bids == tuple(range(cards + 1))
    settled = written(sheet, AuctionNoted(1, 3, Suit.OROS)).game
    assert isinstance(settled, Bidding)
    assert (settled.deal.trump, settled.deal.multiplier) == (Suit.OROS, 3)
    assert (
        refused(written(sheet, AuctionNoted(1, 3, Suit.OROS)), AuctionNoted(1, 3, Suit.OROS)).facts.phase == "bidding"
    )


def test_an_oros_hand_knows_its_trump() -> None:
    oros = next(rules for rules in PRESETS.values() if any(b.kind is HandKind.OROS for b in rules.schedule.blocks))
    sheet = sheet_of(of_kind(oros, HandKind.OROS), oros.players.allowed[0], 0)
    assert not isinstance(sheet.game, Finished)
    assert sheet.game.deal.trump is Suit.OROS
    assert refused(sheet, TrumpNoted(Suit.COPAS)).reason is Reason.WRONG_PHASE
    assert not lacks_trump(sheet.game)


def test_a_penalty_belongs_to_the_hand_that_is_played_or_else_to_the_one_before() -> None:
    sheet = written(sheet_of(EXPRESS), PenaltyNoted(2, 7))
    assert (sheet.game.progress.totals, sheet.game.progress.ranks) == ((0, 0, -7, 0), (1, 1, 4, 1))
    assert [claim.hand for claim in sheet.game.progress.claims] == [1]
    assert isinstance(sheet.game, Bidding)
    cards = sheet.game.deal.plan.cards
    sheet = bid_all(sheet, 0, 0, 0, 0)
    sheet = written(written(sheet, TricksNoted((cards, 0, 0, 0))), PenaltyNoted(1, 5, wrong_claim=True))
    assert [(claim.hand, claim.loser) for claim in sheet.game.progress.claims] == [(1, 2), (1, 1)]
    sheet = written(bid_all(sheet, 0, 0, 0, 0), PenaltyNoted(0, 1))
    assert sheet.game.progress.claims[-1].hand == 2
    assert refused(sheet, PenaltyNoted(4, 1)).reason is Reason.NO_SUCH_SEAT


def test_the_ruleset_says_what_a_penalty_costs() -> None:
    none = sheet_of(replace(CLASICA, renuncio=RenuncioRules()))
    with pytest.raises(Refused) as caught:
        penalty_points(none, wrong_claim=False)
    assert caught.value.reason is Reason.NO_PENALTY
    rules = RenuncioRules(RenuncioMode.PENALISED, 50, scales_with_multiplier=True, wrong_claim_penalty=20)
    sheet = sheet_of(replace(CLASICA, renuncio=rules))
    with pytest.raises(Refused) as caught:
        penalty_points(sheet, wrong_claim=False)
    assert caught.value.reason is Reason.TRUMP_UNKNOWN
    assert penalty_points(sheet, wrong_claim=True) == 20
    sheet = bid_all(written(sheet, TrumpNoted(Suit.COPAS, Card.COPAS_1)), 1, 0, 0, 1)
    assert penalty_points(sheet, wrong_claim=False) == 100
    assert penalty_points(written(sheet, TricksNoted((1, 0, 0, 0))), wrong_claim=False) == 100


def test_a_finished_sheet_takes_corrections_only() -> None:
    sheet = sheet_of(EXPRESS)
    while not isinstance(sheet.game, Finished):
        if isinstance(sheet.game, Auctioning):
            sheet = written(sheet, AuctionNoted(0, 1, Suit.COPAS))
        if lacks_trump(sheet.game):
            sheet = written(sheet, TrumpNoted(Suit.COPAS, Card.COPAS_1))
        while isinstance(sheet.game, Bidding):
            sheet = written(sheet, BidNoted(sheet.game.turn, 0 if sheet.game.turn != 3 else 1))
        assert isinstance(sheet.game, Playing)
        sheet = written(sheet, TricksNoted((sheet.game.deal.plan.cards, 0, 0, 0)))
    for entry in (BidNoted(0, 0), TricksNoted((1, 0, 0, 0)), TrumpNoted(Suit.OROS), PenaltyNoted(0, 1)):
        assert refused(sheet, entry).reason is Reason.GAME_OVER
    with pytest.raises(Refused):
        penalty_points(sheet, wrong_claim=False)
    assert not lacks_trump(sheet.game)
    assert isinstance(written(sheet, Correction(1)).game, Playing)
    assert refused(sheet, Correction(len(sheet.notes) + 1)).reason is Reason.NOTHING_TO_CORRECT
