"""The digest of a record: it binds the facts that nothing else can prove, such as names and times."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def digest(facts: Mapping[str, Any]) -> str:
    """Return the SHA-256, in hexadecimal, of the record `facts` as canonical JSON; a digest among them does not count."""
    return hashlib.sha256(canonical({name: fact for name, fact in facts.items() if name != "digest"})).hexdigest()


def canonical(value: Any) -> bytes:
    """Return `value` as canonical JSON (RFC 8785): members by name, no white space, nothing escaped but what must be, UTF-8.

    Records hold whole numbers only, and every name in them is ASCII: what the RFC says of fractions and of other names is not needed.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
