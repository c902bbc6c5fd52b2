"""Which other processes listen, so that a process that is alone need not notify anybody.

A listening process holds a shared advisory lock, which ends with its session, and greets the others; each answers once it knows of the
newcomer. Listening comes before the lock, and the lock before the greeting: of two processes that start at the same time, at least one
sees or hears of the other. What was not sent to a newcomer before the answer was committed before it, so the newcomer reads the log then.
"""

from service.adapters.postgres.connection import Connection

CHANNEL = "pocha"
"""The channel of the notifications."""
NOTIFY = f"SELECT pg_notify('{CHANNEL}', payload) FROM unnest($1::text[]) AS payload"  # noqa: S608 - the channel is ours

_GREETING = "hello"
_ANSWER = "known:"
_LOCK = "SELECT pg_advisory_lock_shared(1886348136, 1)"  # `poch`, and the lock of those who listen
_OTHERS = """
    SELECT pid FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 1886348136 AND objid = 1 AND objsubid = 2 AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class Peers:
    """The other processes, as far as one session knows of them. `exist` is true while they are not known to be absent."""

    def __init__(self) -> None:
        self.exist = True
        self._heard = 0
        self._unanswered: set[int] = set()
        self._newcomers: set[int] = set()

    @property
    def are_unanswered(self) -> bool:
        """Tell whether some have not answered our greeting yet."""
        return bool(self._unanswered)

    @property
    def are_greeting(self) -> bool:
        """Tell whether there are greetings to be answered."""
        return bool(self._newcomers)

    async def join(self, connection: Connection) -> bool:
        """Become one of those who listen, as the session does already, and greet the others; return whether there are none."""
        await connection.execute(_LOCK)
        heard = self._heard
        others = await _others(connection)
        self.exist = bool(others) or heard != self._heard
        self._unanswered = others.copy()
        await connection.execute(NOTIFY, [_GREETING])
        return not others

    async def look(self, connection: Connection) -> bool:
        """Find out whether there are others; return whether those who have not answered our greeting are all gone."""
        heard = self._heard
        others = await _others(connection)
        self.exist = bool(others) or heard != self._heard  # who was heard meanwhile may have come after the statement
        waited = bool(self._unanswered)
        self._unanswered &= others
        return waited and not self._unanswered

    def miss_answers(self) -> None:
        """Wait for no answer any more: who gives none hangs."""
        self._unanswered.clear()

    async def answer(self, connection: Connection) -> None:
        """Answer the greetings of newcomers."""
        while self._newcomers:
            await connection.execute(NOTIFY, [f"{_ANSWER}{self._newcomers.pop()}"])

    def hear(self, sender: int, payload: str, own: int) -> bool:
        """Take a notification of another session; return whether it is the last answer to our greeting."""
        self.exist = True
        self._heard += 1
        if payload == _GREETING:
            self._newcomers.add(sender)
        if payload != f"{_ANSWER}{own}" or sender not in self._unanswered:
            return False
        self._unanswered.discard(sender)
        return not self._unanswered


async def _others(connection: Connection) -> set[int]:
    return {row["pid"] for row in await connection.fetch(_OTHERS)}
