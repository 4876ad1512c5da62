"""Dealers: they come on the game and go off it; the first of them calls the game (reading A-50)."""

from __future__ import annotations

from typing import ClassVar

from baccarat.table.base import Command, Event, Outcome, Reason, TableRules, evolves, handles, refuse
from baccarat.table.role import STAFF, Role
from baccarat.table.state import State, with_seats
from baccarat.table.step.opening import RECEIVE


class ComeOn(Command, frozen=True, kw_only=True, tag="come_on"):
    """A dealer comes on the game, perhaps in the place of another."""

    who: str
    instead_of: str = ""
    ROLES: ClassVar[frozenset[Role]] = STAFF


class GoOff(Command, frozen=True, kw_only=True, tag="go_off"):
    """A dealer goes off the game."""

    who: str
    ROLES: ClassVar[frozenset[Role]] = STAFF


class CameOn(Event, frozen=True, kw_only=True, tag="came_on"):
    """A dealer is on the game, perhaps in the place of another."""

    who: str
    instead_of: str = ""


class WentOff(Event, frozen=True, kw_only=True, tag="went_off"):
    """A dealer is off the game."""

    who: str


@handles(ComeOn)
def come_on(rules: TableRules, state: State, command: ComeOn) -> Outcome:
    """Nobody is on the game twice."""
    if not command.who.strip():
        return refuse(rules, Reason.NO_REASON, "a dealer has a name", step=RECEIVE)
    if command.who in state.seats.dealers:
        return refuse(rules, Reason.SEAT_TAKEN, f"{command.who} is on the game", step=RECEIVE)
    if command.instead_of and command.instead_of not in state.seats.dealers:
        return refuse(rules, Reason.NOT_ENTITLED, f"{command.instead_of} is not on the game", step=RECEIVE)
    return [CameOn(who=command.who, instead_of=command.instead_of, cites=rules.cites[RECEIVE])]


@handles(GoOff)
def go_off(rules: TableRules, state: State, command: GoOff) -> Outcome:
    """Somebody always calls the game."""
    if command.who not in state.seats.dealers:
        return refuse(rules, Reason.NOT_ENTITLED, f"{command.who} is not on the game", step=RECEIVE)
    if len(state.seats.dealers) == 1:
        return refuse(rules, Reason.NOT_ENTITLED, "a dealer calls the game: another comes on first", step=RECEIVE)
    return [WentOff(who=command.who, cites=rules.cites[RECEIVE])]


@evolves(CameOn)
def evolve_came_on(state: State, event: CameOn) -> State:
    """One dealer more, or another in the same place."""
    if not event.instead_of:
        return with_seats(state, dealers=(*state.seats.dealers, event.who))
    return with_seats(
        state, dealers=tuple(event.who if each == event.instead_of else each for each in state.seats.dealers)
    )  # fmt: skip


@evolves(WentOff)
def evolve_went_off(state: State, event: WentOff) -> State:
    """One dealer less."""
    return with_seats(state, dealers=tuple(each for each in state.seats.dealers if each != event.who))
