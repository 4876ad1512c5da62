"""The work of a table, for its dealers and those who oversee it: what a console shows in addition to the view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from litestar.params import FromPath, JSONBody

from baccarat.house.stream import table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused, spoken_params
from baccarat.record.line import UnreadableLine
from baccarat.serve.access.may import why_denied, why_unreachable
from baccarat.serve.access.session import Session
from baccarat.serve.act.intake import read_persons_command
from baccarat.serve.fanout.floor_calls import FloorCall
from baccarat.serve.fanout.witness_waits import WitnessWait
from baccarat.serve.http.problem import problem
from baccarat.serve.live import HouseServer
from baccarat.serve.route.allow import RouteGroup, only
from baccarat.serve.route.requester import HttpRequest, denied_problem, live_of, require_served_here, require_session
from baccarat.serve.route.table import room_of
from baccarat.serve.watch.person_name import name_persons
from baccarat.serve.watch.sentence import told_event
from baccarat.table.actor import Actor
from baccarat.table.base import Command, Event
from baccarat.table.console.console_work import Console, outlook, work_of
from baccarat.table.console.correctable import Corrigible
from baccarat.table.console.draw_ruling import DrawOrStay
from baccarat.table.console.remedy_progress import RemedyStep
from baccarat.table.correctable_event import EventAt
from baccarat.table.due_data import Sentence
from baccarat.table.input_field import InputField
from baccarat.table.role import FLOOR_CALLERS, HOUSE_STAFF, TABLE_STAFF, Role
from baccarat.table.state import TableState
from baccarat.table.view import Viewer, view_event

routes = RouteGroup("tables")

TABLE_STAFF_READ = only(TABLE_STAFF)
CALLS = only(FLOOR_CALLERS, acts=True)


class SaidEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Something that has happened, or would happen: its name, the sentence, the clauses."""

    event: str
    say: str
    cites: tuple[str, ...]
    what: str = ""
    """The name of the sentence."""
    params: dict[str, Any] = {}


class DealerOnGame(msgspec.Struct, frozen=True, kw_only=True):
    """A dealer who is on the game."""

    who: str
    name: str
    is_you: bool
    is_nobody: bool
    """Whether this is only the place of the first dealer who comes on the game."""


class CorrigibleShown(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that two persons may correct: the command except for its fields."""

    number: int
    say: str
    what: str
    params: dict[str, Any]
    command: dict[str, Any]
    fields: tuple[InputField, ...]
    cites: tuple[str, ...]
    seconds: tuple[Role, ...]
    """In which capacities another person approves it."""


class CallShown(FloorCall, frozen=True, kw_only=True):
    """A call with the names of the persons who asked and answered."""

    name: str
    answered_name: str = ""

    @classmethod
    def from_call(cls, live: HouseServer, call: FloorCall) -> CallShown:
        """A call as it is shown."""
        names = live.house.names
        return cls(
            **msgspec.structs.asdict(call),
            name=name_persons(names, call.by),
            answered_name=name_persons(names, call.answered_by),
        )


class WorkShown(Console, frozen=True, kw_only=True):
    """The work of a table: the steps, the acts that you may do, their outcomes, and what may be reported."""

    table: str
    role: Role
    stopped: str
    remedy_done: tuple[SaidEvent, ...]
    remedy_ahead: tuple[RemedyStep, ...]
    corrigible: tuple[CorrigibleShown, ...]
    dealers: tuple[DealerOnGame, ...]
    floor_called: FloorCall | None = None
    floor_answered: CallShown | None = None
    """The last call, if a floorperson answered it in the last ten minutes."""
    witness_wait: WitnessWait | None = None
    """The witnesses for which the shoe waits, if it does."""


class OutlookShown(msgspec.Struct, frozen=True, kw_only=True):
    """What a command would lead to, or why it would be refused; nothing has been done."""

    refused: SaidEvent | None = None
    events: tuple[SaidEvent, ...] = ()
    calls: tuple[str, ...] = ()
    follows: str = ""
    follows_sentence: Sentence = msgspec.field(default_factory=Sentence)
    counts: dict[str, int] = {}
    ruled: DrawOrStay | None = None
    ahead: tuple[RemedyStep, ...] = ()


class Calls(msgspec.Struct, frozen=True, kw_only=True):
    """The tables that wait for a floorperson, the longest first; and calls that were answered, or withdrawn, a short
    while ago, the latest first."""

    calls: list[CallShown]
    answered: list[CallShown]
    withdrawn: list[CallShown]


def calls_shown(live: HouseServer) -> Calls:
    """The calls of this node's tables."""
    held = live.floor_calls
    return Calls(
        calls=[CallShown.from_call(live, each) for each in held.open_calls],
        answered=[CallShown.from_call(live, each) for each in held.recently_answered(live.desk.now)],
        withdrawn=[CallShown.from_call(live, each) for each in held.recently_withdrawn(live.desk.now)],
    )


@routes.get("/api/tables/{name:str}/work", "The work of a table", TABLE_STAFF_READ, 404, 421)
async def work(request: HttpRequest, name: FromPath[str]) -> WorkShown:
    """What a console at this table shows in addition to the view: acts with their commands, sums, calls, remedies."""
    live, session = live_of(request), await require_session(request)
    room_of(live, name)
    require_served_here(request, name)
    house, stream = await live.durable_state(), table_stream(name)
    actor, rules, state, events = (
        Actor(who=session.person, role=session.role),
        house.rules(name),
        house.tables[name],
        house.head(stream),
    )
    return await live.house.with_events(
        lambda: shown_work(live, name, rules, state, events, actor, live.house.event_at(stream))
    )


def shown_work(
    live: HouseServer,
    table: str,
    rules: Rulebook,
    state: TableState,
    events: int,
    actor: Actor,
    event_at: EventAt,
) -> WorkShown:
    """The work of a table that has had this many events, for one person."""
    found = work_of(rules, state, actor, event_at, events)
    viewer, answered = Viewer(actor.role), live.floor_calls.answered_at(table, live.desk.now)
    return WorkShown(
        **{field: getattr(found, field) for field in Console.__struct_fields__},
        table=table,
        role=actor.role,
        stopped=state.stopped,
        remedy_done=_said_events(found.remedy.done, viewer),
        remedy_ahead=found.remedy.ahead,
        corrigible=tuple(corrigible_answer(each, actor.role) for each in found.corrigible),
        dealers=tuple(_dealer_on_game(live, who, actor) for who in state.seats.dealers),
        floor_called=live.floor_calls.open_call(table),
        floor_answered=None if answered is None else CallShown.from_call(live, answered),
        witness_wait=live.witness_waits.at(table),
    )


@routes.post_ok("/api/tables/{name:str}/outlook", "What an act would lead to", TABLE_STAFF_READ, 404, 421, body=True)
async def look_ahead(request: HttpRequest, name: FromPath[str], data: JSONBody[dict[str, Any]]) -> OutlookShown:
    """A command is tried without being done: the events that it would lead to, and what would be due then.

    An act of two persons is tried as if somebody had approved it.
    """
    del data  # it is read more strictly from the bytes themselves
    live, session = live_of(request), await require_session(request)
    room_of(live, name)
    require_served_here(request, name)
    command = _read(live, session, await request.body())
    house, stream = await live.durable_state(), table_stream(name)
    denied = why_denied(session, stream, command, live.sits_at)
    if denied is not None:
        return OutlookShown(
            refused=SaidEvent(
                event=command.name, say=denied.say, cites=(), what=f"denied_{denied.code}", params=denied.params
            )
        )
    actor = Actor(who=session.person, role=session.role)
    found = await live.house.with_events(
        lambda: outlook(house.rules(name), house.tables[name], command, actor, live.house.event_at(stream))
    )
    if isinstance(found, Refused):
        cites = tuple(map(str, found.cites))
        said = SaidEvent(
            event=command.name, say=found.say, cites=cites, what=found.what, params={**spoken_params(found)}
        )
        return OutlookShown(refused=said)
    return OutlookShown(
        events=_said_events(found.events, Viewer(session.role)),
        calls=found.calls,
        follows=found.follows,
        follows_sentence=found.follows_sentence,
        counts=found.counts,
        ruled=found.ruled,
        ahead=found.ahead,
    )


def _read(live: HouseServer, session: Session, data: bytes) -> Command:
    try:
        return read_persons_command(data, session)
    except UnreadableLine as error:
        live.metrics.count_unreadable()
        raise problem(400, f"{error}.", code="unreadable") from None


def _said_events(events: Iterable[Event], viewer: Viewer) -> tuple[SaidEvent, ...]:
    """Events in the words for a viewer; what the viewer may not see is left out."""
    return tuple(
        SaidEvent(
            event=str(event.__struct_config__.tag), say=told.say, cites=event.cites, what=told.what, params=told.params
        )
        for event in events
        if view_event(event, viewer) is not None and (told := told_event(event, viewer).with_names(str)).say
    )


def corrigible_answer(each: Corrigible, role: Role) -> CorrigibleShown:
    """An entry in the words for a role."""
    (said,) = _said_events([each.event], Viewer(role)) or (SaidEvent(event="", say="", cites=()),)
    return CorrigibleShown(
        number=each.number,
        say=said.say,
        what=said.what,
        params=said.params,
        command=each.command,
        fields=each.fields,
        cites=each.cites,
        seconds=each.seconds,
    )


def _dealer_on_game(live: HouseServer, who: str, actor: Actor) -> DealerOnGame:
    name = name_persons(live.house.names, who)
    return DealerOnGame(who=who, name=name, is_you=who == actor.who, is_nobody=who == Role.DEALER.value)


# ------------------------------------------------------------------------------------- the floorperson is called


@routes.post_ok("/api/tables/{name:str}/floor-call", "Call the floorperson to a table", CALLS, 404, 421)
async def call_floor(request: HttpRequest, name: FromPath[str]) -> FloorCall:
    """The floor's consoles show that this table waits; nothing is recorded."""
    live, session = live_of(request), await require_session(request)
    room_of(live, name)
    _require_own_table(live, session, name)
    require_served_here(request, name)
    found = live.floor_calls.call(name, by=session.person, now=live.desk.now)
    _show_calls(live, name)
    return found


@routes.delete(
    "/api/tables/{name:str}/floor-call", "Answer a call for the floorperson, or withdraw it", CALLS, 404, 421
)
async def end_call(request: HttpRequest, name: FromPath[str]) -> None:
    """A floorperson answers, and it is shown for a while who did; a dealer withdraws the call, and the floor is shown
    that too."""
    live, session = live_of(request), await require_session(request)
    room_of(live, name)
    _require_own_table(live, session, name)
    require_served_here(request, name)
    if session.role is Role.DEALER:
        live.floor_calls.withdraw(name, now=live.desk.now)
    else:
        live.floor_calls.answer(name, by=session.person, now=live.desk.now)
    _show_calls(live, name)


def _show_calls(live: HouseServer, table: str) -> None:
    """Show a changed call to all who follow the house, and at the table itself."""
    live.rooms.house_room.mark_changed("calls")
    live.rooms[table].refresh_words()


def _require_own_table(live: HouseServer, session: Session, name: str) -> None:
    """A problem at a console of another table: it acts for its own."""
    what = why_unreachable(session.workplace, name)
    if what is not None:
        raise denied_problem(live.desk.deny(session, what, about=f"floor call {name}"))


@routes.get("/api/floor-calls", "Tables that wait for a floorperson", only(HOUSE_STAFF))
async def floor_calls(request: HttpRequest) -> Calls:
    """Every unanswered call, and who answered the last others."""
    return calls_shown(live_of(request))
