"""Faults of a log of rounds: what kinds there are, and one fault with its row, clause, expected and found."""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec

from baccarat.law.clause import Citation
from baccarat.values import short_repr


class FaultKind(Enum):
    """What can be wrong with a row."""

    UNREADABLE = "unreadable"
    PLAYER_STAYED = "player_stayed"
    BANKER_STAYED = "banker_stayed"
    PLAYER_DREW = "player_drew"
    BANKER_DREW = "banker_drew"
    PLAYER_DREW_TWICE = "player_drew_twice"
    BANKER_DREW_TWICE = "banker_drew_twice"
    PLAYER_STALE_CARD = "player_stale_card"
    BANKER_STALE_CARD = "banker_stale_card"
    NATURAL_IGNORED = "natural_ignored"
    NATURAL_STALE_CARD = "natural_stale_card"
    OPENING_CARD_MISSING = "opening_card_missing"
    WRONG_TOTAL = "wrong_total"
    WRONG_WINNER = "wrong_winner"
    WRONG_PAYMENT = "wrong_payment"
    WRONG_VIGORISH = "wrong_vigorish"
    WAGER_NOT_OFFERED = "wager_not_offered"
    TOO_MANY_OF_A_CARD = "too_many_of_a_card"
    DUPLICATE_ROUND = "duplicate_round"
    ROUND_OUT_OF_ORDER = "round_out_of_order"
    ROUND_MISSING = "round_missing"
    SHOE_OUT_OF_ORDER = "shoe_out_of_order"

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow


MEANINGS: dict[FaultKind, str] = {
    FaultKind.UNREADABLE: "the row, or one cell of it, cannot be read; later rows are read",
    FaultKind.PLAYER_STAYED: "the Player stayed where the tableau has it draw: a card is missing",
    FaultKind.BANKER_STAYED: "the Banker stayed where the tableau has it draw: a card is missing",
    FaultKind.PLAYER_DREW: "the Player drew where the tableau has it stay",
    FaultKind.BANKER_DREW: "the Banker drew where the tableau has it stay",
    FaultKind.PLAYER_DREW_TWICE: "the Player has more than three cards",
    FaultKind.BANKER_DREW_TWICE: "the Banker has more than three cards",
    FaultKind.PLAYER_STALE_CARD: "the Player stayed, as its total shows, but a further card is recorded",
    FaultKind.BANKER_STALE_CARD: "the Banker stayed, as its total shows, but a further card is recorded",
    FaultKind.NATURAL_IGNORED: "a hand drew although a natural had ended the drawing",
    FaultKind.NATURAL_STALE_CARD: "a natural ended the drawing, as the totals show, but more cards are recorded",
    FaultKind.OPENING_CARD_MISSING: "a hand has fewer than two cards",
    FaultKind.WRONG_TOTAL: "a total is not the count of the cards",
    FaultKind.WRONG_WINNER: "the winner is not the hand with the higher count",
    FaultKind.WRONG_PAYMENT: "a wager was paid a different sum or nothing, or should have lost",
    FaultKind.WRONG_VIGORISH: "the vigorish is a different sum",
    FaultKind.WAGER_NOT_OFFERED: "the wager is not offered under this Submission",
    FaultKind.TOO_MANY_OF_A_CARD: "the shoe has dealt more cards of a kind than its decks hold",
    FaultKind.DUPLICATE_ROUND: "a round with this number occurred in this shoe before",
    FaultKind.ROUND_OUT_OF_ORDER: "a round comes after one with a higher number",
    FaultKind.ROUND_MISSING: "round numbers are missing",
    FaultKind.SHOE_OUT_OF_ORDER: "a shoe comes back after another, or after one with a higher number",
}


class RoundFault(msgspec.Struct, frozen=True, kw_only=True):
    """One fault. Rows are counted from 1 at the first round; the clause is the one that decides, if the law does."""

    row: int
    kind: FaultKind
    expected: str
    found: str
    column: str = ""
    cites: tuple[Citation, ...] = ()
    shoe: str = ""
    round: str = ""

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        shoe, number = (
            f"{word} {value}" if value else "" for word, value in (("shoe", self.shoe), ("round", self.round))
        )
        where = ", ".join(filter(None, (shoe, number)))
        clause = f"  [{', '.join(map(str, self.cites))}]" if self.cites else ""
        column = f", column {self.column}" if self.column else ""
        return (
            f"row {self.row}{f' ({where})' if where else ''}{column}, {self.kind.value}: "
            f"expected: {self.expected}; found: {self.found}{clause}"
        )

    @property
    def clause(self) -> str | None:
        """The clause that decides, as printed; None if no law applies, as to the form of a file."""
        return str(self.cites[0]) if self.cites else None

    @property
    def as_json(self) -> dict[str, Any]:
        """The fault as the program prints it."""
        return {
            "row": self.row, "kind": self.kind.value, "clause": self.clause, "column": self.column or None,
            "expected": self.expected, "found": self.found, "shoe": self.shoe or None, "round": self.round or None,
            "cites": [str(cite) for cite in self.cites],
        }  # fmt: skip


class UnreadableCell(Exception):  # noqa: N818  an answer to the reader of the audit
    """A cell or a row that cannot be read: which column, what was expected there, what was found."""

    def __init__(self, column: str, *, expected: str, found: str) -> None:
        super().__init__(f"{column}: expected {expected}, found {found}")
        self.column = column
        self.expected = expected
        self.found = found


class UnreadableLog(Exception):  # noqa: N818  an answer to the person who named the file
    """A log that cannot be audited at all; the text is a sentence for the person who named it."""
