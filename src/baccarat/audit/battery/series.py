"""Series of our own shoes, and the generator's words exactly as their shuffles use them.

The seed of shoe `n`, counted from 1, is SHA-256 of `"baccarat/lab"`, the seed of the series and `n` as 8 bytes,
big-endian. Its header names the table `lab`, the shoe `n`, the rulebook and its decks; nobody contributes. Anyone can
derive the same shoes again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from baccarat.audit.battery.shoe import ShoeOrder, order_from_numbers
from baccarat.law.rulebook import Rulebook
from baccarat.shuffle import WORD_BITS, fisher_yates, header_of, order, order_blocks, words_of

TABLE = "lab"
TAG = b"baccarat/lab"


def decks_of(rules: Rulebook) -> int:
    """How many decks a rulebook's shoe has."""
    count = rules.elections.decks
    if count is None:
        raise ValueError("the rulebook does not say how many decks are played")
    return count


def shoe_seed(seed: bytes, number: int) -> bytes:
    """The seed of one shoe of a series."""
    return hashlib.sha256(TAG + seed + number.to_bytes(8, "big")).digest()


def _header(rules: Rulebook, number: int) -> bytes:
    return header_of(table=TABLE, shoe=str(number), rulebook_hash=rules.hash, decks=decks_of(rules))


def order_of(rules: Rulebook, seed: bytes, number: int) -> tuple[int, ...]:
    """The order of one shoe of a series before the cut."""
    size, header = 52 * decks_of(rules), _header(rules, number)
    return order(shoe_seed(seed, number), size=size, shoe=str(number), header=header, contributions=())


def series(rules: Rulebook, seed: bytes, shoes: int) -> Iterator[ShoeOrder]:
    """The first shoes of a series."""
    last: ShoeOrder | None = None
    for number in range(1, shoes + 1):
        last = order_from_numbers(order_of(rules, seed, number), last=last)
        yield last


def stream(rules: Rulebook, seed: bytes, number: int = 1) -> Iterator[bytes]:
    """The endless output of one shoe's generator, in the blocks that the shuffle asks for."""
    return order_blocks(shoe_seed(seed, number), shoe=str(number), header=_header(rules, number), contributions=())


def words_used(rules: Rulebook, seed: bytes, shoes: int) -> Iterator[bytes]:
    """For each shoe of a series, the words that its shuffle consumed, including rejected ones."""
    size = 52 * decks_of(rules)
    for number in range(1, shoes + 1):
        seen: list[int] = []
        fisher_yates(size, _record_words(words_of(stream(rules, seed, number)), seen), width=WORD_BITS)
        yield b"".join(word.to_bytes(WORD_BITS // 8, "big") for word in seen)


def _record_words(words: Iterator[int], seen: list[int]) -> Iterator[int]:
    for word in words:
        seen.append(word)
        yield word
