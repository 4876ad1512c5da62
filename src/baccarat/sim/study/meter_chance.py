"""What the exact chances of a full shoe say about a progressive: how often each row and meter is won, and its edge."""

from __future__ import annotations

from fractions import Fraction
from math import perm, sqrt

import numpy as np

from baccarat.money import MICRO
from baccarat.odds.royal9 import opening_hands
from baccarat.play.book import open_book
from baccarat.sim.stream import source_of
from baccarat.sim.study.book_arrays import Integers
from baccarat.sim.study.meter_path import MeterSeats, rounds_up_to


class Chances:
    """The exact chances of one round at one table."""

    def __init__(self, asked: MeterSeats) -> None:
        progress, whole = asked.progress, perm(source_of(open_book(asked.rules)).size, 4)
        prizes = {prize.row: prize for prize in progress.prizes}
        seeds = {meter.name: meter.seed // MICRO for meter in progress.meters}
        self.seats: dict[str, Fraction] = {}
        """By row: the mean number of chairs that win it."""
        self.squares: dict[str, Fraction] = {}
        """The mean square of that number."""
        self.any: dict[str, Fraction] = {}
        """By row: the chance that any chair wins it."""
        self.prizes = Fraction(0)
        """Prizes that no meter pays and stakes that come back, mean in cents."""
        self.cost = self.cost_square = Fraction(0)
        """These and new seeds, and the square of that sum."""
        for each in opening_hands(asked.rules, asked.seats):
            rows = [progress.row(seat, each.player, each.banker).row for seat in asked.seats]
            chance, prizes_won, new_seeds = Fraction(each.ways, whole), 0, 0
            for row in dict.fromkeys(row for row in rows if not prizes[row].is_lost):
                chairs, prize = rows.count(row), prizes[row]
                for found, value in ((self.seats, chairs), (self.squares, chairs**2), (self.any, 1)):
                    found[row] = found.get(row, Fraction(0)) + chance * value
                prizes_won += chairs * (prize.prize + progress.stake * progress.returns_stake)
                new_seeds += seeds[prize.meter] if prize.meter is not None and prize.percent == 100 else 0
            self.prizes += chance * prizes_won
            self.cost += chance * (prizes_won + new_seeds)
            self.cost_square += chance * (prizes_won + new_seeds) ** 2


def tables_in_step(asked: MeterSeats, rounds: Integers) -> dict[int, int]:
    """By number of tables that play for the same meters at the same time: in how many rounds they do."""
    if len(asked.groups) == len(rounds):
        return {1: int(rounds.sum())}
    found: dict[int, int] = {}
    for column in rounds.T:
        for playing in np.diff(rounds_up_to(column), prepend=0).tolist():
            found[playing] = found.get(playing, 0) + 1
    return found


def awards_expected(in_step: dict[int, int], chances: list[Fraction]) -> tuple[float, float]:
    """The mean number of awards of rows with these chances, and its variance: simultaneous winners share."""
    mean = variance = 0.0
    for tables, times in in_step.items():
        for chance in chances:
            some = float(1 - (1 - chance) ** tables)
            mean, variance = mean + times * some, variance + times * some * (1 - some)
    return mean, variance


def exact_edge(asked: MeterSeats, in_step: dict[int, int], chances: Chances) -> tuple[float, float] | None:
    """The edge in the long run and the error of one found in this many rounds, by the exact chances."""
    progress, rounds = asked.progress, sum(tables * times for tables, times in in_step.items())
    added, reserve = progress.contributions(len(asked.seats))
    if reserve or (progress.refills and any(prize.meter and prize.percent < 100 for prize in progress.prizes)):
        return None
    cost = float(chances.prizes + Fraction(sum(added.values()), MICRO))
    for meter in progress.meters:
        rows = [prize.row for prize in progress.prizes if prize.meter == meter.name and prize.percent == 100]
        awards, _ = awards_expected(in_step, [chances.any[row] for row in rows if row in chances.any])
        cost += meter.seed / MICRO * awards / rounds
    stakes, variance = len(asked.seats) * progress.stake, float(chances.cost_square - chances.cost**2)
    return 1 - cost / stakes, sqrt(variance / rounds) / stakes
