"""The command `pocha serve`: opens all parts, serves, and closes them."""

import argparse
import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial

from service.adapters.clock import SystemClock
from service.adapters.embedded_postgres import ServerFailed, default_data_dir
from service.adapters.http.hook_sender import HttpHookSender
from service.adapters.postgres.notifier import PostgresNotifier
from service.adapters.postgres.retention import RetentionWorker
from service.adapters.postgres.store import open_store
from service.application.deadlines import AbandonAfter
from service.application.draining import Draining
from service.application.ports import GameStore
from service.application.shuffle import SeededShuffler
from service.bootstrap import signing_key, tracing
from service.bootstrap.service import Service
from service.bootstrap.settings import InvalidSetting, Settings
from service.cli import databases, delete_games
from service.cli.listening import listening_socket, url_of
from service.cli.process import ignore_sigterm, run_with_settings
from service.observability.metrics import Metrics
from service.rest.asgi import ASGIApp
from service.rest.auth import jwks
from service.rest.auth.config import AuthConfig
from service.rest.auth.external_jwt import TrustedIssuer
from service.rest.auth.jwks import KeySet, NoKeySet
from service.rest.middleware.path_prefix import PathPrefixMiddleware
from service.rest.rate_limit.client_address import ClientAddresses, networks_of
from service.rest.rate_limit.config import RateLimitConfig
from service.rest.rate_limit.policies import Policy, PolicyQuotas
from service.rest.rate_limit.select import store_at
from service.server.uvicorn_server import Server

_LOGGER = logging.getLogger(__name__)


def add_arguments(_: argparse.ArgumentParser) -> None:
    """Add no arguments: settings come from the environment."""


def run(_: argparse.Namespace) -> None:
    """Serve until SIGTERM or SIGINT."""
    run_with_settings(serve)


async def serve(chosen: Settings) -> None:
    """Serve until told to stop."""
    key = chosen.secret.encode() if chosen.secret else signing_key.load_or_create(chosen.data_dir or default_data_dir())
    issuer = _issuer(chosen)
    life = _Lifetime()
    with databases.open_database(chosen, life.end) as (dsn, direct):
        await databases.migrate_or_check(chosen, dsn)
        metrics = Metrics()
        async with (
            _open_store(dsn, metrics) as store,
            _open_notifier(direct, metrics) as notifier,
            databases.open_apps(dsn) as kept_apps,
            databases.open_side_stores(dsn) as side_stores,
            _open_rate_limits(chosen) as limits,
            tracing.open_tracing(chosen.otlp_endpoint) as traces,
        ):
            clock, draining = SystemClock(), Draining()
            sender = HttpHookSender(allows_private=chosen.webhook_private_targets)
            service = Service(
                traces.store(store),
                clock,
                SeededShuffler(),
                key,
                notifier=notifier,
                draining=draining,
                abandon_after=_abandon_after(chosen),
                keep_seats=timedelta(seconds=chosen.rematch_keep_seconds),
                trust=AuthConfig(
                    secret_previous=chosen.secret_previous.encode() if chosen.secret_previous else None,
                    token_lifetime=timedelta(hours=chosen.token_hours),
                    apps=kept_apps,
                    issuer=issuer,
                ),
                limits=limits,
                metrics=metrics,
                wrap=traces.app,
                has_table=chosen.table,
                side_stores=side_stores,
                origins=chosen.origins,
                hook_sender=sender,
                allows_private_hooks=chosen.webhook_private_targets,
            )
            retention = RetentionWorker(dsn, delete_games.retention_time(chosen), clock)
            async with _running(service.run_background()), _running(retention.run()):
                listening = listening_socket(chosen.host, chosen.port)
                say = partial(_print_address, url_of(listening), has_table=chosen.table)
                app = _prefixed(service.asgi, chosen)
                await life.live(Server(app, say, draining, chosen.drain_seconds), listening)
    if life.end_reason:
        raise ServerFailed(life.end_reason)


def _abandon_after(chosen: Settings) -> AbandonAfter:
    return AbandonAfter(
        idle=timedelta(days=chosen.abandon_after_days),
        unattended=timedelta(minutes=chosen.abandon_unattended_after_minutes),
        host_gone=timedelta(seconds=chosen.close_waiting_after_seconds),
    )


class _Lifetime:
    """Lifetime of the server. Another thread may end it, with a reason."""

    def __init__(self) -> None:
        self.end_reason = ""
        self._server: Server | None = None

    async def live(self, server: Server, listening: socket.socket) -> None:
        """Serve until told to stop, then ignore further SIGTERMs: the shutdown must not be interrupted."""
        self._server = server
        server.should_exit = bool(self.end_reason)
        try:
            await server.serve([listening])
        finally:
            ignore_sigterm()

    def end(self, reason: str) -> None:
        """Make the server stop."""
        self.end_reason = reason
        if self._server is not None:
            self._server.should_exit = True


def _prefixed(app: ASGIApp, chosen: Settings) -> ASGIApp:
    """Return `app` under its path prefix, if it can have one."""
    proxies = networks_of(chosen.trusted_proxies)
    return PathPrefixMiddleware(app, chosen.path_prefix, proxies) if chosen.path_prefix or proxies else app


def _issuer(chosen: Settings) -> TrustedIssuer | None:
    """Return the trusted issuer of tokens, if there is one; keys in a file are tried at once, keys at an address when they are needed.

    Raises:
        InvalidSetting: the file has none.
    """
    if chosen.jwt_issuer is None or chosen.jwt_audience is None or chosen.jwt_jwks is None:
        return None
    try:
        if not jwks.is_address(chosen.jwt_jwks):
            jwks.read(chosen.jwt_jwks)
    except NoKeySet as error:
        raise InvalidSetting(f"POCHA_JWT_JWKS: {error}") from None
    keys = KeySet(chosen.jwt_jwks)
    return TrustedIssuer(chosen.jwt_issuer, chosen.jwt_audience, keys, SystemClock(), chosen.jwt_leeway_seconds)


@asynccontextmanager
async def _open_store(dsn: str, metrics: Metrics) -> AsyncGenerator[GameStore]:
    store = await open_store(dsn, metrics)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def _open_notifier(dsn: str, metrics: Metrics) -> AsyncGenerator[PostgresNotifier]:
    hints = PostgresNotifier(dsn, metrics=metrics)
    await hints.open()
    try:
        yield hints
    finally:
        await hints.close()


@asynccontextmanager
async def _open_rate_limits(chosen: Settings) -> AsyncGenerator[RateLimitConfig]:
    rates = {
        Policy.COMMANDS: chosen.limit_commands,
        Policy.READS: chosen.limit_reads,
        Policy.STREAMS: chosen.limit_streams,
        Policy.CREATION: chosen.limit_creation,
        Policy.JOINS: chosen.limit_joins,
        Policy.REACTIONS: chosen.limit_reactions,
    }
    policies = PolicyQuotas(rates, chosen.limit_address_factor)
    addresses = ClientAddresses(networks_of(chosen.trusted_proxies))
    async with store_at(chosen.rate_store_url) as store:
        yield RateLimitConfig(policies, store, addresses)


@asynccontextmanager
async def _running(work: Coroutine[None, None, None]) -> AsyncGenerator[None]:
    """Run `work` as a task within the context."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _print_address(address: str, *, has_table: bool) -> None:
    table = f" - play: {address}/play" if has_table else ""
    print(f"pocha: serving at {address}{table} - documentation: {address}/docs - stop with Ctrl-C", flush=True)
