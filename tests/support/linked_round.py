"""Rounds at linked tables."""

from __future__ import annotations

from linked_floor import Floor

# -------------------------------------------------------------------------------------------- void rounds


def until_closed(floor: Floor, name: str) -> None:
    """A table in a round that is closed and has fed the meters."""
    table = floor.tables[name]
    while not (table.state.round.closed and table.state.round.royal9_seats and not table.state.round.player):
        floor.act(name, check=False)
