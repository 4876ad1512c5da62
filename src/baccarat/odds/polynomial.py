"""The engine that needs no compiler: a count is a polynomial in the ten counts of the shoe.

Σ K(m) Π C(c_v, m_v) over the multisets m of values that a round may take; values 0-4 and 5-9 are multiplied out by
themselves, and a matrix product brings the halves together. It has no formula in common with the other engines.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.law.kept import kept_by
from baccarat.odds.groups import Floats, deals, edges_of, gains_of, groups_of, parts
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.odds.shoe import ENOUGH
from baccarat.play.book import NO_CARD, Book
from baccarat.play.wager import Kind

Places = NDArray[np.intp]

HALF = 5
"""Values in a half of the shoe: 0 to 4, and 5 to 9."""


def _grow(known: list[list[tuple[int, ...]]]) -> list[list[tuple[int, ...]]]:
    """The multisets of each size, with each number of cards of one value more."""
    return [[(*one, more) for more in range(size + 1) for one in known[size - more]] for size in range(ENOUGH + 1)]


BY_SIZE: list[list[tuple[int, ...]]] = [[(size,)] for size in range(ENOUGH + 1)]
for _ in range(1, HALF):
    BY_SIZE = _grow(BY_SIZE)
HALVES = np.array([one for same in BY_SIZE for one in same])
"""The multisets of up to six cards over five values, small ones first."""


def _halves(counts: Floats) -> list[Floats]:
    """By the number of cards, Π C(c_v, m_v) for the multisets of that size, [multiset, low or high half, shoe]."""
    halves = counts.reshape(2, HALF, -1).swapaxes(0, 1)
    choose = [np.ones_like(halves)]
    for taken in range(ENOUGH):
        choose.append(choose[-1] * np.maximum(halves - taken, 0.0) / (taken + 1))
    products = [each[:1] for each in choose]
    for value in range(1, HALF):
        products = [_with(products[: size + 1], [each[value] for each in choose]) for size in range(ENOUGH + 1)]
    return products


def _with(products: list[Floats], choose: list[Floats]) -> Floats:
    """Products of one size, from those of up to that size with as many cards of one value more as are missing."""
    grown = np.empty((sum(map(len, products)), *choose[0].shape))
    start = 0
    for more, smaller in enumerate(reversed(products)):
        np.multiply(smaller, choose[more], out=grown[start : start + len(smaller)])
        start += len(smaller)
    return grown


ORDERS = np.array([prod(map(factorial, half)) for half in HALVES.tolist()], np.float64)
"""In how many ways the cards of a multiset stand in the places of one deal."""


@lru_cache(maxsize=3)
def _multisets(cards: int) -> tuple[Places, Places]:
    """The two halves of every deal of so many values, by place among the halves, each [first, second, …]."""
    digits = [(ENOUGH + 1) ** value for value in range(HALF)]
    places = np.zeros((ENOUGH + 1) ** HALF, np.intp)
    places[HALVES @ digits] = range(len(HALVES))
    low, high = np.array(digits + [0] * HALF), np.array([0] * HALF + digits)
    deal = np.ogrid[(slice(10),) * cards]
    return places[sum(low[card] for card in deal)], places[sum(high[card] for card in deal)]


_PLACES = np.array(
    [[[[finish_index(p, b, x, y) for y in (2, 3)] for x in (2, 3)] for b in COUNTS] for p in COUNTS], np.intp
)
"""[Player's count, Banker's count, whether the Player drew, whether the Banker did]: the place of the finish."""

CARDS = np.array([4, 5, 5, 6] * 100)
"""The number of cards of each finish."""

assert all(CARDS[_PLACES[..., x, y]].flat[0] == 4 + x + y for x in (0, 1) for y in (0, 1))


@lru_cache(maxsize=4)
def _finishes(book: Book) -> Places:
    """The finish of every deal of six values, in the order Player, Player, Banker, Banker, fifth, sixth."""
    one, two, three, four, fifth, sixth = np.ogrid[(slice(10),) * ENOUGH]
    player, banker = (one + two) % 10, (three + four) % 10
    pairs = [[(p, b) for b in COUNTS] for p in COUNTS]
    drew = np.array([[player_draws(book, p, b) for p, b in row] for row in pairs])[player, banker]
    answers = [[[banker_draws(book, p, b, card) for card in range(11)] for p, b in row] for row in pairs]
    drew_too = np.array(answers)[player, banker, np.where(drew, fifth, NO_CARD)]
    player = (player + fifth * drew) % 10
    banker = (banker + np.where(drew, sixth, fifth) * drew_too) % 10
    finish: Places = _PLACES[player, banker, drew.astype(int), drew_too.astype(int)]
    return finish


class Class(NamedTuple):
    """Finishes with one number of cards and one total of them all, and the multisets that lead there."""

    finishes: Places
    low: Places
    high: Places
    orders: Floats
    """[finish, multiset]: in how many orders the cards of the multiset make the finish."""


@lru_cache(maxsize=4)
def _classes(book: Book) -> tuple[Class, ...]:
    """All finishes by class; no two classes have a multiset in common."""
    found = []
    for cards in range(4, ENOUGH + 1):
        finish = _finishes(book).reshape(10**cards, -1)[:, 0]
        over = CARDS[finish] == cards
        code = np.ravel_multi_index(_multisets(cards), (len(HALVES), len(HALVES))).reshape(-1)[over]
        codes, multiset = np.unique(code, return_inverse=True)
        low, high = np.divmod(codes, len(HALVES))
        size = FINISHES * len(codes)
        orders = np.bincount(finish[over] * len(codes) + multiset, minlength=size).reshape(FINISHES, -1)
        weighed = orders * ORDERS[low] * ORDERS[high]
        totals = (HALVES[low] @ range(HALF) + HALVES[high] @ range(HALF, 2 * HALF)) % 10
        for total in COUNTS:
            here = np.flatnonzero(totals == total)
            finishes = np.flatnonzero(orders[:, here].any(axis=1))
            found.append(Class(finishes, low[here], high[here], weighed[np.ix_(finishes, here)]))
    return tuple(found)


def joint_by_finish(book: Book, counts: Floats) -> Floats:
    """The joint tables, [finish, shoe], from [value, shoe]: one matrix product for each class."""
    table = np.zeros((FINISHES, counts.shape[1]))
    for part in parts(counts.shape[1]):
        low, high = np.concatenate(_halves(counts[:, part])).swapaxes(0, 1)
        for each in _classes(book):
            products = low[each.low]
            products *= high[each.high]
            table[each.finishes, part] = each.orders @ products
    size = counts.sum(axis=0)
    table[CARDS < 6] *= size - 5  # any cards follow a round of four or five, so that all are counted over six
    table[CARDS < 5] *= size - 4
    return table


@kept_by
def weights_of(book: Book, kinds: tuple[Kind, ...]) -> Floats:
    """[event, finish]: all groups but the first, or, where there are fewer wagers than those, their gains."""
    groups = groups_of(book, kinds)
    if not counts_groups(book, kinds):
        return gains_of(book, kinds)
    weights = np.zeros((groups.gains.shape[1], FINISHES))
    for group, (start, end) in enumerate(zip(groups.bounds[:-1], groups.bounds[1:], strict=True)):
        weights[group, groups.members[start:end]] = 1.0
    return weights[1:]


def counts_groups(book: Book, kinds: tuple[Kind, ...]) -> bool:
    """Whether groups are what is counted: every group but one is an event, and they are no more than the wagers."""
    return bool(groups_of(book, kinds).gains.shape[1] <= len(kinds) + 1)


@lru_cache(maxsize=16)
def _event_blocks(book: Book, kinds: tuple[Kind, ...]) -> list[Floats]:
    """The polynomials of events by the cards of the low half, [event and smaller, larger]."""
    square = (len(HALVES), len(HALVES))
    finish = _finishes(book).reshape(-1)
    code = np.ravel_multi_index(_multisets(ENOUGH), square).reshape(-1)
    rows = [np.bincount(code, weights[finish], minlength=square[0] * square[1]) for weights in weights_of(book, kinds)]
    whole = np.array(rows).reshape(-1, *square) * (ORDERS[:, None] * ORDERS)
    bounds = np.cumsum([0, *map(len, BY_SIZE)])
    blocks = []
    for cards in range(ENOUGH + 1):
        low, high = (slice(bounds[size], bounds[size + 1]) for size in (cards, ENOUGH - cards))
        block = whole[:, low, high] if cards <= ENOUGH - cards else whole[:, low, high].swapaxes(1, 2)
        blocks.append(np.ascontiguousarray(block).reshape(-1, block.shape[2]))
    return blocks


def edges_by_wager(book: Book, kinds: tuple[Kind, ...], counts: Floats) -> Floats:
    """The edges, [wager, shoe], from [value, shoe], through the polynomials of a few events."""
    found = np.empty((len(kinds), counts.shape[1]))
    for part in parts(counts.shape[1]):
        found[:, part] = _edges_of_part(book, kinds, counts[:, part])
    return found


def _edges_of_part(book: Book, kinds: tuple[Kind, ...], counts: Floats) -> Floats:
    halves, shoes = _halves(counts), counts.shape[1]
    found = np.zeros((len(weights_of(book, kinds)), shoes))
    for cards, block in enumerate(_event_blocks(book, kinds)):
        low, high = halves[cards][:, 0], halves[ENOUGH - cards][:, 1]
        few, many = (low, high) if cards <= ENOUGH - cards else (high, low)
        found += ((block @ many).reshape(-1, len(few), shoes) * few).sum(axis=1)
    if not counts_groups(book, kinds):
        return (0.0 - found) / deals(counts)
    first = deals(counts) - found.sum(axis=0)
    return edges_of(groups_of(book, kinds), np.concatenate([first[None], found]), counts)
