"""A forked run of the program is what a fresh start is; most tests of the program rest on that."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from forked import Piped, run_text

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("words", "text", "columns"),
    [
        (("rules", "list"), None, "80"),
        (("rules", "show", "nosuch"), None, "50"),
        (("settle", "-"), '{"ruleset": "ma-midi-4", "cards": ["9X"], "wagers": []}', "80"),
        (("--nosuch",), None, "60"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_it_says_and_answers_the_same(words: tuple[str, ...], text: str | None, columns: str, tmp_path: Path) -> None:
    environment = {**os.environ, "COLUMNS": columns}
    fresh = subprocess.run(
        [sys.executable, "-W", "error", "-m", "baccarat", *words],
        cwd=tmp_path, env=environment, input=text or "", capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    forked = run_text(*words, text=text, folder=tmp_path, environment=environment)
    errors = fresh.stderr.replace("python -m baccarat", "baccarat")  # the name by which a person starts it
    assert (forked.returncode, forked.stdout, forked.stderr) == (fresh.returncode, fresh.stdout, errors)


def test_a_signal_ends_it_and_is_its_status(tmp_path: Path) -> None:
    environment = {**os.environ, "BACCARAT_PORT": "0"}
    program = Piped(["serve", "--json"], folder=tmp_path, environment=environment)
    with program.stdout, program.stderr:
        assert '"serving"' in program.stderr.readline()
        assert program.poll() is None
        program.kill()
        assert program.wait(60) == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(program.pid, 0)


def test_it_is_not_waited_for_longer_than_asked(tmp_path: Path) -> None:
    program = Piped(["serve", "--json"], folder=tmp_path, environment={**os.environ, "BACCARAT_PORT": "0"})
    with program.stdout, program.stderr:
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(0.01)
        program.kill()
        program.wait(60)
