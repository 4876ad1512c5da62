"""Speed of the log: growing it, its root and its proofs, compared with rebuilding the tree for each.

Run: make bench, or .venv/bin/python bench/log.py

Seconds are the processor's. The ratio compares with `chain.root`, which builds the whole tree for one
answer.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median

from baccarat import chain
from baccarat.record.log import Frontier, Log, extends, includes

SIZE, ASKED, TURNS = 1_000_000, 2_000, 5


def timed(act: Callable[[], object]) -> float:
    """The processor seconds of an act."""
    start = time.process_time()
    act()
    return time.process_time() - start


def entry(number: int) -> bytes:
    """A record of about the usual length."""
    return b'{"at":1800000000000000,"seq":%d,"stream":"T1"}' % number * 8


def show(what: str, each: float, rebuilding: float | None = None) -> None:
    """One line: how long one takes, and how much longer rebuilding the tree takes."""
    ratio = "" if rebuilding is None else f"{rebuilding / each:>14,.0f}"
    print(f"{what:<38} {each * 1e6:>12.1f} {ratio}")


def main() -> None:
    """Print the table."""
    entries = [entry(number) for number in range(SIZE)]
    log, frontier = Log(), Frontier()

    def stream() -> None:
        for each in entries:
            frontier.append(each)

    growing = timed(lambda: [log.append(each) for each in entries]) / SIZE
    streaming = timed(stream) / SIZE
    leaves = [chain.leaf_hash(each) for each in entries]
    rebuilding = timed(lambda: chain.root(leaves))
    assert log.root() == frontier.root() == chain.root(leaves)
    chance = random.Random(SIZE)
    sizes = [chance.randrange(1, SIZE + 1) for _ in range(ASKED)]
    pairs = [(chance.randrange(size), size) for size in sizes]

    def each_of(act: Callable[[int, int], object]) -> float:
        return median(timed(lambda: [act(*pair) for pair in pairs]) for _ in range(TURNS)) / ASKED

    print(f"{f'{SIZE:,} records':<38} {'µs each':>12} {'rebuilding is slower by':>14}")
    show("append, all subtrees stored (64 bytes)", growing, rebuilding)
    show("append, root only", streaming, rebuilding)
    show("root at any size", each_of(lambda _, size: log.root(size)), rebuilding / 2)
    show("prove a record", each_of(log.prove_inclusion), rebuilding / 2)
    show("prove growth", each_of(log.prove_consistency), rebuilding / 2)
    index, size = pairs[0]
    path, grown = log.prove_inclusion(index, size), log.prove_consistency(index, size)
    root, old_root = log.root(size), log.root(index)
    assert includes(root, size=size, entry=entries[index], index=index, proof=path)
    assert extends(root, size=size, old_root=old_root, old_size=index, proof=grown)
    show(
        "verify a record", each_of(lambda *_: includes(root, size=size, entry=entries[index], index=index, proof=path))
    )
    show(
        "verify growth",
        each_of(lambda *_: extends(root, size=size, old_root=old_root, old_size=index, proof=grown)),
    )


if __name__ == "__main__":
    main()
