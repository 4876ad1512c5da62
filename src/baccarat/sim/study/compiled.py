"""What compiled studies share: chance, and the one function that plays a round. This module imports numba."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.odds import compiled as odds_compiled
from baccarat.sim.stream import DROPPED

State = NDArray[np.uint64]
U = np.uint64
LOW = U(0xFFFFFFFF)
SOURCES = ("book_arrays.py", "compiled.py", "*_kernel.py", "hand_motion.py", "seat_sums.py")
"""The modules of this folder from which a compiled function may inline something."""
NONE = 10
"""The column of the Banker's table for a Player without a third card."""


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function compiled and cached, as those of the odds are; its arguments are numba's to check."""
    return odds_compiled.cached_jit(function, sources=SOURCES)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A small function that is compiled into each caller, for speed; not cached by itself."""
    made: Callable[..., Any] = numba.njit(forceinline=True, **odds_compiled.OPTIONS)(function)
    return made


def chance(seed: int, stream: int) -> State:
    """The state of a separate SFC64 generator for each seed and stream, its first outputs discarded.

    The third number distinguishes these generators from those of `baccarat.sim.stream`, which have 0 or 1 there.
    """
    source = np.random.SFC64(0)
    state = np.array([stream, seed, 3, 1], np.uint64)
    source.state = {"bit_generator": "SFC64", "state": {"state": state}, "has_uint32": 0, "uinteger": 0}
    source.random_raw(DROPPED)
    found: State = source.state["state"]["state"].copy()
    return found


@inlined
def next_output(s):
    """The next 64 bits of an SFC64 generator, whose state advances."""
    output = s[0] + s[1] + s[3]
    s[3] += U(1)
    s[0] = s[1] ^ (s[1] >> U(11))
    s[1] = s[2] + (s[2] << U(3))
    s[2] = ((s[2] << U(24)) | (s[2] >> U(40))) + output
    return output


@compiled
def uniform_below(s, n):
    """A fair number below n, which is at most 2^32: multiply and shift, with rejection."""
    while True:
        x = (next_output(s) >> U(32)) * U(n)
        if (x & LOW) >= U((1 << 32) % n):
            return np.int64(x >> U(32))


@inlined
def play_round(next_card, shoe, to_deal, tables, drawn):
    """Deal a round by the tableau: its finish, or minus one if the cards run out, and how many cards it took.

    `next_card(shoe, k)` returns the rank of the round's card k, of which there are `to_deal`; `drawn` records them.
    `tables`: what a rank counts, on which counts the Player draws, and on which the Banker: see `table.Table`.
    """
    worth, player, banker = tables
    if to_deal < 4:
        for k in range(to_deal):
            drawn[k] = next_card(shoe, k)
        return -1, to_deal
    for k in range(4):
        drawn[k] = next_card(shoe, k)
    p = (np.int64(worth[drawn[0]]) + worth[drawn[2]]) % 10
    q = (np.int64(worth[drawn[1]]) + worth[drawn[3]]) % 10
    third, drew, too, used = np.int64(NONE), 0, 0, 4
    if player[p, q]:
        if to_deal < 5:
            return -1, 4
        drawn[4] = next_card(shoe, 4)
        third, drew, used = np.int64(worth[drawn[4]]), 1, 5
    if banker[p, q, third]:
        if to_deal <= used:
            return -1, used
        drawn[used] = next_card(shoe, used)
        q, too, used = (q + worth[drawn[used]]) % 10, 1, used + 1
    if drew:
        p = (p + third) % 10
    return p * 40 + q * 4 + 2 * drew + too, used


@inlined
def case_of(finish, drawn):
    """The number of a round's case, by its finish and its first four cards: as `table.case_of` numbers them."""
    return finish * 4 + 2 * np.int64(drawn[0] == drawn[2]) + np.int64(drawn[1] == drawn[3])
