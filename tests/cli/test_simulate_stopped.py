"""`baccarat simulate` that is stopped, gone on with, or has no room: checkpoints, Ctrl-C, a full disk."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from baccarat.cli import simulate_run, simulate_show
from baccarat.cli.interrupt import SIGNALS
from baccarat.cli.output import put_table
from baccarat.law.shipped_file import shipped_text
from baccarat.sim.checkpoint import read_checkpoint, write_checkpoint
from baccarat.sim.engine import grow_tally, simulate
from baccarat.sim.job import make_job
from simulate_verb import RULES, cli, found, refused


def test_a_checkpoint_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "run.checkpoint"
    words = ("ma-midi-4", "--seed", "7", "--rounds", "3", "--checkpoint", path)
    assert found(*words, "--shoes", "300")["tally"]["shoes"] == 300
    answer = found(*words, "--shoes", "1000")
    assert answer["manifest"]["resumed_after_shoes"] == 300
    assert answer["tally"] == simulate(RULES, seed=7, shoes=1000, rounds=3).counts_by_name()
    assert read_checkpoint(path, RULES).shoes == 1000


def test_what_was_dealt_now_and_before_is_told_apart(tmp_path: Path) -> None:
    """Seconds and rate are those of this run; a run of no time has no rate."""
    words = ("ma-midi-4", "--seed", "7", "--rounds", "3", "--checkpoint", tmp_path / "run.checkpoint")
    assert " 0 rounds/s" not in cli(*words, "--shoes", "20").stdout
    assert "3,000 rounds, 3.0000 per shoe, 2,940 of them now" in cli(*words, "--shoes", "1000").stdout
    assert "3,000 rounds, 3.0000 per shoe, all of them before" in cli(*words, "--shoes", "1000").stdout


def test_a_checkpoint_of_something_else_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "run.checkpoint"
    write_checkpoint(path, simulate(RULES, seed=7, shoes=20))
    kept = path.read_bytes()
    refused("ma-midi-4", "--shoes", "30", "--seed", "8", "--checkpoint", path, say="seed 8 and seed 7")
    refused("ma-midi-4", "--shoes", "10", "--seed", "7", "--checkpoint", path, say="have been dealt already")
    refused("nj-punto-banco", "--shoes", "30", "--seed", "7", "--checkpoint", path, say="a tally of rulebook")
    assert path.read_bytes() == kept
    path.write_bytes(kept[:-100])
    refused("ma-midi-4", "--shoes", "30", "--seed", "7", "--checkpoint", path, say="it is left as it is")
    assert path.read_bytes() == kept[:-100]


def test_a_checkpoint_is_not_written_over_the_rules(tmp_path: Path) -> None:
    source = tmp_path / "rules.toml"
    source.write_text(shipped_text("submissions", "ma-midi-4.toml"))
    refused(source, "--shoes", "3", "--checkpoint", source, say="is not overwritten")


def test_a_checkpoint_that_is_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    refused("ma-midi-4", "--shoes", "3", "--checkpoint", path, say="is not a regular file")


@pytest.fixture
def _own_signals() -> Iterator[None]:
    """After a stop the program leaves its handlers in place, for its own end; here other tests follow."""
    before = {each: signal.getsignal(each) for each in SIGNALS}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("_own_signals")
@pytest.mark.parametrize("second", SIGNALS, ids=["Ctrl-C", "a polite end"])
def test_whoever_goes_on_pressing_loses_nothing(
    second: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first Ctrl-C stops; others come at every moment after it: before, while and after the checkpoint is kept."""
    monkeypatch.chdir(tmp_path)
    is_stopped = False

    def press(function: Callable[..., Any]) -> Callable[..., Any]:
        """A function during which somebody presses again."""

        def pressed(*values: Any, **named: Any) -> Any:
            if is_stopped:
                os.kill(os.getpid(), second)
            return function(*values, **named)

        return pressed

    def grown(*values: Any, **named: Any) -> Iterator[Any]:
        nonlocal is_stopped
        for tally in grow_tally(*values, **named):
            yield tally
            is_stopped = True
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(simulate_run, "grow_tally", grown)
    for name in ("monotonic", "write_checkpoint", "manifest", "put_found"):
        monkeypatch.setattr(simulate_run, name, press(getattr(simulate_run, name)))
    monkeypatch.setattr(simulate_show, "put_table", press(put_table))
    done = cli("ma-midi-4", "--shoes", "10^15", "--seed", "7", "--engine", "plain", "--workers", "1")
    assert done.exit_code == 130
    kept = read_checkpoint(tmp_path / "simulate-ma-midi-4-seed-7.checkpoint", RULES)
    assert kept.shoes > 0
    assert f"tally {kept.hash}" in done.stdout
    assert "Dragon Bonus on Banker" in done.stdout
    assert "to resume, give the same command" in " ".join(done.stderr.split())


@pytest.mark.usefixtures("_own_signals")
@pytest.mark.parametrize("ends", [("--shoes", "10^15"), ("--until", "banker edge ±0.0001%")], ids=["shoes", "width"])
def test_the_command_of_a_run_that_was_stopped_asks_for_what_it_has_counted(
    ends: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def grown(*values: Any, **named: Any) -> Iterator[Any]:
        for tally in grow_tally(*values, **named):
            yield tally
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as stopping:
        stopping.setattr(simulate_run, "grow_tally", grown)
        words = ("ma-midi-4", *ends, "--first", "40", "--seed", "7", "--engine", "plain", "--rounds", "2", "--json")
        done = cli(*words, "--workers", "1")
    assert done.exit_code == 130
    stopped = json.loads(done.stdout)
    assert stopped["complete"] is False
    command = stopped["manifest"]["command"]
    assert command[command.index("--shoes") + 1] == str(stopped["tally"]["shoes"])
    again = found(*command[2:])
    assert (again["tally"], again["estimates"]) == (stopped["tally"], stopped["estimates"])
    assert (again["complete"], again["notes"]) == (True, stopped["notes"])


def test_counts_with_gaps_between_them_have_no_command_of_their_own() -> None:
    """Only the ranges say what was counted; nothing counted has nothing to ask for."""
    job = make_job(RULES, seed=7, shoes=100, rounds=2)
    asked = simulate_run.SimulateArguments(
        submission="ma-midi-4", changes=(), editions=(), shoes="1e2", seed="7", first="0", rounds="2", detail="totals",
        engine="auto", workers=None, cluster=None, until=None, stake=None, checkpoint=None, json=True,
    )  # fmt: skip
    one, other = (simulate(RULES, seed=7, first=first, shoes=10, rounds=2) for first in (0, 20))
    assert simulate_run.command_of(asked, job, one + other, None) is None
    assert simulate_run.command_of(asked, job, job.empty_tally(), None) is None
    words = simulate_run.command_of(asked, job, other, None) or ()
    assert words[3:9] == ("--shoes", "10", "--seed", "7", "--first", "20")
    whole_run = simulate_run.command_of(asked, job, simulate(RULES, seed=7, shoes=100, rounds=2), None) or ()
    assert whole_run[3:5] == ("--shoes", "1e2")


@pytest.mark.usefixtures("_own_signals")
@pytest.mark.slow
def test_a_stop_that_python_drops_is_seen_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised while something is cleared away goes nowhere; a simulation without end would go on."""
    monkeypatch.chdir(tmp_path)

    class Cleared:
        def __del__(self) -> None:
            with suppress(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGINT)

    def grown(*values: Any, **named: Any) -> Iterator[Any]:
        for number, tally in enumerate(grow_tally(*values, **named)):
            assert number < 2, "it goes on"
            Cleared()
            yield tally

    monkeypatch.setattr(simulate_run, "grow_tally", grown)
    assert cli("ma-midi-4", "--shoes", "10^15", "--seed", "7", "--engine", "plain").exit_code == 130


def _long_run(path: Path, *words: str) -> subprocess.Popen[str]:
    command = [
        sys.executable, "-m", "baccarat", "simulate", "ma-midi-4", "--shoes", "10^15", "--seed", "7", "--engine",
        "plain", "--workers", "2", *words,
    ]  # fmt: skip
    return subprocess.Popen(command, cwd=path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _wait_for(program: subprocess.Popen[str], text: str) -> None:
    """Until a line says so; a slow machine may say before that how long it took to be ready."""
    assert program.stderr is not None
    assert any(text in line for line in program.stderr), text


@pytest.mark.slow
def test_a_quadrillion_shoes_are_stopped_and_gone_on_with(tmp_path: Path) -> None:
    """It says how long it will take; Ctrl-C leaves a valid checkpoint, where none was named in a file of its own."""
    running = _long_run(tmp_path, "--json")
    _wait_for(running, "years left · Banker edge")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    answer = json.loads(out)
    assert answer["complete"] is False
    path = tmp_path / "simulate-ma-midi-4-seed-7.checkpoint"
    assert f"--checkpoint {path.name}" in " ".join(err.split())
    first = read_checkpoint(path, RULES)
    assert first.counts_by_name() == answer["tally"]
    again = _long_run(tmp_path, "--checkpoint", path.name)
    _wait_for(again, f"resuming after {first.shoes:,} shoes")
    _wait_for(again, "years left · Banker edge")
    again.terminate()
    out, err = again.communicate(timeout=60)
    assert again.returncode == 130, err
    second = read_checkpoint(path, RULES)
    assert second.shoes > first.shoes
    sample = simulate(RULES, seed=7, first=first.shoes, shoes=second.shoes - first.shoes)
    assert first + sample == second


@pytest.mark.slow
def test_a_full_disk_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    """Files may not grow past a hundred bytes: the checkpoint cannot be written, the old one stays, counts are told."""
    path = tmp_path / "run.checkpoint"
    write_checkpoint(path, simulate(RULES, seed=7, shoes=20, rounds=1))
    kept = path.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "baccarat", "simulate", "ma-midi-4", "--shoes", "40", "--seed", "7", "--rounds", "1",
         "--engine", "plain", "--checkpoint", str(path), "--json"],
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )  # fmt: skip
    assert done.returncode == 1
    assert "cannot be written: File too large" in done.stderr
    assert json.loads(done.stdout)["tally"] == simulate(RULES, seed=7, shoes=40, rounds=1).counts_by_name()
    assert path.read_bytes() == kept
    assert [each.name for each in tmp_path.iterdir()] == ["run.checkpoint"]


# -------------------------------------------------------------------------------------------------- figures
