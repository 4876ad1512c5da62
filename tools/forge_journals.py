"""Journals forged by the thousand: every bit of a hundred records, every truncation, and other forgeries.

A change of a line without its hash is found at that line. A change with all hashes recomputed is found by deciding
the acts again, at its line, or by the next checkpoint signed before: there, if it is in the journal. Every
field of the golden journals and of two houses is changed on its own, with all hashes recomputed.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from baccarat.audit.journal import JournalAudit, StoredCheckpoint  # noqa: E402
from baccarat.law.rulebook import shipped_submissions  # noqa: E402
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint  # noqa: E402
from baccarat.record.journal import BODY_START, CHECKPOINT, JournalFault, JournalReader  # noqa: E402
from baccarat.record.key import KeyKind, Signer  # noqa: E402
from field_forgery import unnoticed  # noqa: E402
from golden_journals import path_of  # noqa: E402
from house_journal import form_journal, house_journal  # noqa: E402
from journal_forgery import flips, forgeries, rewritten  # noqa: E402
from kept import lines_of, short_journal, signed_journal  # noqa: E402

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def first_line(lines: list[bytes], **options: object) -> int:
    """The line of the first finding; 0 if there is none."""
    audit = JournalAudit(**options)  # type: ignore[arg-type]
    audit.lines(enumerate(lines, start=1), file="journal")
    found = audit.report().findings
    return (found[0].line or -1) if found else 0


def flip_all(lines: list[bytes], index: int) -> list[str]:
    """The bits of one line that can be flipped without being found at that line."""
    missed = []
    before = JournalReader()
    list(before.read(enumerate(lines[:index], start=1)))
    heads, logs = dict(before.heads), before.logs
    for bit, changed in enumerate(flips(lines[index])):
        reader = JournalReader()
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


def forge_all(lines: list[bytes], chance: random.Random) -> list[str]:
    """One forgery of each kind: those that are not found, or not at their line."""
    missed = []
    for what, changed, line in forgeries(lines, chance, 1):
        found = first_line(changed)
        if found != line:
            missed.append(f"{what} at line {line}: found at {found}")
    signed = kept_checkpoint(lines)
    told, line = rewritten(lines, chance)
    if "checkpoint" not in kinds(told, checkpoints=[signed]):
        missed.append(f"rewritten from line {line}: not found by the stored checkpoint")
    return missed


def cut_everywhere(lines: list[bytes]) -> list[str]:
    """The truncations that are not found: within a line at that line, after a line by a stored checkpoint."""
    missed = []
    reader = JournalReader()
    signed = kept_checkpoint(lines)
    for number, line in enumerate(lines, start=1):
        for end in range(1, len(line)):
            try:
                reader.line(number, line[:end])
                missed.append(f"line {number} cut off after {end} bytes: not found")
            except JournalFault as fault:
                if fault.line != number or not fault.half:
                    missed.append(f"line {number} cut off after {end} bytes: {fault}")
        reader.line(number, line)
        found = kinds(lines[:number], checkpoints=[signed])
        if ("checkpoint" in found) is (number == len(lines)):
            missed.append(f"cut off after line {number}: found {found}")
    return missed


def kept_checkpoint(lines: list[bytes]) -> StoredCheckpoint:
    """A checkpoint of these lines that is stored elsewhere; its signature is not checked here."""
    signer = Signer("example.org", KeyKind.LOG, bytes(32))
    return StoredCheckpoint(
        "kept", sign_checkpoint(checkpoint_of("example.org", [line[BODY_START:-2] for line in lines]), signer)
    )


def kinds(lines: list[bytes], **options: object) -> list[str]:
    """The kinds of what an audit finds."""
    audit = JournalAudit(**options)  # type: ignore[arg-type]
    audit.lines(enumerate(lines, start=1), file="journal")
    return [finding.kind for finding in audit.report().findings]


def rewritten_between_checkpoints(lines: list[bytes], chance: random.Random) -> str:
    """A history rewritten in a journal that holds signed checkpoints: what is missed, or found too late."""
    notes = [number for number, line in enumerate(lines, start=1) if line.startswith(CHECKPOINT)]
    entries = [line for line in lines if not line.startswith(CHECKPOINT)]
    told, _ = rewritten(entries, chance)
    coming = iter(told)
    forged = [line if line.startswith(CHECKPOINT) else next(coming) for line in lines]
    changed = next(number for number, (one, other) in enumerate(zip(lines, forged, strict=True), 1) if one != other)
    due = next((note for note in notes if note > changed), 0)
    found = first_line(forged)
    # an act may be refused for another actor, and then the act itself is found before any checkpoint
    if due and not changed <= found <= due:
        return f"rewritten from line {changed}, checkpoint in line {due}: found at {found}"
    return ""


def fields_missed(every: int) -> list[str]:
    """The fields of golden journals and of houses that can be changed without being found."""
    journals = {name: path_of(name).read_bytes().splitlines(keepends=True) for name in shipped_submissions()}
    journals |= {"house": house_journal(), "house with forms": form_journal()}
    return [
        f"{name} line {index + 1}: {'.'.join(map(str, path))} changed, not found"
        for name, lines in track(journals.items(), "changing fields", disable=not sys.stdout.isatty())
        for index, path, _ in unnoticed(lines, range(0, len(lines), every))
    ]


@app.command()
def main(
    *,
    records: Annotated[int, typer.Option(help="how many records have every bit flipped")] = 100,
    count: Annotated[int, typer.Option(help="how many deletions, insertions, exchanges and rewritings each")] = 1_000,
    seed: Annotated[int, typer.Option(help="which ones")] = 1,
    every: Annotated[int, typer.Option(help="change the fields of every N-th record")] = 1,
    cut: Annotated[int, typer.Option(help="how many Submissions have their journals truncated; 0 for all")] = 0,
) -> None:
    """Forge journals of the shipped Submissions in every way; print what is not found at its line."""
    chance, missed = random.Random(seed), list[str]()
    names = shipped_submissions()
    journals = {name: [line for _, line in lines_of(short_journal(name))] for name in names}
    for number in track(range(records), "flipping bits", disable=not sys.stdout.isatty()):
        name = names[number % len(names)]
        index = chance.randrange(len(journals[name]))
        missed += [f"{name} {each} (--seed {seed})" for each in flip_all(journals[name], index)]
    are_cut = names[: cut or None]
    for name in track(are_cut, "cutting off", disable=not sys.stdout.isatty()):
        missed += [f"{name} {each}" for each in cut_everywhere(journals[name])]
    for number in track(range(count), "forging", disable=not sys.stdout.isatty()):
        name = names[number % len(names)]
        missed += [f"{name} {each} (--seed {seed}, forgery {number})" for each in forge_all(journals[name], chance)]
        late = rewritten_between_checkpoints(signed_journal(name).splitlines(keepends=True), chance)
        missed += [f"{name} {late} (--seed {seed}, forgery {number})"] if late else []
    missed += fields_missed(every)
    cuts = sum(len(line) for name in are_cut for line in journals[name])
    print("".join(f"{each}\n" for each in missed), end="")
    done = f"{records:,} records bit by bit, {cuts:,} truncations, {count:,} forgeries of each kind"
    print(f"{done}: {len(missed)} not found at their place")
    raise typer.Exit(1 if missed else 0)


if __name__ == "__main__":
    app()
