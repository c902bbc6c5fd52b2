"""SHA-256 digest of a record, over its canonical JSON. It binds the facts that follow from nothing else, such as names and times."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def digest(facts: Mapping[str, Any]) -> str:
    """Return the SHA-256, in hexadecimal, of `facts` without their member `digest`."""
    return hashlib.sha256(canonical({name: fact for name, fact in facts.items() if name != "digest"})).hexdigest()


def canonical(value: Any) -> bytes:
    """Return `value` as canonical JSON (RFC 8785): members sorted by name, no white space, minimal escapes, UTF-8.

    Only for integers and ASCII names: records have no others.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
