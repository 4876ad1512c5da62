"""Outcomes: the rounds that shoes lead to, against the exact odds of the rulebook.

As many rounds are dealt from the top of each shoe as it has six cards for. In each of them every outcome has the same
probability as from the full shoe: given the cards before it, the next six are as likely as any six of the rest. Rounds
of one shoe depend on each other a little, so shoes are compared, not rounds: the mean of their counts with the exact
value, by the covariance observed among the shoes (Hotelling's test).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import mul

from baccarat.audit.battery.frequency import AT_LEAST, TOO_FEW
from baccarat.audit.battery.judge import TestResult
from baccarat.audit.battery.shoe import KINDS, ShoeOrder
from baccarat.audit.battery.tail import fisher_f
from baccarat.cards import DECK
from baccarat.law.fact import COUNTS, finish_index
from baccarat.law.rulebook import Rulebook
from baccarat.odds.joint import joint_table
from baccarat.odds.price import opening_deals
from baccarat.odds.shoe import CARDS_NEEDED, ShoeCounts, points_of
from baccarat.play.book import open_book
from baccarat.play.coup import deal_by

WINNERS = ("player", "banker", "tie")
PAIRS = ("Player's pair", "Banker's pair", "both pairs")
PAIRED = ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1))
"""What each opening adds to these: no pair, Banker's, Player's, both."""


class Totals:
    """Several counts of each shoe: their sums, and the sums of their products."""

    def __init__(self, expected: Sequence[float], *, free: int) -> None:
        self.expected = list(expected)
        self.free = free
        """How many of the counts are compared; the others follow from these, or are too rare for this test."""
        self.shoes = 0
        self.sums = [0] * len(expected)
        self.products = [[0] * len(expected) for _ in expected]

    def add(self, counts: Sequence[int]) -> None:
        """Add the counts of one shoe."""
        self.shoes += 1
        for index, count in enumerate(counts):
            if count:
                self.sums[index] += count
                row = self.products[index]
                for other, beside in enumerate(counts):
                    row[other] += count * beside

    def p(self) -> tuple[float, float] | None:
        """Hotelling's statistic and its p-value; None if the shoes do not vary enough."""
        shoes, free = self.shoes, self.free
        rest = [self.sums[index] / shoes - self.expected[index] for index in range(free)]
        covariance = [
            [(self.products[a][b] - self.sums[a] * self.sums[b] / shoes) / (shoes - 1) for b in range(free)]
            for a in range(free)
        ]
        solved = solve(covariance, rest)
        if solved is None:
            return None
        value = shoes * sum(one * other for one, other in zip(rest, solved, strict=True))
        scaled = value * (shoes - free) / (free * (shoes - 1))
        return value, fisher_f(scaled, free, shoes - free)


class Outcomes:
    """How the rounds of all shoes ended, and which pairs they began with."""

    def __init__(self, rules: Rulebook, size: int) -> None:
        self.book = open_book(rules)
        self.rounds = size // CARDS_NEEDED
        full = ShoeCounts.full(size // KINDS)
        ways = joint_table(full.worth(points_of(self.book)), self.book)
        self.labels = [f"{winner}, {cards} cards" for winner in WINNERS for cards in (4, 5, 6)]
        chances = [0] * len(self.labels)
        self._class_of = [0] * len(ways)
        for player in COUNTS:
            for banker in COUNTS:
                winner = 2 if player == banker else int(player < banker)
                for cards, beside in ((2, 2), (2, 3), (3, 2), (3, 3)):
                    index = finish_index(player, banker, cards, beside)
                    self._class_of[index] = 3 * winner + cards + beside - 4
                    chances[self._class_of[index]] += ways[index]
        self.chances = [chance / full.deals for chance in chances]
        _, banker_pair, player_pair, both = (count / full.deals for count in opening_deals(full))
        self.pair_chances = [player_pair + both, banker_pair + both, both]
        self.ends = Totals([self.rounds * chance for chance in self.chances], free=len(self.chances) - 1)
        self.pairs = Totals([self.rounds * chance for chance in self.pair_chances], free=2)

    def add(self, shoe: ShoeOrder) -> None:
        """Deal and count the rounds of one shoe."""
        cards = tuple([DECK[kind] for kind in shoe.kinds])
        ends, openings, position = [0] * len(self.chances), [0] * len(PAIRED), 0
        for _ in range(self.rounds):
            coup = deal_by(self.book, cards[position : position + CARDS_NEEDED])
            ends[self._class_of[coup.index]] += 1
            openings[coup.opening_index] += 1
            position += coup.cards_dealt
        self.ends.add(ends)
        self.pairs.add([sum(map(mul, openings, column)) for column in zip(*PAIRED, strict=True)])

    def frequencies(self) -> dict[str, tuple[int, float]]:
        """How often each outcome occurred, and its exact probability."""
        found: dict[str, tuple[int, float]] = {}
        for index, winner in enumerate(WINNERS):
            part = slice(3 * index, 3 * index + 3)
            found[winner] = sum(self.ends.sums[part]), sum(self.chances[part])
        for cards in (4, 5, 6):
            part = slice(cards - 4, None, 3)
            found[f"{cards} cards"] = sum(self.ends.sums[part]), sum(self.chances[part])
        found.update(zip(PAIRS, zip(self.pairs.sums, self.pair_chances, strict=True), strict=True))
        return found

    def results(self) -> Iterator[TestResult]:
        """The results of the counts."""
        for name, what, totals in (
            ("outcomes", f"who won, with how many cards, in {self.rounds} rounds of each shoe", self.ends),
            ("opening pairs", f"pairs among the first four cards of {self.rounds} rounds of each shoe", self.pairs),
        ):
            if totals.shoes < AT_LEAST:
                yield TestResult(name=name, what=what, left_out=TOO_FEW)
                continue
            found = totals.p()
            if found is None:
                yield TestResult(name=name, what=what, left_out="some outcomes never vary in these shoes")
            else:
                value, p = found
                yield TestResult(name=name, what=what, found=value, expected=totals.free, p=p)


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float] | None:
    """The solution of a system of linear equations, by elimination; None if it does not have exactly one."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda index: abs(rows[index][column]))
        if abs(rows[pivot][column]) < 1e-12:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for index in range(size):
            if index != column:
                factor = rows[index][column] / rows[column][column]
                rows[index] = [one - factor * other for one, other in zip(rows[index], rows[column], strict=True)]
    return [row[-1] / row[index] for index, row in enumerate(rows)]
