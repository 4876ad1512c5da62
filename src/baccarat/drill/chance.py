"""Chance of an exercise: everything that is picked for it follows from a seed and from what it is for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from baccarat.shuffle import REQUEST_BYTES, WORD_BITS, HmacDrbg, uniform_below, words_of

T = TypeVar("T")


class SeededPicks:
    """Whole numbers and picks that come in the same order for the same seed."""

    def __init__(self, *parts: object) -> None:
        """The parts name what the chance is for: the seed, the number of the exercise, its kind and case."""
        text = "\n".join(map(str, parts))
        self._words = words_of(_blocks(hashlib.sha256(text.encode()).digest()))

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 up to, but not including, a limit."""
        return uniform_below(stop, self._words, width=WORD_BITS)

    def choice(self, options: Sequence[T], /) -> T:
        """One of some options."""
        return options[self.randrange(len(options))]

    def sample(self, options: Sequence[T], count: int, /) -> list[T]:
        """`count` different options in random order; all of them if there are not as many."""
        left, found = list(options), list[T]()
        while left and len(found) < count:
            found.append(left.pop(self.randrange(len(left))))
        return found

    def shuffled(self, options: Sequence[T], /) -> list[T]:
        """The options in random order."""
        return self.sample(options, len(options))


def _blocks(seed: bytes) -> Iterator[bytes]:
    generator = HmacDrbg.instantiate(seed, b"baccarat/drill")
    while True:
        block, generator = generator.generate(REQUEST_BYTES)
        yield block
