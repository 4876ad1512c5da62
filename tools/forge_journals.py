"""Journals forged by the thousand: every bit of a hundred records, every truncation, and whatever else can be done."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from baccarat.audit.journal import JournalAudit  # noqa: E402
from baccarat.law.rulebook import shipped_submissions  # noqa: E402
from baccarat.record.checkpoint import checkpoint_of  # noqa: E402
from baccarat.record.journal import BODY_START, JournalFault, Reader  # noqa: E402
from journal_forgery import flips, forgeries, rewritten  # noqa: E402
from kept import lines_of, short_journal  # noqa: E402

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def first_line(lines: list[bytes], **options: object) -> int:
    """The line of the first finding; 0 where there is none."""
    audit = JournalAudit(**options)  # type: ignore[arg-type]
    audit.lines(enumerate(lines, start=1), file="journal")
    found = audit.report().findings
    return (found[0].line or -1) if found else 0


def flip_all(lines: list[bytes], index: int) -> list[str]:
    """The bits of one line that can be turned over without being found at that line."""
    missed = []
    before = Reader()
    list(before.read(enumerate(lines[:index], start=1)))
    heads, logs = dict(before.heads), before.logs
    for bit, changed in enumerate(flips(lines[index])):
        reader = Reader()
        reader.heads, reader.logs = dict(heads), logs
        try:
            for number, line in enumerate(
                [*changed.splitlines(keepends=True), *lines[index + 1 : index + 3]], index + 1
            ):
                reader.line(number, line)
            missed.append(f"line {index + 1}, bit {bit}: not found")
        except JournalFault as fault:
            if fault.line != index + 1:
                missed.append(f"line {index + 1}, bit {bit}: found at line {fault.line}")
    return missed


@app.command()
def main(
    *,
    records: Annotated[int, typer.Option(help="so many records have every bit turned over")] = 100,
    count: Annotated[int, typer.Option(help="so many deletions, insertions, exchanges and rewritings each")] = 1_000,
    seed: Annotated[int, typer.Option(help="which ones")] = 1,
) -> None:
    """Forge journals of the shipped Submissions in every way; whatever is not found at its line is printed."""
    chance, missed = random.Random(seed), list[str]()
    names = shipped_submissions()
    journals = {name: [line for _, line in lines_of(short_journal(name))] for name in names}
    for number in track(range(records), "turning bits over", disable=not sys.stdout.isatty()):
        name = names[number % len(names)]
        index = chance.randrange(len(journals[name]))
        missed += [f"{name} {each} (--seed {seed})" for each in flip_all(journals[name], index)]
    for number in track(range(count), "forging", disable=not sys.stdout.isatty()):
        name = names[number % len(names)]
        lines = journals[name]
        for what, changed, line in forgeries(lines, chance, 1):
            found = first_line(changed)
            if found != line:
                missed.append(f"{name} {what} at line {line}: found at {found} (--seed {seed}, forgery {number})")
        signed = checkpoint_of("example.org", [each[BODY_START:-2] for each in lines])
        told, line = rewritten(lines, chance)
        if not first_line(told, checkpoints=[("kept", signed)]):
            missed.append(f"{name} rewritten from line {line}: not found (--seed {seed}, forgery {number})")
        cut = chance.randrange(1, len(lines))
        if not first_line(lines[:cut], checkpoints=[("kept", signed)]):
            missed.append(f"{name} cut off after line {cut}: not found (--seed {seed}, forgery {number})")
    print("\n".join(missed))
    print(f"{records} records bit by bit, {count} forgeries of each kind: {len(missed)} not found at their place")
    raise typer.Exit(1 if missed else 0)


if __name__ == "__main__":
    app()
