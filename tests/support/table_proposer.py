"""Commands of every kind for a table as it stands: mostly sensible, often not."""

from __future__ import annotations

import random
from enum import Enum
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import msgspec

from baccarat.cards import DECK, Card
from baccarat.law.rulebook import Rulebook
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Command
from baccarat.table.correctable_event import AT_A_SEAT, CARDS, METERS
from baccarat.table.proof import CardProof
from baccarat.table.role import Role
from baccarat.table.shoe_state import Commitment
from baccarat.table.table_cards import TableCards
from baccarat.table.table_kind import AdoptKind
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm

if TYPE_CHECKING:
    from table_walk import Walk

ROLES = tuple(Role)
CORRIGIBLE = (*CARDS, *METERS, *AT_A_SEAT)


def a_stake(rules: Rulebook, kind: WagerKind, chance: random.Random) -> int:
    """A stake within the posted limits."""
    limit = (rules.elections.limits or {}).get(kind.value)
    if kind is WagerKind.ROYAL9 or limit is None:
        return 500
    steps = (min(limit.max, limit.min * 40) - limit.min) // limit.increment
    return limit.min + limit.increment * chance.choice((0, 1, chance.randint(0, steps)))


class Proposer:
    """Makes commands of every kind for a state: mostly sensible, often not."""

    def __init__(self, walk: Walk, chance: random.Random) -> None:
        self.walk, self.state, self.chance = walk, walk.state, chance
        self.due = [due.seat for due in walk.expected if due.seat]
        self.due += [spoken.seat for spoken in walk.state.round.spoken]

    def a_command(self, kind: type[Command]) -> Command:
        """A command of a kind."""
        fields: dict[str, Any] = {}
        for field, hint in _fields(kind):
            if field.required or self.chance.random() < 0.6:
                fields[field.name] = self._value(field.name, hint, fields)
        self._fit_card(kind, fields)
        return kind(**fields)

    def an_actor(self, command: Command, by: Role | None = None) -> Actor:
        """Somebody who gives a command, in a capacity if one is given: mostly whoever should, with a second person."""
        chance = self.chance
        usual = self.walk.usual_actor(command, by=by)
        if by is None and chance.random() < 0.15:
            usual = self.walk.usual_actor(command, by=chance.choice(ROLES))
        who = usual.who
        if usual.role is not Role.PARTICIPANT and chance.random() < 0.3:
            who = chance.choice((*self.state.seats.dealers, "Ann", "Bob", "Cleo"))
        elif chance.random() < 0.05:
            who = "a stranger"
        if isinstance(command, DocumentVigorish):
            who = chance.choice((command.form.pit_clerk, command.form.pit_clerk, who)) or who
        return msgspec.structs.replace(usual, who=who, approvals=self._approvals(command, usual.role))

    def _approvals(self, command: Command, role: Role) -> tuple[Approval, ...]:
        chance, what = self.chance, command.name
        if chance.random() < 0.1 or isinstance(command, AdoptKind):  # a walk stays at the kind of table it is made for
            return ()
        second = {
            "report_exception": {Role.FLOORPERSON: Role.CASINO_SUPERVISOR}.get(role, Role.FLOORPERSON),
            "report_uncollected": {Role.FLOORPERSON: Role.CASINO_SUPERVISOR}.get(role, Role.FLOORPERSON),
            "pay_goodwill": Role.ADMINISTRATOR,
            "correct_meter": Role.ADMINISTRATOR,
            "document_vigorish": Role.PIT_BOSS,
            "void_form": Role.PIT_BOSS,
            "miss_form": Role.PIT_BOSS,
        }.get(what, Role.DEALER if role is Role.FLOORPERSON else Role.FLOORPERSON)
        who = chance.choice(("Bo", "Bo", "Bo", "Bob"))
        return (Approval(who=who, role=chance.choice((*[second] * 8, *ROLES)), what=what),)

    def _value(self, name: str, hint: Any, fields: dict[str, Any]) -> Any:
        if hint is TableCards:
            return self._of_type(hint)
        maker = getattr(self, {"value": "_value_given"}.get(name, f"_{name}"), None)
        if maker is not None:
            return maker(fields)
        if get_origin(hint) is tuple:
            return ()
        options = [each for each in (get_args(hint) or (hint,)) if each is not type(None)]
        return self._of_type(options[0])

    def _of_type(self, hint: Any) -> Any:
        if hint is bool:
            return self.chance.random() < 0.5
        if hint is int:
            return self.chance.choice((0, 1, 25, 500, -1, 10**6))
        if hint is str:
            return self.chance.choice(("", " ", "Ann", "Bob", "because of the rules"))
        if isinstance(hint, type) and issubclass(hint, Enum):
            return self.chance.choice(tuple(hint))
        raise AssertionError(f"say how to make a {hint}")

    def _seat(self, _fields: dict[str, Any]) -> int:
        some_seats = [
            *self.due * 4,
            *self.state.occupied,
            *self.state.occupied,
            0,
            99,
            len(self.state.seats.participants) + 1,
        ]
        return self.chance.choice([*some_seats, self.chance.randint(1, len(self.state.seats.participants))])

    def _on(self, fields: dict[str, Any]) -> WagerKind:
        placed = [wager.on for wager in self.state.round.wagers if wager.seat == fields.get("seat")]
        spoken = [each.on for each in self.state.round.spoken if each.seat == fields.get("seat")]
        return self.chance.choice((*placed, *spoken * 9, WagerKind.PLAYER, WagerKind.BANKER, *tuple(WagerKind)))

    def _submission(self, _fields: dict[str, Any]) -> dict[str, Any]:
        rules = self.walk.rules
        own = msgspec.json.decode(msgspec.json.encode({"ruleset": rules.edition.name, **rules.stated}))
        return self.chance.choice((own, own, {}, {"ruleset": "nowhere"}, {**own, "decks": 0}))

    def _onto(self, _fields: dict[str, Any]) -> WagerKind:
        return self.chance.choice((WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE))

    def _stake(self, fields: dict[str, Any]) -> int:
        sane = a_stake(self.walk.rules, fields.get("on", WagerKind.PLAYER), self.chance)
        return self.chance.choice((sane, sane, sane, 2500, 500, 0, -2500, 10**9, 2501))

    def _coupon(self, fields: dict[str, Any]) -> int:
        return self.chance.choice((0, 0, 0, int(fields["stake"]), 5))

    def _amount(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((10_000, 2_500, 0, -2_500, -(10**9)))

    def _in_front(self, _fields: dict[str, Any]) -> int:
        cards = self.state.shoe.cards
        return self.chance.choice((cards // 2, 60, 52, 10, 9, 0, -1, cards, cards - 52))

    def _behind(self, _fields: dict[str, Any]) -> int:
        cards = self.state.shoe.cards
        return self.chance.choice((14, 13, 1, 0, -1, cards - 30, cards - 30, cards - 5, cards))

    def _decks(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((self.walk.rules.elections.decks or 8, self.walk.rules.elections.decks or 8, 5, 0))

    def _set_id(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((f"set {self.state.shoe.number + 1}", "", self.state.shoe.former_set, "another"))

    def _act(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((self.state.step, "wash", "inspect", "dance"))

    def _cards(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((52, 45, 100, 0, -1))

    def _steps(self, _fields: dict[str, Any]) -> tuple[str, ...]:
        manual = ("plug", "riffle", "riffle", "turn", "riffle", "strip", "cut")
        return self.chance.choice(((), (), manual, manual[1:], ("strip", "cut"), ("fold",)))

    def _root(self, _fields: dict[str, Any]) -> str:
        held = self.state.shoe.commitment or self.walk.source.promise(self.walk.rules, self.state)
        is_open = held is not None and held.order > 1 and (not held.inputs or bool(held.missing_shares))
        sealed = self.walk.source.root(self.state) if self.state.shoe.cards and not is_open else ""
        return self.chance.choice((sealed, "ff", "F" * 64))

    def _promised(self) -> Commitment:
        held = self.walk.source.promise(self.walk.rules, self.state)
        return held or Commitment(table="T", shoe="1", rulebook="", decks=8, hash="ff")

    def _commitment(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((self._promised().hash, "ff", "F" * 64))

    def _table(self, _fields: dict[str, Any]) -> str:
        return self._promised().table

    def _shoe(self, _fields: dict[str, Any]) -> str:
        return self._promised().shoe

    def _value_given(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice(("luck", "00ff", " ", "7"))

    def _seed(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((self.walk.source.seed(self.state), "ff", "0" * 64))

    def _reason(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice(("it was so", "it was so", "it was so", " "))

    def _person(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((*self.state.seats.dealers, *self.state.seats.dealers, "Dot", "Eve", ""))

    def _seal(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice(("", "ab" * 32))

    def _corrects(self, _fields: dict[str, Any]) -> int:
        """Mostly one of the latest events that can be corrected."""
        return self.chance.choice((*self._corrigible, 0, 10**6))

    @cached_property
    def _corrigible(self) -> list[int]:
        """The numbers of those events; a proposer is for one state, and so for one log."""
        log = self.walk.log
        return [number for number in range(max(0, len(log) - 60), len(log)) if isinstance(log[number], CORRIGIBLE)]

    def _position(self, fields: dict[str, Any]) -> int:
        named = self.walk.event_at(fields.get("corrects", -1))
        if isinstance(named, CARDS) and self.chance.random() < 0.9:
            return named.position
        round_, shoe = self.state.round, self.state.shoe
        laid = [*round_.player, *round_.banker, *shoe.burn, *shoe.exposing, *shoe.carried, *shoe.pending]
        return self.chance.choice((*laid, *shoe.exposing * 5, shoe.next, shoe.next + 1, 0, 623))

    def _card(self, _fields: dict[str, Any]) -> Card:
        return self.chance.choice(DECK)

    def _proof(self, _fields: dict[str, Any]) -> CardProof | None:
        return self.chance.choice(
            (None, CardProof("", ()), CardProof("zz", ("ff",)), CardProof("00" * 16, ("00" * 32,) * 9))
        )

    def _serial(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((self.state.money.next_form, self.state.money.next_form, 0, 7))

    def _form(self, fields: dict[str, Any]) -> ComplimentaryForm:
        owed, person = self.state.money.markers.get(fields.get("seat", 0), 0), self.state.at(fields.get("seat", 0))
        name = "Pat" if person is None else person.who
        return ComplimentaryForm(
            serial=self._serial(fields),
            amount=self.chance.choice((owed, owed, owed, owed + 1, -5)),
            patron=self.chance.choice((name, name, name, "Pat", "")),
            dealer="Dan",
            pit_boss="Bo",
            pit_clerk=self.chance.choice(("Cleo", "Cleo", "Cleo", " ")),
            patron_signed=self.chance.random() < 0.5,
            why_not_signed=self.chance.choice(("", "gone")),
            stated_by=self.chance.choice(("", "Dan", "Bo", "Cleo")),
            copies=self.chance.choice((2, 2, 3, 1)),
        )

    def _trigger(self, _fields: dict[str, Any]) -> int:
        law = self.walk.rules.elections.must_hit
        if law is None:
            return 0
        return self.chance.choice((law.start, law.ceiling, self.state.meters.must_hit, law.ceiling + 1, -1))

    def _meters(self, _fields: dict[str, Any]) -> dict[str, int]:
        meters = self.state.meters.amounts
        more = {name: value + 25_000_000 for name, value in meters.items()}
        fewer = {name: value - 1 for name, value in meters.items()}
        return self.chance.choice((meters, more, more, fewer, {}, {**meters, "none": 1}))

    def _meter(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((*self.state.meters.amounts, "none"))

    def _reserve(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice(
            (self.state.meters.reserve, self.state.meters.reserve, self.state.meters.reserve + 7, -1)
        )

    def _must_hit(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice(
            (self.state.meters.must_hit, self.state.meters.must_hit, self.state.meters.must_hit, 1)
        )

    def _must_hit_seal(self, _fields: dict[str, Any]) -> str:
        return self.chance.choice((self.state.meters.must_hit_seal, self.state.meters.must_hit_seal, "ab"))

    def _lot(self, _fields: dict[str, Any]) -> int:
        return self.chance.choice((0, 0, 1, -1, 99))

    def _fit_card(self, kind: type[Command], fields: dict[str, Any]) -> None:
        """Mostly the card that is really there, with its proof."""
        honest = "corrects" not in fields and self.chance.random() < 0.9
        if "card" not in fields or not honest or not self.state.shoe.loaded:
            return
        place = fields.get("position", self.state.shoe.next)
        if not 0 <= place < self.state.shoe.cards:
            return
        card, proof = self.walk.source.card(self.state, place)
        if fields["card"] is not None:
            fields["card"] = card
        if any(field.name == "proof" for field, _ in _fields(kind)):
            fields["proof"] = proof


@cache
def _fields(kind: type[Command]) -> list[tuple[msgspec.structs.FieldInfo, Any]]:
    hints = get_type_hints(kind)
    return [(field, hints[field.name]) for field in msgspec.structs.fields(kind)]
