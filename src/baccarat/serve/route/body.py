"""Bodies: every one is checked as strictly as a line of a journal, before any route reads it; and query strings."""

from __future__ import annotations

from typing import Any

from baccarat.record.line import UnreadableLine, decode
from baccarat.serve.http.problem import problem
from baccarat.serve.http.shield import SAFE_METHODS
from baccarat.serve.route.requester import HttpRequest

NULL = b"%00"


async def read_with_care(request: HttpRequest) -> None:
    """A problem if a body is nested too deeply, has a key twice, or has a number that no table has; or if the query has
    a null character, which no text of PostgreSQL may have, so that looking it up fails.

    Readers of JSON differ in which of two equal keys counts and in what `1e3` is; a body with money in it must not be
    ambiguous.
    """
    if NULL in request.scope["query_string"]:
        raise problem(400, "The address has a null character, which no name has.", code="unreadable")
    if request.method in SAFE_METHODS:
        return
    body = await request.body()
    if not body:
        return
    try:
        _refuse_fractions(decode(body + b"\n"))  # a line of a journal must end so; a body need not
    except RecursionError:
        raise problem(400, "The body is nested too deeply.", code="unreadable") from None
    except UnreadableLine as error:
        say = str(error).replace("one JSON object a line", "one JSON object").replace("of the line", "of the body")
        raise problem(400, say, code="unreadable") from None


def _refuse_fractions(value: Any, path: str = "") -> None:
    """Refuse numbers that are not whole, or not written as such."""
    if isinstance(value, float):
        raise UnreadableLine(f"{path or 'the body'}: expected a whole number, in digits alone")
    if isinstance(value, dict):
        for key, part in value.items():
            _refuse_fractions(part, key)
    if isinstance(value, list):
        for part in value:
            _refuse_fractions(part, path)
