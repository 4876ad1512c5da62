"""The registry: the one list of the table's modules. Importing it registers every command, event and step.

A module registers what it owns with `handles`, `evolves` and `add_step` (`registration.py`). A kind of command or event
that nothing was registered for stops the import.
"""

from __future__ import annotations

from typing import Any, TypeVar

from baccarat.table import (
    base,
    card_correction,
    coupon,
    dealers,
    departure,
    due_settlement,
    exception_report,
    foul_card,
    goodwill,
    meters,
    missing_form,
    payment_correction,
    registration,
    rules_adoption,
    seating_acts,
    table_kind,
    tableau,
    vigorish_debt,
    vigorish_form,
    witness_change,
)
from baccarat.table.actor import Origin
from baccarat.table.audience import Shown
from baccarat.table.base import Command, Event
from baccarat.table.irregularity import error_card, exposed, face_up, remedy
from baccarat.table.registration import STEPS, check_complete
from baccarat.table.step import (
    abandoning,
    announcing,
    burning,
    calling,
    clearing,
    closing,
    curating,
    cutting,
    dealing,
    free_hand,
    house_money,
    loading,
    must_hit,
    opening,
    overdue,
    relinquishing,
    revealing,
    sealing,
    settlement,
    shuffling,
    spoken_wager,
    turn_dispatch,
    turning,
    wagering,
)
from baccarat.table.step_function import TELL, tells

K = TypeVar("K", bound=type[Any])
V = TypeVar("V")

__all__ = [
    "COMMANDS",
    "EVENT_SHOWN",
    "EVOLVERS",
    "HANDLERS",
    "MODULES",
    "STEPS",
    "TELL",
    "abandoning",
    "announcing",
    "burning",
    "calling",
    "card_correction",
    "clearing",
    "closing",
    "coupon",
    "curating",
    "cutting",
    "dealers",
    "dealing",
    "departure",
    "due_settlement",
    "error_card",
    "exception_report",
    "exposed",
    "face_up",
    "foul_card",
    "free_hand",
    "goodwill",
    "house_money",
    "loading",
    "meters",
    "missing_form",
    "must_hit",
    "opening",
    "overdue",
    "payment_correction",
    "relinquishing",
    "remedy",
    "revealing",
    "rules_adoption",
    "sealing",
    "seating_acts",
    "settlement",
    "shuffling",
    "spoken_wager",
    "table_kind",
    "tableau",
    "turn_dispatch",
    "turning",
    "vigorish_debt",
    "vigorish_form",
    "wagering",
    "witness_change",
]

MODULES = (
    base, rules_adoption, seating_acts, departure, dealers, remedy, opening, shuffling, sealing, cutting, loading,
    burning, revealing, overdue, abandoning, closing, curating, wagering, spoken_wager, free_hand, calling, dealing,
    turning, turn_dispatch, relinquishing, house_money, tableau, announcing, settlement, coupon, clearing, must_hit,
    error_card, exposed, face_up, card_correction, payment_correction, foul_card, due_settlement, goodwill, meters,
    vigorish_debt, vigorish_form, exception_report, missing_form, witness_change, table_kind,
)  # fmt: skip
"""In the order in which the documentation lists their contents."""


def _in_order(registered: dict[K, V]) -> dict[K, V]:
    order = {module.__name__: index for index, module in enumerate(MODULES)}
    return dict(sorted(registered.items(), key=lambda each: order.get(each[0].__module__, len(order))))


check_complete("handler", Command, registration.HANDLERS)
check_complete("evolver", Event, registration.EVOLVERS)
tells(base.StepBegan)(lambda x: f"— {x.step.replace('_', ' ')} —")
check_complete("card", Event, (kind for kind in registration.EVOLVERS if "CARD" in vars(kind)))
check_complete("sentence", Event, TELL)
HANDLERS = _in_order(registration.HANDLERS)
EVOLVERS = _in_order(registration.EVOLVERS)
assert {kind for kind in HANDLERS if Origin.CLOCK in kind.ORIGINS} == set(registration.CLOCK_LIMITS), (
    "each has its limit"
)
COMMANDS: dict[str, type[Command]] = {str(kind.__struct_config__.tag): kind for kind in HANDLERS}
"""Every kind of command, by its tag."""
EVENT_SHOWN: dict[str, Shown] = {str(kind.__struct_config__.tag): kind.CARD.shown for kind in EVOLVERS}
"""Who sees what of every event, by its tag."""
