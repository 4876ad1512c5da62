"""Names of wagers: those that the shipped documents use, and those that a loaded edition defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import cast

_NAME = re.compile("[a-z][a-z0-9_]{0,39}")
NAME_FORM = "a name of lower-case letters, digits and underscores that begins with a letter, 40 characters at most"


class WagerKind(Enum):
    """A wager by its name in editions, Submissions and records.

    The members written here are the names of the shipped documents, readable before any edition is loaded.
    An edition adds its own when it is loaded, and a name that nobody has defined is refused wherever it is read.
    A name has one object in a process, so kinds are compared by identity. Iteration gives the shipped names only, so
    that nothing depends on which editions were loaded before; what may be wagered is said by an edition's `wagers`.
    """

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    DRAGON_PLAYER = "dragon_player"
    DRAGON_BANKER = "dragon_banker"
    DRAGON7 = "dragon7"
    PANDA8 = "panda8"
    HOUSE_MONEY = "house_money"
    TOTAL4 = "total4"
    TOTAL5 = "total5"
    TOTAL6 = "total6"
    ROYAL9 = "royal9"

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow

    word: str

    def __init__(self, word: str) -> None:
        self.word = word  # as `value`, at the speed of a plain attribute

    @property
    def title(self) -> str:
        """The name as a heading, for readers without the edition: `lucky_6` is Lucky 6."""
        return re.sub("(?<=[a-z])(?=[0-9])", " ", self.word.replace("_", " ")).title()

    @classmethod
    def define(cls, word: str) -> WagerKind:
        """The wager of this name, known from now on if it was not before."""
        found = BY_NAME.get(word)
        if found is not None:
            return found
        assert is_name(word), "the name has been checked with its edition"
        member = object.__new__(cls)
        member._name_, member._value_ = word.upper(), word
        member.__init__(word)  # type: ignore[misc]
        cls._member_map_.setdefault(member._name_, member)
        cls._value2member_map_[word] = member
        return member

    @classmethod
    def _missing_(cls, value: object) -> WagerKind | None:
        """The hook for msgspec's decoders, which know only the members written above."""
        return BY_NAME.get(value) if isinstance(value, str) else None


BY_NAME: Mapping[str, WagerKind] = cast("Mapping[str, WagerKind]", WagerKind._value2member_map_)
"""Every wager known so far, by its name; it grows as editions are loaded."""

SHIPPED = tuple(WagerKind)
"""The names that are written in this file, in the order in which prices and reports show them."""


def is_name(word: object) -> bool:
    """Whether a wager may have this name."""
    return isinstance(word, str) and _NAME.fullmatch(word) is not None


def in_order(words: Iterable[str]) -> list[str]:
    """Names of wagers as they are shown: shipped ones in their order, then the others in the order given."""
    shipped = {kind.word: index for index, kind in enumerate(SHIPPED)}
    return sorted(words, key=lambda word: shipped.get(word, len(shipped)))
