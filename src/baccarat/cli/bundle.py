"""`baccarat bundle`: a round, a shoe, a day or a whole journal as one file that anyone can check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from baccarat.cli.journal_files import (
    JOURNAL,
    exit_on_misread,
    exit_on_write_error,
    read_signed,
    read_stored_note,
    read_verifiers,
)
from baccarat.cli.option import EDITIONS, JSON, option, register_editions
from baccarat.cli.output import FAULT, REFUSED, exit_on, fail, put_json, put_line
from baccarat.house.stream import Stream, stream_name, table_stream
from baccarat.record import durable
from baccarat.record.journal import JournalFault
from baccarat.record.journal_file import read_journal
from baccarat.record.note import SignedNote, UnreadableNote

if TYPE_CHECKING:
    from baccarat.audit.bundle.form import Bundle, Scope
    from baccarat.audit.bundle.make import BundleJournal

DAY_FORM = "%Y-%m-%d"
ONE_SHOE = option("--shoe", "N", "This shoe, counted from 1.", min=1)
ONE_DAY = option("--day", "DATE", "What was done on this day, such as 2026-11-15.")
KEYS = option("--key", "KEY", "A public key, of the log or of a witness, or a file with some.")
POLICY = option("--policy", "FILE", "Which logs and witnesses must have signed, and how many, instead of --key.")
MEMORY = option("--memory", "FILE", "Remember the last checkpoint of each log here, and require later ones to agree.")


def bundle(
    journal: Path = JOURNAL,
    output: Path = option("--output -o", "FILE", "The file to write; it must not exist yet.", default=...),
    shoe: int | None = ONE_SHOE,
    round_: int | None = option(
        "--round", "N", "This round of the shoe, counted from 1; --shoe may be omitted if there is only one.", min=1
    ),
    day: str | None = ONE_DAY,
    table: str | None = option("--table", "NAME", "The table, if the journal has more than one."),
    checkpoint: Path | None = option(
        "--checkpoint",
        "FILE",
        "The signed checkpoint; by default JOURNAL.cosigned or JOURNAL.checkpoint, whichever covers it.",
    ),
    key: list[str] = KEYS,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Put a round, a shoe or a day of a table, or the whole journal, into one file that anyone can check.

    It holds the entries unchanged, the proof that the journal has them, the checkpoint, the keys and the rules. With
    neither --shoe, --round nor --day it holds everything; without a checkpoint it is marked as unsigned. Status 1
    if the journal has no such round, or does not match its checkpoint.
    Example: baccarat bundle journal.jsonl --round 17 --output round-17.json
    """
    from baccarat.audit.bundle.form import write_bundle  # noqa: PLC0415
    from baccarat.audit.bundle.make import NoBundle, make_bundle  # noqa: PLC0415

    register_editions(edition)
    source = read_source(journal)
    scope = scope_of(source, shoe=shoe, round_=round_, day=day, table=table)
    keys = read_verifiers(key or [])
    with exit_on(NoBundle, where=journal, status=REFUSED):
        note = _note(source, scope, journal, checkpoint)
        made = make_bundle(source, scope, note=note, keys=keys)
    data = write_bundle(made)
    with exit_on_write_error(output):
        durable.create(output, data, mode=0o644)
    _print_bundle(made, output, len(data), json=json)


def read_source(journal: Path) -> BundleJournal:
    """The entries of an intact journal; exits with a message if it is damaged."""
    from baccarat.audit.bundle.make import BundleJournal  # noqa: PLC0415

    with exit_on_misread(journal):
        try:
            return BundleJournal(read_journal(journal))
        except JournalFault as fault:
            fail(f"{journal}: {fault}", FAULT if fault.seq is None else REFUSED)


def scope_of(
    source: BundleJournal, *, shoe: int | None, round_: int | None, day: str | None, table: str | None
) -> Scope:
    """The part of a journal that the options select; exits with a message if there is no such part."""
    from baccarat.audit.bundle.form import ALL, DAY, ROUND, SHOE, Scope  # noqa: PLC0415

    if day is not None and (shoe is not None or round_ is not None):
        fail("--day cannot be combined with --shoe or --round")
    stream = _stream(source, table)
    if day is None and shoe is None and round_ is None:
        return Scope(kind=ALL, stream=stream)
    if day is not None:
        return Scope(kind=DAY, stream=stream, day=_day(day))
    if round_ is None:
        return Scope(kind=SHOE, stream=stream, shoe=shoe)
    return Scope(kind=ROUND, stream=stream, shoe=shoe or _only_shoe(source, stream), round=round_)


def _stream(source: BundleJournal, table: str | None) -> Stream:
    tables = source.tables
    names = ", ".join(map(stream_name, tables))
    if table is not None and table_stream(table) not in tables:
        fail(f"--table: the journal has no table {table!r}; it has {names or 'none'}", REFUSED)
    if not tables:
        fail("the journal has no table yet: there is nothing to export")
    if table is None and len(tables) != 1:
        fail(f"the journal has {len(tables)} tables; choose one with --table: {names}")
    return tables[0] if table is None else table_stream(table)


def _only_shoe(source: BundleJournal, stream: Stream) -> int:
    from baccarat.audit.bundle.make import NoBundle  # noqa: PLC0415

    with exit_on(NoBundle, status=REFUSED):
        shoes = sorted(source.history(stream).rounds())
    if len(shoes) > 1:
        fail(f"rounds are counted within their shoe; choose one with --shoe: 1 to {shoes[-1]}")
    return shoes[0] if shoes else 1


def _day(text: str) -> str:
    from datetime import datetime  # noqa: PLC0415

    try:
        return datetime.strptime(text, DAY_FORM).date().isoformat()  # noqa: DTZ007  a day, not a moment
    except ValueError:
        fail(f"--day {text!r}: expected a day such as 2026-11-15")


def _note(source: BundleJournal, scope: Scope, journal: Path, checkpoint: Path | None) -> SignedNote | None:
    """The named checkpoint; without a name, the first known one that covers the scope."""
    from baccarat.audit.bundle.make import NoBundle, make_bundle  # noqa: PLC0415

    if checkpoint is not None:
        return read_signed(checkpoint)[0]
    refused: list[NoBundle] = []
    for note in known_notes(source, journal, scope.stream):
        try:
            make_bundle(source, scope, note=note)
        except NoBundle as error:
            refused.append(error)
        else:
            return note
    if refused:
        raise refused[-1]
    return None


def known_notes(source: BundleJournal, journal: Path, stream: Stream) -> list[SignedNote]:
    """The checkpoints of a stream: next to its journal, a cosigned one first, and the last one within it."""
    with exit_on_misread(journal):
        return [*_notes_beside(source, journal, stream), *source.notes.get(stream, [])[-1:]]


def stored_notes(source: BundleJournal, journal: Path, stream: Stream) -> list[SignedNote]:
    """Every checkpoint of a stream, next to its journal and within it; `UnreadableNote` if one cannot be read."""
    return [*_notes_beside(source, journal, stream), *source.notes.get(stream, [])]


def _notes_beside(source: BundleJournal, journal: Path, stream: Stream) -> list[SignedNote]:
    from baccarat.cli.journal import companion_file  # noqa: PLC0415

    names = (stream, None) if len(source.streams) == 1 else (stream,)  # of several, one that names none says nothing
    paths = [companion_file(journal, name, ending) for ending in ("cosigned", "checkpoint") for name in names]
    found: list[SignedNote] = []
    for path in paths:
        if path.exists():
            try:
                found.append(read_stored_note(path))
            except UnreadableNote as error:
                raise UnreadableNote(f"{path}: {error}") from None
    return found


def _print_bundle(made: Bundle, output: Path, size: int, *, json: bool) -> None:
    signed = "signed" if made.checkpoint is not None else "unsigned"
    if json:
        fields = {"file": str(output), "bytes": size, "scope": made.scope, "entries": len(made.entries)}
        put_json({**fields, "signed": made.checkpoint is not None})
        return
    put_line((f"{output}", "bold"), f": {made.scope}, {len(made.entries):,} entries, {size:,} bytes, {signed}")
