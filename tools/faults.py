"""Causes every fault of the matrix and says what came of it.

Run: make faults, or .venv/bin/python tools/faults.py [--only kill --only flood] [--times 10] [--jobs 2] [--json]
Exit status: 0 everything held, 1 something did not, 2 a row that does not exist was asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree as Xml

from fault_matrix import ROOT, Fault, faults


@dataclass(frozen=True)
class Outcome:
    """What came of one row."""

    name: str
    held: int
    failed: tuple[str, ...]
    seconds: float

    @property
    def is_held(self) -> bool:
        return self.held > 0 and not self.failed


def cause(fault: Fault, *, times: int, jobs: int, log: Path) -> Outcome:
    """Run the tests of one fault, `times` times as long as in `make test`, then its programs."""
    begun = time.monotonic()
    held, failed = tried(fault.tests, times=times, jobs=jobs, log=log)
    if times > 1:
        for each in fault.programs:
            done = run([sys.executable, *shlex.split(each)], log)
            held, failed = (held + 1, failed) if done == 0 else (held, [*failed, each])
    return Outcome(fault.name, held, tuple(failed), round(time.monotonic() - begun, 1))


def tried(tests: Sequence[str], *, times: int, jobs: int, log: Path) -> tuple[int, list[str]]:
    """How many tests passed, and the names of all others: one that was skipped has shown nothing."""
    with tempfile.TemporaryDirectory() as made:
        report = Path(made) / "report.xml"
        status = run(
            [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), f"--junit-xml={report}", *tests], log, times
        )
        cases = list(Xml.parse(report).iter("testcase")) if report.exists() else []
    held = [case for case in cases if not any(part.tag in {"failure", "error", "skipped"} for part in case)]
    failed = [f"{case.get('classname')}::{case.get('name')}" for case in cases if case not in held]
    if status != 0 and not failed:
        failed = [f"pytest ended with status {status}"]
    return len(held), failed


def run(words: Sequence[str], log: Path, times: int = 1) -> int:
    """Run a program and keep what it prints; its exit status."""
    environment = {**os.environ, "BACCARAT_CAMPAIGN": str(times)}
    with log.open("ab") as out:
        return subprocess.run(words, cwd=ROOT, env=environment, stdout=out, stderr=out, check=False).returncode


def asked_for(names: Sequence[str]) -> Iterator[Fault]:
    """The rows of these names, or all."""
    known = {each.name: each for each in faults()}
    for name in names or known:
        if name not in known:
            print(f"There is no fault {name!r}; there are: {', '.join(known)}.", file=sys.stderr)
            raise SystemExit(2)
        yield known[name]


def main() -> int:
    """Cause what was asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], help="the name of a row; may be repeated")
    parser.add_argument("--times", type=int, default=10, help="how many times as long as in make test")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--log", type=Path, default=ROOT / "build" / "faults.log", help="where all output is kept")
    asked = parser.parse_args()
    rows = list(asked_for(asked.only))
    asked.log.parent.mkdir(parents=True, exist_ok=True)
    asked.log.write_bytes(b"")
    outcomes = list[Outcome]()
    for number, fault in enumerate(rows, 1):
        print(f"{number} of {len(rows)}: {fault.what} …", file=sys.stderr, flush=True)
        outcomes.append(cause(fault, times=asked.times, jobs=asked.jobs, log=asked.log))
    print(json.dumps([asdict(each) for each in outcomes], indent=2) if asked.json else table(outcomes))
    if wrong := [each for each in outcomes if not each.is_held]:
        print(f"{len(wrong)} did not hold; what the tests printed is in {asked.log}", file=sys.stderr)
    return 1 if wrong else 0


def table(outcomes: Sequence[Outcome]) -> str:
    """One line for each fault, and the names of the tests that failed."""
    width = max(len(each.name) for each in outcomes)
    lines = [f"{'fault':<{width}}  {'held':>6}  {'failed':>6}  {'seconds':>8}"]
    for each in outcomes:
        lines.append(f"{each.name:<{width}}  {each.held:>6}  {len(each.failed):>6}  {each.seconds:>8.1f}")
        lines += [f"  failed: {name}" for name in each.failed]
    held, failed = sum(each.held for each in outcomes), sum(len(each.failed) for each in outcomes)
    return "\n".join([*lines, f"all together: {held} held, {failed} failed"])


if __name__ == "__main__":
    sys.exit(main())
