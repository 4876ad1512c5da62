"""Linear counts in the kernel: the running count of every lane, and the true count before each round.

A count gives every card a tag, a small whole number. The running count is the sum of the tags of all cards seen; the
true count is the running count a deck of the cards still to be dealt, rounded down. Cards burned face down have not
been seen. Where `tags` is None nothing is counted, and nothing of this is compiled.

This module imports numba: see `kernel`.
"""

from __future__ import annotations

from typing import Any

from baccarat.sim.kernel_shoe import BURNT, ROW, U
from baccarat.sim.machine import inlined
from baccarat.sim.vector import all_bytes, all_words, equal, join_lower, join_upper, pack
from baccarat.sim.vector_shoe import floor_ratio, load_class_table, look_class

MOST_TRUE_COUNT = 50
"""True counts beyond it are counted with it."""
TRUE_COUNTS = 2 * MOST_TRUE_COUNT + 1
MOST_TAG = 20
"""Six tags fit a signed byte."""


@inlined
def first_count(on: Any, law: Any, tags: Any, card: Any) -> Any:
    """The running count after the burn card, as words of both halves, and how many cards it burned unseen."""
    zero = all_bytes(on, 0)
    if tags is None:
        return (all_words(on, 0), all_words(on, 0)), zero
    tag = look_class(load_class_table(on, tags, U(0), law.shape), card)
    burnt = look_class(load_class_table(on, law.rows, U(BURNT * ROW), law.shape), card)
    return _add_signed(on, (all_words(on, 0), all_words(on, 0)), tag), burnt


@inlined
def _add_signed(on: Any, running: Any, change: Any) -> Any:
    """Add signed bytes to words: 128 more as an unsigned byte, and 128 less after."""
    zero, raised, lowered = all_bytes(on, 0), change + all_bytes(on, 128), all_words(on, 128)
    x, y = join_lower(raised, zero) - lowered, join_upper(raised, zero) - lowered
    return running[0] + x, running[1] + y


@inlined
def true_count(on: Any, tags: Any, running: Any, n: Any, second: Any, burnt: Any) -> Any:
    """The true count of every lane, raised by `MOST_TRUE_COUNT`; n cards of the first pile, so many of the second."""
    if tags is None:
        return n
    zero, raised = all_bytes(on, 0), all_words(on, MOST_TRUE_COUNT)
    x = join_lower(n, zero) + join_lower(second, zero) - join_lower(burnt, zero)
    y = join_upper(n, zero) + join_upper(second, zero) - join_upper(burnt, zero)
    x = floor_ratio(running[0], x, 52, MOST_TRUE_COUNT) + raised
    return pack(x, floor_ratio(running[1], y, 52, MOST_TRUE_COUNT) + raised)


@inlined
def count_cards(on: Any, law: Any, tags: Any, running: Any, cards: Any, taken: Any, away: Any) -> Any:
    """The running count after a round."""
    if tags is None:
        return running
    tag, ones = load_class_table(on, tags, U(0), law.shape), all_bytes(on, 255)
    four = look_class(tag, cards[0]) + look_class(tag, cards[1]) + look_class(tag, cards[2]) + look_class(tag, cards[3])
    fifth = look_class(tag, cards[4]) & (equal(taken, all_bytes(on, 4)) ^ ones)
    sixth = look_class(tag, cards[5]) & equal(taken, all_bytes(on, 6))
    return _add_signed(on, running, (four + fifth + sixth) & (away ^ ones))
