"""Shoes, rounds and roads of a table: lists newest first, a round with all that the person may see, roads drawn."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Response
from litestar.params import FromPath, QueryParameter

from baccarat.engine.redecide import read_events
from baccarat.house.stream import Stream, table_stream
from baccarat.picture.road import write_marks
from baccarat.play.road import REACH, Road, Roads, roads
from baccarat.play.road_text import draw
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.access.session import Session
from baccarat.serve.http.problem import dropped_problem, not_found
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.cached import client_has, not_modified, response_with_etag, tag_of
from baccarat.serve.route.cursor import DEFAULT_LIMIT, Cursor, PageLimit, read_cursor, write_cursor
from baccarat.serve.route.requester import HttpRequest, live_of, session_of
from baccarat.serve.route.table import room_of
from baccarat.serve.runtime.round_index import (
    IndexedRound,
    IndexedShoe,
    RoundResult,
    find_round,
    first_seq,
    rounds_before,
    rounds_of_shoe,
    seat_at,
    shoes_before,
)
from baccarat.serve.store.base import Reads
from baccarat.serve.watch.sentence import told_event
from baccarat.table.bounds import MOST_WHOLE
from baccarat.table.role import Role
from baccarat.table.view import Viewer, view_event

routes = RouteGroup("tables")

COLUMNS = 40
Number = FromPath[int]
ShoeNumber = Annotated[
    int, QueryParameter(name="shoe", ge=0, lt=2**53, description="counted from 1; 0 is the one in play")
]


class RoundCard(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over, as everybody saw it; rounds are counted from 1 in their shoe, shoes from 1."""

    shoe: int
    round: int
    at: int
    """When it was over, in microseconds UTC."""
    result: RoundResult

    @classmethod
    def from_index(cls, played: IndexedRound) -> RoundCard:
        """A row of the index without the number of its record, which could reveal what is hidden."""
        return cls(shoe=played.shoe, round=played.round, at=played.at, result=played.result)


class ShoeCard(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe: how many of its rounds are over, and when the first and the last of them were, in microseconds UTC."""

    shoe: int
    rounds: int
    began: int
    at: int

    @classmethod
    def from_index(cls, played: IndexedShoe) -> ShoeCard:
        """The same without the number of the last record."""
        return cls(shoe=played.shoe, rounds=played.rounds, began=played.began, at=played.at)


class RoundsPage(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds that are over, newest first."""

    table: str
    rounds: list[RoundCard]
    next: str = ""
    """The cursor of the next page; empty on the last."""


class Shoes(msgspec.Struct, frozen=True, kw_only=True):
    """Shoes of a table, newest first."""

    table: str
    shoes: list[ShoeCard]
    next: str = ""


class ShownEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event as you may see it: its fields, a sentence, and the clauses behind it."""

    event: Any
    say: str = ""
    what: str = ""
    """The name of the sentence."""
    params: dict[str, Any] = {}
    """Its parameters."""


class RoundDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over: the result, and everything that happened, as far as you may see it."""

    table: str
    shoe: int
    round: int
    at: int
    result: RoundResult
    role: Role
    seat: int
    """Your seat when the round ended; 0 if you had none."""
    events: list[ShownEvent]


class RoadsShown(msgspec.Struct, frozen=True, kw_only=True):
    """The roads of a shoe after its last round that is over."""

    table: str
    shoe: int
    results: str
    marks: str
    """The results with pairs and naturals, in the form for the address of a road's picture."""
    bead_plate: Any
    big_road: Any
    big_eye_boy: Any
    small_road: Any
    cockroach_pig: Any
    ask: Any
    statistics: Any


# ------------------------------------------------------------------------------------------------ lists


@routes.get("/api/tables/{name:str}/shoes", "The shoes of a table", EVERYBODY, 404)
async def shoes(
    request: HttpRequest, name: FromPath[str], limit: PageLimit = DEFAULT_LIMIT, cursor: Cursor = ""
) -> Shoes:
    """The shoes of which a round is over, newest first."""
    live = live_of(request)
    room_of(live, name)
    found = read_cursor("shoes", cursor, int)
    before, stream = int(found[0]) if found else MOST_WHOLE, table_stream(name)
    rows = await live.reading.ask(
        lambda reads: shoes_before(reads, stream, before, limit=limit + 1, after_seq=last_dropped_seq(reads, stream))
    )
    more = write_cursor("shoes", rows[limit - 1].shoe) if len(rows) > limit else ""
    return Shoes(table=name, shoes=[ShoeCard.from_index(row) for row in rows[:limit]], next=more)


@routes.get("/api/tables/{name:str}/rounds", "The rounds of a table", EVERYBODY, 404)
async def rounds(
    request: HttpRequest, name: FromPath[str], limit: PageLimit = DEFAULT_LIMIT, cursor: Cursor = ""
) -> RoundsPage:
    """The rounds that are over, newest first: hands and results."""
    live = live_of(request)
    room_of(live, name)
    found = read_cursor("rounds", cursor, int, int)
    shoe, round_ = (int(found[0]), int(found[1])) if found else (MOST_WHOLE, MOST_WHOLE)
    stream = table_stream(name)
    rows = await live.reading.ask(
        lambda reads: rounds_before(
            reads, stream, shoe, round_, limit=limit + 1, after_seq=last_dropped_seq(reads, stream)
        )
    )
    last = rows[limit - 1] if len(rows) > limit else None
    more = write_cursor("rounds", last.shoe, last.round) if last else ""
    return RoundsPage(table=name, rounds=[RoundCard.from_index(row) for row in rows[:limit]], next=more)


def last_dropped_seq(reads: Reads, stream: Stream) -> int:
    """The last record that was dropped; practice tables keep only their last shoes."""
    kept = reads.entries(stream, after=-1, limit=1)
    return kept[0].seq - 1 if kept else 0


# ---------------------------------------------------------------------------------------------- one round


@routes.get(
    "/api/tables/{name:str}/shoes/{shoe:int}/rounds/{number:int}",
    "One round, as you may see it",
    EVERYBODY,
    304,
    404,
    410,
)
async def one_round(request: HttpRequest, name: FromPath[str], shoe: Number, number: Number) -> Response[RoundDetail]:
    """A round that is over: its cards, its decisions with their clauses, wagers and payments as far as you may see."""
    live, session = live_of(request), await session_of(request)
    room_of(live, name)
    played, viewers, events = await live.reading.ask(lambda reads: _read_round(reads, name, shoe, number, session))
    tag = tag_of_round(live.store.id.hex(), name, played, viewers)
    if client_has(request, tag):
        return not_modified(tag, for_ever=True)
    viewer = viewers[-1] if viewers else Viewer(Role.PUBLIC)
    shown = RoundDetail(
        table=name, shoe=shoe, round=number, at=played.at, result=played.result, role=viewer.role, seat=viewer.seat,
        events=events,
    )  # fmt: skip
    return response_with_etag(shown, tag, for_ever=True)


def tag_of_round(house: str, table: str, played: IndexedRound, viewers: list[Viewer]) -> str:
    """The tag of a round as somebody may see it, made only from what everybody knows.

    Anyone can try what a tag may be made from. The number of a record would tell how much has happened that is hidden.
    """
    return tag_of(house, table, played.shoe, played.round, played.at, sorted(map(repr, viewers)))


def _read_round(
    reads: Reads, name: str, shoe: int, number: int, session: Session | None
) -> tuple[IndexedRound, list[Viewer], list[ShownEvent]]:
    stream = table_stream(name)
    played = find_round(reads, stream, shoe, number) if max(shoe, number) < MOST_WHOLE else None
    if played is None:
        raise not_found(f"round {number} of shoe {shoe} that is over at table {name}", code="no_such_round")
    first = first_seq(reads, stream, shoe, number)
    rows = reads.entries(stream, after=first - 1, limit=played.last_seq - first + 1)
    if not rows or rows[0].seq != first:
        raise dropped_problem("The records of this round were")
    made, viewers = list[ShownEvent](), list[Viewer]()
    for row in rows:
        record = read_body(row.body)
        viewer = viewer_at_record(reads, stream, session, row.seq)
        if viewer not in viewers[-1:]:
            viewers.append(viewer)
        if isinstance(record, ActRecord):
            made += _shown_events(record, viewer)
    return played, viewers, made


def viewer_at_record(reads: Reads, stream: Stream, session: Session | None, seq: int) -> Viewer:
    """As whom a person sees a record of a table: a participant from the seat at that time."""
    if session is None:
        return Viewer(Role.PUBLIC)
    if session.role is not Role.PARTICIPANT:
        return Viewer(session.role)
    return Viewer(Role.PARTICIPANT, seat_at(reads, stream, session.person, seq))


def _shown_events(record: ActRecord, viewer: Viewer) -> list[ShownEvent]:
    found = list[ShownEvent]()
    for event in read_events(record) or ():
        seen = view_event(event, viewer)
        if seen is not None:
            told = told_event(event, viewer, record.origin).with_names(str)
            found.append(ShownEvent(event=seen, say=told.say, what=told.what, params=told.params))
    return found


# -------------------------------------------------------------------------------------------------- roads


class _DrawnRoads(msgspec.Struct, frozen=True):
    """The roads of a shoe, and their tag."""

    shoe: int
    roads: Roads
    tag: str
    is_over: bool


async def _draw_roads(live: HouseServer, name: str, shoe: int, form: str) -> _DrawnRoads:
    now = room_of(live, name).state
    if not 0 <= shoe <= now.shoe.number + 1:
        raise not_found(f"shoe {shoe} at table {name}", code="no_such_shoe")
    wanted = shoe or now.shoe.number + 1
    rows = await live.reading.ask(lambda reads: rounds_of_shoe(reads, table_stream(name), wanted))
    is_over = 0 < shoe <= now.shoe.number
    tag = tag_of(live.store.id.hex(), name, wanted, rows[-1].round if rows else 0, form, is_over)
    found = [bead for each in rows if (bead := each.result.bead) is not None]
    return _DrawnRoads(wanted, roads(found), tag, is_over)


@routes.get("/api/tables/{name:str}/roads", "The roads of a shoe", EVERYBODY, 304, 404)
async def roads_of(request: HttpRequest, name: FromPath[str], shoe: ShoeNumber = 0) -> Response[RoadsShown]:
    """All roads of the shoe in play, or of an earlier one, as data."""
    found = await _draw_roads(live_of(request), name, shoe, "json")
    if client_has(request, found.tag):
        return not_modified(found.tag, for_ever=found.is_over)
    drawn = found.roads
    shown = RoadsShown(
        table=name, shoe=found.shoe, results=str(drawn), marks=write_marks(drawn.results),
        bead_plate=drawn.bead_plate, big_road=drawn.big_road, ask=drawn.ask, statistics=drawn.statistics,
        **{road.value: drawn.derived_road(road) for road in REACH},
    )  # fmt: skip
    return response_with_etag(shown, found.tag, for_ever=found.is_over)


@routes.get(
    "/api/tables/{name:str}/roads.txt", "The roads of a shoe, drawn", EVERYBODY, 304, 404, media_type="text/plain"
)
async def roads_text(request: HttpRequest, name: FromPath[str], shoe: ShoeNumber = 0) -> Response[str]:
    """All roads of the shoe in play, or of an earlier one, as plain text."""
    found = await _draw_roads(live_of(request), name, shoe, "text")
    if client_has(request, found.tag):
        return not_modified(found.tag, for_ever=found.is_over)
    return response_with_etag(_text(found.roads), found.tag, for_ever=found.is_over, media_type="text/plain")


def _text(drawn: Roads) -> str:
    parts = list[str]()
    for road in Road:
        picture = draw(drawn, road, columns=COLUMNS)
        title = road.value.replace("_", " ").capitalize()
        parts.append(f"{title}  {picture.left_out}".rstrip())
        parts += ["".join(text for text, _ in row).rstrip() for row in picture.rows]
    return "\n".join(parts) + "\n"
