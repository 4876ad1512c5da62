"""Who is handed the cards of a hand to turn, given the wagers on it, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from baccarat.play.book import Book
from baccarat.play.hand import Side
from baccarat.play.seating import first_counterclockwise
from baccarat.play.wager import Wager

Holding = Literal["nobody", "other_side", "closest", "highest"]
"""Why somebody turns a hand's cards: nobody wagered on it, only on the other hand, several wagered most, one did."""


def holder_of(book: Book, wagers: Sequence[Wager], side: Side) -> int | None:
    """The seat that is handed the cards of a hand; None is the dealer, as when all cards are dealt face up."""
    return None if book.face_up else holder_of_hand(book, wagers, side)[0]


def holder_of_hand(book: Book, wagers: Sequence[Wager], side: Side) -> tuple[int | None, Holding]:
    """The seat whose wager gives it the cards of a hand, and why; None is the dealer."""
    most, seats, main = 0, [], book.main[side]
    for wager in wagers:
        if wager.on is main:
            if wager.stake > most:
                most, seats = wager.stake, [wager.seat]
            elif wager.stake == most:
                seats.append(wager.seat)
    why: Holding = "highest"
    if not seats:
        if not book.other_side:
            return None, "nobody"
        seats, why = [wager.seat for wager in wagers if wager.on is book.main[side.other]], "other_side"
    if len(seats) > 1:
        return first_counterclockwise(seats, seat_one=book.seat_one), "closest" if why == "highest" else why
    return (seats[0], why) if seats else (None, "nobody")
