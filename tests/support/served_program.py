"""The program `baccarat serve` as a process of its own: started, spoken to, ended; what it says is kept."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from forked import Piped
from house_program import heed_signals

SECONDS = 60.0
"""So long a test waits for a line before it fails."""
QUICK = {
    "BACCARAT_PACE": "0",
    "BACCARAT_BETTING_SECONDS": "0.05",
    "BACCARAT_SQUEEZE_SECONDS": "0.05",
    "BACCARAT_ANSWER_SECONDS": "0.05",
    "BACCARAT_COMPANY": "0",
}


def humbly() -> list[str]:
    """What stands before a command that is to be run without root's right to read and write everything."""
    if os.geteuid() != 0:
        return []
    assert shutil.which("setpriv"), "run these tests as another user than root, or install setpriv (util-linux)"
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]


def _humble(words: list[str], folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*humbly(), sys.executable, "-m", "baccarat", *words],
        cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=heed_signals,  # noqa: PLW1509  it only resets two signals
    )  # fmt: skip


class Program:
    """A server that runs; in a `with` block, so that none is left behind."""

    def __init__(
        self, *arguments: str, folder: Path, environment: dict[str, str] | None = None, is_humble: bool = False
    ) -> None:
        self.folder = folder
        plain = {name: value for name, value in os.environ.items() if not name.startswith("BACCARAT_")}
        words = ["serve", "--json", *arguments]
        given = {**plain, "COVERAGE_PROCESS_START": "", **(environment or {})}
        self.process = _humble(words, folder, given) if is_humble else Piped(words, folder=folder, environment=given)
        self.lines: list[str] = []
        self.printed: list[str] = []
        self._new: queue.Queue[str | None] = queue.Queue()
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stderr, self.lines, self._new)),
            threading.Thread(target=self._read, args=(self.process.stdout, self.printed, None)),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: Any, lines: list[str], new: queue.Queue[str | None] | None) -> None:
        for line in stream:
            lines.append(line.rstrip("\n"))
            if new is not None:
                new.put(lines[-1])
        if new is not None:
            new.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def until(self, event: str) -> dict[str, Any]:
        """Wait for a line of the log; fails where the program ends without it."""
        end = time.monotonic() + SECONDS
        while True:
            line = self._new.get(timeout=max(0.1, end - time.monotonic()))
            assert line is not None, f"ended without saying {event}: {self.lines}"
            assert line.startswith("{"), f"not a line of the log: {self.lines}"
            found: dict[str, Any] = json.loads(line)
            if found["event"] == event:
                return found

    def address(self) -> str:
        """Where it listens, once it does."""
        return f"http://127.0.0.1:{self.until('serving')['port']}"

    def ended(self) -> int:
        """Its exit status, when it has ended by itself."""
        status = self.process.wait(SECONDS)
        for reader in self._readers:
            reader.join()
        return status

    def stopped(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end; its exit status."""
        self.process.send_signal(how)
        return self.ended()

    @property
    def events(self) -> list[dict[str, Any]]:
        """All that it has said, as JSON, but that the disk was slow: on a busy machine it may be, at any time."""
        return [said for line in self.lines if (said := json.loads(line))["event"] != "slow_commit"]


def ended(
    *arguments: str, folder: Path, environment: dict[str, str] | None = None, is_humble: bool = False
) -> tuple[int, dict[str, Any]]:
    """Start a server that cannot start: its exit status, and the one line that it said."""
    with Program(*arguments, folder=folder, environment=environment, is_humble=is_humble) as program:
        status = program.ended()
    assert not program.printed
    (said,) = program.events
    return status, said
