"""The commands of the table as a person types them: who may give each, at which steps, and what each field means."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_origin

import msgspec

from baccarat.cards import Card
from baccarat.law.edition import load_edition, shipped
from baccarat.law.wager_name import SHIPPED
from baccarat.play.hand import Side
from baccarat.play.wager import Kind
from baccarat.record.wire import KINDS, Beside, SecondPerson, members, unit_of
from baccarat.table.actor import Origin
from baccarat.table.gate import GateFault
from baccarat.table.owing import ComplimentaryForm
from baccarat.table.proof import Proof
from baccarat.table.registry import STEPS
from baccarat.table.role import Role

WORDS: dict[Any, str] = {
    int: "number",
    str: "text",
    bool: "true or false",
    Card: "card",
    Side: "hand",
    Kind: "wager",
    Role: "role",
    Proof: "proof",
    Origin: "origin",
    GateFault: "fault",
    SecondPerson: "approval",
    ComplimentaryForm: "form",
}
LEGEND: dict[str, str] = {
    "number": "a whole number",
    "sum": 'a sum of money: whole cents, `2500`, or as it is printed, `"$25.00"`',
    "text": "visible text in quotation marks; control characters are not taken",
    "card": 'as it is printed, `"9s"`, `"TD"`, or as the journal has it, `{"rank": "9", "suit": "s"}`',
    "hand": " or ".join(f'`"{side.value}"`' for side in Side),
    "wager": "the name of a wager of the edition; in those that come with the program: "
    + ", ".join(f'`"{kind.value}"`' for kind in SHIPPED),
    "role": "one of " + ", ".join(f'`"{role.value}"`' for role in Role),
    "origin": "one of " + ", ".join(f'`"{origin.value}"`' for origin in Origin),
    "fault": "one of " + ", ".join(f'`"{fault.value}"`' for fault in GateFault),
    "approval": "an object that says who else approves, below",
    "proof": "`salt` and `path`, as the seal of an electronic shoe gives them; none for real cards",
    "form": "an object with the fields of a Complimentary Vigorish Form, below",
}

MEANINGS: dict[str, str] = {
    "by": "in what capacity the person acts; whoever usually does it, if nothing is said",
    "who": "the person's id; if nothing is said, whoever sits at the seat, or the first dealer",
    "origin": "where the command comes from; a person, if `by` is said",
    "approvals": "the second persons: objects with `who`, `role` and `what`, below",
    "id": "the command's id, made by whoever sends it",
    "at": "the time in microseconds UTC; it decides nothing",
    "role": "in what capacity the second person approves",
    "what": "the name of the command that is approved; this one, if nothing is said",
    "second.who": "the second person's id",
    "seat": "the number of a seat",
    "person": "the person's id; whoever acts, if nothing is said",
    "instead_of": "the id of the dealer who is relieved",
    "submission": "the options of a Submission by their names, and its edition under `ruleset`; sums in whole cents",
    "set_id": "what the boxes of the decks say",
    "decks": "how many decks came",
    "preshuffled": "whether they came shuffled",
    "batch_shuffled": "whether they came out of a batch shuffler",
    "act": "the step at which the table is: inspect, verify, spread, wash or stack",
    "steps": "the elements of a manual shuffle in their order: riffle, strip, turn, plug …",
    "device": "whether a device shuffles",
    "cards": "how many cards",
    "shuffle_cards.cards": "how many are shuffled again, where some are; 0 is the whole stack",
    "burn_cards.cards": "how many of those that are left to be burned; 0 is all of them",
    "table": "the table's name, as the header of the shoe has it",
    "shoe": "the shoe's id, as its header has it",
    "commitment": "SHA-256 of the header and the seed, 64 lower-case hexadecimal digits",
    "value": "up to 64 hexadecimal digits or visible characters; their UTF-8 bytes go into the order",
    "fail_shoe.why": "what is wrong with the order",
    "seed": "64 lower-case hexadecimal digits",
    "root": "64 lower-case hexadecimal digits",
    "accept": "whether the offer is taken",
    "dealer_deals": "whether the taker names the dealer to deal",
    "in_front": "how many cards lie in front of the cut card",
    "cut_cards.seat": "who cuts; 0 is the dealer",
    "behind": "how many cards lie behind the cover card",
    "draw_card.seat": "the curator's seat, where a participant deals; 0 is the dealer",
    "on": "the area of the layout",
    "stake": "the chips of the wager",
    "coupon": "the value of a match play coupon beside the chips",
    "cash": "whether cash lies on the table",
    "reason": "why; kept on record",
    "position": "the place of the card in the cut shoe, counted from 0; a story counts from 1",
    "card": "the card that was seen",
    "proof": "that the card stood there when the order was sealed",
    "onto": "the main wager that takes the payout",
    "to": "the hand to which it was laid",
    "seal": "64 lower-case hexadecimal digits",
    "trigger": "the sealed trigger in cents, opened because it was hit",
    "salt": "what the trigger was sealed with",
    "lot": "which of those who take part wins, counted from 0 by seat",
    "not_reached": "the hash, 64 lower-case hexadecimal digits, that proves the trigger was not reached",
    "link": "the name of the link of tables",
    "lost": "why nobody can open the seal any more",
    "corrects": "the number of the event that was wrong, counted from 0",
    "amount": "how much",
    "correct_payment.amount": "what is paid in addition, or below zero what is taken back",
    "correct_meter.amount": "what is added, in millionths of a cent",
    "meter": "the name of the meter",
    "meters": "what each meter shows, in millionths of a cent",
    "reserve": "what the reserve holds, in millionths of a cent",
    "must_hit": "what the Must Hit shows, in cents",
    "must_hit_seal": "the seal of its trigger",
    "won": "the names of meters that were won at another table",
    "must_hit_run": "how often the Must Hit has begun anew, at any table of the link",
    "form": "the form that was made out",
    "first": "the lowest number of the series",
    "last": "the highest number of the series",
    "serial": "the form's printed number",
    "pit_boss": "who signs as pit boss",
    "pit_clerk": "who signs as pit clerk",
    "copies": "how many parts the form has",
    "form.amount": "the vigorish that is waived",
    "patron": "the patron's name",
    "dealer": "who signs as dealer",
    "patron_signed": "whether the patron has signed",
    "why_not_signed": "why the patron has not",
    "stated_by": "the dealer or the pit boss who states that, by name",
}


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a command: what may be typed there, what stands there if nothing is typed, what it means."""

    name: str
    type: str
    required: bool
    default: Any
    meaning: str


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """One command: what it is, who may give it, at which steps (none: at any), and its fields."""

    name: str
    summary: str
    by: tuple[str, ...]
    steps: tuple[str, ...]
    fields: tuple[Field, ...]


def _type_name(annotation: Any) -> str:
    if unit_of(annotation) == 1:
        return "sum"
    (found, *_) = members(annotation)
    if get_origin(found) is tuple:
        return f"list of {_type_name(get_args(found)[0])}s"
    if get_origin(found) is dict:
        return "object of numbers by name" if get_args(found)[1] is int else "object of options by name"
    return WORDS.get(found, "object")


def fields_of(name: str, kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a command, of a form within one, or of what stands beside it."""
    found = []
    for field in msgspec.structs.fields(kind):
        default = None if field.required else field.default
        if default is msgspec.NODEFAULT:
            default = field.default_factory()
        found.append(
            Field(
                name=field.name,
                type=_type_name(field.type),
                required=field.required,
                default=msgspec.to_builtins(default),
                meaning=MEANINGS.get(f"{name}.{field.name}") or MEANINGS.get(field.name, ""),
            )
        )
    return tuple(sorted(found, key=lambda each: not each.required))


def describe(name: str) -> Description:
    """What is to be known about one command."""
    kind = KINDS[name]
    roles = sorted(kind.ROLES, key=lambda role: (role is not kind.ROLE, list(Role).index(role)))
    origins = tuple(f"the {origin.value}" for origin in kind.ORIGINS)
    person = Origin.PERSON in kind.ORIGINS
    return Description(
        name=name,
        summary=" ".join((kind.__doc__ or "").split()),
        by=tuple(role.value for role in roles) if person else origins,
        steps=tuple(step for step in step_names() if step in kind.STEPS),
        fields=fields_of(name, kind),
    )


def descriptions() -> tuple[Description, ...]:
    """Every command, in the order in which a table meets them."""
    return tuple(map(describe, KINDS))


def fields_beside() -> tuple[Field, ...]:
    """What a line may say beside any command."""
    return fields_of("beside", Beside)


def second_person_fields() -> tuple[Field, ...]:
    """What a line says of somebody who approves."""
    return fields_of("second", SecondPerson)


def form_fields() -> tuple[Field, ...]:
    """The fields of a Complimentary Vigorish Form."""
    return fields_of("form", ComplimentaryForm)


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
        for name in shipped()
    }
