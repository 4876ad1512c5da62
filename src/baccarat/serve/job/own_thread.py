"""Questions to somebody outside the house, who may take as long as the time limit to answer, or not answer at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def in_own_thread(ask: Callable[[], T]) -> T:
    """Ask in a thread of its own: those that the rest of the house shares are few, and a silent witness, asked for
    every table, would hold them all.

    The process does not wait for such a thread when it ends; it would for that of a pool.
    """
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[T] = loop.create_future()

    def settle(error: BaseException | None, found: list[T]) -> None:
        if answered.done():
            return  # nobody waits for it any more
        if error is not None:
            answered.set_exception(error)
        else:
            answered.set_result(found[0])

    def work() -> None:
        error: BaseException | None = None
        found = list[T]()
        try:
            found.append(ask())
        except BaseException as raised:  # noqa: BLE001  passed on to the caller
            error = raised
        with suppress(RuntimeError):  # the loop is closed: no one waits for it any more
            loop.call_soon_threadsafe(settle, error, found)

    Thread(target=work, name="asking", daemon=True).start()
    return await answered
