"""Work that goes on by itself is ended, whatever it makes of the first cancellation."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from baccarat.serve.task_end import cancel_all


def test_a_task_that_forgets_a_cancellation_is_ended_all_the_same() -> None:
    async def forgets_once() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        await asyncio.sleep(3600)

    async def work() -> None:
        tasks = [asyncio.create_task(forgets_once()) for _ in range(3)]
        await asyncio.sleep(0)
        await asyncio.wait_for(cancel_all(tasks), 120)
        assert all(task.cancelled() for task in tasks)
        await cancel_all(tasks)
        await cancel_all([])

    asyncio.run(work())
