"""What compiled studies share: chance, and a round played from its cards. This module imports numba."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.odds import kernel

State = NDArray[np.uint64]
U = np.uint64
LOW = U(0xFFFFFFFF)
NONE = 10
"""The column of the Banker's table for a Player without a third card."""


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function compiled and cached, as the odds' kernel has it; its arguments are numba's to check."""
    return kernel.compiled(function)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A small function that is compiled into each that calls it, for speed; not kept by itself."""
    made: Callable[..., Any] = numba.njit(forceinline=True, nogil=True, error_model="numpy")(function)
    return made


def chance(seed: int, stream: int) -> State:
    """The state of an SFC64 generator of its own for each seed and stream, eighteen numbers on."""
    source = np.random.SFC64(0)
    state = np.array([stream, seed % 2**64, 3, 1], np.uint64)
    source.state = {"bit_generator": "SFC64", "state": {"state": state}, "has_uint32": 0, "uinteger": 0}
    source.random_raw(18)
    found: State = source.state["state"]["state"].copy()
    return found


@inlined
def next_output(s):
    """The next 64 bits of an SFC64 generator, whose state goes on."""
    output = s[0] + s[1] + s[3]
    s[3] += U(1)
    s[0] = s[1] ^ (s[1] >> U(11))
    s[1] = s[2] + (s[2] << U(3))
    s[2] = ((s[2] << U(24)) | (s[2] >> U(40))) + output
    return output


@compiled
def below(s, n):
    """A fair number below n, which is at most 2^32: multiply and shift, with rejection."""
    while True:
        x = (next_output(s) >> U(32)) * U(n)
        if (x & LOW) >= U((1 << 32) % n):
            return np.int64(x >> U(32))


@compiled
def play(worth, player, banker, cards, at):
    """The case of the round that begins at a position, and how many cards it takes; cards are ranks."""
    a, b, c, d = cards[at], cards[at + 1], cards[at + 2], cards[at + 3]
    p, q = (worth[a] + worth[c]) % 10, (worth[b] + worth[d]) % 10
    used, drew, too, third = 4, 0, 0, NONE
    if player[p, q]:
        third = worth[cards[at + 4]]
        used, drew = 5, 1
    if banker[p, q, third]:
        q, too = (q + worth[cards[at + used]]) % 10, 1
        used += 1
    if drew:
        p = (p + third) % 10
    finish = np.int64(p) * 40 + np.int64(q) * 4 + 2 * drew + too
    return finish * 4 + 2 * np.int64(a == c) + np.int64(b == d), used
