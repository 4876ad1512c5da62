"""Compiles what simulations and studies use and keeps it in numba's cache, before several workers would each do it.

Run by `make test` while the code is checked. What is not compiled here is compiled by the first test that needs it.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile

from typer.testing import CliRunner

from baccarat.cli import app
from baccarat.law.rulebook import rulebook
from baccarat.sim.plan import make_plan
from baccarat.sim.vector_machine import Machine
from baccarat.sim.vector_run import run

RUNS = (
    "simulate ma-midi-4 --shoes 64 --seed 7",
    "simulate ma-midi-4 --shoes 64 --seed 7 --detail pairs",
    "simulate ma-midi-4-royal9 --shoes 64 --seed 7 --detail royal9",
    "study hands ma-midi-4 --steps wash,riffle,strip,cut --shoes 20",
    "study counts ma-midi-4-ez dragon7 --depths 26 --shoes 20",
    "study counts ma-midi-4-royal9 royal9 --depths 26 --shoes 20",
    "study patrons ma-midi-4 --seat banker=25 --seat 'martingale player 25' --sessions 20",
    "study wagers ma-midi-4-ez --shoes 20",
    "study house ma-midi-4 --seat player=100 --days 1 --tables 1",
    "study records ma-midi-4 --shoes 20 --to rounds.parquet",
)
"""Small ones, of each kind that compiles something of its own."""
OTHER_MACHINES = (Machine(32, 32), Machine(16, 0))
"""Machines other than this one on which `tests/sim/test_kernel.py` has the kernels count."""


def main() -> None:
    """Run them all, in a folder that is removed; each must end well, or it would compile nothing in silence."""
    runner = CliRunner()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for words in RUNS:
            done = runner.invoke(app, words)
            if done.exit_code:
                sys.exit(f"baccarat {words}: {done.output}")
    totals = make_plan(rulebook("ma-midi-4"))
    run(totals, 7, 0, 64, 60)  # a fixed number of rounds is dealt by a function of its own
    for machine in OTHER_MACHINES:
        run(totals, 7, 0, 64, machine=machine)


if __name__ == "__main__":
    main()
