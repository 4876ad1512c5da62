"""The program in a process of its own, forked from one that has read the modules: for tests that run it many times.

Tests that are about the start of the interpreter, what is imported, or closed streams start it anew instead.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Thread
from typing import BinaryIO, TextIO

from fork_client import ask

SERVER = Path(__file__).with_name("fork_server.py")
CLIENT = Path(__file__).with_name("fork_client.py")
USED: list[TextIO] = []
"""The file with the processor seconds of each run that has ended, once there is a server."""


def server() -> str:
    """The address of this process's server, which is started when it is first needed and ends with the process."""
    return _server_of(os.getpid())


@cache
def _server_of(_process: int) -> str:
    folder = tempfile.mkdtemp(prefix="baccarat-fork-")
    address = str(Path(folder) / "server")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # a process with threads is not to be forked
    process = subprocess.Popen(
        [sys.executable, "-W", "error", str(SERVER), address],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert process.stdin is not None, "it is a pipe"
    assert process.stdout is not None, "it is a pipe"
    assert process.stdout.readline() == b"ready\n", "the server has started"

    used = Path(f"{address}.used")
    used.touch()
    USED.append(used.open(encoding="ascii"))

    def end() -> None:
        USED.pop().close()
        process.communicate()

    atexit.register(end)
    return address


def newly_used() -> float:
    """The processor seconds of the runs that have ended since this was last asked; the system counts them elsewhere."""
    return sum(float(line) for file in USED for line in file)


def command() -> list[str]:
    """The command with which a shell runs the program."""
    return [sys.executable, "-I", "-S", str(CLIENT), server()]


class Forked:
    """One run of the program."""

    def __init__(
        self, words: Sequence[str], streams: Sequence[int], *, folder: Path | None = None,
        environment: Mapping[str, str] | None = None, is_terminal: bool = False,
    ) -> None:  # fmt: skip
        self._connection = ask(
            server(), words, streams, folder=str(folder or Path.cwd()), is_terminal=is_terminal,
            environment=os.environ if environment is None else environment,
        )  # fmt: skip
        self.pid = self._answer()
        self.returncode: int | None = None

    def _answer(self) -> int:
        """One line, and no byte beyond it."""
        line = b""
        while not line.endswith(b"\n"):
            part = self._connection.recv(1)
            assert part, "the server answers"
            line += part
        return int(line)

    def wait(self, seconds: float | None = None) -> int:
        """Its exit status, when it has ended; as of a process, minus the number of the signal that killed it."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], seconds)[0]:
                raise subprocess.TimeoutExpired("baccarat", seconds or 0.0)
            self.returncode = self._answer()
            self._connection.close()
        return self.returncode

    def poll(self) -> int | None:
        """Its exit status, if it has ended."""
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once, if it runs."""
        self.send_signal(signal.SIGKILL)


class Piped(Forked):
    """One run whose output and messages are read line by line while it goes on; there is nothing for it to read."""

    def __init__(self, words: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> None:
        stdin = os.open(os.devnull, os.O_RDONLY)
        (out, stdout), (errors, stderr) = os.pipe(), os.pipe()
        super().__init__(words, (stdin, stdout, stderr), folder=folder, environment=environment)
        for descriptor in (stdin, stdout, stderr):
            os.close(descriptor)
        self.stdout, self.stderr = os.fdopen(out, encoding="utf-8"), os.fdopen(errors, encoding="utf-8")


def run(
    *words: str, given: bytes | BinaryIO | None = None, folder: Path | None = None,
    environment: Mapping[str, str] | None = None, seconds: float = 120.0,
) -> subprocess.CompletedProcess[bytes]:  # fmt: skip
    """Run the program to its end: what it said, and its exit status.

    `given` comes through a pipe, or is a file that is redirected; without it there is nothing to read.
    """
    writing = None
    if isinstance(given, bytes):
        stdin, writing = os.pipe()
    else:
        stdin = os.open(os.devnull, os.O_RDONLY) if given is None else os.dup(given.fileno())
    (reading_out, stdout), (reading_errors, stderr) = os.pipe(), os.pipe()
    ours = (stdin, stdout, stderr)
    program = Forked(words, ours, folder=folder, environment=environment)
    for descriptor in ours:
        os.close(descriptor)
    said: dict[int, bytes] = {}
    threads = [Thread(target=_read, args=(each, said)) for each in (reading_out, reading_errors)]
    if writing is not None and isinstance(given, bytes):
        threads.append(Thread(target=_write, args=(writing, given)))
    for thread in threads:
        thread.start()
    try:
        status = program.wait(seconds)
    finally:
        program.kill()
        for thread in threads:
            thread.join()
    return subprocess.CompletedProcess(["baccarat", *words], status, said[reading_out], said[reading_errors])


def _read(descriptor: int, said: dict[int, bytes]) -> None:
    with os.fdopen(descriptor, "rb") as stream:
        said[descriptor] = stream.read()


def _write(descriptor: int, given: bytes) -> None:
    with suppress(BrokenPipeError), os.fdopen(descriptor, "wb") as stream:  # the program need not read it all
        stream.write(given)


def run_text(
    *words: str, text: str | BinaryIO | None = None, folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:  # fmt: skip
    """Run the program to its end, in text."""
    given = text.encode() if isinstance(text, str) else text
    done = run(*words, given=given, folder=folder, environment=environment)
    out, errors = (said.decode().replace("\r\n", "\n") for said in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, out, errors)
