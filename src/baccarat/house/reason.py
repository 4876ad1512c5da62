"""Reasons of the house: why an act beyond one table is refused."""

from __future__ import annotations

from enum import Enum

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused


class HouseReason(Enum):
    """Why an act of the house is refused, in the order in which the reasons take precedence."""

    NOT_OFFERED = "not_offered"
    WRONG_ROLE = "wrong_role"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_OPTION = "no_such_option"
    INVALID_SUBMISSION = "invalid_submission"
    NOTHING_CHANGES = "nothing_changes"
    NOT_UNIFORM = "not_uniform"
    NO_NOTICE = "no_notice"
    NOT_WRITTEN = "not_written"
    TOO_LATE = "too_late"
    NOT_ENOUGH = "not_enough"
    WRONG_SUM = "wrong_sum"
    NO_SUCH_FORM = "no_such_form"
    OUT_OF_ORDER = "out_of_order"
    INCOMPLETE = "incomplete"
    NO_REASON = "no_reason"
    SAME_PERSON = "same_person"
    UNACCOUNTED = "unaccounted"
    CLOSED = "closed"
    OTHER_TERMS = "other_terms"
    FROZEN = "frozen"
    TWICE = "twice"
    WRONG_SEAL = "wrong_seal"


def refuse(rules: Rulebook, why: HouseReason, say: str, *keys: str) -> Refused:
    """A refusal that cites clauses of a rulebook."""
    assert keys, "no refusal without a clause"
    return Refused(why, say, rules.cite(*keys))
