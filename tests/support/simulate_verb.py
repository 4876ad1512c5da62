"""The verb `simulate` as it is typed: what it answers, what it gives as JSON, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from baccarat import rulebook
from baccarat.cli import app

RULES = rulebook("ma-midi-4")


def cli(*words: str | Path) -> Result:
    """What the verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, ["simulate", *map(str, words)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def found(*words: str | Path) -> dict[str, Any]:
    done = cli(*words, "--json")
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def refused(*words: str | Path, say: str, status: int = 2) -> None:
    done = cli(*words)
    assert (done.exit_code, done.stdout) == (status, ""), done.output
    assert say in " ".join(done.stderr.split()), done.stderr
