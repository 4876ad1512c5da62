"""The conformance corpus: rewrites every honest and forged file of `verifier/corpus`, or compares them with its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from conformance import FOLDER, made, on_disk  # noqa: E402

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    *, check: Annotated[bool, typer.Option("--check", help="change nothing; status 1 if a file is not as made")] = False
) -> None:
    """Make the whole corpus with fixed keys: every run gives the same bytes."""
    expected, found = made(), on_disk()
    differing = sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))
    if check:
        for name in differing:
            print(f"{name}: {'not as made' if name in expected and name in found else 'missing or left over'}")
        print(f"{len(expected)} files, {len(differing)} not as made")
        raise typer.Exit(bool(differing))
    for name in differing:
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(expected[name]) if name in expected else path.unlink()
    print(f"{len(expected)} files in {FOLDER.relative_to(ROOT)}, {len(differing)} changed")


if __name__ == "__main__":
    app()
