"""`baccarat bots` where it cannot play: one sentence, and no trace."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from forked import run_text
from house_program import house_program

pytestmark = pytest.mark.slow


def bots(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_text("bots", *arguments)


def test_bots_say_in_one_sentence_why_they_cannot_play(tmp_path: Path) -> None:
    with house_program(tmp_path, "--port", "0") as house:
        address = house.said[0].split("is open: ")[1].split()[0]
        for where, table, status, say in (
            (address, "nosuch", 1, "has no table 'nosuch'; it has ma-midi-1"),
            (f"{address}/foo", "ma-midi-4", 1, "does not admit bots"),
            ("localhost:1", "ma-midi-4", 2, "does not answer"),
            ("localhost:none", "ma-midi-4", 2, "localhost:none"),
        ):
            done = bots(where, table, "-n", "3", "--rounds", "1")
            assert done.returncode == status, done.stderr
            assert say in done.stderr
            assert done.stderr.count(where) == 1, "the address is said once"
            assert "Traceback" not in done.stderr
