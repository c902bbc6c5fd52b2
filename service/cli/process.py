"""Process set-up of a command: settings, logging, event loop and SIGTERM."""

import asyncio
import logging
import signal
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from types import FrameType

from service.bootstrap.settings import Settings, from_environment, secrets_of, unknown_variables, warnings_of
from service.observability import log_format

try:
    from uvloop import new_event_loop
except ImportError:  # not available on Windows
    from asyncio import new_event_loop

SIGNAL_EXIT_CODE = 128
"""Exit code of a process ended by a signal, minus the number of the signal."""

_LOGGER = logging.getLogger(__name__)


class CommandError(Exception):
    """A command cannot do what was asked; the message says why, in a sentence."""


def run_with_settings(command: Callable[[Settings], Coroutine[None, None, None]]) -> None:
    """Read the settings, configure logging, and run the command in an event loop."""
    settings = from_environment()
    log_format.configure(settings.log_level, log_format.choose_format(settings.log_format), secrets_of(settings))
    for name in unknown_variables():
        _LOGGER.warning("there is no setting %s", name)
    for warning in warnings_of(settings):
        _LOGGER.warning(warning)
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(command(settings))


@contextmanager
def exit_on_sigterm() -> Generator[None]:
    """Raise `SystemExit` on SIGTERM, so that an embedded Postgres is stopped. While uvicorn serves, it handles the signal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def ignore_sigterm() -> None:
    """Ignore SIGTERM from now on: the process is exiting, and must finish its clean-up."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _exit(number: int, _: FrameType | None) -> None:
    ignore_sigterm()
    raise SystemExit(SIGNAL_EXIT_CODE + number)
