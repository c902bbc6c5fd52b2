"""The composition root: the only place where use cases, adapters and the HTTP layer are joined."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from service.adapters.http.hook_sender import HttpHookSender
from service.adapters.memory.apps import MemoryApps
from service.adapters.memory.notifier import MemoryNotifier
from service.adapters.robot_pool import RobotPool
from service.application.command_handler import CommandHandler
from service.application.commitments import Commitments
from service.application.deadline_worker import DeadlineWorker
from service.application.deadlines import AbandonAfter
from service.application.deleting import Deleting
from service.application.draining import Draining
from service.application.exporting import Exporting
from service.application.games import KEEP_SEATS, Games
from service.application.gauges import DatabaseGauges
from service.application.hub import Hub
from service.application.joining import Joining
from service.application.matching import Matching
from service.application.names import Names
from service.application.players import Players
from service.application.ports import (
    Clock,
    GameStore,
    Hint,
    HookSender,
    Notifier,
    PlayerHint,
    PresenceBeacon,
    ReactionHint,
    Shuffler,
    VersionHint,
)
from service.application.presence import Presence
from service.application.reactions import Reactions
from service.application.repository import GameRepository
from service.application.score_keeping import ScoreKeeping
from service.application.statistics import StatisticsKeeper
from service.application.supervisor import Supervisor
from service.application.wakeup import Wakeups
from service.application.webhooks.courier import Courier
from service.application.webhooks.deliverer import Deliverer
from service.application.webhooks.management import WebhookManagement
from service.bootstrap.side_stores import SideStores
from service.observability.metrics import MEDIA_TYPE, Metrics
from service.rest.asgi import ASGIApp, create_litestar
from service.rest.auth.api_keys import ApiKeyCache
from service.rest.auth.authenticate import Authenticator
from service.rest.auth.config import AuthConfig
from service.rest.auth.tickets import Tickets
from service.rest.auth.tokens import Tokens
from service.rest.middleware.admission import Admission
from service.rest.middleware.allowed_methods import AllowedMethods
from service.rest.middleware.cors import CorsMiddleware
from service.rest.middleware.envelope import EnvelopeMiddleware
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.config import RateLimitConfig
from service.rest.rate_limit.middleware import RateLimitMiddleware
from service.rest.routes import (
    commitments,
    docs,
    events,
    exports,
    games,
    glossary,
    health,
    joins,
    kept_sheets,
    matches,
    me,
    moves,
    play,
    players,
    records,
    rulesets,
    score_keeper_entries,
    score_keepers,
    score_sheet,
    score_sheet_links,
    seats,
    stream_tickets,
    turns,
    webhooks,
)
from service.rest.routes import reactions as reaction_routes
from service.rest.routes import statistics as statistics_routes
from service.rest.streaming.waiters import WaiterRegistry

_TRUST = AuthConfig()
_ABANDON_AFTER = AbandonAfter()


class Service:
    """The composition root: connects the parts of one process. `asgi` serves requests; `run_background` runs the background tasks.

    `secret` (32 bytes or more) signs the players' tokens; `trust` configures other credentials. Without `limits` there are no rate
    limits. `wrap` is put around the Litestar app. Pages of `origins` may use the API. With `has_table` the table in the browser is
    served. With `allows_private_hooks`, web hooks may have private addresses. The service closes nothing that it is given: `store`,
    `notifier`, and the stores of apps and rate limits belong to the caller.
    """

    def __init__(  # noqa: PLR0913 - here all parts meet
        self,
        store: GameStore,
        clock: Clock,
        shuffler: Shuffler,
        secret: bytes,
        *,
        notifier: Notifier | None = None,
        draining: Draining | None = None,
        abandon_after: AbandonAfter = _ABANDON_AFTER,
        keep_seats: timedelta = KEEP_SEATS,
        trust: AuthConfig = _TRUST,
        limits: RateLimitConfig | None = None,
        metrics: Metrics | None = None,
        wrap: Callable[[ASGIApp], ASGIApp] | None = None,
        has_table: bool = True,
        side_stores: SideStores | None = None,
        origins: Sequence[str] = (),
        hook_sender: HookSender | None = None,
        allows_private_hooks: bool = False,
    ) -> None:
        notifier, draining, metrics = notifier or MemoryNotifier(), draining or Draining(), metrics or Metrics()
        self.robots = RobotPool()
        self._presence = Presence(clock, notifier.publish)
        self.names = Names(store, notifier)
        handler = CommandHandler(
            events=store,
            clock=clock,
            shuffler=shuffler,
            notifier=notifier,
            metrics=metrics,
            repository=GameRepository(store, clock, abandon_after, self.names),
            robots=self.robots,
            heard_of=self._presence.heard_of,
        )
        who = Players(self.names, clock)
        secrets = [each for each in (secret, trust.secret_previous) if each is not None]
        promised = Commitments(store, shuffler, clock, secrets)
        side_stores = side_stores or SideStores.in_memory()
        statistics = StatisticsKeeper(side_stores.statistics, handler.repository)
        use_cases = Games(
            handler=handler,
            events=store,
            listings=store,
            reservations=store,
            players=who,
            commitments=promised,
            metrics=metrics,
            keep_seats=keep_seats,
        )
        keeping = ScoreKeeping(side_stores.score_keepers, clock, notifier, metrics)
        joining = Joining(side_stores.join_codes, clock)
        deliverer = Deliverer(hook_sender or HttpHookSender(allows_private=allows_private_hooks), clock)
        self.courier = Courier(
            webhooks=side_stores.webhooks,
            positions=store,
            repository=handler.repository,
            deliverer=deliverer,
            clock=clock,
            metrics=metrics,
        )
        use_cases.hub.listen(self.courier.on_commit)
        hooks = WebhookManagement(
            webhooks=side_stores.webhooks,
            positions=store,
            repository=handler.repository,
            courier=self.courier,
            deliverer=deliverer,
            clock=clock,
            allows_private=allows_private_hooks,
        )
        self.matching = Matching(side_stores.matches, handler, who, shuffler, clock, notifier, statistics)
        self.deleting = Deleting(
            names=self.names,
            profiles=store,
            handler=handler,
            listings=store,
            matches=side_stores.matches,
            score_keepers=side_stores.score_keepers,
            statistics=side_stores.statistics,
            metrics=metrics,
        )
        self.supervisor = Supervisor(store.is_working, metrics)
        self.hub = use_cases.hub
        self.waiters = WaiterRegistry(draining, self._presence)
        self.deadline_worker = DeadlineWorker(use_cases, store, clock, metrics, statistics)
        admission = Admission()
        reactions = Reactions(handler.repository, clock, notifier)
        others = (keeping.changes, self.matching.changes)
        dispatcher = _HintDispatcher(self.hub, self._presence, reactions, self.names, others)
        notifier.subscribe(dispatcher.hear, dispatcher.on_gap)
        tokens = Tokens(clock, secret, trust.secret_previous, trust.token_lifetime)
        auth = Authenticator(
            tokens,
            Tickets(clock, secret, trust.secret_previous),
            ApiKeyCache(trust.apps or MemoryApps(), clock, trust.key_seconds),
            trust.issuer,
            self.names,
            self._presence.record_activity,
        )
        presenter = GamePresenter(clock, self._presence)
        exporting = Exporting(store, store, use_cases, side_stores.matches, side_stores.score_keepers, keeping)
        gauges = DatabaseGauges(store, store, clock, metrics)
        self.litestar = create_litestar(
            unversioned=[
                health.router(store, draining, self.supervisor, gauges, metrics.page, MEDIA_TYPE),
                docs.router(),
                play.home_router(has_table=has_table),
                *([play.router()] if has_table else []),
            ],
            public=[
                players.router(auth, who),
                players.token_router(auth, who),
                rulesets.router(),
                glossary.router(),
                score_sheet_links.open_router(use_cases, keeping, auth),
            ],
            authenticated=[
                games.router(use_cases, presenter, self.waiters),
                commitments.router(promised),
                seats.router(use_cases, presenter),
                moves.router(use_cases, presenter),
                events.router(use_cases, auth, presenter, self.waiters, reactions),
                reaction_routes.router(reactions),
                stream_tickets.router(use_cases, auth),
                score_sheet.router(use_cases),
                score_sheet_links.router(use_cases, keeping, auth),
                records.router(use_cases),
                rulesets.game_router(use_cases),
                me.router(use_cases, who, self.deleting, presenter, auth, self.waiters),
                players.deletion_router(self.deleting),
                exports.router(exporting, presenter),
                turns.router(use_cases, presenter, self.waiters),
                score_keepers.router(keeping, joining, self.waiters),
                score_keeper_entries.router(keeping),
                kept_sheets.router(keeping),
                matches.router(self.matching, self.waiters),
                statistics_routes.player_router(statistics),
                statistics_routes.leaderboard_router(statistics, self.names),
                joins.router(joining, use_cases, keeping, presenter),
                webhooks.router(hooks),
            ],
            authenticator=auth,
            rate_limits=None if limits is None else RateLimitMiddleware(limits, auth.identify),
        )
        served = self.litestar if wrap is None else wrap(self.litestar)
        allowed = AllowedMethods(self.litestar.routes)
        enveloped = EnvelopeMiddleware(served, allowed, draining, admission, metrics)
        self.asgi: ASGIApp = CorsMiddleware(enveloped, origins) if origins else enveloped
        metrics.requests_in_progress.labels("reads").set_function(admission.reads.used)
        metrics.requests_in_progress.labels("commands").set_function(admission.commands.used)
        metrics.waiting_requests.labels("streams").set_function(self.waiters.streams)
        metrics.waiting_requests.labels("long_polls").set_function(lambda: len(self.waiters) - self.waiters.streams())
        metrics.watched_games.set_function(lambda: self.hub.watched_games)
        metrics.draining.set_function(lambda: draining.begun)

    async def run_background(self) -> None:
        """Run the background tasks until cancelled.

        They are missed commits and changed names, deadlines, presence, quick matches, web hooks, deletions, and ends of waiting requests.
        """
        await self.supervisor.run(
            self.hub,
            self._presence,
            self.deadline_worker,
            self.waiters,
            self.robots,
            self.matching,
            self.courier,
            self.names,
            self.deleting,
        )


class _HintDispatcher:
    """Dispatches hints of other processes to the hub, to presence, to those who see reactions and to the names."""

    def __init__(
        self, hub: Hub, presence: Presence, reactions: Reactions, names: Names, others: Sequence[Wakeups]
    ) -> None:
        self._hub = hub
        self._presence = presence
        self._reactions = reactions
        self._names = names
        self._others = others

    def hear(self, hint: Hint) -> None:
        match hint:
            case VersionHint(game_id=game_id, version=version):
                self._hub.on_version(game_id, version)
                for others in self._others:
                    others.wake(game_id)
            case PresenceBeacon():
                self._presence.receive(hint)
            case ReactionHint():
                self._reactions.receive(hint)
            case PlayerHint():
                self._names.hear()

    def on_gap(self) -> None:
        self._hub.on_gap()
        self._names.hear()
        for others in self._others:
            others.wake_all()


def create_app(store: GameStore, clock: Clock, shuffler: Shuffler, secret: bytes) -> ASGIApp:
    """Return the app of a service on its own, which does nothing that it is not asked for."""
    return Service(store, clock, shuffler, secret).asgi
