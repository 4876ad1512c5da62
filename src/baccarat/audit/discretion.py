"""The report of discretion: every act that a document leaves to somebody's judgement, by person, with its worth.

Which acts those are is declared by the cards of the commands. Nothing in the report is a fault: it shows surveillance
and the regulator who decided what, why, and what it was worth, so that a habit becomes visible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.audit.discretion_worth import best_wager, gain_by_order, worth_of
from baccarat.audit.reveal_time import MICROSECONDS
from baccarat.engine.redecide import cites_of, command_of
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds.show import percent
from baccarat.play.wager import Wager
from baccarat.record.entry import NO_BYTES, ActRecord
from baccarat.record.journal import JournalLine
from baccarat.record.utc import utc_text
from baccarat.table.actor import Origin
from baccarat.table.base import Command, Event
from baccarat.table.card import Discretion
from baccarat.table.registry import COMMANDS
from baccarat.table.role import Role
from baccarat.table.shoe_state import Shoe
from baccarat.table.state import TableState
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.overdue import SeedOverdue
from baccarat.table.step.revealing import OrderDisproved, SeedLost, SeedRevealed, owes_seed
from baccarat.values import count_text

WHOLE_SHOE = 1_000
"""More rounds than a shoe has."""
NOT_SEALED, NO_ROUND = "inputs closed, never sealed", "sealed, no round completed"
UNFINISHED = "unfinished_shoe"
"""In place of an act: a shoe whose order was fixed came to nothing, and no act of a person says why."""
OVERDUE_SEED = "overdue_seed"
"""In place of an act: the house did not show the seed of a shoe that was over by the deadline on record."""
THE_HOUSE = "the house"
WORTH_NOTHING = {
    "sum": "worth nothing beyond what the cards owe",
    "count": "the cards owe nobody what is missing",
    "nothing": "no card and no sum depends on it",
}
_may_be_listed = re.compile(
    b'"do":"(%b)"' % "|".join(name for name, kind in COMMANDS.items() if kind.CARD.discretion).encode()
).search


class DiscretionaryAct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One act that was left to somebody's judgement."""

    act: str
    who: str
    role: str = ""
    seconds: tuple[str, ...] = ()
    """Who approved it."""
    reason: str = ""
    stream: str
    file: str = ""
    record: int
    line: int = 0
    at: int = 0
    """In microseconds, as in the record."""
    shoe: int = 0
    round: int = 0
    """Both as people count them, from 1."""
    clauses: tuple[str, ...] = ()
    what: str = ""
    """The command in words."""
    measure: Discretion = "nothing"
    """What is measured: docs/audit.md explains each."""
    worth: str = ""
    """What it was worth to the participants, in cents, as an exact fraction; empty where that is unknown."""
    best: str = ""
    """Of a shoe or a round: the best wager then."""
    best_gain: str = ""
    """What a unit on it gained on average, as an exact fraction."""
    by_order: int | None = None
    """What the usual wagers would have gained or lost, in cents, by the order of the shoe, which was revealed later."""
    rounds: int = 0
    """In how many rounds."""
    known: bool = False
    """Whether the house could know the order then."""
    stage: str = ""
    """How far a shoe had come whose order was fixed and never used."""

    @property
    def worth_words(self) -> str:
        """What it was worth, in words."""
        said = [_worth_in_words(self)]
        if self.best:
            said.append(f"a unit on {self.best} gained {percent(Fraction(self.best_gain), 3)} then")
        if self.by_order is not None:
            won = f"won {Cents(self.by_order)}" if self.by_order >= 0 else f"lost {Cents(-self.by_order)}"
            said.append(f"by the revealed order those wagers would have {won} in {count_text(self.rounds, 'round')}")
        if self.stage:
            said.append(self.stage)
        if self.known:
            said.append("order known to the house")
        return "; ".join(said)


class PersonTotal(msgspec.Struct, frozen=True, kw_only=True):
    """What was left to one person's judgement."""

    who: str
    acts: int
    approved: int
    """How many acts of others the person approved."""
    worth: str
    """The sum of what the person's acts were worth to participants, in cents, as an exact fraction."""
    known: int
    """How many of the acts were done while the house could know the order."""

    def __str__(self) -> str:
        known = f", {self.known:,} with the order known to the house" if self.known else ""
        return (
            f"{self.who}: {count_text(self.acts, 'act')}, {self.approved:,} of others approved; "
            f"worth {cents_in_words(self.worth)} to the participants{known}"
        )


class DiscretionReport(msgspec.Struct, frozen=True, kw_only=True):
    """Every act of discretion, in order of persons and then of the journal, and a total for each person."""

    acts: tuple[DiscretionaryAct, ...] = ()
    persons: tuple[PersonTotal, ...] = ()


def cents_in_words(exact: str) -> str:
    """An exact fraction of cents, rounded to the cent, with a sign."""
    cents = Cents(round(Fraction(exact)))
    return f"+{cents}" if cents > 0 else str(cents)


def time_in_words(at: int) -> str:
    """The time of a record."""
    return utc_text(at // MICROSECONDS) if at else "no time"


def _worth_in_words(act: DiscretionaryAct) -> str:
    if act.measure == "trigger":
        return "its worth is unknown: nobody can open the trigger"
    if act.measure == "terms":
        return "what it is worth depends on the wagers to come"
    if not act.worth:
        return "its worth is unknown: too few cards are left, or nobody had wagered"
    worth = Fraction(act.worth)
    if not worth:
        return WORTH_NOTHING.get(act.measure, "worth nothing by the odds")
    return f"worth {cents_in_words(act.worth)} to the participants"


def make_report(acts: Iterable[DiscretionaryAct]) -> DiscretionReport:
    """The report of acts of any number of tables."""
    listed = sorted(acts, key=lambda each: each.who)
    names = sorted({who for each in listed for who in (each.who, *each.seconds)})
    return DiscretionReport(acts=tuple(listed), persons=tuple(_total(who, listed) for who in names))


def _total(who: str, acts: Sequence[DiscretionaryAct]) -> PersonTotal:
    own = [each for each in acts if each.who == who]
    return PersonTotal(
        who=who,
        acts=len(own),
        approved=sum(who in each.seconds for each in acts),
        worth=_exact_text(sum((Fraction(each.worth) for each in own if each.worth), Fraction(0))),
        known=sum(each.known for each in own),
    )


def _exact_text(value: Fraction | None) -> str:
    return "" if value is None else f"{value.numerator}/{value.denominator}"


class _OpenAct(msgspec.Struct, frozen=True):
    """An act that the order of the shoe, once it is revealed, says more about."""

    index: int
    shoe: Shoe
    usual: tuple[Wager, ...]
    most: int
    rules: Rulebook


class DiscretionLedger:
    """The acts of discretion at one table, as its stream is read."""

    def __init__(self, file: str) -> None:
        self.acts: list[DiscretionaryAct] = []
        self._file = file
        self._usual: tuple[Wager, ...] = ()
        """The wagers that were last taken at the table."""
        self._open: list[_OpenAct] = []
        self._completed = 0
        """How many rounds of this shoe were completed."""
        self._is_abandoned = False
        """Whether a listed act has ended the shoe."""
        self._last: tuple[JournalLine, ActRecord] | None = None
        self._due_at = 0
        """From when the seed of the shoe was due, by the time of its record."""

    def add(
        self,
        line: JournalLine,
        record: ActRecord,
        *,
        rules: Rulebook,
        before: TableState,
        after: TableState,
        events: Sequence[Event],
    ) -> None:
        """A record that was decided again: what the table was before it and is after it."""
        self._last = line, record
        if events and record.command is not NO_BYTES and _may_be_listed(bytes(record.command)):
            command = command_of(bytes(record.command))
            if isinstance(command, Command) and _is_judged(command, record) and command.is_discretionary(before, rules):
                self._list(line, record, command, rules=rules, before=before, after=after, events=events)
        if after.round.closed and not before.round.closed and after.round.wagers:
            self._usual = after.round.wagers
        if owes_seed(after) and not owes_seed(before):
            self._due_at = record.at
        for event in events:
            if isinstance(event, SeedOverdue | SeedRevealed | OrderDisproved | SeedLost):
                self._list_overdue(line, record, before, event)
            if isinstance(event, TableCleared):
                self._completed += 1
            elif isinstance(event, SeedRevealed):
                self._price_by_order(event.seed)
            elif isinstance(event, ShoeClosed):
                self._end_shoe(line, record, before)

    def end(self, state: TableState) -> None:
        """The journal ends: a shoe whose order was fixed, and from which no round was completed, is listed."""
        if self._last is not None and not state.shoe.finished and not state.stopped:
            self._list_unfinished(*self._last, state)

    def _list(
        self,
        line: JournalLine,
        record: ActRecord,
        command: Command,
        *,
        rules: Rulebook,
        before: TableState,
        after: TableState,
        events: Sequence[Event],
    ) -> None:
        measure, shoe = command.CARD.discretion, before.shoe
        if measure == "seen" and before.shoe.seen == after.shoe.seen:
            measure = "order"  # the card that is reported was drawn, and nobody has seen it
        if measure == "order" and after.shoe.abandoned:
            measure = "shoe"
        ends_shoe = measure == "shoe"
        best = best_wager(rules, shoe) if measure in ("shoe", "round") else None
        worth = worth_of(measure, rules, before=before, after=after, events=events, usual=self._usual)
        self.acts.append(
            DiscretionaryAct(
                **_place(line, record, self._file, before),
                act=command.name,
                reason=command.stated_reason,
                clauses=tuple(dict.fromkeys(cites_of(events))),
                what=command.discretion_text(before, rules),
                measure=measure,
                worth=_exact_text(worth),
                best=best[0].word if best is not None else "",
                best_gain=_exact_text(best[1]) if best is not None else "",
                known=_is_known_to_house(shoe),
                stage=self._stage(before) if ends_shoe else "",
            )
        )
        self._is_abandoned = self._is_abandoned or ends_shoe
        if self._usual and (ends_shoe or (measure == "round" and not after.round.void)):
            most = WHOLE_SHOE if ends_shoe else 1
            self._open.append(_OpenAct(len(self.acts) - 1, shoe, self._usual, most, rules))

    def _list_overdue(self, line: JournalLine, record: ActRecord, state: TableState, event: Event) -> None:
        """A seed that was not shown by the deadline: as the clock reports it, or by the times of the records alone."""
        within, held = state.reveal_within, state.shoe.commitment
        if within is UNSET or held is None or held.overdue is True:
            return
        took = event.due_for if isinstance(event, SeedOverdue) else (record.at - self._due_at) // MICROSECONDS
        if took < within or not (isinstance(event, SeedOverdue) or (record.at and self._due_at)):
            return
        stop = "the table stopped" if isinstance(event, SeedOverdue) else "the table had not been stopped"
        place = {**_place(line, record, self._file, state), "who": THE_HOUSE, "role": "", "seconds": ()}
        what = f"the seed was due for {took:,} seconds, and the deadline was {within:,}; {stop}"
        self.acts.append(DiscretionaryAct(**place, act=OVERDUE_SEED, what=what, clauses=event.cites))

    def _stage(self, state: TableState) -> str:
        """How far a shoe whose order is fixed has come, if no round was completed from it."""
        held = state.shoe.commitment
        if held is None or self._completed or not (held.inputs or state.shoe.root):
            return ""
        return NO_ROUND if state.shoe.root else NOT_SEALED

    def _price_by_order(self, seed: str) -> None:
        for each in self._open:
            gained, count = gain_by_order(each.rules, each.shoe, seed, each.usual, most=each.most)
            if count:
                self.acts[each.index] = replace(self.acts[each.index], by_order=gained, rounds=count)
        self._open.clear()

    def _end_shoe(self, line: JournalLine, record: ActRecord, before: TableState) -> None:
        if not self._is_abandoned:
            self._list_unfinished(line, record, before)
        self._open.clear()
        self._completed, self._is_abandoned = 0, False

    def _list_unfinished(self, line: JournalLine, record: ActRecord, state: TableState) -> None:
        stage = self._stage(state)
        if stage:
            place = {**_place(line, record, self._file, state), "who": THE_HOUSE, "role": "", "seconds": ()}
            known = _is_known_to_house(state.shoe)
            self.acts.append(DiscretionaryAct(**place, act=UNFINISHED, stage=stage, known=known))


def _is_judged(command: Command, record: ActRecord) -> bool:
    """Whether a person decided it for somebody else; what the clock does follows from its rules."""
    own = command.CARD.own_answer and record.role is Role.PARTICIPANT
    return record.origin is not Origin.CLOCK and not own


def _is_known_to_house(shoe: Shoe) -> bool:
    """Whether the house, which knows the seed, could derive the order of an electronic shoe at that moment."""
    return shoe.commitment is not None and shoe.commitment.is_derivable


def _place(line: JournalLine, record: ActRecord, file: str, state: TableState) -> dict[str, Any]:
    return {**place_of(record, file, line), "shoe": state.shoe.number + 1, "round": state.round.number}


def place_of(record: ActRecord, file: str, line: JournalLine) -> dict[str, Any]:
    """Who did an act, who approved it, and where it is recorded."""
    return {
        "who": record.who or THE_HOUSE,
        "role": record.role.value if record.role is not None else record.origin.value,
        "seconds": tuple(each.who for each in record.approvals),
        "stream": record.stream,
        "file": file,
        "record": record.seq,
        "line": line.number,
        "at": record.at,
    }
