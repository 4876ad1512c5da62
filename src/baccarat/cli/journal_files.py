"""Files of a log as a person names them: journals, keys, checkpoints; a clear message if one is something else."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from baccarat.cli.option import option
from baccarat.cli.output import REFUSED, exit_on, fail
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.checkpoint_memory import CheckpointMemory, UnreadableCheckpointMemory
from baccarat.record.journal import JournalFault, NoteLine
from baccarat.record.journal_file import read_journal
from baccarat.record.key import KeyKind, MissingCryptography, Signer, UnreadableKey, Verifier
from baccarat.record.note import SignedNote, UnreadableNote, UntrustedNote, read_note
from baccarat.record.policy import Policy, UnreadablePolicy, policy_of_keys, read_policy
from baccarat.record.share import SECOND_LINE, ShareSigner
from baccarat.record.witness_folder import read_at_most

RECEIPTS = option("--receipt", "FILE", "A receipt of one entry; a log without that entry is wrong. Repeatable.")
JOURNAL = typer.Argument(..., help="A journal: one record per line.")
LONGEST_KEYS = 1_000_000
"""Of a file of keys or a policy: it is read whole or not at all, or the reader would ask for less than it says."""
KEY_OWNERS = {KeyKind.LOG: "a log", KeyKind.WITNESS: "a witness"}


def leaves(journal: Path, stream: Stream | None = None) -> Iterator[bytes]:
    """The canonical bodies of a stream's entries, in order; the log is over these.

    The chain of hashes is checked on the way. Without a name, the journal must have one stream.
    """
    wanted = stream
    for line in read_journal(journal):
        if isinstance(line, NoteLine):
            continue
        wanted = wanted or line.entry.stream
        if line.entry.stream == wanted:
            yield line.body
        elif stream is None:
            fail(f"{journal}: it has several streams, {wanted} and {line.entry.stream}: choose one with --stream")


def first_stream(journal: Path) -> Stream | None:
    """The stream of a journal's first entry; None if it has none, and exits with a message if it cannot be read."""
    with exit_on_misread(journal):
        first = next((line for line in read_journal(journal) if not isinstance(line, NoteLine)), None)
    return None if first is None else first.entry.stream


@contextmanager
def exit_on_misread(what: Path | str) -> Iterator[None]:
    """Ends the program with a clear message if an input is not what it should be."""
    try:
        yield
    except UntrustedNote as error:
        fail(f"{what}: {error}", REFUSED)
    except (UnreadableNote, UnreadableKey, UnreadablePolicy, JournalFault) as error:
        fail(f"{what}: {error}")
    except MissingCryptography as error:
        fail(str(error))
    except OSError as error:
        fail(f"{what}: cannot be read: {error.strerror}")


@contextmanager
def exit_on_write_error(path: Path) -> Iterator[None]:
    """Ends the program with a clear message if a file cannot be written."""
    try:
        yield
    except FileExistsError:
        fail(f"{path}: already exists and is not overwritten")
    except OSError as error:
        fail(f"{path}: cannot be written: {error.strerror}")


def read_signer(path: Path, kind: KeyKind | None = None) -> Signer:
    """The secret key in a file that no other user may read; with `kind`, of that kind.

    A witness's share key has a second line, which is not needed here.
    """
    with exit_on_misread(path):
        signer = Signer.parse(_secret_text(path).partition(f"\n{SECOND_LINE}")[0])
    if kind is not None and signer.verifier.kind is not kind:
        fail(f"{path}: is the key of {KEY_OWNERS[signer.verifier.kind]}; expected that of {KEY_OWNERS[kind]}")
    return signer


def read_share_signer(path: Path) -> ShareSigner:
    """The share key in a file that no other user may read."""
    with exit_on_misread(path):
        return ShareSigner.parse(_secret_text(path))


def _secret_text(path: Path) -> str:
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        fail(f"{path}: is not a file")
    if os.name != "nt" and found.st_mode & 0o077:
        fail(f"{path}: other users can read or change this secret key; prevent that with: chmod 600 {path}")
    return _read_stripped(path)


def read_verifiers(said: Sequence[str], kind: KeyKind | None = None) -> list[Verifier]:
    """Public keys as given: each as its text, or as a file that holds some, one per line; of one kind, or any."""
    found: list[Verifier] = []
    for each in said:
        path = Path(each)
        is_file = len(each) < 1000 and "\0" not in each and path.is_file()
        if not is_file and "+" not in each:
            fail(f"{each}: is neither a file nor a public key")
        with exit_on_misread(each):
            rows = _read_stripped(path).splitlines() if is_file else [each]
            found += [Verifier.parse(row.strip()) for row in rows if row.strip() and not row.startswith("#")]
    for key in found:
        if kind is not None and key.kind is not kind:
            fail(f"{key.name}: is the key of {KEY_OWNERS[key.kind]}; expected that of {KEY_OWNERS[kind]}")
    return list(dict.fromkeys(found))


def read_reader_policy(keys: Sequence[str], policy: Path | None) -> Policy:
    """Whose signatures a person requires: those of the keys given one by one, or what a policy file says."""
    if policy is None:
        return policy_of_keys(read_verifiers(keys))
    if keys:
        fail("--policy names the keys; it cannot be combined with --key")
    with exit_on_misread(policy):
        return read_policy(_read_text(policy))


def read_checkpoint_memory(path: Path) -> CheckpointMemory:
    """What a person remembers of logs; nothing if there is no file yet."""
    with exit_on_misread(path), exit_on(UnreadableCheckpointMemory, where=path):
        return CheckpointMemory.read(path)


def read_stored_note(path: Path) -> SignedNote:
    """The checkpoint in a file; `UnreadableNote` if it holds none, `OSError` if there is no such file."""
    note = read_note(read_at_most(path))
    read_checkpoint(note)
    return note


def read_signed(path: Path, known: Sequence[Verifier] | None = None) -> tuple[SignedNote, Checkpoint]:
    """The checkpoint in a file; with `known`, it must be signed by one of these keys."""
    with exit_on_misread(path):
        note = read_stored_note(path)
        if known is not None:
            note.verified_signatures(known)
    return note, read_checkpoint(note)


def _read_stripped(path: Path) -> str:
    return _read_text(path).strip()


def _read_text(path: Path) -> str:
    data = read_at_most(path, LONGEST_KEYS)
    if len(data) > LONGEST_KEYS:
        raise UnreadableKey(f"more than {LONGEST_KEYS:,} bytes; a file of keys or a policy has at most that")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UnreadableKey("not UTF-8; expected a key as text") from None
