"""May this session submit this command to this stream? One table, made from what the commands themselves say.

This is the outer check. It keeps out what no person submits (an order that a shoe seals, meters that a link shows,
papers that a table enters by itself), wrong roles, and acts for other people's seats. Whatever passes is decided by the
table or the book, which refuses by its clauses what is wrong or comes at the wrong time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import Enum
from typing import Any

import msgspec

from baccarat.engine.entries import AnyCommand
from baccarat.house.book import HouseCommand
from baccarat.house.registry import BOOKS, FOLLOWING_COMMANDS
from baccarat.house.stream import TABLE_KIND, Stream, is_table_stream, kind_and_name, stream_name
from baccarat.house.table_opening import OpenTable
from baccarat.record.text import visible
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.session import Session, Workplace
from baccarat.serve.setting import is_for_training
from baccarat.table.actor import Origin
from baccarat.table.dealers import ComeOn
from baccarat.table.registry import HANDLERS
from baccarat.table.role import SPECTATORS, TASK_ROLES, Role
from baccarat.table.seating_acts import Sit
from baccarat.table.state import TableState, seat_of
from baccarat.table.two_persons import NOBODY_YET

SitsAt = Callable[[str, int], str]
"""Who sits at a seat of a table; empty if nobody does."""


class CommandRule(msgspec.Struct, frozen=True):
    """What a person needs to submit a command."""

    kind: type[Any]
    stream: str
    """The kind of stream that it belongs to, such as `table` or `cage`."""
    roles: frozenset[Role]
    """Who may submit it; nobody if the house itself does it."""


def name_of(command: AnyCommand | type[AnyCommand]) -> str:
    """A command's name, as it is written."""
    return str(command.__struct_config__.tag)


def _rule(kind: type[Any], stream: str) -> CommandRule:
    origins: Collection[Origin] = getattr(kind, "ORIGINS", (Origin.PERSON,))
    is_internal = Origin.PERSON not in origins or _is_done_by_house(kind)
    roles = frozenset() if is_internal else kind.ROLES - SPECTATORS
    return CommandRule(kind, stream, roles)


def _is_done_by_house(kind: type[Any]) -> bool:
    """Whether persons may do it at a table that stands alone, or on paper, and the house as part of another act."""
    return kind in FOLLOWING_COMMANDS or (issubclass(kind, HouseCommand) and kind.AT_TABLE)


def _rules() -> dict[str, CommandRule]:
    found = [_rule(kind, TABLE_KIND) for kind in HANDLERS]
    found += [_rule(kind, stream) for stream, held in BOOKS.items() for kind in held.book.handlers]
    rules = {name_of(rule.kind): rule for rule in found}
    assert len(rules) == len(found), "no two commands have the same name"
    return rules


RULES: Mapping[str, CommandRule] = _rules()
"""Every command of the table and of the house, by its name."""
NAMED_STREAMS = frozenset({TABLE_KIND, *(kind for kind, held in BOOKS.items() if held.is_named)})
"""Kinds of stream of which there are several, each with a name of its own."""


def why_denied(session: Session, stream: Stream, command: AnyCommand, sits_at: SitsAt) -> Denied | None:
    """Why a session may not submit a command to a stream; None if it may, and the stream decides."""
    act = name_of(command)
    rule = RULES.get(act)
    if rule is None or type(command) is not rule.kind:
        return make_denial(Denial.NO_SUCH_COMMAND)
    if session.role in SPECTATORS:
        return make_denial(Denial.ONLY_WATCHES, role=session.role.value)
    refused = _wrong_stream(rule, act, stream)
    if refused is not None:
        return refused
    if not rule.roles:
        return make_denial(Denial.INTERNAL, act=act)
    if session.role not in rule.roles:
        allowed = " or ".join(sorted(role.value for role in rule.roles))
        return make_denial(Denial.WRONG_ROLE, act=act, allowed=allowed, role=session.role.value)
    out_of_reach = why_out_of_reach(session.workplace, stream, command)
    if out_of_reach is not None:
        return out_of_reach
    return _not_his_seat(session, stream, command, sits_at) if session.role is Role.PARTICIPANT else None


MOST_TRAINING_TABLES = 20
"""How many tables visitors may work at; each takes memory as long as the house exists, and no table is ever closed."""


def why_not_opened(session: Session, command: AnyCommand, tables: Collection[str]) -> Denied | None:
    """Why a visitor may not open one more table in a practice house that has `tables`."""
    if not (isinstance(command, OpenTable) and session.workplace.is_visitor):
        return None
    is_full = sum(map(is_for_training, tables)) >= MOST_TRAINING_TABLES
    return make_denial(Denial.TRAINING_IS_FULL, most=MOST_TRAINING_TABLES) if is_full else None


def _wrong_stream(rule: CommandRule, act: str, stream: Stream) -> Denied | None:
    kind, name = kind_and_name(stream)
    if kind == rule.stream and name if rule.stream in NAMED_STREAMS else stream == rule.stream:
        return None
    shown = stream if len(stream) <= 60 and stream.isprintable() else "what was named"
    return make_denial(Denial.WRONG_STREAM, act=act, stream=shown)


def why_out_of_reach(at: Workplace, stream: Stream, command: AnyCommand) -> Denied | None:
    """Why somebody who is bound to a table may not do, or approve, something elsewhere in the house.

    A console acts for its table, and for nothing that concerns the whole house. A visitor does what concerns the whole
    house too: there is nobody else to do it.
    """
    places = tuple(_places_of(command, stream)) if at.is_visitor else (_table_of(command, stream),)
    return next((found for each in places if (found := why_unreachable(at, each)) is not None), None)


def why_unreachable(at: Workplace, place: str) -> Denied | None:
    """Why somebody may not work at a table, or in a pit."""
    if at.reaches(place):
        return None
    if at.is_visitor:
        return make_denial(Denial.FOR_THOSE_WHO_PLAY, place=visible(place)[:60])
    return make_denial(Denial.OTHER_TABLE, table=at.table)


def _table_of(command: AnyCommand, stream: Stream) -> str:
    """The table that a command is about; none where it is about the whole house."""
    return stream_name(stream) if is_table_stream(stream) else getattr(command, "table", "")


def _places_of(command: AnyCommand, stream: Stream) -> Iterator[str]:
    """The tables, pits and links that a command is about; none where it is about the whole house."""
    kind, name = kind_and_name(stream)
    if kind in NAMED_STREAMS:
        yield name
    for holder in (command, getattr(command, "booked", None)):
        if table := getattr(holder, "table", ""):
            yield table
    yield from getattr(command, "tables", None) or ()


def _not_his_seat(session: Session, stream: Stream, command: AnyCommand, sits_at: SitsAt) -> Denied | None:
    """A participant sits down only himself, and acts only for his own seat."""
    if isinstance(command, Sit):
        is_own = command.person in ("", session.person)
        return None if is_own else make_denial(Denial.OTHER_PERSON)
    if isinstance(command, HouseCommand):  # a choice about himself, at no seat
        return None
    seat = getattr(command, "seat", 0)
    is_own = seat > 0 and sits_at(stream_name(stream), seat) == session.person
    return None if is_own else make_denial(Denial.OTHER_SEAT)


def why_denied_at_table(session: Session, command: AnyCommand, state: TableState) -> Denied | None:
    """Why a person may not do at a table, in its current state, what the role may do there.

    Nobody takes a second seat from others, and only dealers who are on the game deal. If nobody has come on the game
    yet, a dealer who deals is assumed to be on it.
    """
    if isinstance(command, Sit) and session.role is Role.PARTICIPANT:
        seat = seat_of(state, session.person)
        return make_denial(Denial.HAS_A_SEAT, seat=str(seat)) if seat not in (0, command.seat) else None
    if session.role is Role.DEALER and not isinstance(command, ComeOn):
        dealers = state.seats.dealers
        is_on = dealers == NOBODY_YET or session.person in dealers
        return None if is_on else make_denial(Denial.NOT_ON_THE_GAME)
    return None


# ------------------------------------------------------------------------------- tasks besides commands


class Task(Enum):
    """What people do at the desk, besides the acts of tables and books."""

    MANAGE_PEOPLE = "manage people"
    """Add people, give them roles and links to set a password, deactivate them, erase them."""
    MANAGE_DEVICES = "manage devices"
    END_SESSIONS = "end sessions"
    """Those of other people; everybody may end their own."""
    READ_ACCESS_LOG = "read the access log"


TASKS = {Task(name): roles for name, roles in TASK_ROLES.items()}
"""Who does it, in person; the routes of each task admit nobody else."""
assert set(TASKS) == set(Task), "TASK_ROLES says of every task who does it"
