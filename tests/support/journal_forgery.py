"""Journals changed in every way that somebody could who holds the file, each with the first line it touches."""

from __future__ import annotations

import random
from collections.abc import Iterator

from kept import rehashed

Forgery = tuple[str, list[bytes], int]
"""What was done, the lines after it, and the number of the first line that is not as it was."""


def forgeries(lines: list[bytes], chance: random.Random, count: int) -> Iterator[Forgery]:
    """Deletions, insertions and exchanges of lines, as they are and with every hash made anew."""
    for _ in range(count):
        one, other = sorted(chance.sample(range(1, len(lines) - 1), 2))
        without = [*lines[:one], *lines[one + 1 :]]
        twice = [*lines[:other], lines[one], *lines[other:]]
        exchanged = [*lines[:one], lines[other], *lines[one + 1 : other], lines[one], *lines[other + 1 :]]
        for what, changed, line in (
            ("deleted", without, one),
            ("inserted", twice, other),
            ("exchanged", exchanged, one),
        ):
            yield what, changed, line + 1
            yield f"{what}, hashes made anew", rehashed(changed), line + 1


def flips(line: bytes) -> Iterator[bytes]:
    """A line with each of its bits turned over."""
    for bit in range(8 * len(line)):
        changed = bytearray(line)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


def rewritten(lines: list[bytes], chance: random.Random) -> tuple[list[bytes], int]:
    """A whole history told otherwise from some record on: another person, every later hash made anew; and the line."""
    whose = [index for index, line in enumerate(lines) if b'"who":"' in line]
    index = chance.choice(whose)
    changed = lines[index].replace(b'"who":"', b'"who":"x', 1)
    return rehashed([*lines[:index], changed, *lines[index + 1 :]]), index + 1
