"""How entries follow each other: each is checked by the rules of the game, and the hand, the scores and the end follow from it.

A sheet is a game whose cards nobody knows. It goes through the same phases, and the same functions check bids, score hands and rank.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

import msgspec
from msgspec.structs import replace

from domain.cards import Suit
from domain.pocha.behaviour import auctioning, bidding, claiming, playing
from domain.pocha.behaviour.phases import wrong_phase
from domain.pocha.keeping.entries import (
    AuctionNoted,
    BidNoted,
    Correction,
    Entry,
    Note,
    PenaltyNoted,
    TricksNoted,
    TrumpNoted,
)
from domain.pocha.model.commands import MakeBid
from domain.pocha.model.events import AuctionWon, TrumpChosen
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import Auctioning, Bidding, Claim, Deal, Finished, Playing, Progress
from domain.pocha.rules import ruleset, scoring, standings
from domain.pocha.rules.ruleset import Ruleset, WinnerSecondBid
from domain.pocha.rules.schedule import HandKind
from domain.table.table import Player, Seat, Table, Visibility

KeptGame = Auctioning | Bidding | Playing | Finished
"""The phases of a sheet: an auction, bids or tricks are to be written down, or the game is over."""

_TURNED_UP = (HandKind.NORMAL, HandKind.INDIA, HandKind.TIE_BREAK)
_NO_TRICK = 0


class Sheet(msgspec.Struct, frozen=True):
    """A sheet as it stands, and the `notes` that led there from its `beginning`."""

    beginning: KeptGame
    game: KeptGame
    notes: tuple[Note, ...] = ()


def opened(rules: Ruleset, names: Sequence[str], first_dealer: int) -> Sheet:
    """Return an empty sheet for players of these names, who sit in this order, counter-clockwise. Names stand for ids.

    Raises:
        Refused: the ruleset is not for so many, or the dealer is not among them.
    """
    players = len(names)
    if players not in rules.players.allowed:
        raise Refused(Reason.WRONG_NUMBER_OF_PLAYERS, Facts(players_allowed=rules.players.allowed))
    if first_dealer not in range(players):
        raise Refused(Reason.NO_SUCH_SEAT)
    seats = tuple(Seat(Player(name)) for name in names)
    none = (0,) * players
    game = _next_hand(
        Progress(
            table=Table(Player(names[0]), seats, Visibility.PRIVATE, seed=b"", commitment=""),
            ruleset=rules,
            schedule=ruleset.hand_schedule(rules, players),
            first_dealer=first_dealer,
            order=tuple(range(players)),
            results=(),
            claims=(),
            totals=none,
            missed=none,
            ranks=(1,) * players,
        )
    )
    return Sheet(game, game)


def kept(beginning: Sheet, entries: Iterable[Entry]) -> Sheet:
    """Return the sheet that begins like `beginning`, after entries that were accepted in this order."""
    notes: list[Note] = []
    for entry in entries:
        if isinstance(entry, Correction):
            del notes[-entry.entries :]
        else:
            notes.append(entry)
    return _after_notes(beginning.beginning, tuple(notes))


def written(sheet: Sheet, entry: Entry) -> Sheet:
    """Return the sheet after an entry.

    Raises:
        Refused: the entry cannot follow.
    """
    if not isinstance(entry, Correction):
        return replace(sheet, game=_after_note(sheet.game, entry), notes=(*sheet.notes, entry))
    if entry.entries > len(sheet.notes):
        raise Refused(Reason.NOTHING_TO_CORRECT)
    return _after_notes(sheet.beginning, sheet.notes[: -entry.entries])


def penalty_points(sheet: Sheet, *, wrong_claim: bool) -> int:
    """Return what a renuncio, or a wrong claim of one, costs by the ruleset.

    Raises:
        Refused: the ruleset does not say, the trump is needed to tell, or the game is over.
    """
    game = sheet.game
    if isinstance(game, Finished):
        raise wrong_phase(game)
    rules = game.progress.ruleset
    number, multiplier = _hand_of_penalty(game)
    if rules.renuncio.scales_with_multiplier and number == game.deal.number and not wrong_claim:
        _require_trump(game)
    points = claiming.penalty(rules.renuncio, multiplier, proven=not wrong_claim)
    if not points:
        raise Refused(Reason.NO_PENALTY)
    return points


def lacks_trump(game: KeptGame) -> bool:
    """Tell whether the trump has to be written down before the hand can be scored."""
    if isinstance(game, Finished) or game.deal.plan.kind not in _TURNED_UP:
        return False
    rules = game.progress.ruleset.scoring
    if rules.turn_up_multiplier and game.deal.turn_up is None:
        return True
    return bool(rules.suit_multiplier) and game.deal.trump is None


def _after_notes(beginning: KeptGame, notes: tuple[Note, ...]) -> Sheet:
    game = beginning
    for note in notes:
        game = _after_note(game, note)
    return Sheet(beginning, game, notes)


def _after_note(game: KeptGame, note: Note) -> KeptGame:
    match note:
        case BidNoted():
            return _bid(game, note)
        case AuctionNoted():
            return _auction(game, note)
        case TrumpNoted():
            return _trump(game, note)
        case TricksNoted():
            return _tricks(game, note)
        case PenaltyNoted():
            return _penalty(game, note)
        case _:
            assert_never(note)


def _next_hand(progress: Progress) -> KeptGame:
    plan = progress.next_hand
    if plan is None:
        return Finished(progress, standings.winners(progress.ranks))
    trump = Suit.OROS if plan.kind is HandKind.OROS else None
    deal = Deal(
        number=progress.next_number,
        plan=plan,
        dealer=progress.next_dealer,
        trump=trump,
        turn_up=None,
        multiplier=scoring.multiplier(trump, None, progress.ruleset.scoring),
        hands=((),) * progress.players,
        stock=(),
    )
    phase = Auctioning if plan.kind is HandKind.SUBASTADO else Bidding
    return phase(progress, deal, deal.mano)


def _bid(game: KeptGame, note: BidNoted) -> Bidding | Playing:
    if not isinstance(game, Bidding):
        raise wrong_phase(game)
    return bidding.bid_made(game, bidding.legal_bid(game, MakeBid(note.seat, note.bid)))


def _auction(game: KeptGame, note: AuctionNoted) -> Bidding:
    if not isinstance(game, Auctioning):
        raise wrong_phase(game)
    _require_seat(game.progress, note.seat)
    rules, cards = game.progress.ruleset, game.deal.plan.cards
    if note.bid not in range(cards + 1):
        raise Refused(Reason.OUT_OF_RANGE, Facts(legal_bids=tuple(range(cards + 1))))
    won = AuctionWon(note.seat, note.bid, locked=rules.auction.winner_second_bid is WinnerSecondBid.LOCKED)
    multiplier = scoring.multiplier(note.suit, None, rules.scoring)
    return auctioning.trump_chosen(
        auctioning.auction_won(game, won), TrumpChosen(note.seat, note.suit, multiplier=multiplier)
    )


def _trump(game: KeptGame, note: TrumpNoted) -> Bidding | Playing:
    if not isinstance(game, Bidding | Playing) or game.deal.plan.kind not in _TURNED_UP:
        raise wrong_phase(game)
    rules = game.progress.ruleset
    if note.turn_up is not None and note.turn_up not in ruleset.deck(rules, game.progress.players):
        raise Refused(Reason.NOT_IN_PACK)
    multiplier = scoring.multiplier(note.suit, note.turn_up, rules.scoring)
    return replace(game, deal=replace(game.deal, trump=note.suit, turn_up=note.turn_up, multiplier=multiplier))


def _tricks(game: KeptGame, note: TricksNoted) -> KeptGame:
    if not isinstance(game, Playing):
        raise wrong_phase(game)
    _require_trump(game)
    if len(note.tricks) != game.progress.players or sum(note.tricks) != game.deal.plan.cards:
        raise Refused(Reason.TRICKS_DO_NOT_ADD_UP)
    played = replace(game, tricks_won=note.tricks)
    return _next_hand(playing.hand_scored(played, playing.scored(played)).progress)


def _penalty(game: KeptGame, note: PenaltyNoted) -> KeptGame:
    if isinstance(game, Finished):
        raise wrong_phase(game)
    progress = game.progress
    _require_seat(progress, note.seat)
    claim = Claim(
        claimant=note.seat,
        seat=note.seat,
        hand=_hand_of_penalty(game)[0],
        trick=_NO_TRICK,
        proven=not note.wrong_claim,
        penalty=note.points,
    )
    totals = tuple(total - note.points * (seat == note.seat) for seat, total in enumerate(progress.totals))
    ranks = standings.ranks(totals, progress.missed, progress.ruleset.tiebreak)
    return replace(game, progress=replace(progress, claims=(*progress.claims, claim), totals=totals, ranks=ranks))


def _hand_of_penalty(game: Auctioning | Bidding | Playing) -> tuple[int, int]:
    """Return the number of the hand that a penalty belongs to, and its multiplier: until all have bid, it is the hand scored last."""
    if isinstance(game, Playing) or not game.progress.results:
        return game.deal.number, game.deal.multiplier
    return game.deal.number - 1, game.progress.results[-1].multiplier


def _require_trump(game: KeptGame) -> None:
    if lacks_trump(game):
        raise Refused(Reason.TRUMP_UNKNOWN)


def _require_seat(progress: Progress, seat: int) -> None:
    if seat not in range(progress.players):
        raise Refused(Reason.NO_SUCH_SEAT)
