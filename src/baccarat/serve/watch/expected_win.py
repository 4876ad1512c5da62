"""The expected win of a table, to compare with what it has won, and its standard deviation.

It is computed from the stakes of each round, by the exact prices of the rules that held then. It decides nothing, and
is in no journal.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from math import isqrt

import msgspec

from baccarat.house.filed_rules import read_rules
from baccarat.house.state import HouseState
from baccarat.house.stream import table_stream
from baccarat.house.win import Figures, Theory, WagerPrices, two_deviations, variance_of
from baccarat.law.rulebook import Rulebook
from baccarat.odds import odds
from baccarat.odds.gain import unit_gain
from baccarat.odds.joint import joint_table
from baccarat.odds.shoe import points_of, shoe_of
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.serve.runtime.round_index import Stakes, stakes_of_day
from baccarat.serve.store.base import Reads

MOST_KEPT = 64
_prices: OrderedDict[str, WagerPrices] = OrderedDict()


class ExpectedWin(msgspec.Struct, frozen=True, kw_only=True):
    """What the house was expected to win in some rounds, in cents, and its variance."""

    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    unpriced: int = 0
    """Stakes on wagers that have no price."""

    def __add__(self, other: ExpectedWin) -> ExpectedWin:
        return ExpectedWin(
            mean=self.mean + other.mean,
            variance=self.variance + other.variance,
            unpriced=self.unpriced + other.unpriced,
        )

    @property
    def deviation(self) -> int:
        """The standard deviation, rounded down to the cent."""
        return isqrt(self.variance.numerator // self.variance.denominator)

    def deviations_from_mean(self, win: int) -> Fraction | None:
        """How many standard deviations a win is above theory, or below; None if there is no deviation."""
        return (win - self.mean) / self.deviation if self.deviation else None

    @property
    def two_deviations(self) -> int:
        """Two standard deviations, rounded up to the cent: a rule of thumb, which promises no probability."""
        return two_deviations(self.variance)


def wager_prices(rules: Rulebook) -> WagerPrices:
    """The edge and the variance of each wager of a rulebook, and the covariance of two that depend on the finish."""
    held = _prices.get(rules.hash)
    if held is None:
        held = _prices[rules.hash] = _compute_prices(rules)
        if len(_prices) > MOST_KEPT:
            _prices.popitem(last=False)
    return held


def _compute_prices(rules: Rulebook) -> WagerPrices:
    book, shoe, found = open_book(rules), shoe_of(rules, None), odds(rules)
    wagers = {price.on: Theory(edge=price.edge, variance=price.variance) for price in found}
    ways = joint_table(shoe.worth(points_of(book)), book)
    gains: dict[WagerKind, list[Fraction]] = {
        on: [Fraction(0) if verdict is None else unit_gain(book, verdict) for verdict in book.verdicts[on]]
        for on in wagers
        if on in book.verdicts
    }
    covariances = dict[frozenset[WagerKind], Fraction]()
    for one, other in combinations(gains, 2):
        both = sum((gain * more * count for gain, more, count in zip(gains[one], gains[other], ways, strict=True)))
        covariances[frozenset({one, other})] = Fraction(both) / shoe.deals - wagers[one].edge * wagers[other].edge
    return WagerPrices(wagers, covariances)


def expected_win(stakes: Iterable[Stakes], rules: Mapping[str, Rulebook]) -> ExpectedWin:
    """What rounds with these stakes were expected to win."""
    total = ExpectedWin()
    for each in stakes:
        prices = wager_prices(rules[each.rulebook]) if each.rulebook in rules else WagerPrices({})
        lay = {(seat, kind): stake for seat, held in each.by_seat.items() for kind, stake in held.items()}
        known = {key: stake for key, stake in lay.items() if key[1] in prices.wagers}
        mean = sum((prices.wagers[kind].edge * stake for (_, kind), stake in known.items()), Fraction(0))
        one = ExpectedWin(
            mean=mean * each.rounds,
            variance=variance_of(known, prices) * each.rounds,
            unpriced=(sum(lay.values()) - sum(known.values())) * each.rounds,
        )
        total += one
    return total


def rules_filed(state: HouseState) -> dict[str, Rulebook]:
    """Every rulebook by which a table of the house plays, has played or is to play, by its hash."""
    filed = {
        each.filed.hash: each.filed for pit in state.pits.values() for held in pit.tables.values() for each in held
    }
    filed |= {each.hash: each for each in state.playing.values()}
    return {hash_: read_rules(each) for hash_, each in filed.items()}


def expected_of_day(reads: Reads, state: HouseState, day: int, tables: Iterable[str]) -> dict[str, ExpectedWin]:
    """What each table was expected to win on a gaming day."""
    rules = rules_filed(state)
    return {table: expected_win(stakes_of_day(reads, table_stream(table), day), rules) for table in tables}


def is_within(figures: Figures, theory: ExpectedWin) -> bool:
    """Whether a win is no further from theory than two standard deviations."""
    return abs(figures.win - theory.mean) <= theory.two_deviations


class ExpectedWins:
    """The expected win of each table, cached until another of its rounds is over."""

    def __init__(self) -> None:
        self.day = 0
        self.by_table: dict[str, tuple[int, ExpectedWin]] = {}

    def of_day(self, reads: Reads, state: HouseState, figures: Mapping[str, Figures]) -> dict[str, ExpectedWin]:
        """The expected win of each table on the open day."""
        if self.day != state.day.number:
            self.day, self.by_table = state.day.number, {}
        known = {
            table: self.by_table[table][1]
            for table, each in figures.items()
            if table in self.by_table and self.by_table[table][0] == each.rounds
        }
        found = expected_of_day(reads, state, state.day.number, [table for table in figures if table not in known])
        self.by_table |= {table: (figures[table].rounds, each) for table, each in found.items()}
        return {**known, **found}
