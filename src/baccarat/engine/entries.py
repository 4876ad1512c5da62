"""Entries: what is recorded of an act, prepared without writing it anywhere.

A journaled table and a served house do the same for each command. Only the last step depends on where the entries are
stored:

1. `pseudonymise`: names and remarks become ids, where there is a directory.
2. `Submitted.answered`: a command that was sent before gets its old answer; one with another command's id is refused.
3. The command is decided, by the table or by the house.
4. `entries_of`: the entries of all streams that the act touches. Nothing is stored of what a card source, a link or a
   clock submits at the wrong moment: it may be a card that nobody has seen yet, or a seed.
5. `Journal.append` writes them, all or none. Only then has the act happened, and only then is it answered.

`prepare_entries` does steps 2 to 4 for a house and changes nothing, so that a server can do step 5 in a database: it
compares the heads of the streams, inserts the entries in one statement, and prepares them again if another act was
first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar, runtime_checkable

import msgspec
from msgspec import UNSET, Raw

from baccarat import __version__
from baccarat.engine.idempotency_index import RecordedAnswer
from baccarat.house.book import HouseCommand
from baccarat.house.house import decide_at_table, decide_in_book, shared_books
from baccarat.house.joint_decision import link_display_command
from baccarat.house.state import Decision, HouseState, StreamEvents
from baccarat.house.stream import HOUSE_STREAM, Stream, is_table_stream, stream_name
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import RefusalCode, Refused
from baccarat.record.canonical import canonical
from baccarat.record.directory import Directory
from baccarat.record.entry import (
    FORM,
    NO_BYTES,
    ActRecord,
    Cause,
    Entry,
    StreamName,
    StreamOpening,
    envelope_fields,
    written_refusal,
)
from baccarat.record.journal import StreamHead
from baccarat.record.key import Signer
from baccarat.record.note import SignedNote
from baccarat.record.text import visible
from baccarat.table.actor import Actor, Envelope, Origin
from baccarat.table.base import Command
from baccarat.table.correctable_event import EventAt
from baccarat.table.machine import BEHAVIOUR, with_act
from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.sealing import InputsClosed, OrderSealed, ShoeCommitted
from baccarat.table.table_cards import StatedCards
from baccarat.table.witness_keys import StatedWitnesses

AnyCommand = Command | HouseCommand
C = TypeVar("C", bound=msgspec.Struct)
ReadClock = Callable[[], int]
"""Returns the time in microseconds UTC."""
Find = Callable[[str, str], RecordedAnswer | None]
"""How a command id of a person was answered, if it has been used: read from an index, or from a database."""
SignerOfStream = Callable[[Stream], Signer | None]
"""Finds the signer of a stream's checkpoints: each stream is a log of its own, with its own key."""


class UnnamableStream(ValueError):  # noqa: N818
    """A stream whose name no entry can hold."""


class Heads(Protocol):
    """Knows the head of each stream."""

    def head(self, stream: Stream) -> StreamHead:
        """The head of a stream; an unknown stream has not begun."""


class Journal(Heads, Protocol):
    """Where the entries of a table or a house are stored."""

    def append(self, *entries: Entry) -> object:
        """Store entries that belong together: all of them, durably, or none."""


@runtime_checkable
class SigningJournal(Journal, Protocol):
    """A journal that holds signed checkpoints too."""

    def sign_grown(self, signers: SignerOfStream) -> list[SignedNote]:
        """Sign every stream that has grown since its last checkpoint and has a signer, and store the checkpoints."""


class MemoryJournal:
    """A journal of which only the heads are stored: for a table that nobody has to verify afterwards."""

    def __init__(self) -> None:
        self._heads: dict[Stream, StreamHead] = {}

    def head(self, stream: Stream) -> StreamHead:
        """The head of a stream."""
        return self._heads.get(stream) or StreamHead()

    def append(self, *entries: Entry) -> None:
        """Count the entries."""
        for entry in entries:
            more = len(entry.events) if isinstance(entry, ActRecord) else 0
            self._heads[entry.stream] = StreamHead(seq=entry.seq, events=self.head(entry.stream).events + more)


class EnteredAct(msgspec.Struct, frozen=True, gc=False):
    """What came of a command, and the record in which it stands; none where nothing is stored of it."""

    record: ActRecord | None
    events: tuple[Any, ...] = ()
    refused: Refused | None = None
    is_repeat: bool = False
    joined: tuple[StreamEvents, ...] = ()
    """What the act led to in other streams."""


# ------------------------------------------------------------------------------------------ asking


def pseudonymise(names: Directory | None, command: C, envelope: Envelope) -> tuple[C, Envelope]:
    """A command and its envelope as they are decided and entered: by ids, where there is a directory."""
    if names is None:
        return command, envelope
    return names.hide(command), names.hide_envelope(envelope)


class Submitted:
    """A command as it came in: where it is to be done, what it is, and its envelope."""

    def __init__(self, stream: Stream, command: AnyCommand, envelope: Envelope) -> None:
        self.stream, self.command, self.envelope = stream, command, envelope
        self.written = canonical(command)

    @property
    def actor(self) -> Actor:
        """Who acts."""
        return self.envelope.actor

    def answered(self, find: Find) -> RecordedAnswer | Refused | None:
        """The earlier answer to the same command; a refusal if its id belongs to another one; usually none."""
        found = find(self.actor.who, self.envelope.id) if self.envelope.id else None
        if found is None or found.is_to(self.stream, self.written, self.actor):
            return found
        return self.named(found.denial)

    def named(self, refused: Refused) -> Refused:
        """A refusal that names the act; those of the house's books do not."""
        return with_act(refused, self.command) if isinstance(self.command, Command) else refused


# ------------------------------------------------------------------------------------------ entries


def entries_of(
    asked: Submitted,
    outcome: Decision | Refused,
    *,
    heads: Heads,
    rules_in: Callable[[Stream], Rulebook],
    state_in: Callable[[Stream], TableState | None],
    clock: ReadClock,
    shown: Command | None = None,
) -> tuple[Entry, ...]:
    """What is to be written for an act: openings of streams that begin with it, its record, and those it led to.

    `rules_in` returns the rules that held in a stream before the act, `state_in` the state of a table before it.
    """
    envelope, refused = asked.envelope, NO_BYTES
    events: tuple[Any, ...] = ()
    others: tuple[StreamEvents, ...] = ()
    beside = envelope_fields(envelope)
    # What came of it: a refusal, which is recorded of persons alone, or events here and in other streams.
    if isinstance(outcome, Refused):
        if envelope.actor.origin is not Origin.PERSON:
            return ()
        if outcome.code is RefusalCode.REPEATED_ID:
            beside["id"] = ""
        refused = Raw(written_refusal(outcome))
    else:
        events, others = outcome.appended[0].events, outcome.appended[1:]
    # What the record states in addition to its events: when, the command, and what a link showed the table before.
    beside["at"] = at = envelope.at or clock()
    beside["command"], beside["refused"] = Raw(asked.written), refused
    if shown is not None:
        beside["shown"] = Raw(canonical(shown))
    head, rules = heads.head(asked.stream), rules_in(asked.stream)
    # Most acts touch one stream: one record, after the opening where the stream begins with it.
    if not others:
        own = record_after(head, rules, asked.stream, events, beside)
        return (own,) if head.seq >= 0 else (_opening(rules, asked.stream, at, state_in(asked.stream)), own)
    # The other streams get a record each. The act's own record names them all, and each of them names it as its cause.
    found = {asked.stream: head} | {each.stream: heads.head(each.stream) for each in others}
    opened = [_opening(rules_in(each), each, at, state_in(each)) for each in found if found[each].seq < 0]
    beside["joined"] = {each.stream: next_seq(found[each.stream]) for each in others}
    own = record_after(head, rules, asked.stream, events, beside)
    cause = {"cause": Cause(stream=own.stream, seq=own.seq)}
    led_to = [
        record_after(found[each.stream], rules_in(each.stream), each.stream, each.events, cause) for each in others
    ]
    return (*opened, own, *led_to)


def _opening(rules: Rulebook, stream: Stream, at: int, state: TableState | None) -> StreamOpening:
    """The first entry of a stream that an act begins; that of a table says what the table is."""
    if state is None:
        return opening_of(rules, stream, at=at)
    within = state.reveal_within
    return opening_of(rules, stream, at=at, cards=state.cards, witnesses=state.witnesses, reveal_within=within)


def opening_of(
    rules: Rulebook,
    stream: Stream,
    *,
    at: int = 0,
    cards: StatedCards = UNSET,
    witnesses: StatedWitnesses = UNSET,
    reveal_within: StatedDeadline = UNSET,
) -> StreamOpening:
    """The first entry of a stream that is opened under rules."""
    try:
        msgspec.convert(stream, StreamName)
    except msgspec.ValidationError:
        say = f"a journal has no stream '{visible(stream)}': expected a kind and a name, in ASCII, such as 'table 3'"
        raise UnnamableStream(say) from None
    return StreamOpening(
        v=FORM,
        stream=stream,
        seq=0,
        rulebook=rules.hash,
        submission=rules.submission,
        program=f"baccarat {__version__}",
        behaviour=BEHAVIOUR,
        at=at,
        cards=cards,
        witnesses=witnesses,
        reveal_within=reveal_within,
    )


def next_seq(head: StreamHead) -> int:
    """The number of the next record of a stream; one that has not begun is opened first."""
    return max(1, head.seq + 1)


def record_after(
    head: StreamHead, rules: Rulebook, stream: Stream, events: Iterable[msgspec.Struct], fields: Mapping[str, Any]
) -> ActRecord:
    """The next record of a stream, with these events; `fields` say who did what, or which record it follows."""
    return ActRecord(
        v=FORM,
        stream=stream,
        seq=next_seq(head),
        event=head.events,
        rulebook=rules.hash,
        behaviour=BEHAVIOUR,
        events=tuple([Raw(canonical(event)) for event in events]),
        **fields,
    )


def records_of(entries: Iterable[Entry]) -> tuple[ActRecord, ...]:
    """The records among the entries of an act: first its own, then those it led to."""
    return tuple([entry for entry in entries if isinstance(entry, ActRecord)])


SIGNED_EVENTS = frozenset((ShoeCommitted, InputsClosed, OrderSealed, ResultAnnounced, TableCleared, ShoeClosed))
"""What is signed as soon as it is recorded: nobody can then exchange an order or a result for another."""


def is_signing_point(events: Iterable[Any]) -> bool:
    """Whether a checkpoint is signed now: a shoe commits, closes its inputs, is sealed or closed, or a round ends."""
    return not SIGNED_EVENTS.isdisjoint(map(type, events))


def awaits_witnesses(events: Iterable[Any]) -> bool:
    """Whether witnesses answer what is recorded now: its checkpoint is signed when it is durable, not before."""
    return any(isinstance(event, InputsClosed) and event.witnesses for event in events)


# ------------------------------------------------------------------------------------------ a house


class PreparedEntries(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The outcome of a command in a house: what must be written before it is applied and answered."""

    entries: tuple[Entry, ...] = ()
    """To be written before the command is answered; none for a repeat."""
    decision: Decision | None = None
    """To be applied to the house once they are written."""
    refused: Refused | None = None
    repeats: RecordedAnswer | None = None
    """The same command already has this answer: nothing is written, nothing applied."""


def prepare_entries(
    state: HouseState,
    rules: Rulebook,
    asked: Submitted,
    *,
    heads: Heads,
    find: Find,
    event_at: EventAt,
    clock: ReadClock,
) -> PreparedEntries:
    """The outcome of a command in any stream of a house; this writes nothing and changes nothing.

    `event_at` returns events of the command's own stream; only corrections at a table need them.
    """
    # Was it sent before? Then it is answered as it was; and refused where its id was that of another command.
    known = asked.answered(find)
    if isinstance(known, RecordedAnswer):
        return PreparedEntries(repeats=known)
    # Decide it.
    shown: Command | None = None
    outcome: Decision | Refused
    if known is not None:
        outcome = known
    else:
        shown, outcome = decide_in_stream(state, rules, asked.stream, asked.command, asked.actor, event_at)
    # Write down what came of it, a refusal as well. The first entry of a house opens the stream that names its rules.
    entries = entries_of(
        asked,
        outcome,
        heads=heads,
        rules_in=lambda stream: rules_in(state, rules, stream),
        state_in=lambda stream: state_in(state, stream),
        clock=clock,
        shown=None if isinstance(outcome, Refused) else shown,
    )
    if entries and entries[0].stream != HOUSE_STREAM and heads.head(HOUSE_STREAM).seq < 0:
        entries = (opening_of(rules, HOUSE_STREAM, at=entries[0].at), *entries)
    if isinstance(outcome, Refused):
        return PreparedEntries(entries=entries, refused=outcome)
    return PreparedEntries(entries=entries, decision=outcome)


def decide_in_stream(
    state: HouseState,
    rules: Rulebook,
    stream: Stream,
    command: msgspec.Struct,
    actor: Actor,
    event_at: EventAt,
    *,
    behaviour: int = BEHAVIOUR,
) -> tuple[Command | None, Decision | Refused]:
    """What an act in any stream of a house leads to, and what a link shows its table first.

    `behaviour` is the version by which a book decides; what a table does is always decided by this one.
    """
    if not is_table_stream(stream):
        assert isinstance(command, HouseCommand), f"{type(command).__name__} is no act of a book of the house"
        return None, decide_in_book(state, rules, command, actor, stream=stream, behaviour=behaviour)
    assert isinstance(command, Command), f"{type(command).__name__} is no act of a table"
    name = stream_name(stream)
    held = state.tables.get(name) if name in state.shares else None
    shown = None if held is None else link_display_command(held, command, shared_books(state, name))
    return shown, decide_at_table(state, name, command, actor, event_at)


def rules_in(state: HouseState, rules: Rulebook, stream: Stream) -> Rulebook:
    """The rules that hold in a stream of a house: those that a table plays by, otherwise the house's own."""
    name = stream_name(stream)
    return state.rules(name) if is_table_stream(stream) and name in state.tables else rules


def state_in(state: HouseState, stream: Stream) -> TableState | None:
    """The state of the table of a stream; none if it is a book of the house."""
    return state.tables.get(stream_name(stream)) if is_table_stream(stream) else None
