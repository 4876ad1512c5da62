"""Dealers: they come on the game and go off it; the first of them calls the game (reading A-50)."""

from __future__ import annotations

from typing import Annotated

from baccarat.table import audience
from baccarat.table.actor import Actor
from baccarat.table.base import NO_PERSON, Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Means, PersonText
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import PersonActing
from baccarat.table.input_field import InputField
from baccarat.table.registration import evolves, handles_actor
from baccarat.table.role import GAME_STAFF
from baccarat.table.source import CardSource
from baccarat.table.state import TableState, with_seats
from baccarat.table.step.opening import RECEIVE
from baccarat.table.step_function import automates, fills, tells
from baccarat.table.story_words import person
from baccarat.table.two_persons import NOBODY_YET, is_on_the_game, is_seated, plain_name


class ComeOn(Command, frozen=True, kw_only=True, tag="come_on"):
    """A dealer comes on the game, perhaps in the place of another; without a name, it is the person who acts."""

    person: PersonActing = ""
    instead_of: Annotated[PersonText, Means("the id of the dealer who is relieved")] = ""
    ROLES = GAME_STAFF
    AT_AUTOMATED = NO_PERSON
    CARD = CommandCard(
        group="people",
        ask="The floorperson calls another dealer onto the game, so that enough of them can shuffle.",
        public_ask="Another dealer is called onto the game.",
    )


class GoOff(Command, frozen=True, kw_only=True, tag="go_off"):
    """A dealer goes off the game; without a name, it is the person who acts."""

    person: PersonActing = ""
    ROLES = GAME_STAFF
    AT_AUTOMATED = NO_PERSON
    CARD = CommandCard(group="people")


class CameOn(Event, frozen=True, kw_only=True, tag="came_on"):
    """A dealer is on the game, perhaps in the place of another."""

    who: str
    instead_of: str = ""
    CARD = EventCard(audience.sights(audience.TABLE_STAFF_SIGHT, staff="who instead_of"), sort="other")


class WentOff(Event, frozen=True, kw_only=True, tag="went_off"):
    """A dealer is off the game."""

    who: str
    CARD = EventCard(audience.sights(audience.TABLE_STAFF_SIGHT, staff="who"), sort="other")


@handles_actor(ComeOn)
def come_on(rules: TableRules, state: TableState, command: ComeOn, actor: Actor) -> HandlerResult:
    """Nobody is on the game twice."""
    who = command.person or actor.who
    if not who.strip():
        return refuse(rules, Reason.NO_REASON, "dealer_without_a_name", step=RECEIVE)
    on = state.seats.dealers
    if who in on or (state.is_on_record and is_on_the_game(state, who)):
        return refuse(rules, Reason.SEAT_TAKEN, "already_on_the_game", step=RECEIVE, who=who)
    if state.is_on_record and is_seated(state, who):  # reading A-101
        return refuse(rules, Reason.SAME_PERSON, "sits_at_this_table", step=RECEIVE, who=who)
    if command.instead_of and command.instead_of not in state.seats.dealers:
        return refuse(
            rules, Reason.NOT_ENTITLED, "relieved_is_not_on_the_game", step=RECEIVE, instead_of=command.instead_of
        )
    return [CameOn(who=who, instead_of=command.instead_of, cites=rules.cites[RECEIVE])]


@handles_actor(GoOff)
def go_off(rules: TableRules, state: TableState, command: GoOff, actor: Actor) -> HandlerResult:
    """Somebody always calls the game."""
    who = command.person or actor.who
    if who not in state.seats.dealers:
        return refuse(rules, Reason.NOT_ENTITLED, "not_on_the_game", step=RECEIVE, who=who)
    if len(state.seats.dealers) == 1:
        return refuse(rules, Reason.NOT_ENTITLED, "dealer_calls_game_another_comes_first", step=RECEIVE)
    return [WentOff(who=who, cites=rules.cites[RECEIVE])]


@evolves(CameOn)
def evolve_came_on(state: TableState, event: CameOn) -> TableState:
    """One dealer more, or another in the same place."""
    if not event.instead_of:
        return with_seats(state, dealers=(*state.seats.dealers, event.who))
    return with_seats(
        _with_relief(state, event.instead_of),
        dealers=tuple(event.who if each == event.instead_of else each for each in state.seats.dealers),
    )


def _with_relief(state: TableState, who: str) -> TableState:
    """Somebody has gone off: for the rest of a round that he has dealt he checks nothing of it (reading A-101).

    The place of the first dealer, which nobody has taken yet, is nobody.
    """
    if (who,) == NOBODY_YET:
        return state
    when = (state.shoe.number, state.round.number if state.round.closed else 0)
    return with_seats(state, relieved={**state.seats.relieved, plain_name(who): when})


@evolves(WentOff)
def evolve_went_off(state: TableState, event: WentOff) -> TableState:
    """One dealer less."""
    state = _with_relief(state, event.who)
    return with_seats(state, dealers=tuple(each for each in state.seats.dealers if each != event.who))


fills(ComeOn)(lambda _rules, _state, _due: ({}, (InputField(name="person", kind="text"),)))


@automates(ComeOn)
def _make_come_on(_rules: TableRules, state: TableState, _due: Due, _source: CardSource) -> Command:
    names = (f"dealer {number}" for number in range(2, len(state.seats.dealers) + 3))
    return ComeOn(person=next(name for name in names if name not in state.seats.dealers))


tells(CameOn)(
    lambda x: (
        f"{person(x.who)} comes on the game as a dealer"
        + (f" in the place of {x.instead_of}." if x.instead_of else ".")
    )
)
tells(WentOff)(lambda x: f"{person(x.who)} goes off the game.")
