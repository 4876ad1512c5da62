"""Drawing: whether two hands follow the tableau, and which of its rows they break."""

from __future__ import annotations

import msgspec

from baccarat.audit.rounds.fault import FaultKind
from baccarat.audit.rounds.hand_text import HandShape
from baccarat.law.clause import Citation
from baccarat.law.fact import finish_index
from baccarat.law.row import Draw
from baccarat.play.book import NO_CARD, Book
from baccarat.play.coup import deal_cites, tableau_rows
from baccarat.play.hand import Side

NO_FINISH = -1
"""In place of a finish, for hands to which the tableau does not lead."""


class DrawFault(msgspec.Struct, frozen=True, kw_only=True):
    """One hand with too few or too many cards: the row of the tableau in words, and the total without the surplus."""

    side: Side
    kind: FaultKind
    stale_kind: FaultKind
    """The kind if the total shows that the surplus was recorded but not drawn."""
    expected: str
    cites: tuple[Citation, ...]
    lawful_count: int | None = None


class DrawCheck:
    """What the tableau says of two hands, regardless of suits; `good` holds texts of totals and winner that match."""

    __slots__ = ("banker", "faults", "finish", "good", "needs_cards", "player")

    def __init__(self, player: HandShape, banker: HandShape, faults: tuple[DrawFault, ...], finish: int) -> None:
        self.player = player
        self.banker = banker
        self.faults = faults
        self.finish = finish
        self.needs_cards = bool(faults) and all(fault.lawful_count is None for fault in faults)
        """Whether the only fault is that cards are missing, as in a round that the shoe could not finish."""
        self.good: set[tuple[str, str, str]] = set()


def judge(book: Book, player: HandShape, banker: HandShape) -> DrawCheck:
    """Compare two hands with the tableau."""
    short = [side for side, hand in ((Side.PLAYER, player), (Side.BANKER, banker)) if hand.cards < 2]
    if short:
        return DrawCheck(player, banker, tuple(_opening_missing(book, side) for side in short), NO_FINISH)
    rows = tableau_rows(book, player=player.opening, banker=banker.opening, third=player.third)
    natural = book.natural[player.opening] or book.natural[banker.opening]
    found = [
        _hand_fault(book, side, hand, row, natural=natural, third=player.third)
        for side, hand, row in ((Side.PLAYER, player, rows[0]), (Side.BANKER, banker, rows[1]))
    ]
    faults = tuple(fault for fault in found if fault is not None)
    finish = NO_FINISH if faults else finish_index(player.count, banker.count, player.cards, banker.cards)
    return DrawCheck(player, banker, faults, finish)


def _opening_missing(book: Book, side: Side) -> DrawFault:
    kind = FaultKind.OPENING_CARD_MISSING
    cites = deal_cites(book)[::-1]  # the last one assigns the first four cards to the hands
    return DrawFault(side=side, kind=kind, stale_kind=kind, expected="at least two cards", cites=cites)


_STAYED = {Side.PLAYER: FaultKind.PLAYER_STAYED, Side.BANKER: FaultKind.BANKER_STAYED}
_DREW = {Side.PLAYER: FaultKind.PLAYER_DREW, Side.BANKER: FaultKind.BANKER_DREW}
_STALE = {Side.PLAYER: FaultKind.PLAYER_STALE_CARD, Side.BANKER: FaultKind.BANKER_STALE_CARD}
_TWICE = {Side.PLAYER: FaultKind.PLAYER_DREW_TWICE, Side.BANKER: FaultKind.BANKER_DREW_TWICE}


def _hand_fault(book: Book, side: Side, hand: HandShape, row: Draw, *, natural: bool, third: int) -> DrawFault | None:
    """What is wrong with one hand, given the row of the tableau that applies to it."""
    lawful = 3 if row.act == "draw" else 2
    if hand.cards == lawful:
        return None
    restored = " (the row is missing from the document and restored)" if row.restored else ""
    expected = row_in_words(row, side, hand.opening, natural=natural, third=third) + restored
    cites = book.rules.cite(*row.cite)
    if hand.cards < lawful:
        kind = _STAYED[side]
        return DrawFault(side=side, kind=kind, stale_kind=kind, expected=expected, cites=cites)
    if natural:
        kind, stale = FaultKind.NATURAL_IGNORED, FaultKind.NATURAL_STALE_CARD
    elif hand.cards > 3:
        kind = stale = _TWICE[side]
    else:
        kind, stale = _DREW[side], _STALE[side]
    lawful_count = hand.opening if lawful == 2 else (hand.opening + hand.third) % 10
    return DrawFault(side=side, kind=kind, stale_kind=stale, expected=expected, cites=cites, lawful_count=lawful_count)


def row_in_words(row: Draw, side: Side, count: int, *, natural: bool, third: int) -> str:
    """The row of the tableau that decides a case: who draws or stays on what, and against what."""
    verb = "draws one card" if row.act == "draw" else "stays"
    if natural:
        return f"{side} {verb} on {count}: a natural ends the drawing"
    if side is Side.PLAYER:
        return f"{side} {verb} on {count}"
    if third == NO_CARD:
        return f"{side} {verb} on {count}, the Player having stayed"
    return f"{side} {verb} on {count} against a third card worth {third}"
