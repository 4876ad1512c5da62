"""What is known of single numbers, such as those of coupons and forms.

A dictionary is copied whole with every act: the more a book had in it, the longer an act took. This map has three
levels, and a change copies one dictionary of each; none of them ever has more than 2,048 keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")

BITS = 10
LOW = (1 << BITS) - 1

NumberMap = dict[int, dict[int, dict[int, T]]]
"""Values by their numbers, which are from 0 to 2^31 − 1: the highest bits, the middle ones, the lowest."""


def value_at(held: NumberMap[T], number: int) -> T | None:
    """The value of a number, if it has one."""
    return held.get(number >> 2 * BITS, {}).get(number >> BITS & LOW, {}).get(number & LOW)


def with_value(held: NumberMap[T], number: int, value: T) -> NumberMap[T]:
    """The map after a number was given a value."""
    high, middle = number >> 2 * BITS, number >> BITS & LOW
    branch = held.get(high, {})
    return {**held, high: {**branch, middle: {**branch.get(middle, {}), number & LOW: value}}}


def without_value(held: NumberMap[T], number: int) -> NumberMap[T]:
    """The map after a number lost its value; nothing empty is kept."""
    high, middle = number >> 2 * BITS, number >> BITS & LOW
    branch = dict(held[high])
    leaf = dict(branch.pop(middle))
    del leaf[number & LOW]
    if leaf:
        branch[middle] = leaf
    others = {key: each for key, each in held.items() if key != high}
    return {**others, high: branch} if branch else others


def values_of(held: NumberMap[T]) -> Iterator[tuple[int, T]]:
    """Every number that has a value, with it, in ascending order."""
    for high, branch in sorted(held.items()):
        for middle, leaf in sorted(branch.items()):
            for low, value in sorted(leaf.items()):
                yield high << 2 * BITS | middle << BITS | low, value
