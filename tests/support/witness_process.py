"""A witness as a process of its own, `baccarat witness --listen`, which can be killed, stopped and started again."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from baccarat.record.key import KeyKind, Signer
from running_witness import HOUSE


class WitnessProcess:
    """A witness that runs by itself at one address, with what it remembers in a folder."""

    def __init__(self, folder: Path, name: str = "surveillance") -> None:
        folder.mkdir()
        self._key, self._house = folder / "witness.key", folder / "house.pub"
        self._key.write_text(Signer(f"example.org/{name}", KeyKind.WITNESS, name.encode().ljust(32)[:32]).secret)
        self._key.chmod(0o600)
        self._house.write_text(f"{HOUSE.verifier}\n")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._listen = f"127.0.0.1:{free.getsockname()[1]}"
        self.address = f"http://{self._listen}"
        self.start()

    def start(self) -> None:
        """Start it; it answers when this returns."""
        words = ["witness", "--listen", self._listen, "--key", self._key, "--house", self._house, "--json"]
        command = [sys.executable, "-m", "baccarat", *map(str, words)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        said = json.loads(self._process.stdout.readline())
        self.line = f"{said['key']} {self.address} {said['share_key']}\n"

    def pause(self) -> None:
        """Let it do nothing: its system still accepts connections, and nobody answers them."""
        os.kill(self._process.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        os.kill(self._process.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def wait(self) -> int:
        """Wait until it has ended by itself; its exit status."""
        status = self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return status
