"""Automation: performs, from outside the machine, the acts that are expected of people who are not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.play.refusal import Refused
from baccarat.table import step_function
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted, Command, Due, table_rules
from baccarat.table.due_settlement import ReportUncollected
from baccarat.table.due_text import ASKERS
from baccarat.table.exception_report import ReportException
from baccarat.table.machine import Table, iter_expected
from baccarat.table.offer import decline_offer
from baccarat.table.registry import COMMANDS
from baccarat.table.role import Role
from baccarat.table.source import CardSource
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.revealing import ReportLostSeed
from baccarat.table.step.shuffling import ShuffleCards
from baccarat.table.step_function import Maker
from baccarat.table.vigorish_debt import DocumentVigorish


def next_due(table: Table, source: CardSource) -> Due:
    """The next act that must be done; an electronic shoe commits to its seed as soon as it may."""
    for due in iter_expected(table.rules, table.state):
        if not due.optional or (due.act == "commit_shoe" and source.promise(table.rules, table.state) is not None):
            return due
    raise AssertionError("nobody has wagered: only participants can act now")


def perform(table: Table, due: Due, source: CardSource) -> Accepted | Refused:
    """Do one act that is due."""
    command = command_for(table, due, source)
    return table.do(command, actor_for(table, command))


def actor_for(table: Table, command: Command) -> Actor:
    """The actor who does an act that is due, with a second person where one is needed."""
    match command:
        case DocumentVigorish():
            second = Approval(who="pit boss", role=Role.PIT_BOSS, what=command.name)
        case ReportException() | ReportUncollected() | ReportLostSeed() | AbandonShoe():
            second = Approval(who="casino supervisor", role=Role.CASINO_SUPERVISOR, what=command.name)
        case ShuffleCards():
            return table.usual_actor(command, who=_next_dealer(table))
        case _:
            return table.usual_actor(command)
    return table.usual_actor(command, approvals=(second,))


def command_for(table: Table, due: Due, source: CardSource) -> Command:
    """The command by which an act that is due is done."""
    return MAKERS[due.act](table_rules(table.rules), table.state, due, source)


def _next_dealer(table: Table) -> str:
    """The dealer who shuffles next, where each does once."""
    dealers = table.state.seats.dealers
    done = table.state.shoe.shuffled_by if table.state.step == "shuffle" else ()
    return next((name for name in dealers if name not in done), dealers[0])


def _made_by_card(kind: Any) -> Maker | None:
    """How to make a command that its card describes completely: no fields, the seat, or that an offer is declined."""
    match kind.CARD.console:
        case "plain":
            return lambda *_: kind()
        case "seat":
            return lambda _rules, _state, due, _source: kind(seat=due.seat)
        case "declined":
            return lambda _rules, _state, due, _source: decline_offer(due)
        case _:
            return None


MAKERS: dict[str, Maker] = {
    **{name: maker for name, kind in COMMANDS.items() if (maker := _made_by_card(kind)) is not None},
    **step_function.MAKERS,
}
"""How to make the command for each act that a program may have to do, by the act's name."""
assert set(MAKERS) <= set(ASKERS), "every act that a program does has a sentence that asks for it"


def run_until(
    table: Table, source: CardSource, *, stop: Callable[[Table], bool], wagers: Callable[[Table], None]
) -> None:
    """Do what is expected, letting the company wager when it may, until `stop` says so or the table has stopped."""
    asked: tuple[int, int] | None = None
    while not stop(table):
        moment = (table.state.shoe.number, table.state.round.number)
        if table.state.step == "wager" and asked != moment:
            asked = moment
            wagers(table)
        if table.state.stopped and all(due.optional for due in table.expected):
            return
        due = next_due(table, source)
        outcome = perform(table, due, source)
        assert isinstance(outcome, Accepted), f"an expected act is accepted: {due} gave {outcome}"
