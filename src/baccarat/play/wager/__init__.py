"""Wagers: what may be staked, by whom, and the wagers that need more than the final counts."""

from __future__ import annotations

from enum import Enum

import msgspec


class Kind(Enum):
    """The wagers known to the documents, by their names in round records and Submissions."""

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

    def __init__(self, word: str) -> None:
        self.word = word  # as `value`, at the speed of a plain attribute


class Verbal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A spoken wager: whether cash lies with it, and who has confirmed it."""

    cash: bool
    confirmed_by: tuple[str, ...] = ()


class Wager(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A stake of a seat on one spot of the layout."""

    seat: int
    on: Kind
    stake: int
    press: Kind | None = None
    coupon: int = 0
    verbal: Verbal | None = None


PLAYER, BANKER, TIE = Kind.PLAYER, Kind.BANKER, Kind.TIE
