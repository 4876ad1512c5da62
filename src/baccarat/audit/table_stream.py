"""One table's stream, audited record by record: decided again, its promises, its ids and its clock checked.

A record that is decided differently is a finding; the table then continues as the journal has it, so that one fault
does not hide the next. If it cannot be followed any further, the stream ends there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from baccarat.audit.discretion import DiscretionaryAct, DiscretionLedger
from baccarat.audit.finding import JournalFinding, StreamSummary, TimelineRound, difference_at, finding_at
from baccarat.audit.house_stream import HouseStreams
from baccarat.audit.impossible import IMPOSSIBLE_STATE_ERRORS, NOT_FOLLOWED, UnreadableEvents, why_impossible
from baccarat.audit.opening import by_claimed_version, opening_gaps
from baccarat.audit.reveal_time import RevealTimes
from baccarat.audit.shuffle import SHUFFLE_EVENTS, RevealedShoe, Shuffles
from baccarat.engine.idempotency_index import IdempotencyIndex, denied_in
from baccarat.engine.redecide import (
    RULED_OTHERWISE,
    RecordDifference,
    other_version,
    read_events,
    redecide,
    redecide_followed,
)
from baccarat.engine.refusal_index import RefusalIndex
from baccarat.house.stream import stream_name
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, Cents
from baccarat.record.entry import NO_BYTES, ActRecord, StreamOpening, denies_id, refused_by_house
from baccarat.record.journal import JournalLine
from baccarat.table.base import Event, TableRules, table_rules
from baccarat.table.foul_card import ShoeFouled
from baccarat.table.invariant import MONEY_EVENTS, broken_invariants, money_brought_in, worth
from baccarat.table.machine import Table, evolve, evolve_all
from baccarat.table.meters import MeterCorrected
from baccarat.table.owed import dues
from baccarat.table.payment_correction import PaymentCorrected
from baccarat.table.registry import EVOLVERS
from baccarat.table.rules_adoption import rules_after
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced, ResultWithdrawn
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.overdue import SeedOverdue
from baccarat.table.step.revealing import OrderDisproved, SeedLost, SeedRevealed, owes_seed
from baccarat.table.two_persons import is_same_person
from baccarat.values import count_text

SAME_PERSON, MONEY, INVARIANT, OWED = "same_person", "money", "invariant", "owed"
ENDING_EVENTS = frozenset({TableCleared, ShoeClosed})
"""What ends a round or a shoe."""
TWO_PERSONS = frozenset(kind for kind in EVOLVERS if "requester" in kind.__struct_fields__)
"""The events that name who requested and who approved them."""
NOTABLE_EVENTS = SHUFFLE_EVENTS | TWO_PERSONS | ENDING_EVENTS
NOTABLE_EVENTS |= {ResultAnnounced, ResultWithdrawn, RoundVoided, SeedOverdue}
"""The events that are checked on their own; most only carry out what was decided."""

OTHERWISE_IN_HOUSE = "only an older version of the deciding functions lets it pass: a rule of the house refuses it now"
COUPON_NUMBER, NO_COUPON_NUMBER = b'"coupon_number":', b'"coupon_number":""'
"""How the canonical form of a command names a coupon, and how it names none."""


class TableStream:
    """A table whose journal is being audited."""

    def __init__(  # noqa: PLR0913  one argument for each thing that an audit shares between its streams
        self,
        rules: Rulebook,
        opening: JournalLine,
        *,
        file: str,
        seeds: dict[str, RevealedShoe] | None = None,
        ids: IdempotencyIndex | None = None,
        refusals: RefusalIndex | None = None,
        house: HouseStreams | None = None,
        discretion: bool = False,
    ) -> None:
        """`house` if the streams of its house are in the same file: then it decides what the table alone cannot.

        With `discretion`, acts that are left to somebody's judgement are listed and valued.
        """
        assert isinstance(opening.entry, StreamOpening), "a stream's first entry opens it"
        self.table = Table(rules, opening.entry.cards, opening.entry.witnesses, opening.entry.reveal_within)
        self._not_stated = tuple(opening_gaps(opening.entry))
        self.file, self.stream = file, opening.entry.stream
        self.rulebook, self.edition = rules.hash, rules.edition.name
        self.worth = worth(self.table.state)
        self.head = opening.hash
        self.taken = self.refused = self.folded = self.events = self.rounds = self.shoes = 0
        self.decided = int(other_version(opening.entry) is None)
        """How many entries were decided again and found to be as recorded, the opening included."""
        self.promises = 0
        """How often they were checked."""
        self.moments: list[TimelineRound] = []
        self.is_lost = False
        """Whether the stream can no longer be followed."""
        self.is_forged = False
        """Whether something in it differed from the decision but was applied anyway."""
        self.stepped_back = 0
        self.ruled_otherwise = Counter[int]()
        """How many records each earlier version ruled differently than this one would."""
        self.shuffles = Shuffles(stream_name(self.stream), {} if seeds is None else seeds)
        self.reveals = RevealTimes(opening.entry.reveal_within)
        self.undecided: dict[str, list[int]] = {}
        """The numbers of records that depend on streams that are not in the file, by what is missing."""
        self._ids, self._house = ids or IdempotencyIndex(whole=False), house
        self._refusals = refusals or RefusalIndex()
        self._at = 0
        self._last: JournalLine | None = None
        self.discretion = DiscretionLedger(file) if discretion else None

    def gaps(self) -> Iterator[str]:
        """What was not decided again, and why, in sentences; `Shuffles.gaps` says it of the shoes."""
        for why, records in self.undecided.items():
            first = f"record {records[0]:,}" if len(records) == 1 else f"{len(records):,} records, first {records[0]:,}"
            yield f"{first}: {why}"
        if folded := self._refusals.gap(self.stream):
            yield folded
        yield from self._not_stated
        for version, count in sorted(self.ruled_otherwise.items()):
            say = f"{count_text(count, 'record')} would be ruled differently by this version"
            yield say + by_claimed_version(version)

    def remarks(self) -> Iterator[str]:
        """What is not a fault of it, but worth knowing, in sentences."""
        if self.stepped_back:
            yield f"the clock stepped back {count_text(self.stepped_back, 'time')}; no decision depends on time"
        if self.ruled_otherwise:
            count = self.ruled_otherwise.total()
            yield f"{count_text(count, 'record')} would be ruled differently by this version"
        yield from self.shuffles.remarks()
        yield from self.reveals.remarks()
        if self.is_lost:
            yield "it could not be followed to the end"

    def check_record(self, line: JournalLine) -> Sequence[JournalFinding]:
        """What is wrong with one record."""
        record = line.entry
        assert isinstance(record, ActRecord), "only a stream's first entry opens it"
        self.head, self._last = line.hash, line
        if record.folded is not None:
            self.folded += 1
        elif record.refused is NO_BYTES:
            self.taken += 1
        else:
            self.refused += 1
        self.events += len(record.events)
        if record.at < self._at:
            self.stepped_back += 1
        else:
            self._at = record.at
        noted = (*id_findings(line, self._ids, self.file), *folding_findings(line, self._refusals, self.file))
        if self.is_lost:
            return noted
        found = (*noted, *self._decide(line, record))
        missing = tuple(self._missing(record, found))
        for why in missing:
            self.undecided.setdefault(why, []).append(record.seq)
        self.decided += not (found or missing or record.folded)
        return found

    def _decide(self, line: JournalLine, record: ActRecord) -> Sequence[JournalFinding]:
        """What is wrong with a record when it is decided again, and with the resulting state."""
        table = self.table
        rules, before, length = table.rules, table.state, len(table.log)
        difference: RecordDifference | None = None
        found: list[JournalFinding] = []
        try:
            if record.cause is not None:
                difference = redecide_followed(table, record)
            elif record.refused is NO_BYTES or not self._is_left_to_house(record):
                difference = redecide(table, record)
            if difference is not None:
                if difference.kind == RULED_OTHERWISE:
                    self.ruled_otherwise[record.behaviour] += 1
                found.append(difference_at(line, self.file, difference))
                self._follow(record, rules, before, length)
            events = table.log[length:]
            if difference is not None or before.round.corrected:  # most records hold no correction
                found += self._owed_findings(line, table_rules(rules), before, events)
        except IMPOSSIBLE_STATE_ERRORS as error:
            return (*found, self._lost_finding(line, error))
        self._list_discretion(line, record, rules, before, events)
        if owes_seed(table.state):
            self.reveals.begin(str(table.state.shoe.number), record.at)
        # Each notable event on its own; what must always hold after every round, and after a difference.
        is_end = difference is not None
        for event in events:
            kind = type(event)
            if kind in MONEY_EVENTS:
                self.worth += money_brought_in(event) * MICRO
            if kind in NOTABLE_EVENTS:
                found += self._check_event(line, event)
                is_end = is_end or kind in ENDING_EVENTS
        if is_end:
            found += self._promises(line)
        if found and self.moments:
            last = self.moments[-1]
            self.moments[-1] = msgspec.structs.replace(last, findings=last.findings + len(found))
        return found

    def _list_discretion(
        self, line: JournalLine, record: ActRecord, rules: Rulebook, before: TableState, events: Sequence[Event]
    ) -> None:
        if self.discretion is None or record.refused is not NO_BYTES:
            return
        try:
            after = self.table.state
            self.discretion.add(line, record, rules=rules, before=before, after=after, events=events)
        except IMPOSSIBLE_STATE_ERRORS:
            if not self.is_forged:
                raise

    def _is_left_to_house(self, record: ActRecord) -> bool:
        """Whether the table alone does not decide a refusal: the house refused it, or decides every refusal itself."""
        return self._is_in_house(record) or refused_by_house(record)

    def _is_in_house(self, record: ActRecord) -> bool:
        """Whether the house was decided again with this record, and agreed."""
        return self._house is not None and self._house.has_decided(record)

    def _missing(self, record: ActRecord, found: Sequence[JournalFinding]) -> Iterator[str]:
        """What a record depends on that was not decided again, in words."""
        if self._house is None:
            yield from _missing_streams(record)
        elif self._house.has_decided(record):
            return
        elif self._house.is_decided_differently(record) and not found:
            yield OTHERWISE_IN_HOUSE  # the table alone does not know the rule
        elif any(_missing_streams(record)):
            yield "it depends on other streams, and the house could not be followed to there"

    def _follow(self, record: ActRecord, rules: Rulebook, before: TableState, length: int) -> None:
        """Continue with what the journal says, though it differs from the decision, so that one fault hides no other.

        From here on the state may be impossible, and any later failure is the journal's fault.
        """
        self.is_forged = True
        events = read_events(record)
        if events is None:
            raise UnreadableEvents("its events cannot be read")
        self.table.rules, self.table.log[length:] = rules_after(rules, events), events
        self.table.state = evolve_all(before, events)

    def _lost_finding(self, line: JournalLine, error: Exception) -> JournalFinding:
        """The finding for a journal that cannot be followed any further."""
        self.is_lost = True
        why = why_impossible(error, "table")
        after = ", after what was found before" if self.is_forged else ""
        say = f"from here on the table cannot be followed{after}: {why}"
        return finding_at(line, self.file, NOT_FOLLOWED, say, "J4")

    def _promises(self, line: JournalLine) -> Iterator[JournalFinding]:
        """What must hold regardless of decisions: checked after every round, and after every act that is a finding."""
        state = self.table.state
        self.promises += 1
        held = worth(state)
        if held != self.worth:
            more = held - self.worth
            say = f"{Cents(abs(more) // MICRO)} {'appears from nowhere' if more > 0 else 'vanishes'}"
            yield finding_at(line, self.file, MONEY, say, "M2")
        self.worth = held
        for each in broken_invariants(self.table.rules, state):
            yield finding_at(line, self.file, INVARIANT, each.say, each.promise)

    def _owed_findings(
        self, line: JournalLine, rules: TableRules, state: TableState, events: Sequence[Event]
    ) -> Iterator[JournalFinding]:
        """What nobody owed, and rounds that end while something is owed: whatever version of the program allowed it."""
        for event in events:
            owed = dues(rules, state)
            if isinstance(event, MeterCorrected) and not (event.is_goodwill or state.round.announced):
                raised = Cents(event.amount // MICRO)
                say = f"the {event.meter} meter is raised by {raised}, which nothing on record owes it"
                yield finding_at(line, self.file, OWED, say, "M10", clauses=event.cites)
            if isinstance(event, PaymentCorrected):
                due = owed.get(event.seat, 0)
                if not (0 < event.amount <= due or due <= event.amount < 0):
                    say = f"seat {event.seat} is corrected by {Cents(event.amount)}, and the cards owe it {Cents(due)}"
                    yield finding_at(line, self.file, OWED, say, "M10", clauses=event.cites)
            elif isinstance(event, TableCleared):
                yield from (owed_finding(line, self.file, seat, due) for seat, due in owed.items())
            state = evolve(state, event)

    def unsettled_findings(self) -> Sequence[JournalFinding]:
        """What is still owed where the journal ends."""
        if self.is_lost or self._last is None:
            return ()
        try:
            owed = dues(table_rules(self.table.rules), self.table.state)
        except IMPOSSIBLE_STATE_ERRORS as error:
            if not self.is_forged:
                raise
            return (self._lost_finding(self._last, error),)
        return [owed_finding(self._last, self.file, seat, due) for seat, due in owed.items()]

    def discretionary_acts(self) -> Sequence[DiscretionaryAct]:
        """What was left to somebody's judgement, in the order of the journal."""
        if self.discretion is None:
            return ()
        if not self.is_lost:
            self.discretion.end(self.table.state)
        return self.discretion.acts

    def _check_event(self, line: JournalLine, event: Event) -> Iterator[JournalFinding]:
        """Check an event on its own: the shuffles, and that requester and approver are two persons."""
        if isinstance(event, ResultAnnounced | RoundVoided):
            self._end_round(line, event.outcome if isinstance(event, ResultAnnounced) else "void")
        elif isinstance(event, ResultWithdrawn) and self.moments:
            self.rounds -= 1
            self.moments.pop()
        self.shoes += isinstance(event, ShoeClosed)
        shoe = str(self.table.state.shoe.number)
        if isinstance(event, SeedOverdue):
            self.reveals.report(shoe, self._at)
        elif isinstance(event, SeedRevealed | OrderDisproved | SeedLost):
            self.reveals.settle(shoe, "reported lost" if isinstance(event, SeedLost) else "revealed", self._at)
        if not self.shuffles.has_real_cards and _shows_card(event) and not self.table.state.shoe.root:
            self.shuffles.has_real_cards = True
        held = self.table.state.shoe.commitment
        for kind, say in self.shuffles.check_event(event, body=line.body, hash_=line.hash, held=held):
            yield finding_at(line, self.file, kind, say, "C7", clauses=event.cites)
        asked, approved = getattr(event, "requester", ""), getattr(event, "approver", "")
        if asked and approved and is_same_person(asked, approved):
            say = f"{asked} both requested and approved it"
            yield finding_at(line, self.file, SAME_PERSON, say, "D3", clauses=event.cites)

    def _end_round(self, line: JournalLine, outcome: str) -> None:
        """Count a round, and mark it on the timeline."""
        self.rounds += 1
        shoe = self.table.state.shoe.number + 1
        self.moments.append(TimelineRound(line=line.number, shoe=shoe, round=self.rounds, outcome=outcome, at=self._at))

    def summary(self) -> StreamSummary:
        """A summary of the stream."""
        return StreamSummary(
            stream=self.stream,
            file=self.file,
            rulebook=self.rulebook,
            edition=self.edition,
            records=self.taken + self.refused + self.folded,
            taken=self.taken,
            refused=self.refused,
            events=self.events,
            shoes=self.shoes,
            rounds=self.rounds,
            head=self.head.hex(),
            moments=tuple(self.moments),
        )


def _missing_streams(record: ActRecord) -> Iterator[str]:
    """What a record depends on, in words, where only its own stream is given."""
    if record.cause is not None:
        yield f"the act of the {record.cause.stream} that it follows is not in the file"
    if record.shown is not NO_BYTES:
        yield "the stream of the link, whose meters it shows, is not in the file"
    if record.joined:
        yield "other streams that it was entered in are not in the file"
    if record.refused is not NO_BYTES:
        if refused_by_house(record):
            yield "it was refused by a rule of the house, whose streams are not in the file"
        if denies_id(record) and denied_in(record) != record.stream:
            yield "the stream in which its id was used before is not in the file"
    elif not record.joined and _names_coupon(bytes(record.command)):
        yield "no coupon book shows that its coupon was issued, and to whom"


def _names_coupon(command: bytes) -> bool:
    """Whether a command names a coupon, for which a table without a house takes somebody's word."""
    if COUPON_NUMBER not in command or command.count(COUPON_NUMBER) == command.count(NO_COUPON_NUMBER):
        return False
    return bool(msgspec.json.decode(command)["coupon_number"])


def owed_finding(line: JournalLine, file: str, seat: int, due: int) -> JournalFinding:
    """Something that the corrected cards owe, or that they do not and that was paid."""
    say = f"the corrected cards owe seat {seat} {Cents(due)}" if due >= 0 else f"seat {seat} owes {Cents(-due)}"
    return finding_at(line, file, OWED, f"{say}: it is not settled", "M10")


def id_findings(line: JournalLine, ids: IdempotencyIndex, file: str) -> Sequence[JournalFinding]:
    """J3: an id takes effect once, in any stream; a repeat gets the stored answer, and no record of its own."""
    found = ids.check(line.entry) if isinstance(line.entry, ActRecord) else None
    return () if found is None else (finding_at(line, file, found.kind, found.say, "J3"),)


def folding_findings(line: JournalLine, refusals: RefusalIndex, file: str) -> Sequence[JournalFinding]:
    """Folded refusals follow one that is recorded whole, and are counted in its stream alone."""
    found = refusals.check(line.entry) if isinstance(line.entry, ActRecord) else None
    return () if found is None else (finding_at(line, file, found.kind, found.say, "J4"),)


def _shows_card(event: Event) -> bool:
    """Whether an event shows which card lies at a position; that of a foul shoe only says that it is another."""
    is_of_card = getattr(event, "card", None) is not None and hasattr(event, "position")
    return isinstance(event, ResultAnnounced) or (is_of_card and not isinstance(event, ShoeFouled))
