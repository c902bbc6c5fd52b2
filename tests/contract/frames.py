"""The frames of a stream of server-sent events, read as a client reads them (WHATWG HTML, section 9.2)."""

import json

from tests.contract.document import Json


def frames_of(stream: str) -> list[Json]:
    """Return the frames in a stream, or in a piece of one that ends with a frame; comments and `retry` are none."""
    blocks = [dict(_fields(block)) for block in stream.split("\n\n")]
    return [{**block, "data": json.loads(block["data"])} for block in blocks if "data" in block]


def _fields(block: str) -> list[tuple[str, str]]:
    """Return the fields of a block, one a line. A line that begins with a colon is a comment."""
    lines = (line.partition(":") for line in block.splitlines())
    return [(name, value.removeprefix(" ")) for name, _, value in lines if name]
