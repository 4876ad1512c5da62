"""Match play coupons: what happens to one is an event; it is taken when its wager is decided (reading A-23)."""

from __future__ import annotations

from collections.abc import Iterable

from baccarat.money import Cents
from baccarat.play.wager import Wager, WagerKind
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Event, TableRules
from baccarat.table.card import EventCard
from baccarat.table.registration import evolves
from baccarat.table.round_state import DecidedCoupon
from baccarat.table.state import TableState, with_round
from baccarat.table.step_function import tells
from baccarat.table.story_words import wager_title


class CouponTaken(Event, frozen=True, kw_only=True, tag="coupon_taken"):
    """The house keeps a coupon: it has been paid with its wager, or has lost with it."""

    seat: int
    on: WagerKind
    face: int
    paid: bool
    CARD = EventCard(sights(TABLE, table="seat on face paid"), sort="payment")


class CouponReturned(Event, frozen=True, kw_only=True, tag="coupon_returned"):
    """A coupon is back with its owner, because nothing decided the wager that it lay with."""

    seat: int
    on: WagerKind
    face: int
    CARD = EventCard(sights(TABLE, table="seat on face"), sort="payment")


def _cites(rules: TableRules) -> tuple[str, ...]:
    law = rules.edition.match_play
    assert law is not None, "a coupon lies on the table only where the document has them"
    return rules.cite_text(*law.cite)


def coupons_taken(rules: TableRules, coupons: Iterable[DecidedCoupon], *, paid: bool) -> list[CouponTaken]:
    """The coupons of decided wagers go to the house."""
    return [CouponTaken(seat=each.seat, on=each.on, face=each.face, paid=paid, cites=_cites(rules)) for each in coupons]


def coupons_returned(rules: TableRules, coupons: Iterable[DecidedCoupon]) -> list[CouponReturned]:
    """Coupons go back to their owners."""
    return [CouponReturned(seat=each.seat, on=each.on, face=each.face, cites=_cites(rules)) for each in coupons]


def with_wagers(wagers: Iterable[Wager]) -> list[DecidedCoupon]:
    """The coupons that lie with wagers which nothing has decided yet."""
    return [DecidedCoupon(wager.seat, wager.on, wager.coupon) for wager in wagers if wager.coupon]


def _without_coupon(state: TableState, seat: int, on: WagerKind) -> TableState:
    left = tuple(each for each in state.round.coupons if (each.seat, each.on) != (seat, on))
    return with_round(state, coupons=left)


evolves(CouponTaken)(lambda state, event: _without_coupon(state, event.seat, event.on))
evolves(CouponReturned)(lambda state, event: _without_coupon(state, event.seat, event.on))


tells(CouponTaken)(
    lambda x: (
        f"Seat {x.seat}'s coupon of {Cents(x.face)} on {wager_title(x.on)} is "
        + ("paid with its wager and taken." if x.paid else "taken with the wager that lost.")
    )
)
tells(CouponReturned)(
    lambda x: f"Seat {x.seat}'s coupon of {Cents(x.face)} on {wager_title(x.on)} goes back to its owner."
)
