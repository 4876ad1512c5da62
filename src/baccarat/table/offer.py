"""Offers: what a participant may decline, and the command that declines it for one who is away or keeps nobody waiting.

The cut, the shoe and a relinquished right to turn are offered; a cut that was taken can still be given up.
"""

from __future__ import annotations

from typing import Any

from baccarat.table.base import Command, Due
from baccarat.table.registry import COMMANDS
from baccarat.table.state import DEALER
from baccarat.table.step.cutting import CutCards, GiveUpCut


def is_offer(due: Due) -> bool:
    """Whether what is due can be declined for the participant of whom it is asked."""
    kind = COMMANDS[due.act]
    return kind.CARD.console == "declined" or (kind is CutCards and due.seat != DEALER)


def decline_offer(due: Due) -> Command:
    """The command that declines what is due."""
    kind: Any = COMMANDS[due.act]
    declined: Command = GiveUpCut(seat=due.seat) if kind is CutCards else kind(seat=due.seat, accept=False)
    return declined
