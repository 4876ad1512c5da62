"""The commands of the table as a person types them: who may give each, at which steps, and what each field means."""

from __future__ import annotations

from functools import cache

import msgspec

from baccarat.law.edition import load_edition, shipped_editions
from baccarat.law.wager_name import SHIPPED
from baccarat.play.hand import Side
from baccarat.record.field import CommandField, fields_of
from baccarat.record.wire import KINDS
from baccarat.table.actor import Origin
from baccarat.table.gate import GateFault
from baccarat.table.registry import STEPS
from baccarat.table.role import Role

LEGEND: dict[str, str] = {
    "number": "a whole number",
    "sum": 'a sum of money: whole cents, `2500`, or as it is printed, `"$25.00"`',
    "text": "visible text in quotation marks; control characters are not allowed",
    "card": 'as it is printed, `"9s"`, `"TD"`, or as in the journal, `{"rank": "9", "suit": "s"}`',
    "hand": " or ".join(f'`"{side.value}"`' for side in Side),
    "wager": "the name of a wager of the edition; in the shipped ones: "
    + ", ".join(f'`"{kind.value}"`' for kind in SHIPPED),
    "role": "one of " + ", ".join(f'`"{role.value}"`' for role in Role),
    "origin": "one of " + ", ".join(f'`"{origin.value}"`' for origin in Origin),
    "fault": "one of " + ", ".join(f'`"{fault.value}"`' for fault in GateFault),
    "approval": "an object that names the second person who approves, below",
    "proof": "`salt` and `path`, as the seal of an electronic shoe gives them; none for real cards",
    "form": "an object with the fields of a Complimentary Vigorish Form, below",
}


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """One command: what it is, who may give it, at which steps (none: at any), and its fields."""

    name: str
    summary: str
    by: tuple[str, ...]
    steps: tuple[str, ...]
    fields: tuple[CommandField, ...]


def describe(name: str) -> Description:
    """The description of one command."""
    kind = KINDS[name]
    roles = sorted(kind.ROLES, key=lambda role: (role is not kind.ROLE, list(Role).index(role)))
    origins = tuple(f"the {origin.value}" for origin in kind.ORIGINS)
    person = Origin.PERSON in kind.ORIGINS
    return Description(
        name=name,
        summary=" ".join((kind.__doc__ or "").split()),
        by=tuple(role.value for role in roles) if person else origins,
        steps=tuple(step for step in step_names() if step in kind.STEPS),
        fields=fields_of(kind),
    )


def descriptions() -> tuple[Description, ...]:
    """Every command, in the order in which they occur at a table."""
    return tuple(map(describe, KINDS))


@cache
def step_names() -> tuple[str, ...]:
    """Every step of any shipped edition, in the order of play."""
    order: list[str] = []
    for steps in edition_steps().values():
        for place, step in enumerate(steps):
            if step not in order:
                order.insert(order.index(steps[place - 1]) + 1 if place else 0, step)
    assert set(order) <= set(STEPS), "every step of a document is known to the table"
    return (*order, *(step for step in STEPS if step not in order))


def edition_steps() -> dict[str, tuple[str, ...]]:
    """The steps of each shipped edition, in its own order."""
    return {
        name: tuple(dict.fromkeys(row.name for row in load_edition(name).steps if row.within is None))
        for name in shipped_editions()
    }
