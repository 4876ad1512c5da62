"""One stream of a file in an audit, as far as it has been read: its entries, its signatures, how far it is covered."""

from __future__ import annotations

from collections.abc import Iterator

from baccarat.audit.coverage import NOT_DECIDED, CoverageCollector, StreamCoverage
from baccarat.audit.house_stream import HouseStreams
from baccarat.audit.signature import Signers
from baccarat.audit.table_stream import TableStream
from baccarat.engine.refusal_index import RefusalIndex
from baccarat.house.stream import HOUSE_STREAM, Stream
from baccarat.record.journal import JournalFault, JournalLine, NoteLine
from baccarat.record.key import Verifier
from baccarat.record.policy import Policy

LINES_READ_AHEAD = 128
"""How many lines are read in one go."""


class StreamReading:
    """One stream of a file, as far as it has been read."""

    def __init__(self, policy: Policy) -> None:
        self.policy, self.reach = policy, CoverageCollector(policy)
        self.entries = self.first_at = self.last_at = 0
        self.table: TableStream | None = None
        self.undecided = ""
        """Why nothing of a table can be decided again; empty if it is."""
        self.house: HouseStreams | None = None
        """The house that a stream which is not a table's belongs to, if it is decided again."""
        self.refusals: RefusalIndex | None = None
        self.signers: list[tuple[str, Signers]] = []
        """Of each checkpoint the name of its log, and who has signed it."""
        self.not_shown: list[str] = []
        """What a memory asks for and the stream does not show."""

    def coverage(self, stream: Stream) -> StreamCoverage:
        """How far it is covered."""
        decided, gaps = 0, list[str]()
        if self.table is not None:
            decided = self.table.decided
            gaps = [*self.table.gaps(), *self.table.shuffles.gaps(self.policy)]
        elif self.house is not None:
            decided = self.house.decided_in[stream]
            gaps = [*self.house.gaps()] if stream == HOUSE_STREAM else gaps
        else:
            gaps = [self.undecided or NOT_DECIDED]
        if self.table is None and self.refusals is not None:
            gaps += filter(None, [self.refusals.gap(stream)])
        size, times = self.entries, (self.first_at // 1_000_000, self.last_at // 1_000_000)
        return self.reach.coverage(stream, entries=size, decided=decided, size=size, times=times, gaps=gaps)

    @property
    def unused_keys(self) -> frozenset[Verifier]:
        """The keys that were given and have signed nothing of it."""
        return self.reach.unused_keys(() if self.table is None else self.table.shuffles.share_keys)


def read_ahead(lines: Iterator[JournalLine | NoteLine]) -> Iterator[JournalLine | NoteLine]:
    """The same lines, read ahead in blocks; all lines before a fault come before it.

    Alternating between reading and deciding, line by line, takes longer: each evicts the other from the CPU's caches.
    """
    read: list[JournalLine | NoteLine] = []
    try:
        for line in lines:
            read.append(line)
            if len(read) >= LINES_READ_AHEAD:
                yield from read
                read = []
    except JournalFault:
        yield from read
        raise
    yield from read
