"""Prices of one wager: the lines of its pay table in exact combinations, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import msgspec
from msgspec.structs import replace

from baccarat.law.row import WagerResult
from baccarat.money import Cents, Ratio
from baccarat.odds import show
from baccarat.odds.band import PERCENTS, ROUNDS, WinBand, band, root
from baccarat.odds.gain import gain, stake_objection, unit_gain
from baccarat.play.book import Book, WagerVerdict
from baccarat.play.wager import WagerKind


class PriceLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a pay table: what it pays, how often it comes in all deals, and what a unit gains by it."""

    row: str
    result: WagerResult
    combinations: int
    deals: int
    gain: Fraction
    pays: Ratio | None = None
    vigorish: bool = False
    award: Cents | None = None

    @property
    def probability(self) -> Fraction:
        """The chance of this line."""
        return Fraction(self.combinations, self.deals)

    @property
    def returns(self) -> Fraction:
        """What this line adds to the expectation of a unit staked."""
        return self.probability * self.gain


class PriceDistribution(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Lines that cover all deals, and their measures; a gain is the participant's, an edge the house's."""

    name: str
    lines: tuple[PriceLine, ...]
    deals: int
    stake: Cents | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {show.heading(self)}>"

    def __str__(self) -> str:
        return show.price_text(self)

    def _repr_html_(self) -> str:
        return show.price_html(self)

    @cached_property
    def expected(self) -> Fraction:
        """What a unit staked gains on average; negative where the house has the edge."""
        return sum((line.combinations * line.gain for line in self.lines), Fraction(0)) / self.deals

    @property
    def edge(self) -> Fraction:
        """The house edge per unit staked; stakes that are pushed count as staked."""
        return -self.expected

    @property
    def edge_resolved(self) -> Fraction | None:
        """The house edge per unit won or lost; None if every wager is pushed."""
        return self.edge / (1 - self.push) if self.push != 1 else None

    @cached_property
    def variance(self) -> Fraction:
        """The variance of what a unit staked gains."""
        square = sum((line.combinations * line.gain**2 for line in self.lines), Fraction(0)) / self.deals
        return square - self.expected**2

    @property
    def deviation(self) -> Decimal:
        """The standard deviation of what a unit staked gains, to forty digits."""
        return root(self.variance)

    @property
    def hit(self) -> Fraction:
        """The chance to win."""
        return self._chance(WagerResult.WIN)

    @property
    def push(self) -> Fraction:
        """The chance of getting the stake back."""
        return self._chance(WagerResult.PUSH)

    @property
    def paytable(self) -> tuple[PriceLine, ...]:
        """The lines with all losing ones merged, as a pay table is printed."""
        kept = tuple(line for line in self.lines if line.result is not WagerResult.LOSE)
        lost = [line for line in self.lines if line.result is WagerResult.LOSE]
        if len({line.gain for line in lost}) != 1:
            return self.lines
        ways = sum(line.combinations for line in lost)
        whole = PriceLine(row="lose", result=WagerResult.LOSE, combinations=ways, deals=self.deals, gain=lost[0].gain)
        return (*kept, whole)

    @cached_property
    def wins(self) -> tuple[tuple[Fraction, int], ...]:
        """What the house may win from a unit in a round, lowest first, each with its combinations."""
        found: dict[Fraction, int] = {}
        for line in self.lines:
            found[-line.gain] = found.get(-line.gain, 0) + line.combinations
        return tuple(sorted(found.items()))

    def band(self, *, rounds: int, percent: int) -> WinBand:
        """The exact band of the house's win per unit staked after `rounds` rounds."""
        return band(self.wins, rounds=rounds, percent=percent)

    @property
    def bands(self) -> tuple[WinBand, ...]:
        """The exact bands of 90, 95 and 99 % after a thousand to ten million rounds."""
        return tuple(self.band(rounds=rounds, percent=percent) for rounds in ROUNDS for percent in PERCENTS)

    def _chance(self, result: WagerResult) -> Fraction:
        return Fraction(sum(line.combinations for line in self.lines if line.result is result), self.deals)


class Price(PriceDistribution, frozen=True, kw_only=True, eq=False, dict=True):
    """The price of one wager: for a unit without rounding, or at a stake."""

    on: WagerKind
    book: Book
    verdicts: tuple[WagerVerdict, ...] = ()
    """The verdict of each line; empty if a line awards a sum of money."""

    def at(self, stake: int) -> Price:
        """The same at a stake in cents: vigorish and halves rounded as the table rounds them."""
        refused = stake_objection(self.book, self.on, stake)
        if refused is not None:
            raise ValueError(refused)
        if not self.verdicts:
            return self  # the document fixes its stake, which this price has
        gains = [Fraction(gain(self.book, verdict, stake), stake) for verdict in self.verdicts]
        lines = tuple(replace(line, gain=each) for line, each in zip(self.lines, gains, strict=True))
        return replace(self, lines=lines, stake=Cents(stake))


def price_of(
    book: Book, on: WagerKind, name: str, table: Sequence[WagerVerdict | None], ways: Iterable[int], deals: int,
    *, rows: Sequence[str] = (),
) -> Price:  # fmt: skip
    """The price of a wager whose verdicts are in a table, given the number of deals that lead to each.

    `rows` names the cases where the document does not.
    """
    found: dict[tuple[object, ...], tuple[WagerVerdict, int]] = {}
    named = dict(zip(table, rows, strict=False))
    for verdict, count in zip(table, ways, strict=True):
        if verdict is None:
            assert not count, "the tableau leads to no such finish"
            continue
        alike = (verdict.result, verdict.row, verdict.odds, verdict.vigorish)
        first, so_far = found.get(alike, (verdict, 0))
        found[alike] = first, so_far + count
    ordered = sorted(found.values(), key=_place)
    lines = tuple(
        PriceLine(
            row=verdict.row or named.get(verdict) or verdict.result.word, result=verdict.result, combinations=count,
            deals=deals, gain=unit_gain(book, verdict), pays=verdict.odds, vigorish=verdict.vigorish,
        )
        for verdict, count in ordered
    )  # fmt: skip
    verdicts = tuple(verdict for verdict, _ in ordered)
    return Price(name=name, lines=lines, deals=deals, on=on, book=book, verdicts=verdicts)


def _place(case: tuple[WagerVerdict, int]) -> tuple[int, Fraction, str]:
    """Wins first, the highest odds before lower ones; then what is pushed; then what is lost."""
    verdict, _ = case
    pays = Fraction(verdict.odds.to, verdict.odds.one) if verdict.odds is not None else Fraction(0)
    return (WagerResult.WIN, WagerResult.PUSH, WagerResult.LOSE).index(verdict.result), -pays, verdict.row or ""
