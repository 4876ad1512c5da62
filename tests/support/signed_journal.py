"""Journals that a forger has rewritten and signed, and what the program says to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from typer.testing import CliRunner, Result

from baccarat.cli import app
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.record.journal import BODY_START, write_line, write_note
from baccarat.record.key import Signer, Verifier
from baccarat.record.note import Signature, SignedNote
from bundles import LOG, NOON, STREAM, WITNESS

Record = dict[str, Any]


def records_of(data: bytes) -> list[Record]:
    """The bodies of a journal's entries."""
    return [json.loads(line[BODY_START:-2]) for line in data.splitlines(keepends=True)]


def rewritten(records: list[Record]) -> bytes:
    """A journal of these entries, with every hash that a forger can make."""
    lines, before = [], NO_HASH
    for record in records:
        body = msgspec.json.encode(record, order="sorted")
        before = hash_after(before, body)
        lines.append(write_line(body, before))
    return b"".join(lines)


def signed_by(data: bytes, *sizes: int, signer: Signer = LOG, origin: str = "", cosigned: bool = True) -> bytes:
    """A journal in which these many entries are signed, and cosigned, each where it has that size."""
    lines = data.splitlines(keepends=True)
    bodies = [line[BODY_START:-2] for line in lines]
    made: list[bytes] = []
    for index, line in enumerate(lines, start=1):
        made.append(line)
        if index in sizes:
            name = origin or signer.verifier.name
            note = sign_checkpoint(checkpoint_of(name, bodies[:index]), signer.with_name(name))
            made.append(write_note(with_cosignature(note) if cosigned else note, STREAM))
    return b"".join(made)


def with_cosignature(note: SignedNote, witness: Signer = WITNESS, at: int = NOON // 1_000_000) -> SignedNote:
    """A checkpoint that a witness has cosigned."""
    key = witness.verifier
    return note.with_signatures(Signature(key.name, key.id, witness.cosign(note.text, time=at)))


def answer(tmp_path: Path, data: bytes, *keys: Verifier, verb: str = "verify") -> tuple[int, str]:
    """The status of a verb for a journal, and everything that it says."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(data)
    done = cli(verb, str(path), *(word for key in keys for word in ("--key", str(key))))
    return done.exit_code, " ".join((done.stdout + done.stderr).split())


def cli(*words: str) -> Result:
    """The program, run here; whatever happens, never a trace."""
    done = CliRunner().invoke(app, [*words], env={"COLUMNS": "400"})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done
