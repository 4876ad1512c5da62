"""`baccarat journal`: a journal as a log that others can verify: keys, signed checkpoints, proofs, cosignatures."""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import typer

from baccarat.cli.journal_check import check
from baccarat.cli.journal_files import (
    JOURNAL,
    exit_on_misread,
    exit_on_write_error,
    first_stream,
    leaves,
    read_signed,
    read_signer,
    read_verifiers,
)
from baccarat.cli.journal_names import names
from baccarat.cli.option import JSON, flag, option
from baccarat.cli.output import REFUSED, complain, exit_on, fail, put_json, put_line
from baccarat.cli.same_file import keep_sources
from baccarat.house.stream import Stream
from baccarat.record import durable
from baccarat.record.checkpoint import Checkpoint, LogChanged, checkpoint_of, sign_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.key import KeyKind, Signer
from baccarat.record.log import Log
from baccarat.record.note import SignedNote
from baccarat.record.origin import log_name
from baccarat.record.sealed_seed import SealedSeedError, SealingKey
from baccarat.record.tlog_proof import EntryProof
from baccarat.record.witness_ask import CosignOutcome, ask_witness

app = typer.Typer(help="A journal as a log: keys, signed checkpoints, proofs, cosignatures.", no_args_is_help=True)

STREAM = option("--stream", "NAME", "Which stream, such as 'table 1'; not needed if there is only one.")
CHECKPOINT = option("--checkpoint", "FILE", "The checkpoint; by default JOURNAL.checkpoint.")


def companion_file(journal: Path, stream: Stream | None, ending: str) -> Path:
    """A file next to a journal, with its name, and that of the stream if one is given."""
    of = "" if stream is None else f".{quote(stream, safe='')}"
    return journal.with_name(f"{journal.name}{of}.{ending}")


@app.command()
def key(
    file: Path = typer.Argument(..., help="The file of the secret key."),
    new: str | None = option("--new", "NAME", "Make a new key with this name; no file is overwritten."),
    witness: bool = flag("--witness", "With --new, the key of a witness instead of a log."),
    seal: bool = flag("--seal", "Make a key with which a house encrypts its seeds; no file is overwritten."),
    json: bool = JSON,
) -> None:
    """Make a secret key, or show its public key, which others need to check signatures.

    Choose an address of yours and the stream as the name, without spaces: example.org/house/table/1 for the log of
    table 1, or example.org/house for a house that signs all of its streams. Anyone who can read the file can sign.
    Status 2 if the file already exists (--new), cannot be read, or is readable by others.
    Examples: baccarat journal key t1.key --new example.org/house/table/1 · baccarat journal key t1.key > t1.pub ·
    baccarat journal key --seal seal.key
    """
    if seal:
        if new is not None or witness:
            fail("--seal makes another kind of key, without a name, which signs nothing: leave out --new")
        _make_sealing_key(file, json=json)
        return
    if new is None:
        signer = read_signer(file)
    else:
        with exit_on_misread("--new"):
            signer = Signer(new, KeyKind.WITNESS if witness else KeyKind.LOG, secrets.token_bytes(32))
        with exit_on_write_error(file):
            durable.create(file, f"{signer.secret}\n".encode(), mode=0o600)
    public = signer.verifier
    if json:
        whose = "witness" if public.kind is KeyKind.WITNESS else "log"
        put_json({"name": public.name, "id": public.id.hex(), "of": whose, "key": str(public)})
    else:
        _write_bytes(f"{public}\n".encode())


def _make_sealing_key(file: Path, *, json: bool) -> None:
    with exit_on_write_error(file), exit_on(SealedSeedError):
        made = SealingKey.create(file)
    if json:
        put_json({"id": made.id, "of": "seeds", "file": str(file)})
    else:
        put_line(f"{file}: a new key for seeds, {made.id}; without it they are lost, so store a copy elsewhere")


@app.command()
def checkpoint(
    journal: Path = JOURNAL,
    key: Path = option("--key", "FILE", "The secret key of the log.", default=...),
    stream: str | None = STREAM,
    checkpoint: Path | None = CHECKPOINT,
    json: bool = JSON,
) -> None:
    """Sign the number of a journal's records and their root; the signed checkpoint is stored next to it and printed.

    Each stream of a journal is a log of its own, named after the key and the stream: example.org/house/table/1. Every
    record that an earlier checkpoint covers must still be there unchanged, or nothing is signed (status 1). Status 2 if
    the journal, the key or an earlier checkpoint is unreadable.
    Example: baccarat journal checkpoint journal.jsonl --key t1.key
    """
    signer = read_signer(key, KeyKind.LOG)
    of = Stream(stream) if stream is not None else None
    path = checkpoint or companion_file(journal, of, "checkpoint")
    keep_sources(path, [journal, key])
    bare, first = signer, of or first_stream(journal)
    signer = named = bare if first is None else bare.with_name(log_name(bare.verifier.name, first))
    seen: list[tuple[SignedNote, Checkpoint]] = []
    for each in (path, companion_file(journal, of, "cosigned")):
        if each.exists():
            seen.append(read_signed(each, list(dict.fromkeys([bare.verifier, named.verifier]))))
            if seen[-1][1].origin == bare.verifier.name:
                signer = bare  # a log keeps the name under which it began
            if seen[-1][1].origin != signer.verifier.name:
                fail(f"{each}: is a checkpoint of {seen[-1][1].origin}, not of {signer.verifier.name}", REFUSED)
    with exit_on_misread(journal):
        try:
            found = checkpoint_of(signer.verifier.name, leaves(journal, of), seen=[old for _, old in seen])
        except LogChanged as error:
            fail(f"{journal}: {error}; nothing is signed", REFUSED)
    if stream is not None and not found.size:
        fail(f"{journal}: it has no stream {stream!r}")
    same = next((note for note, old in seen if old == found), None)
    note = same or sign_checkpoint(found, signer)
    with exit_on_write_error(path):
        durable.replace(path, bytes(note))
    if json:
        put_json(
            {**_checkpoint_data(found), "new": same is None, "file": str(path), "checkpoint": bytes(note).decode()}
        )
    else:
        _write_bytes(bytes(note))


@app.command()
def prove(
    journal: Path = JOURNAL,
    record: int | None = option("--record", "N", "Prove that this record, counted from 0, is in it."),
    since: int | None = option("--since", "SIZE", "Prove that it grew from its first SIZE records."),
    stream: str | None = STREAM,
    checkpoint: Path | None = CHECKPOINT,
    json: bool = JSON,
) -> None:
    """Prove to someone who has only the checkpoint that a record is in the journal, or that the journal only grew.

    With --record the proof is one text (C2SP tlog-proof) with the checkpoint; with --since it is one line per hash.
    Status 1 if the journal does not match its checkpoint or has no such record, 2 if something is unreadable.
    Examples: baccarat journal prove journal.jsonl --record 17 · baccarat journal prove journal.jsonl --since 12
    """
    if (record is None) == (since is None):
        fail("nothing to prove: give --record N, or --since SIZE")
    of = Stream(stream) if stream is not None else None
    note, stated = read_signed(checkpoint or companion_file(journal, of, "checkpoint"))
    log = _log_for_checkpoint(journal, of, stated)
    with exit_on(ValueError, where=journal, status=REFUSED):
        if record is not None:
            _prove_record(log, record, note, stated, json=json)
        elif since is not None:
            _prove_growth(log, since, note, stated, json=json)


def _prove_record(log: Log, index: int, note: SignedNote, stated: Checkpoint, *, json: bool) -> None:
    proof = EntryProof(index, log.prove_inclusion(index, stated.size), note)
    if json:
        hashes = [to_base64(each) for each in proof.path]
        put_json({**_checkpoint_data(stated), "record": index, "proof": hashes, "checkpoint": bytes(note).decode()})
    else:
        _write_bytes(bytes(proof))


def _prove_growth(log: Log, old: int, note: SignedNote, stated: Checkpoint, *, json: bool) -> None:
    hashes = [to_base64(each) for each in log.prove_consistency(old, stated.size)]
    if json:
        since = {"since": old, "old_root": to_base64(log.root(old))}
        put_json({**_checkpoint_data(stated), **since, "proof": hashes, "checkpoint": bytes(note).decode()})
    else:
        _write_bytes("".join(f"{each}\n" for each in hashes).encode())


@app.command()
def cosign(
    journal: Path = JOURNAL,
    folder: Path = option("--folder", "FOLDER", "Where requests and answers are exchanged.", default=...),
    witness: str = option("--witness", "KEY", "The witness's public key, or a file with it.", default=...),
    wait: int = option("--wait", "SECONDS", "How long to wait for an answer.", default=0, min=0, max=86_400),
    stream: str | None = STREAM,
    checkpoint: Path | None = CHECKPOINT,
    json: bool = JSON,
) -> None:
    """Ask a witness to cosign the checkpoint of a journal, and store its answer.

    The witness reads the folder when it runs (baccarat witness). Its cosignature is checked and stored with the
    checkpoint in JOURNAL.cosigned. Status 0 if it is cosigned, or requested without waiting; 1 if the witness
    refuses, its cosignature is wrong or none came in time; 2 if something is unreadable.
    Example: baccarat journal cosign journal.jsonl --folder exchange --witness surveillance.pub
    """
    keys = read_verifiers([witness], KeyKind.WITNESS)
    if len(keys) != 1:
        fail(f"--witness: expected one key, not {len(keys)}")
    if not folder.is_dir():
        fail(f"{folder}: is not a folder")
    of = Stream(stream) if stream is not None else None
    note, stated = read_signed(checkpoint or companion_file(journal, of, "checkpoint"))
    log = _log_for_checkpoint(journal, of, stated)
    kept = companion_file(journal, of, "cosigned")
    last = read_signed(kept)[0] if kept.exists() else None
    until = time.monotonic() + wait
    while True:
        with exit_on_misread(folder):
            asked = ask_witness(folder, log, note, keys[0], last)
        if asked.state != "asked" or time.monotonic() >= until:
            break
        time.sleep(0.2)
    if asked.note is not None:
        with exit_on_write_error(kept):
            durable.replace(kept, bytes(asked.note))
    _print_outcome(asked, stated, json=json)
    if asked.state == "refused" or (asked.state == "asked" and wait):
        raise typer.Exit(REFUSED)


def _print_outcome(asked: CosignOutcome, stated: Checkpoint, *, json: bool) -> None:
    if json:
        signed = None if asked.note is None else bytes(asked.note).decode()
        put_json({**_checkpoint_data(stated), "state": asked.state, "say": asked.say, "checkpoint": signed})
    elif asked.note is not None:
        _write_bytes(bytes(asked.note))
    elif asked.state == "refused":
        complain(asked.say)
    else:
        put_line(asked.say)


def _log_for_checkpoint(journal: Path, stream: Stream | None, stated: Checkpoint) -> Log:
    """The log of a journal, which must match its checkpoint."""
    with exit_on_misread(journal):
        log = Log(leaves(journal, stream))
    if log.size < stated.size:
        fail(f"{journal}: it has {log.size} records, but its checkpoint covers {stated.size}", REFUSED)
    if log.root(stated.size) != stated.root:
        fail(f"{journal}: the first {stated.size} records are not those that its checkpoint covers", REFUSED)
    return log


def _checkpoint_data(checkpoint: Checkpoint) -> dict[str, Any]:
    return {"origin": checkpoint.origin, "size": checkpoint.size, "root": to_base64(checkpoint.root)}


def _write_bytes(data: bytes) -> None:
    """Print bytes as they are, to be stored or sent."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


app.command(name="check")(check)
app.command(name="names")(names)
