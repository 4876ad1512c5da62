"""Hands: the two sides, and what cards are worth under a rulebook."""

from __future__ import annotations

from enum import Enum

from baccarat.cards import Card, Rank
from baccarat.law.section import CardValue


class Side(Enum):
    """The two hands of the game."""

    PLAYER = "player"
    BANKER = "banker"

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow

    def __init__(self, word: str) -> None:
        self.word = word  # as `value`, at the speed of a plain attribute

    @property
    def other(self) -> Side:
        """The hand opposite."""
        return Side.BANKER if self is Side.PLAYER else Side.PLAYER

    def __str__(self) -> str:
        return self.value.capitalize()


def values(rows: tuple[CardValue, ...]) -> dict[Rank, int]:
    """What each rank is worth by these rows; a rank in no row, or in two, is an error in the law."""
    worth: dict[Rank, int] = {}
    for row in rows:
        for letter in row.ranks:
            rank = Rank(letter)
            assert rank not in worth, f"{rank.name} has two values"
            worth[rank] = int(letter) if row.value == "face" else int(row.value)
    assert len(worth) == len(Rank), "every rank has a value"
    return worth


def is_pair(first: Card, second: Card) -> bool:
    """Whether two cards are of one rank; suits do not matter."""
    return first.rank is second.rank
