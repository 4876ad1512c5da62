"""Who usually does a command at a table: the default actor."""

from __future__ import annotations

from baccarat.table.actor import Actor, Approval, Origin
from baccarat.table.base import Command
from baccarat.table.role import Role
from baccarat.table.state import DEALER, TableState
from baccarat.table.table_cards import AUTOMATED


def usual_actor(
    state: TableState, command: Command, *, by: Role | None = None, who: str = "", approvals: tuple[Approval, ...] = ()
) -> Actor:
    """The actor who usually does a command at a table: the person at the seat, the first dealer, or the role itself."""
    role = command.usual_role() if by is None else by
    origin = Origin.PERSON if by is not None else command.ORIGINS[0]
    if by is None and role is Role.DEALER and origin is Origin.PERSON and state.cards is AUTOMATED:
        origin = Origin.PROGRAM
    if not who:
        who = getattr(command, "person", "") or _name_at(state, role, command) or role.value
    return Actor(who=who, role=role, origin=origin, approvals=approvals)


def dealer_of(state: TableState) -> Actor:
    """The dealer who calls the game: a person, or the program at an automated table."""
    origin = Origin.PROGRAM if state.cards is AUTOMATED else Origin.PERSON
    return Actor(who=state.seats.dealers[0], role=Role.DEALER, origin=origin)


def _name_at(state: TableState, role: Role, command: Command) -> str:
    """The name of the person who has a role at a table; empty if nobody there has it."""
    if role is Role.DEALER:
        return state.seats.dealers[0]
    person = state.at(getattr(command, "seat", DEALER)) if role is Role.PARTICIPANT else None
    return person.who if person is not None else ""
