"""The fastest path of the bulk odds: joint tables and edges of many shoes with explicit vectors.

Third cards leave the shoe first, as in `baccarat.odds.joint`; what is left is a table of opening counts, which is
derived from the whole shoe's by taking out one card and then another, instead of being counted again:

    openings[p, b]   = Σ (ordered pairs of values v, w of total p) · pairs of total b without v and w
    without x        : less those in which the one or the other hand holds the card x
    without x and y  : less, of these, those in which the one or the other hand holds the card y

*Exact up to eight decks.* Every number is an integer, and float64 rounds no integer below 2^53 =
9,007,199,254,740,992. With n ≤ 416 cards a pair of cards is one of fewer than n², an opening one of fewer than n^4 <
3·10^10, whatever is taken from it of order n^3, and ways of two third cards are no more than n². What is added to one
finish is at any moment less than all deals of six cards, 416·415·414·413·412·411 = 4,998,398,275,503,360, except for
the openings that `_take_one` takes back immediately, fewer than 10^10. So nothing comes near 2^53, and a fused
multiply-add is the same as a product and a sum. Where a card is taken that the shoe does not have, the numbers mean
nothing, and may be negative, but are of the same order; the ways of the third cards are then zero. Edges are
rounded: each product, each sum and the quotient separately and in one order, so that every processor finds the same
bits, as the other engines do (`baccarat.odds.groups`).

All numbers of one block of shoes are in one array, `room`, in regions, and the whole plan is in another. That is for
speed: numba counts the references of each array at every call, and constants make the shortest addresses.

This module imports numba: only `baccarat.odds.engine` imports it, and only when asked to.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding
import numpy as np

from baccarat.law.fact import FINISHES
from baccarat.odds.compiled import compile_with as compiled
from baccarat.odds.groups import BASE, Floats, Groups, Indices, Numbers
from baccarat.odds.vector import less_product, load, plus_product, splat, store
from baccarat.odds.vector_plan import (
    BANKERS,
    DOUBLES,
    FINISHED,
    NO_DRAWS,
    ONE_CARD,
    PAIR,
    WIDE,
    Index,
    Unsigned,
    make_plan,
)
from baccarat.play.book import Book

Two = tuple[Index, Index]
KernelShape = tuple[tuple[float, ...], tuple[float, ...]]
"""Tuples as long as there are lanes, and counts on which the Player draws: sizes that the compiler must know, and so
types."""

ONE, TWO, THREE, FOUR, TEN, TWENTY, FORTY = map(Unsigned, (1, 2, 3, 4, 10, 20, 40))

_SIZES = {
    "counts": 20, "twice": 30, "pairs": 20, "without": 550, "openings": 100, "less_one": 100, "both": 400, "found": 400,
}  # fmt: skip
"""The regions of `room`, each with its number of vectors."""
_STARTS: dict[str, Index] = dict(zip(_SIZES, map(np.uintp, np.cumsum([0, *_SIZES.values()])), strict=False))
WIDTH = sum(_SIZES.values())

NUMBER = _STARTS["counts"]
"""By value: the cards; twice over, so that a value may be looked up without its remainder by ten."""
TWICE = _STARTS["twice"]
"""By value, three times over: two for each card."""
PAIRS = _STARTS["pairs"]
"""By total: the ordered pairs of cards; then the same without one card."""
WITHOUT = _STARTS["without"]
"""[two values, total]: the ordered pairs of cards when a card of each value is gone."""
OPENINGS = _STARTS["openings"]
"""[Player's count, Banker's count]: the ways to deal four cards."""
LESS_ONE = _STARTS["less_one"]
"""The same when one card is gone."""
BOTH = _STARTS["both"]
"""[Player's count and card, Banker's count and card], 20 by 20: rounds of six cards. Later, totals of groups."""
FOUND = _STARTS["found"]
"""By finish: the joint table."""


@cache
def lanes() -> int:
    """As many numbers as a register of this machine holds, or two registers where they are small."""
    return 8 if llvmlite.binding.get_host_cpu_features().get("avx512f") else 4


# -------------------------------------------------------------------------------------------- entry points


def joint_by_finish(book: Book, counts: Floats, *, width: int | None = None) -> Floats:
    """The joint tables of many shoes, [finish, shoe], from [value, shoe]; `width` lanes, by default the machine's."""
    plan, width = make_plan(book), width or lanes()
    padded, shoes = _pad_shoes(counts, width), counts.shape[1]
    table = np.zeros((FINISHES, padded.shape[1]))
    shape = (0.0,) * width, plan.players
    _fill_joint(shape, plan.numbers, _room(width), padded.reshape(-1), table.reshape(-1))
    return table[:, :shoes]


def edges_by_wager(book: Book, counts: Floats, groups: Groups, *, width: int | None = None) -> Floats:
    """The house edges of many shoes, [wager, shoe], from [value, shoe]."""
    plan, width = make_plan(book), width or lanes()
    padded, shoes = _pad_shoes(counts, width), counts.shape[1]
    found = np.empty((groups.wagers, padded.shape[1]))
    shape = (0.0,) * width, plan.players
    _fill_edges(shape, plan.numbers, _room(width), padded.reshape(-1), (*groups,), found.reshape(-1))
    return found[:, :shoes]


def _pad_shoes(counts: Floats, width: int) -> Floats:
    """The shoes, and empty ones up to a whole number of vectors."""
    shoes = counts.shape[1]
    if shoes % width == 0:
        return np.ascontiguousarray(counts)
    padded = np.zeros((10, shoes + -shoes % width))
    padded[:, :shoes] = counts
    return padded


def _room(width: int) -> Floats:
    """Scratch space for one block of shoes, aligned to a page: no vector straddles two cache lines."""
    room = np.empty(WIDTH * width + 511)
    start = -room.ctypes.data % 4096 // 8
    return room[start : start + WIDTH * width]


# ----------------------------------------------------------------------------------------------- compiled


@compiled
def _fill_joint(shape: KernelShape, plan: Indices, room: Floats, counts: Floats, table: Floats) -> None:
    like = shape[0]
    blocks = Unsigned(counts.size) // TEN // Unsigned(len(like))
    for block in range(blocks):
        _load_counts(like, room, counts, block, blocks)
        _count(shape, plan, room)
        for index in range(plan[FINISHED], plan[ONE_CARD]):
            finish = plan[index]
            store(table, finish * blocks + block, load(like, room, FOUND + finish))


@compiled
def _fill_edges(
    shape: KernelShape, plan: Indices, room: Floats, counts: Floats, groups: Numbers, edges: Floats
) -> None:
    like, (members, bounds, digits, starts, denominators) = shape[0], groups
    base, count = splat(like, BASE), Unsigned(digits.shape[1])
    blocks = Unsigned(counts.size) // TEN // Unsigned(len(like))
    for block in range(blocks):
        _load_counts(like, room, counts, block, blocks)
        _count(shape, plan, room)
        for group in range(count):
            total = splat(like, 0.0)
            for member in range(bounds[group], bounds[group + ONE]):
                total = total + load(like, room, FOUND + members[member])
            store(room, BOTH + group, total)
        size = splat(like, 0.0)
        for value in range(TEN):
            size = size + load(like, room, NUMBER + value)
        deals = size
        for gone in range(1, 6):
            deals = deals * (size - splat(like, float(gone)))
        quarter = deals * splat(like, 0.25)
        for wager in range(Unsigned(denominators.size)):
            won = splat(like, 0.0)
            for above in range(starts[wager + ONE] - starts[wager]):  # from the highest digit down
                row = starts[wager + ONE] - ONE - above
                digit = splat(like, 0.0)
                for group in range(count):
                    if digits[row, group] != 0.0:
                        digit = plus_product(digit, splat(like, digits[row, group]), load(like, room, BOTH + group))
                won = won * base + digit
            store(edges, wager * blocks + block, won / (splat(like, denominators[wager]) * quarter))


@compiled
def _load_counts(like: Any, room: Floats, counts: Floats, block: Index, blocks: Index) -> None:
    """Load the counts of one block of shoes."""
    for value in range(TEN):
        count = load(like, counts, value * blocks + block)
        store(room, NUMBER + value, count)
        store(room, NUMBER + value + TEN, count)
        _set_twice(room, value, count + count)


@compiled
def _set_twice(room: Floats, value: Index, number: Any) -> None:
    store(room, TWICE + value, number)
    store(room, TWICE + value + TEN, number)
    store(room, TWICE + value + TWENTY, number)


@compiled
def _add(like: Any, room: Floats, index: Index, number: Any) -> None:
    store(room, index, load(like, room, index) + number)


@compiled
def _count(shape: KernelShape, plan: Indices, room: Floats) -> None:
    """The joint table of one block of shoes."""
    like = shape[0]
    size = splat(like, 0.0)
    for value in range(TEN):
        size = size + load(like, room, NUMBER + value)
    any_sixth = size - splat(like, 5.0)
    any_two = (size - splat(like, 4.0)) * any_sixth  # any cards follow a round of four or five
    for index in range(plan[FINISHED], plan[ONE_CARD]):
        store(room, FOUND + plan[index], splat(like, 0.0))
    for cell in range(TWENTY * TWENTY):
        store(room, BOTH + cell, splat(like, 0.0))
    _count_openings(like, plan, room)
    for index in range(plan[NO_DRAWS], plan[FINISHED], TWO):
        store(room, FOUND + plan[index + ONE], any_two * load(like, room, OPENINGS + plan[index]))
    for x in range(TEN):
        _take_one(like, plan, room, x)
        ways = any_sixth * load(like, room, NUMBER + x)
        for index in range(plan[ONE_CARD + x], plan[ONE_CARD + x + ONE], TWO):
            found = FOUND + plan[index + ONE]
            openings = load(like, room, LESS_ONE + plan[index])
            store(room, found, plus_product(load(like, room, found), ways, openings))
        _take_two(shape, plan, room, x)
    for p in range(TEN):
        for b in range(TEN):
            cell = BOTH + p * TWENTY + b
            low = load(like, room, cell) + load(like, room, cell + TEN)
            high = load(like, room, cell + TEN * TWENTY) + load(like, room, cell + TEN * TWENTY + TEN)
            store(room, FOUND + p * FORTY + b * FOUR + THREE, low + high)


@compiled
def _count_openings(like: Any, plan: Indices, room: Floats) -> None:
    """Count the pairs of cards without each pair of values, and from them the openings."""
    one, two = splat(like, 1.0), splat(like, 2.0)
    for cell in range(TEN * TEN):
        store(room, OPENINGS + cell, splat(like, 0.0))
    for total in range(TEN):
        ways = splat(like, 0.0)
        for value in range(TEN):
            other = load(like, room, NUMBER + total + TEN - value)
            ways = plus_product(ways, load(like, room, NUMBER + value), other)
        store(room, PAIRS + total, ways)
    for value in range(TEN):  # a card makes no pair with itself
        total = PAIRS + (value + value) % TEN
        store(room, total, load(like, room, total) - load(like, room, NUMBER + value))
    for x in range(TEN):
        for total in range(TEN):
            gone = load(like, room, TWICE + total + TEN - x)
            store(room, PAIRS + TEN + total, load(like, room, PAIRS + total) - gone)
        _add(like, room, PAIRS + TEN + (x + x) % TEN, two)
        first = load(like, room, NUMBER + x)
        for y in range(x, TEN):
            start = WITHOUT + plan[PAIR + x * TEN + y]
            for total in range(TEN):
                gone = load(like, room, TWICE + total + TEN - y)
                store(room, start + total, load(like, room, PAIRS + TEN + total) - gone)
            _add(like, room, start + (x + y) % TEN, two)
            _add(like, room, start + (y + y) % TEN, two)
            ways = first * (first - one) if x == y else first * load(like, room, TWICE + y)
            row = OPENINGS + (x + y) % TEN * TEN
            for b in range(TEN):
                opening = plus_product(load(like, room, row + b), ways, load(like, room, start + b))
                store(room, row + b, opening)


@compiled
def _take_one(like: Any, plan: Indices, room: Floats, x: Index) -> None:
    """The openings when a card x is gone: all, less those in which one or the other hand holds it."""
    wide = plan[WIDE]
    for total in range(TEN):
        store(room, PAIRS + total, load(like, room, TWICE + total + TEN - x))
    double = PAIRS + (x + x) % TEN
    store(room, double, load(like, room, double) - splat(like, 2.0))
    for p in range(wide):
        beside = load(like, room, PAIRS + p)  # the ways to hold x and a card that makes this count
        mine = WITHOUT + plan[PAIR + x * TEN + (p + TEN - x) % TEN]
        for b in range(wide):
            yours = WITHOUT + plan[PAIR + x * TEN + (b + TEN - x) % TEN]
            ways = load(like, room, OPENINGS + p * TEN + b)
            ways = less_product(ways, beside, load(like, room, mine + b))
            ways = less_product(ways, load(like, room, PAIRS + b), load(like, room, yours + p))
            store(room, LESS_ONE + p * TEN + b, ways)


@compiled
def _take_two(shape: KernelShape, plan: Indices, room: Floats, x: Index) -> None:
    """Add the rounds of six cards whose third cards are x and y, for every y from x on, in either order."""
    like = shape[0]
    two = splat(like, 2.0)
    all_x, first = load(like, room, TWICE + x), load(like, room, NUMBER + x)
    _set_twice(room, x, all_x - two)
    below_x = plan[BANKERS + x]
    for y in range(x, TEN):
        below_y = plan[BANKERS + y]
        least, most = min(below_x, below_y), max(below_x, below_y)
        all_y = load(like, room, TWICE + y)
        _set_twice(room, y, all_y - two)
        this, that = BOTH + x * TWENTY + y, BOTH + y * TWENTY + x
        ways = first * load(like, room, NUMBER + y)
        if x == y:
            ways = first * (first - splat(like, 1.0))
            _add_openings(shape, plan, room, (x, y), (Unsigned(0), below_x), this, ways)
        else:
            _add_openings_twice(shape, plan, room, (x, y), least, (this, that), ways)
            longer = this if below_x > below_y else that
            _add_openings(shape, plan, room, (x, y), (least, most), longer, ways)
        ways = ways + ways
        for index in range(plan[DOUBLES + y], plan[DOUBLES + y + ONE], THREE):
            p, b = plan[index], plan[index + ONE]
            wrong = ways * load(like, room, TWICE + plan[index + TWO])
            cell = p * TWENTY + b
            if b < below_x:
                store(room, this + cell, load(like, room, this + cell) - wrong)
            if b < below_y and x != y:
                store(room, that + cell, load(like, room, that + cell) - wrong)
        _set_twice(room, y, all_y)
    _set_twice(room, x, all_x)


@compiled
def _opening(like: Any, room: Floats, start: Index, y: Index, p: Index, b: Index) -> Any:
    """The openings of two counts when x and y are gone: less those in which one or the other hand holds y.

    With y goes a card z that makes the count, and the other hand comes from a shoe without x, y and z: from the pairs
    without x and y, less those with z. That subtracts the pair of z with itself twice; `_take_one` corrects it.
    """
    ways = load(like, room, LESS_ONE + p * TEN + b)
    pairs = load(like, room, start + b) - load(like, room, TWICE + y + TEN + b - p)
    ways = less_product(ways, load(like, room, TWICE + (TEN - y) % TEN + p), pairs)
    pairs = load(like, room, start + p) - load(like, room, TWICE + y + TEN - b + p)
    return less_product(ways, load(like, room, TWICE + (TEN - y) % TEN + b), pairs)


@compiled
def _add_openings(
    shape: KernelShape, plan: Indices, room: Floats, cards: Two, counts: Two, to: Index, ways: Any
) -> None:
    """Add the openings without two cards, for a range of Banker's counts, to the cells from `to` on."""
    like, players = shape[0], Unsigned(len(shape[1]))
    start = WITHOUT + plan[PAIR + cards[0] * TEN + cards[1]]
    for b in range(counts[0], counts[1]):
        for p in range(players):
            cell = to + p * TWENTY + b
            opening = _opening(like, room, start, cards[1], p, b)
            store(room, cell, plus_product(load(like, room, cell), ways, opening))


@compiled
def _add_openings_twice(
    shape: KernelShape, plan: Indices, room: Floats, cards: Two, below: Index, to: Two, ways: Any
) -> None:
    """Add them to two regions of cells: either card may be either hand's third."""
    like, players = shape[0], Unsigned(len(shape[1]))
    start = WITHOUT + plan[PAIR + cards[0] * TEN + cards[1]]
    for b in range(below):
        for p in range(players):
            one, other = to[0] + p * TWENTY + b, to[1] + p * TWENTY + b
            opening = _opening(like, room, start, cards[1], p, b)
            store(room, one, plus_product(load(like, room, one), ways, opening))
            store(room, other, plus_product(load(like, room, other), ways, opening))
