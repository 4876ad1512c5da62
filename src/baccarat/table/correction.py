"""Corrections: what all of them say, and that two persons make them (reading A-88)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.base import Command, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Means
from baccarat.table.field_type import KeptReason
from baccarat.table.role import GAME_STAFF, Role
from baccarat.table.two_persons import refuse_same_person


class Correction(Command, frozen=True, kw_only=True):
    """What every correction says: which event it corrects, and why. Dealer and floorperson make it together."""

    corrects: Annotated[Count, Means("the number of the event that was wrong, counted from 0")]
    reason: KeptReason
    ROLES = AT_AUTOMATED = GAME_STAFF
    CORRECTED: ClassVar[str]
    """What it corrects, in a word."""

    def seconds(self, role: Role) -> frozenset[Role]:
        """The floorperson where the dealer asks for it, otherwise the dealer."""
        return frozenset({Role.FLOORPERSON if role is Role.DEALER else Role.DEALER})


def approver_of(command: Correction, actor: Actor) -> str:
    """The second person of a correction."""
    return actor.approved_by(command.name, *command.seconds(actor.role))


def both_persons(command: Correction, actor: Actor) -> dict[str, str]:
    """What the event of a correction says of it: why, who asked for it and who approved."""
    return {"reason": command.reason, "requester": actor.who, "approver": approver_of(command, actor)}


def refuse_without_second(rules: TableRules, command: Correction, actor: Actor, *keys: str) -> Refused | None:
    """Dealer and floorperson, who must be two persons."""
    approver = approver_of(command, actor)
    if actor.approvals and not approver:
        return refuse(rules, Reason.WRONG_ROLE, "correction_by_dealer_and_floorperson", *keys)
    return refuse_same_person(rules, "a_correction", (actor.who, approver), command.reason, *keys)
