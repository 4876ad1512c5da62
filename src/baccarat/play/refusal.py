"""Refusals: values that say why an act is not taken, and by which clauses.

A refusal holds no sentence: it names one (`what`), with its parameters, and `refusal_sentence` makes it from a list
(`refusal_text.py`). So what is stored of it stays the same when the English is reworded.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from baccarat.law.clause import Citation
from baccarat.money import Cents
from baccarat.values import short_repr


class RefusalCode(Enum):
    """Why an act is refused: one vocabulary for the round, the table and the house.

    A table that has stopped, the origin, the role and the step come before all others.
    """

    STOPPED = "stopped"
    WRONG_ORIGIN = "wrong_origin"
    WRONG_ROLE = "wrong_role"
    WRONG_STEP = "wrong_step"
    INVALID_SUBMISSION = "invalid_submission"
    IMPOSSIBLE_CARDS = "impossible_cards"
    FREE_HAND_NOT_OFFERED = "free_hand_not_offered"
    FREE_HAND_WITH_WAGERS = "free_hand_with_wagers"
    SURPLUS_CARDS = "surplus_cards"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_WAGER = "no_such_wager"
    NOT_OFFERED = "not_offered"
    TWICE = "twice"
    WHOLE_CENTS = "whole_cents"
    FIXED_STAKE = "fixed_stake"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    OFF_INCREMENT = "off_increment"
    NO_BASE_WAGER = "no_base_wager"
    OPPOSITE_BETS = "opposite_bets"
    PRESS = "press"
    COUPON = "coupon"
    VERBAL = "verbal"
    AGGREGATE_PAYOUT = "aggregate_payout"
    PRESS_ABOVE_MAXIMUM = "press_above_maximum"
    NO_METERS = "no_meters"
    CUT_DEPTH = "cut_depth"
    MUST_HIT = "must_hit"
    NOT_ENTITLED = "not_entitled"
    SEAT_TAKEN = "seat_taken"
    SEAT_EMPTY = "seat_empty"
    WAGERS_CLOSED = "wagers_closed"
    WAGERS_ON_TABLE = "wagers_on_table"
    NOT_ENOUGH_CHIPS = "not_enough_chips"
    OUT_OF_ORDER = "out_of_order"
    WRONG_CARDS = "wrong_cards"
    WRONG_PROOF = "wrong_proof"
    IMPOSSIBLE_CARD = "impossible_card"
    VIGORISH_OWED = "vigorish_owed"
    DEPTH = "depth"
    WRONG_SUM = "wrong_sum"
    INCOMPLETE = "incomplete"
    NO_REASON = "no_reason"
    SAME_PERSON = "same_person"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_OPTION = "no_such_option"
    NOTHING_CHANGES = "nothing_changes"
    NOT_UNIFORM = "not_uniform"
    NO_NOTICE = "no_notice"
    NOT_WRITTEN = "not_written"
    TOO_LATE = "too_late"
    NOT_ENOUGH = "not_enough"
    NO_SUCH_FORM = "no_such_form"
    UNACCOUNTED = "unaccounted"
    CLOSED = "closed"
    OTHER_TERMS = "other_terms"
    FROZEN = "frozen"
    WRONG_SEAL = "wrong_seal"
    REPEATED_ID = "repeated_id"


class Why(NamedTuple):
    """The name of a sentence, and its parameters."""

    what: str
    params: dict[str, Any] = {}  # noqa: RUF012  never changed


class RefusalNote(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A sentence within another, or attached to an event: its name and its parameters."""

    what: str
    params: dict[str, int | str] = {}

    @property
    def say(self) -> str:
        """The same in words."""
        return sentence(self.what, self.params)

    def __str__(self) -> str:
        return self.say


Param = int | str | tuple[RefusalNote, ...]
"""A parameter of a sentence: a number, a name, or sentences within it."""


class RefusedAct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The act that was refused: its name, the seat, the money in cents, and what it is on."""

    act: str
    seat: int = 0
    money: int | None = None
    on: str = ""

    def __str__(self) -> str:
        where = f" at seat {self.seat}" if self.seat else ""
        money = f", {Cents(self.money)}" if self.money is not None else ""
        return f"{self.act.replace('_', ' ')}{where}{money}{f' on {self.on}' if self.on else ''}"


class Refused(msgspec.Struct, frozen=True):
    """An act not taken: a code, the name of a sentence with its parameters, the clauses. It changes nothing."""

    code: RefusalCode
    what: str
    cites: tuple[Citation, ...]
    params: dict[str, Param] = {}
    act: RefusedAct | None = None

    @property
    def say(self) -> str:
        """The refusal as a sentence."""
        return refusal_sentence(self)

    def __repr__(self) -> str:
        return short_repr(self, f"{self.code.value}: {self}")

    def __str__(self) -> str:
        return f"{self.say}  [{', '.join(map(str, self.cites))}]"


def make_refusal(code: RefusalCode, what: str, cites: tuple[Citation, ...], /, **params: object) -> Refused:
    """A refusal with its parameters; any that is not a number, a text or a row of notes is stored as its text."""
    return Refused(code, what, cites, {name: _plain_param(value) for name, value in params.items()})


def _plain_param(value: object) -> Param:
    if isinstance(value, tuple):
        assert all(isinstance(each, RefusalNote) for each in value), "a row of notes"
        return value
    return value if isinstance(value, int | str) and not isinstance(value, bool | Enum) else str(value)


class _Sentence(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, tuple):
            return (", " if format_spec == "list" else "; ").join(each.say for each in value)
        if format_spec == "money":
            return str(Cents(value))
        if format_spec == "at":  # a stake that is only priced has no seat
            return f" at seat {value}" if value else ""
        if format_spec in ("or", "or the", "and the"):
            return str(value).replace(", ", f" {format_spec} ")
        if format_spec == "cutter":
            return f"seat {value}" if value else "the dealer"
        if format_spec == "rank":
            from baccarat.play.refusal_text import RANKS  # noqa: PLC0415

            return RANKS.get(value, f"a {value}")
        if format_spec == "of":  # a form that no table has received
            return f" of {value}" if value else ""
        return str(value).replace("_", " ") if format_spec == "words" else str(value)


_SENTENCE = _Sentence()


def refusal_sentence(refused: Refused) -> str:
    """A refusal in a sentence, in English; it begins with the act where that is known."""
    text = sentence(refused.what, refused.params)
    return text if refused.act is None else f"{refused.act}: {text}"


def spoken_params(refused: Refused) -> dict[str, Param]:
    """Only the parameters that the sentence of a refusal uses: the rest are for the record."""
    from baccarat.play.refusal_text import SENTENCES  # noqa: PLC0415

    named = {name for _, name, _, _ in _SENTENCE.parse(SENTENCES[refused.what]) if name}
    return {name: value for name, value in refused.params.items() if name in named}


def sentence(what: str, params: Mapping[str, object]) -> str:
    """The sentence of a name, with its parameters."""
    from baccarat.play.refusal_text import SENTENCES  # noqa: PLC0415

    return _SENTENCE.vformat(SENTENCES[what], (), params)
