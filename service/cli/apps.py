"""The command `pocha apps`: apps that integrate the service, and their API keys."""

import argparse
import re
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from service.adapters.clock import SystemClock
from service.adapters.postgres import layout
from service.application.ports import ApiKey, App, Apps
from service.bootstrap.settings import Settings
from service.cli import databases
from service.cli.process import CommandError, run_with_settings
from service.rest.auth import api_keys

Action = Callable[[argparse.Namespace, Apps, datetime], Awaitable[None]]

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MAX_NAME_LENGTH = 40
_OVERLAP_HOURS = 24.0
_MAX_OVERLAP_HOURS = 24.0 * 90


class AppsError(CommandError):
    """The action failed; the message says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    for name, act, text in (
        ("create", _create, "create an app, and print its API key, which is shown only once"),
        ("list", _list, "list the apps and the state of their keys"),
        ("rotate", _rotate, "print a new API key of an app; the old ones stay valid for a while"),
        ("revoke", _revoke, "revoke all keys of an app; its tables and players stay"),
    ):
        action = actions.add_parser(name, help=text, description=text)
        action.set_defaults(act=act)
        if act is not _list:
            action.add_argument("name", metavar="NAME", type=_name, help="lower-case letters, digits and hyphens")
        if act is _rotate:
            action.add_argument(
                "--overlap-hours",
                metavar="H",
                type=_hours,
                default=_OVERLAP_HOURS,
                help=f"how long the old keys stay valid ({_OVERLAP_HOURS:g})",
            )


def run(args: argparse.Namespace) -> None:
    """Carry out an action.

    Raises:
        AppsError: the app exists already, or does not exist.
    """
    run_with_settings(lambda settings: _run(args, settings))


async def _run(args: argparse.Namespace, settings: Settings) -> None:
    act: Action = args.act
    with databases.open_or_find(settings) as dsn:
        await layout.check(dsn)
        async with databases.open_apps(dsn) as apps:
            await act(args, apps, SystemClock().now())
    if act is not _list:
        print(f"pocha: changed {databases.described(settings)}", file=sys.stderr)


async def _create(args: argparse.Namespace, apps: Apps, now: datetime) -> None:
    secret, key = api_keys.new_key(args.name, now)
    if not await apps.create(key):
        raise AppsError(f"the app {args.name} exists already; `pocha apps rotate {args.name}` gives it a new key")
    _print_secret(secret)


async def _rotate(args: argparse.Namespace, apps: Apps, now: datetime) -> None:
    secret, key = api_keys.new_key(args.name, now)
    _require_found(args, found=await apps.rotate(key, now + timedelta(hours=args.overlap_hours)))
    _print_secret(secret)


async def _revoke(args: argparse.Namespace, apps: Apps, now: datetime) -> None:
    _require_found(args, found=await apps.revoke(args.name, now))
    print(
        f"the keys of {args.name} are revoked; running services refuse them within {api_keys.FRESH_SECONDS:g} seconds"
    )


async def _list(_: argparse.Namespace, apps: Apps, now: datetime) -> None:
    for app in await apps.listed():
        print(_line(app, now))


def _require_found(args: argparse.Namespace, *, found: bool) -> None:
    if not found:
        raise AppsError(f"there is no app {args.name}; `pocha apps list` lists all")


def _print_secret(secret: str) -> None:
    """Print only the key on standard output, so that a script can read it."""
    print("pocha: this is the API key; it is shown only now", file=sys.stderr)
    print(secret)


def _line(app: App, now: datetime) -> str:
    keys = "; ".join(f"{key.key_id} {_state(key, now)}" for key in app.keys)
    return f"{app.name}  created {_time(app.created_at)}  keys: {keys}"


def _state(key: ApiKey, now: datetime) -> str:
    if key.expires_at is None:
        return "valid"
    return f"{'valid until' if key.expires_at > now else 'expired'} {_time(key.expires_at)}"


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%SZ}"


def _name(text: str) -> str:
    if len(text) > _MAX_NAME_LENGTH or not _NAME.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"expected at most {_MAX_NAME_LENGTH} lower-case letters, digits, and hyphens between them"
        )
    return text


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = -1.0
    if not 0 <= hours <= _MAX_OVERLAP_HOURS:
        raise argparse.ArgumentTypeError(f"expected a number of hours from 0 to {_MAX_OVERLAP_HOURS:g}")
    return hours
