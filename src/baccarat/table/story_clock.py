"""What the clock has brought, in sentences: a time was over, and nobody at the table is told to have done it (A-95)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.table.base import E, Event
from baccarat.table.registry import calling, curating, cutting, relinquishing
from baccarat.table.story_words import who

TELL_OF_CLOCK: dict[type[Event], Callable[[Any], str]] = {}
"""The sentence of each kind of event that tells of an act, where the clock brought it; others are told as ever."""


def _tell_of_clock(kind: type[E], sentence: Callable[[E], str]) -> None:
    TELL_OF_CLOCK[kind] = sentence


_tell_of_clock(calling.NoMoreBetsCalled, lambda x: f"The time for wagers is over: the clock calls “{x.say}”.")
_tell_of_clock(cutting.CutAnswered, lambda x: f"The cut is offered to seat {x.seat}, who did not answer in time.")
_tell_of_clock(cutting.CutGivenUp, lambda x: f"Seat {x.seat}, who had taken the cut, did not make it in time.")
_tell_of_clock(curating.ShoeAnswered, lambda x: f"The shoe is offered to seat {x.seat}, who did not answer in time.")
_tell_of_clock(curating.ShoePassed, lambda x: f"The shoe passes from {who(x.seat)}, who did not deal in time.")
_tell_of_clock(relinquishing.TurnRelinquished, lambda x: f"Seat {x.seat} did not turn the {x.side}'s cards in time.")
_tell_of_clock(
    relinquishing.TurnAnswered,
    lambda x: f"Seat {x.seat} is offered the {x.side}'s cards, and did not answer in time.",
)
_tell_of_clock(relinquishing.TurnFellToDealer, lambda x: f"The dealer turns the {x.side}'s cards.")
