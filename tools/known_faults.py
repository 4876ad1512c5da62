"""Known faults: each fault that was once found is put back into a copy of the source; its tests must go red."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
FAULTS = ROOT / "tests" / "data" / "known_faults"
VERIFIER = Path("verifier/verify_baccarat.py")
"""The one file outside the source into which faults are put back."""
SECONDS = 300
"""How long the tests of one fault may take; a timeout counts as red."""
GREEN, NOT_SEEN, UNUSABLE = 0, 1, 2
PYTEST_FAILED = 1
"""The status with which pytest reports a failed test; any other means that it did not run them."""


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that occurs exactly once in a file, and its replacement while the fault is back."""

    file: str
    now: str
    faulty: str


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault: what went wrong, the changes that bring it back, and the tests that must detect it."""

    what: str
    changes: tuple[Change, ...] = msgspec.field(name="change")
    tests: tuple[str, ...]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    faults: tuple[Fault, ...] = msgspec.field(name="fault")


def known_faults(within: str = "") -> Iterator[tuple[str, Fault]]:
    """Every fault on file with its name: its file and its number there, as `table 3`."""
    for path in sorted(FAULTS.glob("*.toml")):
        if path.stem.startswith(within):
            read = msgspec.toml.decode(path.read_bytes(), type=_File)
            yield from ((f"{path.stem} {number}", fault) for number, fault in enumerate(read.faults, 1))


def what_is_stale(fault: Fault) -> str | None:
    """Why a fault can no longer be put back: the text or a test that it names is missing; None if all exist."""
    for change in fault.changes:
        path = ROOT / change.file
        times = path.read_text(encoding="utf-8").count(change.now) if path.is_file() else 0
        if times != 1:
            return f"{change.file} holds the text {times} times, expected once: {change.now!r}"
        if not change.file.startswith("src/") and Path(change.file) != VERIFIER:
            return f"{change.file} is not copied: a fault is put back into the source or into {VERIFIER}"
        if change.now == change.faulty:
            return f"{change.file}: the fault changes nothing"
    for test in fault.tests:
        file, _, name = test.partition("::")
        function = name.partition("[")[0].rpartition("::")[2]
        path = ROOT / file
        if not path.is_file() or f"def {function}(" not in path.read_text(encoding="utf-8"):
            return f"there is no test {test}"
    return None if fault.tests else "it names no test"


def unseen(fault: Fault) -> list[str]:
    """The tests of a fault that stay green, or cannot be run, while it is back."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("*.egg-info"))  # bytecode included
        (Path(folder) / VERIFIER).parent.mkdir()
        shutil.copy(ROOT / VERIFIER, Path(folder) / VERIFIER)
        for change in fault.changes:
            path = Path(folder) / change.file
            path.write_text(path.read_text(encoding="utf-8").replace(change.now, change.faulty), encoding="utf-8")
            for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
                stale.unlink()  # a change within a second that keeps the length would not invalidate the bytecode
        return [test for test in fault.tests if not _goes_red(test, Path(folder))]


def _goes_red(test: str, copies: Path) -> bool:
    environment = os.environ | {"PYTHONPATH": str(copies / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # recompiling the tests each time would take longer than they do
    settings = msgspec.toml.decode((ROOT / "pyproject.toml").read_bytes())["tool"]["pytest"]["ini_options"]
    paths = [str(copies / each) if each == VERIFIER.parent.name else each for each in settings["pythonpath"]]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += ["-o", f"pythonpath={' '.join(paths)}", test]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode == PYTEST_FAILED


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    *,
    within: Annotated[str, typer.Option(help="only the files whose names begin with this")] = "",
    only: Annotated[str, typer.Option(help="only the fault of this name, such as 'table 3'")] = "",
    jobs: Annotated[int, typer.Option(help="processes at a time")] = os.cpu_count() or 1,
) -> None:
    """Put each known fault back, and run its tests: every one of them must go red."""
    asked = [(name, fault) for name, fault in known_faults(within) if only in ("", name)]
    stale = [f"{name}: {reason}" for name, fault in asked if (reason := what_is_stale(fault))]
    if stale or not asked:
        print("\n".join(stale) or "no such fault")
        raise typer.Exit(UNUSABLE)
    compileall.compile_dir(ROOT / "src", quiet=1)
    with ThreadPoolExecutor(jobs) as pool:
        answers = pool.map(unseen, [fault for _, fault in asked])
        shown = track(answers, "putting faults back", total=len(asked), disable=not sys.stdout.isatty())
        green = [(name, fault, tests) for (name, fault), tests in zip(asked, shown, strict=True) if tests]
    for name, fault, tests in green:
        print(f"{name}: {fault.what}\n  stays green: {', '.join(tests)}")
    print(f"{len(asked)} known faults: {len(asked) - len(green)} seen by every test they name, {len(green)} not")
    raise typer.Exit(NOT_SEEN if green else GREEN)


if __name__ == "__main__":
    app()
