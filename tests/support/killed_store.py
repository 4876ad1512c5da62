"""A process that writes a store and is killed: by itself at the nth write or sync, or by another at any instant.

It says on its standard output which step has been answered. As a program: SEED PATH [early], or SEED FOLDER everywhere.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from pathlib import Path

from baccarat.serve.store import sqlite
from baccarat.serve.store.sqlite import SqliteStore
from cutting_power import look, prepare
from failing_disk import Disk
from store_model import Chance, Model

STEPS = 5


def write(seed: int, path: Path, *, die_at: int | None = None, answers: int = 1, early: bool = False) -> None:
    """Do steps by chance, and say after each that it is done; with `early`, before it is: a planted fault."""
    sqlite.LONG_LOG = 20

    def on_act(disk: Disk, what: str) -> None:
        if die_at is not None and disk.acts == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    disk = Disk(path.parent, on_act)
    store = SqliteStore.open(path, vfs=disk.name if die_at is not None else None)
    steps = Chance(seed).steps(STEPS if die_at is not None else 10**9)
    for step in steps:
        if early:
            os.write(answers, b"\n")
            time.sleep(0.02)  # most of the time is spent between answer and commit, however busy the machine is
        step.act(store)
        if not early:
            os.write(answers, b"\n")
        store.do_idle_work()
    store.close()


def judge(seed: int, folder: Path, answered: int) -> list[str]:
    """What is missing after so many answers; the step that was being done may be there or not."""
    models = [Model(), *(step.after for step in Chance(seed).steps(answered + 1))]
    return look(folder, models[answered], models[answered + 1])


def die_everywhere(seed: int, folder: Path) -> int:
    """Die at every write and sync in turn, each time in a process of its own; how many there were."""
    prepare(folder)
    for number in range(1, 100_000):
        made = folder / str(number)
        made.mkdir()
        shutil.copy(folder / "house.db", made)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            write(seed, made / "house.db", die_at=number, answers=writing)
            os._exit(0)
        os.close(writing)
        answered = 0
        while part := os.read(reading, 4096):
            answered += len(part)
        os.close(reading)
        _, status = os.waitpid(child, 0)
        wrong = judge(seed, made, answered)
        assert not wrong, f"killed at act {number}, after {answered} answers: {wrong}"
        if not os.WIFSIGNALED(status):
            assert (os.WEXITSTATUS(status), answered) == (0, STEPS), "all was done, and nobody was killed"
            return number - 1
    raise AssertionError("it never came to its end")


if __name__ == "__main__":
    if sys.argv[3:] == ["everywhere"]:
        sys.stdout.write(str(die_everywhere(int(sys.argv[1]), Path(sys.argv[2]))))
    else:
        write(int(sys.argv[1]), Path(sys.argv[2]), early="early" in sys.argv)
