"""Daemon threads: work that may never end, such as a patron's own function, does not keep the program from ending."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def in_daemons(function: Callable[[Item], Answer], items: Sequence[Item], *, threads: int) -> list[Answer]:
    """The answers in the order of the items, several at a time; the first exception is raised at once.

    An executor waits for its threads when it is left and when Python ends, even after Ctrl-C; these threads are not
    waited for. They begin nothing more once the caller has gone.
    """
    waiting: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, Answer] | BaseException] = SimpleQueue()
    gone = Event()
    for index in range(len(items)):
        waiting.put(index)

    def work() -> None:
        while not gone.is_set():
            try:
                index = waiting.get_nowait()
            except Empty:
                return
            try:
                done.put((index, function(items[index])))
            except BaseException as error:  # noqa: BLE001  raised again where the answers are awaited
                done.put(error)

    try:
        for _ in range(min(threads, len(items))):
            Thread(target=work, daemon=True).start()
        answers: dict[int, Answer] = {}
        while len(answers) < len(items):
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            answers[found[0]] = found[1]
    finally:
        gone.set()
    return [answers[index] for index in range(len(items))]
