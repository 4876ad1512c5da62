"""Who may use which route: each route says it once; a guard enforces it, and the documentation and the tests read it.

A route that does not say so cannot be made: `RouteGroup` is the only way. What is denied to a known person is logged.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Response, delete, get, patch, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import SecurityScheme
from litestar.types import ControllerRouterHandler

from baccarat.serve.access.denial import Denial, make_denial
from baccarat.serve.access.session import SessionKind
from baccarat.serve.http.problem import MEDIA_TYPE, ProblemDetail
from baccarat.serve.route.requester import (
    COOKIE,
    HOST_COOKIE,
    Connection,
    denied_problem,
    live_of,
    note_session_use,
    require_session,
    session_of,
)
from baccarat.serve.setting import Mode
from baccarat.table.role import Role

KEY = "allow"
"""The key under which a route stores who may use it."""


class RouteAccess(msgspec.Struct, frozen=True):
    """Who may use a route."""

    say: str
    """In words, for the documentation."""
    roles: frozenset[Role] | None = None
    """In which capacities; None if the capacity does not matter."""
    needs_session: bool = False
    open_in_practice: bool = False
    """Whether everybody may in a practice house, where all money is play money and everybody is anonymous."""
    acts: bool = False
    """Whether it changes something: then it counts as an act at the console."""
    though_locked: bool = False
    """Whether it may be used at a locked console."""
    in_person: bool = False
    """Whether no visitor of a practice house may use it, in whatever capacity."""

    def admits(self, role: Role | None, *, is_practice: bool, is_person: bool = True) -> bool:
        """Whether a person in a role, or an anonymous person, may use the route."""
        if self.open_in_practice and is_practice:
            return role is not None or not self.acts
        if self.roles is not None:
            return role in self.roles and is_person
        return role is not None or not self.needs_session


EVERYBODY = RouteAccess("everybody")
SIGNED_ON = RouteAccess("everybody who is signed on or visits", needs_session=True)
THOUGH_LOCKED = RouteAccess(
    "everybody who is signed on or visits, even at a locked console", needs_session=True, though_locked=True
)
ACTING = RouteAccess("everybody who is signed on or visits", needs_session=True, acts=True)


def only(roles: frozenset[Role], *, practice: bool = False, acts: bool = False, in_person: bool = False) -> RouteAccess:
    """Only some capacities."""
    words = ", ".join(role.value for role in Role if role in roles)
    words += "; in a practice house everybody" if practice else "; no visitor" if in_person else ""
    return RouteAccess(words, roles, needs_session=True, open_in_practice=practice, acts=acts, in_person=in_person)


SAYS = {
    HTTPStatus.BAD_REQUEST: "Something in the request is not valid.",
    HTTPStatus.UNAUTHORIZED: "Nobody is signed on.",
    HTTPStatus.FORBIDDEN: "You may not do this.",
    HTTPStatus.NOT_FOUND: "There is no such thing.",
    HTTPStatus.CONFLICT: "Refused, under the clauses that it names.",
    HTTPStatus.GONE: "It existed, and has been dropped.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too long.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body has the wrong type.",
    HTTPStatus.MISDIRECTED_REQUEST: "Another node serves this table; Location says which.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The body can be read, but contradicts what it is about.",
    HTTPStatus.LOCKED: "The console is locked.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests; Retry-After says when to try again.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Not now; Retry-After says when to try again.",
}
"""What each status of a problem means."""
ALWAYS = (HTTPStatus.BAD_REQUEST, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
WITH_SESSION = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.LOCKED)
WITH_BODY = (HTTPStatus.FORBIDDEN, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


class RouteGroup(list[ControllerRouterHandler]):
    """The routes of a module in the order of their definition, and the tag under which the documentation lists them.

    Each is made with its address, its summary, who may use it, and the statuses of its problems.
    """

    def __init__(self, tag: str) -> None:
        super().__init__()
        self._tag = tag
        self.get = partial(self._route, get)
        self.post = partial(self._route, post)
        self.post_ok = partial(self._route, post, status_code=HTTPStatus.OK)  # nothing is created by it
        self.put = partial(self._route, put)
        self.patch = partial(self._route, patch)
        self.delete = partial(self._route, delete)

    def _route(
        self,
        method: type[HTTPRouteHandler],
        path: str,
        summary: str,
        allow: RouteAccess,
        *statuses: int,
        body: bool = False,
        tag: str = "",
        **options: Any,
    ) -> HTTPRouteHandler:
        options |= {"summary": summary, "tags": [tag or self._tag], "security": _security(allow)}
        options |= {"opt": {KEY: allow}, "guards": [guard], "after_request": not_kept}
        made = method(path, responses=_responses(allow, statuses, body=body), **options)
        self.append(made)
        return made


def _responses(allow: RouteAccess, statuses: tuple[int, ...], *, body: bool) -> dict[int, ResponseSpec]:
    """Every answer of a route other than success."""
    found = [*ALWAYS, *(WITH_SESSION if allow.needs_session else ()), *(WITH_BODY if body or allow.acts else ())]
    found += [HTTPStatus(status) for status in statuses if status != HTTPStatus.NOT_MODIFIED]
    responses = {int(status): _problem(SAYS[status]) for status in sorted(set(found))}
    if HTTPStatus.NOT_MODIFIED in statuses:
        responses[304] = ResponseSpec(None, description="You have it already.", generate_examples=False)
    return responses


def _security(allow: RouteAccess) -> list[dict[str, list[str]]] | None:
    """How the description says that a route needs a session: by the cookie, or by the same token as a bearer."""
    if not allow.needs_session:
        return None
    ways: list[dict[str, list[str]]] = [{name: []} for name in SCHEMES]
    return [{}, *ways] if allow.open_in_practice else ways


SCHEMES = {
    "bearer": SecurityScheme(type="http", scheme="bearer", description="the token of a session"),
    "cookie": SecurityScheme(
        type="apiKey", name=COOKIE, security_scheme_in="cookie", description="in a practice house over plain HTTP"
    ),
    "host_cookie": SecurityScheme(
        type="apiKey", name=HOST_COOKIE, security_scheme_in="cookie", description="in a house over TLS"
    ),
}
"""The ways to send the token of a session."""


def not_kept(response: Response[Any]) -> Response[Any]:
    """An answer that may not be cached, unless it says otherwise: most are for one person at one moment."""
    if not any(name.lower() == "cache-control" for name in response.headers):
        response.headers["Cache-Control"] = "no-store"
    return response


def _problem(say: str) -> ResponseSpec:
    return ResponseSpec(ProblemDetail, description=say, media_type=MEDIA_TYPE, generate_examples=False)


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let in only those who may use the route."""
    allow: RouteAccess = handler.opt[KEY]
    live = live_of(connection)
    is_practice = live.setting.mode is Mode.PRACTICE
    session = await session_of(connection)
    role = session.role if session is not None else None
    may_visit = role is not Role.PARTICIPANT and not allow.in_person
    is_person = session is not None and (session.kind is SessionKind.PERSON or may_visit)
    if allow.admits(role, is_practice=is_practice, is_person=is_person):
        if session is not None and allow.needs_session and not allow.though_locked:
            note_session_use(connection, session, acted=allow.acts)
        return
    if session is None:
        await require_session(connection)
        raise AssertionError("without a session, the line above raises")
    allowed = " or ".join(sorted(each.value for each in allow.roles or ()))
    summary = getattr(handler, "summary", "") or " ".join(sorted(handler.paths))
    what = make_denial(Denial.WRONG_ROLE, act=summary, allowed=allowed, role=session.role.value)
    if not is_person and session.role in (allow.roles or ()):
        what = make_denial(Denial.ONLY_VISITS, act=summary)
    raise denied_problem(live.desk.deny(session, what, about=" ".join(sorted(handler.paths))))
