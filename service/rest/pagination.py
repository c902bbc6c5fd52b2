"""Pages of lists, the newest id first. One item more than the page holds is read: it tells whether there is a next page."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from litestar.params import QueryParameter
from msgspec import UNSET, UnsetType

PageCursor = Annotated[str | None, QueryParameter(pattern=r"^[0-9a-f]{32}\Z")]
PageSize = Annotated[int, QueryParameter(ge=1, le=100)]


def read_cursor(cursor: str | None) -> UUID | None:
    """Return the id that the items of a page come after; None for the first page."""
    return None if cursor is None else UUID(cursor)


def cursor_after(ids: Sequence[UUID], limit: int) -> str | UnsetType:
    """Return the cursor of the page after the first `limit` of these ids; UNSET if there is none."""
    return ids[limit - 1].hex if len(ids) > limit else UNSET
