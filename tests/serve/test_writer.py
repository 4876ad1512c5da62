"""The writer: nothing is told before it is on the disk, and everything in the order in which it was added."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.store_thread import StoreThread


class Numbers:
    """A batch of numbers."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def is_empty(self) -> bool:
        return not self.numbers


class Disk:
    """Commits one batch at a time, as slowly as a test wants, or not at all."""

    def __init__(self) -> None:
        self.commits: list[list[int]] = []
        self.go = threading.Semaphore(0)
        self.at_once = 0
        self.most_at_once = 0
        self.fails_at = -1

    def commit(self, batch: Numbers) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        assert self.go.acquire(timeout=60)
        self.at_once -= 1
        if len(self.commits) == self.fails_at:
            raise OSError("no space left on the device")
        self.commits.append(batch.numbers)

    @property
    def stored(self) -> set[int]:
        return {number for commit in self.commits for number in commit}


def with_writer(work: Callable[[GroupCommitter[Numbers], Disk, list[BaseException]], Awaitable[None]]) -> None:
    async def run() -> None:
        disk, faults = Disk(), list[BaseException]()
        writer = GroupCommitter(disk.commit, Numbers, faults.append)
        try:
            await asyncio.wait_for(work(writer, disk, faults), 120)
        finally:
            disk.go.release(1000)
            writer.close()

    asyncio.run(run())


def test_one_turn_of_the_loop_is_one_batch_and_one_commit_is_in_flight() -> None:
    async def work(writer: GroupCommitter[Numbers], disk: Disk, _faults: list[BaseException]) -> None:
        for turn in range(5):
            for number in range(3):
                writer.batch.numbers.append(10 * turn + number)
                writer.stage()
            await asyncio.sleep(0)
        disk.go.release(1000)
        await writer.wait_until_flushed()
        assert disk.commits[0] == [0, 1, 2]
        assert [number for commit in disk.commits for number in commit] == [
            10 * turn + number for turn in range(5) for number in range(3)
        ]
        assert disk.most_at_once == 1
        assert writer.is_idle

    with_writer(work)


def test_everybody_is_called_in_order_and_not_before_the_commit() -> None:
    async def work(writer: GroupCommitter[Numbers], disk: Disk, _faults: list[BaseException]) -> None:
        called: list[int] = []

        def told(number: int) -> Callable[[], None]:
            def then() -> None:
                assert number in disk.stored, "nothing is told before it is stored"
                called.append(number)

            return then

        for number in range(200):
            writer.batch.numbers.append(number)
            writer.stage(told(number))
            if number % 7 == 0:
                writer.on_durable(told(number))  # a refusal that rests on what was decided just before
            if number % 3 == 0:
                disk.go.release()
                await asyncio.sleep(0.0005)
        disk.go.release(1000)
        await writer.wait_until_flushed()
        assert called == sorted([*range(200), *range(0, 200, 7)])

    with_writer(work)


def test_what_rests_on_nothing_new_is_told_at_once_and_what_rests_on_a_commit_in_flight_waits() -> None:
    async def work(writer: GroupCommitter[Numbers], disk: Disk, _faults: list[BaseException]) -> None:
        called: list[str] = []
        writer.on_durable(lambda: called.append("at once"))
        assert called == ["at once"]
        writer.batch.numbers.append(1)
        writer.stage()
        await asyncio.sleep(0.01)
        writer.on_durable(lambda: called.append("after the commit"))
        assert called == ["at once"]
        disk.go.release()
        await writer.wait_until_flushed()
        assert called == ["at once", "after the commit"]

    with_writer(work)


def test_one_who_cannot_be_told_does_not_keep_others_from_hearing() -> None:
    async def work(writer: GroupCommitter[Numbers], disk: Disk, _faults: list[BaseException]) -> None:
        called, reported = list[int](), list[str]()
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context["message"]))
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        gone.cancel()
        disk.go.release(1000)
        for number in range(3):
            writer.batch.numbers.append(number)
            writer.stage(lambda: gone.set_result(None))
            writer.stage(lambda number=number: called.append(number))  # type: ignore[misc]
        await writer.wait_until_flushed()
        writer.on_durable(lambda: gone.set_result(None))
        assert called == [0, 1, 2]
        assert len(reported) == 4

    with_writer(work)


def test_after_a_failed_commit_nobody_is_told_anything_and_nothing_is_tried_again() -> None:
    async def work(writer: GroupCommitter[Numbers], disk: Disk, faults: list[BaseException]) -> None:
        called: list[int] = []
        disk.fails_at = 1
        disk.go.release(1000)
        for number in range(5):
            writer.batch.numbers.append(number)
            writer.stage(lambda number=number: called.append(number))  # type: ignore[misc]
            await asyncio.sleep(0.02)
            writer.on_durable(lambda number=number: called.append(-number))  # type: ignore[misc]
        assert called == [0, 0]
        assert disk.commits == [[0]]
        assert [str(fault) for fault in faults] == ["no space left on the device"]
        with pytest.raises(OSError, match="no space"):
            await writer.wait_until_flushed()

    with_writer(work)


def test_the_thread_of_the_store_does_one_thing_after_the_other_and_tells_the_loop_what_failed() -> None:
    async def run() -> None:
        thread, told = StoreThread(asyncio.get_running_loop()), list[str]()
        where = set[str]()

        def fail() -> None:
            raise OSError("no space left on the device")

        def work() -> None:
            where.add(threading.current_thread().name)

        thread.submit(work, lambda error: told.append(f"first {error}"))
        thread.submit(fail, lambda error: told.append(f"second {error}"))
        assert await thread.run(lambda: 7) == 7
        with pytest.raises(OSError, match="no space"):
            await thread.run(fail)
        thread.close()
        assert told == ["first None", "second no space left on the device"]
        assert where == {"store"}
        assert not any(each.name == "store" for each in threading.enumerate())
        with pytest.raises(RuntimeError, match="has ended"):
            thread.submit(work, lambda _error: None)

    asyncio.run(run())


def test_a_job_that_ends_after_the_loop_is_told_to_nobody() -> None:
    go = threading.Event()

    def wait() -> None:
        go.wait(60)

    async def begin() -> StoreThread:
        thread = StoreThread(asyncio.get_running_loop())
        thread.submit(wait, lambda _error: pytest.fail("there is no loop any more"))
        return thread

    thread = asyncio.run(begin())
    go.set()
    thread.close()
