"""The answers of the service. Generated from api/openapi.yaml by generate.py: do not edit.

Values of enumerations are text, so that newer ones are read too. A member that may be absent is None.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec


class AnyTurn:
    """Whose turn it is, and what they have to do."""

    __slots__ = ()


class UnknownTurn(msgspec.Struct, AnyTurn, frozen=True):
    """A turn whose action is newer than this client."""

    data: Mapping[str, Any]


class AnyEvent:
    """Something that happened in a game."""

    __slots__ = ()


class UnknownEvent(msgspec.Struct, AnyEvent, frozen=True):
    """An event that is newer than this client."""

    data: Mapping[str, Any]


class AnyNext:
    """What is to be written next on a score sheet."""

    __slots__ = ()


class UnknownNext(msgspec.Struct, AnyNext, frozen=True):
    """An action that is newer than this client."""

    data: Mapping[str, Any]


class AnyEntry:
    """An entry of a score sheet."""

    __slots__ = ()


class UnknownEntry(msgspec.Struct, AnyEntry, frozen=True):
    """An entry that is newer than this client."""

    data: Mapping[str, Any]


class AnyJoined:
    """What was joined by a code."""

    __slots__ = ()


class UnknownJoined(msgspec.Struct, AnyJoined, frozen=True):
    """Something that is newer than this client."""

    data: Mapping[str, Any]


class Guest(msgspec.Struct, frozen=True, kw_only=True):
    """A player with a new bearer token."""

    player_id: str
    display_name: str
    token: str
    expires_at: datetime


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """The calling player."""

    player_id: str
    display_name: str


class RulesetRef(msgspec.Struct, frozen=True, kw_only=True):
    """A reference to a ruleset."""

    ruleset_id: str
    version: int
    title: str
    house_rules: bool


class PlayerRef(msgspec.Struct, frozen=True, kw_only=True):
    """A player, as others see them."""

    player_id: str
    display_name: str
    deleted: bool | None = None


class RobotRef(msgspec.Struct, frozen=True, kw_only=True):
    """A robot, as others see it."""

    level: str


class PresenceView(msgspec.Struct, frozen=True, kw_only=True):
    """The presence of a player, derived from requests and streams."""

    connected: bool
    last_seen: datetime


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat: taken by a `player` or a `robot`, or free if it has neither. With `away` the robot plays for an absent
    player.
    """

    seat: int
    player: PlayerRef | None = None
    robot: RobotRef | None = None
    away: PlayerRef | None = None
    presence: PresenceView | None = None
    auto_play: str | None = None
    kept_until: datetime | None = None


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a seat."""

    seat: int
    points: int
    exact: int
    missed: int
    rank: int


class SeatBid(msgspec.Struct, frozen=True, kw_only=True):
    """The bid of a seat."""

    seat: int
    bid: int


class SeatCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card played by a seat."""

    seat: int
    card: str


class SeatCards(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of a seat."""

    seat: int
    cards: tuple[str, ...]


class SeatCall(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat said in the auction: `bid`, or `passed`."""

    seat: int
    passed: bool
    bid: int | None = None


class LastTrick(msgspec.Struct, frozen=True, kw_only=True):
    """The previous trick."""

    winner: int
    plays: tuple[SeatCard, ...]


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """The current hand."""

    number: int
    of: int
    kind: str
    cards: int
    dealer: int
    mano: int
    multiplier: int
    stock_count: int
    bids: tuple[SeatBid, ...]
    tricks_won: tuple[int, ...]
    trick: tuple[SeatCard, ...]
    trump: str | None = None
    turn_up: str | None = None
    my_cards: tuple[str, ...] | None = None
    seen_cards: tuple[SeatCards, ...] | None = None
    auction: tuple[SeatCall, ...] | None = None
    last_trick: LastTrick | None = None


class BidTurn(msgspec.Struct, AnyTurn, frozen=True, kw_only=True):
    """The viewer has to bid."""

    action: str
    seat: int
    legal_bids: tuple[int, ...]
    forbidden_bid: int | None = None
    deadline: datetime | None = None


class PlayTurn(msgspec.Struct, AnyTurn, frozen=True, kw_only=True):
    """The viewer has to play a card."""

    action: str
    seat: int
    legal_cards: tuple[str, ...]
    deadline: datetime | None = None


class AuctionTurn(msgspec.Struct, AnyTurn, frozen=True, kw_only=True):
    """The viewer has to bid or pass in the auction."""

    action: str
    seat: int
    legal_bids: tuple[int, ...]
    may_pass: bool
    forbidden_bid: int | None = None
    deadline: datetime | None = None


class ChooseTrumpTurn(msgspec.Struct, AnyTurn, frozen=True, kw_only=True):
    """The viewer has won the auction and has to name trump."""

    action: str
    seat: int
    legal_suits: tuple[str, ...]
    deadline: datetime | None = None


class BlindPickTurn(msgspec.Struct, AnyTurn, frozen=True, kw_only=True):
    """The viewer is the dealer and has to pick one of their face-down cards for trump."""

    action: str
    seat: int
    positions: tuple[int, ...]
    deadline: datetime | None = None


class WaitTurn(msgspec.Struct, AnyTurn, frozen=True, kw_only=True):
    """Another seat is on turn, or the viewer has no seat."""

    action: str
    seat: int
    awaits: str
    deadline: datetime | None = None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a game."""

    winners: tuple[int, ...]


class TimeoutView(msgspec.Struct, frozen=True, kw_only=True):
    """What happens after the deadline of a turn."""

    robot: RobotRef
    takes_seat_after: int


class GameView(msgspec.Struct, frozen=True, kw_only=True):
    """A game at one version, as the caller may see it."""

    game_id: str
    version: int
    status: str
    ruleset: RulesetRef
    players: int
    visibility: str
    created_at: datetime
    server_time: datetime
    seats: tuple[SeatView, ...]
    scores: tuple[Score, ...]
    commitment: str
    invite_code: str | None = None
    my_seat: int | None = None
    hand: HandView | None = None
    turn: AnyTurn | None = None
    result: Result | None = None
    turn_seconds: int | None = None
    on_timeout: TimeoutView | None = None
    robot_seconds: int | None = None


class GameCreatedEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A table was created."""

    type: str
    version: int
    at: datetime
    ruleset: RulesetRef
    players: int
    visibility: str
    commitment: str
    turn_seconds: int | None = None
    on_timeout: TimeoutView | None = None
    robot_seconds: int | None = None


class SeatTakenEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A player took a seat, or came back to the seat that a robot played for them."""

    type: str
    version: int
    at: datetime
    seat: int
    player: PlayerRef
    client_seed: str | None = None


class SeatLeftEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A player left a seat. In a started game `robot_seated` follows at once, and the player is absent."""

    type: str
    version: int
    at: datetime
    seat: int
    player: PlayerRef


class SeatClearedEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """Before the start, the host removed the `player` of a seat, who may not come back, or its robot. The seat is
    free now.
    """

    type: str
    version: int
    at: datetime
    seat: int
    player: PlayerRef | None = None


class RobotSeatedEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A robot has the seat from now on; in a started game for its player, who is absent until they come back."""

    type: str
    version: int
    at: datetime
    seat: int
    robot: RobotRef


class GameStartedEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """All seats are taken, and the game starts."""

    type: str
    version: int
    at: datetime
    seats: tuple[SeatView, ...]
    dealer: int
    hands: int


class HandDealtEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A hand was dealt."""

    type: str
    version: int
    at: datetime
    number: int
    kind: str
    cards: int
    dealer: int
    mano: int
    multiplier: int
    stock_count: int
    trump: str | None = None
    turn_up: str | None = None
    my_cards: tuple[str, ...] | None = None
    seen_cards: tuple[SeatCards, ...] | None = None
    face_down: bool | None = None


class BlindPickMadeEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """The dealer picked one of their own cards blind. It is turned up, its suit is trump, and all players see their
    cards. `position` is absent if the last card dealt was taken.
    """

    type: str
    version: int
    at: datetime
    seat: int
    card: str
    trump: str
    multiplier: int
    position: int | None = None
    my_cards: tuple[str, ...] | None = None


class AuctionBidMadeEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A seat bid in the auction."""

    type: str
    version: int
    at: datetime
    seat: int
    bid: int


class AuctionPassedEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A seat passed in the auction."""

    type: str
    version: int
    at: datetime
    seat: int


class AuctionWonEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """The auction is over, and its winner may name trump."""

    type: str
    version: int
    at: datetime
    seat: int
    bid: int
    locked: bool


class TrumpChosenEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """The winner of the auction named trump."""

    type: str
    version: int
    at: datetime
    seat: int
    suit: str
    multiplier: int


class BidMadeEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A seat bid."""

    type: str
    version: int
    at: datetime
    seat: int
    bid: int


class CardPlayedEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A seat played a card."""

    type: str
    version: int
    at: datetime
    seat: int
    card: str


class TrickTakenEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A trick is complete."""

    type: str
    version: int
    at: datetime
    seat: int
    card: str


class SeatScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a seat in one hand."""

    seat: int
    bid: int
    tricks: int
    points: int
    total: int
    rank: int


class HandScoredEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A hand was scored."""

    type: str
    version: int
    at: datetime
    number: int
    scores: tuple[SeatScore, ...]


class RenuncioClaimedEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """A player claimed that a rival had played an illegal card, and the service decided."""

    type: str
    version: int
    at: datetime
    claimant: int
    seat: int
    hand: int
    trick: int
    card: str
    proven: bool
    penalty: int
    totals: tuple[int, ...]
    ranks: tuple[int, ...]


class GameOverEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """The game is over."""

    type: str
    version: int
    at: datetime
    result: Result


class GameAbandonedEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """The game was abandoned: all players left before the start, nothing happened for too long, or its app abandoned
    it. It accepts no further commands.
    """

    type: str
    version: int
    at: datetime


class AutoPlayChosenEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """The player of a seat chose which of their moves the service makes."""

    type: str
    version: int
    at: datetime
    seat: int
    auto_play: str


class TurnExpiredEvent(msgspec.Struct, AnyEvent, frozen=True, kw_only=True):
    """The deadline of a turn passed; a robot makes the move in the same commit. If the robot takes the seat,
    `robot_seated` follows first.
    """

    type: str
    version: int
    at: datetime
    seat: int
    in_a_row: int


class MoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a move, as the caller may see it."""

    version: int
    events: tuple[AnyEvent, ...]
    game: GameView


class WaitingTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A game that waits for the caller."""

    game_id: str
    version: int
    ruleset: RulesetRef
    my_seat: int
    turn: AnyTurn


class EndedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is over."""

    game_id: str
    version: int
    status: str
    result: Result | None = None


class TurnList(msgspec.Struct, frozen=True, kw_only=True):
    """The games that wait for the caller, those with the nearest deadline first."""

    items: tuple[WaitingTurn, ...]
    ended: tuple[EndedGame, ...]
    open_games: int
    next_after: str
    server_time: datetime


class MyGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game of the caller."""

    game_id: str
    version: int
    status: str
    ruleset: RulesetRef
    players: int
    visibility: str
    created_at: datetime
    seats: tuple[SeatView, ...]
    scores: tuple[Score, ...]
    my_seat: int | None = None
    turn: AnyTurn | None = None
    result: Result | None = None
    rematch_id: str | None = None


class MyGameList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the caller's games, newest first."""

    items: tuple[MyGame, ...]
    server_time: datetime
    next_cursor: str | None = None


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list."""

    game_id: str
    status: str
    ruleset: RulesetRef
    players: int
    free_seats: int
    created_at: datetime
    seats: tuple[SeatView, ...]


class GameList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the lobby, the newest table first."""

    items: tuple[GameSummary, ...]
    next_cursor: str | None = None


class EventPage(msgspec.Struct, frozen=True, kw_only=True):
    """Events in order, in whole commits."""

    items: tuple[AnyEvent, ...]
    next_after: int
    version: int


class SheetEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The entry of a seat."""

    bid: int
    tricks: int
    points: int
    total: int
    penalty: int | None = None


class SheetRow(msgspec.Struct, frozen=True, kw_only=True):
    """A scored hand."""

    number: int
    kind: str
    cards: int
    dealer: int
    multiplier: int
    entries: tuple[SheetEntry, ...]
    trump: str | None = None
    turn_up: str | None = None


class ScoreSheet(msgspec.Struct, frozen=True, kw_only=True):
    """The score sheet: a column for each seat, a row for each hand."""

    game_id: str
    version: int
    status: str
    ruleset: RulesetRef
    seats: tuple[SeatView, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[int, ...]
    open_penalties: tuple[int, ...] | None = None
    result: Result | None = None


class PlayersRules(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of players."""

    allowed: tuple[int, ...]
    occasional: tuple[int, ...]
    extrapolated: tuple[int, ...]


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """Hands of one kind: `times` hands of each size from `first` to `last`, in steps of one card. In house rules,
    `tie_break` hands are refused, and `india` hands have one card.
    """

    kind: str
    first: str
    last: str
    times: str


class ScheduleRules(msgspec.Struct, frozen=True, kw_only=True):
    """The hands of a game, in blocks. Extra hands after a tie are not listed."""

    blocks: tuple[Block, ...]


class DeckRules(msgspec.Struct, frozen=True, kw_only=True):
    """The pack, the cards left out of it, and the order of the ranks."""

    size: int
    rank_order: tuple[int, ...]
    trim: str


class SeatingRules(msgspec.Struct, frozen=True, kw_only=True):
    """The seating. Seats are numbered counter-clockwise, in the direction of deal, bids and play."""

    order: str


class DealerRules(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer. The next one is the right-hand neighbour."""

    first: str


class TrumpRules(msgspec.Struct, frozen=True, kw_only=True):
    """How trump is determined in hands with a turned-up card, which is the next card of the stock if any is left."""

    when_all_dealt: str


class Hook(msgspec.Struct, frozen=True, kw_only=True):
    """The last bid must not make the sum of all bids equal the number of tricks, except in exempt hands."""

    enabled: bool
    exempt_cards: tuple[int, ...]
    exempt_kinds: tuple[str, ...]


class BiddingRules(msgspec.Struct, frozen=True, kw_only=True):
    """The legal bids."""

    hook: Hook


class AuctionRules(msgspec.Struct, frozen=True, kw_only=True):
    """The auction of `subastado` hands. Of equal bids the earliest wins."""

    protocol: str
    winner_second_bid: str
    hook_in_first_round: bool
    mano_must_bid: bool
    hook_on_last_predictor: bool


class PlayRules(msgspec.Struct, frozen=True, kw_only=True):
    """The duties of a player who does not lead. Following suit always comes first."""

    must_beat: str
    beat_waived_after_ruff: bool
    must_trump: bool
    must_overtrump: bool
    undertrump_when_cannot_overtrump: str


class SuitFactors(msgspec.Struct, frozen=True, kw_only=True):
    """Multipliers by suit; 1 for suits that are absent."""


class CardFactors(msgspec.Struct, frozen=True, kw_only=True):
    """Multipliers by card; cards that are absent leave the multiplier of the suit."""


class SlamBonus(msgspec.Struct, frozen=True, kw_only=True):
    """The house rule *hacer pocha*: bidding and taking every trick of a hand multiplies its points."""

    min_cards: int
    factor: int


class ScoringRules(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a hand, before multipliers: an exact bid scores `hit_base` and `hit_per_trick` for each trick;
    any other bid loses `miss_per_trick` for each trick too many or too few.
    """

    hit_base: int
    hit_per_trick: int
    miss_per_trick: int
    suit_multiplier: Mapping[str, int]
    turn_up_multiplier: Mapping[str, int]
    multiplier_applies_to: str
    slam_bonus: SlamBonus | None = None


class RenuncioRules(msgspec.Struct, frozen=True, kw_only=True):
    """The treatment of an illegal card (a *renuncio*)."""

    mode: str
    penalty: int
    scales_with_multiplier: bool
    wrong_claim_penalty: int


class TiebreakRules(msgspec.Struct, frozen=True, kw_only=True):
    """How a tie for the win is broken."""

    steps: tuple[str, ...]
    max_extra_hands: int


class Ruleset(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a game. A game keeps its ruleset for life; `version` distinguishes the editions of one
    `ruleset_id`.
    """

    ruleset_id: str
    version: int
    title: str
    source: str
    players: PlayersRules
    schedule: ScheduleRules
    deck: DeckRules
    seating: SeatingRules
    dealer: DealerRules
    trump: TrumpRules
    bidding: BiddingRules
    auction: AuctionRules
    play: PlayRules
    scoring: ScoringRules
    renuncio: RenuncioRules
    tiebreak: TiebreakRules
    house_rules: bool


class HandPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One hand of the schedule."""

    kind: str
    cards: int


class ScheduleFor(msgspec.Struct, frozen=True, kw_only=True):
    """The hands of a game for one number of players."""

    players: int
    removed: tuple[str, ...]
    hands: tuple[HandPlan, ...]


class GameRuleset(msgspec.Struct, frozen=True, kw_only=True):
    """The ruleset of a game, and its hands."""

    ruleset: Ruleset
    schedule: ScheduleFor


class RulesetView(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset, and its hands for each number of players."""

    ruleset: Ruleset
    schedules: tuple[ScheduleFor, ...]


class RulesetList(msgspec.Struct, frozen=True, kw_only=True):
    """The presets."""

    items: tuple[RulesetView, ...]


class SeatSeed(msgspec.Struct, frozen=True, kw_only=True):
    """The client seed of a seat."""

    seat: int
    client_seed: str


class RecordedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """The occupant of a seat at the end of the game: a `player` or a `robot`. With `away` the robot stood in for an
    absent player, and the seat could not win.
    """

    seat: int
    player: PlayerRef | None = None
    robot: RobotRef | None = None
    away: PlayerRef | None = None


class RecordedPick(msgspec.Struct, frozen=True, kw_only=True):
    """The blind pick of the dealer."""

    seat: int
    card: str
    position: int | None = None


class RecordedCall(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat said in the auction: `bid`, or that it passed."""

    seat: int
    bid: int | None = None
    passed: bool | None = None


class RecordedAuction(msgspec.Struct, frozen=True, kw_only=True):
    """The auction of a hand."""

    calls: tuple[RecordedCall, ...]
    winner: int
    bid: int
    locked: bool
    trump: str


class RecordedClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim of a renuncio."""

    after_moves: int
    claimant: int
    seat: int
    hand: int
    trick: int
    card: str
    proven: bool
    penalty: int
    totals: tuple[int, ...]


class RecordedScore(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a seat in one hand."""

    seat: int
    bid: int
    tricks: int
    points: int
    total: int


class RecordedHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand, from its deal to its score."""

    number: int
    kind: str
    cards: int
    dealer: int
    hands: tuple[SeatCards, ...]
    stock: tuple[str, ...]
    multiplier: int
    bids: tuple[SeatBid, ...]
    plays: tuple[SeatCard, ...]
    tricks: tuple[int, ...]
    claims: tuple[RecordedClaim, ...]
    scores: tuple[RecordedScore, ...]
    blind_pick: RecordedPick | None = None
    auction: RecordedAuction | None = None
    turn_up: str | None = None
    trump: str | None = None


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game with nothing hidden. `pocha verify` checks it."""

    format: int
    game_id: str
    created_at: datetime
    finished_at: datetime
    algorithm: str
    commitment: str
    server_seed: str
    client_seeds: tuple[SeatSeed, ...]
    ruleset: Ruleset
    seats: tuple[RecordedSeat, ...]
    first_dealer: int
    hands: tuple[RecordedHand, ...]
    scores: tuple[Score, ...]
    result: Result
    digest: str
    order: tuple[int, ...] | None = None


class GameFairness(msgspec.Struct, frozen=True, kw_only=True):
    """The seeds of a game."""

    game_id: str
    commitment: str
    algorithm: str
    client_seeds: tuple[SeatSeed, ...]
    order: tuple[int, ...] | None = None
    first_dealer: int | None = None
    server_seed: str | None = None
    record_digest: str | None = None


class SeedCommitment(msgspec.Struct, frozen=True, kw_only=True):
    """A commitment to the server seed of a table that is yet to be made."""

    commitment: str
    game_id: str
    expires_at: datetime


class StreamTicket(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket for a stream."""

    ticket: str
    path: str
    expires_at: datetime


class StreamedCommit(msgspec.Struct, frozen=True, kw_only=True):
    """The events of one commit, and the turn after it."""

    version: int
    events: tuple[AnyEvent, ...]
    server_time: datetime
    status: str
    turn: AnyTurn | None = None


class StreamEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game."""

    version: int
    status: str
    result: Result | None = None


class FieldError(msgspec.Struct, frozen=True, kw_only=True):
    """A place that does not match the contract."""

    pointer: str
    message: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem document (RFC 9457). Members beyond the first five depend on `code`. See [Errors](/docs/errors)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: tuple[FieldError, ...] | None = None
    reason: str | None = None
    rule: str | None = None
    phase: str | None = None
    seat_on_turn: int | None = None
    positions: tuple[int, ...] | None = None
    may_pass: bool | None = None
    current_version: int | None = None
    players_allowed: tuple[int, ...] | None = None
    legal_bids: tuple[int, ...] | None = None
    forbidden_bid: int | None = None
    legal_cards: tuple[str, ...] | None = None
    retry_after: int | None = None


class GlossaryWord(msgspec.Struct, frozen=True, kw_only=True):
    """A term in one language."""

    language: str
    word: str
    meaning: str


class GlossaryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A term of the game."""

    term: str
    source: str
    words: tuple[GlossaryWord, ...]


class Glossary(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of the game in four languages."""

    items: tuple[GlossaryEntry, ...]


class JoinCode(msgspec.Struct, frozen=True, kw_only=True):
    """A code by which others join."""

    code: str
    expires_at: datetime


class JoinedGame(msgspec.Struct, AnyJoined, frozen=True, kw_only=True):
    """The caller has joined a table."""

    type: str
    game: GameView


class SheetHand(msgspec.Struct, frozen=True, kw_only=True):
    """The hand at the table."""

    number: int
    of: int
    kind: str
    cards: int
    dealer: int
    mano: int
    multiplier: int
    bids: tuple[SeatBid, ...]
    trump: str | None = None
    turn_up: str | None = None


class NextAuction(msgspec.Struct, AnyNext, frozen=True, kw_only=True):
    """The result of the auction is to be written."""

    action: str


class NextBid(msgspec.Struct, AnyNext, frozen=True, kw_only=True):
    """A bid is to be written."""

    action: str
    seat: int
    legal_bids: tuple[int, ...]
    forbidden_bid: int | None = None


class NextTrump(msgspec.Struct, AnyNext, frozen=True, kw_only=True):
    """The trump is to be written, since points depend on it."""

    action: str


class NextTricks(msgspec.Struct, AnyNext, frozen=True, kw_only=True):
    """The tricks are to be written."""

    action: str


class ScoreKeeper(msgspec.Struct, frozen=True, kw_only=True):
    """A score sheet of a table with real cards, as it stands."""

    score_keeper_id: str
    version: int
    status: str
    ruleset: RulesetRef
    players: tuple[str, ...]
    created_at: datetime
    scores: tuple[Score, ...]
    hand: SheetHand | None = None
    next: AnyNext | None = None
    result: Result | None = None


class JoinedScoreKeeper(msgspec.Struct, AnyJoined, frozen=True, kw_only=True):
    """The caller has become a member of a score sheet."""

    type: str
    score_keeper: ScoreKeeper


class SeatReaction(msgspec.Struct, frozen=True, kw_only=True):
    """What the player of a seat said to the others at the table."""

    reaction_id: str
    seat: int
    player_id: str
    reaction: str
    at: datetime


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a quick match."""

    match_id: str
    status: str
    ruleset: RulesetRef
    players: int
    created_at: datetime
    expires_at: datetime
    game_id: str | None = None


class HandStats(msgspec.Struct, frozen=True, kw_only=True):
    """Hands of so many cards."""

    cards: int
    hands: int
    exact: int


class TableStats(msgspec.Struct, frozen=True, kw_only=True):
    """A player's finished games of one number of players."""

    players: int
    games: int
    wins: int
    average_points: float
    hands: tuple[HandStats, ...]


class RulesetStats(msgspec.Struct, frozen=True, kw_only=True):
    """A player's rating and finished games of one ruleset. Tables with house rules count for their preset."""

    ruleset_id: str
    rating: float
    games: int
    by_players: tuple[TableStats, ...]


class PlayerStats(msgspec.Struct, frozen=True, kw_only=True):
    """What a player achieved in finished games."""

    player_id: str
    items: tuple[RulesetStats, ...]


class LeaderboardEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A player on a leaderboard."""

    rank: int
    player_id: str
    display_name: str
    rating: float
    games: int


class Leaderboard(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a leaderboard, the best rating first."""

    ruleset_id: str
    items: tuple[LeaderboardEntry, ...]
    next_cursor: str | None = None


class ExportedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a player apart from games."""

    player_id: str
    tenant: str
    display_name: str
    named_at: datetime | None = None


class BidEntry(msgspec.Struct, AnyEntry, frozen=True, kw_only=True):
    """A bid."""

    type: str
    version: int
    at: datetime
    player_id: str
    counts: bool
    seat: int
    bid: int


class AuctionEntry(msgspec.Struct, AnyEntry, frozen=True, kw_only=True):
    """The result of an auction."""

    type: str
    version: int
    at: datetime
    player_id: str
    counts: bool
    seat: int
    bid: int
    suit: str


class TrumpEntry(msgspec.Struct, AnyEntry, frozen=True, kw_only=True):
    """The trump of a hand."""

    type: str
    version: int
    at: datetime
    player_id: str
    counts: bool
    suit: str
    turn_up: str | None = None


class TricksEntry(msgspec.Struct, AnyEntry, frozen=True, kw_only=True):
    """The tricks of a hand."""

    type: str
    version: int
    at: datetime
    player_id: str
    counts: bool
    tricks: tuple[int, ...]


class PenaltyEntry(msgspec.Struct, AnyEntry, frozen=True, kw_only=True):
    """A penalty."""

    type: str
    version: int
    at: datetime
    player_id: str
    counts: bool
    seat: int
    points: int
    wrong_claim: bool


class CorrectionEntry(msgspec.Struct, AnyEntry, frozen=True, kw_only=True):
    """A correction of what was written before."""

    type: str
    version: int
    at: datetime
    player_id: str
    counts: bool
    entries: int


class ExportedSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A score sheet, and the entries that the player made in it."""

    sheet: ScoreKeeper
    entries: tuple[AnyEntry, ...]


class ExportedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game, and what the player did in it."""

    game: MyGame
    moves: tuple[AnyEvent, ...]


class MyExport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is kept about a player."""

    exported_at: datetime
    player: ExportedPlayer
    matches: tuple[Match, ...]
    score_keepers: tuple[ExportedSheet, ...]
    games: tuple[ExportedGame, ...]


class Union(msgspec.Struct, frozen=True):
    """How an answer that may be of several kinds is read: by its member `tag`, or as `unknown` where that is newer than this client."""

    tag: str
    kinds: Mapping[str, type[Any]]
    unknown: type[Any]


UNIONS: Mapping[type, Union] = {
    AnyTurn: Union(
        "action",
        {
            "bid": BidTurn,
            "play": PlayTurn,
            "auction_bid": AuctionTurn,
            "choose_trump": ChooseTrumpTurn,
            "blind_pick": BlindPickTurn,
            "wait": WaitTurn,
        },
        UnknownTurn,
    ),
    AnyEvent: Union(
        "type",
        {
            "game_created": GameCreatedEvent,
            "seat_taken": SeatTakenEvent,
            "seat_left": SeatLeftEvent,
            "seat_cleared": SeatClearedEvent,
            "robot_seated": RobotSeatedEvent,
            "game_started": GameStartedEvent,
            "hand_dealt": HandDealtEvent,
            "blind_pick_made": BlindPickMadeEvent,
            "auction_bid_made": AuctionBidMadeEvent,
            "auction_passed": AuctionPassedEvent,
            "auction_won": AuctionWonEvent,
            "trump_chosen": TrumpChosenEvent,
            "bid_made": BidMadeEvent,
            "card_played": CardPlayedEvent,
            "trick_taken": TrickTakenEvent,
            "hand_scored": HandScoredEvent,
            "renuncio_claimed": RenuncioClaimedEvent,
            "game_over": GameOverEvent,
            "game_abandoned": GameAbandonedEvent,
            "auto_play_chosen": AutoPlayChosenEvent,
            "turn_expired": TurnExpiredEvent,
        },
        UnknownEvent,
    ),
    AnyJoined: Union(
        "type",
        {
            "game": JoinedGame,
            "score_keeper": JoinedScoreKeeper,
        },
        UnknownJoined,
    ),
    AnyNext: Union(
        "action",
        {
            "auction": NextAuction,
            "bid": NextBid,
            "trump": NextTrump,
            "tricks": NextTricks,
        },
        UnknownNext,
    ),
    AnyEntry: Union(
        "type",
        {
            "bid": BidEntry,
            "auction": AuctionEntry,
            "trump": TrumpEntry,
            "tricks": TricksEntry,
            "penalty": PenaltyEntry,
            "correction": CorrectionEntry,
        },
        UnknownEntry,
    ),
}
