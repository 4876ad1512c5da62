"""Match play coupons that the house knows by their numbers: what each is worth, whose it is, and where it is."""

from __future__ import annotations

from enum import Enum

import msgspec

from baccarat.play.wager import WagerKind


class CouponKind(Enum):
    """What a coupon is good for; the documents know one kind."""

    MATCH_PLAY = "match play"


class CouponPlace(Enum):
    """What has become of a coupon."""

    WITH_PATRON = "with its patron"
    ON_TABLE = "on the table"
    TAKEN = "taken"
    COUNTED = "counted"
    CANCELLED = "cancelled"


class Coupon(msgspec.Struct, frozen=True, kw_only=True):
    """One coupon: what it says, and where it is."""

    kind: CouponKind
    value: int
    patron: str
    place: CouponPlace = CouponPlace.WITH_PATRON
    table: str = ""
    seat: int = 0
    on: WagerKind | None = None
    shoe: int = 0
    """The number of the shoe and of its round in which it was presented last."""
    round: int = 0


class CouponBook(msgspec.Struct, frozen=True, kw_only=True):
    """Every coupon that was issued, by its number."""

    coupons: dict[int, Coupon] = {}

    def number_at(self, table: str, seat: int, on: WagerKind) -> int | None:
        """The number of the coupon that lies with a wager; none where it has none."""
        there = (CouponPlace.ON_TABLE, table, seat, on)
        lying = (
            number for number, each in self.coupons.items() if (each.place, each.table, each.seat, each.on) == there
        )
        return next(lying, None)

    def number_used(self, table: str, seat: int, on: WagerKind, *, shoe: int, round_: int) -> int | None:
        """The number of the coupon that was taken with a wager of this round, whether or not it has been counted."""
        used, there = (CouponPlace.TAKEN, CouponPlace.COUNTED), (table, seat, on, shoe, round_)
        for number, each in self.coupons.items():
            if each.place in used and (each.table, each.seat, each.on, each.shoe, each.round) == there:
                return number
        return None

    def taken_at(self, table: str) -> tuple[int, ...]:
        """The numbers of the coupons that a table has taken and nobody has counted yet."""
        return tuple(n for n, each in self.coupons.items() if each.place is CouponPlace.TAKEN and each.table == table)
