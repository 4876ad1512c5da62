"""Shoes by the thousand: two verifiers that share no code derive each again, and refuse each with a field forged.

The program shuffles and deals the shoes in this process, under every shipped Submission in turn, and writes a journal
of each. `verifier/verify_baccarat.py` and `verify_baccarat.mjs` (part of the pages) each read many journals in one
process. Their reports must agree check by check, and of a forgery both must name the same line first.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "verifier")]

from baccarat.law.rulebook import shipped_submissions  # noqa: E402
from bundles import SHORT, short_shoes  # noqa: E402
from shoe_forgery import Forged, forged_anywhere, forged_seal  # noqa: E402
from two_verifiers import Answer, both, differences  # noqa: E402

WHOLE = 14
"""The cover card at its usual depth, so that nearly all cards are dealt."""
MUST_HOLD = ("form", "chain", "shoes", "card proofs", "seeds")
BATCH = 25
"""How many shoes are verified at a time; as many journals again are forged, and all are on disk."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def shoe_faults(journal: bytes, python: Answer, javascript: Answer) -> list[str]:
    """What is wrong with the reports on an honest shoe: all must hold, and every card turned must be proved."""
    turned = journal.count(b'"proof":{')
    faults = differences(python, javascript)
    for language, answer in (("Python", python), ("JavaScript", javascript)):
        faults += [f"{language}: {name} does not hold" for name in MUST_HOLD if answer.checks.get(name) != "holds"]
        if (answer.status, answer.proved, answer.derived) != (3, turned, turned):
            faults.append(f"{language}: {turned} cards were turned; found {answer}")
    return faults


def forgery_faults(forged: Forged, python: Answer, javascript: Answer) -> list[str]:
    """What is wrong with the reports on a forged shoe: both must refuse it, and name the same line first."""
    faults = [
        f"not refused in {language}"
        for language, answer in (("Python", python), ("JavaScript", javascript))
        if answer.status not in (1, 2) or not answer.first_line
    ]
    if python.first_line != javascript.first_line:
        faults.append(f"line {python.first_line} in Python, line {javascript.first_line} in JavaScript")
    elif not forged.rehashed and python.first_line != forged.line:
        faults.append(f"line {python.first_line} is named, not line {forged.line}")
    return faults


def batch_faults(folder: Path, numbers: range, *, whole_every: int, kinds: Counter[str]) -> list[tuple[bool, str]]:
    """Deal and forge shoes, have both verifiers judge all; each fault, with whether a forgery has it."""
    names = shipped_submissions()
    journals, forgeries, titles, paths = [], [], [], []
    for number in numbers:
        name, words, chance = names[number % len(names)], f"shoe {number}", random.Random(number)
        depth = WHOLE if number % whole_every == 0 else SHORT
        journal = short_shoes.__wrapped__(name, 1, words, depth=depth, contribute=number % 3 > 0)
        forge = forged_seal if (number + number // len(names)) % 2 else forged_anywhere  # both under each Submission
        forged = forge(journal, chance)
        kinds[forged.kind] += 1
        for ending, data in (("honest", journal), ("forged", forged.data)):
            paths.append(folder / f"{number}-{ending}.jsonl")
            paths[-1].write_bytes(data)
        journals.append(journal)
        forgeries.append(forged)
        titles.append(f"shoe {number}, {name}")
    answers = both(paths)
    found = []
    for title, journal, forged, good, bad in zip(titles, journals, forgeries, answers[::2], answers[1::2], strict=True):
        found += [(False, f"{title}: {fault}") for fault in shoe_faults(journal, *good)]
        what = f"{title}, {forged.kind} in line {forged.line} forged"
        found += [(True, f"{what}: {fault}") for fault in forgery_faults(forged, *bad)]
    return found


@app.command()
def main(
    *,
    count: Annotated[int, typer.Option(help="how many shoes")] = 1_000,
    first: Annotated[int, typer.Option(help="the number of the first; each number is a seed")] = 1,
    whole_every: Annotated[int, typer.Option(help="one in this many is dealt to its end; the others are short")] = 1,
) -> None:
    """Deal, forge and verify; status 1 if a shoe does not verify, a forgery does, or the verifiers disagree."""
    kinds: Counter[str] = Counter()
    faults: list[tuple[bool, str]] = []
    batches = [range(start, min(start + BATCH, first + count)) for start in range(first, first + count, BATCH)]
    for numbers in track(batches, "shoes", disable=not sys.stdout.isatty()):
        with tempfile.TemporaryDirectory() as folder:
            faults += batch_faults(Path(folder), numbers, whole_every=whole_every, kinds=kinds)
    for _, fault in faults:
        print(fault)
    shoes, forgeries = (len({f.split(",")[0] for forged, f in faults if forged is which}) for which in (False, True))
    print(f"{count - shoes:,} of {count:,} shoes verify in Python and in JavaScript, and the reports agree")
    print(f"{count - forgeries:,} of {count:,} forgeries are refused at the same line; {len(kinds)} kinds of field")
    raise typer.Exit(code=bool(faults))


if __name__ == "__main__":
    app()
