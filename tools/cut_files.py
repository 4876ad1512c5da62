"""Every file of the conformance corpus cut at every hundredth byte, put to the program and to both small verifiers.

What a reader gives besides a file is cut, too: receipts, policies, memories, key files and stored checkpoints.

Each answers with a sentence and status 1 or 2, or 3 where a journal is cut exactly at the end of a line; nothing ends
in a trace. Files are read under the keys of their cases; of files that begin alike a cut is made once.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "verifier")]

from corpus_cut import Cut, cuts, wrong_answers  # noqa: E402
from reader_cut import ReaderCut, reader_cuts, wrong_answers_to_readers  # noqa: E402

BATCH = 400
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def _wrong(batch: Sequence[Cut | ReaderCut]) -> list[str]:
    files = [cut for cut in batch if isinstance(cut, Cut)]
    given = [cut for cut in batch if isinstance(cut, ReaderCut)]
    with TemporaryDirectory() as folder:
        return [*wrong_answers(Path(folder), files), *wrong_answers_to_readers(Path(folder), given)]


@app.command()
def main(
    *,
    every: Annotated[int, typer.Option(help="how many bytes are between two cuts of a file")] = 100,
    sample: Annotated[int, typer.Option(help="how many of the cuts to try, chosen at random; 0 means all")] = 0,
    jobs: Annotated[int, typer.Option(help="processes at a time")] = os.cpu_count() or 1,
) -> None:
    """Cut every file and have what is left verified; ends with status 1 if an answer is not as it must be."""
    chosen: list[Cut | ReaderCut] = [*cuts(every), *reader_cuts(every)]
    if sample:
        chosen = random.Random(1).sample(chosen, sample)
    batches = [chosen[start : start + BATCH] for start in range(0, len(chosen), BATCH)]
    count = 0
    with ProcessPoolExecutor(jobs) as pool:
        answers = pool.map(_wrong, batches)
        for found in track(answers, "cutting", total=len(batches), disable=not sys.stdout.isatty()):
            count += len(found)
            for say in found:
                print(say, flush=True)
    print(f"{len(chosen):,} cuts, {count:,} answered wrongly")
    raise typer.Exit(bool(count))


if __name__ == "__main__":
    app()
