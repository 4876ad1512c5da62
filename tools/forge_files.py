"""Random forgeries of journals and bundles, put to the program and to both small verifiers.

Fields, order of lines, keys, truncations, mixed histories and wrong JSON, and records that a hostile house has changed
and signed again; journals and bundles, of tables and houses, signed and unsigned, of order 1 and 2. Each must be
refused, or everything reported about it must be true:
cards, money, persons, times and coverage, compared with the honest file. No answer is a trace, none is late, and the
three agree, except in what only the rules show.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "verifier")]

from forgery_verdict import LongestAnswers, judge  # noqa: E402
from honest_files import files  # noqa: E402
from random_forgery import forge  # noqa: E402

BATCH = 40
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    *,
    forgeries: Annotated[int, typer.Option(help="how many")] = 2_000,
    first: Annotated[int, typer.Option(help="the number of the first")] = 0,
    seed: Annotated[int, typer.Option(help="which ones")] = 1,
    keep: Annotated[Path | None, typer.Option(help="a folder for the forgeries that were not judged rightly")] = None,
) -> None:
    """Forge files at random and have them judged; ends with status 1 if any verifier is wrong about one."""
    pairs, found, kinds, longest = files(), list[str](), Counter[str](), LongestAnswers()
    numbers = range(first, first + forgeries)
    with TemporaryDirectory() as folder:
        batches = [numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH)]
        for batch in track(batches, "forging", disable=not sys.stdout.isatty()):
            made = [forge(number, pairs, seed) for number in batch]
            kinds.update(each.kind for each in made)
            for forgery, say in judge(made, Path(folder), longest):
                found.append(f"{forgery} (--seed {seed}): {say}")
                print(found[-1], flush=True)
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{seed}-{forgery.number}").write_bytes(forgery.data)
    print(", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common()))
    took = ", ".join(f"{verifier} {seconds:.2f} s" for verifier, seconds in sorted(longest.seconds.items()))
    print(f"longest answers to one file: {took}")
    print(f"{forgeries:,} forgeries, {len(found):,} judged wrongly")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    app()
