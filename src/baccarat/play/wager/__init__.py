"""Wagers: what may be staked, by whom, and the wagers that need more than the final counts."""

from __future__ import annotations

import msgspec

from baccarat.law.wager_name import WagerKind as WagerKind


class Verbal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A spoken wager: whether cash lies with it, and who has confirmed it."""

    cash: bool
    confirmed_by: tuple[str, ...] = ()


class Wager(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A stake of a seat on one spot of the layout."""

    seat: int
    on: WagerKind
    stake: int
    press: WagerKind | None = None
    coupon: int = 0
    verbal: Verbal | None = None


PLAYER, BANKER, TIE = WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE
