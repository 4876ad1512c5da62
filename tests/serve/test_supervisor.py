"""Long tasks have one owner and one policy: started again with growing pauses, stopped by the third fault of a kind."""

from __future__ import annotations

import asyncio
import gc
from contextlib import suppress

import pytest

from baccarat.serve.ops.supervisor import PAUSES, SAME_FAULTS, WINDOW_SECONDS, Supervisor, UnwellJob, fault_key
from served import run_for
from virtual_loop import VirtualLoop, run_virtually


async def forever() -> None:
    await asyncio.Event().wait()


async def fails_soon() -> None:
    await asyncio.sleep(0)
    raise ValueError("planted")


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Failing:
    """A job that fails each time it is started, after some seconds, and notes when."""

    def __init__(self, *after: float) -> None:
        self.after, self.starts = list(after), list[float]()

    async def run(self) -> None:
        self.starts.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.after.pop(0) if self.after else 0.0)
        raise ValueError(f"planted {len(self.starts)}")


def in_virtual_time(work: object) -> None:
    """Run something on a loop on which a minute takes no time."""
    run_virtually(VirtualLoop(lambda: (0.0, 0.0)), work)  # type: ignore[arg-type]


def test_a_job_that_fails_is_started_again_with_growing_pauses_and_each_fault_is_reported() -> None:
    faults, unseen = list[tuple[str, str]](), list[object]()

    async def work() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: unseen.append(context))
        jobs, job = Supervisor(lambda name, error: faults.append((name, str(error)))), Failing()
        jobs.start("one", job.run)
        jobs.start("other", forever)
        await asyncio.sleep(sum(PAUSES) + 1.5 * PAUSES[-1])
        waits = [round(later - sooner) for sooner, later in zip(job.starts, job.starts[1:], strict=False)]
        assert waits == [*PAUSES, PAUSES[-1]], "the longest pause is the last"
        one, other = jobs.tasks
        assert not one.done(), "without it the whole house is worse off, so it is started as long as the house is open"
        assert not other.done()
        assert jobs.unwell == [UnwellJob("one", len(job.starts), is_stopped=False)]
        await jobs.stop_all()
        assert one.cancelled()
        del one, other, jobs
        gc.collect()

    in_virtual_time(work())
    assert faults == [("one", f"planted {number}") for number in range(1, len(faults) + 1)]
    assert unseen == [], "nobody else reports it a second time"


def test_the_same_fault_for_the_third_time_stops_a_job_and_what_is_left_to_do_is_done_once() -> None:
    async def work() -> None:
        done, faults = list[str](), list[str]()
        jobs, job = Supervisor(lambda name, _error: faults.append(name)), Failing()

        async def stops() -> None:
            done.append("stopped")
            raise KeyError("this fails too")

        jobs.start("one", job.run, on_stopped=stops)
        await asyncio.sleep(1000.0)
        assert len(job.starts) == SAME_FAULTS
        assert done == ["stopped"]
        assert faults == ["one"] * (SAME_FAULTS + 1)
        assert jobs.unwell == [UnwellJob("one", 0, is_stopped=True)], "it is not forgotten with its faults"
        jobs.start("one", forever)
        assert jobs.unwell == [], "it was started again"
        assert len(jobs.tasks) == 1
        await jobs.stop_all()

    in_virtual_time(work())


def test_different_faults_and_faults_far_apart_stop_nothing() -> None:
    async def work() -> None:
        jobs, rare, count = Supervisor(lambda _name, _error: None), Failing(*[WINDOW_SECONDS + 1] * 9), iter(range(9))

        async def varied() -> None:
            kinds = [ValueError, KeyError, TypeError, OSError]
            found = next(count)
            if found < len(kinds):
                raise kinds[found]
            await forever()

        jobs.start("rare", rare.run, on_stopped=forever)
        jobs.start("varied", varied, on_stopped=forever)
        await asyncio.sleep(5.5 * WINDOW_SECONDS)
        assert len(rare.starts) == 6
        assert jobs.unwell == [UnwellJob("rare", 1, is_stopped=False)], "what was long ago is forgotten"
        await jobs.stop_all()

    in_virtual_time(work())


@pytest.mark.parametrize("how", ["somebody else cancels what it awaits", "it returns"])
def test_a_job_that_ends_in_another_way_than_by_its_owner_has_failed(how: str) -> None:
    """The policy holds for it: it is reported, started again, and stopped at the third time."""

    async def work() -> None:
        faults, stopped = list[tuple[str, str]](), list[str]()
        jobs = Supervisor(lambda name, error: faults.append((name, type(error).__name__)))
        awaited = list[asyncio.Future[None]]()

        async def ends() -> None:
            if how == "it returns":
                return
            awaited.append(asyncio.get_running_loop().create_future())
            asyncio.get_running_loop().call_soon(awaited[-1].cancel)
            await awaited[-1]

        async def note() -> None:
            stopped.append("stopped")

        jobs.start("one", ends, on_stopped=note)
        await asyncio.sleep(PAUSES[0] / 2)
        kind = "EndedEarly" if how == "it returns" else "CancelledElsewhere"
        assert faults == [("one", kind)]
        assert jobs.unwell == [UnwellJob("one", 1, is_stopped=False)]
        await asyncio.sleep(1000.0)
        assert faults == [("one", kind)] * SAME_FAULTS
        assert stopped == ["stopped"]
        assert jobs.unwell == [UnwellJob("one", 0, is_stopped=True)]
        await jobs.stop_all()

    in_virtual_time(work())


def test_a_job_that_somebody_else_cancels_ends_and_is_reported() -> None:
    """It must end: whoever cancels every task, such as a loop that is closed, waits for it."""

    async def work() -> None:
        faults = list[tuple[str, str]]()
        jobs = Supervisor(lambda name, error: faults.append((name, type(error).__name__)))
        jobs.start("one", forever)
        jobs.start("waits", fails_soon)
        await settled()
        faults.clear()
        for task in jobs.tasks:
            task.cancel()
        await settled()
        assert [task.cancelled() for task in jobs.tasks] == [True, True]
        assert faults == [("one", "CancelledElsewhere"), ("waits", "CancelledElsewhere")]
        assert [(each.name, each.is_stopped) for each in jobs.unwell] == [("one", True), ("waits", True)]

    run_for(work())


def test_a_job_that_has_done_what_it_had_to_do_has_not_failed() -> None:
    async def work() -> None:
        faults, over = list[str](), list[bool]()
        jobs = Supervisor(lambda name, _error: faults.append(name), is_over=lambda: bool(over))

        async def ends() -> None:
            await asyncio.sleep(0)

        async def forgets_to_be_cancelled() -> None:
            with suppress(asyncio.CancelledError):
                await forever()

        jobs.start("once", ends, may_end=lambda: True)
        jobs.start("cancelled", forgets_to_be_cancelled)
        jobs.start("stopped", forgets_to_be_cancelled)
        jobs.start("left", forgets_to_be_cancelled)
        await settled()
        jobs.cancel("cancelled")
        await jobs.stop("stopped")
        await jobs.stop_all()
        over.append(True)
        late = Supervisor(lambda name, _error: faults.append(name), is_over=lambda: bool(over))
        late.start("late", ends)
        await settled()
        assert faults == []
        assert jobs.unwell == late.unwell == []

    run_for(work())


def test_what_makes_a_fault_the_same_is_its_kind_and_its_place_not_what_it_says() -> None:
    def fault(kind: type[Exception], say: str) -> Exception:
        try:
            raise kind(say)
        except kind as error:
            return error

    def elsewhere() -> Exception:
        try:
            raise ValueError("one")
        except ValueError as error:
            return error

    assert fault_key(fault(ValueError, "one")) == fault_key(fault(ValueError, "two"))
    assert fault_key(fault(ValueError, "one")) != fault_key(fault(KeyError, "one"))
    assert fault_key(fault(ValueError, "one")) != fault_key(elsewhere())


def test_once_nothing_may_be_answered_nothing_is_started_again() -> None:
    async def work() -> None:
        over, job = list[bool](), Failing()
        jobs = Supervisor(lambda _name, _error: over.append(True), is_over=lambda: bool(over))
        jobs.start("one", job.run, on_stopped=forever)
        await asyncio.sleep(1000.0)
        assert len(job.starts) == 1
        assert isinstance(jobs.tasks[0].exception(), ValueError)

    in_virtual_time(work())


def test_the_owner_is_told_before_anything_else_runs() -> None:
    order = list[str]()

    async def work() -> None:
        jobs = Supervisor(lambda _name, _fault: order.append("told"))

        async def fails() -> None:
            asyncio.get_running_loop().call_soon(order.append, "later")
            raise ValueError("planted")

        jobs.start("one", fails)
        await settled()
        await jobs.stop_all()

    run_for(work())
    assert order == ["told", "later"]


def test_one_of_a_name_is_ensured_and_started_again_when_it_has_ended() -> None:
    async def ends() -> None:
        await asyncio.sleep(0)

    async def work() -> None:
        jobs = Supervisor(lambda _name, _fault: None)
        jobs.ensure("one", fails_soon)
        jobs.ensure("one", fails_soon)
        await settled()
        jobs.ensure("one", forever)
        assert len(jobs.tasks) == 1, "one that waits to be started again is there"
        jobs.start("two", ends, may_end=lambda: True)
        await settled()
        jobs.ensure("two", forever)
        assert [(task.get_name(), task.done()) for task in jobs.tasks] == [("one", False), ("two", False)]
        await jobs.stop_all()

    run_for(work())


def test_jobs_of_a_name_are_stopped_and_forgotten_and_no_others() -> None:
    async def work() -> None:
        jobs = Supervisor(lambda _name, _fault: None)
        for name in ("one", "two", "one", "three"):
            jobs.start(name, forever)
        stopped = [task for task in jobs.tasks if task.get_name() == "one"]
        await jobs.stop("one")
        assert all(task.cancelled() for task in stopped)
        assert [task.get_name() for task in jobs.tasks] == ["two", "three"]
        jobs.cancel("two")
        await settled()
        assert [task.cancelled() for task in jobs.tasks] == [True, False]
        await jobs.stop_all()
        jobs.start("late", forever)
        assert [task.get_name() for task in jobs.tasks] == ["two", "three"], "nobody would end it any more"

    run_for(work())
