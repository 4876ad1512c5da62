"""Lines of a file, read only up to the longest allowed length: an overlong line never fills the memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO


def read_bounded_lines(stream: BinaryIO, most: int) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers; of an overlong line only the beginning, and nothing after it."""
    number = 0
    while line := stream.readline(most + 1):
        number += 1
        yield number, line
        if len(line) > most:
            return
