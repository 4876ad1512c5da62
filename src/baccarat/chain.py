"""Chains: trees of hashes (RFC 6962) over salted cards and over records, with proofs of membership."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

HEX_DIGITS = 64
"""The number of digits of a hash."""
_of_hash = re.compile(rf"[0-9a-f]{{{HEX_DIGITS}}}").fullmatch


def is_hash(text: str) -> bool:
    """Whether a text is a SHA-256 hash in lower-case hexadecimal digits: other programs might read another spelling."""
    return _of_hash(text) is not None


def read_hashes(texts: Sequence[str]) -> list[bytes] | None:
    """The hashes that texts state; None if one of them is no such hash. Faster than to ask `is_hash` of each."""
    try:
        found = [bytes.fromhex(each) for each in texts]
    except ValueError:
        return None
    are_long = all(len(each) == HEX_DIGITS for each in texts)
    return found if are_long and b"".join(found).hex() == "".join(texts) else None


def leaf_hash(data: bytes) -> bytes:
    """The hash of one entry; its prefix keeps entries and nodes apart."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees."""
    return sha256(b"\x01" + left + right).digest()


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def root(leaves: Sequence[bytes]) -> bytes:
    """The root of the tree over the hashes of entries; of no entry, the hash of nothing."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    half = _split(len(leaves))
    return node_hash(root(leaves[:half]), root(leaves[half:]))


def path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The proof that the entry `index` is in the tree: the sibling hashes on its way to the root."""
    if not 0 <= index < len(leaves):
        raise ValueError(f"no entry {index} in a tree of {len(leaves)}")
    if len(leaves) == 1:
        return ()
    half = _split(len(leaves))
    if index < half:
        return (*path(leaves[:half], index), root(leaves[half:]))
    return (*path(leaves[half:], index - half), root(leaves[:half]))


class Tree:
    """A tree that stores all its hashes: built once, after which a proof is looked up, not computed.

    `levels[0]` holds the hashes of the entries; every further level holds the hash of each pair of the one below.
    A last hash without a pair is carried up unchanged, which matches how RFC 6962 divides the entries.
    """

    __slots__ = ("_levels",)

    def __init__(self, leaves: Sequence[bytes]) -> None:
        level = tuple(leaves)
        levels = [level]
        while len(level) > 1:
            pairs = [node_hash(left, right) for left, right in zip(level[::2], level[1::2], strict=False)]
            level = (*pairs, level[-1]) if len(level) % 2 else tuple(pairs)
            levels.append(level)
        self._levels = tuple(levels)

    def __len__(self) -> int:
        """The number of entries."""
        return len(self._levels[0])

    def __repr__(self) -> str:
        return f"<Tree of {len(self)} entries>"

    @property
    def root(self) -> bytes:
        """The root; of no entry, the hash of nothing."""
        return self._levels[-1][0] if len(self) else root(())

    def path(self, index: int) -> tuple[bytes, ...]:
        """The proof that the entry `index` is in the tree: the sibling hashes on its way to the root."""
        if not 0 <= index < len(self):
            raise ValueError(f"no entry {index} in a tree of {len(self)}")
        beside = []
        for level in self._levels:  # the root has no sibling
            if index ^ 1 < len(level):
                beside.append(level[index ^ 1])
            index >>= 1
        return tuple(beside)


def root_from(leaf: bytes, *, index: int, size: int, proof: Sequence[bytes]) -> bytes | None:
    """The root that a proof leads to (RFC 9162, 2.1.3.2).

    None if the proof has the wrong length or the index is not in the tree.
    """
    if not 0 <= index < size:
        return None
    made, at, last = leaf, index, size - 1
    for beside in proof:
        if last == 0:
            return None
        if at & 1 or at == last:
            made = node_hash(beside, made)
            while at and not at & 1:  # up the right edge, where an incomplete subtree skips levels
                at, last = at >> 1, last >> 1
        else:
            made = node_hash(made, beside)
        at, last = at >> 1, last >> 1
    return made if last == 0 else None
