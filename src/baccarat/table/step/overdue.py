"""Overdue: the seed of an electronic shoe that is over was not revealed by the deadline, and the table stops.

The deadline is the table's own (`reveal_deadline.py`). It counts from when the seed may be revealed: from the end of
the shoe, or from when the table stopped. Time comes in with the command, by the house's clock, and is the house's word;
anyone who reads the record can compare it with the times that the records bear. Everybody sees the event. The table
continues when the seed is revealed, or when two persons have reported that it is lost.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET
from msgspec.structs import replace

from baccarat.play.refusal import Refused
from baccarat.table.actor import Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Means
from baccarat.table.card import EventCard
from baccarat.table.registration import evolves, handles, limits_clock, no_clock_limit
from baccarat.table.state import TableState
from baccarat.table.step.revealing import CLOSE, OVERDUE_SEED, owed_commitment
from baccarat.table.step_function import tells


class ReportOverdueSeed(Command, frozen=True, kw_only=True, tag="report_overdue_seed"):
    """The clock reports that the seed of a shoe that is over was not revealed by the table's deadline."""

    due_for: Annotated[Count, Means("for how many seconds the seed has been due")]
    ORIGINS = (Origin.CLOCK,)
    STOPPED = True


class SeedOverdue(Event, frozen=True, kw_only=True, tag="seed_overdue"):
    """The deadline of the reveal has passed: the table stops until the seed is revealed or reported lost."""

    due_for: int
    """For how many seconds the seed has been due, by the house's clock."""
    within: int
    """The deadline: within how many seconds it was to be revealed."""
    CARD = EventCard(sights(everybody="due_for within"), sort="irregularity", alert="overdue")


@handles(ReportOverdueSeed)
def report_overdue_seed(rules: TableRules, state: TableState, command: ReportOverdueSeed) -> HandlerResult:
    """Once for each shoe, at a table with a deadline, and not before it has passed."""
    within = state.reveal_within
    if within is UNSET:
        return refuse(rules, Reason.NOT_OFFERED, "reveal_has_no_deadline", step=CLOSE)
    if isinstance(held := owed_commitment(rules, state), Refused):
        return held
    if held.is_overdue:
        return refuse(rules, Reason.TWICE, "seed_overdue_already", step=CLOSE)
    if command.due_for < within:
        return refuse(rules, Reason.OUT_OF_ORDER, "reveal_not_overdue_yet", step=CLOSE, within=within)
    return [SeedOverdue(due_for=command.due_for, within=within, cites=rules.cites[CLOSE])]


limits_clock(ReportOverdueSeed)(no_clock_limit)  # the handler compares the time that it states with the deadline


@evolves(SeedOverdue)
def evolve_overdue(state: TableState, _event: SeedOverdue) -> TableState:
    """Everybody sees it; a table that had stopped for another reason still says that reason."""
    held = state.shoe.commitment
    assert held is not None, "only a shoe that has committed to a seed owes one"
    shoe = replace(state.shoe, commitment=replace(held, overdue=True))
    return replace(state, shoe=shoe, stopped=state.stopped or OVERDUE_SEED)


tells(SeedOverdue)(
    lambda x: (
        f"The seed of the electronic shoe has been due for {x.due_for:,} seconds by the house's clock, and was to be "
        f"revealed within {x.within:,}: the table stops until it is revealed, or two persons report that it is lost."
    )
)
