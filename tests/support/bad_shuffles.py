"""Shuffles that casino software really had, or might have: each a series of orders from a fixed seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from baccarat.audit.battery.shoe import ShoeOrder, order_from_numbers

SIZE = 416


def fair(rng: random.Random, size: int) -> list[int]:
    """A fair order."""
    cards = list(range(size))
    rng.shuffle(cards)
    return cards


def n_to_the_n(rng: random.Random, size: int) -> list[int]:
    """Exchanges every card with any card: n^n equally likely ways onto n! orders."""
    cards = list(range(size))
    for i in range(size):
        j = rng.randrange(size)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def always_elsewhere(rng: random.Random, size: int) -> list[int]:
    """Fisher–Yates off by one: no card can stay where it was."""
    cards = list(range(size))
    for i in range(size - 1, 0, -1):
        j = rng.randrange(i)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def sort_by_keys(rng: random.Random, size: int, *, bits: int) -> list[int]:
    """Sorts by random keys of a few bits; cards with equal keys stay in their order."""
    keys = [rng.getrandbits(bits) for _ in range(size)]
    return sorted(range(size), key=keys.__getitem__)


def sort_by_a_coin(rng: random.Random, size: int) -> list[int]:
    """Sorts with a comparison that tosses a coin, as `sort(() => Math.random() - 0.5)` does: insertion by coins."""
    cards: list[int] = []
    for number in range(size):
        index = len(cards)
        while index and rng.getrandbits(1):
            index -= 1
        cards.insert(index, number)
    return cards


def modulo(rng: random.Random, size: int, *, bits: int) -> list[int]:
    """Fisher–Yates with words of so many bits modulo the bound, none passed over."""
    cards = list(range(size))
    for i in range(size - 1, 0, -1):
        j = rng.getrandbits(bits) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def riffle(rng: random.Random, cards: Sequence[int]) -> list[int]:
    """One riffle (Gilbert, Shannon, Reeds): cut by coins, then dropped by the sizes of what is left of the packets."""
    left = sum(rng.getrandbits(1) for _ in cards)
    packets = [list(cards[:left]), list(cards[left:])]
    made: list[int] = []
    while any(packets):
        first, second = map(len, packets)
        made.append(packets[0 if rng.random() * (first + second) < first else 1].pop(0))
    return made


def riffled(rng: random.Random, size: int, *, times: int) -> list[int]:
    """A new stack, riffled so many times."""
    cards = list(range(size))
    for _ in range(times):
        cards = riffle(rng, cards)
    return cards


def in_turn(orders: Iterator[list[int]]) -> Iterator[ShoeOrder]:
    """The orders as shoes, each with the one before it."""
    last: ShoeOrder | None = None
    for numbers in orders:
        last = order_from_numbers(numbers, last=last)
        yield last
