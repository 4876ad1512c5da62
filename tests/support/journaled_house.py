"""A house that keeps a journal: what an act leads to in several streams is entered in all of them together, or in none.

The record of the act is in the stream where it was done, and names the records that it led to elsewhere (`joined`);
those follow in the same write, without a command of their own, and name it as their `cause`. Ids, names, refusals and
checkpoints work as at a table (`journaled_table.py`); an id takes effect at most once in the whole house.

The program itself stores a house in a database (`serve/runtime/house.py`); a journal in a file is smaller to write,
to forge and to audit in a test.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Self, TypeVar

from baccarat.engine.entries import (
    AnyCommand,
    EnteredAct,
    Journal,
    ReadClock,
    SignerOfStream,
    SigningJournal,
    Submitted,
    is_signing_point,
    opening_of,
    prepare_entries,
    pseudonymise,
    records_of,
)
from baccarat.engine.idempotency_index import Answers, IdempotencyIndex, RecordedAnswer
from baccarat.engine.redecide_house import HouseRedecider
from baccarat.house.book import HouseCommand
from baccarat.house.house import House, HouseTable
from baccarat.house.state import Decision, PricesByRulebook, StreamEvents
from baccarat.house.stream import HOUSE_STREAM, Stream, table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.record.directory import Directory
from baccarat.record.entry import NO_BYTES, ActRecord, StreamOpening, read_refusal
from baccarat.record.journal import JournalFault, JournalLine, rules_at
from baccarat.record.note import SignedNote
from baccarat.table.actor import Actor, Envelope
from baccarat.table.base import Accepted, Command

J = TypeVar("J", bound=Journal)


class JournaledHouse(House, Generic[J]):
    """A house whose acts are written to a journal before they are acknowledged."""

    def __init__(
        self,
        rules: Rulebook,
        file: J,
        *,
        prices: PricesByRulebook | None = None,
        clock: ReadClock = lambda: 0,
        names: Directory | None = None,
        signers: SignerOfStream | None = None,
    ) -> None:
        super().__init__(rules, prices=prices)
        self.file, self.clock, self.names = file, clock, names
        self._signers = signers
        self._answers = Answers()

    @classmethod
    def begin(
        cls,
        rules: Rulebook,
        file: J,
        *,
        prices: PricesByRulebook | None = None,
        clock: ReadClock = lambda: 0,
        names: Directory | None = None,
        signers: SignerOfStream | None = None,
    ) -> Self:
        """A house that is opened now: the first entry names its rules. Signers sign at the end of every round."""
        file.append(opening_of(rules, HOUSE_STREAM, at=clock()))
        return cls(rules, file, prices=prices, clock=clock, names=names, signers=signers)

    @classmethod
    def resume(
        cls,
        file: J,
        lines: Iterable[JournalLine],
        *,
        prices: PricesByRulebook | None = None,
        clock: ReadClock = lambda: 0,
        names: Directory | None = None,
        signers: SignerOfStream | None = None,
    ) -> Self:
        """A house resumed from the end of its journal; every act in every stream is decided again, and must agree."""
        coming = iter(lines)
        first = next(coming, None)
        if first is None or not isinstance(first.entry, StreamOpening) or first.entry.stream != HOUSE_STREAM:
            raise JournalFault(1, f"expected the entry that opens the stream {HOUSE_STREAM}")
        rules = rules_at(first.number, first.entry)
        kept = cls(rules, file, prices=prices, clock=clock, names=names, signers=signers)
        kept._decide_again(coming)
        return kept

    def _decide_again(self, lines: Iterable[JournalLine]) -> None:
        again, ids, act = HouseRedecider(self), IdempotencyIndex(), list[ActRecord]()
        number = 1
        for line in lines:
            entry, number = line.entry, line.number
            difference = again.take(entry) or (ids.check(entry) if isinstance(entry, ActRecord) else None)
            if difference is not None:
                raise JournalFault(number, difference.say, stream=entry.stream, seq=entry.seq)
            if isinstance(entry, ActRecord):
                act = [entry] if entry.cause is None else [*act, entry]
                self._answers.add(act[0], tuple(act[1:]))
        if again.due:
            stream = again.due[0].appended.stream
            raise JournalFault(number + 1, f"the last act is also entered in {stream}, and that record is missing")

    def do(self, command: HouseCommand, actor: Actor, *, stream: Stream) -> Decision | Refused:
        """Do an act in one of the books and enter it; a refusal is entered too."""
        kept = self.enter(command, Envelope(actor=actor), stream=stream)
        return kept.refused or self._decision(stream, kept)

    def table(self, name: str) -> HouseTable:
        """One of its tables, whose acts are entered in the journal."""
        return JournaledHouseTable(self, name)

    def enter(self, command: AnyCommand, envelope: Envelope, *, stream: Stream) -> EnteredAct:
        """Decide a command in one of the house's streams and enter all that it leads to, in one write.

        `TooLong` if no entry can hold it, `UnnamableStream` if a stream would have a name that no entry can hold.
        """
        command, envelope = pseudonymise(self.names, command, envelope)
        asked = Submitted(stream, command, envelope)
        made = prepare_entries(
            self.state,
            self.rules,
            asked,
            heads=self.file,
            find=self._answers.find,
            event_at=self.event_at(stream),
            clock=self.clock,
        )
        if made.repeats is not None:
            return self._repeat_answer(asked, made.repeats)
        if not made.entries:
            return EnteredAct(None, refused=made.refused)
        self.file.append(*made.entries)
        record, *joined = records_of(made.entries)
        self._answers.add(record, tuple(joined))
        if made.decision is None:
            return EnteredAct(record, refused=made.refused)
        self.append_decision(made.decision)
        if self._signers is not None and is_signing_point(made.decision.events):
            self.checkpoint()
        own, *others = made.decision.appended
        return EnteredAct(record, own.events, joined=tuple(others))

    def checkpoint(self) -> list[SignedNote]:
        """Sign every stream that has grown since it was last signed, and that has a signer."""
        assert self._signers is not None, "checkpoints need signers"
        assert isinstance(self.file, SigningJournal), "this journal cannot hold checkpoints"
        return self.file.sign_grown(self._signers)

    def _repeat_answer(self, asked: Submitted, answer: RecordedAnswer) -> EnteredAct:
        """The answer that a command had when it was sent before."""
        record = answer.record
        if record.refused is not NO_BYTES:
            refused = asked.named(read_refusal(bytes(record.refused)))
            return EnteredAct(record, refused=refused, is_repeat=True)
        others = tuple(map(self._appended, answer.joined))
        return EnteredAct(record, self._appended(record).events, is_repeat=True, joined=others)

    def _appended(self, record: ActRecord) -> StreamEvents:
        """What a record appended to its stream."""
        events = self.logs[record.stream][record.event : record.event + len(record.events)]
        return StreamEvents(stream=record.stream, after=record.event, events=tuple(events))

    def _decision(self, stream: Stream, kept: EnteredAct) -> Decision:
        assert kept.record is not None, "every accepted command is recorded"
        own = StreamEvents(stream=stream, after=kept.record.event, events=kept.events)
        return Decision((own, *kept.joined))


class JournaledHouseTable(HouseTable):
    """A table of a house that keeps a journal."""

    house: JournaledHouse[Journal]

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command and enter it, with all that it touches."""
        kept = self.enter(command, Envelope(actor=actor or self.usual_actor(command)))
        return kept.refused or Accepted(kept.events, self.state)

    def enter(self, command: Command, envelope: Envelope) -> EnteredAct:
        """Decide a command and enter it, with all that it touches; see `JournaledHouse.enter`."""
        kept = self.house.enter(command, envelope, stream=table_stream(self.name))
        self.rules = self.house.state.rules(self.name)
        return kept
