"""Pages of long lists, newest first, each with an opaque cursor for the next page."""

from __future__ import annotations

import base64
from typing import Annotated

import msgspec
from litestar.params import QueryParameter

from baccarat.serve.http.problem import problem

MAX_LIMIT, DEFAULT_LIMIT = 100, 20
PageLimit = Annotated[int, QueryParameter(name="limit", ge=1, le=MAX_LIMIT, description="how many per page")]
Cursor = Annotated[
    str, QueryParameter(name="cursor", max_length=600, description="where to continue: `next` of the page before")
]
_LARGEST = 2**53


def write_cursor(kind: str, *at: int | str) -> str:
    """An opaque cursor."""
    return base64.urlsafe_b64encode(msgspec.json.encode([kind, *at])).decode().rstrip("=")


def read_cursor(kind: str, text: str, *types: type) -> tuple[int | str, ...] | None:
    """Where to continue; None at the beginning. A problem if the cursor does not belong to this list."""
    if not text:
        return None
    try:
        found = msgspec.json.decode(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, list) and len(found) == 1 + len(types) and found[0] == kind:
        at = tuple(found[1:])
        if all(type(each) is kind_ for each, kind_ in zip(at, types, strict=True)) and _are_bounded(at):
            return at
    raise problem(400, "This cursor does not belong to this list; leave it out to begin.", code="bad_cursor")


def _are_bounded(at: tuple[object, ...]) -> bool:
    return all(not isinstance(each, int) or -_LARGEST < each < _LARGEST for each in at)
