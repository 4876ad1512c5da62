"""Kill -9 at any instant and at every write: what was answered is there, and nothing is there by half."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from baccarat.serve.store.sqlite import SqliteStore
from killed_store import STEPS, judge
from paths import TESTS
from store_model import Chance

PROGRAM = TESTS / "support" / "killed_store.py"
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(filter(None, (str(TESTS / "support"), os.environ.get("PYTHONPATH")))),
}


SEED = 521
"""Of which the first steps are of every kind."""


@pytest.mark.slow
def test_killed_at_every_write_and_sync(tmp_path: Path) -> None:
    assert {step.what.split()[0] for step in Chance(SEED).steps(STEPS)} >= {"a", "archive", "drop"}
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(SEED), str(tmp_path), "everywhere"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 50, "so many writes and syncs there are"


def kill_while_writing(seed: int, folder: Path, *words: str) -> tuple[int, list[str]]:
    """How many answers there were before the kill, and what is missing of them."""
    SqliteStore.open(folder / "house.db").close()
    command = [sys.executable, str(PROGRAM), str(seed), str(folder / "house.db"), *words]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        answered = len(child.stdout.read(1))
        time.sleep(random.Random(seed).random() * 0.3)
        child.kill()
        answered += len(child.stdout.read())
    return answered, judge(seed, folder, answered)


@pytest.mark.slow
def test_killed_at_any_instant(tmp_path: Path) -> None:
    counts = list[int]()
    for seed in range(6):
        folder = tmp_path / str(seed)
        folder.mkdir()
        answered, wrong = kill_while_writing(seed, folder)
        assert wrong == [], f"seed {seed}, killed after {answered} answers"
        counts.append(answered)
    assert max(counts) > 10


@pytest.mark.slow
def test_answering_before_the_commit_is_found(tmp_path: Path) -> None:
    for seed in range(20):
        folder = tmp_path / str(seed)
        folder.mkdir()
        if kill_while_writing(seed, folder, "early")[1]:
            return
    raise AssertionError("a planted fault was not found in 20 kills")
