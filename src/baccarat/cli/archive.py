"""`baccarat archive`: a closed shoe or a day of a house as files that stay verifiable without the house."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from baccarat.cli.backup import DB, store_path
from baccarat.cli.bundle import KEYS, ONE_DAY, ONE_SHOE, known_notes, read_source, scope_of
from baccarat.cli.journal_files import exit_on_write_error, read_verifiers
from baccarat.cli.option import JSON, option
from baccarat.cli.output import REFUSED, complain, exit_on, fail, put_json, put_line
from baccarat.house.stream import Stream, table_stream
from baccarat.record import durable
from baccarat.record.key import KeyKind, Verifier

if TYPE_CHECKING:
    from baccarat.audit.bundle.form import Bundle, Scope
    from baccarat.audit.bundle.make import BundleJournal
    from baccarat.serve.store.base import StoredHead

JOURNAL, BUNDLE, CHECKPOINT, KEY = "house.jsonl", "bundle.json", "checkpoint", "keys.pub"


def archive(
    folder: Path = typer.Argument(..., metavar="FOLDER", help="A new folder; it must not exist yet."),
    db: str = DB,
    table: str | None = option("--table", "NAME", "The table; not needed if there is only one."),
    shoe: int | None = ONE_SHOE,
    day: str | None = ONE_DAY,
    after: Path | None = option("--after", "FOLDER", "An earlier archive of the same house, for shoes dropped since."),
    key: list[str] = KEYS,
    json: bool = JSON,
) -> None:
    """Export a closed shoe, a day or a whole table from a house, running or not, as files that anyone can check.

    FOLDER gets the house's journal with its checkpoints (house.jsonl), the bundle with its proofs (bundle.json), the
    signed checkpoint that covers it, and the public keys; the bundle is verified before the folder gets its name. With
    --key, the house's public key, signatures are checked too. A practice house drops old shoes: a table that has
    dropped some is left out, unless --after names an earlier archive. Status 1 if there is no such table, shoe or
    day, if it was dropped, if no checkpoint covers it, or if a check fails; 2 if the house cannot be read or the folder
    already exists.
    Example: baccarat archive --db club/house.db archived --table ma-midi-4
    """
    source = store_path(db)
    if folder.exists():
        fail(f"{folder}: already exists; an archive is never overwritten")
    made = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    with exit_on_write_error(made):
        made.mkdir(parents=True)
    try:
        left_out = _write_journal(source, made / JOURNAL, None if after is None else after / JOURNAL)
        if table is not None and table_stream(table) in left_out:
            _fail_dropped(table, left_out[table_stream(table)])
        found = _make_verified_bundle(made, key, shoe=shoe, day=day, table=table)
        with exit_on_write_error(folder):
            made.rename(folder)
            durable.sync_folder(folder.resolve().parent)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    signed = found.checkpoint is not None
    if json:
        fields = {"folder": str(folder), "scope": found.scope, "entries": len(found.entries), "signed": signed}
        put_json({**fields, "left_out": list(left_out)})
    else:
        for name in left_out:
            complain(f"{name} is left out: the house has dropped its first shoes")
        how = "signed" if signed else "not signed"
        put_line(f"{folder}: {found.scope}, {len(found.entries):,} entries, {how}; verified")


def _write_journal(source: Path, path: Path, earlier: Path | None) -> dict[Stream, int]:
    """Write every stream that can be written from its beginning; what was dropped is taken from an earlier journal.

    Returns the streams that are left out, each with its first entry that is stored.
    """
    from baccarat.serve.runtime.backup import open_reads  # noqa: PLC0415
    from baccarat.serve.store.base import NOT_BEGUN, StoreError  # noqa: PLC0415
    from baccarat.serve.store.journal_export import dropped_streams, signed_journal  # noqa: PLC0415

    had, noted = _ends_of(earlier) if earlier is not None else ({}, {})
    with exit_on(StoreError), open_reads(source) as reads, path.open("xb") as file:
        heads, dropped = reads.heads(), dropped_streams(reads)
        left_out = {stream: first for stream, first in dropped.items() if stream not in had}
        for stream, head in had.items():
            if head.seq > heads.get(stream, NOT_BEGUN).seq:
                fail(f"{earlier}: {stream} ends with entry {head.seq}, which the house does not have", REFUSED)
            if head.seq + 1 < dropped.get(stream, 0):
                between = f"{head.seq + 1} to {dropped[stream] - 1}"
                fail(f"{earlier}: {stream} ends with entry {head.seq}, and the house has dropped {between}", REFUSED)
        if earlier is not None:
            with earlier.open("rb") as before:
                shutil.copyfileobj(before, file)
        file.writelines(signed_journal(reads, after=had, noted=noted, without=left_out))
        file.flush()
        os.fsync(file.fileno())
    return left_out


def _ends_of(journal: Path) -> tuple[dict[Stream, StoredHead], dict[Stream, int]]:
    """How far an earlier journal goes: the last entry of each stream, and the size of its last checkpoint."""
    from baccarat.record.checkpoint import read_checkpoint  # noqa: PLC0415
    from baccarat.serve.store.base import StoredHead  # noqa: PLC0415

    source = read_source(journal)
    lines = {stream: found[-1] for stream, found in source.streams.items()}
    heads = {stream: StoredHead(seq=line.entry.seq, hash=line.hash) for stream, line in lines.items()}
    return heads, {Stream(name): read_checkpoint(notes[-1]).size for name, notes in source.notes.items()}


def _fail_dropped(table: str, first: int) -> NoReturn:
    fail(
        f"--table: {table} has dropped its first shoes (before entry {first}), so nothing can be proved about it. "
        "If an earlier archive exists, name it with --after",
        REFUSED,
    )


def _make_verified_bundle(
    made: Path, key: list[str], *, shoe: int | None, day: str | None, table: str | None
) -> Bundle:
    """Make the bundle, with its checkpoint and keys next to it, and verify it."""
    from baccarat.audit.bundle.form import write_bundle  # noqa: PLC0415
    from baccarat.audit.bundle.make import NoBundle, make_bundle  # noqa: PLC0415
    from baccarat.audit.bundle.verification import verify_bundle  # noqa: PLC0415
    from baccarat.record.policy import policy_of_keys  # noqa: PLC0415

    source = read_source(made / JOURNAL)
    scope = scope_of(source, shoe=shoe, round_=None, day=day, table=table)
    keys = [_stream_key(each, scope.stream) for each in read_verifiers(key or [])]
    with exit_on(NoBundle, where=_name(scope, source), status=REFUSED):
        note = next(iter(known_notes(source, made / JOURNAL, scope.stream)[::-1]), None)
        bundle = make_bundle(source, scope, note=note, keys=keys)
    verdict = verify_bundle(bundle, policy=policy_of_keys(keys))
    wrong = [check.say for check in verdict.checks if check.state == "wrong"]
    if wrong:
        fail(f"what would be archived does not verify: {wrong[0]}", REFUSED)
    parts = {BUNDLE: write_bundle(bundle), KEY: "".join(f"{each}\n" for each in keys).encode()}
    if note is not None:
        parts[CHECKPOINT] = bytes(note)
    for name, data in parts.items():
        if data:
            durable.create(made / name, data, mode=0o644)
    return bundle


def _stream_key(key: Verifier, stream: Stream) -> Verifier:
    """A house has one key and signs each stream under a name of its own: the key under that name."""
    from baccarat.record.origin import origin_of  # noqa: PLC0415

    return Verifier(origin_of(key.name, stream), key.kind, key.public) if key.kind is KeyKind.LOG else key


def _name(scope: Scope, source: BundleJournal) -> str:
    return f"{scope.stream} of {len(source.streams)} streams"
