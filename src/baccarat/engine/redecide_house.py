"""A house decided again: every act in every stream, together with all that it touches.

Records stand in the order in which they were decided. A record with a command is decided on the house as it then was;
the records that follow it in other streams must be exactly what it led to there, and must come immediately after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from baccarat.engine.entries import decide_in_stream, rules_in, state_in
from baccarat.engine.redecide import (
    OTHER_RULES,
    RULED_OTHERWISE,
    RecordDifference,
    accept_if_ruled_by_version,
    cites_of,
    command_of,
    difference_from,
    house_command_of,
    other_terms,
    refused_for_id,
)
from baccarat.house.house import decide_at_table
from baccarat.house.state import Decision, HouseState, StreamEvents
from baccarat.house.stream import Stream, is_table_stream, stream_name
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.record.canonical import canonical, encode_list_unchecked
from baccarat.record.entry import ActRecord, Cause, Entry, StreamOpening, denies_id, written_refusal
from baccarat.table.base import Command
from baccarat.table.correctable_event import EventAt
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.reveal_deadline import deadline_text
from baccarat.table.state import TableState
from baccarat.table.table_cards import cards_text
from baccarat.table.witness_keys import witnesses_text

OTHER_STREAM, OTHER_CARDS = "other_stream", "other_cards"


class ExpectedRecord(msgspec.Struct, frozen=True):
    """A record that an act leads to in another stream, and what it must contain."""

    appended: StreamEvents
    cause: Cause
    rulebook: str


class RedecidedHouse(Protocol):
    """A house as far as it was decided again; where its earlier events are stored is its own affair."""

    @property
    def rules(self) -> Rulebook:
        """The rulebook of the house's own books."""

    @property
    def state(self) -> HouseState:
        """The house after all that was decided."""

    def event_at(self, stream: Stream) -> EventAt:
        """A function that returns the event of a number in a stream."""

    def append_decision(self, decision: Decision) -> object:
        """Move on by what was decided."""


class HouseRedecider:
    """A house that is decided again from its journal, entry by entry."""

    def __init__(self, house: RedecidedHouse, seqs: Mapping[Stream, int] | None = None) -> None:
        """`seqs` has the last entry of each stream, if the house does not begin with its first."""
        self.house = house
        self.due: list[ExpectedRecord] = []
        """What the last act led to in other streams and has not been read yet."""
        self._seqs = dict(seqs or {})
        self.ruled_otherwise: list[ActRecord] = []
        """Acts in the books that an earlier version decided as recorded, and that this version decides differently."""

    def take(self, entry: Entry) -> RecordDifference | None:
        """The first difference between an entry and what is decided; the house moves on as decided."""
        self._seqs[entry.stream] = entry.seq
        if isinstance(entry, StreamOpening):
            return self._opened(entry)
        return self._follow(entry) if entry.cause is not None else self._decide(entry)

    def _opened(self, opening: StreamOpening) -> RecordDifference | None:
        """A stream must be opened under the rules that hold there, and a table's as what its pit opened it as."""
        held, state = self._rules(opening.stream), state_in(self.house.state, opening.stream)
        if opening.rulebook == held:
            return _other_table(opening, state)
        say = f"{opening.stream} is opened under rulebook {opening.rulebook}, but the house plays by {held} there"
        return RecordDifference(kind=OTHER_RULES, say=say, field="rulebook", expected=held, found=opening.rulebook)

    def _rules(self, stream: Stream) -> str:
        return rules_in(self.house.state, self.house.rules, stream).hash

    def _follow(self, record: ActRecord) -> RecordDifference | None:
        """A record without a command is what the last act led to in another stream, in its order."""
        if not self.due or self.due[0].appended.stream != record.stream:
            wanted = self.due[0].appended.stream if self.due else "an act"
            return RecordDifference(kind=OTHER_STREAM, say=f"expected a record of {wanted}, not of {record.stream}")
        due = self.due.pop(0)
        if record.cause != due.cause:
            return RecordDifference(kind=OTHER_STREAM, say=f"its cause should be {due.cause.stream} {due.cause.seq}")
        return other_terms(record, due.rulebook) or _compare_events(record, due.appended.events)

    def _decide(self, record: ActRecord) -> RecordDifference | None:
        if self.due:
            say = f"expected a record of {self.due[0].appended.stream}: the act before led to it"
            return RecordDifference(kind=OTHER_STREAM, say=say)
        other = other_terms(record, self._rules(record.stream))
        if other is not None or record.folded is not None:
            return other
        data = bytes(record.command)
        is_at_table = is_table_stream(record.stream)
        command = command_of(data) if is_at_table else house_command_of(record.stream, data)
        if isinstance(command, RecordDifference) or denies_id(record):
            return refused_for_id(record, command)
        house = self.house
        shown, decision = decide_in_stream(
            house.state,
            house.rules,
            record.stream,
            command,
            record.actor,
            house.event_at(record.stream),
            behaviour=record.behaviour,
        )
        if not is_at_table and self._is_ruled_otherwise(record, command, decision):
            self.ruled_otherwise.append(record)
        # A refusal must be the same, and like an accepted act lead to what is recorded: to nothing.
        found = None
        if isinstance(decision, Refused):
            found, shown, decision = difference_from(record, written_refusal(decision)), None, Decision(())
        if found is None and bytes(record.shown) != (b"" if shown is None else canonical(shown)):
            return RecordDifference(kind=OTHER_STREAM, say="the link showed the table another figure", field="shown")
        found = found or self._led_to(record, decision)
        return self._as_ruled_then(record, found, command) if found and isinstance(command, Command) else found

    def _is_ruled_otherwise(self, record: ActRecord, command: msgspec.Struct, decision: Decision | Refused) -> bool:
        """Whether this version decides an act in a book differently than the version that its record names.

        A house chooses which version it names. Only that a table may be opened without its kind is as it was: what
        such a table is, is stated later, or nothing is enforced there.
        """
        if record.behaviour >= BEHAVIOUR or (isinstance(command, OpenTable) and command.cards is UNSET):
            return False
        house, stream = self.house, record.stream
        known = house.event_at(stream)
        return decide_in_stream(house.state, house.rules, stream, command, record.actor, known)[1] != decision

    def _as_ruled_then(self, record: ActRecord, found: RecordDifference, command: Command) -> RecordDifference:
        """The difference, marked as no forgery if an earlier version let the table do what is decided differently now.

        Then the house moves on as it did, with all that the act led to in other streams.
        """
        name = stream_name(record.stream) or ""
        state, known = self.house.state, self.house.event_at(record.stream)
        if name not in state.tables:
            return found
        then = accept_if_ruled_by_version(record, found, state.rules(name), state.tables[name], command, known)
        if then.kind == RULED_OTHERWISE:
            decision = decide_at_table(state, name, command, record.actor, known, behaviour=record.behaviour)
            if isinstance(decision, Refused):  # the house refused it then, too: only its table alone did not
                return found if difference_from(record, written_refusal(decision)) is not None else then
            return self._led_to(record, decision) or then
        return found

    def _led_to(self, record: ActRecord, decision: Decision) -> RecordDifference | None:
        """What an act leads to in its own stream, and which records it leads to in others."""
        own, others = decision.appended[:1], decision.appended[1:]
        found = _compare_events(record, own[0].events) if own else None
        if found is not None:
            return found
        joined = {each.stream: self._seqs.get(each.stream, 0) + 1 for each in others}
        if record.joined != joined:
            say = f"the act should be entered in {_records(joined)}, not in {_records(record.joined)}"
            return RecordDifference(kind=OTHER_STREAM, say=say)
        cause = Cause(stream=record.stream, seq=record.seq)
        self.due = [ExpectedRecord(each, cause, self._rules(each.stream)) for each in others]
        self.house.append_decision(decision)
        return None


def _other_table(opening: StreamOpening, state: TableState | None) -> RecordDifference | None:
    """The difference if a table's stream is opened as something else than its pit opened, with other witnesses, or
    with another deadline."""
    cards, witnesses = (UNSET, UNSET) if state is None else (state.cards, state.witnesses)
    within = UNSET if state is None else state.reveal_within
    if opening.cards is not cards:
        field, expected, found = "cards", cards_text(cards), cards_text(opening.cards)
        say = f"{opening.stream} is opened as {found}, but its pit opened it as {expected}"
    elif opening.witnesses != witnesses:
        field, expected, found = "witnesses", witnesses_text(witnesses), witnesses_text(opening.witnesses)
        say = f"{opening.stream} is opened with the witnesses {found}, but its pit named {expected}"
    elif opening.reveal_within != within:
        field, expected, found = "reveal_within", deadline_text(within), deadline_text(opening.reveal_within)
        say = f"{opening.stream} is opened with the deadline {found} for its seeds, but its pit stated {expected}"
    else:
        return None
    return RecordDifference(kind=OTHER_CARDS, say=say, field=field, expected=expected, found=found)


def _records(joined: dict[Stream, int]) -> str:
    return ", ".join(f"{stream} {seq}" for stream, seq in joined.items()) or "no other stream"


def _compare_events(record: ActRecord, events: tuple[Any, ...]) -> RecordDifference | None:
    return difference_from(record, encode_list_unchecked(events), cites_of(events))
