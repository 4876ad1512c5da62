"""The loops' kernel of the bulk odds: the joint table of many shoes in lockstep, in whole float64 numbers.

The engine `numba`: it works where explicit vectors (`vector_kernel`) cannot, and shares no counting code with them,
so that each checks the other.

Deal each hand from the whole shoe by itself and multiply; then take back the deals in which the two hands hold the
same card (inclusion and exclusion over none, one, two or three cards in common):

    N = Σ A B - Σ_v c_v A_v B_v + Σ_vw n_vw A_vw B_vw - Σ_vwx n_vwx A_vwx B_vwx

where A counts the Player's hands and B the Banker's, whole or holding the given cards v, w, x, and the first sum runs
over the Player's hands after which the Banker acts alike. Every number is an integer below 2^53 up to eight decks.
Loops run over 32 shoes innermost, in flat buffers with unsigned indices, the form that the compiler turns into vectors.

This module imports numba: only `baccarat.odds.engine` imports it, and only when asked to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from baccarat.law.fact import FINISHES
from baccarat.odds.compiled import cached_jit, compile_with
from baccarat.odds.groups import BASE, Floats, Groups, Numbers, deals, parts
from baccarat.odds.kernel_plan import TableauPlan, make_plan
from baccarat.play.book import Book

LANES = np.uintp(32)
"""Shoes in lockstep. All numbers used as indices are unsigned: one that might be negative prevents vectorization."""

AT_ONCE = 288
"""Shoes whose edges are found together: their tables stay in the processor's cache."""

ONE, TWO, THREE, FOUR, FIVE, SIX, TEN, ELEVEN = (np.uintp(n) for n in (1, 2, 3, 4, 5, 6, 10, 11))


class OddsScratch(NamedTuple):
    """Scratch space for one block of shoes; each entry holds `LANES` of them side by side."""

    counts: Floats
    """By value; an eleventh, always one, represents no card."""
    pairs: Floats
    """[total, pair]: pairs of cards; zero for the empty sixth of an odd total."""
    hands: Floats
    """[hand, value]: hands that hold a given card of the value; eleventh, all hands."""
    weighed: Floats
    """The same times the cards of the value; all hands with a minus sign."""
    around: Floats
    """[third card or none, pair]: pairs of cards with a third."""
    thrice: Floats
    """By total: hands of three common cards, each counted three times."""
    following: Floats
    """By the number of cards in the hands: the ways to deal up to six."""
    found: Floats
    """[finish]: the joint table of four, five or six cards."""


def joint_by_finish(book: Book, counts: Floats) -> Floats:
    """The joint tables of many shoes, [finish, shoe], from [value, shoe]; the columns at the end are padding."""
    plan, shoes = make_plan(book), counts.shape[1]
    blocks = -(-shoes // int(LANES)) | 1  # odd, because columns a power of two apart compete for the same cache lines
    padded = np.zeros((10, blocks * int(LANES)))
    padded[:, :shoes] = counts
    table = _aligned_room(FINISHES * blocks).reshape(FINISHES, -1)
    hands = 10 + len(plan.orders)
    sizes = (11, 60, hands * 11, plan.rows * 11, 66, 10, 4, FINISHES)
    work = OddsScratch(*map(_aligned_room, sizes))
    work.counts[-int(LANES) :] = 1.0
    _fill(padded, plan, work, table)
    return table


def edges_by_wager(book: Book, counts: Floats, groups: Groups) -> Floats:
    """The house edges of many shoes, [wager, shoe], from [value, shoe]."""
    found = np.empty((groups.wagers, counts.shape[1]))
    for part in parts(counts.shape[1], AT_ONCE):
        table = joint_by_finish(book, counts[:, part])
        won = np.zeros((len(groups.digits) + 1, table.shape[1]))
        _fill_edges(table, (*groups,), won, deals(counts[:, part]) / 4, found[:, part])
    return found


@compile_with
def _fill_edges(table: Floats, groups: Numbers, won: Floats, quarter: Floats, edges: Floats) -> None:
    """Count, group by group, what the house wins, in digits, which are exact; then join them as `edges_of` does."""
    members, bounds, digits, starts, denominators = groups
    total, shoes = won[-1], edges.shape[1]
    for group in range(digits.shape[1]):
        total[:] = 0.0
        for member in range(bounds[group], bounds[group + 1]):
            total += table[members[member]]
        for row in range(digits.shape[0]):
            if digits[row, group] != 0.0:
                won[row] += digits[row, group] * total
    for wager in range(edges.shape[0]):
        edges[wager] = 0.0
        for above in range(starts[wager + 1] - starts[wager]):  # from the highest digit down
            row = starts[wager + 1] - 1 - above
            for shoe in range(shoes):
                edges[wager, shoe] = edges[wager, shoe] * BASE + won[row, shoe]
        for shoe in range(shoes):
            edges[wager, shoe] /= denominators[wager] * quarter[shoe]


def _aligned_room(numbers: int) -> Floats:
    """Space for `numbers` numbers per lane, aligned so that the widest vector does not straddle cache lines."""
    room = np.empty(numbers * int(LANES) + 7)
    start = -room.ctypes.data % 64 // 8
    return room[start : start + numbers * int(LANES)]


@cached_jit
def _fill(counts: Floats, plan: TableauPlan, work: OddsScratch, table: Floats) -> None:
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
        _correct_shared(plan, work)
        _store(start, work, table)


@cached_jit
def _count_pairs(value: int, gone: float, plan: TableauPlan, work: OddsScratch) -> None:
    """Count the pairs of cards that hold the value, `gone` cards of which are gone."""
    counts, pairs, holding = work.counts, work.pairs, plan.holding
    own = value * LANES
    for other in range(TEN):
        index, second = holding[value, other] * LANES, other * LANES
        if other == value:
            for lane in range(LANES):
                pairs[index + lane] = 0.5 * (counts[own + lane] - gone) * (counts[own + lane] - gone - 1.0)
        else:
            for lane in range(LANES):
                pairs[index + lane] = (counts[own + lane] - gone) * counts[second + lane]


@cached_jit
def _hold(value: int, plan: TableauPlan, work: OddsScratch) -> None:
    """Count the hands that hold a given card of the value: it is out of the shoe that completes them."""
    counts, pairs, hands, orders = work.counts, work.pairs, work.hands, plan.orders
    for total in range(TEN):
        index, other = (total * ELEVEN + value) * LANES, (total + TEN - value) % TEN * LANES
        gone = 1.0 if other == value * LANES else 0.0
        for lane in range(LANES):
            hands[index + lane] = 2.0 * (counts[other + lane] - gone)
    for hand in range(np.uintp(orders.shape[0])):
        index, source = ((hand + TEN) * ELEVEN + value) * LANES, plan.sources[hand, value] * SIX * LANES
        a, b, c = orders[hand, value, 0], orders[hand, value, 1], orders[hand, value, 2]
        d, e, f = orders[hand, value, 3], orders[hand, value, 4], orders[hand, value, 5]
        for lane in range(LANES):
            here = source + lane
            hands[index + lane] = (
                a * pairs[here] + b * pairs[here + LANES] + c * pairs[here + TWO * LANES]
                + d * pairs[here + THREE * LANES] + e * pairs[here + FOUR * LANES] + f * pairs[here + FIVE * LANES]
            )  # fmt: skip


@cached_jit
def _whole_hands(plan: TableauPlan, work: OddsScratch) -> None:
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
        for index in range(first, first + TEN * LANES):
            weighed[index] = hands[index] * counts[index - first]
        for index in range(first + TEN * LANES, first + ELEVEN * LANES):
            weighed[index] = -hands[index]


@cached_jit
def _nothing_shared(plan: TableauPlan, work: OddsScratch) -> None:
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


@cached_jit
def _correct_shared(plan: TableauPlan, work: OddsScratch) -> None:
    """Put back the hands with two given cards in common, and take away those with three."""
    found, thrice = work.found, work.thrice
    thrice[:] = 0.0
    for total in range(TEN):
        _around_pairs(total, plan, work)
        _share_two(total, plan, work)
        _share_three(total, plan, work)
    for total in range(TEN):
        index = np.uintp(44) * total * LANES + THREE * LANES  # both hands have this count and three cards
        for lane in range(LANES):
            found[index + lane] -= thrice[total * LANES + lane] / 3.0


@cached_jit
def _around_pairs(total: int, plan: TableauPlan, work: OddsScratch) -> None:
    """Count the pairs of a total, with each third card and, eleventh, alone."""
    counts, pairs, around = work.counts, work.pairs, work.around
    first = total * SIX * LANES
    for third in range(ELEVEN):
        index, card = third * SIX * LANES, third * LANES
        for lane in range(LANES):
            for pair in range(SIX):
                around[index + pair * LANES + lane] = pairs[first + pair * LANES + lane] * counts[card + lane]
    for third in range(TEN):  # a card of the pair itself is no third card
        own = plan.holding[third, (total + TEN - third) % TEN] * LANES - first
        gone, index = 2.0 if (third + third) % TEN == total else 1.0, third * SIX * LANES + own
        for lane in range(LANES):
            around[index + lane] -= gone * pairs[first + own + lane]


@cached_jit
def _share_two(total: int, plan: TableauPlan, work: OddsScratch) -> None:
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


@cached_jit
def _share_three(total: int, plan: TableauPlan, work: OddsScratch) -> None:
    """Gather the hands of three common cards, of which two have this total."""
    around, thrice, same = work.around, work.thrice, plan.same
    for third in range(TEN):
        index, first = (total + third) % TEN * LANES, third * SIX * LANES
        a, b, c = same[total, third, 0], same[total, third, 1], same[total, third, 2]
        d, e, f = same[total, third, 3], same[total, third, 4], same[total, third, 5]
        for lane in range(LANES):
            here = first + lane
            thrice[index + lane] += (
                a * around[here] + b * around[here + LANES] + c * around[here + TWO * LANES]
                + d * around[here + THREE * LANES] + e * around[here + FOUR * LANES] + f * around[here + FIVE * LANES]
            )  # fmt: skip


@cached_jit
def _store(start: int, work: OddsScratch, table: Floats) -> None:
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
        index, follow = finish * LANES, finish % FOUR * LANES
        for lane in range(LANES):  # beyond eight decks rounding might leave a negative number
            table[finish, start + lane] = max(found[index + lane], 0.0) * following[follow + lane]
