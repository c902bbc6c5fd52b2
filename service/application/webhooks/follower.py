"""One turn of a web hook at a game: from its position in the log to the newest commit, message by message."""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import UUID

from msgspec.structs import replace

from service.application import ids
from service.application.ports import (
    Clock,
    Delivery,
    HookEventType,
    HookPosition,
    HookPositions,
    Receipt,
    Webhook,
    Webhooks,
)
from service.application.repository import Committed, Game, GameRepository
from service.application.webhooks import messages, retries
from service.application.webhooks.deliverer import Deliverer
from service.application.webhooks.messages import EXPIRING_PLACE, HookMessage
from service.observability.metrics import Metrics

LEASE = timedelta(minutes=1)
"""How long a process keeps a position after each step: longer than an attempt takes."""
_COMMITS_AT_ONCE = 50
_LOGGER = logging.getLogger(__name__)


class _Stop(Exception):
    """The position was given back for a later attempt, or another process has taken it."""


def delivery_id(webhook_id: UUID, game_id: UUID, version: int, place: int, message: HookMessage) -> UUID:
    """Return the id of a message to a hook, the same at each attempt."""
    return ids.uuid_at(message.timestamp, "webhook", str(webhook_id), str(game_id), str(version), str(place))


class HookRun:
    """Moves one position. Whatever it was cut short in, the next one goes on from what was written last: a message may come twice."""

    def __init__(
        self,
        hook: Webhook,
        position: HookPosition,
        *,
        positions: HookPositions,
        webhooks: Webhooks,
        repository: GameRepository,
        deliverer: Deliverer,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._hook = hook
        self._position = position
        self._positions = positions
        self._webhooks = webhooks
        self._repository = repository
        self._deliverer = deliverer
        self._clock = clock
        self._metrics = metrics
        self._expires_at = position.due_at if position.attempts == 0 or position.place == EXPIRING_PLACE else None

    async def follow(self, game: Game, keep: Callable[[Game], object]) -> Game | None:
        """Deliver all that follows `game`, which is at the position, and give the position back; `keep` is told of each later game.

        Return the newest game; None if the position was given back for a later attempt, or lost.
        """
        try:
            while steps := await self._repository.commits_after(game, _COMMITS_AT_ONCE):
                for step in steps:
                    await self._deliver_commit(game, step)
                    game = step.game
                    keep(game)
            await self._deliver_expiring(game)
            await self._write(replace(self._position, attempts=0, due_at=self._expires_at), keeps=False)
        except _Stop:
            return None
        return game

    async def _deliver_commit(self, before: Game, step: Committed) -> None:
        told: Sequence[HookMessage] = messages.messages_of(before.state, step)
        if self._position.place == EXPIRING_PLACE:  # that turn is over
            self._position = replace(self._position, place=0, attempts=0, due_at=None)
        if step.commit.recorded_at >= self._hook.created_at:
            for place in range(self._position.place, len(told)):
                await self._deliver(told[place], step.game.version, place)
        self._position = replace(self._position, version=step.game.version, place=0, attempts=0)
        begins = any(isinstance(message, messages.TurnStartedMessage) for message in told)
        wanted = HookEventType.TURN_EXPIRING in self._hook.events
        if begins or messages.expiring_at(step.game) is None:
            self._expires_at = messages.expiring_at(step.game) if wanted else None

    async def _deliver_expiring(self, game: Game) -> None:
        """Tell that the present turn is about to expire, if it is time to, and it is not over yet.

        It is tried until the turn is over, which is sooner than an event is given up: it is never listed as failed.
        """
        now, due = self._clock.now(), self._expires_at
        if due is None or due > now:
            return
        message = messages.expiring(game)
        self._expires_at = None
        if message is not None and game.turn_deadline is not None and now < game.turn_deadline:
            await self._deliver(message, game.version, EXPIRING_PLACE)
            self._position = replace(self._position, place=0)

    async def _deliver(self, message: HookMessage, version: int, place: int) -> None:
        """Deliver one message, and write that it was; or give the position back until the next attempt.

        Raises:
            _Stop: as its name says.
        """
        if messages.type_of(message) not in self._hook.events:
            return
        message_id = delivery_id(self._hook.webhook_id, self._position.game_id, version, place, message)
        receipt = await self._deliverer.deliver(self._hook, message_id, message)
        attempts = self._position.attempts + 1
        if receipt.failure is not None:
            due = retries.next_attempt(attempts, self._clock.now(), message.timestamp, message_id)
            self._log(message, message_id, attempts, receipt, is_last=due is None)
            if due is not None:
                self._metrics.webhook_attempts.labels("retried").inc()
                await self._write(replace(self._position, place=place, attempts=attempts, due_at=due), keeps=False)
                raise _Stop
            await self._record(message, message_id, version, place, attempts, receipt)
        self._metrics.webhook_attempts.labels("failed" if receipt.failure else "delivered").inc()
        after = 0 if place == EXPIRING_PLACE else place + 1
        await self._write(replace(self._position, place=after, attempts=0, due_at=None), keeps=True)

    async def _record(
        self, message: HookMessage, message_id: UUID, version: int, place: int, attempts: int, receipt: Receipt
    ) -> None:
        delivery = Delivery(
            delivery_id=message_id,
            webhook_id=self._hook.webhook_id,
            type=messages.type_of(message),
            game_id=self._position.game_id,
            version=version,
            place=place,
            occurred_at=message.timestamp,
            attempts=attempts,
            attempted_at=self._clock.now(),
            receipt=receipt,
        )
        await self._webhooks.record(delivery)

    async def _write(self, position: HookPosition, *, keeps: bool) -> None:
        until = self._clock.now() + LEASE if keeps else None
        if not await self._positions.move_hook(position, until):
            raise _Stop
        self._position = position

    def _log(self, message: HookMessage, message_id: UUID, attempts: int, receipt: Receipt, *, is_last: bool) -> None:
        _LOGGER.log(
            logging.WARNING if is_last else logging.INFO,
            "a web hook did not take an event, which is given up" if is_last else "a web hook did not take an event",
            extra={
                "webhook_id": self._hook.webhook_id,
                "delivery_id": message_id,
                "game_id": self._position.game_id,
                "type": messages.type_of(message),
                "attempts": attempts,
                "failure": receipt.failure,
                "response_status": receipt.status,
            },
        )
