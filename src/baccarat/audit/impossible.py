"""What deciding raises where a journal holds what no honest one has: a fault of the journal, never a trace."""

from __future__ import annotations

from baccarat.law.error import RulesError

IMPOSSIBLE_STATE_ERRORS = (
    AssertionError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError, RecursionError, RulesError,
)  # fmt: skip
"""What deciding or evolving raises on a state or a command that no honest journal has."""


class UnreadableEvents(ValueError):  # noqa: N818
    """A record holds something other than events, with which no table can continue."""


OUR_WORDS = (AssertionError, RulesError, UnreadableEvents)
"""Those with messages for a reader; the messages of the others are about lists and attributes."""
NOT_FOLLOWED = "not_followed"


def why_impossible(error: Exception, what: str) -> str:
    """Why a table or a house cannot be followed, in words for a reader."""
    return (str(error) if isinstance(error, OUR_WORDS) else "") or f"no {what} can be in such a state"
