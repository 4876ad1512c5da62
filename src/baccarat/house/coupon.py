"""Match play coupons that the house knows by their numbers: what each is worth, whose it is, and where it is."""

from __future__ import annotations

from enum import Enum

import msgspec

from baccarat.house.number_map import NumberMap, value_at
from baccarat.house.number_run import NumberRun, Runs, run_of
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


class Presented(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A coupon that its patron no longer has: where it lies or was taken, and with which wager it was presented."""

    place: CouponPlace
    table: str
    seat: int
    on: WagerKind
    shoe: int
    """The number of the shoe and of its round in which it was presented last."""
    round: int

    @property
    def where(self) -> tuple[str, int, WagerKind, int, int]:
        """The wager with which it was presented, and when."""
        return self.table, self.seat, self.on, self.shoe, self.round


class RoundCoupons(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of the coupons that were presented in one round of a shoe."""

    shoe: int
    round: int
    numbers: tuple[int, ...]


class IssuedRun(NumberRun, frozen=True, kw_only=True, gc=False):
    """Coupons that were issued together: consecutive numbers, of one value, to one patron."""

    kind: CouponKind
    value: int
    patron: str


class CouponBook(msgspec.Struct, frozen=True, kw_only=True):
    """Every coupon that was issued: as runs of numbers, since most of them stay with their patron.

    What differs is recorded of single coupons, and where an act asks for a coupon by its place, that place has its
    number: nothing is looked for among all of them.
    """

    issued: Runs[IssuedRun] = ()
    """In ascending order; no two have a number in common."""
    cancelled: Runs[NumberRun] = ()
    """In ascending order."""
    presented: NumberMap[Presented] = {}
    """By number, those that lie on a table, or were taken or counted."""
    lying: dict[str, tuple[int, ...]] = {}
    """The numbers that lie on each table now."""
    latest: dict[str, RoundCoupons] = {}
    """What was presented at each table in the last round in which anything was."""
    taken: dict[str, tuple[int, ...]] = {}
    """The numbers that each table has taken and nobody has counted yet."""

    def issue_of(self, number: int) -> IssuedRun | None:
        """The run to which a number belongs; none if no such coupon was issued."""
        return run_of(self.issued, number)

    def place_of(self, number: int) -> CouponPlace:
        """Where a coupon is that was issued."""
        if (lies := value_at(self.presented, number)) is not None:
            return lies.place
        return CouponPlace.WITH_PATRON if run_of(self.cancelled, number) is None else CouponPlace.CANCELLED

    def number_at(self, table: str, seat: int, on: WagerKind) -> int | None:
        """The number of the coupon that lies with a wager; none where it has none."""
        for number in self.lying.get(table, ()):
            lies = value_at(self.presented, number)
            if lies is not None and (lies.seat, lies.on) == (seat, on):
                return number
        return None

    def number_used(self, table: str, seat: int, on: WagerKind, *, shoe: int, round_: int) -> int | None:
        """The number of the coupon that was taken with a wager of this round, whether or not it has been counted."""
        latest = self.latest.get(table)
        if latest is None or (latest.shoe, latest.round) != (shoe, round_):
            return None
        used, there = (CouponPlace.TAKEN, CouponPlace.COUNTED), (table, seat, on, shoe, round_)
        for number in latest.numbers:
            lies = value_at(self.presented, number)
            if lies is not None and lies.place in used and lies.where == there:
                return number
        return None

    def taken_at(self, table: str) -> tuple[int, ...]:
        """The numbers of the coupons that a table has taken and nobody has counted yet."""
        return self.taken.get(table, ())
