"""Tables: which there are, how each looks to whoever asks, and acts at them."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, get
from litestar.types import ControllerRouterHandler

from baccarat.serve.room import Room
from baccarat.serve.route.who import live_of


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


def card_of(name: str, room: Room) -> TableCard:
    """What the lobby says of a table."""
    rules, state = room.rules, room.state
    taken = state.seats.participants
    limits = {kind: Limits(min=each.min, max=each.max) for kind, each in (rules.elections.limits or {}).items()}
    return TableCard(
        table=name,
        edition=rules.edition.name,
        title=rules.edition.title,
        seats=len(taken),
        free=[seat for seat, held in enumerate(taken, start=1) if held is None],
        watching=len(room.guests),
        step=state.step,
        shoe=state.shoe.number,
        round=state.round.number,
        limits=limits,
    )


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of the house."""

    tables: list[TableCard]


@get("/api/tables", summary="The tables of the house")
async def tables(request: Request[Any, Any, Any]) -> Tables:
    """Every table, as the lobby shows it."""
    return Tables(tables=[card_of(name, room) for name, room in sorted(live_of(request).rooms.items())])


def table_routes() -> list[ControllerRouterHandler]:
    """The routes about tables."""
    return [tables]
