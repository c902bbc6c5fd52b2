"""Why there is no embedded server."""


class ServerFailed(Exception):
    """The embedded Postgres cannot be had; the message, for the person who starts the service, says why and what to do."""
