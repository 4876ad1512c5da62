"""One's own rounds: what was staked, won and paid, against what the exact odds expect; nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from litestar.params import QueryParameter
from litestar.response import Stream as StreamedResponse

from baccarat.house.stream import table_stream
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import SIGNED_ON, RouteGroup
from baccarat.serve.route.cursor import DEFAULT_LIMIT, Cursor, PageLimit, read_cursor, write_cursor
from baccarat.serve.route.export import TEXT, row_of
from baccarat.serve.route.journal import LINES, stream_text
from baccarat.serve.route.requester import HttpRequest, live_of, require_session
from baccarat.serve.route.watch import OneTable
from baccarat.serve.runtime.own_round import (
    NEWEST,
    OwnRound,
    RoundPlace,
    find_own_round,
    own_rounds,
    own_stakes,
    swings,
)
from baccarat.serve.runtime.round_index import Stakes
from baccarat.serve.store.base import Reads
from baccarat.serve.watch.expected_win import expected_win, rules_filed

routes = RouteGroup("own rounds")

PAGE = 500
SWINGS = 3
SEAT = 1
"""One person's wagers of a round are priced together, at whatever seat."""
HEADS = ("table", "shoe", "round", "at", "seat", "staked", "won", "vigorish", "net", "wagers")
OneShoe = Annotated[
    int, QueryParameter(name="shoe", ge=0, lt=2**53, description="with `table` and `round`: that round alone")
]
OneRound = Annotated[int, QueryParameter(name="round", ge=0, lt=2**53, description="with `table` and `shoe`")]


class OwnRounds(msgspec.Struct, frozen=True, kw_only=True):
    """Your rounds that are over, newest first."""

    rounds: list[OwnRound]
    next: str = ""
    """The cursor of the next page; empty on the last."""


class OwnTotals(msgspec.Struct, frozen=True, kw_only=True):
    """All your rounds together, in cents, and what the exact odds of your wagers expect of them."""

    rounds: int
    staked: int
    vigorish: int
    net: int
    expected: int
    """What such rounds win on average, rounded to the cent: below zero, what they cost."""
    two_deviations: int
    """Two standard deviations, rounded up: about 19 of 20 people who stake the same end within them."""
    unpriced: int
    """Stakes on wagers that have no exact price: they are not in what is expected."""
    best: list[OwnRound]
    worst: list[OwnRound]


@routes.get("/api/own/rounds", "Your rounds", SIGNED_ON)
async def rounds(
    request: HttpRequest,
    table: OneTable = "",
    shoe: OneShoe = 0,
    round_: OneRound = 0,
    limit: PageLimit = DEFAULT_LIMIT,
    cursor: Cursor = "",
) -> OwnRounds:
    """Your rounds that are over, newest first, of all tables or of one, or one round: what you staked and won, the
    vigorish, and why. A round in which you wagered nothing is not among them. Practice tables store those of the last
    day."""
    live, session = live_of(request), await require_session(request)
    person = session.person
    if table and shoe and round_:
        one = await live.reading.ask(lambda reads: find_own_round(reads, person, table_stream(table), shoe, round_))
        return OwnRounds(rounds=[one] if one is not None else [])
    found = read_cursor("own rounds", cursor, int, str, int, int)
    before: RoundPlace = NEWEST if found is None else (int(found[0]), str(found[1]), int(found[2]), int(found[3]))
    stream = table_stream(table) if table else None
    rows = await live.reading.ask(
        lambda reads: own_rounds(reads, person, before=before, limit=limit + 1, stream=stream)
    )
    more = write_cursor("own rounds", *place_of(rows[limit - 1])) if len(rows) > limit else ""
    return OwnRounds(rounds=rows[:limit], next=more)


def place_of(played: OwnRound) -> RoundPlace:
    """Where a round stands in a list."""
    return played.at, table_stream(played.table), played.shoe, played.round


@routes.get("/api/own/totals", "All your rounds together", SIGNED_ON)
async def totals(request: HttpRequest) -> OwnTotals:
    """What you have staked and won or lost, compared with what the exact odds of each wager expect, with its band, and
    the rounds that moved most."""
    live, session = live_of(request), await require_session(request)
    return await own_totals(live, session.person)


async def own_totals(live: HouseServer, person: str) -> OwnTotals:
    """The sums of a person's rounds."""
    state = live.house.state

    def read(reads: Reads) -> OwnTotals:
        played = own_stakes(reads, person)
        lay = [Stakes(each.rulebook, {SEAT: each.stakes}, each.rounds) for each in played]
        theory, (best, worst) = expected_win(lay, rules_filed(state)), swings(reads, person, limit=SWINGS)
        return OwnTotals(
            rounds=sum(each.rounds for each in played),
            staked=sum(each.staked for each in played),
            vigorish=sum(each.vigorish for each in played),
            net=sum(each.net for each in played),
            expected=-round(theory.mean),
            two_deviations=theory.two_deviations,
            unpriced=theory.unpriced,
            best=best,
            worst=worst,
        )

    return await live.reading.ask(read)


# ------------------------------------------------------------------------------------------------ exports


def _all_rounds(reads: Reads, person: str) -> Iterator[OwnRound]:
    before = NEWEST
    while rows := own_rounds(reads, person, before=before, limit=PAGE):
        yield from rows
        before = place_of(rows[-1])


def _as_csv(reads: Reads, person: str) -> Iterator[bytes]:
    yield row_of(HEADS).encode()
    for each in _all_rounds(reads, person):
        wagers = "; ".join(f"{line.on.word} {line.stake} {line.result}" for line in each.lines)
        cells = (each.table, each.shoe, each.round, each.at, each.seat, each.staked, each.won, each.vigorish, each.net)
        yield row_of((*cells, wagers)).encode()


def _as_lines(reads: Reads, person: str) -> Iterator[bytes]:
    for each in _all_rounds(reads, person):
        yield msgspec.json.encode(each) + b"\n"


@routes.get("/api/exports/own/rounds.csv", "Your rounds as CSV", SIGNED_ON, media_type=TEXT)
async def rounds_csv(request: HttpRequest) -> StreamedResponse:
    """A row for each of your rounds, newest first; sums in cents."""
    person = (await require_session(request)).person
    return await stream_text(request, lambda reads: _as_csv(reads, person), TEXT)


@routes.get("/api/exports/own/rounds.jsonl", "Your rounds as JSON lines", SIGNED_ON, media_type=LINES)
async def rounds_lines(request: HttpRequest) -> StreamedResponse:
    """A line for each of your rounds, newest first."""
    person = (await require_session(request)).person
    return await stream_text(request, lambda reads: _as_lines(reads, person), LINES)
