"""The board of alerts: records are read once, as they come; figures and proposals are read on request.

Everything on it follows from what is on disk: after a restart, and on every node of a house, it shows the same for the
shoes in play.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Mapping

from baccarat.house.state import HouseState
from baccarat.house.stream import Stream, table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.serve.access.proposal import Proposal, open_in
from baccarat.serve.runtime.past_state import RecordsDropped, ReplayTooLong, StateCache
from baccarat.serve.runtime.recent_events import record_of_event
from baccarat.serve.runtime.round_index import ends_of_shoe
from baccarat.serve.store.base import Reads
from baccarat.serve.watch.alert import (
    Alert,
    DayWin,
    OpenProposal,
    alerts_in,
    correction_alert,
    newest_first,
    outside_band,
)
from baccarat.serve.watch.expected_win import ExpectedWin, expected_of_day, rules_filed
from baccarat.serve.watch.narration import Tell
from baccarat.table.correction import Correction

MOST_OF_TABLE = 100
"""How many alerts of one table are kept, the newest."""
FIGURES_SECONDS = 10.0
"""How long the computed figures of a day are reused."""


class AlertBoard:
    """The alerts of a house."""

    def __init__(self, states: StateCache) -> None:
        self._states = states
        self._lock = threading.Lock()
        self._read: dict[Stream, int] = {}
        """The last record of each table that was read."""
        self._found: dict[str, deque[Alert]] = {}
        self._figures: tuple[float, list[Alert]] = (float("-inf"), [])
        self._since: dict[str, int] = {}
        """When each table was first seen outside its band."""

    def current_alerts(
        self, reads: Reads, state: HouseState, tables: Iterable[str], *, now: int, steady: float, tell: Tell
    ) -> list[Alert]:
        """Every alert of some tables, newest first. `now` is in microseconds UTC, `steady` in seconds of any clock."""
        with self._lock:
            rules, heads = rules_filed(state), reads.heads()
            for table in tables:
                head = heads.get(table_stream(table))
                if head is not None and self._read.get(table_stream(table)) != head.seq:
                    self._read_records(reads, state, table, rules, tell, head.seq)
            found = [alert for table in tables for alert in self._found.get(table, ())]
            found += self._band_alerts(reads, state, now=now, steady=steady)
        found += [alert for table in tables for alert in _proposal_alerts(reads, self._states, table, now)]
        wanted = set(tables)
        return newest_first([alert for alert in found if alert.table in wanted])

    def _read_records(
        self, reads: Reads, state: HouseState, table: str, rules: Mapping[str, Rulebook], tell: Tell, last: int
    ) -> None:
        """Read the new records of a table; the first time, those of the shoe in play."""
        stream = table_stream(table)
        read = self._read.get(stream)
        if read is None:
            read = ends_of_shoe(reads, stream, state.tables[table].shoe.number + 1).begins - 1
        found = self._found.setdefault(table, deque(maxlen=MOST_OF_TABLE))
        try:
            for step in self._states.steps(reads, stream, read + 1, last):
                found.extend(alerts_in(step, rules[step.record.rulebook], table, tell))
        except (RecordsDropped, ReplayTooLong):
            pass  # records that can no longer be replayed are skipped: alerts are about the present
        self._read[stream] = last

    def _band_alerts(self, reads: Reads, state: HouseState, *, now: int, steady: float) -> list[Alert]:
        """The tables whose win is outside its band; computed from time to time."""
        if steady - self._figures[0] < FIGURES_SECONDS:
            return self._figures[1]
        day = state.day
        figures = day.figures if day.is_closed else {table: tally.all_shoes for table, tally in state.tallies.items()}
        theory = expected_of_day(reads, state, day.number, figures)
        made = list[Alert]()
        for table, each in figures.items():
            low, high = band(theory[table])
            standing = DayWin(table=table, day=day.name, rounds=each.rounds, win=each.win, low=low, high=high)
            alert = outside_band(standing, self._since.get(table, now))
            if alert is None:
                self._since.pop(table, None)
            else:
                self._since.setdefault(table, now)
                made.append(alert)
        self._figures = (steady, made)
        return made


def band(theory: ExpectedWin) -> tuple[int, int]:
    """Theory less and plus two standard deviations, in cents."""
    mean = theory.mean.numerator // theory.mean.denominator
    return mean - theory.two_deviations, mean + theory.two_deviations


def _proposal_alerts(reads: Reads, states: StateCache, table: str, now: int) -> Iterable[Alert]:
    for each in open_in(reads, table_stream(table), now=now):
        shoe, round_, seq = _corrected_place(reads, states, each)
        waiting = OpenProposal(
            id=each.id, table=table, act=each.name, role=each.role.value, at=each.made_at,
            by=tuple(sorted(role.value for role in each.approvers)), shoe=shoe, round=round_, seq=seq,
        )  # fmt: skip
        alert = correction_alert(waiting)
        if alert is not None:
            yield alert


def _corrected_place(reads: Reads, states: StateCache, proposal: Proposal) -> tuple[int, int, int]:
    """The shoe, the round and the record of the entry that is to be corrected; zeros if it cannot be shown."""
    command = proposal.read()
    record = record_of_event(reads, proposal.stream, command.corrects) if isinstance(command, Correction) else None
    if record is None:
        return 0, 0, 0
    try:
        before = states.state_after(reads, proposal.stream, record.seq - 1)
    except (RecordsDropped, ReplayTooLong):
        return 0, 0, 0
    return before.shoe.number + 1, before.round.number, record.seq
