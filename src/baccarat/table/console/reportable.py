"""Irregularities that can be reported now: what the person who reports one must enter, and the clauses that rule it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from baccarat.law.section import RemedyLaw
from baccarat.play.hand import Side
from baccarat.table.base import TableRules
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.input_field import InputField
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import ReportExposedCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.role import Role
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.curating import OrderPass
from baccarat.table.step.dealing import DrawCard
from baccarat.table.step.relinquishing import OrderRelinquish
from baccarat.table.step.turning_right import RELINQUISH, holder, to_be_viewed, turning_side
from baccarat.table.tableau import BOTH, both_counted

CARD = InputField(name="card", kind="card")
REASON = InputField(name="reason", kind="text")


class ElectedRemedy(msgspec.Struct, frozen=True, kw_only=True):
    """What the licensee filed where the document gives a choice of remedies."""

    option: str
    value: Any


class ReportableIrregularity(msgspec.Struct, frozen=True, kw_only=True):
    """Something that may have gone wrong, and how it is reported."""

    what: str
    command: dict[str, Any]
    fields: tuple[InputField, ...] = ()
    cites: tuple[str, ...] = ()
    by: tuple[Role, ...] = ()
    """Who may report it."""
    elected: tuple[ElectedRemedy, ...] = ()


def reportable(rules: TableRules, state: TableState) -> tuple[ReportableIrregularity, ...]:
    """What can be reported now."""
    return () if state.stopped else tuple(_found(rules, state))


def _found(rules: TableRules, state: TableState) -> Iterator[ReportableIrregularity]:
    step, edition = state.step, rules.edition
    if step in ReportErrorCard.STEPS and state.shoe.left:
        yield _error_card(rules, state)
    hidden = tuple(each for side in BOTH for each in state.round.hand(side) if each not in state.round.turned)
    is_real = not state.has_proved_cards  # a card of an electronic shoe is known only with its proof
    if step in ReportExposedCard.STEPS and hidden and is_real:
        law = edition.error_card.seen
        choice = InputField(name="position", kind="choice", choices=hidden, value=hidden[0])
        yield _made(rules, "exposed_card", ReportExposedCard, law.cite, (choice, CARD), _elected_of(rules, law))
    if step in ReportFaceUp.STEPS and state.shoe.left and is_real:
        law = edition.face_up
        yield _made(rules, "face_up", ReportFaceUp, law.cite, (CARD,), _elected_of(rules, law))
    if step in DrawCard.STEPS and not state.shoe.left and not state.shoe.carried:
        yield _made(rules, "shoe_empty", DrawCard, edition.void.cite)
    if step in ConfirmCard.STEPS and is_real:
        choice = InputField(name="position", kind="choice", choices=_to_be_seen(state), value=_to_be_seen(state)[0])
        yield _made(rules, "foul_card", ConfirmCard, edition.options["decks"].cite, (choice, CARD))
    side = turning_side(state) if step in OrderRelinquish.STEPS else None
    if side is not None and to_be_viewed(state, side) and holder(rules, state, side) != DEALER:
        cites = rules.cites[RELINQUISH]
        made = _made(rules, "delay", OrderRelinquish, (), (REASON,))
        yield msgspec.structs.replace(made, cites=cites)
    if step in OrderPass.STEPS and edition.curator is not None and state.seats.curator not in (None, DEALER):
        yield _made(rules, "curator", OrderPass, edition.curator.order_cite, (REASON,))


def _error_card(rules: TableRules, state: TableState) -> ReportableIrregularity:
    law = rules.edition.error_card
    hands: tuple[str, ...] = tuple(side.value for side in Side) if both_counted(state.round) else ()
    to = InputField(name="to", kind="choice", choices=hands, is_optional=True)
    seen = msgspec.structs.replace(CARD, is_optional=True)
    elected = (*_elected_of(rules, law.third_seen), *_elected_of(rules, law.seen))
    keys = (*law.cite, *law.unseen_cite, *law.seen.cite)
    fields = (*((to,) if hands else ()), *((seen,) if not state.has_proved_cards else ()))
    return _made(rules, "error_card", ReportErrorCard, keys, fields, tuple(dict.fromkeys(elected)))


def _made(
    rules: TableRules,
    what: str,
    kind: Any,
    keys: tuple[str, ...],
    fields: tuple[InputField, ...] = (),
    elected: tuple[ElectedRemedy, ...] = (),
) -> ReportableIrregularity:
    return ReportableIrregularity(
        what=what,
        command={"do": str(kind.__struct_config__.tag)},
        fields=fields,
        cites=tuple(dict.fromkeys(rules.cite_text(*keys))),
        by=tuple(role for role in Role if role in kind.ROLES and role is not Role.PARTICIPANT),
        elected=elected,
    )


def _elected_of(rules: TableRules, law: RemedyLaw) -> tuple[ElectedRemedy, ...]:
    """The options by which the licensee chose a remedy."""
    names = [name for name in (law.option, law.ten_option) if name is not None]
    return tuple(
        ElectedRemedy(option=name, value=rules.elects(name)) for name in names if rules.elects(name) is not None
    )


def _to_be_seen(state: TableState) -> tuple[int, ...]:
    """The cards whose value is due to be known: those on the way to the discards, of the hands and of the burn."""
    shoe, round_ = state.shoe, state.round
    laid = [each for side in BOTH for each in round_.hand(side) if each not in round_.turned]
    burned = [each for each in shoe.burn if each not in shoe.burned]
    return tuple(dict.fromkeys((*shoe.exposing, *laid, *burned, shoe.next)))
