"""A batch that is being gathered, and the journal that goes into it: both run ahead of the disk."""

from __future__ import annotations

from collections.abc import Mapping

from baccarat.record.checkpoint import Checkpoint, sign_checkpoint
from baccarat.record.entry import MOST_BYTES, Entry, Record, body_of, hash_after
from baccarat.record.journal import Head
from baccarat.record.journal_file import TooLong
from baccarat.record.keeping import Signers
from baccarat.record.log import Frontier
from baccarat.record.note import Note
from baccarat.serve.store.base import Batch, CheckpointRow, NameRow, NewSnapshot, Row, SealedRow, Statement
from baccarat.serve.writer import Writer


class Gathering:
    """What is to be stored together, added to by everything that is done in one turn of the loop."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.snapshot: NewSnapshot | None = None
        self.checkpoints: list[CheckpointRow] = []
        self.seals: list[SealedRow] = []
        self.names: list[NameRow] = []
        self.settings: dict[str, str] = {}
        self.statements: list[Statement] = []

    def is_empty(self) -> bool:
        """Whether there is nothing to store."""
        parts = (self.rows, self.seals, self.names, self.statements, self.settings, self.checkpoints, self.snapshot)
        return not any(parts)

    def batch(self) -> Batch:
        """As the store takes it."""
        return Batch(
            rows=self.rows,
            snapshot=self.snapshot,
            checkpoints=self.checkpoints,
            seals=self.seals,
            names=self.names,
            settings=self.settings,
            statements=self.statements,
        )


class LiveJournal:
    """The streams of a house as they will be on the disk when the writer has caught up."""

    def __init__(
        self,
        writer: Writer[Gathering],
        heads: Mapping[str, Head],
        logs: Mapping[str, Frontier],
        signed: Mapping[str, int],
    ) -> None:
        self.writer = writer
        self.heads: dict[str, Head] = dict(heads)
        self.logs: dict[str, Frontier] = dict(logs)
        self._signed: dict[str, int] = dict(signed)
        self.count = 0
        """How many entries were appended since the last snapshot."""

    def head(self, stream: str) -> Head:
        """How far a stream has come; one that is not there has not begun."""
        return self.heads.get(stream) or Head()

    def append(self, *entries: Entry) -> None:
        """Add entries that belong together to the batch: all of them, or none if one is too long."""
        rows, heads = list[Row](), dict[str, Head]()
        for entry in entries:
            stream = entry.stream
            body, head = body_of(entry), heads.get(stream) or self.head(stream)
            if len(body) > MOST_BYTES:
                raise TooLong(f"the entry has {len(body):,} bytes; a journal holds {MOST_BYTES:,} at most")
            assert entry.seq == head.seq + 1, f"{stream} {entry.seq} cannot follow {head.seq}"
            after = hash_after(head.hash, body)
            if isinstance(entry, Record):
                events = head.events + len(entry.events)
                rows.append(
                    Row(stream, entry.seq, body, after, events, entry.id, (entry.who or "") if entry.id else "")
                )
                heads[stream] = Head(seq=entry.seq, events=events, hash=after, opening=head.opening)
            else:
                rows.append(Row(stream, entry.seq, body, after, 0))
                heads[stream] = Head(seq=entry.seq, events=0, hash=after, opening=entry)
        self.heads.update(heads)
        for row in rows:
            log = self.logs.get(row.stream)
            if log is None:
                log = self.logs[row.stream] = Frontier()
            log.append(row.body)
        self.writer.batch.rows += rows
        self.count += len(rows)
        self.writer.added()

    def sign_grown(self, signers: Signers) -> list[Note]:
        """Sign every stream that has grown since its last checkpoint and has a signer."""
        notes = list[Note]()
        for stream, log in self.logs.items():
            if log.size > self._signed.get(stream, 0):
                notes += self.sign(stream, signers)
        return notes

    def sign(self, stream: str, signers: Signers) -> list[Note]:
        """Sign how many entries a stream has, and their root; nothing where nobody signs it."""
        signer, log = signers(stream), self.logs[stream]
        if signer is None:
            return []
        note = sign_checkpoint(Checkpoint(origin=signer.verifier.name, size=log.size, root=log.root()), signer)
        self.writer.batch.checkpoints.append(CheckpointRow(stream, log.size, bytes(note)))
        self._signed[stream] = log.size
        self.writer.added()
        return [note]
