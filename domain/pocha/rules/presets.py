"""The eight presets, each one document's game, as data (rulebook section 4)."""

from domain.cards import Card, Suit, Trim
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.ruleset import (
    AuctionProtocol,
    AuctionRules,
    BiddingRules,
    DeckRules,
    PlayersRules,
    RenuncioRules,
    Ruleset,
    ScheduleRules,
    TrumpRules,
    TrumpWhenAllDealt,
    WinnerSecondBid,
)
from domain.pocha.rules.schedule import Block, HandKind
from domain.pocha.rules.scoring import ScoringRules
from domain.pocha.rules.standings import TiebreakRules, TiebreakStep
from domain.tricks import MustBeat, PlayRules

_ONES = Block(HandKind.NORMAL, "1", "1", "n")
_UP = Block(HandKind.NORMAL, "2", "max-1")
_TOP = Block(HandKind.NORMAL, "max", "max", "n")
_DOWN = Block(HandKind.NORMAL, "max-1", "1")
_INDIAS = Block(HandKind.INDIA, "1", "1", "n")
_SUBASTADOS = Block(HandKind.SUBASTADO, "max", "max", "n")
_OROS = Block(HandKind.OROS, "max", "max", "n")
_CIEGAS = Block(HandKind.CIEGA, "max", "max", "n")

_WIKIPEDIA = ScheduleRules((_ONES, _UP, _TOP, _DOWN, _INDIAS, _SUBASTADOS, _OROS))
_TOROFUN = ScheduleRules((Block(HandKind.NORMAL, "1", "max-1"), _TOP, _DOWN))

CLASICA = Ruleset(
    id="clasica",
    version=1,
    title="Pocha clásica",
    source="seed 000",
    players=PlayersRules((3, 4, 5, 6, 7, 8), occasional=(7, 8)),
    deck=DeckRules(trim=Trim.ALL_TWOS_IF_INEXACT),
    schedule=_WIKIPEDIA,
    auction=AuctionRules(AuctionProtocol.DOUBLE_BID),
    scoring=ScoringRules(suit_multiplier={Suit.COPAS: 2, Suit.OROS: 3}, turn_up_multiplier={Card.OROS_4: 4}),
    renuncio=RenuncioRules(penalty=100, scales_with_multiplier=True),
    tiebreak=TiebreakRules((TiebreakStep.FEWEST_MISTAKEN_BIDS, TiebreakStep.OROS_HANDS)),
)

ANTIGUA = Ruleset(
    id="antigua",
    version=1,
    title="Pocha antigua",
    source="seed 004",
    players=PlayersRules((4, 5, 6, 7, 8, 9)),
    deck=DeckRules(trim=Trim.SEQUENCE),
    trump=TrumpRules(when_all_dealt=TrumpWhenAllDealt.DEALER_BLIND_PICK),
    schedule=_WIKIPEDIA,
    auction=AuctionRules(AuctionProtocol.DOUBLE_BID),
    scoring=ScoringRules(suit_multiplier={Suit.COPAS: 2, Suit.OROS: 3}),
    renuncio=RenuncioRules(penalty=100),
    tiebreak=TiebreakRules((TiebreakStep.OROS_HANDS,)),
)

LUDOTEKA_EXPRESS_3 = Ruleset(
    id="ludoteka-express-3",
    version=1,
    title="Pocha Express 3",
    source="seed 001",
    players=PlayersRules((3,)),
    deck=DeckRules(trim=Trim.ALL_TWOS),
    schedule=ScheduleRules((_TOP,)),
)

LUDOTEKA_EXPRESS_4 = Ruleset(
    id="ludoteka-express-4",
    version=1,
    title="Pocha Express 4",
    source="seed 001",
    players=PlayersRules((4,)),
    schedule=ScheduleRules((_TOP,)),
)

LUDOTEKA_SUBEBAJA = Ruleset(
    id="ludoteka-subebaja",
    version=1,
    title="Pocha Subebaja",
    source="seed 001",
    players=PlayersRules((4,)),
    schedule=ScheduleRules((_ONES, _UP, _TOP, Block(HandKind.NORMAL, "max-1", "2"), _ONES)),
)

LUDOTEKA_LOCA = Ruleset(
    id="ludoteka-loca",
    version=1,
    title="Pocha Loca",
    source="seed 001",
    players=PlayersRules((4,)),
    schedule=ScheduleRules((_INDIAS, _UP, _SUBASTADOS, _CIEGAS)),
    auction=AuctionRules(AuctionProtocol.ASCENDING_ONCE, winner_second_bid=WinnerSecondBid.LOCKED),
)

FOURNIER = Ruleset(
    id="fournier",
    version=1,
    title="Fournier",
    source="seed 002",
    players=PlayersRules((3, 4, 5, 6), extrapolated=(6,)),
    deck=DeckRules(rank_order=(1, 12, 11, 10, 7, 6, 5, 4, 3, 2), trim=Trim.ALL_TWOS_IF_INEXACT),
    schedule=_TOROFUN,
    play=PlayRules(must_beat=MustBeat.NEVER),
    tiebreak=TiebreakRules((TiebreakStep.ONE_CARD_HANDS,)),
)

TOROFUN = Ruleset(
    id="torofun",
    version=1,
    title="Torofun",
    source="seed 003",
    players=PlayersRules((3, 4)),
    deck=DeckRules(trim=Trim.ALL_TWOS_IF_INEXACT),
    schedule=_TOROFUN,
    bidding=BiddingRules(Hook(exempt_cards=(1,))),
    tiebreak=TiebreakRules((TiebreakStep.ONE_CARD_HANDS,)),
)

PRESETS = {
    ruleset.id: ruleset
    for ruleset in (
        CLASICA,
        ANTIGUA,
        LUDOTEKA_EXPRESS_3,
        LUDOTEKA_EXPRESS_4,
        LUDOTEKA_SUBEBAJA,
        LUDOTEKA_LOCA,
        FOURNIER,
        TOROFUN,
    )
}
"""The rulesets that games can be made with, the default first."""

DEFAULT = CLASICA
