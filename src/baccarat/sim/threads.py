"""Threads: one function over many items, several at a time, the results in the order of the items.

Compiled kernels release Python's lock, and so does NumPy in its loops. Every call has counters of its own, so no two
threads write to the same cache line.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from baccarat.values import whole_within

Item = TypeVar("Item")
Answer = TypeVar("Answer")

MOST_THREADS = 4096
ITEMS_AHEAD = 2
"""How many items per thread are in progress: while one is waited for, no thread is idle."""


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_within(threads: Any) -> int:
    """The number of threads; by default as many as processors."""
    return processors() if threads is None else whole_within("threads", threads, least=1, most=MOST_THREADS)


def in_order(
    function: Callable[[Item], Answer], items: Iterator[Item], *, threads: int
) -> Generator[tuple[Item, Answer], None, None]:
    """Each item with its answer. Items are consumed as they are needed: there may be more than fit into memory."""
    if threads == 1:
        for item in items:
            yield item, function(item)
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="simulation")
    waiting: deque[tuple[Item, Future[Answer]]] = deque()
    try:
        for item in items:
            waiting.append((item, pool.submit(function, item)))
            if len(waiting) >= ITEMS_AHEAD * threads:
                first, answer = waiting.popleft()
                yield first, answer.result()
        while waiting:
            first, answer = waiting.popleft()
            yield first, answer.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
