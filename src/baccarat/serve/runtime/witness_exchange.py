"""The house's side of the witness exchange (C2SP tlog-witness): what it asks, what it accepts, and what it then shows.

A witness cosigns a checkpoint if the log has only grown since the last one that it cosigned. The request is a text of
the specification, which anybody may carry to the witness and bring back the answer. A cosignature is checked against
the configured keys of witnesses, and the cosigned checkpoint is stored next to the house's own.
"""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import Verifier
from baccarat.record.note import Signature, SignedNote, UntrustedNote, read_note
from baccarat.record.witness import AddCheckpointRequest
from baccarat.serve.runtime.stream_log import ProofUnavailable, StreamLog
from baccarat.serve.store.base import CheckpointRow, Reads, Statement
from baccarat.serve.store.row import as_bytes


class CosignatureRejected(Exception):  # noqa: N818
    """Why cosignatures are not accepted."""


def cosigned_notes(reads: Reads, stream: Stream) -> list[SignedNote]:
    """The newest checkpoint that each witness has cosigned, the largest first."""
    rows = reads.read("select note from cosigned where stream = ? order by size desc, witness", (stream,))
    return [read_note(as_bytes(row[0])) for row in rows]


def newest_note(reads: Reads, stream: Stream) -> SignedNote | None:
    """The newest checkpoint, with all cosignatures of exactly this text."""
    row = reads.latest_checkpoint(stream)
    if row is None:
        return None
    note = read_note(row.note)
    for each in cosigned_notes(reads, stream):
        if each.text == note.text:
            own = {(made.name, made.key) for made in note.signatures}
            note = note.with_signatures(*(made for made in each.signatures if (made.name, made.key) not in own))
    return note


def request_for(reads: Reads, stream: Stream, old: int, log: StreamLog | None = None) -> AddCheckpointRequest | None:
    """The request to a witness that knows the first `old` entries; None if nothing is signed.

    `log` is the tree of the stream, where there is one already. `ProofUnavailable` if the newest checkpoint covers
    fewer, or some that it covers are missing.
    """
    row = reads.latest_checkpoint(stream)
    if row is None:
        return None
    if not 0 <= old <= row.size:
        raise ProofUnavailable(f"the newest checkpoint covers {row.size} entries, not {old}")
    proof = (log or StreamLog(stream)).prove_consistency(reads, old=old, size=row.size)
    return AddCheckpointRequest(old, proof, read_note(row.note))


def _checkpoint_at(reads: Reads, stream: Stream, size: int | None) -> CheckpointRow:
    """The checkpoint of a size, or the newest."""
    if size is None:
        found = reads.latest_checkpoint(stream)
    else:
        found = next(iter(reads.checkpoints(stream, after=size - 1, limit=1)), None)
    if found is None or size not in (None, found.size):
        raise CosignatureRejected(
            "nothing of this stream is signed yet" if size is None else f"no {size} entries were signed"
        )
    return found


def accept_cosignature(
    reads: Reads,
    stream: Stream,
    signatures: Sequence[Signature],
    witnesses: Sequence[Verifier],
    *,
    size: int | None = None,
) -> tuple[SignedNote, tuple[Statement, ...]]:
    """The checkpoint of a size, or the newest, with the cosignatures of known witnesses, and what is to be stored.

    More may have been signed since a witness was asked.
    """
    row = _checkpoint_at(reads, stream, size)
    text = read_note(row.note).text
    ours = [each for each in signatures if any(each.is_by(key) for key in witnesses)]
    if not ours:
        raise CosignatureRejected("none of these signatures is by a witness that this house knows")
    made = list[Statement]()
    for key in witnesses:
        by_it = [each for each in ours if each.is_by(key)]
        if not by_it:
            continue
        note = read_note(row.note).with_signatures(by_it[-1])
        try:
            SignedNote(text, (by_it[-1],)).verified_signatures([key])
        except UntrustedNote:
            say = f"the cosignature by {key.name} is not over the checkpoint of {row.size} entries, or is wrong"
            raise CosignatureRejected(say) from None
        sql = (
            "insert into cosigned (stream, witness, size, note) values (?, ?, ?, ?) "
            "on conflict (stream, witness) do update set size = excluded.size, note = excluded.note "
            "where excluded.size >= cosigned.size"
        )
        made.append(Statement(sql, (stream, str(key), row.size, bytes(note))))
    return read_note(row.note).with_signatures(*ours), tuple(made)


def cosigned_note(reads: Reads, stream: Stream, witness: Verifier) -> SignedNote | None:
    """The newest checkpoint that a witness has cosigned under the name that the log has now; None if there is none."""
    rows = reads.read("select note from cosigned where stream = ? and witness = ?", (stream, str(witness)))
    note, newest = read_note(as_bytes(rows[0][0])) if rows else None, reads.latest_checkpoint(stream)
    if note is None or newest is None:
        return note
    return note if read_checkpoint(note).origin == read_checkpoint(read_note(newest.note)).origin else None


def known_size(reads: Reads, stream: Stream, witness: Verifier) -> int:
    """How many entries a witness last cosigned, as far as the house knows."""
    note = cosigned_note(reads, stream, witness)
    return 0 if note is None else read_checkpoint(note).size
