"""The program `baccarat serve` as a process of its own: started, waited for, stopped as a person stops it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import forked

PATIENCE = 90.0


def heed_signals() -> None:
    """Let a process be ended by signals that tests in the background, or under nohup, were told to ignore."""
    for name in (signal.SIGINT, signal.SIGHUP):
        signal.signal(name, signal.SIG_DFL)


class HouseProgram:
    """A house that runs in a process of its own."""

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], *, says: str = "is open"
    ) -> None:
        self.said: list[str] = []
        self._says = says
        self._open = threading.Event()
        self.process = subprocess.Popen(
            list(command), cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, preexec_fn=heed_signals,  # noqa: PLW1509  it only resets two signals
        )  # fmt: skip
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stderr is not None, "it is a pipe"
        for line in self.process.stderr:
            self.said.append(line)
            if self._says in line:
                self._open.set()
        self._open.set()

    def wait_until_open(self) -> None:
        """Until it says where it is, or that it cannot."""
        assert self._open.wait(PATIENCE), "".join(self.said)

    def stop(self) -> int:
        """Stop it as a person does, by Ctrl-C; its exit status."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self._reading.join(5)
            if self.process.stderr is not None:
                self.process.stderr.close()


@contextmanager
def house_program(folder: Path, *flags: str, environment: Mapping[str, str] | None = None) -> Iterator[HouseProgram]:
    """A house of a folder, from when it is open to the end of the block; settings may stand in the environment."""
    given = {**os.environ, **(environment or {})}
    program = HouseProgram([*forked.command(), "serve", *flags], folder, given)
    try:
        program.wait_until_open()
        yield program
    finally:
        program.stop()
