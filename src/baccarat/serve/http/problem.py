"""Problems (RFC 9457): the answers to requests that fail, with the clauses that decide.

Every such answer is `application/problem+json` with `type`, `title`, `status`, `detail` and `code`; a refusal of a
table has `clauses` too. None ever contains internals of the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from baccarat.house.stream import stream_name
from baccarat.play.refusal import Refused, refusal_sentence, spoken_params
from baccarat.record.text import visible
from baccarat.serve.http.shield import PROBLEM_PAGE, BodyTooLong
from baccarat.serve.runtime.pending_batch import Misdirected
from baccarat.serve.store.base import NotAppended, StoreUnavailable, StoreUnreachable
from baccarat.serve.store.read_pool import PoolExhausted
from baccarat.serve.watch.sentence import as_sentence

MEDIA_TYPE = "application/problem+json"
BY_STATUS = {
    400: "bad_request",
    403: "forbidden",
    404: "nothing_here",
    405: "other_method",
    409: "conflict",
    410: "dropped",
    413: "body_too_long",
    415: "not_json",
    429: "too_many_requests",
    500: "fault",
    503: "not_now",
}
"""The default codes of problems."""


class ProblemDetail(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One problem, by RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    instance: str = ""
    code: str = ""
    clauses: tuple[str, ...] = ()
    what: str = ""
    """The name of the sentence in `detail`; empty if it is the code."""
    params: dict[str, Any] = {}
    """Its parameters."""
    faults: tuple[str, ...] = ()
    """If several things are wrong: each of them."""


class ProblemResponse(Exception):  # noqa: N818
    """A request that is answered with a problem."""

    def __init__(  # noqa: PLR0913  what an answer may have
        self,
        status: HTTPStatus,
        detail: str,
        *,
        code: str = "",
        what: str = "",
        params: Mapping[str, Any] | None = None,
        clauses: tuple[str, ...] = (),
        faults: tuple[str, ...] = (),
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.code = status, detail, code
        self.what, self.params = what, params or {}
        self.clauses, self.faults, self.headers = clauses, faults, headers or {}


def problem(status: int, detail: str, *, code: str = "", headers: dict[str, str] | None = None) -> ProblemResponse:
    """A problem in one sentence."""
    return ProblemResponse(HTTPStatus(status), detail, code=code, headers=headers)


def dropped_problem(what: str, *, code: str = "") -> ProblemResponse:
    """What was asked for existed, such as `The record was`, and a practice table has dropped it."""
    return problem(HTTPStatus.GONE, f"{what} dropped: a practice table keeps only its last shoes.", code=code)


def handover_problem() -> ProblemResponse:
    """A table is moving from one node to another now."""
    say = "Another node is taking over this table; try again in a moment."
    return ProblemResponse(HTTPStatus.SERVICE_UNAVAILABLE, say, code="taken_over", headers={"Retry-After": "1"})


NAMED_LETTERS = 80
"""The most characters of a requested name that a problem repeats."""


def quoted_name(name: str) -> str:
    """A name from outside, in quotes, for a problem."""
    return repr(shortened(name))


def shortened(name: str) -> str:
    """A name from outside, cut off where it is long."""
    return name if len(name) <= NAMED_LETTERS else f"{name[:NAMED_LETTERS]}…"


def not_found(what: str, *, code: str) -> ProblemResponse:
    """The problem that there is no such thing."""
    return ProblemResponse(HTTPStatus.NOT_FOUND, f"There is no {visible(what)}.", code=code)


def refused_problem(refused: Refused) -> ProblemResponse:
    """The problem for a refusal: the sentence, the code and the clauses."""
    return ProblemResponse(
        HTTPStatus.CONFLICT,
        refusal_sentence(refused),
        code=refused.code.value,
        what=refused.what,
        params=spoken_params(refused),
        clauses=tuple(map(str, refused.cites)),
    )


MOST_PATH = 200
"""The most characters of the requested address that are repeated."""


def _response(
    status: int, detail: str, *, path: str, headers: dict[str, str] | None = None, **more: Any
) -> Response[Any]:
    title = HTTPStatus(status).phrase
    if status == HTTPStatus.SERVICE_UNAVAILABLE:  # retrying helps, and the answer says when
        headers = {"Retry-After": "1", **(headers or {})}
    code = more.pop("code", "") or BY_STATUS.get(status, "")
    kind = f"{PROBLEM_PAGE}#{code}" if code else "about:blank"
    found = ProblemDetail(
        type=kind, title=title, status=status, detail=as_sentence(detail), instance=path[:MOST_PATH], code=code, **more
    )
    return Response(
        msgspec.json.encode(found),
        status_code=status,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def answer_problem(request: Request[Any, Any, Any], error: ProblemResponse) -> Response[Any]:
    """The answer to a problem of ours."""
    return _response(
        error.status,
        error.detail,
        path=request.url.path,
        headers=error.headers,
        code=error.code,
        what=error.what,
        params={**error.params},
        clauses=error.clauses,
        faults=error.faults,
    )


OF_THE_FRAMEWORK = {
    404: "There is nothing at this address.",
    405: "This address does not support this method; the header Allow lists those it does.",
    413: "The body is too long.",
    415: "The body has the wrong type: send JSON, with a Content-Type that says so.",
}
"""The details when the framework refuses a request."""


def answer_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """The answer to what the framework refuses: no such page, a wrong method, an invalid body."""
    faults: tuple[str, ...] = ()
    detail = OF_THE_FRAMEWORK.get(error.status_code, error.detail)
    if isinstance(error, ValidationException):
        detail = "Something in the request is not valid."
        found = error.extra if isinstance(error.extra, list) else []
        faults = tuple(f"{each.get('key', 'body')}: {each.get('message', 'not valid')}" for each in found)
    headers = {name: value for name, value in (error.headers or {}).items() if name.lower() in ("allow", "retry-after")}
    return _response(error.status_code, detail, path=request.url.path, headers=headers, faults=faults)


def answer_fault(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """The answer to a bug of ours: it is in the log, and nothing of it is sent."""
    live = request.app.state.live
    live.metrics.counts.faults += 1
    live.log.fault(error, "a request failed because of a bug in the program", method=request.method)
    detail = "Something went wrong on our side; it has been logged."
    return _response(HTTPStatus.INTERNAL_SERVER_ERROR, detail, path=request.url.path)


def answer_pool_exhausted(request: Request[Any, Any, Any], _error: PoolExhausted) -> Response[Any]:
    """The answer if too many are reading."""
    detail = "Too many are reading; try again in a moment."
    return _response(503, detail, path=request.url.path, code="crowded")


def answer_store_unavailable(
    request: Request[Any, Any, Any], error: StoreUnavailable | StoreUnreachable
) -> Response[Any]:
    """The answer if the store could not be read: nothing was done."""
    live = request.app.state.live
    if live.readiness.holds_lease():  # otherwise the operator knows already
        live.metrics.counts.faults += 1
        live.log.fault(error, "a request failed because the store did not answer", method=request.method)
    return _response(503, "The store did not answer; try again in a moment.", path=request.url.path)


def answer_elsewhere(request: Request[Any, Any, Any], error: Misdirected) -> Response[Any]:
    """The answer if an act touches a table that another node serves: nothing was entered here."""
    node, path = request.app.state.live.node, request.url.path
    owner = node.owner(stream_name(error.streams[0]))
    if not owner:
        return answer_problem(request, handover_problem())
    where = {"Location": f"{owner}{path}"}
    return _response(421, "This table is served by another node.", path=path, headers=where, code="elsewhere")


def answer_overtaken(request: Request[Any, Any, Any], _error: NotAppended) -> Response[Any]:
    """The answer if other nodes were first again and again: nothing was stored."""
    detail = "Somebody else was first, through another node, and nothing was done; check and try again."
    return _response(409, detail, path=request.url.path, code="overtaken")


def answer_too_long(request: Request[Any, Any, Any], error: BodyTooLong) -> Response[Any]:
    """The answer to a body without a stated length that was too long."""
    return _response(413, str(error), path=request.url.path)


HANDLERS: dict[Any, Any] = {
    BodyTooLong: answer_too_long,
    ProblemResponse: answer_problem,
    PoolExhausted: answer_pool_exhausted,
    Misdirected: answer_elsewhere,
    NotAppended: answer_overtaken,
    StoreUnavailable: answer_store_unavailable,
    StoreUnreachable: answer_store_unavailable,
    HTTPException: answer_http,
    Exception: answer_fault,
}
