"""Who asks: the session of a request, by its cookie or its bearer token."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from litestar.connection import ASGIConnection

from baccarat.serve.live import Live
from baccarat.serve.problem import Problem
from baccarat.serve.session import Session

COOKIE = "baccarat"


def live_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Live:
    """The house that is served."""
    live: Live = connection.app.state.live
    return live


def session_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Session | None:
    """Whoever asks; nobody where no token comes with it, or none that is known."""
    bearer = connection.headers.get("authorization", "")
    token = bearer.removeprefix("Bearer ") if bearer.startswith("Bearer ") else connection.cookies.get(COOKIE, "")
    return live_of(connection).sessions.find(token) if token else None


def known(connection: ASGIConnection[Any, Any, Any, Any]) -> Session:
    """Whoever asks, who must be somebody."""
    found = session_of(connection)
    if found is None:
        raise Problem(HTTPStatus.UNAUTHORIZED, "Nobody is signed on here.", headers={"WWW-Authenticate": "Bearer"})
    return found
