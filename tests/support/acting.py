"""Who acts in a test: whoever usually does, unless the test says by whom, in what capacity, and with which second."""

from __future__ import annotations

from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Command
from baccarat.table.correction import Correction
from baccarat.table.due_settlement import ReportUncollected
from baccarat.table.exception_report import ReportException
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.goodwill import PayGoodwill
from baccarat.table.machine import Table
from baccarat.table.meters import CorrectMeter, JoinLink
from baccarat.table.missing_form import MissForm
from baccarat.table.role import Role
from baccarat.table.step.must_hit import EndRound
from baccarat.table.step.revealing import ReportLostSeed
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import VoidForm


def acting(
    table: Table,
    command: Command,
    *,
    by: Role | None = None,
    who: str = "",
    second: str | None = None,
    second_role: Role | None = None,
) -> Actor:
    """The actor of a command; the second person approves this very command, in the capacity that belongs to it."""
    if isinstance(command, DocumentVigorish):
        who, second = who or command.form.pit_clerk, command.form.pit_boss if second is None else second
    role = second_role or _usual_second(command, by)
    approvals = (Approval(who=second, role=role, what=command.name),) if second else ()
    return table.usual_actor(command, by=by, who=who, approvals=approvals)


def _usual_second(command: Command, by: Role | None) -> Role:
    match command:
        case PayGoodwill() | CorrectMeter():
            return Role.ADMINISTRATOR
        case Correction():
            return Role.DEALER if by is Role.FLOORPERSON else Role.FLOORPERSON
        case ReportException() | ReportUncollected():
            return Role.FLOORPERSON if by is Role.CASINO_SUPERVISOR else Role.CASINO_SUPERVISOR
        case DocumentVigorish() | VoidForm() | MissForm():
            return Role.PIT_BOSS
        case ReportLostSeed() | JoinLink() | EndRound() | ConfirmCard():
            return Role.CASINO_SUPERVISOR
        case _:
            return Role.DEALER
