"""Server-sent events as they come off the wire (HTML Living Standard, 9.2)."""

from collections.abc import AsyncGenerator, AsyncIterable

import msgspec


class Frame(msgspec.Struct, frozen=True):
    """An event of a stream, or, with none of these, a comment or `retry:`, told in `other`."""

    id: str = ""
    event: str = ""
    data: str = ""
    other: str = ""


async def frames(chunks: AsyncIterable[bytes]) -> AsyncGenerator[Frame]:
    """Yield the frames of a stream; one that is cut in the middle is as if it had never come."""
    received = b""
    async for chunk in chunks:
        *whole, received = (received + chunk).split(b"\n\n")
        for block in whole:
            yield _frame(block.decode())


def _frame(block: str) -> Frame:
    fields: dict[str, str] = {}
    for line in block.split("\n"):
        name, _, value = line.partition(":")
        fields[name if name in {"id", "event", "data"} else "other"] = value.removeprefix(" ")
    return Frame(**fields)
