"""Invite codes of private tables."""

import secrets
from hmac import compare_digest

from domain.table.table import Table


def new_invite_code() -> str:
    """Return 16 random characters (96 bits), fit for a URL."""
    return secrets.token_urlsafe(12)


def is_invited(table: Table, code: str | None) -> bool:
    """Tell whether `code` is the table's invite code, in a time that does not depend on how much of it is right."""
    if table.invite_code is None or code is None:
        return False
    return compare_digest(_bytes(code), _bytes(table.invite_code))


def _bytes(code: str) -> bytes:
    """`compare_digest` takes only ASCII as text, and a client may send any."""
    return code.encode(errors="surrogatepass")
