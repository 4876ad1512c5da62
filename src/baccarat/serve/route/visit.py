"""Coming in: a visitor of a practice house has a session at once; a socket needs a ticket."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response, WebSocket, post, websocket
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from litestar.types import ControllerRouterHandler

from baccarat.serve.problem import Problem
from baccarat.serve.route.who import COOKIE, known, live_of, session_of
from baccarat.serve.setting import Mode
from baccarat.serve.socket import talk


class Visitor(msgspec.Struct, frozen=True, kw_only=True):
    """Who you are here."""

    who: str
    role: str


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table that a socket is to join."""

    table: str


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket for one socket, good for half a minute, and where the socket goes."""

    ticket: str
    socket: str


@post("/api/visit", status_code=HTTPStatus.OK, summary="Come in to a practice house")
async def visit(request: Request[Any, Any, Any]) -> Response[Visitor]:
    """Be somebody here; who is already stays who he is."""
    live = live_of(request)
    if live.setting.mode is not Mode.PRACTICE:
        raise Problem(HTTPStatus.FORBIDDEN, "This house has real tables: sign on first.")
    session, cookies = session_of(request), []
    if session is None:
        token, session = live.sessions.visitor()
        secure = live.setting.origin.startswith("https://")
        cookies = [Cookie(key=COOKIE, value=token, httponly=True, samesite="strict", secure=secure, max_age=86_400)]
    return Response(Visitor(who=session.who, role=session.role.value), cookies=cookies)


@post("/api/tickets", status_code=HTTPStatus.CREATED, summary="A ticket for a socket")
async def ticket(request: Request[Any, Any, Any], data: JSONBody[Wanted]) -> Ticket:
    """A ticket with which one socket joins one table."""
    live, session = live_of(request), known(request)
    if data.table not in live.rooms:
        raise Problem(HTTPStatus.NOT_FOUND, f"There is no table {data.table!r}.", code="no_such_table")
    return Ticket(ticket=live.sessions.ticket(session, data.table), socket="/socket")


@websocket("/socket")
async def socket(socket: WebSocket[Any, Any, Any]) -> None:
    """Sit at or look at a table."""
    await talk(socket, live_of(socket))


def visit_routes() -> list[ControllerRouterHandler]:
    """The routes by which people come in."""
    return [visit, ticket, socket]
