"""Shoes by the thousand: the program shuffles and deals them, the independent verifier derives every one again."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "verifier")]

from verify_baccarat import verify  # noqa: E402

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def submissions() -> list[str]:
    """The Submissions that the program ships, by name."""
    command = [sys.executable, "-m", "baccarat", "rules", "list", "--names"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def shoe_fault(folder: Path, submission: str, seed: str, *, whole: bool) -> str:
    """What is wrong with the journal of one shoe; empty where it verifies with seed, root and cards."""
    file = folder / f"{seed}.jsonl"
    sitting = ["--auto"] if whole else ["--script", "quit"]
    command = [sys.executable, "-m", "baccarat", "play", submission, *sitting, "--seed", seed, "--journal", str(file)]
    subprocess.run(command, capture_output=True, check=True)
    report = verify(file.read_bytes())
    file.unlink()
    derived = any(check.name == "seeds" and check.sign == "✓" for check in report.checks)
    return "" if report.status == 0 and derived else f"{submission}, seed {seed}: " + " / ".join(report.lines())


@app.command()
def main(
    *,
    count: Annotated[int, typer.Option(help="so many shoes")] = 1_000,
    first: Annotated[int, typer.Option(help="the number of the first; each number is a seed")] = 1,
    whole_every: Annotated[
        int, typer.Option(help="one of so many is dealt to its end; the root covers the others")
    ] = 10,
) -> None:
    """Deal and verify; status 1 if a shoe does not verify."""
    names = submissions()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        jobs = [
            pool.submit(
                shoe_fault,
                Path(folder),
                names[number % len(names)],
                f"shoe-{number}",
                whole=(number - first) % whole_every == 0,
            )
            for number in range(first, first + count)
        ]
        faults = [job.result() for job in track(jobs, "shoes") if job.result()]
    for fault in faults:
        print(fault)
    print(f"{count - len(faults):,} of {count:,} shoes verify")
    raise typer.Exit(code=bool(faults))


if __name__ == "__main__":
    app()
