"""Refusals: values that say why an act is not taken, and by which clauses."""

from __future__ import annotations

from enum import Enum

import msgspec

from baccarat.law.clause import Citation
from baccarat.values import short_repr


class Code(Enum):
    """Why an act is refused, in the order in which the reasons take precedence."""

    INVALID_SUBMISSION = "invalid_submission"
    IMPOSSIBLE_CARDS = "impossible_cards"
    FREE_HAND_NOT_OFFERED = "free_hand_not_offered"
    FREE_HAND_WITH_WAGERS = "free_hand_with_wagers"
    SURPLUS_CARDS = "surplus_cards"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_WAGER = "no_such_wager"
    NOT_OFFERED = "not_offered"
    TWICE = "twice"
    WHOLE_CENTS = "whole_cents"
    FIXED_STAKE = "fixed_stake"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    OFF_INCREMENT = "off_increment"
    NO_BASE_WAGER = "no_base_wager"
    OPPOSITE_BETS = "opposite_bets"
    PRESS = "press"
    COUPON = "coupon"
    VERBAL = "verbal"
    AGGREGATE_PAYOUT = "aggregate_payout"
    PRESS_ABOVE_MAXIMUM = "press_above_maximum"
    NO_METERS = "no_meters"
    CUT_DEPTH = "cut_depth"
    MUST_HIT = "must_hit"


class Refused(msgspec.Struct, frozen=True):
    """An act not taken: a code, a sentence, the clauses. It changes nothing."""

    code: Enum
    say: str
    cites: tuple[Citation, ...]

    def __repr__(self) -> str:
        return short_repr(self, f"{self.code.value}: {self}")

    def __str__(self) -> str:
        return f"{self.say}  [{', '.join(map(str, self.cites))}]"
