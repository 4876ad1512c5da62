"""A process that has read the modules that `baccarat` uses, and forks for each run of the program.

A run has a process of its own, with its own arguments, environment, folder and streams, as if it had been started anew;
only the time for reading modules is saved, which is longer than most runs. The program's own modules are read in every
run, because some look at the terminal and at the environment while they are read. Started by `forked.py`.

Simulations and studies are run by a second process, forked from the first when one is first asked for: it has read the
compiler too, which takes half a second, and is so large that to fork it for every run would make the others slower.

A connection is one run. What is asked comes as JSON with three file descriptors: standard input, output and error.
The answers are two lines: the id of the process, then its exit status. The processor seconds that it used are a line of
the file beside the socket.
"""

from __future__ import annotations

import fcntl
import gc
import io
import json
import os
import select
import shutil
import signal
import socket
import sys
import termios
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, NoReturn

from fork_client import COMPILED

LONGEST = 1 << 18
PROGRAM = "baccarat.cli"
MODULES = (
    "rich.progress", "baccarat.serve.run", "baccarat.audit.bundle.make", "baccarat.audit.rounds",
    "baccarat.record.journal_file",
)  # fmt: skip
RUNS = ("rules list", "price ma-midi-4", "--help")
"""Runs that read what most runs read, editions too."""


def read_modules() -> None:
    """What runs need, but not the program's own modules."""
    for name in MODULES:
        import_module(name)
    import_module("loop_guard").install()  # for the houses that forked programs serve
    import_module("baccarat.serve.app").make_router()
    program = import_module(PROGRAM).app
    for words in RUNS:
        done = import_module("typer.testing").CliRunner().invoke(program, words.split())
        assert done.exit_code == 0, done.output
    for name in [name for name in sys.modules if name == PROGRAM or name.startswith(f"{PROGRAM}.")]:
        del sys.modules[name]
    del sys.modules["baccarat"].cli
    gc.collect()
    gc.freeze()  # what all runs share is not copied because the collector looked at it


def read_compiler() -> None:
    """What a run needs before it can load a compiled function."""
    target = import_module("numba.core.registry").cpu_target
    target.typing_context.refresh()
    target.target_context.refresh()
    gc.collect()
    gc.freeze()


def listen(path: str) -> socket.socket:
    """A socket at this path."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    return listener


def serve(path: str) -> None:
    """Answer at both addresses, until whoever started this process closes its standard input."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the process that watches a run
    used_file = f"{path}.used"
    with listen(path) as listener, listen(path + COMPILED) as compiled:
        os.write(1, b"ready\n")
        if not fork_for_runs(listener, used_file, until=compiled):
            if os.fork() == 0:
                listener.close()
                read_compiler()
                fork_for_runs(compiled, used_file)
                os._exit(0)
            compiled.close()
            fork_for_runs(listener, used_file)
    shutil.rmtree(Path(path).parent)


def fork_for_runs(listener: socket.socket, used_file: str, *, until: socket.socket | None = None) -> bool:
    """Fork for every connection; True when standard input was closed, False when someone connects to the other."""
    watched = [0, listener.fileno()] + ([until.fileno()] if until is not None else [])
    while 0 not in (ready := select.select(watched, [], [])[0]):
        if until is not None and until.fileno() in ready:
            return False
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            if until is not None:
                until.close()
            watch(connection, used_file)
        connection.close()
    return True


def watch(connection: socket.socket, used_file: str) -> NoReturn:
    """Start one run, say its id, wait for its end and say how it ended; this process does nothing else."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request, streams, _, _ = socket.recv_fds(connection, LONGEST, 3)
    child = os.fork()
    if child == 0:
        connection.close()
        run(json.loads(request), streams)
    for stream in (0, 1, 2, *streams):
        os.close(stream)
    with suppress(BrokenPipeError):  # whoever asked may have gone
        connection.sendall(b"%d\n" % child)
    Thread(target=_end_with, args=(connection, child), daemon=True).start()
    _, status, used = os.wait4(child, 0)
    with Path(used_file).open("a", encoding="ascii") as file:
        file.write(f"{used.ru_utime + used.ru_stime:.3f}\n")
    with suppress(BrokenPipeError):
        connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _end_with(connection: socket.socket, child: int) -> None:
    """End the run when whoever asked for it is gone, as a test is that was killed, or the client of a shell."""
    with suppress(OSError):
        if connection.recv(1) == b"":
            os.kill(child, signal.SIGKILL)


def run(request: dict[str, Any], streams: list[int]) -> NoReturn:
    """Be the program, and end as the interpreter does."""
    status = 1
    try:
        become(request, streams)
        try:
            import_module(PROGRAM).main()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:  # noqa: BLE001  what the interpreter does with any of them
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def become(request: dict[str, Any], streams: list[int]) -> None:
    """Take over the streams, the folder, the environment and the arguments."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    if request["is_terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for name in (signal.SIGINT, signal.SIGHUP):
        signal.signal(name, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["baccarat", *request["words"]]
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0)), encoding="utf-8")
    sys.stdout = _writer(1, "strict", is_line_by_line=os.isatty(1))
    sys.stderr = _writer(2, "backslashreplace", is_line_by_line=True)


def _writer(number: int, errors: str, *, is_line_by_line: bool) -> io.TextIOWrapper:
    binary = io.BufferedWriter(io.FileIO(number, "w"))
    return io.TextIOWrapper(binary, encoding="utf-8", errors=errors, line_buffering=is_line_by_line)


if __name__ == "__main__":
    read_modules()
    serve(sys.argv[1])
