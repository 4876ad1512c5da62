"""The proof that several entries are in a log: the hashes of the tree that cannot be computed from these entries.

The root is computed from the top down, as RFC 6962 defines it: a subtree that contains none of the entries is the next
hash of the proof, and every other is made of its two halves. For one entry these are the hashes of its inclusion proof;
for all entries there are none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from baccarat.chain import leaf_hash, node_hash
from baccarat.record.log import HASH, LARGEST_SIZE, Log


def prove_subset(log: Log, indexes: Sequence[int], size: int | None = None) -> tuple[bytes, ...]:
    """The proof that the entries of these rising indexes are among the first `size`."""
    size = log.size if size is None else size
    if not indexes or list(indexes) != sorted(set(indexes)) or not 0 <= indexes[0] <= indexes[-1] < size:
        raise ValueError(f"expected rising indexes of entries in a log of {size}")
    return tuple(_proof_hashes(log, indexes, 0, size))


def _proof_hashes(log: Log, indexes: Sequence[int], low: int, high: int) -> Iterator[bytes]:
    first = bisect_left(indexes, low)
    if first == len(indexes) or indexes[first] >= high:
        yield log.subtree(low, high)
    elif high - low > 1 and not _is_full(indexes, first, low, high):
        middle = low + _half(high - low)
        yield from _proof_hashes(log, indexes, low, middle)
        yield from _proof_hashes(log, indexes, middle, high)


def _is_full(indexes: Sequence[int], first: int, low: int, high: int) -> bool:
    """Whether every entry of a subtree is among the indexes, so that no hash of it is needed."""
    last = first + high - low - 1
    return indexes[first] == low and last < len(indexes) and indexes[last] == high - 1


def subset_root(entries: Mapping[int, bytes], *, size: int, proof: Sequence[bytes]) -> bytes | None:
    """The root of the log of this size that has these entries at their indexes; None if this is not a proof."""
    indexes = sorted(entries)
    if (
        not indexes
        or not 0 <= indexes[0] <= indexes[-1] < size <= LARGEST_SIZE
        or any(len(each) != HASH for each in proof)
    ):
        return None
    hashes = iter(proof)
    try:
        made = _rebuilt_root(entries, indexes, hashes, 0, size)
    except StopIteration:
        return None
    return made if next(hashes, None) is None else None


def _rebuilt_root(
    entries: Mapping[int, bytes], indexes: Sequence[int], hashes: Iterator[bytes], low: int, high: int
) -> bytes:
    first = bisect_left(indexes, low)
    if first == len(indexes) or indexes[first] >= high:
        return next(hashes)
    if high - low == 1:
        return leaf_hash(entries[low])
    middle = low + _half(high - low)
    left = _rebuilt_root(entries, indexes, hashes, low, middle)
    return node_hash(left, _rebuilt_root(entries, indexes, hashes, middle, high))


def _half(count: int) -> int:
    """The largest power of two below a count."""
    return 1 << (count - 1).bit_length() - 1
