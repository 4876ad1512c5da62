"""The engine that needs no compiler: a count is a polynomial in the ten counts of the shoe.

Σ K(m) Π C(c_v, m_v) over the multisets m of values that a round may take; values 0-4 and 5-9 are multiplied out
separately, and a matrix product joins the halves. It has no formula in common with the other engines.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.odds.groups import Floats, Groups, deals, edges_of, groups_of, parts
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.odds.shoe import CARDS_NEEDED
from baccarat.play.book import NO_CARD, Book
from baccarat.play.wager import WagerKind

Places = NDArray[np.intp]

AT_ONCE = 768
"""Shoes worked on together: enough that the overhead of NumPy's calls is small, and few enough to stay in cache."""

HALF = 5
"""Values in a half of the shoe: 0 to 4, and 5 to 9."""


def _grow(known: list[list[tuple[int, ...]]]) -> list[list[tuple[int, ...]]]:
    """The multisets of each size, with each number of cards of one more value."""
    return [
        [(*one, more) for more in range(size + 1) for one in known[size - more]] for size in range(CARDS_NEEDED + 1)
    ]


BY_SIZE: list[list[tuple[int, ...]]] = [[(size,)] for size in range(CARDS_NEEDED + 1)]
for _ in range(1, HALF):
    BY_SIZE = _grow(BY_SIZE)
HALVES = np.array([one for same in BY_SIZE for one in same])
"""The multisets of up to six cards over five values, small ones first."""

STARTS = [sum(map(len, BY_SIZE[:size])) for size in range(CARDS_NEEDED + 2)]
"""Where the multisets of each size begin among them, and where the last end."""


class MultisetStep(NamedTuple):
    """Multisets over some values, and those that result from adding cards of the next value."""

    value: int
    cards: int
    known: slice
    grown: slice


def _steps() -> Iterator[MultisetStep]:
    """The steps from multisets of one value to those of five: those without the next value come first, unchanged."""
    for value in range(1, HALF):
        known = [comb(size + value - 1, size) for size in range(CARDS_NEEDED + 1)]
        for size in range(1, CARDS_NEEDED + 1):
            start = STARTS[size] + known[size]
            for cards in range(1, size + 1):
                smaller = known[size - cards]
                yield MultisetStep(
                    value, cards, slice(STARTS[size - cards], STARTS[size - cards] + smaller),
                    slice(start, start + smaller),
                )  # fmt: skip
                start += smaller


STEPS = tuple(_steps())


def _room(shoes: int) -> Floats:
    """Space for the products of a part of `shoes` shoes, reused by every part: fresh memory takes time."""
    return np.empty((2, len(HALVES), min(shoes, AT_ONCE)))


def _halves(counts: Floats, room: Floats) -> Floats:
    """Π C(c_v, m_v) for the multisets of the low and of the high half, [half, multiset, shoe], in the space given."""
    values = counts.reshape(2, HALF, -1)
    choose = [np.ones_like(values)]
    for taken in range(CARDS_NEEDED):
        choose.append(choose[-1] * np.maximum(values - taken, 0.0) / (taken + 1))
    products = room[:, :, : counts.shape[1]]
    for size, start in enumerate(STARTS[:-1]):
        products[:, start] = choose[size][:, 0]
    for value, cards, known, grown in STEPS:
        np.multiply(products[:, known], choose[cards][:, None, value], out=products[:, grown])
    return products


ORDERS = np.array([prod(map(factorial, half)) for half in HALVES.tolist()], np.float64)
"""In how many ways the cards of a multiset fill the places of one deal."""


@lru_cache(maxsize=3)
def _multisets(cards: int) -> tuple[Places, Places]:
    """The two halves of every deal of `cards` values, by place among the halves, each [first, second, …]."""
    digits = [(CARDS_NEEDED + 1) ** value for value in range(HALF)]
    places = np.zeros((CARDS_NEEDED + 1) ** HALF, np.intp)
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
    one, two, three, four, fifth, sixth = np.ogrid[(slice(10),) * CARDS_NEEDED]
    player, banker = (one + two) % 10, (three + four) % 10
    pairs = [[(p, b) for b in COUNTS] for p in COUNTS]
    drew = np.array([[player_draws(book, p, b) for p, b in row] for row in pairs])[player, banker]
    answers = [[[banker_draws(book, p, b, card) for card in range(11)] for p, b in row] for row in pairs]
    drew_too = np.array(answers)[player, banker, np.where(drew, fifth, NO_CARD)]
    player = (player + fifth * drew) % 10
    banker = (banker + np.where(drew, sixth, fifth) * drew_too) % 10
    finish: Places = _PLACES[player, banker, drew.astype(int), drew_too.astype(int)]
    return finish


class FinishClass(NamedTuple):
    """Finishes with one number of cards and one total of them all, and the multisets that lead there."""

    finishes: Places
    low: Places
    high: Places
    orders: Floats
    """[finish, multiset]: in how many orders the cards of the multiset make the finish."""


@lru_cache(maxsize=4)
def _classes(book: Book) -> tuple[FinishClass, ...]:
    """All finishes by class; no two classes have a multiset in common."""
    found = []
    for cards in range(4, CARDS_NEEDED + 1):
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
            found.append(FinishClass(finishes, low[here], high[here], weighed[np.ix_(finishes, here)]))
    return tuple(found)


def joint_by_finish(book: Book, counts: Floats) -> Floats:
    """The joint tables, [finish, shoe], from [value, shoe]: one matrix product for each class."""
    table = np.zeros((FINISHES, counts.shape[1]))
    room = _room(counts.shape[1])
    for part in parts(counts.shape[1], AT_ONCE):
        low, high = _halves(counts[:, part], room)
        for each in _classes(book):
            products = low[each.low]
            products *= high[each.high]
            table[each.finishes, part] = each.orders @ products
    size = counts.sum(axis=0)
    table[CARDS < 6] *= size - 5  # any cards follow a round of four or five, so that all are counted over six
    table[CARDS < 5] *= size - 4
    return table


def counts_groups(groups: Groups) -> bool:
    """Whether polynomials count how often groups (all but the first) come, or else digits of what the house wins."""
    return groups.size - 1 <= len(groups.digits)


def events(groups: Groups) -> int:
    """How many polynomials are to be evaluated."""
    return min(groups.size - 1, len(groups.digits))


@lru_cache(maxsize=16)
def _event_blocks(book: Book, kinds: tuple[WagerKind, ...]) -> list[Floats]:
    """The polynomials by the cards of the low half, [event and smaller, larger]."""
    groups, square = groups_of(book, kinds), (len(HALVES), len(HALVES))
    finish = _finishes(book).reshape(-1)
    code = np.ravel_multi_index(_multisets(CARDS_NEEDED), square).reshape(-1)
    weights = np.zeros((events(groups), FINISHES))
    by_group = np.eye(groups.size)[1:] if counts_groups(groups) else groups.digits
    for group, (start, end) in enumerate(pairwise(groups.bounds.tolist())):
        weights[:, groups.members[start:end]] = by_group[:, group, None]
    rows = [np.bincount(code, one[finish], minlength=square[0] * square[1]) for one in weights]
    whole = np.array(rows).reshape(-1, *square) * (ORDERS[:, None] * ORDERS)
    blocks = []
    for cards in range(CARDS_NEEDED + 1):
        low, high = _of_size(cards), _of_size(CARDS_NEEDED - cards)
        block = whole[:, low, high] if cards <= CARDS_NEEDED - cards else whole[:, low, high].swapaxes(1, 2)
        blocks.append(np.ascontiguousarray(block).reshape(-1, block.shape[2]))
    return blocks


def _of_size(cards: int) -> slice:
    """Where the multisets of this many cards are."""
    return slice(STARTS[cards], STARTS[cards + 1])


def edges_by_wager(book: Book, kinds: tuple[WagerKind, ...], counts: Floats) -> Floats:
    """The edges, [wager, shoe], from [value, shoe]."""
    groups, room = groups_of(book, kinds), _room(counts.shape[1])
    found = np.empty((groups.wagers, counts.shape[1]))
    more_room = np.empty(max(map(len, _event_blocks(book, kinds))) * room.shape[2])
    for part in parts(counts.shape[1], AT_ONCE):
        won = _count_events(_event_blocks(book, kinds), _halves(counts[:, part], room), more_room)
        if counts_groups(groups):
            first = deals(counts[:, part]) - won.sum(axis=0)
            won = groups.digits @ np.concatenate([first[None], won])
        found[:, part] = edges_of(groups, won, counts[:, part])
    return found


def _count_events(blocks: list[Floats], halves: Floats, room: Floats) -> Floats:
    """[event, shoe]: sums of whole numbers, exact to eight decks in whatever order."""
    shoes = halves.shape[2]
    found = np.zeros((len(blocks[0]), shoes))
    for cards, block in enumerate(blocks):
        low, high = halves[0, _of_size(cards)], halves[1, _of_size(CARDS_NEEDED - cards)]
        few, many = (low, high) if cards <= CARDS_NEEDED - cards else (high, low)
        products = np.matmul(block, many, out=room[: len(block) * shoes].reshape(len(block), shoes))
        found += np.einsum("efs,fs->es", products.reshape(len(found), len(few), shoes), few)
    return found
