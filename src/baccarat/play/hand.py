"""Hands: the two sides, and what cards are worth under a rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from baccarat.cards import Card, Rank
from baccarat.law.error import RulesError
from baccarat.law.section import CardValue

RANKS = {rank.value: rank for rank in Rank}


class Side(Enum):
    """The two hands of the game."""

    PLAYER = "player"
    BANKER = "banker"

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow

    def __init__(self, word: str) -> None:
        self.word = word  # as `value`, at the speed of a plain attribute
        self._said = word.capitalize()

    @property
    def other(self) -> Side:
        """The hand opposite."""
        return Side.BANKER if self is Side.PLAYER else Side.PLAYER

    def __str__(self) -> str:
        return self._said

    def __format__(self, form: str) -> str:
        return format(self._said, form)


PLAYER_SIDE, BANKER_SIDE = Side.PLAYER, Side.BANKER
"""The two hands as module-level names, for code that runs for every card: before Python 3.12, looking up a member of an
enumeration takes twenty times as long."""


@lru_cache(maxsize=64)
def values(rows: tuple[CardValue, ...]) -> Mapping[Rank, int]:
    """What each rank is worth by these rows; a rank in no row, or in two, is an error in the law."""
    worth: dict[Rank, int] = {}
    for row in rows:
        for letter in row.ranks:
            if letter not in RANKS:
                raise RulesError(f"{letter!r} is no rank; the ranks are {' '.join(RANKS)}")
            rank = RANKS[letter]
            if rank in worth:
                raise RulesError(f"the {rank.name.lower()} has two values")
            if row.value == "face" and not letter.isdigit():
                raise RulesError(f"the {rank.name.lower()} has no number on its face")
            worth[rank] = int(letter) if row.value == "face" else int(row.value)
    missing = [rank.name.lower() for rank in Rank if rank not in worth]
    if missing:
        raise RulesError(f"no value for {', '.join(missing)}")
    return MappingProxyType(worth)


def is_pair(first: Card, second: Card) -> bool:
    """Whether two cards are of one rank; suits do not matter."""
    return first.rank is second.rank
