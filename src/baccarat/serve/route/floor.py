"""The floor: every table with its figures compared with theory, what waits there, and what a person may do."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from litestar.params import FromQuery

from baccarat.house.pit import Pit, latest
from baccarat.house.state import HouseState
from baccarat.house.stream import Stream, table_stream
from baccarat.house.win import Figures, total
from baccarat.odds.show import rounded_text
from baccarat.picture.road import write_marks
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.act.open_acts import OpenAct, due_name, expected_at, is_known_stream, open_acts, streams_of
from baccarat.serve.fanout.witness_waits import WitnessWait
from baccarat.serve.http.problem import not_found, quoted_name
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import RouteGroup, only
from baccarat.serve.route.book import StreamName
from baccarat.serve.route.requester import HttpRequest, live_of, require_session
from baccarat.serve.route.table import TableCard, card_of
from baccarat.serve.runtime.round_index import rounds_an_hour, rounds_of_shoe
from baccarat.serve.store.base import Reads
from baccarat.serve.watch.expected_win import ExpectedWin
from baccarat.table.base import table_rules
from baccarat.table.console.remedy_progress import RemedyStep, steps_ahead
from baccarat.table.role import HOUSE_STAFF, OVERSEERS, PAPER_READERS, Role

routes = RouteGroup("house")

LAST_ROUNDS = 12
"""How many results are shown next to a table's name."""


class FloorBand(msgspec.Struct, frozen=True, kw_only=True):
    """A win compared with what theory expects of the stakes; in cents, except for `away` and `hold`."""

    win: int
    drop: int
    hold: str
    """The win in percent of the drop, to one place; empty if nothing was dropped."""
    vigorish: int
    theoretical: int
    deviation: int
    """One standard deviation, by the joint distribution of a round; a rule of thumb, which promises no probability."""
    away: str
    """How many deviations the win is from theory, to one place, with its sign; empty if there is no deviation."""
    within: bool
    """Whether that is at most two."""
    rounds: int


class PendingRules(msgspec.Struct, frozen=True, kw_only=True):
    """Rules that are filed for a table but not in use yet; `since` in seconds."""

    edition: str
    hash: str
    since: int
    holds: bool
    """Whether their time has come, so that the next shoe may be played by them."""


class DueAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act that a table waits for: by whom, its name on a page, and a sentence."""

    by: Role
    name: str
    say: str


class LastRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over, and who won it."""

    round: int
    outcome: str


class FloorTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the floor shows it."""

    card: TableCard
    pit: str
    stopped: str
    """Why the table has stopped; empty if it has not."""
    needs: tuple[RemedyStep, ...]
    """What a table that has stopped needs, in order."""
    program_stopped: bool
    """Whether the same fault of the program has stopped what runs the table here."""
    witness_wait: WitnessWait | None
    """The witnesses for which the shoe waits, if it does."""
    marks: str
    """The results of the shoe in play, in the form for pictures of roads."""
    last: list[LastRound]
    """The last of them, in order."""
    rounds_an_hour: int | None
    marked: int
    """Vigorish that is marked and not collected, in cents."""
    figures: FloorBand | None
    """None for those who may not see what a table has won."""
    coming: PendingRules | None
    due: list[DueAct]
    """What the table waits for from those who work there."""


class FloorDay(msgspec.Struct, frozen=True, kw_only=True):
    """The gaming day, and all tables together."""

    day: str
    number: int
    closed: bool
    marked: int
    figures: FloorBand | None
    history: str
    """What is wrong with the history of the house; empty if nothing was found."""


class Floor(FloorDay, frozen=True, kw_only=True):
    """The floor at one moment: the gaming day, all tables together, and each."""

    now: int
    """The house's clock, in microseconds UTC."""
    tables: list[FloorTable]


class OpenActs(msgspec.Struct, frozen=True, kw_only=True):
    """What you may do, and the streams in which there are acts."""

    streams: list[Stream]
    acts: list[OpenAct]


# ------------------------------------------------------------------------------------------------ the floor


@routes.get("/api/floor", "The floor: every table with its figures", only(PAPER_READERS))
async def floor(request: HttpRequest) -> Floor:
    """Win, drop, hold and theory of each table and of all, the pace, the road, and rules that are to come."""
    live, session = live_of(request), await require_session(request)
    state, sees = await live.durable_state(), session.role in OVERSEERS
    return await live.reading.ask(lambda reads: _floor(live, reads, state, sees=sees))


def _floor(live: HouseServer, reads: Reads, state: HouseState, *, sees: bool) -> Floor:
    day, tables = floor_parts(live, reads, state, tables_shown(live, state), sees=sees)
    return Floor(now=live.desk.now, tables=list(tables.values()), **msgspec.structs.asdict(day))


def tables_shown(live: HouseServer, state: HouseState) -> list[str]:
    """The tables of the floor, in the order in which they are shown."""
    return [name for name in sorted(state.tables) if name in live.rooms]


def floor_parts(
    live: HouseServer, reads: Reads, state: HouseState, names: Iterable[str], *, sees: bool
) -> tuple[FloorDay, dict[str, FloorTable]]:
    """The day, and some tables by their names, for those who see figures or for the others."""
    held = state.day
    figures = held.figures if held.is_closed else {table: tally.all_shoes for table, tally in state.tallies.items()}
    theory = live.expected_wins.of_day(reads, state, figures) if sees else {}
    whole = sum(theory.values(), ExpectedWin())
    day = FloorDay(
        day=held.name, number=held.number, closed=held.is_closed,
        marked=sum(sum(state.tables[name].money.markers.values()) for name in tables_shown(live, state)),
        figures=band_of(total(figures.values()), whole) if sees else None,
        history=live.history.wrong,
    )  # fmt: skip
    tables = {
        name: _table(live, reads, state, name, figures=band_of(figures[name], theory[name]) if name in theory else None)
        for name in names
    }
    return day, tables


def _table(live: HouseServer, reads: Reads, state: HouseState, name: str, *, figures: FloorBand | None) -> FloorTable:
    room, stream, held = live.rooms[name], table_stream(name), state.tables[name]
    played = rounds_of_shoe(reads, stream, held.shoe.number + 1)
    beads = [bead for each in played if (bead := each.result.bead) is not None]
    pit = next(pit for pit in state.pits.values() if name in pit.tables)
    return FloorTable(
        card=card_of(name, room, state.tables), pit=pit.name, stopped=held.stopped, marks=write_marks(beads),
        needs=steps_ahead(table_rules(state.rules(name)), held)[1:] if held.stopped else (),
        program_stopped=name in live.table_jobs.stopped, witness_wait=live.witness_waits.at(name),
        last=[LastRound(round=each.round, outcome=each.result.outcome) for each in played if each.result.outcome][
            -LAST_ROUNDS:
        ],
        rounds_an_hour=rounds_an_hour(reads, stream, now=live.desk.now), marked=sum(held.money.markers.values()),
        figures=figures, coming=_coming_rules(state, pit, name, now=live.desk.now // ONE_SECOND),
        due=[
            DueAct(by=each.by, name=due_name(state, name, each), say=each.say)
            for each in expected_at(state, name)
            if not each.optional and each.by is not Role.PARTICIPANT
        ],
    )  # fmt: skip


def _coming_rules(state: HouseState, pit: Pit, table: str, *, now: int) -> PendingRules | None:
    filed = latest(pit, table)
    if filed.filed.hash == state.playing[table].hash:
        return None
    return PendingRules(
        edition=filed.filed.ruleset, hash=filed.filed.hash, since=filed.since, holds=filed.since <= now
    )  # fmt: skip


def band_of(figures: Figures, theory: ExpectedWin) -> FloorBand:
    """Figures compared with theory, as a band is drawn from them."""
    away, hold = theory.deviations_from_mean(figures.win), figures.hold
    return FloorBand(
        win=figures.win, drop=figures.drop, hold="" if hold is None else rounded_text(100 * hold, 1),
        vigorish=figures.vigorish, theoretical=round(theory.mean), deviation=theory.deviation,
        away="" if away is None else rounded_text(away, 1),
        within=abs(figures.win - theory.mean) <= theory.two_deviations,
        rounds=figures.rounds,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------ what may be done


@routes.get("/api/me/acts", "What you may do now", only(HOUSE_STAFF), 404)
async def my_acts(request: HttpRequest, stream: FromQuery[StreamName | None] = None) -> OpenActs:
    """The acts of your role in a stream, each with its form, its clauses, who else approves it, and whether it would
    be accepted now; without a stream, only the streams that have acts. The table or the book itself is asked."""
    live, session = live_of(request), await require_session(request)
    if stream is not None and not is_known_stream(live, stream):
        raise not_found(f"stream {quoted_name(stream)} in this house", code="no_such_stream")
    state = await live.durable_state()
    acts = await live.house.with_events(lambda: open_acts(live, session, stream) if stream is not None else [])
    return OpenActs(streams=streams_of(state), acts=acts)
