"""Seating: the order of seats around a table, seen from above."""

from __future__ import annotations

from collections.abc import Iterable


def sweep(seats: Iterable[int], *, start: str, direction: str) -> list[int]:
    """The seats in the order of a settlement: from the highest or lowest number, up or down."""
    ordered = sorted(seats, reverse=direction == "descending")
    if (start == "highest") != (direction == "descending"):  # starts at one end, then continues from the other
        ordered = ordered[-1:] + ordered[:-1]
    return ordered


def seats_around(seats: Iterable[int], *, start: str, direction: str, seat_one: str) -> list[int]:
    """The seats met on a walk around the table from one hand of the dealer.

    Counterclockwise from the dealer begins at the dealer's right hand. With seat 1 at the dealer's
    left the numbers then fall, with seat 1 at the dealer's right they rise (reading A-05).
    """
    from_right = direction == "counterclockwise"
    if (start == "dealer_right") != from_right:
        raise ValueError(f"a walk from {start} does not go {direction}")
    rises = (seat_one == "dealer_right") == from_right
    return sorted(seats, reverse=not rises)


def first_counterclockwise(seats: Iterable[int], *, seat_one: str) -> int:
    """The seat closest to the dealer, moving counterclockwise."""
    return seats_around(seats, start="dealer_right", direction="counterclockwise", seat_one=seat_one)[0]


def seats_from(seats: Iterable[int], *, first: int, direction: str, seat_one: str) -> list[int]:
    """The seats once around the table from `first`, clockwise or counterclockwise."""
    rises = (seat_one == "dealer_right") == (direction == "counterclockwise")
    ordered = sorted(seats, reverse=not rises)
    turn = ordered.index(first)
    return ordered[turn:] + ordered[:turn]
