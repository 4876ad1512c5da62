"""The course of the meters of one progressive, from award to award: those of a table, or those that tables share.

Contributions, hits, shares, seeds and the reserve are the house's own (`house.progressive`), in micro-cents. Tables
that share meters play in step: the first round of the day at all of them, then the second, … until each has had all of
its own. The wagering of a round is closed at all of them before there is a result, so everything wagered in it counts
in its awards (reading A-15); and their results come at the same time, so seats that win the same row share it, the odd
cents to the lower seats (reading A-18).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

import numpy as np

from baccarat.house.progressive import Hit, Link, award, contribute, link, record_hit
from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import MustHit
from baccarat.money import MICRO
from baccarat.odds.royal9 import HANDS
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import Prize, Progressive
from baccarat.sim.study.book_arrays import Integers
from baccarat.sim.study.opening_hands import ALL_HANDS

Won = tuple[tuple[Prize, int], ...]
"""The rows that seats win out of meters: each with its seat."""


class Events(NamedTuple):
    """Rounds in which something is won out of a meter, in the order of table and day."""

    day: Integers
    """Which table's day: the table's number times the days, plus the day."""
    number: Integers
    """Which round of that day, from zero."""
    hands: Integers


class PathPay(NamedTuple):
    """What certain seats win, by pair of opening hands."""

    fixed: Integers
    """Prizes that no meter pays, in cents."""
    wins: Integers
    """How many of the seats win something."""
    rows: Integers
    """[row of the pay table, pair of hands]: how many seats win this row."""
    meters: dict[int, Won]
    """What is won out of meters, where something is."""


def pay_of(progress: Progressive, seats: Sequence[int]) -> PathPay:
    """Every pair of opening hands by the rows that the seats win."""
    prizes = progress.prizes
    pay = PathPay(
        np.zeros(ALL_HANDS, np.int64), np.zeros(ALL_HANDS, np.int64), np.zeros((len(prizes), ALL_HANDS), np.int64), {}
    )
    index = {prize.row: number for number, prize in enumerate(prizes)}
    for hands in range(ALL_HANDS):
        player, banker = HANDS[hands // len(HANDS)], HANDS[hands % len(HANDS)]
        rows = [(progress.row(seat, player, banker), seat) for seat in seats]
        for row, _ in rows:
            pay.fixed[hands] += row.prize
            pay.wins[hands] += not row.is_lost
            pay.rows[index[row.row], hands] += 1
        from_meters = tuple((row, seat) for row, seat in rows if row.meter is not None)
        if from_meters:
            pay.meters[hands] = from_meters
    return pay


class MeterSeats(NamedTuple):
    """What is studied: the seats of every table that make the wager."""

    rules: Rulebook
    progress: Progressive
    seats: tuple[int, ...]
    pay: PathPay
    groups: tuple[range, ...]
    """The tables that share meters."""


class MeterAwards:
    """What was paid out of one meter, and how long it took."""

    def __init__(self) -> None:
        self.awards, self.shared, self.paid, self.highest = 0, 0, 0, 0
        self.last, self.longest = -1, 0

    def add(self, moment: int, tables: int, paid: int) -> None:
        """Add an award in this round, to winners at this many tables."""
        self.wait(moment)
        self.last = moment
        self.awards, self.paid = self.awards + 1, self.paid + paid
        self.shared += tables > 1
        self.highest = max(self.highest, paid)

    def wait(self, moment: int) -> None:
        """Note that there was none up to this round, exclusive."""
        self.longest = max(self.longest, moment - self.last - 1)


class MeterPath:
    """The meters of some tables through the days."""

    def __init__(self, asked: MeterSeats, tables: Sequence[int]) -> None:
        self.names = {table: f"table {table + 1}" for table in tables}
        joined = link(dict.fromkeys(self.names.values(), asked.rules))
        assert isinstance(joined, Link), "tables of one rulebook have the same terms"
        self.link, self.pay, self.seats = joined, asked.pay, len(asked.seats)
        self.order = [prize for prize in asked.progress.prizes if prize.meter is not None]
        self.found = {meter.name: MeterAwards() for meter in asked.progress.meters}
        self.times = {prize.row: 0 for prize in self.order}
        """By row: how many seats won it."""
        self.paid = {prize.row: 0 for prize in self.order}
        self.moment = 0
        """Rounds before today's first."""
        self.wagered = 0
        """Rounds of tables that have gone into the meters."""

    def day(self, rounds: Integers, events: Iterator[tuple[int, list[tuple[int, int]]]], paid: Integers) -> None:
        """Play a day: `rounds` by table, and what tables win in which round of it; `paid` grows by what meters pay."""
        up_to, before = rounds_up_to(rounds), self.wagered
        for number, hands in events:
            self._play(before + int(up_to[number]))
            self._award(self.moment + number, hands, paid)
        self._play(before + int(rounds.sum()))
        self.moment += len(up_to)

    def _play(self, rounds: int) -> None:
        """Wager on rounds of the tables, up to this total number."""
        if rounds > self.wagered:
            self.link = contribute(self.link, wagers=(rounds - self.wagered) * self.seats)
            self.wagered = rounds

    def _award(self, moment: int, hands: list[tuple[int, int]], paid: Integers) -> None:
        """What the meters pay in one round, row by row in the order of the pay table."""
        hits = [(row.row, seat, table) for table, pair in hands for row, seat in self.pay.meters[pair]]
        for prize in self.order:
            winners = [(seat, table) for row, seat, table in hits if row == prize.row]
            if not winners:
                continue
            assert prize.meter is not None, "only such rows are in this order"
            for seat, table in winners:
                hit = Hit(table=self.names[table], seat=seat, at=moment, percent=prize.percent)
                marked = record_hit(self.link, meter=prize.meter, hit=hit)
                assert isinstance(marked, Link), marked
                self.link = marked
            made = award(self.link, meter=prize.meter)
            assert not isinstance(made, Refused), made
            self.link = made.link
            tables = {self.names[table]: table for _, table in winners}
            for hit, cents in made.shares:
                paid[tables[hit.table]] += cents
            self.times[prize.row] += len(winners)
            self.paid[prize.row] += made.total
            self.found[prize.meter].add(moment, len(tables), made.total)

    def displayed_cents(self) -> list[int]:
        """What each meter shows, in cents."""
        return [meter.displayed // MICRO for meter in self.link.meters.values()]

    def end(self) -> None:
        """The days are over."""
        for each in self.found.values():
            each.wait(self.moment)


def rounds_up_to(rounds: Integers) -> Integers:
    """For tables in step, by the number of a round of the day: how many rounds all tables have had by then."""
    playing = len(rounds) - np.cumsum(np.bincount(rounds))[:-1]  # tables that have a round of this number
    found: Integers = np.cumsum(playing)
    return found


def by_round(events: Events, days: int, tables: Sequence[int]) -> list[Iterator[tuple[int, list[tuple[int, int]]]]]:
    """By day: the rounds in which any of these tables wins out of a meter, with (table, opening hands) of each."""
    first, last = (np.searchsorted(events.day, bound * days) for bound in (tables[0], tables[-1] + 1))
    table, day = np.divmod(events.day[first:last], days)
    number, hands = events.number[first:last], events.hands[first:last]
    order = np.lexsort((table, number, day))
    ends = np.searchsorted(day[order], np.arange(days + 1))
    rows = list(zip(number[order].tolist(), table[order].tolist(), hands[order].tolist(), strict=True))
    return [_group_by_round(rows[start:end]) for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]


def _group_by_round(rows: list[tuple[int, int, int]]) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    for number, same in groupby(rows, key=lambda row: row[0]):
        yield number, [(table, hands) for _, table, hands in same]


# --------------------------------------------------------------------------------------------------- Must Hit


class Hits(NamedTuple):
    """The Must Hit of one table, or of tables that share it; rounds are those of tables, one after the other."""

    rounds: list[int]
    """Rounds from a start to the hit that ended it."""
    awards: list[int]
    """In cents."""
    days: list[tuple[int, int]]
    """At which of the tables and on which day each was hit."""
    open: int
    """Rounds that the currently sealed trigger needs, from its start."""
    meter: int
    """What it shows at the end, in cents."""
    fed: int
    """What wagers have put in, in cents."""


def must_hit_path(terms: MustHit, *, participants: int, rounds: Integers, chance: np.random.Generator) -> Hits:
    """Triggers drawn uniformly over the cents from start to ceiling, one after another; `rounds` by table and day.

    Tables in step end each round one after the other, in their order.
    """
    step, ends = terms.contribution * participants, np.cumsum(rounds.sum(axis=0))
    done, between, days = 0, [], []
    while True:
        above = int(chance.integers(terms.ceiling - terms.start + 1))
        needed = max(1, -(-above // step))
        if done + needed > ends[-1]:
            break
        done += needed
        between.append(needed)
        day = int(np.searchsorted(ends, done))
        position = done - 1 - (int(ends[day - 1]) if day else 0)
        days.append((_table_at(rounds[:, day], position), day))
    return Hits(
        between, [terms.start + step * needed for needed in between], days, needed,
        terms.start + step * (int(ends[-1]) - done), step * int(ends[-1]),
    )  # fmt: skip


def _table_at(rounds: Integers, position: int) -> int:
    """The table whose round has this position among all rounds of a day, from zero."""
    if len(rounds) == 1:
        return 0
    up_to = rounds_up_to(rounds)
    number = int(np.searchsorted(up_to, position, side="right"))
    before = int(up_to[number - 1]) if number else 0
    return int(np.flatnonzero(rounds > number)[position - before])


def must_hit_variance(terms: MustHit, participants: int) -> Fraction:
    """The variance of the rounds from a start to a hit, exactly."""
    step, span = terms.contribution * participants, terms.ceiling - terms.start
    full, part = divmod(span, step)
    rounds = 1 + step * full * (full + 1) // 2 + part * (full + 1)
    squares = 1 + step * full * (full + 1) * (2 * full + 1) // 6 + part * (full + 1) ** 2
    return Fraction(squares, span + 1) - Fraction(rounds, span + 1) ** 2
