"""A log as a story, by which the tests look at what a table tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from baccarat.table.base import Event, StepBegan
from baccarat.table.story import tell


def transcript(events: Iterable[Event]) -> Iterator[str]:
    """A log as a story, a line an event, each with its clauses; a heading only where something follows."""
    heading = ""
    for event in events:
        if isinstance(event, StepBegan):
            heading = tell(event)
            continue
        if heading:
            yield heading
            heading = ""
        yield tell(event) + (f"  [{', '.join(event.cites)}]" if event.cites else "")
