"""Work that goes on by itself is ended, whatever it makes of the first cancellation."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import suppress
from threading import Event
from threading import enumerate as threads

import pytest

from baccarat.serve.job.own_thread import in_own_thread
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


def test_a_question_in_a_thread_of_its_own_is_answered_or_fails_as_it_would_here() -> None:
    async def work() -> None:
        assert await in_own_thread(lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await in_own_thread(lambda: 1 // 0)

    asyncio.run(work())


def test_nothing_waits_for_somebody_who_never_answers() -> None:
    """Neither whoever asked and was cancelled, nor the loop that is closed, nor the process that ends."""
    goes_on = Event()

    async def work() -> None:
        asking = asyncio.ensure_future(in_own_thread(goes_on.wait))
        await asyncio.sleep(0)
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking

    asyncio.run(work())
    left = [each for each in threads() if each.name.startswith("asking")]
    assert left, "it still waits for the answer"
    assert all(each.daemon for each in left), "a process waits for every other thread"
    goes_on.set()
    for each in left:
        each.join(60)


SILENT = """
import asyncio, time
from baccarat.serve.job.own_thread import in_own_thread

async def work():
    asking = asyncio.ensure_future(in_own_thread(lambda: time.sleep(600)))
    await asyncio.sleep(0.05)
    asking.cancel()

asyncio.run(work())
"""


def test_a_process_that_ends_waits_for_no_witness() -> None:
    """It would wait for ten minutes; a busy machine takes less for the rest."""
    done = subprocess.run([sys.executable, "-c", SILENT], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
