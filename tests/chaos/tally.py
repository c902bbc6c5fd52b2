"""What happened in a run, counted."""

from collections import Counter

ROWS = {
    "games": "games played to the end",
    "moves": "moves acknowledged",
    "others": "other commands acknowledged",
    "refused": "commands refused, the table having gone on",
    "repeats": "requests repeated",
    "replays": "replays seen",
    "cuts": "connections cut by clients",
    "broken": "connections broken under them",
    "unavailable": "answers 429 and 503",
    "streams": "streams opened",
    "resumes": "  that resumed",
    "snapshots": "  that began with a snapshot",
    "gaps": "snapshots in the midst of a stream",
    "commits": "commits received on streams",
    "compared": "boards compared with views",
    "cards": "cards read in what was received",
    "expired": "turns that expired",
    "away": "players who went away",
    "back": "players who came back",
    "rematches": "rematches",
    "process kills": "kills -9 of a service process",
    "process restarts": "restarts of a service process in good order, by SIGTERM",
    "listener kills": "LISTEN connections terminated",
    "fast restarts": "restarts of Postgres, fast",
    "immediate restarts": "restarts of Postgres, immediate",
}


class Tally(Counter[str]):
    """Counts by the names of `ROWS`, and the longest that a command had to wait for its answer, in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.longest_wait = 0.0

    def waited(self, seconds: float) -> None:
        """Remember how long a command took until its first answer."""
        self.longest_wait = max(self.longest_wait, seconds)

    def summary(self) -> str:
        """Return the counts as a table."""
        lines = [f"{self[name]:>8,}  {meaning}" for name, meaning in ROWS.items()]
        return "\n".join([*lines, f"{self.longest_wait:>8.1f}  seconds, the longest wait for a command"])
