"""Whole games by the numbers, as the log keeps them: a commit a move, chance from seeds, players who choose by a hash.

Where renuncios are punished they play any card of theirs, and rivals claim, rightly and wrongly.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

from domain.cards import Suit
from domain.pocha import decide
from domain.pocha.behaviour import legal
from domain.pocha.model import commands
from domain.pocha.model.commands import Command, CreateGame, TakeSeat
from domain.pocha.model.events import Event
from domain.pocha.model.refusals import Refused
from domain.pocha.model.state import (
    Auctioning,
    Bidding,
    ChoosingTrump,
    Dealing,
    Finished,
    HandState,
    NotCreated,
    PickingBlind,
    Playing,
    State,
    Waiting,
)
from domain.pocha.rules.ruleset import RenuncioMode, Ruleset
from domain.pocha.view.schema import PlayerRef
from domain.table.table import Level, Player, Visibility
from service.application import autoplay, shuffle
from service.application.ports import Commit
from service.application.shuffle import SeededShuffler

GAME_ID = UUID("0198c0de-0000-7000-8000-000000000001")
BEGAN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SHUFFLER = SeededShuffler()


def shown(player_id: str) -> PlayerRef:
    """Return how the players of these games are shown."""
    seat = UUID(player_id).int - 1
    return PlayerRef(player_id, f"Guest {seat}" if seat else "Ana «la dueña»")


def number(*seed: object) -> int:
    """Return a large number that depends on nothing but `seed`."""
    return int.from_bytes(sha256(repr(seed).encode()).digest(), "big")


def game(ruleset: Ruleset, players: int, seed: str, client_seeds: tuple[str | None, ...] = ()) -> list[Commit]:
    """Play a whole game, and return its log. `client_seeds` are those of the first seats; the last seat is a robot's."""
    given = (*client_seeds, *(None,) * players)
    now: State = NotCreated()
    commits: list[Commit] = []
    for ask in _script(ruleset, players, seed, given):
        decision = decide(now, ask)
        now = decision.state
        commits.append(_commit(len(commits) + 1, decision.events))
    while not isinstance(now, Finished):
        for ask in _asked(now, f"{seed}/{len(commits)}"):
            decision = decide(now, ask)
            now = decision.state
            commits.append(_commit(len(commits) + 1, decision.events))
    return commits


def _script(ruleset: Ruleset, players: int, seed: str, given: tuple[str | None, ...]) -> Iterator[Command]:
    secret = sha256(seed.encode()).digest()
    host = Player(str(UUID(int=1)))
    yield CreateGame(
        ruleset=ruleset,
        players=players,
        host=host,
        robots=(Level.EASY,),
        visibility=Visibility.PUBLIC,
        seed=secret,
        commitment=shuffle.commitment(secret),
        client_seed=given[0],
        game_id=str(GAME_ID),
    )
    for seat in range(1, players - 1):
        yield TakeSeat(Player(str(UUID(int=seat + 1))), seat, client_seed=given[seat])


def _commit(version: int, events: tuple[Event, ...]) -> Commit:
    return Commit(GAME_ID, version, UUID(int=version), b"", BEGAN + timedelta(seconds=version), events)


def _asked(now: State, seed: str) -> Iterable[Command]:
    match now:
        case Waiting():
            return (autoplay.start_command(now, SHUFFLER),)
        case Dealing(progress=progress):
            return (autoplay.deal_command(progress, SHUFFLER),)
        case PickingBlind() | Auctioning() | ChoosingTrump() | Bidding() | Playing():
            return (*_claims(now, seed), some_move(now, number(seed)))
        case _:
            raise AssertionError(now)


def some_move(now: HandState, luck: int) -> Command:
    """Return a move of the seat on turn: any legal one, and where renuncios are punished any card."""
    seat = now.turn
    match now:
        case PickingBlind():
            positions = legal.legal_positions(now)
            return commands.PickBlind(seat, None if luck % 3 == 0 else positions[luck % len(positions)])
        case Auctioning():
            return _call(now, seat, luck)
        case ChoosingTrump():
            return commands.ChooseTrump(seat, list(Suit)[luck % 4])
        case Bidding():
            bids = legal.legal_bids(now)
            return commands.MakeBid(seat, bids[luck % len(bids)])
        case Playing():
            enforced = now.progress.ruleset.renuncio.mode is RenuncioMode.ENFORCED
            cards = legal.legal_cards(now) if enforced else now.hands[seat]
            return commands.PlayCard(seat, cards[luck % len(cards)])


def _call(now: Auctioning, seat: int, luck: int) -> Command:
    allowed = legal.legal_calls(now)
    if allowed.may_pass and (luck % 2 or not allowed.bids):
        return commands.PassAuction(seat)
    return commands.MakeAuctionBid(seat, allowed.bids[luck // 2 % len(allowed.bids)])


def _claims(now: HandState, seed: str) -> Iterator[Command]:
    """Yield now and then a claim that may be made: about any card of this hand, or before its first, of the one before."""
    if now.progress.ruleset.renuncio.mode is RenuncioMode.ENFORCED or number(seed, "claim") % 3:
        return
    players = now.progress.players
    claimant = number(seed, "claimant") % players
    seat = (claimant + 1 + number(seed, "seat") % (players - 1)) % players
    claim = commands.ClaimRenuncio(claimant, seat, 1 + number(seed, "trick") % 3)
    try:
        decide(now, claim)
    except Refused:
        return
    yield claim
