"""Acts in sentences, for those who watch: what was done or refused, each event with its clauses, sorted.

Nothing here reads a command beyond its name and what a refusal says of it: a command may contain a card or a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Raw

from baccarat.engine.redecide import command_of
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused, spoken_params
from baccarat.record.entry import NO_BYTES, ActRecord, FoldedRefusals, read_refusal, times_text
from baccarat.serve.runtime.past_state import ReplayedRecord
from baccarat.serve.watch.sentence import ToldEvent, told_event
from baccarat.table.audience import TABLE
from baccarat.table.base import Command, Event, StepBegan, table_rules
from baccarat.table.explanation import lines
from baccarat.table.machine import with_act
from baccarat.table.patch import patches
from baccarat.table.rules_adoption import RulesAdopted
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.clearing import WagersReturned
from baccarat.table.step.settlement import LosersCollected, Paid
from baccarat.table.step.turning import CountAnnounced
from baccarat.table.view import TableMoment, Viewer, moment, view_event, view_moment

SORTS = ("wager", "card", "call", "payment", "refusal", "irregularity", "correction", "other")
"""The sorts by which a journal is filtered; every event has one sort, and steps are headings of what follows them."""

HIDDEN_SORT = "hidden"
"""The sort of an event that the viewer may not see, though it has changed something that the viewer sees."""

Tell = Callable[[str], str]
"""Replaces ids by names, if the viewer may know them."""


class WagerTaken(msgspec.Struct, frozen=True):
    """A wager that is taken from the layout while others are still there."""

    seat: int
    on: str


class NarratedEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event: its number over the whole stream, its sort, a sentence, clauses, and what it changed at the table."""

    number: int
    sort: str
    event: str = ""
    say: str = ""
    what: str = ""
    """The name of the sentence."""
    params: dict[str, Any] = {}
    """Its parameters."""
    cites: tuple[str, ...] = ()
    step: str = ""
    """The step that begins, if one does."""
    counts: dict[str, int] = {}
    """What was announced of the hands, by side."""
    taken: list[WagerTaken] = []
    """Wagers that are no longer on the layout: collected, paid and given back, or returned."""
    patch: Any = UNSET
    """From the table before this event to the table after it, as the viewer may see it; docs/wire.md."""


class NarratedRefusal(msgspec.Struct, frozen=True, kw_only=True):
    """Why an act was refused."""

    code: str
    say: str
    cites: tuple[str, ...]
    what: str = ""
    params: dict[str, Any] = {}


class NarratedApproval(msgspec.Struct, frozen=True, kw_only=True):
    """A second person, and in what capacity."""

    who: str
    role: str


class NarratedAct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record: who asked for what, and the outcome."""

    seq: int
    at: int
    """When, in microseconds UTC."""
    act: str
    who: str = ""
    role: str = ""
    origin: str = ""
    device: str = ""
    approvals: list[NarratedApproval] = []
    events: list[NarratedEvent] = []
    refused: NarratedRefusal | None = None
    hash: str
    follows: bool
    """Whether it follows from the record before by its hash."""


class _CommandName(msgspec.Struct):
    do: str = ""


_name = msgspec.json.Decoder(_CommandName).decode


def act_name(record: ActRecord) -> str:
    """What was asked for, by its name."""
    return _name(bytes(record.command)).do if record.command is not NO_BYTES else ""


def refusal_of(record: ActRecord) -> Refused | None:
    """Why a record was refused, with the act that it names; None if it was done."""
    if record.refused is NO_BYTES:
        return None
    found, command = read_refusal(bytes(record.refused)), command_of(bytes(record.command))
    return with_act(found, command) if isinstance(command, Command) else found


def narrate(step: ReplayedRecord, tell: Tell, events: list[NarratedEvent]) -> NarratedAct:
    """A record, for those who may read records, with its events."""
    record, refused = step.record, refusal_of(step.record)
    if record.folded is not None:
        return _narrate_folded(step, record.folded, tell)
    return NarratedAct(
        seq=record.seq,
        at=record.at,
        act=act_name(record),
        who=tell(record.who or ""),
        role=record.role.value if record.role is not None else "",
        origin=record.origin.value,
        device=record.device,
        approvals=[NarratedApproval(who=tell(each.who), role=each.role.value) for each in record.approvals],
        events=events,
        refused=None if refused is None else _refusal(refused, tell),
        hash=step.stored.hash.hex(),
        follows=step.follows,
    )


def _narrate_folded(step: ReplayedRecord, folded: FoldedRefusals, tell: Tell) -> NarratedAct:
    """Refusals that were only counted, as one refusal of the person."""
    record, say = step.record, f"refused {times_text(folded)}, counted and not recorded one by one"
    return NarratedAct(
        seq=record.seq,
        at=record.at,
        act="",
        who=tell(folded.who),
        role="",
        origin=record.origin.value,
        device="",
        approvals=[],
        events=[],
        refused=NarratedRefusal(
            code=folded.code, say=say, cites=(), what="counted_refusals", params={"count": folded.count}
        ),
        hash=step.stored.hash.hex(),
        follows=step.follows,
    )


def _refusal(refused: Refused, tell: Tell) -> NarratedRefusal:
    told = ToldEvent(refused.say, refused.what, spoken_params(refused)).with_names(tell)
    cites = tuple(map(str, refused.cites))
    return NarratedRefusal(code=refused.code.value, say=told.say, cites=cites, what=told.what, params=told.params)


class ReplayNarrator:
    """Narrates records one after another, each event with the change that it made to what a viewer sees.

    The viewer sees the table from no seat: no patch leads from one person's view of a seat to another's.
    """

    def __init__(self, first: ReplayedRecord, viewer: Viewer, rules: Mapping[str, Rulebook], tell: Tell) -> None:
        self._viewer, self._rules, self._tell = viewer, rules, tell
        self._now = moment(rules[first.record.rulebook], first.before)
        self.view = view_moment(self._now, viewer)
        """The whole table before the first record."""

    def act(self, step: ReplayedRecord) -> NarratedAct:
        """The next record."""
        return narrate(step, self._tell, list(self._events(step)))

    def _events(self, step: ReplayedRecord) -> Iterator[NarratedEvent]:
        rules = self._rules[step.record.rulebook]
        for index, (event, state) in enumerate(zip(step.events, step.states, strict=True)):
            if isinstance(event, RulesAdopted):
                rules = self._rules.get(event.hash, rules)
            before = self._now
            told = told_event(event, self._viewer, step.record.origin).with_names(self._tell)
            is_last = index == len(step.events) - 1  # what is due between two events of one act is never shown
            self._now = moment(rules, state) if is_last else TableMoment(state, before.due)
            made = patches(before, self._now, (), [self._viewer]).get(self._viewer, b"")
            if view_event(event, self._viewer) is None:
                if made:  # an administrator sees the bank, but not the payment that changed it
                    yield NarratedEvent(number=step.record.event + index, sort=HIDDEN_SORT, patch=Raw(made))
                continue
            yield NarratedEvent(
                number=step.record.event + index,
                event=_tag(event),
                sort=event.CARD.sort,
                say=told.say,
                what=told.what,
                params=told.params,
                cites=tuple(event.cites),
                step=event.step if isinstance(event, StepBegan) else "",
                counts=_counts(event),
                taken=_taken_wagers(event, rules, before.state) if self._viewer.role in TABLE.roles else [],
                patch=Raw(made) if made else UNSET,
            )


def _counts(event: Event) -> dict[str, int]:
    if isinstance(event, CountAnnounced):
        return {event.side.value: event.count}
    if isinstance(event, ResultAnnounced):
        return {"player": event.player, "banker": event.banker}
    return {}


def _taken_wagers(event: Event, rules: Rulebook, state: TableState) -> list[WagerTaken]:
    """The wagers that a settling event takes from the layout; the state names them until the table is cleared."""
    if isinstance(event, Paid):
        return [WagerTaken(wager.seat, wager.on.word) for wager in state.round.wagers if wager.seat == event.seat]
    if not isinstance(event, LosersCollected | WagersReturned):
        return []
    result = "lose" if isinstance(event, LosersCollected) else "push"
    found = lines(table_rules(rules), state)
    return [WagerTaken(line.seat, line.on.word) for line in found if line.result == result]


def _tag(event: Event) -> str:
    tag: Any = event.__struct_config__.tag
    return str(tag)


def words_of(event: Event, say: str) -> str:
    """The text that a search scans: the sentence, the clauses without their edition, and cards by their short names."""
    cards = [str(card) for card in (getattr(event, "card", None),) if card is not None]
    return " ".join((say, *(cite.partition(" ")[2] for cite in event.cites), *cards)).casefold()
