"""The verbs of the studies as they are typed: what they say, and what they give as JSON."""

from __future__ import annotations

import json
from typing import Any

from typer.testing import CliRunner

from baccarat.cli import app

ONE_DAY = ("--seat", "banker=$100", "--tables", "1", "--days", "1", "--shoes", "1", "--progressive", "1,2,3")


def said(*words: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, ["study", *words])
    assert done.exit_code == status, done.output
    return done.output


def told(*words: str) -> Any:
    """What a study gives as JSON; how long something was compiled for, or how far it is, is said beside it."""
    done = CliRunner().invoke(app, ["study", *words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def without_time(found: Any) -> Any:
    """All that a study gives again: not how long it took, and when."""
    return found | {"manifest": {**found["manifest"], "seconds": None, "ended": None}}
