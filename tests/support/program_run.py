"""The program, run many times in this process: its command line is built once, which takes longer than most runs."""

from __future__ import annotations

from functools import cache

import pytest
import typer.main
import typer.testing
from typer.testing import CliRunner, Result

from baccarat.cli import app

_built = cache(typer.main.get_command)


def run_program(*words: str) -> Result:
    """What the program answers to these words."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(typer.testing, "_get_command", _built)
        return CliRunner().invoke(app, words)
