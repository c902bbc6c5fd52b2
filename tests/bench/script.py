"""A game that is known beforehand, so that whoever plays it over HTTP needs to think of nothing and to read no answer."""

from uuid import UUID

import msgspec

from domain.pocha.behaviour import legal
from domain.pocha.model.commands import MakeBid, PlayCard
from domain.pocha.model.state import Bidding, Finished, InHand, Playing
from domain.pocha.rules import presets
from domain.table.table import Level, Visibility
from service.adapters.clock import SystemClock
from service.adapters.memory.notifier import MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application.caller import GUEST_TENANT, Caller, player_caller
from service.application.command_handler import CommandHandler
from service.application.commitments import Commitments
from service.application.deadlines import AbandonAfter
from service.application.games import Games, TableSpec
from service.application.names import Names
from service.application.players import Players
from service.application.repository import Game, GameRepository
from service.application.shuffle import SEED_BYTES
from service.observability.metrics import Metrics
from tests.kit.shuffling import SameForEveryGame


class Kind(msgspec.Struct, frozen=True):
    """A kind of table."""

    ruleset: str
    seats: int


SHORT = Kind("ludoteka-express-3", 3)
LONG = Kind("ludoteka-subebaja", 4)
"""Hands of 1 to 9 cards and back."""


class FixedShuffler(SameForEveryGame):
    """Deals the same game at every table, where robots always have the same luck."""

    def new_seed(self) -> bytes:
        """Return the one seed."""
        return bytes(SEED_BYTES)

    def luck(self) -> int:
        """Return the one number."""
        return 0


class Step(msgspec.Struct, frozen=True):
    """A move: which of the persons makes it (in the order of joining), to which resource of the game, and with what body."""

    person: int
    resource: str
    body: bytes


async def script(persons: int, kind: Kind = SHORT) -> tuple[Step, ...]:
    """Return the moves of a whole game of `persons`, every other seat a robot's, as `FixedShuffler` deals it."""
    store = MemoryStore()
    shuffler, metrics = FixedShuffler(), Metrics()
    clock, notifier = SystemClock(), MemoryNotifier()
    names = Names(store, notifier)
    repository = GameRepository(store, clock, AbandonAfter(), names)
    handler = CommandHandler(
        events=store, clock=clock, shuffler=shuffler, notifier=notifier, metrics=metrics, repository=repository
    )
    games = Games(
        handler=handler,
        events=store,
        listings=store,
        reservations=store,
        players=Players(names, clock),
        commitments=Commitments(store, shuffler, handler.clock, ()),
        metrics=metrics,
    )
    players = [player_caller(GUEST_TENANT, str(UUID(int=person)), f"Person {person}") for person in range(persons)]
    robots = (Level.EASY,) * (kind.seats - persons)
    snapshot = (
        await games.create(players[0], TableSpec(presets.PRESETS[kind.ruleset], kind.seats, robots, Visibility.PUBLIC))
    ).game
    for player in players[1:]:
        snapshot = (await games.join(snapshot.game_id, player, None, None)).game
    steps: list[Step] = []
    while isinstance(snapshot.state, InHand):
        snapshot, step = await _move(games, snapshot, players)
        steps.append(step)
    assert isinstance(snapshot.state, Finished)
    return tuple(steps)


async def _move(games: Games, snapshot: Game, players: list[Caller]) -> tuple[Game, Step]:
    state = snapshot.state
    assert isinstance(state, InHand)
    person = [snapshot.seat_of(player) for player in players].index(state.turn)
    if isinstance(state, Bidding):
        bid = legal.legal_bids(state)[0]
        done = await games.move(snapshot.game_id, players[person], lambda seat: MakeBid(seat, bid))
        return done.game, Step(person, "bids", msgspec.json.encode({"bid": bid}))
    assert isinstance(state, Playing)
    card = legal.legal_cards(state)[0]
    done = await games.move(snapshot.game_id, players[person], lambda seat: PlayCard(seat, card))
    return done.game, Step(person, "plays", msgspec.json.encode({"card": card}))
