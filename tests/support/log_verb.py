"""The verbs of the log and of the witness, run in a folder of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from baccarat.cli import app
from log_floor import bodies, journal_lines


def cli(*words: str | Path) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(map(str, words)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def answered(*words: str | Path, status: int = 0) -> Any:
    done = cli(*words, "--json")
    assert done.exit_code == status, done.output
    return json.loads(done.stdout)


Words = tuple[str | Path, ...]


def refused(*words: str | Path, status: int, say: str) -> None:
    """A message on standard error, nothing on standard output, and this status."""
    done = cli(*words)
    assert (done.exit_code, done.stdout) == (status, ""), done.output
    assert say in " ".join(done.stderr.split()), done.stderr
    assert "PRIVATE+KEY+example" not in done.stderr


class Floor:
    """A table with its journal and key, surveillance with its own, and a folder between them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "journal.jsonl"
        self.write(20)
        self.exchange = folder / "exchange"
        self.exchange.mkdir()
        self.public, self.witness = folder / "t1.pub", folder / "surveillance.pub"
        self.public.write_text(cli("journal", "key", self.key, "--new", "example.org/house/table/1").stdout)
        self.witness.write_text(
            cli("journal", "key", self.witness_key, "--new", "example.org/surveillance", "--witness").stdout
        )

    @property
    def key(self) -> Path:
        return self.folder / "t1.key"

    @property
    def witness_key(self) -> Path:
        return self.folder / "surveillance.key"

    def write(self, size: int, changed: int | None = None) -> None:
        self.journal.write_bytes(journal_lines(bodies(size, changed=changed)))

    def checkpoint(self) -> Any:
        return answered("journal", "checkpoint", self.journal, "--key", self.key)

    def ask(self, status: int = 0) -> Any:
        words = ("journal", "cosign", self.journal, "--folder", self.exchange, "--witness", self.witness)
        return answered(*words, status=status)

    def look(self, status: int = 0) -> Any:
        return answered("witness", self.exchange, "--key", self.witness_key, "--log", self.public, status=status)

    def cosigned(self) -> Any:
        """Ask, let the witness look, and take up the answer."""
        self.ask()
        self.look()
        return self.ask()

    def forget(self) -> None:
        """What somebody does who rewrites a journal: the old checkpoints go."""
        for path in self.folder.glob("journal.jsonl.*"):
            path.unlink()
