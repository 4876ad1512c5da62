"""Totals and winners as people write them."""

from __future__ import annotations

from baccarat.audit.rounds.fault import UnreadableCell
from baccarat.audit.rounds.order import whole_number
from baccarat.values import brief_repr

VOID = "void"

WINNERS: dict[str, tuple[str, ...]] = {
    "player": ("p", "player", "punto", "player wins", "player win", "player won", "闲", "閒"),
    "banker": ("b", "bank", "banker", "banco", "banker wins", "banker win", "banker won", "庄", "莊"),
    "tie": ("t", "tie", "draw", "egalite", "égalité", "egalité", "standoff", "stand-off", "和"),
    VOID: ("v", "void", "voided"),
}
"""The words for each outcome, in any case."""
_OUTCOMES = {word: outcome for outcome, words in WINNERS.items() for word in words}


def outcome_of(text: str, column: str) -> str:
    """The outcome that a cell names: player, banker, tie or void."""
    found = _OUTCOMES.get(text.strip().lower().replace("_", " "))
    if found is None:
        raise UnreadableCell(column, expected="player, banker, tie or void, or P, B, T", found=brief_repr(text))
    return found


def total_of(text: str, column: str) -> int:
    """The total that a cell names."""
    found = whole_number(text)
    if found is None:
        raise UnreadableCell(column, expected="a total from 0 to 9", found=brief_repr(text))
    return found
