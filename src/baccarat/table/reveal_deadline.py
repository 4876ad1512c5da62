"""The deadline of the reveal: how long after the end of an electronic shoe its seed is revealed at the latest.

No rule document names one. It is the house's own, on record from the first entry of the table's stream, and does not
change. A table that was opened without one, or before this was recorded, states none (`UNSET`, which is not written):
there a shoe is not closed without its seed either, but it may take for ever. What happens when the deadline passes is
in `step/overdue.py`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from baccarat.table.table_cards import ELECTRONIC_CARDS, StatedCards

LONGEST_REVEAL = 604_800
"""The longest deadline, in seconds: a week."""
RevealSeconds = Annotated[int, Meta(ge=1, le=LONGEST_REVEAL)]
StatedDeadline = RevealSeconds | UnsetType
IDLE_DEADLINE = "the table states a deadline for seeds, and was not opened with an electronic shoe"


def is_deadline_idle(cards: StatedCards, within: StatedDeadline) -> bool:
    """Whether a table states a deadline that none of its shoes can have: it was not opened as an electronic one."""
    return within is not UNSET and cards not in ELECTRONIC_CARDS


def deadline_text(within: StatedDeadline) -> str:
    """The deadline of a table's reveals, in words."""
    return "not stated" if within is UNSET else f"{within:,} second{'s' * (within != 1)}"
