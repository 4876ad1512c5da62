"""Abandoning: a shoe is abandoned between two rounds, and ends like every shoe that is over (reading A-94)."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.table.actor import Actor
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import KeptReason
from baccarat.table.registration import evolves, handles_actor
from baccarat.table.role import SUPERVISORS, Role
from baccarat.table.rules_adoption import is_between_shoes
from baccarat.table.state import TableState
from baccarat.table.step.revealing import OVERDUE_SEED, is_stopped_by_seed
from baccarat.table.step_function import automates, tells
from baccarat.table.two_persons import refuse_unapproved

CLOSE = "close"


class AbandonShoe(Command, frozen=True, kw_only=True, tag="abandon_shoe"):
    """The floorperson abandons a shoe while no wager lies and no round is open: it is closed, and the table may be.

    A shoe that has stopped the table is taken away in this way; the table continues with other cards.
    """

    reason: KeptReason
    ROLE = Role.FLOORPERSON
    ROLES = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR})
    SECOND = SUPERVISORS
    """Where wagers were taken in the shoe."""
    STOPPED = True
    CARD = CommandCard(
        group="orders",
        console="reason",
        although_optional="practice",
        ask="The floorperson has the shoe that stopped the table taken away, and says why.",
        discretion="shoe",
    )


class ShoeAbandoned(Event, frozen=True, kw_only=True, tag="shoe_abandoned"):
    """No more hands are dealt from this shoe, though it was not at its end."""

    reason: str
    taken_away: bool = False
    """Whether this shoe had stopped the table, which continues without it."""
    REWINDS = True
    CARD = EventCard(
        sights(everybody="taken_away", floor="reason"), sort="irregularity", short="The shoe is abandoned."
    )


@handles_actor(AbandonShoe)
def abandon_shoe(rules: TableRules, state: TableState, command: AbandonShoe, actor: Actor) -> HandlerResult:
    """With a reason, after the first act on the shoe's cards, and only between two rounds.

    Two persons do it where wagers were taken in the shoe: to end it then is worth money to one side or the other.
    """
    round_, shoe = state.round, state.shoe
    if not state.rules or is_between_shoes(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "no_shoe_has_begun", step=CLOSE)
    if rules.elects("shoe_given_up") == "never" and not state.stopped:
        keys = rules.edition.options["shoe_given_up"].cite
        return refuse(rules, Reason.NOT_OFFERED, "shoe_is_played_to_its_end", *keys)
    if shoe.finished and (not state.stopped or is_stopped_by_seed(state)):
        return refuse(rules, Reason.OUT_OF_ORDER, "shoe_is_over_already", step=CLOSE)
    if round_.wagers or round_.spoken:
        return refuse(rules, Reason.WAGERS_ON_TABLE, "wagers_lie_on_the_table", step=CLOSE)
    if not state.stopped and (round_.closed or round_.player or round_.banker or shoe.exposing):
        return refuse(rules, Reason.OUT_OF_ORDER, "round_is_finished_first", step=CLOSE)
    if not command.reason.strip():
        return refuse(rules, Reason.NO_REASON, "giving_a_shoe_up_says_why", step=CLOSE)
    if state.is_on_record and wagers_were_taken(state):
        keys = next(row.cite for row in rules.edition.steps if row.name == CLOSE)
        if refused := refuse_unapproved(rules, command, actor, *keys, what="giving_a_shoe_up", reason=command.reason):
            return refused
    return [ShoeAbandoned(reason=command.reason, taken_away=bool(state.stopped), cites=rules.cites[CLOSE])]


def wagers_were_taken(state: TableState) -> bool:
    """Whether money hangs on what becomes of the shoe: wagers lie, or were taken in an earlier round of it."""
    round_ = state.round
    return round_.number > 1 or round_.closed or bool(round_.wagers)


@evolves(ShoeAbandoned)
def evolve_abandoned(state: TableState, event: ShoeAbandoned) -> TableState:
    """The shoe is to be closed; without the shoe that stopped it, the table runs again, unless its seed is overdue."""
    taken_away, held = event.taken_away or state.shoe.taken_away, state.shoe.commitment
    stopped = OVERDUE_SEED if held is not None and held.is_overdue else ""
    return replace(
        state, stopped=stopped, shoe=replace(state.shoe, finished=True, abandoned=True, taken_away=taken_away)
    )


def expect_taken_away(rules: TableRules, state: TableState) -> list[Due]:
    """The shoe that stopped the table may be taken away; the people may also just leave.

    One that is over, and only owes its seed, is not taken away: that would end the stop without the seed.
    """
    if is_stopped_by_seed(state):
        return []
    return [Due(by=Role.FLOORPERSON, act="abandon_shoe", cites=rules.cites[CLOSE], optional=True)]


automates(AbandonShoe)(lambda *_: AbandonShoe(reason="another shoe takes its place"))


@tells(ShoeAbandoned)
def _tell_abandoned(event: ShoeAbandoned) -> str:
    what = "that stopped the table is taken away" if event.taken_away else "is given up before its end"
    return f"The shoe {what}: {event.reason}."
