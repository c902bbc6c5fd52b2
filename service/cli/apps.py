"""The command `pocha apps`: the apps that integrate the service, and the keys they call with."""

import argparse
import re
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from service.application.ports import ApiKey, App, Apps, Clock
from service.rest.auth import api_keys

Act = Callable[[argparse.Namespace, Apps, datetime], Awaitable[None]]
Run = Callable[[argparse.Namespace], None]

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME = 40
_OVERLAP_HOURS = 24.0
_MOST_OVERLAP_HOURS = 24.0 * 90
HELP = "make and manage the apps that call with API keys of their own"


class AppsError(Exception):
    """It cannot be done; the message says why."""


def add_arguments(parser: argparse.ArgumentParser, run: Run) -> None:
    """Make `parser` that of the command; `run` carries out what was asked, by `carry_out`."""
    acts = parser.add_subparsers(required=True, metavar="ACTION")
    for name, act, what in (
        ("create", _create, "make an app, and print its API key, which nobody can get again"),
        ("list", _list, "list the apps and what is known of their keys"),
        ("rotate", _rotate, "give an app a new API key, and print it; the old ones are good for a while yet"),
        ("revoke", _revoke, "end all keys of an app; its tables and players stay"),
    ):
        action = acts.add_parser(name, help=what, description=what)
        action.set_defaults(run=run, act=act)
        if act is not _list:
            action.add_argument(
                "name", metavar="NAME", type=_name, help="small letters, digits, and hyphens between them"
            )
        if act is _rotate:
            action.add_argument(
                "--overlap-hours",
                metavar="H",
                type=_hours,
                default=_OVERLAP_HOURS,
                help=f"how long the old keys are good yet ({_OVERLAP_HOURS:g})",
            )


async def run(asked: argparse.Namespace, apps: Apps, clock: Clock) -> None:
    """Do what was asked for on the command line.

    Raises:
        AppsRefused: as the name says.
        StoreUnavailable: the database cannot be reached.
    """
    act: Act = asked.act
    await act(asked, apps, clock.now())


async def _create(asked: argparse.Namespace, apps: Apps, now: datetime) -> None:
    written, key = api_keys.new_key(asked.name, now)
    if not await apps.create(key):
        raise AppsError(f"there is an app {asked.name} already; `pocha apps rotate {asked.name}` gives it a new key")
    _show(written)


async def _rotate(asked: argparse.Namespace, apps: Apps, now: datetime) -> None:
    written, key = api_keys.new_key(asked.name, now)
    _require_known(asked, found=await apps.rotate(key, now + timedelta(hours=asked.overlap_hours)))
    _show(written)


async def _revoke(asked: argparse.Namespace, apps: Apps, now: datetime) -> None:
    _require_known(asked, found=await apps.revoke(asked.name, now))
    print(f"no key of {asked.name} is good any more; running services know within {api_keys.FRESH_SECONDS:g} seconds")


async def _list(_: argparse.Namespace, apps: Apps, now: datetime) -> None:
    for app in await apps.listed():
        print(_line(app, now))


def _require_known(asked: argparse.Namespace, *, found: bool) -> None:
    if not found:
        raise AppsError(f"there is no app {asked.name}; `pocha apps list` names all")


def changes(asked: argparse.Namespace) -> bool:
    """Tell whether what was asked for changes the database."""
    return asked.act is not _list


def _show(written: str) -> None:
    """Print the key alone on standard output, so that a script can take it, and the rest beside it."""
    print("pocha: this is the API key; it is shown only now", file=sys.stderr)
    print(written)


def _line(app: App, now: datetime) -> str:
    keys = "; ".join(f"{key.key_id} {_state(key, now)}" for key in app.keys)
    return f"{app.name}  made {_moment(app.created_at)}  keys: {keys}"


def _state(key: ApiKey, now: datetime) -> str:
    if key.expires_at is None:
        return "good"
    return f"{'good until' if key.expires_at > now else 'ended'} {_moment(key.expires_at)}"


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%SZ}"


def _name(written: str) -> str:
    if len(written) > _LONGEST_NAME or not _NAME.fullmatch(written):
        raise argparse.ArgumentTypeError(
            f"a name has small letters, digits, and hyphens between them, {_LONGEST_NAME} at most"
        )
    return written


def _hours(written: str) -> float:
    try:
        hours = float(written)
    except ValueError:
        hours = -1.0
    if not 0 <= hours <= _MOST_OVERLAP_HOURS:
        raise argparse.ArgumentTypeError(f"expected a number of hours from 0 to {_MOST_OVERLAP_HOURS:g}")
    return hours
