"""A table that keeps a journal: a command is decided, written to disk, and only then answered.

A command's id takes effect at most once, for ever: a repeat gets the answer that is in the journal, and the same id
with anything else is refused (`idempotency_index.py`). A person's refusals are entered too, so a repeat of a refused
command gets the same answer. `entries.py` says what is entered of a command, and in which steps.

With a directory, names and remarks become ids before anything is decided (`directory.py`). Without one, the caller
guarantees that the ids in commands are opaque, and that no remark contains a name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Self, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from baccarat.engine.entries import (
    EnteredAct,
    Journal,
    ReadClock,
    SigningJournal,
    Submitted,
    entries_of,
    is_signing_point,
    opening_of,
    pseudonymise,
    records_of,
)
from baccarat.engine.idempotency_index import Answers, IdempotencyIndex, RecordedAnswer
from baccarat.engine.redecide import redecide
from baccarat.engine.refusal_index import RefusalIndex
from baccarat.house.house import refuse_what_follows
from baccarat.house.state import Decision, StreamEvents
from baccarat.house.stream import Stream
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.record.canonical import canonical
from baccarat.record.directory import Directory
from baccarat.record.entry import NO_BYTES, ActRecord, StreamOpening, read_refusal
from baccarat.record.journal import JournalFault, JournalLine, rules_at
from baccarat.record.key import Signer
from baccarat.record.note import SignedNote
from baccarat.table.actor import Actor, Envelope
from baccarat.table.base import Accepted, Command
from baccarat.table.machine import Table, decide
from baccarat.table.table_cards import ELECTRONIC_CARDS, StatedCards
from baccarat.table.witness_keys import StatedWitnesses

J = TypeVar("J", bound=Journal)


class JournaledTable(Table, Generic[J]):
    """A table whose acts are written to a journal before they are acknowledged."""

    def __init__(  # noqa: PLR0913  what a table is, and where its journal is stored
        self,
        rules: Rulebook,
        file: J,
        stream: Stream,
        *,
        clock: ReadClock = lambda: 0,
        names: Directory | None = None,
        signer: Signer | None = None,
        cards: StatedCards = UNSET,
        witnesses: StatedWitnesses = UNSET,
    ) -> None:
        super().__init__(rules, cards, witnesses)
        self.file, self.stream, self.clock, self.names = file, stream, clock, names
        self._signer = signer
        self._answers = Answers()

    @classmethod
    def begin(  # noqa: PLR0913  the same
        cls,
        rules: Rulebook,
        file: J,
        stream: Stream,
        *,
        clock: ReadClock = lambda: 0,
        names: Directory | None = None,
        signer: Signer | None = None,
        cards: StatedCards = UNSET,
        witnesses: StatedWitnesses = UNSET,
    ) -> Self:
        """A table that is opened now: its first entry names the rules, and says what the table is, and who has a share
        in the orders of an electronic one: nobody, if `witnesses` does not say.

        A signer signs at the end of every round.
        """
        witnesses = () if witnesses is UNSET and cards in ELECTRONIC_CARDS else witnesses
        file.append(opening_of(rules, stream, at=clock(), cards=cards, witnesses=witnesses))
        return cls(rules, file, stream, clock=clock, names=names, signer=signer, cards=cards, witnesses=witnesses)

    @classmethod
    def resume(
        cls,
        file: J,
        lines: Iterable[JournalLine],
        *,
        clock: ReadClock = lambda: 0,
        names: Directory | None = None,
        signer: Signer | None = None,
    ) -> Self:
        """A table resumed from the end of its journal; every act in it is decided again, and must agree."""
        coming = iter(lines)
        first = next(coming, None)
        if first is None or not isinstance(first.entry, StreamOpening):
            raise JournalFault(1, "expected the entry that opens a table")
        opening, ids, refusals = first.entry, IdempotencyIndex(), RefusalIndex()
        again = Table(rules_at(first.number, opening), opening.cards, opening.witnesses, opening.reveal_within)
        kept = cls(again.rules, file, opening.stream, clock=clock, names=names, signer=signer)
        for line in coming:
            entry = line.entry
            difference = redecide(again, entry) or (
                (ids.check(entry) or refusals.check(entry)) if isinstance(entry, ActRecord) else None
            )
            if difference is not None:
                raise JournalFault(line.number, difference.say, stream=entry.stream, seq=entry.seq)
            assert isinstance(entry, ActRecord), "only a stream's first entry opens it"
            kept._answers.add(entry)
        kept.rules, kept.state, kept.log = again.rules, again.state, again.log
        return kept

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command and enter it; a refusal changes nothing but is entered too."""
        envelope = Envelope(actor=actor or self.usual_actor(command))
        kept = self.enter(command, envelope)
        return kept.refused or Accepted(kept.events, self.state)

    def enter(self, command: Command, envelope: Envelope) -> EnteredAct:
        """Decide a command and enter it, with the time of the clock if the envelope has none.

        `TooLong` if no entry can hold it.
        """
        command, envelope = pseudonymise(self.names, command, envelope)
        asked = Submitted(self.stream, command, envelope)
        known = asked.answered(self._answers.find)
        if isinstance(known, RecordedAnswer):
            return self._repeat_answer(asked, known.record)
        refused = known or refuse_what_follows(command)  # no verifier accepts it by a command on record
        outcome = refused or decide(self.rules, self.state, command, envelope.actor, self.event_at)
        entries = entries_of(
            asked,
            outcome if isinstance(outcome, Refused) else self._decision(outcome),
            heads=self.file,
            rules_in=lambda _stream: self.rules,
            state_in=lambda _stream: self.state,
            clock=self.clock,
        )
        if not entries:
            assert isinstance(outcome, Refused), "every accepted command is recorded"
            return EnteredAct(None, refused=outcome)
        self.file.append(*entries)  # what is not on the disk has not happened
        (record,) = records_of(entries)
        self._answers.add(record)
        if isinstance(outcome, Refused):
            return EnteredAct(record, refused=outcome)
        self.apply(outcome)
        if self._signer is not None and is_signing_point(outcome.events):
            self.checkpoint()
        return EnteredAct(record, outcome.events)

    def hidden(self, command: Command, envelope: Envelope) -> tuple[Command, Envelope]:
        """A command and its envelope as they are decided and entered: by ids, where there is a directory."""
        return pseudonymise(self.names, command, envelope)

    def as_sent_before(self, command: Command, envelope: Envelope) -> Envelope:
        """The envelope of a command that names nobody: by the person who gave the same command this id before.

        Otherwise it would be by the usual person for this act, who is somebody else once that person has left.
        """
        written = canonical(command)
        for who in self._answers.givers(envelope.id):
            found, actor = self._answers.find(who, envelope.id), replace(envelope.actor, who=who)
            if found is not None and found.is_to(self.stream, written, actor):
                return replace(envelope, actor=actor)
        return envelope

    def checkpoint(self) -> list[SignedNote]:
        """Sign the journal, if it has grown since it was last signed; this needs a signer."""
        signer = self._signer
        assert signer is not None, "a checkpoint needs a signer"
        assert isinstance(self.file, SigningJournal), "this journal cannot hold checkpoints"
        return self.file.sign_grown(lambda stream: signer if stream == self.stream else None)

    def _decision(self, outcome: Accepted) -> Decision:
        after = self.file.head(self.stream).events
        return Decision((StreamEvents(stream=self.stream, after=after, events=outcome.events),))

    def _repeat_answer(self, asked: Submitted, record: ActRecord) -> EnteredAct:
        """The answer that a command had when it was sent before."""
        events = self.log[record.event : record.event + len(record.events)]
        refused = None if record.refused is NO_BYTES else asked.named(read_refusal(bytes(record.refused)))
        return EnteredAct(record, tuple(events), refused, is_repeat=True)
