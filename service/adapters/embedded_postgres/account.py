"""Account of the server process: Postgres refuses to run as root, so root runs it as an existing unprivileged user."""

import os
import pwd
import stat
from pathlib import Path

import msgspec

from service.adapters.embedded_postgres.failure import ServerFailed

_UNPRIVILEGED = ("postgres", "nobody", "daemon", "www-data")


class Account(msgspec.Struct, frozen=True):
    """A user of the operating system, and whether this process must become it to run the server (it is root itself)."""

    name: str
    uid: int
    gid: int
    is_other: bool = False

    @property
    def user(self) -> int | None:
        """The user to switch to in a new process, if any."""
        return self.uid if self.is_other else None

    @property
    def group(self) -> int | None:
        """The group to switch to in a new process, if any."""
        return self.gid if self.is_other else None

    @property
    def extra_groups(self) -> list[int] | None:
        """The further groups of a new process: none, where it switches."""
        return [] if self.is_other else None

    def may_enter(self, folder: Path) -> bool:
        """Tell whether the permissions of `folder` and of all above let this user pass (lists of access control left aside)."""
        return not self.is_other or all(self._passes(each) for each in (folder, *folder.parents))

    def take(self, folder: Path) -> None:
        """Give `folder`, which this process made, to this user."""
        if self.is_other:
            os.chown(folder, self.uid, self.gid)

    def _passes(self, folder: Path) -> bool:
        status = folder.stat()
        if status.st_uid == self.uid:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.gid:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)


def own() -> Account:
    """Return the account of this process.

    Raises:
        ServerFailed: the user id has no name, without which Postgres does not work.
    """
    uid = os.geteuid()
    try:
        return Account(pwd.getpwuid(uid).pw_name, uid, os.getegid())
    except KeyError:
        raise ServerFailed(
            f"user id {uid} has no name on this system (no line in /etc/passwd), and Postgres needs one: "
            "run under a named user, or name a running Postgres with POCHA_DATABASE_URL"
        ) from None


def of_server(data: Path) -> Account:
    """Return the account for the server of `data`: this process's user; for root the owner of the data, or an unprivileged one.

    Raises:
        ServerFailed: there is no such user.
    """
    ourselves = own()
    if ourselves.uid != 0:
        return ourselves
    others = [_other(entry) for name in _UNPRIVILEGED for entry in _named(name)]
    owners = [_other(entry) for entry in _owner(data)]
    for account in (*owners, *others):
        if account.uid != 0:
            return account
    raise ServerFailed(
        f"Postgres must not run as root, and this system has none of the users {', '.join(_UNPRIVILEGED)} to run it as: "
        "start the service as an ordinary user, or name a running Postgres with POCHA_DATABASE_URL"
    )


def _other(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid, is_other=True)


def _named(name: str) -> list[pwd.struct_passwd]:
    try:
        return [pwd.getpwnam(name)]
    except KeyError:
        return []


def _owner(data: Path) -> list[pwd.struct_passwd]:
    try:
        return [pwd.getpwuid(data.stat().st_uid)]
    except (OSError, KeyError):
        return []
