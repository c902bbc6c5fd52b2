"""Secrets and signatures of web hooks, by the Standard Webhooks specification."""

import base64
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

from standardwebhooks import Webhook as Signer

_SECRET_BYTES = 32
_PREFIX = "whsec_"


def new_secret() -> str:
    """Return a new secret of 256 random bits."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def headers(message_id: str, now: datetime, body: bytes, keys: Sequence[str]) -> Mapping[str, str]:
    """Return the headers of a message, signed now (UTC) by every one of the `keys`."""
    signatures = [Signer(key).sign(message_id, now, body.decode()) for key in keys]
    return {
        "content-type": "application/json",
        "user-agent": "pocha-webhooks",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
