"""Daemon threads: work that may never end, such as a patron's own function, does not keep the program from exiting."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from queue import SimpleQueue
from threading import Event, Lock, Semaphore, Thread
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class _Raised(NamedTuple):
    """What a function raised instead of an answer."""

    error: BaseException


def map_in_daemons(function: Callable[[Item], Answer], items: Sequence[Item], *, threads: int) -> Generator[Answer]:
    """The answers in the order of the items, several at a time; an exception is raised when its item's turn comes.

    So of several faults the same one is raised every time, whichever thread is faster: that of the first item.

    An executor waits for its threads on exit and when Python ends, even after Ctrl-C; these threads are not waited
    for. They start nothing more once the caller has gone, and run ahead of the caller by at most twice their number, so
    that answers do not pile up.
    """
    done: SimpleQueue[tuple[int, Answer | _Raised]] = SimpleQueue()
    gone, room, waiting, lock = Event(), Semaphore(2 * threads), iter(range(len(items))), Lock()

    def work() -> None:
        while True:
            room.acquire()
            with lock:
                index = next(waiting, None)
            if index is None or gone.is_set():
                room.release()  # so that the others end too
                return
            try:
                done.put((index, function(items[index])))
            except BaseException as error:  # noqa: BLE001  raised again where the answers are consumed
                done.put((index, _Raised(error)))

    try:
        for _ in range(min(threads, len(items))):
            Thread(target=work, daemon=True).start()
        answers: dict[int, Answer | _Raised] = {}
        for index in range(len(items)):
            while index not in answers:
                number, answer = done.get()
                answers[number] = answer
            found = answers.pop(index)
            if isinstance(found, _Raised):
                raise found.error
            yield found
            room.release()
    finally:
        gone.set()
        room.release(threads)
