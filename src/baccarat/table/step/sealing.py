"""Sealing: an electronic shoe's order, committed to under one root before anybody is offered the cut."""

from __future__ import annotations

from string import hexdigits
from typing import ClassVar

from msgspec.structs import replace

from baccarat.table.actor import Origin
from baccarat.table.base import Command, Due, Event, Outcome, Reason, TableRules, evolves, handles, refuse
from baccarat.table.bounds import Hash
from baccarat.table.role import Role
from baccarat.table.state import State

OFFER_CUT, CUT = "offer_cut", "cut"


class SealOrder(Command, frozen=True, kw_only=True, tag="seal_order"):
    """The order of the stack, not yet cut, is sealed under this root; every card will prove that it stood in it."""

    root: Hash
    ORIGINS: ClassVar[tuple[Origin, ...]] = (Origin.CARD_SOURCE,)
    STEPS: ClassVar[frozenset[str]] = frozenset({OFFER_CUT, CUT})


class OrderSealed(Event, frozen=True, kw_only=True, tag="order_sealed"):
    """The order before the cut is fixed, whoever cuts it wherever."""

    root: str


def may_seal(state: State) -> bool:
    """Whether nobody has been offered the cut yet, so that the order cannot depend on it."""
    shoe = state.shoe
    return not (shoe.root or shoe.cut_offers or shoe.recuts or shoe.in_front is not None)


def is_hash(text: str) -> bool:
    """Whether a text is a SHA-256 hash in lower-case hexadecimal digits."""
    return len(text) == 64 and text == text.lower() and all(digit in hexdigits for digit in text)


@handles(SealOrder)
def seal_order(rules: TableRules, state: State, command: SealOrder) -> Outcome:
    """Once, and before the cut is offered."""
    if not may_seal(state):
        what = "order_sealed_already" if state.shoe.root else "order_sealed_before_the_cut"
        return refuse(rules, Reason.OUT_OF_ORDER, what, step=CUT)
    if not is_hash(command.root):
        return refuse(rules, Reason.WRONG_PROOF, "root_64_lower_case_hexadecimal_digits", step=CUT)
    return [OrderSealed(root=command.root, cites=rules.cites[CUT])]


@evolves(OrderSealed)
def evolve_sealed(state: State, event: OrderSealed) -> State:
    """Cards are proved from now on, not keyed."""
    return replace(state, shoe=replace(state.shoe, root=event.root))


def expect_seal(rules: TableRules, state: State) -> list[Due]:
    """An electronic shoe is sealed now or never; real cards are not."""
    if not may_seal(state):
        return []
    return [Due(by=Role.DEALER, act="seal_order", cites=rules.cites[CUT], optional=True)]
