"""The books of the house, for reading: gaming day, pits and notices, forms, meters, cage."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

import msgspec

from baccarat.house.book import decode
from baccarat.house.form import FormBook
from baccarat.house.gaming_day import DAY, GamingDay
from baccarat.house.notice import MINUTE, Notice, required_notice
from baccarat.house.pit import Pit
from baccarat.house.state import HouseState
from baccarat.house.stream import DAY_STREAM
from baccarat.house.win import Figures, total
from baccarat.odds.show import rounded_text
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import EVERYBODY, RouteGroup, only
from baccarat.serve.route.cursor import DEFAULT_LIMIT, Cursor, PageLimit, read_cursor, write_cursor
from baccarat.serve.route.requester import HttpRequest, live_of
from baccarat.serve.store.base import Reads, all_entries
from baccarat.serve.watch.expected_win import ExpectedWin, expected_of_day, is_within
from baccarat.table.machine import union_of
from baccarat.table.role import CAGE_READERS, FIGURE_READERS, PAPER_READERS, Role
from baccarat.table.view import Viewer, view_moment

routes = RouteGroup("house")

DAY_EVENTS = union_of(DAY.evolvers)
LOOK_AT_FIGURES = only(FIGURE_READERS, practice=True)
LOOK_AT_PAPERS = only(PAPER_READERS)
LOOK_AT_CAGE = only(CAGE_READERS)


class FiguresShown(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a table, or of all, in cents; `pools` in millionths of a cent. Fractions are exact."""

    rounds: int
    drop: int
    win: int
    hold: str
    """The win as a part of the drop; empty if nothing was dropped."""
    vigorish: int
    waived: int
    over_short: int
    pools: int
    handle: dict[str, int]
    theoretical: str
    """What theory expects of the stakes."""
    theoretical_decimal: str
    low: int
    high: int
    """Theory less and plus two standard deviations: a rule of thumb, which promises no probability."""
    within: bool
    unpriced: int
    """Stakes on wagers that have no price."""


class DayShown(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day: each table, and all together."""

    name: str
    number: int
    closed: bool
    complimentaries: int
    tables: dict[str, FiguresShown]
    total: FiguresShown


class Days(msgspec.Struct, frozen=True, kw_only=True):
    """Gaming days that are closed, newest first."""

    days: list[DayShown]
    next: str = ""


class RulesShown(msgspec.Struct, frozen=True, kw_only=True):
    """Rules of a table, and from when they hold, in seconds."""

    edition: str
    hash: str
    since: int


class NoticeShown(msgspec.Struct, frozen=True, kw_only=True):
    """A notice: who was notified of which election, when, in seconds; whether a change has used it."""

    to: str
    pit: str
    option: str
    value: Any
    sent: int
    written: bool
    served: bool
    minutes: int
    """How long it must have been posted before a change may use it; 0 if no clause requires it."""
    ripe_at: int
    """From when a change may use it, in seconds."""
    cites: list[str]


class PitShown(msgspec.Struct, frozen=True, kw_only=True):
    """A pit: its tables with the rules that hold, held and will hold there, and its notices."""

    name: str
    tables: dict[str, list[RulesShown]]
    notices: list[NoticeShown]


class Pits(msgspec.Struct, frozen=True, kw_only=True):
    """The pits of the house."""

    pits: list[PitShown]


class Notices(msgspec.Struct, frozen=True, kw_only=True):
    """Notices, newest first."""

    notices: list[NoticeShown]
    next: str = ""


class FormShown(msgspec.Struct, frozen=True, kw_only=True):
    """A form by its number: the table that received it, what became of it, and the sum."""

    serial: int
    table: str
    state: Literal["used", "void", "missing"]
    amount: int = 0
    forwarded: bool = False


class SeriesShown(msgspec.Struct, frozen=True, kw_only=True):
    """Prenumbered forms that a table received."""

    table: str
    first: int
    last: int


class Forms(msgspec.Struct, frozen=True, kw_only=True):
    """Every form received, and what became of each number that is no longer blank."""

    series: list[SeriesShown]
    forms: list[FormShown]
    blank: int


class MetersAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the meters of each table show, in millionths of a cent, and the links that tables share."""

    tables: dict[str, Any]
    links: dict[str, list[str]]


class TrayShown(msgspec.Struct, frozen=True, kw_only=True):
    """A tray: whether it is open, what was last counted, what went there; in cents."""

    open: bool
    counted: int | None
    sent: int


class CageShown(msgspec.Struct, frozen=True, kw_only=True):
    """The cage, in cents."""

    bankroll: int
    redeemed: int
    slips: int
    trays: dict[str, TrayShown]
    drops: dict[str, int]
    over_short: dict[str, int]


# -------------------------------------------------------------------------------------------------- the day


def figures_shown(figures: Figures, theory: ExpectedWin) -> FiguresShown:
    """Figures compared with theory."""
    low, high = (theory.mean + sign * theory.two_deviations for sign in (-1, 1))
    return FiguresShown(
        rounds=figures.rounds, drop=figures.drop, win=figures.win,
        hold="" if figures.hold is None else str(figures.hold), vigorish=figures.vigorish, waived=figures.waived,
        over_short=figures.over_short, pools=figures.pools,
        handle={kind.word: stake for kind, stake in figures.handle.items()}, theoretical=str(theory.mean),
        theoretical_decimal=_decimal(theory.mean), low=low.__floor__(), high=high.__ceil__(),
        within=is_within(figures, theory), unpriced=theory.unpriced,
    )  # fmt: skip


def _decimal(value: Fraction) -> str:
    return rounded_text(value, 2).replace("−", "-")


@routes.get("/api/day", "The figures of the gaming day", LOOK_AT_FIGURES)
async def day(request: HttpRequest) -> DayShown:
    """Win, drop, hold, vigorish, and theory with its band, by table and together."""
    return await day_shown(live_of(request))


async def day_shown(live: HouseServer) -> DayShown:
    """The current gaming day."""
    state = await live.durable_state()
    return await live.reading.ask(lambda reads: _day(reads, state))


def _day(reads: Reads, state: HouseState) -> DayShown:
    held = state.day
    figures = held.figures if held.is_closed else {table: tally.all_shoes for table, tally in state.tallies.items()}
    return _day_answer(reads, state, held, figures)


def _day_answer(reads: Reads, state: HouseState, held: GamingDay, figures: Mapping[str, Figures]) -> DayShown:
    theory = expected_of_day(reads, state, held.number, figures)
    whole = sum(theory.values(), ExpectedWin())
    return DayShown(
        name=held.name,
        number=held.number,
        closed=held.is_closed,
        complimentaries=held.expense,
        tables={table: figures_shown(each, theory[table]) for table, each in sorted(figures.items())},
        total=figures_shown(total(figures.values()), whole),
    )


@routes.get("/api/days", "The figures of days that are closed", LOOK_AT_FIGURES)
async def days(request: HttpRequest, limit: PageLimit = DEFAULT_LIMIT, cursor: Cursor = "") -> Days:
    """The figures of each gaming day as it was closed, newest first, compared with theory."""
    live = live_of(request)
    found = read_cursor("days", cursor, int)
    before = int(found[0]) if found else 2**53
    state = await live.durable_state()
    rows = await live.reading.ask(lambda reads: _days(reads, state, before=before, limit=limit + 1))
    more = write_cursor("days", rows[limit - 1].number) if len(rows) > limit else ""
    return Days(days=rows[:limit], next=more)


def _days(reads: Reads, state: HouseState, *, before: int, limit: int) -> list[DayShown]:
    """The days that are closed before a number, newest first; the stream of days is short, and is read whole."""
    held, found = GamingDay(name="1"), list[GamingDay]()
    for row in all_entries(reads, DAY_STREAM):
        record = read_body(row.body)
        for raw in record.events if isinstance(record, ActRecord) else ():
            held = DAY.evolve(held, decode(bytes(raw), DAY_EVENTS))
            if held.is_closed:
                found.append(held)
    wanted = [each for each in reversed(found) if each.number < before][:limit]
    return [_day_answer(reads, state, each, each.figures) for each in wanted]


# ------------------------------------------------------------------------------------------ pits, notices

_NoticeKey = tuple[int, str, int]
"""The position of a notice in the list: its time, negated, then its pit, and its number there."""


def notices_of(state: HouseState) -> list[NoticeShown]:
    """Every notice, the newest first."""
    return [_notice(pit, each) for _, pit, each in _notices_after(state, None)]


def _notices_after(state: HouseState, after: _NoticeKey | None) -> list[tuple[_NoticeKey, Pit, Notice]]:
    """The notices after one, the newest first. A pit never drops a notice, so the key of each stays the same."""
    found = [
        ((-each.sent, pit.name, index), pit, each)
        for pit in state.pits.values()
        for index, each in enumerate(pit.notices)
    ]
    return sorted((row for row in found if after is None or row[0] > after), key=lambda row: row[0])


def _notice(pit: Pit, each: Notice) -> NoticeShown:
    minutes, cites = required_notice(each, (held[-1].rules for held in pit.tables.values())) or (0, ())
    return NoticeShown(
        to=each.to, pit=each.pit, option=each.option, value=each.value, sent=each.sent, written=each.written,
        served=pit.has_served(each), minutes=minutes, ripe_at=each.sent + minutes * MINUTE, cites=list(cites),
    )  # fmt: skip


@routes.get("/api/pits", "The pits, with their rules and notices", LOOK_AT_PAPERS)
async def pits(request: HttpRequest) -> Pits:
    """Each pit: its tables, the rules in force there, and those that take effect later."""
    state = await live_of(request).durable_state()
    notices = notices_of(state)
    return Pits(
        pits=[
            PitShown(
                name=pit.name,
                tables={
                    table: [
                        RulesShown(edition=each.filed.ruleset, hash=each.filed.hash, since=each.since) for each in held
                    ]
                    for table, held in pit.tables.items()
                },
                notices=[each for each in notices if each.pit == pit.name],
            )
            for pit in state.pits.values()
        ]
    )


@routes.get("/api/notices", "Notices to surveillance and the Commission", LOOK_AT_PAPERS)
async def notices(request: HttpRequest, limit: PageLimit = DEFAULT_LIMIT, cursor: Cursor = "") -> Notices:
    """Who was notified of which option, when; newest first."""
    found = read_cursor("notices", cursor, int, str, int)
    after = (int(found[0]), str(found[1]), int(found[2])) if found else None
    rows = _notices_after(await live_of(request).durable_state(), after)
    more = write_cursor("notices", *rows[limit - 1][0]) if len(rows) > limit else ""
    return Notices(notices=[_notice(pit, each) for _, pit, each in rows[:limit]], next=more)


# ------------------------------------------------------------------------------------ forms, meters, cage


@routes.get("/api/forms", "Complimentary Vigorish Forms", LOOK_AT_PAPERS)
async def forms(request: HttpRequest) -> Forms:
    """Every number received, and what became of it; patrons are not named here."""
    return _forms((await live_of(request).durable_state()).forms)


def _forms(book: FormBook) -> Forms:
    made = list[FormShown]()
    for serial, paper in book.all_papers():
        kind: Any = paper.__struct_config__.tag
        duplicate = getattr(paper, "duplicate", None)
        made.append(
            FormShown(
                serial=serial,
                table=paper.table,
                state=kind,
                amount=duplicate.amount if duplicate else 0,
                forwarded=getattr(paper, "forwarded", False),
            )
        )
    series = [SeriesShown(table=each.table, first=each.first, last=each.last) for each in book.series_received()]
    return Forms(series=series, forms=made, blank=book.blank_count)


@routes.get("/api/meters", "What the meters show", EVERYBODY)
async def meters(request: HttpRequest) -> MetersAnswer:
    """The progressive meters of every table, as everybody there sees them, and which tables are linked."""
    live = live_of(request)
    shown: dict[str, Any] = {
        name: view_moment(room.now, Viewer(Role.PUBLIC)).state.meters for name, room in sorted(live.rooms.items())
    }
    state = await live.durable_state()
    return MetersAnswer(tables=shown, links={name: list(link.royal9.tables) for name, link in state.links.items()})


@routes.get("/api/cage", "The cage", LOOK_AT_CAGE)
async def cage(request: HttpRequest) -> CageShown:
    """Bankroll, trays, drops, and what was over or short."""
    held = (await live_of(request).durable_state()).cage
    names = sorted({*held.trays, *held.sent})
    trays = {
        name: TrayShown(
            open=name in held.trays,
            counted=held.trays[name].counted if name in held.trays else None,
            sent=held.sent.get(name, 0),
        )
        for name in names
    }
    return CageShown(
        bankroll=held.bankroll, redeemed=held.redeemed, slips=held.slips, trays=trays, drops=held.drops,
        over_short=held.over_short,
    )  # fmt: skip
