"""The fields of commands, described: what may be typed in each, what stands there otherwise, and what it means."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import msgspec

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.record.wire import SecondPerson, members, unit_of
from baccarat.table.actor import Origin
from baccarat.table.gate import GateFault
from baccarat.table.proof import CardProof
from baccarat.table.role import Role
from baccarat.table.vigorish_debt import ComplimentaryForm

WORDS: dict[Any, str] = {
    int: "number",
    str: "text",
    bool: "true or false",
    Card: "card",
    Side: "hand",
    WagerKind: "wager",
    Role: "role",
    CardProof: "proof",
    Origin: "origin",
    GateFault: "fault",
    SecondPerson: "approval",
    ComplimentaryForm: "form",
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

HOUSE_MEANINGS: dict[str, str] = {
    "table": "the table",
    "seed": "what the meter begins with, in millionths of a cent",
    "contribution": "what a wager adds to it, in millionths of a cent",
    "reserve": "what a wager adds to the reserve, in millionths of a cent",
    "chips": "how many chips of each value",
    "counted": "what was counted",
    "blanks": "the numbers of the forms that still lie there blank",
    "name": "what it is called from now on",
    "tables": "the tables",
    "terms": "what the next jackpot begins with and what feeds it",
    "booked": "the complimentary",
    "booked.table": "the table that has the form",
    "booked.code": "the code under which it is booked",
    "notice": "the notice",
    "notice.to": "who is told",
    "notice.pit": "the pit",
    "notice.option": "the option that changes",
    "notice.value": "what it is to be",
    "notice.sent": "when it is sent",
    "notice.written": "whether it is in writing",
    "filed": "the rules under which it opens",
    "ruleset": "the edition",
    "stated": "what was filed under it",
    "hash": "the hash of both",
    "effective": "from when it holds",
    "changes": "the options that change, with what they are to be",
}
"""The same of acts in the books of the house, where they are not said above."""


class CommandField(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a command: what may be typed there, what stands there if nothing is typed, what it means."""

    name: str
    type: str
    required: bool
    default: Any
    meaning: str


def _type_name(annotation: Any) -> str:
    if unit_of(annotation) == 1:
        return "sum"
    (found, *_) = members(annotation)
    if get_origin(found) is tuple:
        return f"list of {_type_name(get_args(found)[0])}s"
    if get_origin(found) is dict:
        return "object of numbers by name" if get_args(found)[1] is int else "object of options by name"
    return WORDS.get(found, "object")


def meaning_of(name: str, field: str) -> str:
    """What a field of a command of a table, or of what stands within one, means."""
    return MEANINGS.get(f"{name}.{field}") or MEANINGS.get(field, "")


def meaning_in_house(name: str, field: str) -> str:
    """The same of a command of a book of the house."""
    return HOUSE_MEANINGS.get(f"{name}.{field}") or HOUSE_MEANINGS.get(field) or meaning_of(name, field)


def fields_of(name: str, kind: type[msgspec.Struct]) -> tuple[CommandField, ...]:
    """The fields of a command, of a form within one, or of what stands beside it."""
    found = []
    for field in msgspec.structs.fields(kind):
        default = None if field.required else field.default
        if default is msgspec.NODEFAULT:
            default = field.default_factory()
        found.append(
            CommandField(
                name=field.name,
                type=_type_name(field.type),
                required=field.required,
                default=msgspec.to_builtins(default),
                meaning=meaning_of(name, field.name),
            )
        )
    return tuple(sorted(found, key=lambda each: not each.required))
