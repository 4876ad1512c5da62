"""The plan of the loops' kernel: a tableau as hands to be counted, multiplied and added to finishes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from baccarat.law.fact import COUNTS, finish_index
from baccarat.odds.groups import Floats, Indices
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.play.book import NO_CARD, Book

PAIRS = tuple(
    tuple((low, (total - low) % 10) for low in COUNTS if low <= (total - low) % 10) + ((0, 0),) * (total % 2)
    for total in COUNTS
)
"""By total, the unordered pairs of values: six, the last of which represents none for odd totals."""

Three = frozenset[tuple[int, int]]
"""Hands of three cards: the count of the first two, and the third card."""


class Course(NamedTuple):
    """Hands of the Player after which the Banker acts alike: counts on which it draws, and on which it stays."""

    hands: Three
    cards: int
    draws: frozenset[int]
    stays: frozenset[int]


class TableauPlan(NamedTuple):
    """A tableau prepared for the kernel: what to multiply, and where to add it."""

    holding: Indices
    """[value, other value]: the index of their pair."""
    rows: int
    """How many hands are the Player's; the Banker's alone come after them."""
    orders: Floats
    """[hand, value, pair]: in how many orders the value and the pair make this hand of three cards."""
    sources: Indices
    """[hand, value]: the total of the pairs that complete the value."""
    terms: Indices
    """[term, (row, column, finish)]: a Player's hand, a Banker's hand, and the finish they make together."""
    common: Indices
    """[entry, (Player's other card, Banker's, finish, the pair that the Banker's other card belongs to)]."""
    weights: Floats
    """[entry, pair plus one]: orders of both hands around a common pair; last, the one pair to take back."""
    bounds: Indices
    """[total]: where the entries of each total begin."""
    same: Floats
    """[total, third card, pair]: orders of both hands when all three cards are common."""


def _courses(book: Book) -> list[Course]:
    """The Player's hands, sorted by what the Banker does after them."""
    found: dict[tuple[int, frozenset[int], frozenset[int]], set[tuple[int, int]]] = {}
    for count in COUNTS:
        for third in (*COUNTS, NO_CARD):
            met = [banker for banker in COUNTS if player_draws(book, count, banker) == (third != NO_CARD)]
            draws = frozenset(banker for banker in met if banker_draws(book, count, banker, third))
            key = (2 if third == NO_CARD else 3, draws, frozenset(met) - draws)
            if met:
                found.setdefault(key, set()).add((count, third))
    return [Course(frozenset(hands), cards, draws, stays) for (cards, draws, stays), hands in found.items()]


def _any_third(counts: frozenset[int]) -> Three:
    return frozenset((count, third) for count in counts for third in COUNTS)


def _orders(cards: tuple[int, int, int], hands: Three) -> int:
    """In how many orders three different cards make one of the hands."""
    first, second, third = cards
    turns = ((first, second, third), (second, third, first), (third, first, second))
    return sum(2 for one, other, last in turns if ((one + other) % 10, last) in hands)


class _Hands:
    """The hands that the terms refer to, numbered: first those of two cards by count, then those of three."""

    def __init__(self) -> None:
        self.indices: dict[tuple[Three, int], int] = {}
        self.orders: list[list[list[int]]] = []
        self.sources: list[list[int]] = []

    def of_three(self, hands: Three, total: int) -> int | None:
        """The number of these hands with this final count; None if there are none."""
        if (hands, total) not in self.indices:
            sources = [(total - value) % 10 for value in COUNTS]
            orders = [
                [_orders((value, *pair), hands) * _exists(source, index) for index, pair in enumerate(PAIRS[source])]
                for value, source in enumerate(sources)
            ]
            if not any(map(any, orders)):
                return None
            self.indices[hands, total] = 10 + len(self.orders)
            self.orders.append(orders)
            self.sources.append(sources)
        return self.indices[hands, total]

    def rows(self, course: Course) -> list[tuple[int, int | None]]:
        """The Player's hands on this course, by final count."""
        if course.cards == 2:
            return [(total, total) for total, _ in sorted(course.hands)]
        return [(total, self.of_three(course.hands, total)) for total in COUNTS]

    def terms(self, course: Course) -> Iterator[tuple[int, int, int]]:
        """Each pair of hands on this course, and the finish that they make."""
        drawn = _any_third(course.draws)
        columns = [(total, 3, self.of_three(drawn, total)) for total in COUNTS]
        columns += [(count, 2, count) for count in sorted(course.stays)]
        for total, row in self.rows(course):
            for count, cards, column in columns:
                if row is not None and column is not None:
                    yield row, column, finish_index(total, count, course.cards, cards)


def _index_of_pair(value: int, other: int) -> int:
    total = (value + other) % 10
    return total * 6 + PAIRS[total].index((min(value, other), max(value, other)))


def _exists(total: int, index: int) -> int:
    return 0 if total % 2 and index == 5 else 1


def _around_common_pairs(courses: list[Course]) -> Floats:
    """[total, Player's other card, Banker's, pair]: the orders of both hands when they have the pair in common."""
    table = np.zeros((10, 11, 11, 6))
    for total in COUNTS:
        for index, pair in enumerate(PAIRS[total]):
            for course in courses:
                drawn = _any_third(course.draws)
                three = course.hands if course.cards == 3 else frozenset[tuple[int, int]]()
                player = [_orders((*pair, other), three) for other in COUNTS]
                banker = [_orders((*pair, other), drawn) for other in COUNTS]
                player.append(2 * ((total, NO_CARD) in course.hands))
                banker.append(2 * (total in course.stays))
                table[total, :, :, index] += _exists(total, index) * np.outer(player, banker)
    return table


def _common_entries(table: Floats) -> Iterator[tuple[int, tuple[int, int, int, int], list[float]]]:
    """The entries of that table that are not zero: total, indices and weights."""
    for total, mine, yours in np.argwhere(table.any(axis=3)).tolist():
        weights = table[total, mine, yours].tolist()
        cards = (2 if mine == NO_CARD else 3, 2 if yours == NO_CARD else 3)
        finish = finish_index((total + mine) % 10, (total + yours) % 10, *cards)
        own = next((index for index, pair in enumerate(PAIRS[total]) if yours in pair), 0)
        taken = 0 if yours == NO_CARD else PAIRS[total][own].count(yours)
        yield total, (mine, yours, finish, own), [*weights, weights[own] * taken]


@lru_cache(maxsize=16)
def make_plan(book: Book) -> TableauPlan:
    """The plan of a book's tableau."""
    courses, hands = _courses(book), _Hands()
    for course in courses:
        hands.rows(course)
    rows = 10 + len(hands.orders)
    terms = [term for course in courses for term in hands.terms(course)]
    around = _around_common_pairs(courses)
    entries = list(_common_entries(around))
    return TableauPlan(
        holding=np.array([[_index_of_pair(value, other) for other in COUNTS] for value in COUNTS], np.uintp),
        rows=rows,
        orders=np.array(hands.orders, np.float64).reshape(-1, 10, 6),
        sources=np.array(hands.sources, np.uintp).reshape(-1, 10),
        terms=np.array(terms, np.uintp),
        common=np.array([indices for _, indices, _ in entries], np.uintp).reshape(-1, 4),
        weights=np.array([weights for _, _, weights in entries], np.float64).reshape(-1, 7),
        bounds=np.searchsorted([total for total, _, _ in entries], range(11)).astype(np.uintp),
        same=np.ascontiguousarray(np.einsum("trrp->trp", around)[:, :NO_CARD]),
    )
