"""The compiled path of the bulk odds: the joint table of many shoes in lockstep, in whole float64 numbers.

Deal each hand from the whole shoe by itself and multiply; then take back the deals in which the two hands hold the
same card (inclusion and exclusion over none, one, two or three cards in common):

    N = Σ A B - Σ_v c_v A_v B_v + Σ_vw n_vw A_vw B_vw - Σ_vwx n_vwx A_vwx B_vwx

where A counts the Player's hands and B the Banker's, whole or holding the given cards v, w, x, and the first sum runs
over the Player's hands after which the Banker acts alike. Every number is a whole one below 2^53 up to eight decks.
Loops run over 32 shoes innermost, in flat buffers at unsigned places, the form that the compiler turns into vectors.

This module imports numba: only `baccarat.odds.engine` imports it, and only when asked to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.odds.groups import Groups, deals, parts
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.play.book import NO_CARD, Book

Floats = NDArray[np.float64]
Places = NDArray[np.uintp]
Function = TypeVar("Function", bound=Callable[..., Any])

LANES = np.uintp(32)
"""Shoes in lockstep. All numbers that make places are unsigned: a place that might be negative stops the vectors."""

ONE, TWO, THREE, FOUR, FIVE, SIX, TEN, ELEVEN = (np.uintp(n) for n in (1, 2, 3, 4, 5, 6, 10, 11))
PAIRS = tuple(
    tuple((low, (total - low) % 10) for low in COUNTS if low <= (total - low) % 10) + ((0, 0),) * (total % 2)
    for total in COUNTS
)
"""By total, the unordered pairs of values: six, the last of which, for odd totals, stands for none."""

Three = frozenset[tuple[int, int]]
"""Hands of three cards: the count of the first two, and the third card."""


class Course(NamedTuple):
    """Hands of the Player after which the Banker acts alike: on these counts it draws, on those it stays."""

    hands: Three
    cards: int
    draws: frozenset[int]
    stays: frozenset[int]


class Plan(NamedTuple):
    """A tableau made ready for the kernel: what to multiply, and where to add it."""

    holding: Places
    """[value, other value]: the place of their pair."""
    rows: int
    """How many hands are the Player's; the Banker's alone come after them."""
    orders: Floats
    """[hand, value, pair]: in how many orders the value and the pair make this hand of three cards."""
    sources: Places
    """[hand, value]: the total of the pairs that complete the value."""
    terms: Places
    """[term, (row, column, finish)]: a Player's hand, a Banker's hand, and the finish they make together."""
    common: Places
    """[entry, (Player's other card, Banker's, finish, the pair that the Banker's other card belongs to)]."""
    weights: Floats
    """[entry, pair and once more]: orders of both hands around a common pair; last, the one pair to take back."""
    bounds: Places
    """[total]: where the entries of each total begin."""
    same: Floats
    """[total, third card, pair]: orders of both hands when all three cards are common."""


class Work(NamedTuple):
    """Scratch room for one block of shoes; each number stands for `LANES` of them side by side."""

    counts: Floats
    """By value; an eleventh, always one, stands for no card."""
    pairs: Floats
    """[total, pair]: pairs of cards; nought for the empty sixth of an odd total."""
    hands: Floats
    """[hand, value]: hands that hold a given card of the value; eleventh, all hands."""
    weighed: Floats
    """The same times the cards of the value, all hands with a minus."""
    around: Floats
    """[third card or none, pair]: pairs of cards with a third."""
    thrice: Floats
    """By total: hands of three common cards, each counted three times."""
    following: Floats
    """By the cards of the hands: the ways to deal on to six."""
    found: Floats
    """[finish]: the joint table of four, five or six cards."""


def compiled(function: Function) -> Function:
    """The function compiled, from the cache where there is a folder to write one, and anew where there is none.

    Joining a product and a sum into one operation is allowed: of whole numbers below 2^53 both are exact.
    """
    return compiled_with(function, fastmath={"contract"})


def compiled_with(function: Function, **more: Any) -> Function:
    """The same, with more options of numba; without any, each operation is rounded by itself."""
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True, **more}
    try:
        return cast(Function, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # no folder can be written: neither NUMBA_CACHE_DIR, nor beside the source, nor at home
        return cast(Function, numba.njit(**options)(function))


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
    """The hands that the terms speak of, numbered: first those of two cards by count, then those of three."""

    def __init__(self) -> None:
        self.places: dict[tuple[Three, int], int] = {}
        self.orders: list[list[list[int]]] = []
        self.sources: list[list[int]] = []

    def of_three(self, hands: Three, total: int) -> int | None:
        """The number of these hands with this final count; None if there are none."""
        if (hands, total) not in self.places:
            sources = [(total - value) % 10 for value in COUNTS]
            orders = [
                [_orders((value, *pair), hands) * _exists(source, place) for place, pair in enumerate(PAIRS[source])]
                for value, source in enumerate(sources)
            ]
            if not any(map(any, orders)):
                return None
            self.places[hands, total] = 10 + len(self.orders)
            self.orders.append(orders)
            self.sources.append(sources)
        return self.places[hands, total]

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


def _place_of_pair(value: int, other: int) -> int:
    total = (value + other) % 10
    return total * 6 + PAIRS[total].index((min(value, other), max(value, other)))


def _exists(total: int, place: int) -> int:
    return 0 if total % 2 and place == 5 else 1


def _around_common_pairs(courses: list[Course]) -> Floats:
    """[total, Player's other card, Banker's, pair]: the orders of both hands when they have the pair in common."""
    table = np.zeros((10, 11, 11, 6))
    for total in COUNTS:
        for place, pair in enumerate(PAIRS[total]):
            for course in courses:
                drawn = _any_third(course.draws)
                three = course.hands if course.cards == 3 else frozenset[tuple[int, int]]()
                player = [_orders((*pair, other), three) for other in COUNTS]
                banker = [_orders((*pair, other), drawn) for other in COUNTS]
                player.append(2 * ((total, NO_CARD) in course.hands))
                banker.append(2 * (total in course.stays))
                table[total, :, :, place] += _exists(total, place) * np.outer(player, banker)
    return table


def _common_entries(table: Floats) -> Iterator[tuple[int, tuple[int, int, int, int], list[float]]]:
    """The entries of that table that are not nought: total, places and weights."""
    for total, mine, yours in np.argwhere(table.any(axis=3)).tolist():
        weights = table[total, mine, yours].tolist()
        cards = (2 if mine == NO_CARD else 3, 2 if yours == NO_CARD else 3)
        finish = finish_index((total + mine) % 10, (total + yours) % 10, *cards)
        own = next((place for place, pair in enumerate(PAIRS[total]) if yours in pair), 0)
        taken = 0 if yours == NO_CARD else PAIRS[total][own].count(yours)
        yield total, (mine, yours, finish, own), [*weights, weights[own] * taken]


@lru_cache(maxsize=16)
def make_plan(book: Book) -> Plan:
    """The plan of a book's tableau."""
    courses, hands = _courses(book), _Hands()
    for course in courses:
        hands.rows(course)
    rows = 10 + len(hands.orders)
    terms = [term for course in courses for term in hands.terms(course)]
    around = _around_common_pairs(courses)
    entries = list(_common_entries(around))
    return Plan(
        holding=np.array([[_place_of_pair(value, other) for other in COUNTS] for value in COUNTS], np.uintp),
        rows=rows,
        orders=np.array(hands.orders, np.float64).reshape(-1, 10, 6),
        sources=np.array(hands.sources, np.uintp).reshape(-1, 10),
        terms=np.array(terms, np.uintp),
        common=np.array([places for _, places, _ in entries], np.uintp).reshape(-1, 4),
        weights=np.array([weights for _, _, weights in entries], np.float64).reshape(-1, 7),
        bounds=np.searchsorted([total for total, _, _ in entries], range(11)).astype(np.uintp),
        same=np.ascontiguousarray(np.einsum("trrp->trp", around)[:, :NO_CARD]),
    )


def joint_by_finish(book: Book, counts: Floats) -> Floats:
    """The joint tables of many shoes, [finish, shoe], from [value, shoe]; the columns at the end are padding."""
    plan, shoes = make_plan(book), counts.shape[1]
    blocks = -(-shoes // int(LANES)) | 1  # odd, for columns a power of two apart share few places in the cache
    padded = np.zeros((10, blocks * int(LANES)))
    padded[:, :shoes] = counts
    table = _aligned(FINISHES * blocks).reshape(FINISHES, -1)
    hands = 10 + len(plan.orders)
    sizes = (11, 60, hands * 11, plan.rows * 11, 66, 10, 4, FINISHES)
    work = Work(*map(_aligned, sizes))
    work.counts[-int(LANES) :] = 1.0
    _fill(padded, plan, work, table)
    return table


def edges_by_wager(book: Book, counts: Floats, groups: Groups) -> Floats:
    """The house edges of many shoes, [wager, shoe], from [value, shoe]."""
    found = np.empty((len(groups.gains), counts.shape[1]))
    for part in parts(counts.shape[1]):
        table = joint_by_finish(book, counts[:, part])
        edges = np.zeros((len(groups.gains), table.shape[1]))
        _add_gains(table, (*groups,), np.empty(table.shape[1]), edges)
        found[:, part] = (0.0 - edges[:, : part.stop - part.start]) / deals(counts[:, part])
    return found


@compiled_with
def _add_gains(table: Floats, groups: tuple[Places, Places, Floats], total: Floats, edges: Floats) -> None:
    """Add, group by group, what each wager gains: each product and each sum is rounded by itself."""
    members, bounds, gains = groups
    for group in range(gains.shape[1]):
        total[:] = 0.0
        for member in range(bounds[group], bounds[group + 1]):
            total += table[members[member]]
        for wager in range(gains.shape[0]):
            edges[wager] += gains[wager, group] * total


def _aligned(numbers: int) -> Floats:
    """Room for so many numbers a lane, from a place where the processor's widest vector does not straddle lines."""
    room = np.empty(numbers * int(LANES) + 7)
    start = -room.ctypes.data % 64 // 8
    return room[start : start + numbers * int(LANES)]


@compiled
def _fill(counts: Floats, plan: Plan, work: Work, table: Floats) -> None:
    for start in range(np.uintp(0), np.uintp(counts.shape[1]), LANES):
        for value in range(TEN):
            for lane in range(LANES):
                work.counts[value * LANES + lane] = counts[value, start + lane]
        work.found[:] = 0.0
        work.pairs[:] = 0.0
        for value in range(TEN):
            _count_pairs(value, 0.0, plan, work)
        for value in range(TEN):
            _count_pairs(value, 1.0, plan, work)
            _hold(value, plan, work)
            _count_pairs(value, 0.0, plan, work)
        _whole_hands(plan, work)
        _nothing_shared(plan, work)
        _shared(plan, work)
        _store(start, work, table)


@compiled
def _count_pairs(value: int, gone: float, plan: Plan, work: Work) -> None:
    """Count the pairs of cards that hold the value, so many cards of which are gone."""
    counts, pairs, holding = work.counts, work.pairs, plan.holding
    own = value * LANES
    for other in range(TEN):
        place, second = holding[value, other] * LANES, other * LANES
        if other == value:
            for lane in range(LANES):
                pairs[place + lane] = 0.5 * (counts[own + lane] - gone) * (counts[own + lane] - gone - 1.0)
        else:
            for lane in range(LANES):
                pairs[place + lane] = (counts[own + lane] - gone) * counts[second + lane]


@compiled
def _hold(value: int, plan: Plan, work: Work) -> None:
    """Count the hands that hold a given card of the value: it is out of the shoe that completes them."""
    counts, pairs, hands, orders = work.counts, work.pairs, work.hands, plan.orders
    for total in range(TEN):
        place, other = (total * ELEVEN + value) * LANES, (total + TEN - value) % TEN * LANES
        gone = 1.0 if other == value * LANES else 0.0
        for lane in range(LANES):
            hands[place + lane] = 2.0 * (counts[other + lane] - gone)
    for hand in range(np.uintp(orders.shape[0])):
        place, source = ((hand + TEN) * ELEVEN + value) * LANES, plan.sources[hand, value] * SIX * LANES
        a, b, c = orders[hand, value, 0], orders[hand, value, 1], orders[hand, value, 2]
        d, e, f = orders[hand, value, 3], orders[hand, value, 4], orders[hand, value, 5]
        for lane in range(LANES):
            here = source + lane
            hands[place + lane] = (
                a * pairs[here] + b * pairs[here + LANES] + c * pairs[here + TWO * LANES]
                + d * pairs[here + THREE * LANES] + e * pairs[here + FOUR * LANES] + f * pairs[here + FIVE * LANES]
            )  # fmt: skip


@compiled
def _whole_hands(plan: Plan, work: Work) -> None:
    """Count all hands: those that hold a given card, over all cards, count each hand once for each of its cards."""
    counts, hands, weighed = work.counts, work.hands, work.weighed
    for hand in range(np.uintp(hands.size) // (ELEVEN * LANES)):
        first, cards = hand * ELEVEN * LANES, 2.0 if hand < TEN else 3.0
        for lane in range(LANES):
            whole = 0.0
            for value in range(TEN):
                whole += hands[first + value * LANES + lane] * counts[value * LANES + lane]
            hands[first + TEN * LANES + lane] = whole / cards
    for hand in range(np.uintp(plan.rows)):
        first = hand * ELEVEN * LANES
        for place in range(first, first + TEN * LANES):
            weighed[place] = hands[place] * counts[place - first]
        for place in range(first + TEN * LANES, first + ELEVEN * LANES):
            weighed[place] = -hands[place]


@compiled
def _nothing_shared(plan: Plan, work: Work) -> None:
    """Multiply the hands of both sides, and take back those with one given card in common."""
    hands, weighed, found = work.hands, work.weighed, work.found
    for term in range(plan.terms.shape[0]):
        row, column = plan.terms[term, 0] * ELEVEN * LANES, plan.terms[term, 1] * ELEVEN * LANES
        finish = plan.terms[term, 2] * LANES
        for lane in range(LANES):
            sum_ = found[finish + lane]
            for value in range(ELEVEN):
                sum_ -= weighed[row + value * LANES + lane] * hands[column + value * LANES + lane]
            found[finish + lane] = sum_


@compiled
def _shared(plan: Plan, work: Work) -> None:
    """Put back the hands with two given cards in common, and take away those with three."""
    found, thrice = work.found, work.thrice
    thrice[:] = 0.0
    for total in range(TEN):
        _around_pairs(total, plan, work)
        _share_two(total, plan, work)
        _share_three(total, plan, work)
    for total in range(TEN):
        place = np.uintp(44) * total * LANES + THREE * LANES  # both hands have this count and three cards
        for lane in range(LANES):
            found[place + lane] -= thrice[total * LANES + lane] / 3.0


@compiled
def _around_pairs(total: int, plan: Plan, work: Work) -> None:
    """Count the pairs of a total, with each third card and, eleventh, alone."""
    counts, pairs, around = work.counts, work.pairs, work.around
    first = total * SIX * LANES
    for third in range(ELEVEN):
        place, card = third * SIX * LANES, third * LANES
        for lane in range(LANES):
            for pair in range(SIX):
                around[place + pair * LANES + lane] = pairs[first + pair * LANES + lane] * counts[card + lane]
    for third in range(TEN):  # a card of the pair itself is no third card
        own = plan.holding[third, (total + TEN - third) % TEN] * LANES - first
        gone, place = 2.0 if (third + third) % TEN == total else 1.0, third * SIX * LANES + own
        for lane in range(LANES):
            around[place + lane] -= gone * pairs[first + own + lane]


@compiled
def _share_two(total: int, plan: Plan, work: Work) -> None:
    """Put back the hands around a common pair of this total."""
    counts, around, found, common, weights = work.counts, work.around, work.found, plan.common, plan.weights
    for entry in range(plan.bounds[total], plan.bounds[total + ONE]):
        first, own = common[entry, 0] * SIX * LANES, (common[entry, 0] * SIX + common[entry, 3]) * LANES
        other, finish = common[entry, 1] * LANES, common[entry, 2] * LANES
        a, b, c, taken = weights[entry, 0], weights[entry, 1], weights[entry, 2], weights[entry, 6]
        d, e, f = weights[entry, 3], weights[entry, 4], weights[entry, 5]
        for lane in range(LANES):
            here = first + lane
            pairs = (
                a * around[here] + b * around[here + LANES] + c * around[here + TWO * LANES]
                + d * around[here + THREE * LANES] + e * around[here + FOUR * LANES] + f * around[here + FIVE * LANES]
            )  # fmt: skip
            found[finish + lane] += pairs * counts[other + lane] - taken * around[own + lane]


@compiled
def _share_three(total: int, plan: Plan, work: Work) -> None:
    """Gather the hands of three common cards, of which two have this total."""
    around, thrice, same = work.around, work.thrice, plan.same
    for third in range(TEN):
        place, first = (total + third) % TEN * LANES, third * SIX * LANES
        a, b, c = same[total, third, 0], same[total, third, 1], same[total, third, 2]
        d, e, f = same[total, third, 3], same[total, third, 4], same[total, third, 5]
        for lane in range(LANES):
            here = first + lane
            thrice[place + lane] += (
                a * around[here] + b * around[here + LANES] + c * around[here + TWO * LANES]
                + d * around[here + THREE * LANES] + e * around[here + FOUR * LANES] + f * around[here + FIVE * LANES]
            )  # fmt: skip


@compiled
def _store(start: int, work: Work, table: Floats) -> None:
    """Let any cards follow a round of four or five, so that all finishes are counted over deals of six."""
    found, following = work.found, work.following
    for lane in range(LANES):
        size = 0.0
        for value in range(TEN):
            size += work.counts[value * LANES + lane]
        following[lane] = (size - 4.0) * (size - 5.0)
        following[LANES + lane] = size - 5.0
        following[TWO * LANES + lane] = size - 5.0
        following[THREE * LANES + lane] = 1.0
    for finish in range(np.uintp(FINISHES)):
        place, follow = finish * LANES, finish % FOUR * LANES
        for lane in range(LANES):  # beyond eight decks a rounding might leave less than nothing
            table[finish, start + lane] = max(found[place + lane], 0.0) * following[follow + lane]
