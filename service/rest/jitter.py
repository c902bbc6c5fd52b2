"""Random times to wait: clients that were sent away together, as by a restart, do not come back together."""

import secrets

MAX_RETRY_AFTER_SECONDS = 4
MIN_RECONNECT_MS = 1000
MAX_RECONNECT_MS = 4000


def retry_after_seconds() -> int:
    """Return a `Retry-After`: whole seconds, 1 or more."""
    return 1 + secrets.randbelow(MAX_RETRY_AFTER_SECONDS)


def reconnect_ms() -> int:
    """Return a `retry` of a stream, in milliseconds."""
    return MIN_RECONNECT_MS + secrets.randbelow(MAX_RECONNECT_MS - MIN_RECONNECT_MS + 1)
