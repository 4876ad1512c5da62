"""Coming in: signing on in a role, or visiting a practice house; a socket needs a ticket."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, WebSocket, delete, get, post, websocket
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler
from msgspec import Meta

from baccarat.serve.access.base import Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.session import Issued, Session
from baccarat.serve.live import Live
from baccarat.serve.problem import Problem
from baccarat.serve.route.allow import EVERYBODY, SIGNED_ON, route
from baccarat.serve.route.who import COOKIE, address_of, denied_problem, known, live_of, session_of
from baccarat.serve.socket import talk
from baccarat.table.role import Role

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Password = Annotated[str, Meta(min_length=1, max_length=1000)]


class Someone(msgspec.Struct, frozen=True, kw_only=True):
    """Who you are here."""

    who: str
    role: Role
    table: str = ""


class SignOn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who wants to come in, as what."""

    name: Name
    password: Password
    role: Role

    def __repr__(self) -> str:
        return "<SignOn>"


class FirstAdministrator(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The secret of the one-time link, and the name and password of whoever uses it."""

    link: Name
    name: Name
    password: Password

    def __repr__(self) -> str:
        return "<FirstAdministrator>"


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table that a socket is to join."""

    table: Name


class TicketAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket for one socket, good for half a minute, and where the socket goes."""

    ticket: str
    socket: str


def _come_in(live: Live, issued: Issued) -> Response[Someone]:
    secure = live.setting.origin.startswith("https:")
    cookie = Cookie(key=COOKIE, value=issued.token.reveal(), httponly=True, samesite="strict", secure=secure)
    return Response(_someone(issued.session), cookies=[cookie], headers={"Cache-Control": "no-store"})


def _someone(session: Session) -> Someone:
    return Someone(who=session.person, role=session.role, table=session.table)


@post(
    "/api/visit",
    status_code=HTTPStatus.OK,
    summary="Come in to a practice house",
    **route(EVERYBODY, 403, tag="session"),
)
async def visit(request: Request[Any, Any, Any]) -> Response[Someone]:
    """Be somebody here without signing on; who is already stays who he is."""
    live, here = live_of(request), session_of(request)
    if here is not None:
        return Response(_someone(here), headers={"Cache-Control": "no-store"})
    found = await live.desk.visit(address=address_of(request))
    if isinstance(found, Denied):
        raise denied_problem(found)
    return _come_in(live, found)


@post(
    "/api/session",
    status_code=HTTPStatus.CREATED,
    summary="Sign on in a role",
    **route(EVERYBODY, 401, 403, body=True, tag="session"),
)
async def sign_on(request: Request[Any, Any, Any], data: JSONBody[SignOn]) -> Response[Someone]:
    """A session in one of one's roles."""
    live = live_of(request)
    found = await live.desk.sign_on(data.name, Secret(data.password), data.role, address=address_of(request))
    if isinstance(found, Denied):
        raise denied_problem(found)
    return _come_in(live, found)


@get("/api/session", summary="Who you are here", **route(SIGNED_ON, tag="session"))
async def whoami(request: Request[Any, Any, Any]) -> Someone:
    """The session of this request."""
    return _someone(known(request))


@delete("/api/session", status_code=HTTPStatus.NO_CONTENT, summary="Sign off", **route(SIGNED_ON, tag="session"))
async def sign_off(request: Request[Any, Any, Any]) -> None:
    """End one's own session at once."""
    found = await live_of(request).desk.sign_off(known(request))
    if isinstance(found, Denied):
        raise denied_problem(found)


@post(
    "/api/administrator",
    status_code=HTTPStatus.CREATED,
    summary="Use the one-time link of a new house",
    **route(EVERYBODY, 404, 409, body=True, tag="session"),
)
async def administrator(request: Request[Any, Any, Any], data: JSONBody[FirstAdministrator]) -> Someone:
    """The first administrator of a house, by the link that was printed on its terminal."""
    desk, password = live_of(request).desk, Secret(data.password)
    found = await desk.make_administrator(data.link, data.name, password, address=address_of(request))
    if isinstance(found, Denied):
        raise denied_problem(found)
    return Someone(who=found.id, role=Role.ADMINISTRATOR)


@post(
    "/api/tickets",
    status_code=HTTPStatus.CREATED,
    summary="A ticket for a socket",
    **route(EVERYBODY, 401, 403, 404, body=True, tag="session"),
)
async def ticket(request: Request[Any, Any, Any], data: JSONBody[Wanted]) -> TicketAnswer:
    """A ticket with which one socket joins one table; whoever is nobody watches like the public."""
    live, session = live_of(request), session_of(request)
    if data.table not in live.rooms:
        raise Problem(HTTPStatus.NOT_FOUND, f"There is no table {data.table!r}.", code="no_such_table")
    found = live.desk.give_ticket(session, table=data.table, address=live.address)
    if isinstance(found, Denied):
        raise denied_problem(found)
    return TicketAnswer(ticket=found.token.reveal(), socket="/socket")


@websocket("/socket")
async def socket(socket: WebSocket[Any, Any, Any]) -> None:
    """Sit at or look at a table."""
    await talk(socket, live_of(socket))


def visit_routes() -> list[ControllerRouterHandler]:
    """The routes by which people come in."""
    return [visit, sign_on, whoami, sign_off, administrator, ticket, socket]
