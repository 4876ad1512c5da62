"""All that a console shows of a table besides its view, made from the state and the last events alone."""

from __future__ import annotations

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted, Command, Event, TableRules, table_rules
from baccarat.table.console.correctable import Corrigible, corrigible
from baccarat.table.console.draw_ruling import DrawOrStay, counts, draw_or_stay
from baccarat.table.console.prepared_acts import (
    AwaitedAct,
    PreparedAct,
    acts_of_others,
    calls_of,
    choices_open,
    ready_acts,
    what_follows,
)
from baccarat.table.console.remedy_progress import (
    Recent,
    RemedyStep,
    last_rounds,
    recent_events,
    remedies_so_far,
    steps_ahead,
)
from baccarat.table.console.reportable import ReportableIrregularity, reportable
from baccarat.table.console.settlement_lines import HouseMoneyLine, SettlementLine, house_money_lines, settlement_lines
from baccarat.table.console.step_list import StepShown, steps_shown
from baccarat.table.correctable_event import EventAt
from baccarat.table.due_data import Sentence
from baccarat.table.machine import decide, expected
from baccarat.table.round_state import Act
from baccarat.table.rules_adoption import rules_after
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ANNOUNCE, AnnounceResult, ResultAnnounced
from baccarat.table.step.house_money import HOUSE_MONEY
from baccarat.table.step.settlement import SETTLE
from baccarat.table.tableau import hands_are_complete
from baccarat.table.two_persons import with_assumed_second
from baccarat.table.usual_actor import dealer_of

SECOND_PERSON = "a second person"
"""Who approves an act of two persons that is only tried out."""


class Boxes(msgspec.Struct, frozen=True, kw_only=True):
    """The vigorish boxes: what each seat owes, and at which end seat 1 lies for the dealer."""

    seats: int
    owed: dict[int, int]
    seat_one: str
    cites: tuple[str, ...]
    seat_one_cites: tuple[str, ...]


class RemedyProgress(msgspec.Struct, frozen=True, kw_only=True):
    """What was done about irregularities, and what is still to come."""

    done: tuple[Event, ...]
    ahead: tuple[RemedyStep, ...]


class Console(msgspec.Struct, frozen=True, kw_only=True):
    """What a console shows of a table's work exactly as it is found here."""

    steps: tuple[StepShown, ...]
    acts: tuple[PreparedAct, ...]
    waiting: tuple[AwaitedAct, ...]
    choices: tuple[AwaitedAct, ...]
    counts: dict[str, int]
    ruled: DrawOrStay | None
    settlement: tuple[SettlementLine, ...]
    settlement_cites: tuple[str, ...]
    house_money: tuple[HouseMoneyLine, ...]
    boxes: Boxes | None
    irregularities: tuple[ReportableIrregularity, ...]


class ConsoleWork(Console, frozen=True, kw_only=True):
    """The work of a table, for one person; events are still to be put into words for the viewer."""

    remedy: RemedyProgress
    corrigible: tuple[Corrigible, ...]


def work_of(rulebook: Rulebook, state: TableState, actor: Actor, event_at: EventAt, count: int) -> ConsoleWork:
    """The work of a table that has had `count` events, as a person who acts in a role sees it."""
    rules, due = table_rules(rulebook), expected(rulebook, state)
    recent = recent_events(event_at, count)
    known = dict(recent)
    return ConsoleWork(
        steps=steps_shown(rules, state),
        acts=ready_acts(rules, state, due, actor),
        waiting=acts_of_others(rules, state, due, actor.role),
        choices=choices_open(rules, state, due),
        counts=counts(rules, state),
        ruled=None if state.stopped else draw_or_stay(rules, state),
        settlement=_settlement(rules, state, recent),
        settlement_cites=rules.settlement,
        house_money=house_money_lines(rules, state) if state.step == HOUSE_MONEY else (),
        boxes=_boxes(rules, state),
        irregularities=reportable(rules, state),
        remedy=RemedyProgress(done=remedies_so_far(state, recent), ahead=steps_ahead(rules, state)),
        corrigible=corrigible(rules, state, recent, lambda number: known.get(number) or event_at(number), actor.role),
    )


def _settlement(rules: TableRules, state: TableState, recent: Recent) -> tuple[SettlementLine, ...]:
    """The lines of the settlement, from the moment at which the result can be called."""
    acts: tuple[Act, ...] = ()
    if state.round.announced:
        found = [event for _, event in last_rounds(recent, 1) if isinstance(event, ResultAnnounced)]
        acts = found[-1].acts if found else state.round.acts
        return settlement_lines(rules, state, acts) if acts and state.step == SETTLE else ()
    if state.step != ANNOUNCE or state.stopped or not hands_are_complete(rules, state):
        return ()
    outcome = decide(rules.rulebook, state, AnnounceResult(), dealer_of(state))
    assert isinstance(outcome, Accepted), f"the result can be called: {outcome}"
    return settlement_lines(rules, outcome.state, outcome.state.round.acts)


def _boxes(rules: TableRules, state: TableState) -> Boxes | None:
    """Where vigorish is marked, or still owed."""
    if not rules.book.vig_deferred and not state.money.markers:
        return None
    options = rules.edition.options
    return Boxes(
        seats=len(state.seats.participants),
        owed=dict(state.money.markers),
        seat_one=rules.book.seat_one,
        cites=rules.cite_text(*rules.edition.vigorish.deferred_cite),
        seat_one_cites=rules.cite_text(*options["seat_one"].cite) if "seat_one" in options else (),
    )


# ------------------------------------------------------------------------------------------------- preview


class CommandPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a command would lead to; nothing has been done."""

    events: tuple[Event, ...]
    calls: tuple[str, ...]
    follows: str
    follows_sentence: Sentence
    counts: dict[str, int]
    ruled: DrawOrStay | None
    ahead: tuple[RemedyStep, ...]


def outlook(
    rulebook: Rulebook, state: TableState, command: Command, actor: Actor, event_at: EventAt
) -> CommandPreview | Refused:
    """What a command would lead to; an act of two persons as if somebody had approved it."""
    seconds = sorted(command.seconds(actor.role), key=lambda role: role.value)
    if seconds and not actor.approvals:
        approval = Approval(who=SECOND_PERSON, role=seconds[0], what=command.name)
        actor = msgspec.structs.replace(actor, approvals=(approval,))
        state = with_assumed_second(state, approval)
    if isinstance(outcome := decide(rulebook, state, command, actor, event_at), Refused):
        return outcome
    after = table_rules(rules_after(rulebook, outcome.events))
    say, sentence = what_follows(table_rules(rulebook), outcome)
    return CommandPreview(
        events=outcome.events,
        calls=calls_of(outcome.events),
        follows=say,
        follows_sentence=sentence,
        counts=counts(after, outcome.state),
        ruled=None if outcome.state.stopped else draw_or_stay(after, outcome.state),
        ahead=steps_ahead(after, outcome.state),
    )
