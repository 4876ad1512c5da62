"""The pending batch, and the journal that goes into it: both run ahead of the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from baccarat.engine.entries import AnyCommand, EnteredAct, SignerOfStream
from baccarat.house.stream import Stream, is_table_stream
from baccarat.record.checkpoint import Checkpoint, sign_checkpoint
from baccarat.record.entry import MOST_BYTES, ActRecord, Entry, FoldedRefusals, body_of, hash_after
from baccarat.record.journal import StreamHead
from baccarat.record.journal_file import TooLong
from baccarat.record.log import Frontier
from baccarat.record.note import SignedNote
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.store.base import Batch, CheckpointRow, NameRow, NewSnapshot, Row, SealedRow, Statement, StoredEntry
from baccarat.table.actor import Envelope


class Misdirected(Exception):  # noqa: N818
    """Tables are served by other nodes; nothing was entered here. `needed` are all the tables of the act."""

    def __init__(self, streams: Sequence[Stream], *, needed: Sequence[Stream]) -> None:
        super().__init__(f"{', '.join(streams)}: served by another node")
        self.streams, self.needed = tuple(streams), tuple(needed)


class Superseded(EnteredAct, frozen=True):
    """A command without an outcome: another node has changed what it depended on. Its sender plans again."""


class PendingAct(msgspec.Struct):
    """A command that was decided and is not on disk yet: its outcome may still change."""

    stream: Stream
    command: AnyCommand
    envelope: Envelope
    statements: Sequence[Statement]
    run: int
    """The run of a shared Must Hit whose trigger this seals, which the command does not say; otherwise 0."""
    entered: EnteredAct
    """Its outcome, as far as is known now."""
    is_answered: bool = False
    """Whether a refusal that is only counted is answered: it may be before anything else of the batch is stored."""
    is_counted: bool = False
    """Whether it is counted once answered, if it is still part of a flood of refusals then."""

    @property
    def is_guarded(self) -> bool:
        """Whether it is stored only if statements of its own find what they expect, such as an open proposal."""
        return any(each.changes is not None for each in self.statements)


class PendingBatch:
    """What is to be stored together: everything that is done in one turn of the loop."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.snapshot: NewSnapshot | None = None
        self.checkpoints: list[CheckpointRow] = []
        self.seals: list[SealedRow] = []
        self.names: list[NameRow] = []
        self.settings: dict[str, str] = {}
        self.statements: list[Statement] = []
        self.derived: list[Statement] = []
        """Statements that follow from the rows, and are made again if those are decided again."""
        self.epochs: dict[Stream, int] = {}
        self.rests_on: dict[Stream, int] = {}
        self.folds: list[tuple[Stream, FoldedRefusals]] = []
        """Counts of refusals, whose records are among the rows."""
        self.acts: list[PendingAct] = []
        """What was decided for this batch, in order."""

    def is_empty(self) -> bool:
        """Whether there is nothing to store."""
        if self.rows:
            return False
        parts = (self.seals, self.names, self.statements, self.derived, self.settings, self.checkpoints)
        return not any(parts) and self.snapshot is None

    def carry_over(self, refused: PendingBatch) -> None:
        """Take over everything of another batch except the rows and what follows from them."""
        self.seals[:0] = refused.seals
        self.names[:0] = refused.names
        self.statements[:0] = refused.statements
        self.settings = refused.settings | self.settings

    def batch(self) -> Batch:
        """The batch in the form of the store."""
        return Batch(
            rows=self.rows,
            epochs=self.epochs,
            read_set=self.rests_on,
            snapshot=self.snapshot,
            checkpoints=self.checkpoints,
            seals=self.seals,
            names=self.names,
            settings=self.settings,
            statements=[*self.statements, *self.derived],
        )


class JournalHeads:
    """The streams of a house as they will be on disk when the writer has caught up."""

    def __init__(
        self,
        writer: GroupCommitter[PendingBatch],
        heads: Mapping[Stream, StreamHead],
        logs: Mapping[Stream, Frontier],
        signed: Mapping[Stream, int],
        extensions: Callable[[Stream], tuple[str, ...]] = lambda _stream: (),
        *,
        latest_at: int = 0,
    ) -> None:
        self.writer = writer
        self.heads: dict[Stream, StreamHead] = dict(heads)
        self.logs: dict[Stream, Frontier] = dict(logs)
        self._signed: dict[Stream, int] = dict(signed)
        self._extensions = extensions
        """The lines that the checkpoints of a stream have below its root."""
        self.epochs: dict[Stream, int] = {}
        """The epoch in which this node owns each stream; empty if one process has the whole store."""
        self.is_divided = False
        """Whether each table belongs to one of several nodes."""
        self.leaving: set[str] = set()
        """Tables that are about to move to another node: nothing new is decided there."""
        self.count = 0
        """How many entries were appended since the last snapshot."""
        self.latest_at = latest_at
        """The latest time on record, in microseconds: a clock that was set back may be before it."""

    def head(self, stream: Stream) -> StreamHead:
        """The head of a stream; an unknown stream has not begun."""
        return self.heads.get(stream) or StreamHead()

    def append(self, *entries: Entry) -> None:
        """Add entries that belong together to the batch: all of them, or none if one is too long."""
        rows, heads = list[Row](), dict[Stream, StreamHead]()
        for entry in entries:
            stream, seq = entry.stream, entry.seq
            body, head = body_of(entry), heads.get(stream) or self.head(stream)
            if len(body) > MOST_BYTES:
                raise TooLong(f"the entry has {len(body):,} bytes; a journal holds {MOST_BYTES:,} at most")
            assert seq == head.seq + 1, f"{stream} {seq} cannot follow {head.seq}"
            self.latest_at = max(self.latest_at, entry.at)
            after = hash_after(head.hash, body)
            if isinstance(entry, ActRecord):
                events, id_ = head.events + len(entry.events), entry.id
                rows.append(Row(stream, seq, body, after, events, id_, (entry.who or "") if id_ else ""))
                heads[stream] = StreamHead(seq, events, after, head.opening)
            else:
                rows.append(Row(stream, seq, body, after, 0))
                heads[stream] = StreamHead(seq, 0, after, entry)
        self.heads.update(heads)
        batch, epochs = self.writer.batch, self.epochs
        for row in rows:
            log = self.logs.get(row.stream)
            if log is None:
                log = self.logs[row.stream] = Frontier()
            log.append(row.body)
            if row.stream in epochs:
                batch.epochs[row.stream] = epochs[row.stream]
        batch.rows += rows
        self.count += len(rows)
        self.writer.stage()

    def divide(self) -> None:
        """From now on each table belongs to one of several nodes.

        Before, while the house is founded, nobody owns a table yet, and this node has the store to itself.
        """
        self.is_divided = True

    def read_from(self, streams: Iterable[Stream]) -> None:
        """Note the streams that the decision only reads: they must not have grown when it is stored."""
        for stream in streams:
            self.writer.batch.rests_on.setdefault(stream, self.head(stream).seq)

    def owns(self, stream: Stream) -> bool:
        """Whether something new may be decided at a table here."""
        return stream in self.epochs and stream not in self.leaving

    def serves(self, stream: Stream) -> bool:
        """Whether this process decides at a table: at all of them if it has the whole store."""
        return not self.is_divided or self.owns(stream)

    def may_enter(self, stream: Stream) -> bool:
        """Whether something decided here before may still be entered at a table."""
        return not self.is_divided or stream in self.epochs

    def check_owned(self, entries: Sequence[Entry], *, is_new: bool) -> None:
        """`Misdirected` if entries are for tables that other nodes have.

        What was decided before a table began to move away may still be decided again here.
        """
        if not self.is_divided:
            return
        tables = list(dict.fromkeys(entry.stream for entry in entries if is_table_stream(entry.stream)))
        missing = [each for each in tables if not (self.owns(each) if is_new else each in self.epochs)]
        if missing:
            raise Misdirected(missing, needed=tables)

    def apply_remote(self, entries: Sequence[StoredEntry], heads: Mapping[Stream, StreamHead]) -> None:
        """Apply entries that another node has written, and the heads after them."""
        for entry in entries:
            self.heads[entry.stream] = heads[entry.stream]
            self.logs.setdefault(entry.stream, Frontier()).append(entry.body)

    def roll_back(self, heads: Mapping[Stream, StreamHead], logs: Mapping[Stream, Frontier]) -> None:
        """Return to the state on disk: acts that ran ahead of it are decided again."""
        self.heads = dict(heads)
        self.logs = {stream: Frontier.from_edge(log.size, log.edge) for stream, log in logs.items()}
        self._signed = {stream: min(size, self.logs[stream].size) for stream, size in self._signed.items()}

    def sign_grown(self, signers: SignerOfStream, *, tables: bool = True) -> list[SignedNote]:
        """Sign every stream that has grown since its last checkpoint and has a signer; with or without the tables."""
        notes = list[SignedNote]()
        for stream, log in self.logs.items():
            if (tables or not is_table_stream(stream)) and log.size > self._signed.get(stream, 0):
                notes += self.sign(stream, signers)
        return notes

    def sign(self, stream: Stream, signers: SignerOfStream) -> list[SignedNote]:
        """Sign the size and the root of a stream; nothing if it has no signer."""
        signer, log = signers(stream), self.logs[stream]
        if signer is None:
            return []
        name, more = signer.verifier.name, self._extensions(stream)
        note = sign_checkpoint(Checkpoint(origin=name, size=log.size, root=log.root(), extensions=more), signer)
        self.writer.batch.checkpoints.append(CheckpointRow(stream, log.size, bytes(note), b"".join(log.edge)))
        self._signed[stream] = log.size
        self.writer.stage()
        return [note]
