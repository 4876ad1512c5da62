"""A log: an append-only tree of hashes (RFC 6962) over entries, and proofs of what is in it and how it grew.

Entries are bytes; for a journal, the canonical bodies of its records. `Frontier` computes the root so far and holds one
hash per level; `Log` stores the hashes of all complete subtrees, 64 bytes per entry, and makes proofs. Verifying a
proof needs neither: `includes` and `extends` follow RFC 9162, and return False for anything that is not a proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baccarat.chain import leaf_hash, node_hash, root, root_from

EMPTY_ROOT = root(())
"""The root of a log without entries."""
HASH = 32
"""The number of bytes of a hash."""
LARGEST_SIZE = 2**63 - 1
"""The largest size of a log: others store sizes in signed 64 bits."""


class Frontier:
    """The right edge of a growing log: the roots of its complete subtrees, the largest first."""

    def __init__(self) -> None:
        self.size = 0
        self._edge: list[bytes] = []

    @classmethod
    def from_edge(cls, size: int, edge: Sequence[bytes]) -> Frontier:
        """The frontier of a log, from its stored size and the roots of its complete subtrees."""
        assert len(edge) == size.bit_count(), "a log has one complete subtree for each bit of its size"
        made = cls()
        made.size, made._edge = size, list(edge)
        return made

    @property
    def edge(self) -> tuple[bytes, ...]:
        """The roots of its complete subtrees, the largest first."""
        return tuple(self._edge)

    def append(self, entry: bytes) -> None:
        """Add an entry at the end."""
        made, rest, edge = leaf_hash(entry), self.size, self._edge
        while rest & 1:  # two complete subtrees of the same size become one
            made = node_hash(edge.pop(), made)
            rest >>= 1
        edge.append(made)
        self.size += 1

    def root(self) -> bytes:
        """The root over all entries so far."""
        return _combined_root(self._edge)


class Log:
    """A growing log that stores the hash of every complete subtree, so that it can prove what it holds.

    One that was begun from an edge has no hashes within it: it proves growth from there, and entries after it.
    """

    def __init__(self, entries: Iterable[bytes] = ()) -> None:
        self.first = 0
        """How many entries came before the first that it has a hash of."""
        self._levels: list[bytearray] = [bytearray()]  # at level k, the roots of subtrees over 2^k entries
        self._firsts = [0]  # at level k, the number of the first of these roots
        for entry in entries:
            self.append(entry)

    @classmethod
    def from_edge(cls, size: int, edge: Sequence[bytes]) -> Log:
        """A log that goes on from its stored size and the roots of its complete subtrees, the largest first."""
        assert len(edge) == size.bit_count(), "a log has one complete subtree for each bit of its size"
        made, left = cls(), list(edge)
        made.first, made._levels, made._firsts = size, [], []
        for level in range(max(1, size.bit_length())):
            has_root = bool(size >> level & 1)
            made._levels.append(bytearray(left.pop() if has_root else b""))
            made._firsts.append((size >> level) - has_root)
        return made

    @property
    def size(self) -> int:
        """How many entries there are."""
        return self._firsts[0] + len(self._levels[0]) // HASH

    def append(self, entry: bytes) -> int:
        """Add an entry at the end; returns its index."""
        index = rest = self.size
        made = leaf_hash(entry)
        self._levels[0] += made
        level = 0
        while rest & 1:
            made = node_hash(bytes(self._levels[level][-2 * HASH : -HASH]), made)
            level, rest = level + 1, rest >> 1
            if level == len(self._levels):
                self._levels.append(bytearray())
                self._firsts.append(0)
            self._levels[level] += made
        return index

    def root(self, size: int | None = None) -> bytes:
        """The root over the first `size` entries, or over all."""
        return self._root(0, self._checked_size(size))

    def prove_inclusion(self, index: int, size: int | None = None) -> tuple[bytes, ...]:
        """The proof that the entry `index` is among the first `size`: the sibling hashes on its path to the root."""
        size = self._checked_size(size)
        if not 0 <= index < size:
            raise ValueError(f"no entry {index} in a log of {size}")
        return tuple(self._sibling_hashes(index, level=0, size=size))

    def prove_consistency(self, old: int, size: int | None = None) -> tuple[bytes, ...]:
        """The proof that the log of `size` entries begins with the `old` ones that were there before."""
        size = self._checked_size(size)
        if not 0 <= old <= size:
            raise ValueError(f"a log of {size} entries does not follow one of {old}")
        if old in (0, size):
            return ()
        at, level = old - 1, 0
        while at & 1:  # up to the last complete subtree of the old log
            at, level = at >> 1, level + 1
        first = [self._complete_root(level, at)] if at else []  # else it is the old root itself, which the verifier has
        return (*first, *self._sibling_hashes(at, level=level, size=size))

    def subtree(self, low: int, high: int) -> bytes:
        """The root over the entries from `low` up to `high`, which must be a subtree of the log's tree."""
        return self._root(low, high)

    def _checked_size(self, size: int | None) -> int:
        if size is None:
            return self.size
        if not 0 <= size <= self.size:
            raise ValueError(f"the log has {self.size} entries, not {size}")
        return size

    def _root(self, begin: int, end: int) -> bytes:
        """The root over entries from `begin`, which starts a subtree, up to `end`."""
        edge = []
        while begin < end:
            level = (end - begin).bit_length() - 1
            edge.append(self._complete_root(level, begin >> level))
            begin += 1 << level
        return _combined_root(edge)

    def _complete_root(self, level: int, index: int) -> bytes:
        at = index - self._firsts[level]
        if at < 0:
            raise ValueError(
                f"the log was begun from its first {self.first} entries; nothing can be proved within them"
            )
        return bytes(self._levels[level][at * HASH : (at + 1) * HASH])

    def _sibling_hashes(self, at: int, *, level: int, size: int) -> list[bytes]:
        """The sibling hashes on the path of a subtree up to the root over the first `size` entries."""
        beside, last = [], size - 1 >> level
        while last:
            other = at ^ 1
            if (other + 1) << level <= size:
                beside.append(self._complete_root(level, other))
            elif other == last:
                beside.append(self._root(other << level, size))
            at, last, level = at >> 1, last >> 1, level + 1
        return beside


def includes(root: bytes, *, size: int, entry: bytes, index: int, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that an entry is at `index` in the log of this size and root (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size <= LARGEST_SIZE or not _are_hashes((root, *proof)):
        return False
    return root_from(leaf_hash(entry), index=index, size=size, proof=proof) == root


def extends(root: bytes, *, size: int, old_root: bytes, old_size: int, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the log of this size and root begins with an older one (RFC 9162, 2.1.4.2).

    Every log begins with the empty one and with itself: no proof is needed, and none is accepted.
    """
    if not 0 <= old_size <= size <= LARGEST_SIZE or not _are_hashes((root, old_root, *proof)):
        return False
    if old_size in (0, size):
        same = old_root == (root if old_size else EMPTY_ROOT)
        return not proof and same and (size > 0 or root == EMPTY_ROOT)
    way = list(proof)
    if old_size & (old_size - 1) == 0:  # a complete tree: its root is the first hash, and left out
        way.insert(0, old_root)
    return _roots_of(way, old_size=old_size, size=size) == (old_root, root)


def contradicts(root: bytes, *, size: int, old_root: bytes, old_size: int, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the log of this size and root does not begin with that of `old_root`.

    Such a proof leads to `root`, so that nobody can make one against a log that has only grown. One that leads
    elsewhere shows nothing. Nor does any from a size that is a power of two: it leaves the old root out.
    """
    # 3 is the smallest size that is not a power of two
    if not 3 <= old_size < size <= LARGEST_SIZE or not _are_hashes((root, old_root, *proof)):
        return False
    if old_size.bit_count() == 1:
        return False
    roots = _roots_of(proof, old_size=old_size, size=size)
    return roots is not None and roots[1] == root and roots[0] != old_root


def _roots_of(way: Sequence[bytes], *, old_size: int, size: int) -> tuple[bytes, bytes] | None:
    """The roots at two sizes to which the hashes of a consistency proof lead; None if there are too few or too many."""
    if not way:
        return None
    at, last = old_size - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old_made = made = way[0]
    for beside in way[1:]:
        if last == 0:
            return None
        if at & 1 or at == last:
            old_made, made = node_hash(beside, old_made), node_hash(beside, made)
            at, last = _to_right_child(at, last)
        else:
            made = node_hash(made, beside)
        at, last = at >> 1, last >> 1
    return (old_made, made) if last == 0 else None


def _to_right_child(at: int, last: int) -> tuple[int, int]:
    """Up the right edge, where an incomplete subtree skips levels, until the node is a right child or the root."""
    while at and not at & 1:
        at, last = at >> 1, last >> 1
    return at, last


def _are_hashes(found: Sequence[bytes]) -> bool:
    return all(len(each) == HASH for each in found)


def _combined_root(edge: Sequence[bytes]) -> bytes:
    """The root over complete subtrees, the largest first."""
    if not edge:
        return EMPTY_ROOT
    made = edge[-1]
    for left in reversed(edge[:-1]):
        made = node_hash(left, made)
    return made
