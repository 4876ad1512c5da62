"""Match play coupons: what one is worth on an even-money wager (reading A-23)."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from baccarat.law.row import WagerResult
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds.gain import gain, stake_objection, unit_gain
from baccarat.odds.price import odds
from baccarat.odds.shoe import ShoeCounts
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind


class CouponPrice(msgspec.Struct, frozen=True, kw_only=True):
    """A coupon on a wager of equal chips, per unit of its face; a push gives it back."""

    on: WagerKind
    face: Cents | None
    adds: Fraction
    """What it adds to the wager in one round; a coupon given back counts nothing."""
    value: Fraction
    """What it adds to the wager when it is played until it is taken, always from such a shoe."""
    whole: Fraction
    """The mean gain of chips and coupon together, played until the coupon is taken."""


def coupon(rules: Rulebook, on: WagerKind, shoe: ShoeCounts | None = None, *, face: int | None = None) -> CouponPrice:
    """What a coupon is worth with chips of the same amount: by the unit, or at a face in cents."""
    book, law = open_book(rules), rules.edition.match_play
    if law is None or not rules.elects(law.offered):
        raise ValueError(f"{rules.edition.name}: match play coupons are not taken under this Submission")
    if on.word not in law.wagers:
        raise ValueError(f"a coupon lies with a wager on {' or '.join(law.wagers)}, not on {on.word}")
    refused = stake_objection(book, on, face) if face is not None else None
    if refused is not None:
        raise ValueError(refused)
    price = odds(rules, shoe)[on]
    adds = whole = Fraction(0)
    for line, verdict in zip(price.lines, price.verdicts, strict=True):
        if face is None:
            alone = unit_gain(book, verdict)
            beside = 2 * alone if verdict.result is WagerResult.WIN else alone
        else:
            alone = Fraction(gain(book, verdict, face), face)
            beside = Fraction(gain(book, verdict, face, coupon=face), face)
        adds += line.probability * (beside - alone)
        whole += line.probability * beside
    if price.push == 1:
        raise ValueError("every round from this shoe is pushed: a coupon is never taken")
    resolved = 1 - price.push
    return CouponPrice(
        on=on, face=None if face is None else Cents(face), adds=adds, value=adds / resolved, whole=whole / resolved
    )  # fmt: skip
