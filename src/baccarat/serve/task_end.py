"""Ending background tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

ASKED_AGAIN_SECONDS = 0.2


async def cancel_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks until all of them have ended.

    Once is not always enough: `asyncio.wait_for` of Python 3.11 loses a cancellation that arrives just when the awaited
    result does, and the task goes on.
    """
    going_on = [task for task in tasks if not task.done()]
    while going_on:
        for task in going_on:
            task.cancel()
        _, unfinished = await asyncio.wait(going_on, timeout=ASKED_AGAIN_SECONDS)
        going_on = list(unfinished)
