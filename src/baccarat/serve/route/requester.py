"""The requester: the session of a request, by its cookie or its bearer token."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, TypeVar

from litestar import Request
from litestar.connection import ASGIConnection

from baccarat.serve.access.denial import Denial, Denied
from baccarat.serve.access.session import Session
from baccarat.serve.http.problem import ProblemResponse, handover_problem, problem
from baccarat.serve.live import HouseServer

T = TypeVar("T")
HttpRequest = Request[Any, Any, Any]
Connection = ASGIConnection[Any, Any, Any, Any]
"""A request or a socket."""

COOKIE, HOST_COOKIE = "baccarat", "__Host-baccarat"
"""The cookie of a session, over plain HTTP and over TLS. By its prefix browsers take the second from this host alone,
and only over TLS: neither a page of a neighbouring host nor anyone on the way can plant a session."""
BUSY_SECONDS = 2
"""When to try again where too many sign on at the moment."""
_STATUS = {
    Denial.NO_SESSION: HTTPStatus.UNAUTHORIZED,
    Denial.EXPIRED: HTTPStatus.UNAUTHORIZED,
    Denial.REVOKED: HTTPStatus.UNAUTHORIZED,
    Denial.WRONG_SIGN_ON: HTTPStatus.UNAUTHORIZED,
    Denial.LOCKED: HTTPStatus.LOCKED,
    Denial.TOO_MANY_TRIES: HTTPStatus.TOO_MANY_REQUESTS,
    Denial.BUSY: HTTPStatus.SERVICE_UNAVAILABLE,
    Denial.BEHIND: HTTPStatus.SERVICE_UNAVAILABLE,
    Denial.BAD_NAME: HTTPStatus.BAD_REQUEST,
    Denial.BAD_PASSWORD: HTTPStatus.BAD_REQUEST,
    Denial.BAD_ROLES: HTTPStatus.BAD_REQUEST,
    Denial.BAD_ID: HTTPStatus.BAD_REQUEST,
    Denial.BAD_KEY: HTTPStatus.BAD_REQUEST,
    Denial.NAME_TAKEN: HTTPStatus.CONFLICT,
    Denial.NO_SUCH_PERSON: HTTPStatus.NOT_FOUND,
    Denial.NO_PROPOSAL: HTTPStatus.NOT_FOUND,
    Denial.NO_CODE: HTTPStatus.NOT_FOUND,
    Denial.LAST_ADMINISTRATOR: HTTPStatus.CONFLICT,
    Denial.OTHER_COMMAND: HTTPStatus.CONFLICT,
    Denial.COMMAND_CHANGED: HTTPStatus.CONFLICT,
    Denial.DECLINED: HTTPStatus.CONFLICT,
    Denial.WITHDRAWN: HTTPStatus.CONFLICT,
    Denial.LAPSED: HTTPStatus.CONFLICT,
    Denial.ALREADY_USED: HTTPStatus.CONFLICT,
    Denial.TOO_MANY_PROPOSALS: HTTPStatus.CONFLICT,
    Denial.PROPOSER_GONE: HTTPStatus.CONFLICT,
    Denial.ONE_PERSON: HTTPStatus.CONFLICT,
    Denial.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Denial.NO_SUCH_COMMAND: HTTPStatus.BAD_REQUEST,
    Denial.WRONG_STREAM: HTTPStatus.BAD_REQUEST,
}
"""The status of each denial; all others are 403."""


def live_of(connection: Connection) -> HouseServer:
    """The house that is served."""
    live: HouseServer = connection.app.state.live
    return live


def owner_of(live: HouseServer, table: str) -> str:
    """The address of the node that serves a table; a problem while it moves between nodes."""
    if live.node is None:
        return live.address
    owner = live.node.owner(table)
    if not owner:
        raise handover_problem()
    return owner


def require_served_here(connection: Connection, table: str) -> None:
    """A problem if another node serves a table; its header Location says which."""
    live = live_of(connection)
    owner = owner_of(live, table)
    if owner != live.address:
        say, where = "This table is served by another node.", {"Location": f"{owner}{connection.url.path}"}
        raise ProblemResponse(HTTPStatus.MISDIRECTED_REQUEST, say, code="elsewhere", headers=where)


def address_of(connection: Connection) -> str:
    """The address of the client."""
    return connection.client.host if connection.client else ""


def denied_problem(found: Denied) -> ProblemResponse:
    """The problem for a denial."""
    status = _STATUS.get(found.why, HTTPStatus.FORBIDDEN)
    wait = found.wait or (BUSY_SECONDS if status is HTTPStatus.SERVICE_UNAVAILABLE else 0)
    headers = {"Retry-After": str(wait)} if wait else {}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return ProblemResponse(
        status, found.say, code=found.code, what=f"denied_{found.code}", params=found.params, headers=headers
    )


def require_allowed(found: T | Denied) -> T:
    """What was not denied; a problem if it was."""
    if isinstance(found, Denied):
        raise denied_problem(found)
    return found


def cookie_name(live: HouseServer) -> str:
    """The name of the cookie of a session in this house; a practice house on plain HTTP cannot have the prefix."""
    return HOST_COOKIE if live.setting.is_over_tls else COOKIE


def token_of(connection: Connection) -> str:
    """The token that a request states; empty if it states none."""
    bearer = connection.headers.get("authorization", "")
    if bearer.startswith("Bearer "):
        return bearer.removeprefix("Bearer ")
    return connection.cookies.get(cookie_name(live_of(connection)), "")


async def session_of(connection: Connection) -> Session | None:
    """The session of a request; None without a token, or if it is not valid."""
    token, live = token_of(connection), live_of(connection)
    found = await live.desk.session(token) if token else None
    if not isinstance(found, Session):
        return None
    live.budgets.recognise(dict(connection.scope["headers"]), found)
    return found


async def session_or_public(connection: Connection) -> Session | None:
    """The session of a request; None without a token. An expired token is a problem: treated as the public, a person
    would only notice it by what is denied."""
    found = await session_of(connection)
    if found is None and token_of(connection):
        await require_any_session(connection)
    return found


async def require_any_session(connection: Connection) -> Session:
    """The session of a request, which must have one, even if the console is locked."""
    found = await session_of(connection)
    if found is None:
        raise problem(401, "Nobody is signed on here.", code="no_session", headers={"WWW-Authenticate": "Bearer"})
    return found


async def require_session(connection: Connection) -> Session:
    """The session of a request, which must have one, at a console that is not locked.

    It is read again, because it may have ended while the body arrived.
    """
    return note_session_use(connection, await require_any_session(connection), acted=False)


def note_session_use(connection: Connection, found: Session, *, acted: bool) -> Session:
    """The session of a request after its use; a problem if it is over or its console is locked."""
    return require_allowed(live_of(connection).desk.use(found, acted=acted))
