"""The timer of the reveal: when the clock reports that the seed of a shoe that is over was not shown in time.

All of it is pure: the loop that reads the clock is `serve/job/reveal_watch.py`. Times are in microseconds UTC, as in
records, because the deadline also runs while the house is closed.
"""

from __future__ import annotations

from msgspec import UNSET

from baccarat.house.state import HouseState
from baccarat.table.state import TableState
from baccarat.table.step.overdue import ReportOverdueSeed
from baccarat.table.step.revealing import owes_seed

ONE_SECOND = 1_000_000


def awaits_reveal(state: TableState) -> bool:
    """Whether the deadline of a reveal runs at a table."""
    held = state.shoe.commitment
    return state.reveal_within is not UNSET and owes_seed(state) and held is not None and not held.is_overdue


def is_seed_overdue(state: TableState) -> bool:
    """Whether the deadline has passed at a table, and the seed is neither revealed nor reported lost."""
    held = state.shoe.commitment
    return held is not None and held.is_overdue


def overdue_tables(state: HouseState) -> list[str]:
    """The tables at which a seed is overdue."""
    return [table for table, held in state.tables.items() if is_seed_overdue(held)]


def overdue_report(state: TableState, *, since: int, now: int) -> ReportOverdueSeed | None:
    """What the clock submits now at a table whose seed has been due `since` then; None before the deadline."""
    if not awaits_reveal(state):
        return None
    assert state.reveal_within is not UNSET, "only a table with a deadline awaits the reveal"
    seconds = (now - since) // ONE_SECOND
    return ReportOverdueSeed(due_for=seconds) if seconds >= state.reveal_within else None
