"""Questions to somebody outside the house, who may take as long as the time limit to answer, or not answer at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


async def in_own_thread(ask: Callable[[], T]) -> T:
    """Ask in a thread of its own: those that the rest of the house shares are few, and a silent witness, asked for
    every table, would hold them all."""
    threads = ThreadPoolExecutor(1, thread_name_prefix="asking")
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, ask)
    finally:
        threads.shutdown(wait=False)
