"""Long tasks have one owner: it knows them by name, is told of their faults, and ends them."""

from __future__ import annotations

import asyncio
import gc

from baccarat.serve.ops.supervisor import Supervisor
from served import run_for


async def forever() -> None:
    await asyncio.Event().wait()


async def fails_soon() -> None:
    await asyncio.sleep(0)
    raise ValueError("planted")


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_fault_is_reported_once_and_the_task_keeps_it() -> None:
    faults, unseen = list[Exception](), list[object]()

    async def work() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: unseen.append(context))
        jobs = Supervisor(faults.append)
        jobs.start("one", fails_soon)
        jobs.start("other", forever)
        await settled()
        one, other = jobs.tasks
        assert (one.get_name(), other.get_name()) == ("one", "other")
        assert isinstance(one.exception(), ValueError)
        assert not other.done(), "the others go on"
        await jobs.stop_all()
        assert other.cancelled()
        del one, other, jobs
        gc.collect()

    run_for(work())
    assert [str(fault) for fault in faults] == ["planted"], "that a task is ended is no fault"
    assert unseen == [], "nobody else reports it a second time"


def test_the_owner_is_told_before_anything_else_runs() -> None:
    order = list[str]()

    async def work() -> None:
        jobs = Supervisor(lambda _fault: order.append("told"))

        async def fails() -> None:
            asyncio.get_running_loop().call_soon(order.append, "later")
            raise ValueError("planted")

        jobs.start("one", fails)
        await settled()

    run_for(work())
    assert order == ["told", "later"]


def test_one_of_a_name_is_ensured_and_started_again_when_it_has_ended() -> None:
    async def work() -> None:
        jobs = Supervisor(lambda _fault: None)
        jobs.ensure("one", fails_soon)
        jobs.ensure("one", fails_soon)
        assert len(jobs.tasks) == 1
        await settled()
        jobs.ensure("one", forever)
        assert [task.done() for task in jobs.tasks] == [True, False]
        await jobs.stop_all()

    run_for(work())


def test_jobs_of_a_name_are_stopped_and_forgotten_and_no_others() -> None:
    async def work() -> None:
        jobs = Supervisor(lambda _fault: None)
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

    run_for(work())
