"""The fastest path of the bulk odds: joint tables and edges of many shoes with explicit vectors.

Third cards leave the shoe first, as in `baccarat.odds.joint`; what is left is a table of opening counts, and that is
brought down from the whole shoe's by taking out one card and then another, instead of being counted anew:

    openings[p, b]   = Σ (ordered pairs of values v, w of total p) · pairs of total b without v and w
    without x        : less those in which the one or the other hand holds the card x
    without x and y  : less, of these, those in which the one or the other hand holds the card y

*Exact up to eight decks.* Every number is a whole one. Where a card is taken that the shoe has, each is the number of
ways to deal something, and so is every partial sum of ways; none is more than 416·415·414·413·412·411 =
4,998,398,275,503,360, which is below 2^53 = 9,007,199,254,740,992: float64 rounds nothing, and a fused multiply-add
is the same as a product and a sum. A card that the shoe has not gives numbers that count nothing, below 2^53 all the
same, because they are made of the same few products; they are multiplied by the nought of such cards. Edges are
rounded: each product, each sum and the quotient by itself and in one order, so that every processor finds the same
bits, and NumPy too (`baccarat.odds.groups`).

All numbers of one block of shoes stand in one array, `room`, in regions, and the whole plan stands in another. That is
for speed: numba counts the references of each array at every call, and constants make the shortest addresses.

This module imports numba: only `baccarat.odds.engine` imports it, and only when asked to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain
from typing import Any, NamedTuple

import llvmlite.binding
import numpy as np

from baccarat.law.fact import COUNTS, FINISHES
from baccarat.law.kept import kept
from baccarat.odds.groups import Groups
from baccarat.odds.joint import Cell, Drawing, drawing
from baccarat.odds.kernel import Floats, Places
from baccarat.odds.kernel import compiled_with as compiled
from baccarat.odds.vector import less_product, load, plus_product, splat, store
from baccarat.play.book import Book

Index = Any
"""An unsigned number, for it makes an address; `np.uintp` to Python, and to numba a whole number."""

Unsigned: Any = np.uintp

Two = tuple[Index, Index]
Shape = tuple[tuple[float, ...], tuple[float, ...]]
"""As many numbers as there are lanes, and as there are counts on which the Player draws: sizes that the compiler is to
know, and so types."""

ONE, TWO, THREE, FOUR, TEN, TWENTY, FORTY = map(Unsigned, (1, 2, 3, 4, 10, 20, 40))

_SIZES = {
    "counts": 20, "twice": 30, "pairs": 20, "without": 550, "openings": 100, "less_one": 100, "both": 400, "found": 400,
}  # fmt: skip
"""The regions of a room, each with its number of vectors."""
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


PAIR = Unsigned(0)
"""In a plan, [value, value]: where the region WITHOUT speaks of the two."""
BANKERS = Unsigned(100)
"""By the Player's third card: below this count the Banker draws."""
WIDE = Unsigned(110)
"""Below this count somebody draws."""
NOBODY, FINISHED, ONE_CARD, DOUBLES, END = map(Unsigned, (111, 112, 113, 124, 135))
"""Where lists begin: rounds without a third card, finishes that a round can have, rounds with one third card by that
card, doubles by value. Each list ends where the next begins."""


class Plan(NamedTuple):
    """A tableau made ready for the kernel: numbers, and a size that the compiler is to know."""

    numbers: Places
    players: tuple[float, ...]
    """As many as the counts on which the Player draws."""


USUAL = 6
"""Below this count the Player draws in every document: one kernel fits also where nobody draws after it."""


class Unfit(ValueError):  # noqa: N818  it says what is the case
    """The tableau is not one that this kernel can count."""


@cache
def lanes() -> int:
    """As many numbers as a register of this machine holds, or two registers where they are small."""
    return 8 if llvmlite.binding.get_host_cpu_features().get("avx512f") else 4


@kept
def make_plan(book: Book) -> Plan:
    """The plan of a book's tableau; `Unfit` where both hands draw on other counts than those below some count."""
    tableau = drawing(book)
    players, bankers = _thresholds(tableau.both)
    ones = [[*tableau.player[x], *tableau.banker[x]] for x in COUNTS]
    drawn = [count for cells in ones for cell in cells for count in (cell.player, cell.banker)]
    lists = [
        _entries(tableau.nobody),
        sorted({cell.place for cell in _cells(tableau)}),
        *map(_entries, ones),
        [],
        *(_doubles(y, players, max(bankers)) for y in COUNTS),
    ]
    numbers = [_number_of_pair(x, y) * 10 for x in COUNTS for y in COUNTS]
    numbers += [*bankers, max([players, *bankers, *(count + 1 for count in drawn)])]
    numbers += accumulate(map(len, lists), initial=int(END))
    assert len(numbers) == END, "the lists follow where they begin"
    for each in lists:
        numbers += each
    return Plan(np.array(numbers, np.uintp), (0.0,) * (players or USUAL))


def _cells(tableau: Drawing) -> Iterator[Cell]:
    yield from tableau.nobody
    yield from chain(*tableau.banker, *tableau.player)
    yield from chain(*chain(*tableau.both))


def _number_of_pair(x: int, y: int) -> int:
    low, high = min(x, y), max(x, y)
    return low * 10 - low * (low - 1) // 2 + high - low


def _entries(cells: Iterable[Cell]) -> list[int]:
    """Each cell, with the place of its finish."""
    return [each for cell in cells for each in (cell.player * 10 + cell.banker, cell.place)]


def _thresholds(both: Sequence[Sequence[Sequence[Cell]]]) -> tuple[int, list[int]]:
    """Below which count the Player draws, and the Banker by the Player's third card, where both do."""
    cells = [{(cell.player, cell.banker) for cell in by_sixth[0]} for by_sixth in both]
    players = max((player + 1 for each in cells for player, _ in each), default=0)
    bankers = [max((banker + 1 for _, banker in each), default=0) for each in cells]
    for each, below in zip(cells, bankers, strict=True):
        if each != {(player, banker) for player in range(players) for banker in range(below)}:
            raise Unfit("both hands draw on counts that are not all those below some count")
    return players, bankers


def _doubles(y: int, players: int, bankers: int) -> list[int]:
    """Opening counts of which one hand is y and another card, and the other hand two of that card: with the card."""
    found = []
    for player in range(players):
        for banker in range(bankers):
            if (2 * (player - y) - banker) % 10 == 0:
                found += [player, banker, (player - y) % 10]
            if (2 * (banker - y) - player) % 10 == 0:
                found += [player, banker, (banker - y) % 10]
    return found


# ------------------------------------------------------------------------------------------- what is called


def joint_by_finish(book: Book, counts: Floats, *, width: int | None = None) -> Floats:
    """The joint tables of many shoes, [finish, shoe], from [value, shoe]; `width` lanes unless the machine's own."""
    plan, width = make_plan(book), width or lanes()
    padded, shoes = _padded(counts, width), counts.shape[1]
    table = np.zeros((FINISHES, padded.shape[1]))
    shape = (0.0,) * width, plan.players
    _fill_joint(shape, plan.numbers, _room(width), padded.reshape(-1), table.reshape(-1))
    return table[:, :shoes]


def edges_by_wager(book: Book, counts: Floats, groups: Groups, *, width: int | None = None) -> Floats:
    """The house edges of many shoes, [wager, shoe], from [value, shoe]."""
    plan, width = make_plan(book), width or lanes()
    padded, shoes = _padded(counts, width), counts.shape[1]
    found = np.empty((len(groups.gains), padded.shape[1]))
    shape = (0.0,) * width, plan.players
    _fill_edges(shape, plan.numbers, _room(width), padded.reshape(-1), (*groups,), found.reshape(-1))
    return found[:, :shoes]


def _padded(counts: Floats, width: int) -> Floats:
    """The shoes, and empty ones up to a whole number of vectors."""
    shoes = counts.shape[1]
    if shoes % width == 0:
        return np.ascontiguousarray(counts)
    padded = np.zeros((10, shoes + -shoes % width))
    padded[:, :shoes] = counts
    return padded


def _room(width: int) -> Floats:
    """Scratch room for one block of shoes, from the beginning of a page: no vector straddles two lines."""
    room = np.empty(WIDTH * width + 511)
    start = -room.ctypes.data % 4096 // 8
    return room[start : start + WIDTH * width]


# ----------------------------------------------------------------------------------------------- compiled


@compiled
def _fill_joint(shape: Shape, plan: Places, room: Floats, counts: Floats, table: Floats) -> None:
    like = shape[0]
    blocks = Unsigned(counts.size) // TEN // Unsigned(len(like))
    for block in range(blocks):
        _take(like, room, counts, block, blocks)
        _count(shape, plan, room)
        for place in range(plan[FINISHED], plan[ONE_CARD]):
            finish = plan[place]
            store(table, finish * blocks + block, load(like, room, FOUND + finish))


@compiled
def _fill_edges(
    shape: Shape, plan: Places, room: Floats, counts: Floats, groups: tuple[Places, Places, Floats], edges: Floats
) -> None:
    like, (members, bounds, gains) = shape[0], groups
    blocks = Unsigned(counts.size) // TEN // Unsigned(len(like))
    for block in range(blocks):
        _take(like, room, counts, block, blocks)
        _count(shape, plan, room)
        for group in range(Unsigned(gains.shape[1])):
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
        for wager in range(Unsigned(gains.shape[0])):
            gain = splat(like, 0.0)
            for group in range(Unsigned(gains.shape[1])):
                gain = gain + splat(like, gains[wager, group]) * load(like, room, BOTH + group)
            store(edges, wager * blocks + block, (splat(like, 0.0) - gain) / deals)


@compiled
def _take(like: Any, room: Floats, counts: Floats, block: Index, blocks: Index) -> None:
    """Take the counts of one block of shoes."""
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
def _count(shape: Shape, plan: Places, room: Floats) -> None:
    """The joint table of one block of shoes."""
    like = shape[0]
    size = splat(like, 0.0)
    for value in range(TEN):
        size = size + load(like, room, NUMBER + value)
    any_sixth = size - splat(like, 5.0)
    any_two = (size - splat(like, 4.0)) * any_sixth  # any cards follow a round of four or five
    for place in range(plan[FINISHED], plan[ONE_CARD]):
        store(room, FOUND + plan[place], splat(like, 0.0))
    for cell in range(TWENTY * TWENTY):
        store(room, BOTH + cell, splat(like, 0.0))
    _count_openings(like, plan, room)
    for place in range(plan[NOBODY], plan[FINISHED], TWO):
        store(room, FOUND + plan[place + ONE], any_two * load(like, room, OPENINGS + plan[place]))
    for x in range(TEN):
        _take_one(like, plan, room, x)
        ways = any_sixth * load(like, room, NUMBER + x)
        for place in range(plan[ONE_CARD + x], plan[ONE_CARD + x + ONE], TWO):
            found = FOUND + plan[place + ONE]
            openings = load(like, room, LESS_ONE + plan[place])
            store(room, found, plus_product(load(like, room, found), ways, openings))
        _take_two(shape, plan, room, x)
    for p in range(TEN):
        for b in range(TEN):
            cell = BOTH + p * TWENTY + b
            low = load(like, room, cell) + load(like, room, cell + TEN)
            high = load(like, room, cell + TEN * TWENTY) + load(like, room, cell + TEN * TWENTY + TEN)
            store(room, FOUND + p * FORTY + b * FOUR + THREE, low + high)


@compiled
def _count_openings(like: Any, plan: Places, room: Floats) -> None:
    """Count the pairs of cards without each two values, and from them the openings."""
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
def _take_one(like: Any, plan: Places, room: Floats, x: Index) -> None:
    """The openings when a card x is gone: less those in which the one or the other hand holds it."""
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
def _take_two(shape: Shape, plan: Places, room: Floats, x: Index) -> None:
    """Add the rounds of six cards whose third cards are x and y, this one and each from it on, in either order."""
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
        for place in range(plan[DOUBLES + y], plan[DOUBLES + y + ONE], THREE):
            p, b = plan[place], plan[place + ONE]
            wrong = ways * load(like, room, TWICE + plan[place + TWO])
            cell = p * TWENTY + b
            if b < below_x:
                store(room, this + cell, load(like, room, this + cell) - wrong)
            if b < below_y and x != y:
                store(room, that + cell, load(like, room, that + cell) - wrong)
        _set_twice(room, y, all_y)
    _set_twice(room, x, all_x)


@compiled
def _opening(like: Any, room: Floats, start: Index, y: Index, p: Index, b: Index) -> Any:
    """The openings of two counts when x and y are gone: less those in which the one or the other hand holds y.

    Beside y stands a card z that makes the count, and the other hand comes from a shoe without x, y and z: from the
    pairs without x and y, less those with z. That takes the pair of z with itself twice; `doubles` puts it right.
    """
    ways = load(like, room, LESS_ONE + p * TEN + b)
    pairs = load(like, room, start + b) - load(like, room, TWICE + y + TEN + b - p)
    ways = less_product(ways, load(like, room, TWICE + (TEN - y) % TEN + p), pairs)
    pairs = load(like, room, start + p) - load(like, room, TWICE + y + TEN - b + p)
    return less_product(ways, load(like, room, TWICE + (TEN - y) % TEN + b), pairs)


@compiled
def _add_openings(shape: Shape, plan: Places, room: Floats, cards: Two, counts: Two, to: Index, ways: Any) -> None:
    """Add the openings without two cards, of Banker's counts from one to below another, to the cells from `to` on."""
    like, players = shape[0], Unsigned(len(shape[1]))
    start = WITHOUT + plan[PAIR + cards[0] * TEN + cards[1]]
    for b in range(counts[0], counts[1]):
        for p in range(players):
            cell = to + p * TWENTY + b
            opening = _opening(like, room, start, cards[1], p, b)
            store(room, cell, plus_product(load(like, room, cell), ways, opening))


@compiled
def _add_openings_twice(shape: Shape, plan: Places, room: Floats, cards: Two, below: Index, to: Two, ways: Any) -> None:
    """Add them in two regions of cells: either card may be either hand's third."""
    like, players = shape[0], Unsigned(len(shape[1]))
    start = WITHOUT + plan[PAIR + cards[0] * TEN + cards[1]]
    for b in range(below):
        for p in range(players):
            one, other = to[0] + p * TWENTY + b, to[1] + p * TWENTY + b
            opening = _opening(like, room, start, cards[1], p, b)
            store(room, one, plus_product(load(like, room, one), ways, opening))
            store(room, other, plus_product(load(like, room, other), ways, opening))
