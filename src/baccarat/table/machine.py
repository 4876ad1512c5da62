"""The machine: decide, evolve, expected; pure, total, and without any knowledge of a hidden card.

How it works:

A **command** is what somebody wants to do (`PlaceWager`). `decide` answers with **events**, what has then happened
(`WagerPlaced`), or with a `Refused`, which changes nothing. `evolve` is the only thing that changes a **state**, and
it looks at nothing but the state and one event. So a log of events is the whole truth: `replay(rules, log)` gives the
same state at any time and on any machine. The machine never asks for chance or time: whatever an act needs of them
(where the stack is cut, which card was turned) comes in with the command.

Who acts is no part of a command. It is a separate argument, the **actor** (`actor.py`): the person, the capacity, where
the command comes from (a person, a card source, a link of tables, the clock), and who else approves it. The program
that runs the table vouches for it; a participant acts for his own seat only.

`decide` first checks what is the same for every command: has the table stopped, may it come from there, is this the act
of such a person, is this its step and his seat (`guard.py`)? Then the command's own handler decides, by the rulebook
and the state. Handlers and evolvers stand in the module of the step that they belong to; `registry.py` collects them.
That a hand stays is ruled on as soon as the cards that decide it are up, whichever act turned them: `decide` itself
adds that event.

**Steps.** The edition lists its steps in order. The table is at the first step of that list that is due, and each
step's module says whether it is (`BURN` is due until the last card to be burned has been shown). After an act the
list is searched from the current step onwards, so that a step which has been passed does not come back by itself; only
an event that says so (`REWINDS`: a table cleared, a card corrected) restarts the search from the beginning. Moving on
is itself an event, `StepBegan`. `expected` lists the acts that the current step waits for, by whom and under which
clause; consoles, automation and tests all call it, so none of them knows the game by itself.

**No hidden card.** The state holds positions of the shoe, never the card that lies there, until somebody turns it:
`TurnCard(position, card, proof)` brings the card from outside. For an electronic shoe the proof is checked against
the root that was sealed. So nothing that is hidden can leak out of a state, a log or a refusal.

**Rules.** A shoe begins with `RulesAdopted`, which names its rulebook; between two shoes `AdoptRules` adopts another
(`rules_adoption.py`). The event holds everything that it changes, so that a log replays without the new rules.

**Corrections.** Nothing is edited. A mis-keyed card, a wrong payment or a meter that shows too little is corrected by a
new event that names the number of the old one (`corrects`), made by two persons. `decide` looks the old event up with
`event_at`, an argument: it reads a log in memory, or the records behind a snapshot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager.royal9 import progressive
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import (
    Accepted,
    Command,
    Due,
    Event,
    HandlerResult,
    Reason,
    StepBegan,
    TableRules,
    refuse,
    table_rules,
)
from baccarat.table.card_correction import CorrectCard
from baccarat.table.correctable_event import EventAt, names_correctable_event, no_event
from baccarat.table.correction import Correction
from baccarat.table.due_settlement import expect_owed
from baccarat.table.due_text import with_sentence
from baccarat.table.foul_card import expect_unproved
from baccarat.table.guard import ON_THE_GAME_SINCE, guard, refuse_other_capacity
from baccarat.table.meters import METERS_TAKEN_BACK_SINCE, restore_meter_events
from baccarat.table.owed import refuse_while_owed
from baccarat.table.registration import DEPENDS_ON_ACTOR, DUE_2, HANDLERS_1, HANDLERS_2, IsDue, step_cites
from baccarat.table.registry import EVOLVERS, HANDLERS, STEPS
from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.role import Role
from baccarat.table.rules_adoption import AdoptRules, opens_shoe, rules_after
from baccarat.table.state import Flow, Meters, Seats, TableState, with_round
from baccarat.table.step.abandoning import expect_taken_away
from baccarat.table.step.closing import CLOSE, expect_owing
from baccarat.table.step.revealing import expect_seed
from baccarat.table.step.sealing import CUT, expect_contributions
from baccarat.table.table_cards import StatedCards
from baccarat.table.tableau import HandStays, new_stays
from baccarat.table.usual_actor import usual_actor
from baccarat.table.witness_keys import StatedWitnesses
from baccarat.values import expect, short_repr

BEHAVIOUR = 3
"""The version of all functions that decide: it is raised whenever an act that a record may hold would be decided
differently, under the same rulebook and in the same state. A record names the version that decided it. New commands
and new origins of old ones do not raise it: what a clock, a link or a card source is refused was never recorded."""


def begin(
    rulebook: Rulebook,
    cards: StatedCards = UNSET,
    witnesses: StatedWitnesses = UNSET,
    reveal_within: StatedDeadline = UNSET,
) -> TableState:
    """A table that has just been opened: empty seats, no cards, meters at their seeds.

    `cards` is what it is, `witnesses` are those who have a share in its electronic shoes, whose seeds are revealed
    within `reveal_within` seconds.
    """
    progress = progressive(rulebook)
    amounts = {meter.name: meter.seed for meter in progress.meters} if progress else {}
    must_hit, rules = rulebook.elections.must_hit, table_rules(rulebook)
    start = must_hit.start if must_hit else 0
    state = TableState(
        step=rules.steps[0],
        seats=Seats(participants=(None,) * (rules.elections.seats or 0)),
        meters=Meters(amounts=amounts, must_hit=start, must_hit_flow=Flow(seeded=start)),
        cards=cards,
        witnesses=witnesses,
        reveal_within=reveal_within,
    )
    return replace(state, step=current_step(rules, state))


def evolve(state: TableState, event: Event) -> TableState:
    """The state after an event."""
    return EVOLVERS[type(event)](state, event)


def evolve_all(state: TableState, events: Iterable[Event]) -> TableState:
    """The state after events."""
    for event in events:
        state = EVOLVERS[type(event)](state, event)
    return state


def decide(
    rulebook: Rulebook,
    state: TableState,
    command: Command,
    actor: Actor,
    event_at: EventAt = no_event,
    *,
    behaviour: int = BEHAVIOUR,
) -> Accepted | Refused:
    """What an actor's command leads to: events and the state after them, or a refusal that changes nothing.

    `event_at` returns the event with a number, or None; only corrections call it. An earlier `behaviour` decides as
    that version did, so that its records can be told from forgeries.
    """
    rules, kind = table_rules(rulebook), type(command)
    # The checks that every command must pass, whatever it says.
    if refused := guard(rules, state, command, actor):
        return with_act(refused, command)
    is_asked_for_capacity = behaviour >= ON_THE_GAME_SINCE and state.is_on_record
    if is_asked_for_capacity and (refused := refuse_other_capacity(rules, state, command, actor)):
        return with_act(refused, command)
    # After a correction the game waits until everybody has what the cards owe.
    if state.round.corrected and behaviour > 1 and (refused := refuse_while_owed(rules, state, command)):
        return with_act(refused, command)
    # The handler of this kind of command answers with events, or refuses under its own clauses.
    handler, known = HANDLERS[kind], state
    if behaviour <= 2:
        handler = HANDLERS_2.get(kind, handler)
    if behaviour == 1:  # which knew nothing of what a correction leaves owed
        handler, known = HANDLERS_1.get(kind, handler), with_round(state, corrected=False)
    events = handler(rules, known, command, actor) if kind in DEPENDS_ON_ACTOR else handler(rules, known, command)
    if kind in SPECIAL and not isinstance(events, Refused):
        rules, events = _special(rules, state, command, events, event_at, behaviour)
    if isinstance(events, Refused):
        return with_act(events, command)
    # Apply the events, each by its own function: the same functions replay a log.
    after, rewinds = state, False
    for event in events:
        after = EVOLVERS[type(event)](after, event)
        rewinds = rewinds or event.REWINDS
    # Cards that were turned or counted may decide that a hand stays: an event of its own. Most commands change neither.
    if after.round.turned is not state.round.turned or after.round.counted is not state.round.counted:
        for ruled in new_stays(rules, after):
            after = EVOLVERS[HandStays](after, ruled)
            events = [*events, ruled]
    # Move to the first step that is due; only after an event that rewinds may that be an earlier one.
    start = 0 if rewinds else rules.step_index[after.step]
    step = current_step(rules, after, start=start, earlier=DUE_2 if behaviour <= 2 else NO_STEPS)
    if step == after.step:
        return Accepted(tuple(events), after)
    began = StepBegan(step=step, cites=step_cites(rules, after, step))
    return Accepted((*events, began), EVOLVERS[StepBegan](after, began))


SPECIAL = frozenset(kind for kind in HANDLERS if kind.OPENS_SHOE or issubclass(kind, Correction | AdoptRules))
"""The few commands that need more than their handler."""


def _special(
    rules: TableRules, state: TableState, command: Command, events: Sequence[Event], event_at: EventAt, behaviour: int
) -> tuple[TableRules, HandlerResult]:
    """A correction names an event that it can correct; a shoe opens with its rules; adopted rules hold from now on."""
    if isinstance(command, Correction) and not names_correctable_event(command, event_at):
        why, keys, corrects = Reason.OUT_OF_ORDER, rules.edition.deal.cite, command.corrects
        return rules, refuse(rules, why, "event_cannot_be_corrected_so", *keys, corrects=corrects)
    if isinstance(command, CorrectCard) and behaviour > 1:
        after, takes_back = evolve_all(state, events), behaviour >= METERS_TAKEN_BACK_SINCE
        events = [*events, *restore_meter_events(rules, after, events, takes_back=takes_back)]
    if command.OPENS_SHOE:
        events = [*opens_shoe(rules, state), *events]
    return table_rules(command.rules) if isinstance(command, AdoptRules) else rules, events


def with_act(refused: Refused, command: Command) -> Refused:
    """A refusal that names the act, the seat and the sum."""
    return replace(refused, act=command.as_refused)


NO_STEPS: Mapping[str, IsDue] = {}


def current_step(
    rules: TableRules, state: TableState, *, start: int = 0, earlier: Mapping[str, IsDue] = NO_STEPS
) -> str:
    """The first step of the edition's list that is due, from the current one on; `earlier` says of some of them
    whether an earlier version had them due."""
    if state.shoe.abandoned:
        return CLOSE  # even if some of the preparation was still to be done
    for step in rules.steps[start:]:
        if earlier.get(step, STEPS[step][0])(rules, state):
            return step
    raise AssertionError("some step is always due: the last one clears the table")


def expected(rulebook: Rulebook, state: TableState) -> tuple[Due, ...]:
    """The acts now due, by whom, under which clause; where a table has stopped, what is owed, and how it resumes."""
    return tuple(iter_expected(rulebook, state))


def iter_expected(rulebook: Rulebook, state: TableState) -> Iterator[Due]:
    """The same one by one, each worded when it is reached: a caller that needs the first does not pay for the rest."""
    rules = table_rules(rulebook)
    if state.stopped:
        due_now = [*expect_owing(rules, state), *expect_seed(rules, state), *expect_taken_away(rules, state)]
    elif owed := expect_owed(rules, state) if state.round.corrected else []:
        due_now = owed
    else:
        due_now = STEPS[state.step][1](rules, state)
        due_now = [*due_now, *expect_unproved(rules, state, due_now)]
        if state.shoe.in_front is None or state.step == CUT:  # an electronic shoe takes contributions at any step
            due_now = [*expect_contributions(rules, state), *due_now]
    for due in due_now:
        yield with_sentence(rules, state, due)


class Table:
    """A table with its log: the machine, driven command by command."""

    _before = 0
    """How many events came before the log, where the table resumes from a snapshot."""
    _event_before: EventAt = staticmethod(no_event)

    def __init__(
        self,
        rules: Rulebook,
        cards: StatedCards = UNSET,
        witnesses: StatedWitnesses = UNSET,
        reveal_within: StatedDeadline = UNSET,
    ) -> None:
        self.rules = expect(rules, Rulebook, "a Rulebook, as rulebook() makes one")
        self.state = begin(rules, cards, witnesses, reveal_within)
        self.log: list[Event] = []

    def __repr__(self) -> str:
        return short_repr(self, f"{self.rules}, {len(self.log)} events, {self.state!r}")

    @classmethod
    def from_snapshot(cls, rules: Rulebook, state: TableState, *, events: int, event_at: EventAt) -> Self:
        """A table that resumes from a snapshot, taken after this number of events; `event_at` reads those."""
        table = cls(rules)
        table.state, table._before, table._event_before = state, events, event_at
        return table

    def event_at(self, number: int) -> Event | None:
        """The event with a number, counted from the beginning of the table."""
        index = number - self._before
        if index < 0:
            return self._event_before(number)
        return self.log[index] if index < len(self.log) else None

    @property
    def count(self) -> int:
        """How many events there have been since the beginning of the table."""
        return self._before + len(self.log)

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command; a refusal changes nothing. Without an actor, the usual one does it."""
        if type(command) not in HANDLERS:
            expect(command, Command, "a command, such as PlaceWager(seat=3, on=BANKER, stake=2500)")
        outcome = decide(self.rules, self.state, command, actor or self.usual_actor(command), self.event_at)
        if isinstance(outcome, Accepted):
            self.apply(outcome)
        return outcome

    def apply(self, outcome: Accepted) -> None:
        """Take over the state and the events of an outcome."""
        self.state = outcome.state
        self.log.extend(outcome.events)
        self.rules = rules_after(self.rules, outcome.events)

    def usual_actor(
        self, command: Command, *, by: Role | None = None, who: str = "", approvals: tuple[Approval, ...] = ()
    ) -> Actor:
        """The actor who usually does a command, where nothing else is said; a second person is never made up."""
        return usual_actor(self.state, command, by=by, who=who, approvals=approvals)

    @property
    def expected(self) -> tuple[Due, ...]:
        """The acts now due."""
        return expected(self.rules, self.state)


def replay(
    rules: Rulebook,
    log: Iterable[Event],
    cards: StatedCards = UNSET,
    witnesses: StatedWitnesses = UNSET,
    reveal_within: StatedDeadline = UNSET,
) -> TableState:
    """The state that a log of events leads to, at a table that was opened as `cards`, with these witnesses, and with
    this deadline for seeds."""
    expect(rules, Rulebook, "a Rulebook, as rulebook() makes one")
    events = list(log)
    if not EVOLVERS.keys() >= set(map(type, events)):  # one check for all; which is wrong is looked up only then
        for event in events:
            expect(event, Event, "events, as Table.log holds them")
    return evolve_all(begin(rules, cards, witnesses, reveal_within), events)


def union_of(kinds: Iterable[type[Any]]) -> Any:
    """One type of all kinds of command, or of event."""
    found: Any = None
    for kind in kinds:
        found = kind if found is None else found | kind
    return found


EVENT_DECODER = msgspec.json.Decoder(union_of(EVOLVERS))
