"""The ports of the application: what its use cases need from storage, other processes, time, chance and robots.

A use case depends only on the ports that it uses. Each port has one contract suite, which runs against every adapter.
"""

from service.application.ports.apps import ApiKey, App, Apps
from service.application.ports.clock import Clock
from service.application.ports.deadline_queue import DeadlineQueue, OverdueGame
from service.application.ports.event_store import (
    AlreadyDone,
    Appended,
    CommandReused,
    Commit,
    EventStore,
    NewCommit,
    Outcome,
    VersionConflict,
)
from service.application.ports.hook_positions import BehindHook, Follower, HookPosition, HookPositions
from service.application.ports.join_codes import JoinCode, JoinCodes, Joined
from service.application.ports.listings import ListedGame, Listing, ListingQuery, Listings, PlayerQuery
from service.application.ports.matches import Matches, MatchRequest, MatchSpec, MatchStatus
from service.application.ports.notifier import Hint, Notifier, PlayerHint, PresenceBeacon, ReactionHint, VersionHint
from service.application.ports.profiles import Profile, Profiles
from service.application.ports.reservations import Reservations
from service.application.ports.robots import Robots
from service.application.ports.score_keepers import NewEntry, ScoreKeeper, ScoreKeepers, WrittenEntry
from service.application.ports.shuffler import Seeds, Shuffler
from service.application.ports.statistics import (
    GameFacts,
    HandTally,
    PlayerRecord,
    Position,
    SeatFacts,
    Statistics,
    TableTally,
)
from service.application.ports.store import GameStore, StoreHealth, StoreUnavailable
from service.application.ports.webhooks import (
    Delivery,
    DeliveryStatus,
    Failure,
    HookEventType,
    HookSecret,
    HookSender,
    Receipt,
    Webhook,
    Webhooks,
)

__all__ = [
    "AlreadyDone",
    "ApiKey",
    "App",
    "Appended",
    "Apps",
    "BehindHook",
    "Clock",
    "CommandReused",
    "Commit",
    "DeadlineQueue",
    "Delivery",
    "DeliveryStatus",
    "EventStore",
    "Failure",
    "Follower",
    "GameFacts",
    "GameStore",
    "HandTally",
    "Hint",
    "HookEventType",
    "HookPosition",
    "HookPositions",
    "HookSecret",
    "HookSender",
    "JoinCode",
    "JoinCodes",
    "Joined",
    "ListedGame",
    "Listing",
    "ListingQuery",
    "Listings",
    "MatchRequest",
    "MatchSpec",
    "MatchStatus",
    "Matches",
    "NewCommit",
    "NewEntry",
    "Notifier",
    "Outcome",
    "OverdueGame",
    "PlayerHint",
    "PlayerQuery",
    "PlayerRecord",
    "Position",
    "PresenceBeacon",
    "Profile",
    "Profiles",
    "ReactionHint",
    "Receipt",
    "Reservations",
    "Robots",
    "ScoreKeeper",
    "ScoreKeepers",
    "SeatFacts",
    "Seeds",
    "Shuffler",
    "Statistics",
    "StoreHealth",
    "StoreUnavailable",
    "TableTally",
    "VersionConflict",
    "VersionHint",
    "Webhook",
    "Webhooks",
    "WrittenEntry",
]
