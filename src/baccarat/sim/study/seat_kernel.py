"""Seats at a table, compiled: stakes, gains in whole cents, purses. This module imports numba.

Seats do not affect each other, so each plays all sessions by itself over the same recorded rounds. What a strategy that
is data gains is a table, precomputed by the settlement of the odds: by step of its ladder and class of cases.

Where vigorish is collected later, `marks` is such a table of what a win is charged, and gains are those before it.
If it is taken immediately, or there is none, `marks` is None, and numba compiles no code for debts.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: PLR0913, PLR0917

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.sim.study.compiled import compiled, inlined
from baccarat.sim.study.counter_kernel import count_burn, count_round, true_count
from baccarat.sim.study.seat_sums import (
    BOUGHT,
    COLLECTED,
    DAY_COLLECTED,
    DAY_STAKED,
    DAY_UNCOLLECTED,
    ENDED,
    PEAK,
    RUINED,
    STAKED,
    STAYED,
    UNCOLLECTED,
    WIN,
)

NUMBERS = 7
COUNTS, INDEX, STEPS, AFTER_LOSS, AFTER_WIN, STAY, MUST_PAY = range(NUMBERS)
"""The places of the numbers of a strategy; the last one is its table's: see `owes_too_much`."""
PURSE, LAST_GAIN, LAST_STAKE, TRUE_COUNT, OWED = range(5)
"""The places of a seat's own numbers; a function may store what it likes from eight on."""
ROUND, SINCE, LEFT = range(3)
"""The places of the table's numbers."""
MEMORY = 32

SIGNATURE = numba.void(numba.int64[::1], numba.int64[::1], numba.int64[::1])


@inlined
def next_step(step, gain, numbers):
    """The step of the ladder after a gain or a loss; a push leaves it unchanged."""
    if gain == 0:
        return step
    step += numbers[AFTER_LOSS] if gain < 0 else numbers[AFTER_WIN]
    if step >= numbers[STEPS]:
        return numbers[STEPS] - 1 if numbers[STAY] else 0
    return max(0, step)


@compiled
def play_data(block, each, cards_in_all, numbers, stakes, gains, kind, tags, marks, purse, goal, every, out, fan):
    """Sessions of `each` shoes of a seat whose strategy is data.

    stakes: by step. gains, marks: [step, class]. kind: the class of each case. out: [session, column]. fan: [session,
    point]: the purse at intervals of rounds, of the first sessions. What is owed stays in the purse until the end of
    the shoe, or until the patron leaves: it is collected whole or not at all, as at the table. Where the next shoe
    waits for it, a patron who cannot pay leaves.
    """
    starts, shown, _, cards, case = block
    for session in range(out.shape[0]):
        money, step, since, staked, ruined, over = purse, 0, 0, 0, 0, -1
        due, point, owed, peak, collected, uncollected = every, 1, 0, 0, 0, 0
        for shoe in range(session * each, (session + 1) * each):
            running, left = count_burn(shown[shoe], tags, cards_in_all)
            for row in range(starts[shoe], starts[shoe + 1]):
                if over >= 0:
                    break
                if not numbers[COUNTS] or true_count(running, left) >= numbers[INDEX]:
                    if stakes[step] > money:
                        over, ruined = since, 1
                        break
                    gain = gains[step, kind[case[row]]]
                    money += gain
                    if marks is not None:
                        mark = marks[step, kind[case[row]]]
                        owed += mark
                        gain -= mark
                        peak = max(peak, owed)
                    staked += stakes[step]
                    step = next_step(step, gain, numbers)
                    if money - owed >= goal:
                        over = since + 1
                since += 1
                if since == due:  # counted up, because a division in every round would cost more than the rest
                    due, point = due + every, note_purse(fan, session, point, money)
                if numbers[COUNTS]:
                    running, left = count_round(cards, row, tags, running, left)
            if marks is not None:  # the end of the shoe, or the patron leaves
                if over < 0 and owes_too_much(money, owed, numbers[MUST_PAY], (session + 1) * each - 1 - shoe):
                    over, ruined = since, 1
                money, taken, missed = settle_marks(money, owed)
                owed, collected, uncollected = 0, collected + taken, uncollected + missed
        out[session, COLLECTED], out[session, PEAK], out[session, UNCOLLECTED] = collected, peak, uncollected
        finish_session(out, fan, session, every, purse, money, since if over < 0 else over, staked, ruined)


@inlined
def owes_too_much(money, owed, must_pay, shoes_to_come):
    """Whether a patron must leave because the next shoe waits for vigorish that the purse does not cover."""
    return must_pay and shoes_to_come > 0 and money < owed


@inlined
def settle_marks(money, owed):
    """What is left of the purse, what was collected and what could not be: the whole sum owed, or none of it."""
    if money >= owed:
        return money - owed, owed, 0
    return money, 0, owed


@inlined
def note_purse(fan, session, point, money):
    """Store the purse as a point of the session's path, if there is space; returns the number of the next point."""
    if session < fan.shape[0] and point < fan.shape[1]:
        fan[session, point] = money
    return point + 1


@compiled
def finish_session(out, fan, session, every, purse, money, stayed, staked, ruined):
    """Record how a session ended; a patron who has left keeps the purse."""
    out[session, ENDED], out[session, STAYED] = money, stayed
    out[session, STAKED], out[session, RUINED] = staked, ruined
    if session < fan.shape[0]:
        fan[session, 0] = purse
        for point in range(stayed // every + 1, fan.shape[1]):
            fan[session, point] = money


@compiled
def pressed_cases(cards, case, pressed, cases, out):
    """The case of every round, offset by all cases for each hand up to the one that is pressed in it.

    pressed: by the ranks of the first four cards, see `pressing`; without a pair there is nothing to press.
    """
    for row in range(case.size):
        out[row] = case[row]
        if case[row] & 3:
            hand = pressed[cards[0, row], cards[1, row], cards[2, row], cards[3, row]]
            out[row] = case[row] + cases * hand


class PressTarget(NamedTuple):
    """Where a payout of House Money may go: all or a part of it onto one main wager."""

    early: int
    """The wager whose payout is pressed, or minus one."""
    onto: int
    """The wager that it is added to, or minus one."""
    part: int
    of: int
    """The filed part, as numerator and denominator."""
    most: int
    """The most that the enlarged wager may be; otherwise nothing is pressed."""


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
    """[wager]: 1 if its stake exempts others from vigorish."""
    rate: int
    coin: int
    press: PressTarget


@compiled
def gain_of(pays, wager, row, stake, exempt):
    """What a stake gains in a class of cases before vigorish, and the vigorish, in whole cents as the table rounds."""
    if pays.result[wager, row] < 0:
        return -stake, np.int64(0)
    if pays.result[wager, row] == 0:
        return np.int64(0), np.int64(0)
    to, one = pays.to[wager, row], pays.one[wager, row]
    won = (stake * to + one - 1) // one
    if not pays.vigorish[wager, row] or exempt or won <= 0:
        return won, np.int64(0)
    if pays.coin:
        return won, max(1, (won * pays.rate + 100 * pays.coin - 1) // (100 * pays.coin)) * pays.coin
    return won, won * pays.rate // 100


@compiled
def pressed_onto(pays, stakes, case):
    """What a payout adds to the main wager of the same seat, if it is pressed."""
    early, onto, part, of, most = pays.press
    if early < 0 or onto < 0 or not stakes[early] or not stakes[onto]:
        return np.int64(0)
    won, _ = gain_of(pays, early, pays.kind[early, case], stakes[early], 1)
    added = max(won, 0) * part // of
    return added if stakes[onto] + added <= most else np.int64(0)


@compiled
def total_gain(pays, stakes, case, presses):
    """What all stakes of a seat gain before vigorish, the vigorish, and the first wager refused, or minus one."""
    total, charged, beside = np.int64(0), np.int64(0), np.int64(0)
    for wager in range(stakes.size):
        stake = stakes[wager]
        if stake:
            least, most, step = pays.limits[wager, 0], pays.limits[wager, 1], pays.limits[wager, 2]
            if stake < max(least, 1) or stake > most or stake % step:
                return np.int64(0), np.int64(0), wager
            if pays.exempts[wager]:
                beside += stake
    added = pressed_onto(pays, stakes, case) if presses else np.int64(0)
    for wager in range(stakes.size):
        stake = stakes[wager]
        if stake:
            lies = stake + added if wager == pays.press.onto else stake
            won, vigorish = gain_of(pays, wager, pays.kind[wager, case], lies, beside > 0 and beside >= stake)
            total += won
            charged += vigorish
    return total, charged, -1


@compiled
def sum_of_stakes(pays, stakes, money):
    """All stakes of a seat together, or more than the purse; and the first that no table takes, or minus one."""
    total = np.int64(0)
    for wager in range(stakes.size):
        if stakes[wager] < 0 or stakes[wager] > pays.limits[wager, 1]:
            return np.int64(0), wager
        if total <= money:  # beyond that it is too much in any case, and the sum could exceed 64 bits
            total += stakes[wager]
    return total, -1


@inlined
def settle_seat(pays, stakes, money, case, pressed):
    """The sum of a seat's stakes, what they gain before vigorish, the vigorish; and the first refused, or minus one.

    Stakes that the purse does not cover are not settled.
    """
    total, wrong = sum_of_stakes(pays, stakes, money)
    if wrong >= 0 or total > money or not total:
        return total, np.int64(0), np.int64(0), wrong
    gain, vigorish, wrong = total_gain(pays, stakes, case, pressed)
    return total, gain, vigorish, wrong


@numba.njit(nogil=True, error_model="numpy")
def play_function(
    decide, block, each, cards_in_all, counts, pays, presses, deferred, must_pay, tags, purse, goal, every, out, fan,
    reached,
):  # fmt: skip
    """The same for a seat whose stakes a function writes: minus one, or the session, wager and stake refused.

    presses: by row, whether a payout of House Money is pressed; empty if never. reached: the session
    and the rounds of it that are over, for the message that says where the function raised something.
    """
    starts, shown, hidden, cards, case = block
    own, stakes, table = np.zeros(MEMORY, np.int64), np.zeros(pays.kind.shape[0], np.int64), np.zeros(8, np.int64)
    for session in range(out.shape[0]):
        money, since, staked, ruined, over = np.int64(purse), 0, np.int64(0), 0, -1
        due, point = every, 1
        owed, peak, collected, uncollected = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        own[:] = 0
        for shoe in range(session * each, (session + 1) * each):
            running, left = count_burn(shown[shoe], tags, cards_in_all)
            for row in range(starts[shoe], starts[shoe + 1]):
                if over >= 0:
                    break
                table[ROUND], table[SINCE], table[LEFT] = row - starts[shoe] + 1, since, left - hidden[shoe]
                own[PURSE], own[TRUE_COUNT], own[OWED] = money, true_count(running, left) if counts else 0, owed
                stakes[:] = 0
                reached[0], reached[1] = session, since
                decide(table, own, stakes)
                pressed = presses[row] if presses.size else 0
                total, gain, vigorish, wrong = settle_seat(pays, stakes, money, case[row], pressed)
                if wrong >= 0:
                    return session, wrong, stakes[wrong]
                if total > money:
                    over, ruined = since, 1
                    break
                if total:
                    money += gain if deferred else gain - vigorish
                    owed += vigorish if deferred else 0
                    peak, staked = max(peak, owed), staked + total
                    own[LAST_GAIN], own[LAST_STAKE] = gain - vigorish, total
                    if money - owed >= goal:
                        over = since + 1
                since += 1
                if since == due:
                    due, point = due + every, note_purse(fan, session, point, money)
                running, left = count_round(cards, row, tags, running, left)
            if over < 0 and owes_too_much(money, owed, must_pay, (session + 1) * each - 1 - shoe):
                over, ruined = since, 1
            money, taken, missed = settle_marks(money, owed)
            owed, collected, uncollected = np.int64(0), collected + taken, uncollected + missed
        out[session, COLLECTED], out[session, PEAK], out[session, UNCOLLECTED] = collected, peak, uncollected
        finish_session(out, fan, session, every, purse, money, since if over < 0 else over, staked, ruined)
    return -1, 0, np.int64(0)


@compiled
def play_for_house(block, each, cards_in_all, numbers, stakes, gains, kind, tags, marks, buy_in, out, owing):
    """Days of `each` shoes as the house sees them: a patron who cannot cover the stake buys in again.

    out: [day, column]: what the house won of the seat, vigorish that was marked included, whether collected or not.
    owing: by row, what the seats owe after it, to which this one's is added; None if nothing is marked. A patron who
    continues buys in to pay what is owed at the end of a shoe; at the end of the day the patron leaves.
    """
    starts, shown, _, cards, case = block
    for day in range(out.shape[0]):
        money, step, win, staked, bought = buy_in, 0, 0, 0, buy_in
        owed, collected, uncollected = 0, 0, 0
        for shoe in range(day * each, (day + 1) * each):
            running, left = count_burn(shown[shoe], tags, cards_in_all)
            for row in range(starts[shoe], starts[shoe + 1]):
                if not numbers[COUNTS] or true_count(running, left) >= numbers[INDEX]:
                    while stakes[step] > money:
                        money += buy_in
                        bought += buy_in
                    gain = gains[step, kind[case[row]]]
                    money += gain
                    if marks is not None:
                        mark = marks[step, kind[case[row]]]
                        owed += mark
                        gain -= mark
                    win -= gain
                    staked += stakes[step]
                    step = next_step(step, gain, numbers)
                if marks is not None:
                    owing[row] += owed
                if numbers[COUNTS]:
                    running, left = count_round(cards, row, tags, running, left)
            if marks is not None:
                while money < owed and shoe < (day + 1) * each - 1:
                    money += buy_in
                    bought += buy_in
                money, taken, missed = settle_marks(money, owed)
                owed, collected, uncollected = 0, collected + taken, uncollected + missed
        out[day, WIN] += win
        out[day, DAY_STAKED] += staked
        out[day, BOUGHT] += bought
        out[day, DAY_COLLECTED] += collected
        out[day, DAY_UNCOLLECTED] += uncollected
