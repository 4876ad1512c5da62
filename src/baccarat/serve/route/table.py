"""Tables: which there are, and how each looks to whoever asks."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, get
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler

from baccarat.play.book import open_book
from baccarat.serve.live import Live
from baccarat.serve.problem import no_such
from baccarat.serve.room import Room, seat_of
from baccarat.serve.route.allow import EVERYBODY, route
from baccarat.serve.route.who import live_of, session_of
from baccarat.table.role import Role
from baccarat.table.view import Viewer, view_moment


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Least and most of a wager, in cents."""

    min: int
    max: int


class TableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the lobby shows it."""

    table: str
    edition: str
    title: str
    seats: int
    free: list[int]
    watching: int
    step: str
    shoe: int
    round: int
    limits: dict[str, Limits]
    """Of every wager that is offered, by its name."""


def card_of(name: str, room: Room) -> TableCard:
    """What the lobby says of a table."""
    rules, state = room.rules, room.state
    taken = state.seats.participants
    offered, elected = open_book(rules).kinds, rules.elections.limits or {}
    limits = {
        kind.value: Limits(min=elected[kind.value].min, max=elected[kind.value].max)
        for kind in offered
        if kind.value in elected
    }
    return TableCard(
        table=name,
        edition=rules.edition.name,
        title=rules.edition.title,
        seats=len(taken),
        free=[seat for seat, held in enumerate(taken, start=1) if held is None],
        watching=len(room.guests),
        step=state.step,
        shoe=state.shoe.number + 1,
        round=state.round.number,
        limits=limits,
    )


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of the house."""

    tables: list[TableCard]


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A table as whoever asks may see it."""

    table: str
    role: Role
    seat: int
    view: Any


def room_of(live: Live, name: str) -> Room:
    """The room of a table; a problem where there is none."""
    room = live.rooms.get(name)
    if room is None:
        raise no_such(f"table {name!r}", code="no_such_table")
    return room


def viewer_of(request: Request[Any, Any, Any], room: Room) -> Viewer:
    """As whom somebody sees a table now."""
    session = session_of(request)
    if session is None:
        return Viewer(Role.PUBLIC)
    seat = seat_of(room.state, session.person) if session.role is Role.PARTICIPANT else 0
    return Viewer(session.role, seat)


@get("/api/tables/{name:str}", summary="One table", **route(EVERYBODY, 404, tag="tables"))
async def table(request: Request[Any, Any, Any], name: FromPath[str]) -> TableCard:
    """A table, as the lobby shows it."""
    return card_of(name, room_of(live_of(request), name))


@get("/api/tables/{name:str}/view", summary="A table, as you may see it", **route(EVERYBODY, 404, tag="tables"))
async def view(request: Request[Any, Any, Any], name: FromPath[str]) -> Seen:
    """The whole table: what lies on it, and what is due, as far as you may see it."""
    room = room_of(live_of(request), name)
    viewer = viewer_of(request, room)
    return Seen(table=name, role=viewer.role, seat=viewer.seat, view=view_moment(room.now, viewer))


@get("/api/tables", summary="The tables of the house", **route(EVERYBODY, tag="tables"))
async def tables(request: Request[Any, Any, Any]) -> Tables:
    """Every table, as the lobby shows it."""
    return Tables(tables=[card_of(name, room) for name, room in sorted(live_of(request).rooms.items())])


def table_routes() -> list[ControllerRouterHandler]:
    """The routes about tables."""
    return [tables, table, view]
