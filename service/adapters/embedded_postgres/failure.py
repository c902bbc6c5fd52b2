"""The error of the embedded server."""


class ServerFailed(Exception):
    """The embedded Postgres cannot run; the message tells the operator why and what to do."""
