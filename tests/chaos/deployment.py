"""What the service runs on in a run: two processes of it over one Postgres, each of which can be brought down and comes back."""

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from service.adapters.embedded_postgres import EmbeddedPostgres
from service.adapters.postgres import layout
from service.adapters.postgres.connection import connect
from service.rest.rate_limit.policies import OFF, Policy
from tests.chaos.wire import Place
from tests.kit.service_process import ServiceProcess

_HOST = "127.0.0.1"
_SECRET = "a secret of the chaos tests, 32 bytes or more"  # noqa: S105 - of the tests
_KILL_LISTENERS = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE application_name LIKE 'pocha%' AND query ~* '(listen|notify)' AND pid <> pg_backend_pid()
"""


class Deployment:
    """As an async context manager it is built, and taken down again. Its games lie in `buckets` buckets."""

    def __init__(self, buckets: int = 1) -> None:
        self._buckets = buckets
        self.places = (Place(_HOST, _free_port()), Place(_HOST, _free_port()))
        self.dsn = ""
        self._folder = Path(tempfile.mkdtemp(prefix="pocha-"))
        self._postgres = EmbeddedPostgres(self._folder)
        self._processes: list[ServiceProcess] = []
        self._before: list[str] = []
        self._standing = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as building:
            building.callback(shutil.rmtree, self._folder, ignore_errors=True)
            self.dsn = await asyncio.to_thread(self._postgres.start)
            building.callback(self._postgres.stop)
            await layout.migrate(self.dsn, self._buckets)
            building.callback(self._stop_processes)
            for place in self.places:
                self._processes.append(await asyncio.to_thread(self._started, place))
            self._standing = building.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._standing.aclose()

    async def restart_process(self, number: int, how: signal.Signals) -> None:
        """End one of the processes, by SIGKILL or in good order by SIGTERM, and start it again at the same place."""
        before = self._processes[number]
        code = await asyncio.to_thread(before.stop, how)
        assert code == (0 if how is signal.SIGTERM else -how), f"the process ended with code {code}"
        self._before += before.output
        self._processes[number] = await asyncio.to_thread(self._started, self.places[number])

    async def kill_listeners(self) -> int:
        """Terminate the connections by which the processes tell each other what happened; return how many there were."""
        connection = await connect(self.dsn)
        try:
            return await connection.fetchval(_KILL_LISTENERS)
        finally:
            await connection.close()

    async def restart_postgres(self, how: signal.Signals) -> None:
        """Shut Postgres down, by SIGINT fast or by SIGQUIT at once, and start it again."""
        os.kill(self._postmaster(), how)
        await asyncio.to_thread(self._postgres.stop)
        await asyncio.to_thread(self._postgres.start)

    def said(self) -> list[str]:
        """Return what the processes wrote to their logs."""
        return [*self._before, *(line for process in self._processes for line in process.output)]

    def _started(self, place: Place) -> ServiceProcess:
        return ServiceProcess(
            {
                "POCHA_PORT": str(place.port),
                "POCHA_DATABASE_URL": self.dsn,
                "POCHA_SECRET": _SECRET,
                "POCHA_LOG_LEVEL": "warning",
                "POCHA_DRAIN_SECONDS": "0",
                # Callers here send everything several times, all of them from one address.
                **{f"POCHA_LIMIT_{policy.upper()}": OFF for policy in Policy},
            }
        )

    def _postmaster(self) -> int:
        return int((self._folder / "postgres/data/postmaster.pid").read_text(encoding="utf-8").split()[0])

    def _stop_processes(self) -> None:
        for process in self._processes:
            process.stop(signal.SIGKILL)


def _free_port() -> int:
    with socket.create_server((_HOST, 0)) as server:
        return server.getsockname()[1]
