"""The lobby: what moves at every table, for a page that looks again every few seconds.

A person who asks for it is taken to be in the lobby for a while: in a practice house company then plays at the tables
that a program deals. The cards of tables (`GET /api/tables`) say what does not move, and have no such effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar.params import FromPath

from baccarat.picture.road import write_marks
from baccarat.play.road import Bead
from baccarat.serve.automation.timer import TimerKind
from baccarat.serve.fanout.table_room import TableRoom
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.route.table import TableCard, automated_seats, card_of, room_of
from baccarat.serve.runtime.round_index import IndexedRound
from baccarat.table.role import Role
from baccarat.table.step.wagering import WAGER
from baccarat.table.view import Viewer, view_moment

routes = RouteGroup("tables")


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """What moves at a table."""

    table: str
    rules: str
    """The hash of the rulebook: if it differs from that of the table's card, read the card again."""
    phase: str
    """`open` while wagers are accepted, `play` while a round is dealt and paid, `shoe` while a shoe is prepared, or
    `stopped`."""
    closes_in: float | None = None
    """In how many seconds no more wagers are accepted; null if no time is running."""
    round: int
    marks: str
    """The results of this shoe, in the form for the address of a road's picture."""
    free: list[int]
    """The free seats."""
    automated: list[int]
    """The seats of automated participants of a practice house: a program plays there, nobody else."""


class LobbyTables(msgspec.Struct, frozen=True, kw_only=True):
    """What moves at the tables of the house."""

    tables: list[LobbyTable]


def phase_of(room: TableRoom, results: Sequence[Bead]) -> str:
    """What is going on at a table, in one word."""
    state = room.state
    if state.stopped:
        return "stopped"
    if state.step == WAGER:
        return "open"
    return "play" if state.round.closed or results else "shoe"


def lobby_table(name: str, room: TableRoom, results: Sequence[Bead]) -> LobbyTable:
    """What moves at one table."""
    state = room.state
    closing = (timer.left for timer in room.running_timers if timer.what == TimerKind.BETTING.value)
    return LobbyTable(
        table=name,
        rules=room.rules.hash,
        phase=phase_of(room, results),
        closes_in=next(closing, None) if state.step == WAGER else None,
        round=state.round.number,
        marks=write_marks(results),
        free=[seat for seat, held in enumerate(state.seats.participants, start=1) if held is None],
        automated=automated_seats(room),
    )


@routes.get("/api/lobby", "What moves in the lobby", EVERYBODY)
async def lobby(request: HttpRequest) -> LobbyTables:
    """What moves at every table. In a practice house company plays while somebody looks."""
    live = live_of(request)
    live.rooms.visit_lobby()
    rooms = dict(sorted(live.rooms.items()))
    found = await live.lobby_roads.results_at(rooms)
    return LobbyTables(tables=[lobby_table(name, room, found[name]) for name, room in rooms.items()])


class TableSign(msgspec.Struct, frozen=True, kw_only=True):
    """What the sign over a table shows."""

    card: TableCard
    now: LobbyTable
    last: IndexedRound | None
    """The last round of this shoe that had a result."""
    meters: Any
    """The progressive meters, as everybody sees them."""


@routes.get("/api/tables/{name:str}/sign", "The sign over a table", EVERYBODY, 404)
async def sign(request: HttpRequest, name: FromPath[str]) -> TableSign:
    """What a screen over a table shows, without signing on. A screen is nobody: company does not play for it."""
    live = live_of(request)
    room = room_of(live, name)
    results = (await live.lobby_roads.results_at({name: room}))[name]
    return TableSign(
        card=card_of(name, room, live.house.state.tables, results),
        now=lobby_table(name, room, results),
        last=await live.lobby_roads.last_round(name, room),
        meters=view_moment(room.now, Viewer(Role.PUBLIC)).state.meters,
    )
