"""The sum of many independent rounds: its distribution function, in whole numbers and to a proved bound.

A round adds a step, a whole number. With φ(m) = Σ p e^{2πi m step / M} the chance that the sum T of all
rounds leaves the rest y when divided by M is (1/M) Σ_m Π φ(m) e^{-2πi m y / M}, exactly: this is the convolution of all
rounds in one step. M is the width of a window [low, high] in which T lies except for a bounded chance, and of the M
terms only those that may be large enough to matter are computed. The error of the answer is at most the sum of

- the chance that T lies outside the window, by Chernoff's bound: P(T ≥ a) ≤ E e^{tT} / e^{ta} for every t;
- the terms left out: |φ|² = 1 - 2 Σ p_j p_k (1 - cos(2πmd/M)) over the pairs of rows, d steps apart, and for |x| ≤ 1/2
  1 - cos(2πx) ≥ min(1, 16x²), so Π |φ| ≤ exp(-Σ p_j p_k min(1, 16x²)) over any rounds and pairs, x being the distance
  of md/M from a whole number; a term m counts no more than Π |φ| / m, and Σ 1/m < 32;
- rounding: numbers are whole multiples of u = 2^-bits. A root of unity is right to 4u, and to 2^9 u after `RUN` turns;
  so are φ and, relative to 1/sin, the cotangent; n factors make n times the error. With the cotangent below M and the
  sum divided by M, a term is right to 2^14 (n + M) u, and there are no more than 2^20 of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from functools import lru_cache
from itertools import accumulate, islice
from math import floor
from typing import NamedTuple

RUN = 64
"""Neighbouring terms that are reached by turning, before roots are computed afresh."""

MOST_TERMS = 1 << 20
"""More terms than any band needs; they would take too long."""

TAIL = Context(prec=30, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Thirty digits, for a bound on a logarithm to which one is added against their rounding."""

LOG_2 = Decimal("0.6931471805599453094172321215")

Rows = tuple[tuple[int, int], ...]
"""What one round adds: each step, and in how many ways it comes."""

Complex = tuple[int, int]
"""Real and imaginary part, in multiples of 2^-bits."""


class TooMany(ValueError):  # noqa: N818  a condition, not an error
    """A distribution that would take minutes to compute."""


class RoundBlock(NamedTuple):
    """A number of rounds of one kind."""

    rows: Rows
    number: int

    @property
    def ways(self) -> int:
        """All ways of one round."""
        return sum(ways for _, ways in self.rows)


class Window(NamedTuple):
    """From the least to the largest sum that matters."""

    low: int
    high: int

    @property
    def width(self) -> int:
        """An odd number of sums that includes the whole window."""
        return (self.high - self.low + 1) | 1


# ---------------------------------------------------------------------------------------------- the window


def window(sums: Sequence[Sequence[RoundBlock]], goal: int) -> Window:
    """A window beyond either end of which each of the sums lies with a chance below 2^-goal.

    With the sum of n and that of m rounds of one kind this holds for every number between as well: for each tilt the
    bound is linear in the number.
    """
    high = max(sum(kind.number * max(kind.rows)[0] for kind in kinds) for kinds in sums)
    low = min(sum(kind.number * min(kind.rows)[0] for kind in kinds) for kinds in sums)
    if len(sums) > 1:
        high, low = max(high, 0), min(low, 0)
    with localcontext(TAIL):
        log = goal * LOG_2 + 1
        start = (2 * log / (max(map(_variance, sums)) or 1)).sqrt()
        for half_steps in range(18):
            tilt = start / (Decimal(half_steps) / 2 * LOG_2).exp()
            high = min(high, floor(max((_log_mean(kinds, tilt) + log) / tilt for kinds in sums)) + 1)
            low = max(low, floor(min((-_log_mean(kinds, -tilt) - log) / tilt for kinds in sums)))
    return Window(low, high)


def _variance(kinds: Sequence[RoundBlock]) -> Decimal:
    found = Decimal(0)
    for kind in kinds:
        ways = kind.ways
        mean = sum(step * each for step, each in kind.rows)
        square = sum(step * step * each for step, each in kind.rows)
        found += Decimal(kind.number * (square * ways - mean * mean)) / (ways * ways)
    return found


def _log_mean(kinds: Sequence[RoundBlock], tilt: Decimal) -> Decimal:
    """The logarithm of E e^{tilt T}."""
    found = Decimal(0)
    for kind in kinds:
        mean = sum((ways * (tilt * step).exp() for step, ways in kind.rows), Decimal(0)) / kind.ways
        found += kind.number * mean.ln()
    return found


# --------------------------------------------------------------------------------------- terms that matter


def terms(kinds: Sequence[RoundBlock], width: int, goal: int, most: int = MOST_TERMS) -> list[tuple[int, int]]:
    """Runs of terms (first, number) from 1 to half the width; every other term is below 2^-goal.

    `TooMany` where there are more than `most`.
    """
    pairs = sorted(_pairs(kinds).items(), key=lambda pair: -pair[1])[:16]
    square = width * width
    enough = (7 * goal << 64) * square // 10  # ln 2 is below 7/10
    found: list[tuple[int, int]] = []
    waiting, count = [(1, width // 2)] if width > 1 else [], 0
    while waiting:
        first, last = waiting.pop()
        if (
            sum(weight * min(square, 16 * _nearest_distance(first, last, d, width) ** 2) for d, weight in pairs)
            >= enough
        ):
            continue
        if last - first < 4:
            _add_run(found, first, last)
            count += last - first + 1
            if count > most:
                raise TooMany(f"the sums of these rounds lie too densely to be told apart: more than {most:,} terms")
            continue
        middle = (first + last) // 2
        waiting += [(middle + 1, last), (first, middle)]
    return found


def _pairs(kinds: Sequence[RoundBlock]) -> dict[int, int]:
    """How far rows are from the usual one of their round, with Σ p_j p_k over the rounds, in multiples of 2^-64."""
    found: dict[int, int] = {}
    for kind in kinds:
        usual, most = max(kind.rows, key=lambda row: row[1])
        for step, ways in kind.rows:
            if step != usual:
                apart = abs(step - usual)
                found[apart] = found.get(apart, 0) + (kind.number * most * ways << 64) // kind.ways**2
    return found


def _nearest_distance(first: int, last: int, distance: int, width: int) -> int:
    """How near any multiple of the distance, from the first to the last, comes to a multiple of the width."""
    start = first * distance % width
    end = start + (last - first) * distance
    return 0 if start == 0 or end >= width else min(start, width - end)


def _add_run(found: list[tuple[int, int]], first: int, last: int) -> None:
    if found and sum(found[-1]) == first and found[-1][1] + last - first < RUN:
        found[-1] = (found[-1][0], found[-1][1] + last - first + 1)
    else:
        found.append((first, last - first + 1))


# ------------------------------------------------------------------------------------------ roots of unity


@lru_cache(maxsize=16)
def _half_pi(bits: int) -> int:
    """π/2 in multiples of 2^-bits, by Machin's formula."""
    return 2 * (4 * _arctan(5, bits + 8) - _arctan(239, bits + 8)) >> 8


def _arctan(inverse: int, bits: int) -> int:
    power = (1 << bits) // inverse
    total, odd, sign = 0, 1, 1
    while power:
        total += sign * (power // odd)
        power //= inverse * inverse
        odd, sign = odd + 2, -sign
    return total


def root(turn: int, of: int, bits: int) -> Complex:
    """e^{2πi turn/of}, right to four units in the last place."""
    quarter, rest = divmod(4 * (turn % of), of)
    swap = 2 * rest > of
    angle = _half_pi(bits + 8) * (of - rest if swap else rest) // of
    square = angle * angle >> (bits + 8)
    cos, sin, even, odd, place = 1 << (bits + 8), angle, 1 << (bits + 8), angle, 0
    while odd or even:
        place += 2
        even = -(even * square >> (bits + 8)) // ((place - 1) * place)
        odd = -(odd * square >> (bits + 8)) // (place * (place + 1))
        if abs(even) <= 1 and abs(odd) <= 1:  # a negative number shifted right never becomes zero
            break
        cos, sin = cos + even, sin + odd
    cos, sin = (sin >> 8, cos >> 8) if swap else (cos >> 8, sin >> 8)
    return ((cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos))[quarter]


def times(one: Complex, other: Complex, bits: int) -> Complex:
    """The product."""
    (a, b), (c, d) = one, other
    return (a * c - b * d) >> bits, (a * d + b * c) >> bits


def power(base: Complex, exponent: int, bits: int) -> Complex:
    """The base to a power."""
    found = (1 << bits, 0)
    while exponent:
        if exponent & 1:
            found = times(found, base, bits)
        exponent >>= 1
        if exponent:
            a, b = base
            base = (a + b) * (a - b) >> bits, a * b >> (bits - 1)
    return found


# ------------------------------------------------------------------------------------------------- the sum


class Wave:
    """The distribution function of a sum of rounds, right to 2^-goal; `within` is a window that is already known."""

    def __init__(self, kinds: Sequence[RoundBlock], *, goal: int, within: Window | None = None) -> None:
        self.window = window([kinds], goal + 2) if within is None else within
        self.width = self.window.width
        self.runs = terms(kinds, self.width, goal + 8)
        self.bits = goal + (sum(kind.number for kind in kinds) + self.width).bit_length() + 46
        self.waves = [wave for start, length in self.runs for wave in self._count(kinds, start, length)]
        self.start = self._sum(self.window.low)

    def chance_up_to(self, total: int) -> int:
        """The chance that the sum is no more than this, in multiples of 2^-bits."""
        low, high = self.window
        if total < low:
            return 0
        if total >= high:
            return 1 << self.bits
        return ((total + 1 - low << self.bits) + self.start - self._sum(total + 1)) // self.width

    def _count(self, kinds: Sequence[RoundBlock], start: int, length: int) -> Iterator[Complex]:
        """The coefficients of a run of terms: Π φ / (1 - e^{-2πi m/M})."""
        bits = self.bits
        factors = [_factors(kind, start, length, self.width, bits) for kind in kinds]
        half, turn = root(start, 2 * self.width, bits), root(1, 2 * self.width, bits)
        for each in zip(*factors, strict=True):
            value = (1 << bits, 0)
            for kind, factor in zip(kinds, each, strict=True):
                value = times(value, power(factor, kind.number, bits), bits)
            cosine, sine = half
            yield times(value, (1 << (bits - 1), -(cosine << (bits - 1)) // sine), bits)
            half = times(half, turn, bits)

    def _sum(self, total: int) -> int:
        """Twice the real part of the sum of the terms, each turned back by the total."""
        bits, found, waves = self.bits, 0, iter(self.waves)
        back, over = root(-total, self.width, bits)
        for start, length in self.runs:
            c, d = root(-start * total, self.width, bits)
            for a, b in islice(waves, length):
                found += a * c - b * d
                c, d = (c * back - d * over) >> bits, (c * over + d * back) >> bits
        return found >> (bits - 1)


def _factors(kind: RoundBlock, start: int, length: int, width: int, bits: int) -> list[Complex]:
    """φ of one round for a run of terms."""
    reals, imaginaries = [0] * length, [0] * length
    for step, ways in kind.rows:
        chance = (ways << bits) // kind.ways
        turn, here = root(step, width, bits), root(start * step, width, bits)
        turned = accumulate(range(length - 1), lambda at, _, turn=turn: times(at, turn, bits), initial=here)  # type: ignore[misc]
        for place, (real, imaginary) in enumerate(turned):
            reals[place] += chance * real
            imaginaries[place] += chance * imaginary
    return [(real >> bits, imaginary >> bits) for real, imaginary in zip(reals, imaginaries, strict=True)]
