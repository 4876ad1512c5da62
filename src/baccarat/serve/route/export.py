"""Exports: figures and rounds as CSV and as JSON lines; journals have routes of their own."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

import msgspec
from litestar.params import FromPath
from litestar.response import Stream as StreamedResponse

from baccarat.house.stream import Stream, table_stream
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import EVERYBODY, RouteGroup
from baccarat.serve.route.house import LOOK_AT_FIGURES, FiguresShown, day_shown
from baccarat.serve.route.journal import LINES, stream_text
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.route.round import RoundCard, last_dropped_seq
from baccarat.serve.route.table import room_of
from baccarat.serve.runtime.round_index import IndexedRound, rounds_before
from baccarat.serve.store.base import Reads
from baccarat.table.bounds import MOST_WHOLE

routes = RouteGroup("exports")

PAGE = 500
ROUND_HEADS = ("shoe", "round", "at", "kind", "outcome", "player", "player_count", "banker", "banker_count", "void")
TEXT = "text/csv"


def row_of(cells: Iterable[object]) -> str:
    """One row of CSV; what a spreadsheet would read as a formula is written as text."""
    text = io.StringIO()
    csv.writer(text).writerow([_cell(cell) for cell in cells])
    return text.getvalue()


def _cell(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+@\t\r" and cell else cell


# ------------------------------------------------------------------------------------------------- figures


async def _figures(live: HouseServer) -> dict[str, FiguresShown]:
    shown = await day_shown(live)
    return {**shown.tables, "all tables": shown.total}


@routes.get("/api/exports/day.csv", "The figures of the day as CSV", LOOK_AT_FIGURES, media_type=TEXT)
async def day_csv(request: HttpRequest) -> str:
    """A row for each table, and one for all."""
    names = [name for name in FiguresShown.__struct_fields__ if name != "handle"]
    rows = await _figures(live_of(request))
    body = (row_of([table, *(getattr(each, name) for name in names)]) for table, each in rows.items())
    return "".join([row_of(["table", *names]), *body])


@routes.get("/api/exports/day.jsonl", "The figures of the day as JSON lines", LOOK_AT_FIGURES, media_type=LINES)
async def day_lines(request: HttpRequest) -> str:
    """A line for each table, and one for all."""
    rows = await _figures(live_of(request))
    made = ({"table": table, **msgspec.to_builtins(each)} for table, each in rows.items())
    return "".join(f"{msgspec.json.encode(each).decode()}\n" for each in made)


# ------------------------------------------------------------------------------------------------- rounds


def _rounds(reads: Reads, stream: Stream) -> Iterator[IndexedRound]:
    """All rounds of a table that are over and stored, newest first."""
    shoe, round_, dropped = MOST_WHOLE, MOST_WHOLE, last_dropped_seq(reads, stream)
    while rows := rounds_before(reads, stream, shoe, round_, limit=PAGE, after_seq=dropped):
        yield from rows
        shoe, round_ = rows[-1].shoe, rows[-1].round


def _as_csv(reads: Reads, stream: Stream) -> Iterator[bytes]:
    yield row_of(ROUND_HEADS).encode()
    for each in _rounds(reads, stream):
        result = each.result
        player, banker = result.player, result.banker
        cells = (
            each.shoe, each.round, each.at, result.kind, result.outcome, " ".join(player.cards) if player else "",
            player.count if player else "", " ".join(banker.cards) if banker else "", banker.count if banker else "",
            int(result.void),
        )  # fmt: skip
        yield row_of(cells).encode()


def _as_lines(reads: Reads, stream: Stream) -> Iterator[bytes]:
    for each in _rounds(reads, stream):
        yield msgspec.json.encode(RoundCard.from_index(each)) + b"\n"


@routes.get(
    "/api/exports/tables/{name:str}/rounds.csv", "The rounds of a table as CSV", EVERYBODY, 404, media_type=TEXT
)
async def rounds_csv(request: HttpRequest, name: FromPath[str]) -> StreamedResponse:
    """A row for each round that is over, newest first."""
    room_of(live_of(request), name)
    return await stream_text(request, lambda reads: _as_csv(reads, table_stream(name)), TEXT)


@routes.get(
    "/api/exports/tables/{name:str}/rounds.jsonl",
    "The rounds of a table as JSON lines",
    EVERYBODY,
    404,
    media_type=LINES,
)
async def rounds_lines(request: HttpRequest, name: FromPath[str]) -> StreamedResponse:
    """A line for each round that is over, newest first."""
    room_of(live_of(request), name)
    return await stream_text(request, lambda reads: _as_lines(reads, table_stream(name)), LINES)
