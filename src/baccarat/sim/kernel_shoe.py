"""Chance in the kernel: generators, attempts at a round, and new shoes parted and burned, for all lanes together.

The definition in `stream`, for vectors. What is seldom needed is done lane by lane. This module imports numba.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.sim.stream import DROPPED
from baccarat.sim.vector import (
    all_bytes,
    all_longs,
    all_words,
    excess,
    first_bit,
    high_product,
    is_any,
    join_lower,
    join_upper,
    lane_mask,
    lanes_of,
    load_bytes,
    load_longs,
    load_words,
    ones_in,
    pack,
    peek,
    rotate_left,
    set_lanes,
    shift_left,
    shift_right,
    smaller,
    store,
    words_of,
)
from baccarat.sim.vector_machine import compiled, inlined
from baccarat.sim.vector_shoe import draw

U = np.uint64
Bytes = NDArray[np.uint8]

ROW = 32
"""Bytes of a row of `KernelLaw.rows`; sixteen of them are enough except for classes of cards."""
ROWS = 7
VALUE, BURNT, AFTER, MARK, PLAYER, ALONE, BIT = range(ROWS)
"""The rows: by class of card, then by count. `BIT` has the bit of each Banker's count below eight."""
HIGH_ROWS = 4
HIGH_AFTER, HIGH_PLAYER, HIGH_ALONE, HIGH_BIT = range(HIGH_ROWS)
"""The rows for a Banker of eight or nine, against which hands seldom draw."""
RECORD = 8
"""Bytes that are written for each lane and turn: six cards, and two that say how it ended."""


class KernelLaw(NamedTuple):
    """What a plan says, as numbers and tables."""

    decks: int
    depth: int
    """Cards behind the cover card."""
    least: int
    most: int
    """The fewest and the most cards of the first pile."""
    shape: tuple[int, ...]
    """As long as there are counters, so that their number is known at compile time."""
    ends: NDArray[np.bool_]
    """By card in the stream's order: whether a class ends with it."""
    rows: Bytes
    limits: NDArray[np.uint16]
    """65536 mod n, for n below 256."""


class Span(NamedTuple):
    """The shoes to deal: `first` … `stop` - 1, in blocks from `start`, which is a multiple of four."""

    start: np.uint64
    blocks: int
    first: np.uint64
    stop: np.uint64


class ShoeScratch(NamedTuple):
    """Scratch space in which the content of a vector is read lane by lane."""

    state: NDArray[np.uint64]
    first: Bytes
    second: Bytes
    """The counters of the two piles."""
    sizes: NDArray[np.uint16]
    """Of the first piles."""
    left: Bytes
    drawn: Bytes
    """The cards left, and a number drawn; for Royal 9 the opening hands."""
    scratch: Bytes
    """The codes whose counters are raised."""
    kept: NDArray[np.uint16]
    """The words of the attempt."""
    turns: Bytes
    """Zero and 16, alternating."""


# ------------------------------------------------------------------- chance


@inlined
def _rare_word(seed: Any, shoe: Any, subject: Any, attempt: Any) -> Any:
    """As `stream.rare`."""
    z = seed + ((shoe << U(16)) + (subject << U(4)) + attempt) * U(0x9E3779B97F4A7C15)
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))


@inlined
def _shoe_in_block(lane: Any, lanes: Any) -> Any:
    """The shoe of a lane within its block: `pack` puts eight lanes of each half into every sixteen bytes."""
    return (lane & U(8)) * (lanes >> U(4)) + ((lane & U(7)) | ((lane >> U(4)) << U(3)))


@inlined
def _next_words(on: Any, state: Any) -> Any:
    """The next word of every shoe, by SFC64."""
    a0, a1, b0, b1, c0, c1, counter = state
    x, y = a0 + b0 + counter, a1 + b1 + counter
    a0, a1 = b0 ^ shift_right(b0, 11), b1 ^ shift_right(b1, 11)
    b0, b1 = c0 + shift_left(c0, 3), c1 + shift_left(c1, 3)
    c0, c1 = rotate_left(c0, 24) + x, rotate_left(c1, 24) + y
    return words_of(x), words_of(y), (a0, a1, b0, b1, c0, c1, counter + all_longs(on, 1))


@inlined
def start(on: Any, work: Any, seed: Any, base: Any) -> Any:
    """The generators of a block of shoes, each for four of them."""
    quads = lanes_of(on) >> U(2)
    for quad in range(quads):
        work.state[quad] = (base >> U(2)) + U(quad)
    seeds, none = all_longs(on, seed), all_longs(on, 0)
    state = (
        load_longs(on, work.state, 0), load_longs(on, work.state, quads >> U(1)), seeds, seeds, none, none,
        all_longs(on, 1),
    )  # fmt: skip
    for _ in range(DROPPED):
        _x, _y, state = _next_words(on, state)
    return state


@inlined
def _number(on: Any, work: Any, index: Any, state: Any, bounds: Any, least: Any) -> Any:
    """A number below its bound for every shoe; the words are stored, and the least remainders show any doubt."""
    x, y, state = _next_words(on, state)
    nx, ny = bounds
    lanes = lanes_of(on)
    store(work.kept, index * lanes, x)
    store(work.kept, index * lanes + (lanes >> U(1)), y)
    number = pack(high_product(x, nx), high_product(y, ny))
    one = all_words(on, 1)
    return number, state, (nx - one, ny - one), (smaller(least[0], x * nx), smaller(least[1], y * ny))


@inlined
def _is_unfair(on: Any, work: Any, lane: Any, draws: Any, limits: Any) -> Any:
    """1 if any of this many words of a lane is unfair."""
    index, n, found = _shoe_in_block(lane, lanes_of(on)), peek(work.left, lane), U(0)
    for _ in range(draws):
        remainder = (peek(work.kept, index) * n) & U(65535)
        found |= (remainder - peek(limits, n)) >> U(63)
        n -= U(1)
        index += lanes_of(on)
    return found


@compiled
def _unfair_lanes(on: Any, work: Any, doubt: Any, limits: Any) -> Any:
    """Of the lanes in doubt, those with an unfair word."""
    found = U(0)
    while doubt:
        lane = first_bit(doubt)
        found |= _is_unfair(on, work, lane, 6, limits) << lane
        doubt &= doubt - U(1)
    return found


@inlined
def attempt(on: Any, law: Any, work: Any, state: Any, n: Any) -> Any:
    """Six numbers for every lane, and a mask of the lanes that must sit out."""
    zero, far = all_bytes(on, 0), all_words(on, 65535)
    bounds = (join_lower(n, zero), join_upper(n, zero))
    most = bounds
    least = (far, far)
    r0, state, bounds, least = _number(on, work, U(0), state, bounds, least)
    r1, state, bounds, least = _number(on, work, U(1), state, bounds, least)
    r2, state, bounds, least = _number(on, work, U(2), state, bounds, least)
    r3, state, bounds, least = _number(on, work, U(3), state, bounds, least)
    r4, state, bounds, least = _number(on, work, U(4), state, bounds, least)
    r5, state, bounds, least = _number(on, work, U(5), state, bounds, least)
    x, y, sit = excess(most[0], least[0]), excess(most[1], least[1]), zero
    if is_any(x | y):  # a remainder below n may be below 65536 mod n: a lane in every third attempt, half of them truly
        store(work.left, 0, n)
        doubt = set_lanes(pack(x, y))
        lane = first_bit(doubt)
        unfair = _is_unfair(on, work, lane, 6, law.limits) << lane
        doubt &= doubt - U(1)
        if doubt:
            unfair |= _unfair_lanes(on, work, doubt, law.limits)
        sit = lane_mask(on, unfair)
        r0, r1, r2, r3, r4, r5 = r0 | sit, r1 | sit, r2 | sit, r3 | sit, r4 | sit, r5 | sit
    return (r0, r1, r2, r3, r4, r5), sit, state


# ------------------------------------------------------------------- a new shoe


@inlined
def _heads(on: Any, law: Any, work: Any, state: Any) -> Any:
    """Part every shoe by coins: stores the counters of both piles, and returns the sizes of the first as words."""
    rest = all_words(on, (1 << 4 * law.decks - 16) - 1)
    n0, n1, k, seen = all_words(on, 0), all_words(on, 0), U(0), U(0)
    for rank in range(13):
        x0, y0, state = _next_words(on, state)
        x1, y1, state = _next_words(on, state)
        x1, y1 = x1 & rest, y1 & rest
        card = 4 * rank
        if law.ends[card] | law.ends[card + 1] | law.ends[card + 2]:
            for suit in range(4):
                mask = all_words(on, 0x1111 << suit)
                n0 = n0 + ones_in(x0 & mask) + ones_in(x1 & mask)
                n1 = n1 + ones_in(y0 & mask) + ones_in(y1 & mask)
                seen += U(law.decks)
                if law.ends[card + suit]:
                    k = _store_class(on, law, work, k, seen, n0, n1)
        else:
            n0, n1 = n0 + ones_in(x0) + ones_in(x1), n1 + ones_in(y0) + ones_in(y1)
            seen += U(4 * law.decks)
            if law.ends[card + 3]:
                k = _store_class(on, law, work, k, seen, n0, n1)
    return n0, n1, state


@inlined
def _store_class(on: Any, law: Any, work: Any, k: Any, seen: Any, n0: Any, n1: Any) -> Any:
    """Store the counters of a class, unless it is the last, which needs none."""
    if k < U(len(law.shape)):
        low = all_words(on, 255)
        n = pack(n0 & low, n1 & low)
        store(work.first, k * lanes_of(on), n ^ all_bytes(on, 128))
        store(work.second, k * lanes_of(on), all_bytes(on, seen) - n)
    return k + U(1)


@compiled
def _redraw_piles(on: Any, law: Any, work: Any, seed: Any, base: Any) -> None:
    """Throw the coins again for shoes whose piles do not fit."""
    lanes = lanes_of(on)
    every_fourth = U(0x11111111) & ((U(1) << U(4 * law.decks)) - U(1))
    for lane in range(lanes):
        shoe = _shoe_in_block(U(lane), lanes)
        n, attempt = U(work.sizes[shoe]), U(0)
        while n > U(law.most) or n < U(law.least):
            n, k, seen = U(0), U(0), U(0)
            for card in range(52):
                coins = _rare_word(seed, base + shoe, U(1 + card // 4), attempt) & (every_fourth << U(card % 4))
                while coins:
                    coins &= coins - U(1)
                    n += U(1)
                seen += U(law.decks)
                if law.ends[card]:
                    if k < U(len(law.shape)):
                        work.first[k * lanes + U(lane)] = np.uint8((n ^ U(128)) & U(255))
                        work.second[k * lanes + U(lane)] = np.uint8((seen - n) & U(255))
                    k += U(1)
            attempt += U(1)
        work.sizes[shoe] = np.uint16(n)


@inlined
def part(on: Any, law: Any, work: Any, seed: Any, base: Any, state: Any) -> Any:
    """The size of every shoe's first pile; its counters, and the second pile's, are stored."""
    n0, n1, state = _heads(on, law, work, state)
    most, least = all_words(on, law.most), all_words(on, law.least)
    if is_any(excess(n0, most) | excess(n1, most) | excess(least, n0) | excess(least, n1)):
        half = lanes_of(on) >> U(1)
        store(work.sizes, 0, n0)
        store(work.sizes, half, n1)
        _redraw_piles(on, law, work, seed, base)
        n0, n1 = load_words(on, work.sizes, 0), load_words(on, work.sizes, half)
    return pack(n0, n1), state


@compiled
def _redraw_burn(on: Any, law: Any, work: Any, doubt: Any, seed: Any, base: Any) -> None:
    """Draw the burn card again for lanes with an unfair word."""
    while doubt:
        lane = first_bit(doubt)
        doubt &= doubt - U(1)
        if _is_unfair(on, work, lane, 1, law.limits):
            shoe = base + _shoe_in_block(lane, lanes_of(on))
            n, attempt, product, remainder = U(work.left[lane]), U(0), U(0), U(0)
            while remainder < U(law.limits[n]):
                product = (_rare_word(seed, shoe, U(0), attempt) >> U(48)) * n
                remainder = product & U(65535)
                attempt += U(1)
            work.drawn[lane] = np.uint8(product >> U(16))


@inlined
def burn(on: Any, law: Any, work: Any, seed: Any, base: Any, state: Any, pile: Any) -> Any:
    """The card burned first. Those burned after it are not drawn: they only bring the cover card nearer."""
    counters, n = pile
    zero, far = all_bytes(on, 0), all_words(on, 65535)
    bounds = (join_lower(n, zero), join_upper(n, zero))
    number, state, _bounds, least = _number(on, work, U(0), state, bounds, (far, far))
    x, y = excess(bounds[0], least[0]), excess(bounds[1], least[1])
    if is_any(x | y):
        store(work.left, 0, n)
        store(work.drawn, 0, number)
        _redraw_burn(on, law, work, set_lanes(pack(x, y)), seed, base)
        number = load_bytes(on, work.drawn, 0)
    counters, card = draw(counters, number ^ all_bytes(on, 128))
    return (counters, n - all_bytes(on, 1)), card, state


@inlined
def outside_mask(on: Any, span: Any, base: Any) -> Any:
    """A mask of the lanes whose shoes are not requested: none except at the ends."""
    lanes, found = lanes_of(on), U(0)
    if base < span.first or base + lanes > span.stop:
        for lane in range(lanes):
            shoe = base + _shoe_in_block(U(lane), lanes)
            if shoe < span.first or shoe >= span.stop:
                found |= U(1) << U(lane)
    return lane_mask(on, found)
