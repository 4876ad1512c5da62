"""Gains: what one wager gains or loses by a verdict, for a unit without rounding, or at a stake in whole cents."""

from __future__ import annotations

from fractions import Fraction

from baccarat.law.row import WagerResult
from baccarat.play.admission import (
    refuse_above_aggregate,
    refuse_above_maximum,
    refuse_below_minimum,
    refuse_fraction_of_cent,
    refuse_off_increment,
    refuse_other_stake,
)
from baccarat.play.book import Book, WagerVerdict
from baccarat.play.wager import Wager, WagerKind

CHECKS = (
    refuse_fraction_of_cent,
    refuse_other_stake,
    refuse_below_minimum,
    refuse_above_maximum,
    refuse_off_increment,
    refuse_above_aggregate,
)
"""What the table requires of a stake by itself, whatever else is staked."""


def unit_gain(book: Book, verdict: WagerVerdict, *, exempt: bool = False) -> Fraction:
    """What a unit gains: the odds less the exact percentage of vigorish, nothing on a push, less one if lost."""
    if verdict.odds is None:
        return Fraction(-1 if verdict.result is WagerResult.LOSE else 0)
    won = Fraction(verdict.odds.to, verdict.odds.one)
    return won - won * book.vig_rate / 100 if verdict.vigorish and not exempt else won


def gain(book: Book, verdict: WagerVerdict, stake: int, *, coupon: int = 0, exempt: bool = False) -> int:
    """What a stake gains in cents, rounded as the table rounds; a coupon with it wins but is not lost."""
    if verdict.odds is None:
        return -stake if verdict.result is WagerResult.LOSE else 0
    won = verdict.odds.payout(stake + coupon)
    return won - book.vigorish(won) if verdict.vigorish and not exempt else won


def stake_objection(book: Book, on: WagerKind, stake: int) -> str | None:
    """Why the table does not take this stake; None if it does."""
    for check in CHECKS:
        refused = check(book, [Wager(seat=0, on=on, stake=stake)])
        if refused is not None:
            return str(refused)
    return None


def wager_name(book: Book, on: WagerKind) -> str:
    """The wager as the document calls it, with its hand where there is one on each."""
    return book.rules.edition.wagers[on.word].title
