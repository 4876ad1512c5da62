"""What the opening of a table's stream does not state, so that the table is not covered, whatever its records show.

A house says itself by which version of the program it records. So an older version excuses nothing here: what only
later ones state cannot be checked where it is missing, and a house could name an old version to leave it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from baccarat.record.entry import StreamOpening
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.table_cards import ELECTRONIC_CARDS

UNSTATED_CARDS = "the opening does not say what cards the table has: only what its shoes show was checked"
"""Why a table is not covered that says neither that its cards are real nor that they are electronic."""
UNSTATED_WITNESSES = "the opening does not say who has a share in the orders of the table: each shoe could name others"
"""Why an electronic table is not covered that does not state its witnesses, or that it has none."""


def opening_gaps(opening: StreamOpening) -> Iterator[str]:
    """What is not covered of a table, because its opening does not state it."""
    if opening.cards is UNSET:
        yield UNSTATED_CARDS + by_claimed_version(opening.behaviour)
    elif opening.cards in ELECTRONIC_CARDS and opening.witnesses is UNSET:
        yield UNSTATED_WITNESSES + by_claimed_version(opening.behaviour)


def by_claimed_version(behaviour: int) -> str:
    """By which rules something was decided, if these are not those of this program."""
    if behaviour >= BEHAVIOUR:
        return ""
    return f" (decided by the rules of version {behaviour}, which the journal itself claims)"
