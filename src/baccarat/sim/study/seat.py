"""Seats at a table, compiled: stakes, settlement in whole cents, purses. This module imports numba.

What a stake gains in each case is reckoned once and kept for the seat until the stake changes: most strategies repeat
themselves, and divisions are slow.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: PLR0913, PLR0917

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.sim.study.compiled import compiled, inlined

MIX, LADDER, FUNCTION = range(3)
MODE, COUNTS, INDEX, ON, STEPS, LOSS, WIN, STAY = range(8)
"""Where the numbers of a strategy stand."""
PURSE, LAST_GAIN, LAST_STAKE, TRUE_COUNT, POSITION = range(5)
"""Where a seat's own numbers stand; a function may keep what it likes from eight on."""
ROUND, SINCE, LEFT = range(3)
"""Where the table's numbers stand."""
MEMORY = 32
NEVER = -(1 << 62)

SIGNATURE = numba.void(numba.int64[::1], numba.int64[::1], numba.int64[::1])
FUNCTION_TYPE = numba.types.FunctionType(SIGNATURE)


class Pays(NamedTuple):
    """How wagers are settled: each case belongs to a class of its wager, and each class has odds."""

    kind: NDArray[np.uint8]
    """[wager, case]: the class."""
    result: NDArray[np.int64]
    to: NDArray[np.int64]
    one: NDArray[np.int64]
    vigorish: NDArray[np.int64]
    limits: NDArray[np.int64]
    """[wager]: least, most, step."""
    exempts: NDArray[np.int64]
    """[wager]: one where its stake frees others from vigorish."""
    rate: int
    coin: int


@inlined
def gain_of(pays, wager, row, stake, exempt):
    """What a stake gains in a class of cases, in whole cents, as the table rounds."""
    if pays.result[wager, row] < 0:
        return -stake
    if pays.result[wager, row] == 0:
        return np.int64(0)
    to, one = pays.to[wager, row], pays.one[wager, row]
    won = (stake * to + one - 1) // one
    if not pays.vigorish[wager, row] or exempt or won <= 0:
        return won
    if pays.coin:
        return won - max(1, (won * pays.rate + 100 * pays.coin - 1) // (100 * pays.coin)) * pays.coin
    return won - won * pays.rate // 100


@compiled
def refresh(pays, wager, stake, exempt, gains):
    """Reckon a stake anew for every class; false if the table does not take the stake."""
    least, most, step = pays.limits[wager]
    if stake < max(least, 1) or stake > most or stake % step:
        return False
    for row in range(gains.size):
        gains[row] = gain_of(pays, wager, row, stake, exempt)
    return True


@inlined
def by_data(numbers, amounts, own, stakes):
    """The stakes of a strategy that is data."""
    if numbers[COUNTS] and own[TRUE_COUNT] < numbers[INDEX]:
        return
    if numbers[MODE] == MIX:
        for wager in range(stakes.size):
            stakes[wager] = amounts[wager]
        return
    if own[LAST_STAKE] and own[LAST_GAIN]:
        own[POSITION] += numbers[LOSS] if own[LAST_GAIN] < 0 else numbers[WIN]
        own[LAST_STAKE] = 0  # a step is taken once, though rounds be sat out after it
        if own[POSITION] >= numbers[STEPS]:
            own[POSITION] = numbers[STEPS] - 1 if numbers[STAY] else 0
        own[POSITION] = max(0, own[POSITION])
    stakes[numbers[ON]] = amounts[own[POSITION]]


@inlined
def settle(pays, stakes, case, keys, gains):
    """The total gain of a seat's stakes, and the first wager whose stake the table does not take, or minus one."""
    total, beside = np.int64(0), np.int64(0)
    for wager in range(stakes.size):
        if pays.exempts[wager]:
            beside += stakes[wager]
    for wager in range(stakes.size):
        stake = stakes[wager]
        if stake:
            exempt = beside > 0 and beside >= stake
            if keys[wager] != 2 * stake + exempt:
                if not refresh(pays, wager, stake, exempt, gains[wager]):
                    return np.int64(0), wager
                keys[wager] = 2 * stake + exempt
            total += gains[wager, pays.kind[wager, case]]
    return total, -1


@compiled
def sit(
    starts, burned, burnt, cards, case, each, cards_in_all, numbers, amounts, tags, functions, pays, purses, goals, points,
    every, purse, stayed, staked, ruined, fan,
):  # fmt: skip
    """Sessions of `each` shoes; every seat plays from its purse until it cannot cover its stake, or has its goal.

    purse, stayed, staked, ruined: [session, seat]. fan: [session, seat, point], the purse after so many rounds each. An
    answer of five numbers that begins with one: a stake that no table takes, of which session, seat, wager.
    """
    seats, wagers, classes = numbers.shape[0], pays.kind.shape[0], pays.result.shape[1]
    own, stakes = np.zeros((seats, MEMORY), np.int64), np.zeros((seats, wagers), np.int64)
    keys, gains = np.zeros((seats, wagers), np.int64), np.zeros((seats, wagers, classes), np.int64)
    running, table = np.zeros(seats, np.int64), np.zeros(8, np.int64)
    counting = False
    for seat in range(seats):
        counting = counting or numbers[seat, COUNTS] != 0
    for session in range((starts.size - 1) // each):
        since = 0
        for seat in range(seats):
            for k in range(MEMORY):
                own[seat, k] = 0
            own[seat, PURSE] = purses[seat]
            ruined[session, seat] = 0
            stayed[session, seat] = -1
            staked[session, seat] = 0
        for shoe in range(session * each, (session + 1) * each):
            left = cards_in_all - 1
            for seat in range(seats):
                running[seat] = tags[seat, burned[shoe]]
            for row in range(starts[shoe], starts[shoe + 1]):
                table[ROUND], table[SINCE], table[LEFT] = row - starts[shoe] + 1, since, left - burnt[burned[shoe]]
                for seat in range(seats):
                    if stayed[session, seat] >= 0:
                        continue
                    mine, bets = own[seat], stakes[seat]
                    for wager in range(wagers):
                        bets[wager] = 0
                    if numbers[seat, COUNTS]:
                        mine[TRUE_COUNT] = running[seat] * 52000 // left
                    if numbers[seat, MODE] == FUNCTION:
                        money = mine[PURSE]
                        functions[seat](table, mine, bets)
                        mine[PURSE] = money
                    else:
                        by_data(numbers[seat], amounts[seat], mine, bets)
                    total = np.int64(0)
                    for wager in range(wagers):
                        if bets[wager] < 0:
                            return 1, session, seat, wager, bets[wager]
                        total += bets[wager]
                    if total > mine[PURSE]:
                        stayed[session, seat], ruined[session, seat] = since, 1
                        continue
                    if total == 0:
                        continue
                    won, wrong = settle(pays, bets, case[row], keys[seat], gains[seat])
                    if wrong >= 0:
                        return 1, session, seat, wrong, bets[wrong]
                    mine[PURSE] += won
                    mine[LAST_GAIN], mine[LAST_STAKE] = won, total
                    staked[session, seat] += total
                    if mine[PURSE] >= goals[seat]:
                        stayed[session, seat] = since + 1
                since += 1
                if since % every == 0 and since // every < points and session < fan.shape[0]:
                    for seat in range(seats):
                        fan[session, seat, since // every] = own[seat, PURSE]
                for k in range(6):
                    rank = cards[k, row]
                    if rank != 255:
                        left -= 1
                        if counting:
                            for seat in range(seats):
                                running[seat] += tags[seat, rank]
        for seat in range(seats):
            purse[session, seat] = own[seat, PURSE]
            if stayed[session, seat] < 0:
                stayed[session, seat] = since
            if session < fan.shape[0]:
                fan[session, seat, 0] = purses[seat]
                for point in range(since // every + 1, points):
                    fan[session, seat, point] = own[seat, PURSE]
    return 0, 0, 0, 0, 0
