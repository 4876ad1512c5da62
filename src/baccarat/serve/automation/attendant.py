"""The attendant of an automated table: dealer, clock and company in one, without a clock or a loop of its own.

The task that runs a table calls `update` when the table has changed, sleeps until `next_at`, submits the commands that
`due` lists, and calls `update` again; that is all.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from baccarat.serve.automation.company import TableCompany
from baccarat.serve.automation.dealer import (
    HURRIED_SECONDS,
    NO_ROLES,
    Agenda,
    Pace,
    PlannedAct,
    Wait,
    act_command,
    next_act,
)
from baccarat.serve.automation.timer import Timers, WaitTimes
from baccarat.table.actor import Actor
from baccarat.table.base import Command, Due
from baccarat.table.machine import Table
from baccarat.table.role import DEALERS, FLOOR_STAFF, PIT_STAFF
from baccarat.table.source import CardSource
from baccarat.table.state import TableState

COMPANY_PAUSE = 0.7
"""How long the company takes to wager or to answer, in seconds."""

WARM_ROUNDS = 20
"""How many rounds of a shoe are dealt in a hurry while only the lobby looks on: its roads are soon there."""

LOBBY_BETTING = 4.0
"""The longest that company has for its wagers while only the lobby looks on, in seconds: nobody else could wager."""

AFTER_REFUSAL = 30.0
"""After how many seconds the dealer retries what the house has refused, such as after the gaming day was closed."""


class Attendant:
    """All automated acts at one table, and their times."""

    def __init__(
        self,
        source: CardSource,
        *,
        is_practice: bool,
        deals: bool = True,
        times: WaitTimes | None = None,
        pace: Pace | None = None,
        guests: TableCompany | None = None,
    ) -> None:
        assert guests is None or is_practice, "company sits at practice tables only"
        self.source, self.is_practice, self.deals = source, is_practice, deals
        self.plays = (PIT_STAFF if deals else FLOOR_STAFF) if is_practice else DEALERS if deals else NO_ROLES
        """The roles that the program plays; if a person deals, there is no clock either: the dealer closes wagers."""
        self.times = times or WaitTimes()
        self.timers = Timers(times=self.times)
        self.pace = pace or Pace()
        self.guests = guests
        self.agenda = Agenda()
        self._company_at: float | None = None
        self._tried: tuple[TableState, float] | None = None
        """The table before the dealer's last act, and its time: if it is still the same, the act was refused."""

    def update(
        self,
        table: Table,
        now: float,
        *,
        acted: str = "",
        away: frozenset[str] = frozenset(),
        is_alone: bool = False,
    ) -> None:
        """The table has changed: somebody acted (`acted` names a participant who did), or came, or went away.

        `is_alone` says that nobody is at the table: only the lobby looks on.
        """
        due = table.expected
        company = self.guests.persons if self.guests is not None else frozenset()
        acted = "" if acted in company else acted
        pace = self._pace_for(table.state, away | company, is_alone=is_alone)
        is_hurried = pace is not self.pace
        if self.deals:
            self.timers = replace(self.timers, times=self._times_for(is_alone=is_alone, is_hurried=is_hurried))
            self.timers = self.timers.for_state(table.rules, table.state, due, now, acted=acted, away=away | company)
            pace = pace.limited_to(self.timers.patience_left(table.state, now))
        found = self._next_act(table, pace, due)
        self.agenda = self.agenda.with_next(found, now)
        if self._tried is not None and self._tried[0] is table.state and isinstance(found, PlannedAct):
            self.agenda = Agenda(found, self._tried[1] + AFTER_REFUSAL)
        wanted = self.guests is not None and self.guests.is_due(table.state, due)
        if not wanted:
            self._company_at = None
        elif self._company_at is None:
            self._company_at = now + (HURRIED_SECONDS if is_hurried else COMPANY_PAUSE)

    def _pace_for(self, state: TableState, others: frozenset[str], *, is_alone: bool) -> Pace:
        """The dealer's pace: in a hurry where company plays among itself and somebody waits for the next round, or the
        shoe has no road yet. `others` are those who are no reason to wait."""
        if self.guests is None or not self.deals:
            return self.pace
        if is_alone:
            return self.pace.hurried if state.round.number <= WARM_ROUNDS else self.pace
        return self.pace.hurried if _waits_for_next_round(state, others) else self.pace

    def _times_for(self, *, is_alone: bool, is_hurried: bool) -> WaitTimes:
        """How long the table waits: for company alone no longer than the lobby needs to follow it."""
        if self.guests is None or not is_alone:
            return self.times
        return replace(self.times, betting=min(self.times.betting, HURRIED_SECONDS if is_hurried else LOBBY_BETTING))

    @property
    def next_at(self) -> float | None:
        """When the next automated act is due; None if the table waits for somebody who may never come."""
        times = (self.timers.next_at, self.agenda.next_at, self._company_at)
        return min((each for each in times if each is not None), default=None)

    def due(self, table: Table, now: float) -> list[tuple[Command, Actor]]:
        """The automated acts that are due now: the clock's first, then the company's, then the dealer's, one at a time.

        Submit them to the table immediately, then call `update`.
        """
        rung = self.timers.expired_commands(now)
        self.timers = self.timers.without_expired(now)
        if rung:
            return rung
        if self._company_at is not None and self._company_at <= now:
            self._company_at = None
            assert self.guests is not None, "only company acts at times of its own"
            return self.guests.acts(table.rules, table.state, table.expected)
        if self.agenda.act is not None and self.agenda.at <= now:
            return self._dealer_act(table, now)
        return []

    def _next_act(self, table: Table, pace: Pace, expected: Iterable[Due] | None = None) -> PlannedAct | Wait:
        held, practice = self.timers.held_acts, self.is_practice
        return next_act(table, self.source, held, is_practice=practice, plays=self.plays, pace=pace, expected=expected)

    def _dealer_act(self, table: Table, now: float) -> list[tuple[Command, Actor]]:
        """The dealer's act, if it is still the next one: another table of a link may have changed that."""
        found = self._next_act(table, self.pace)
        planned, self.agenda = self.agenda, Agenda()
        if isinstance(found, Wait) or not planned.is_for(found):
            return []
        self._tried = table.state, now
        return [act_command(table, self.source, found, is_practice=self.is_practice)]


def _waits_for_next_round(state: TableState, others: frozenset[str]) -> bool:
    """Whether the round in play is one of company alone, while somebody who has come to wager sits there."""
    if not state.round.closed:
        return False
    seats = {
        seat
        for seat, person in enumerate(state.seats.participants, start=1)
        if person is not None and person.who not in others
    }
    return bool(seats) and not any(wager.seat in seats for wager in state.round.wagers)
