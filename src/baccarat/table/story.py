"""Stories: every event as a plain sentence with its clauses, for transcripts that a person can follow.

The sentence of an event is next to its evolver (`tells` in `step_function.py`).
"""

from __future__ import annotations

from baccarat.table.actor import CLOCK, PERSON, Origin
from baccarat.table.base import Event
from baccarat.table.registry import TELL
from baccarat.table.step_function import TELL_OF_CLOCK


def tell(event: Event, origin: Origin = PERSON) -> str:
    """An event in a sentence; an act of the clock is not told as if somebody at the table had done it."""
    of_clock = TELL_OF_CLOCK.get(type(event)) if origin is CLOCK else None
    return (of_clock or TELL[type(event)])(event)
