"""What every book of the house shares with the table: a command is decided into events, and events evolve the state.

A book (cage, forms, pit, link, gaming day) is a value. `decide` checks who acts and then calls the command's own
handler; it answers with events and the state after them, or with a refusal that changes nothing. `evolve` needs the
event alone: replaying any prefix of a book's events gives its state at that point.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from baccarat.house.coupon import IssuedRun
from baccarat.house.number_run import Runs
from baccarat.house.reason import HouseReason
from baccarat.house.rule import cite_house
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.ledger import Ledger
from baccarat.play.refusal import Refused, make_refusal
from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Command, Event
from baccarat.table.card import NO_CARD, CommandCard
from baccarat.table.field_type import TableName
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.role import Role
from baccarat.table.two_persons import is_same_person

S = TypeVar("S")


class TableFollows(msgspec.Struct, frozen=True, kw_only=True):
    """What a table does in the same act as a command in a book; nobody gives this command at a table of a house."""

    command: type[Command]
    event: type[Event]
    """What the table records of it, with the same fields as the command."""
    refusal: str
    """The sentence for somebody who gives the command at a table, and the house rule behind it."""
    rule: str

    def command_of(self, event: Event) -> Command:
        """The command that has led to this event."""
        return self.command(**{name: getattr(event, name) for name in self.command.__struct_fields__})

    @staticmethod
    def persons_of(event: Any) -> tuple[str, str]:
        """Who asked for it and who approved it, as the event says."""
        return event.requester, event.approver


class BookFindings(msgspec.Struct, frozen=True, kw_only=True):
    """What is on record of an act in a book, and of earlier ones: by this its discretion is measured."""

    missing: tuple[int, ...] = ()
    strange: tuple[int, ...] = ()
    """Numbers of coupons that should have been found, and of those that should not."""
    short: int = 0
    """What a count found less than the books have, in cents."""
    filed: tuple[tuple[str, str], ...] = ()
    """The edition and the hash of the rules that were filed for tables."""
    known: Set[tuple[str, str]] = frozenset()
    """The edition and the hash of all rules that were filed before for tables of the pit."""
    coupons: Runs[IssuedRun] = ()
    """The coupons that were issued, in ascending order."""


class HouseCommand(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True, gc=False):
    """An act of the house that somebody wants to do; who acts is passed separately."""

    ROLES: ClassVar[frozenset[Role]] = frozenset()
    SECOND: ClassVar[frozenset[Role]] = frozenset()
    """In which capacities another person may approve it; none if one person does it alone."""
    CARD: ClassVar[CommandCard] = NO_CARD
    """How pages treat it."""
    FOLLOWED_BY: ClassVar[TableFollows | None] = None
    """What tables do in the same act (`table_commands`); None if they do nothing."""
    AT_TABLE: ClassVar[bool] = False
    """Whether the table that it names enters it, together with an act of its own; nobody gives it in the book."""
    COUNTS_DEALERS: ClassVar[bool] = False
    """Whether a dealer who is on the game sits at the table, as far as this act is concerned."""
    TAKES_EFFECT_NOW: ClassVar[str] = ""
    """Why it takes effect when it is done and not later, in words; empty where it may take effect later."""
    REFUSAL_READS_TABLES: ClassVar[bool] = False
    """Whether a refusal depends on every table; what is accepted depends only on those that it concerns."""

    def missing_field(self) -> str:
        """What must be stated now and is missing, in words; only old records may lack it. Empty if nothing is."""
        return ""

    def with_usual_terms(
        self, known: Sequence[str], within: StatedDeadline, earlier: Mapping[str, Any]
    ) -> HouseCommand:
        """The same command with what its sender left to the house: the share keys of the witnesses that it knows, and
        its deadline for seeds, or what it filled in for the `earlier` command of the same id."""
        del known, within, earlier
        return self

    def table_commands(self) -> Iterable[tuple[str, Command]]:
        """What tables do in the same act, each with the name of its table."""
        return ()

    def refuse_in_book(self, open_tables: Collection[str]) -> Refused | None:
        """Refuse what does not belong in its book, in a house with these tables."""
        del open_tables
        return None

    def tables_concerned(self, of_book: Collection[str]) -> Iterable[str]:
        """The tables whose money or rules this is about, of which `of_book` are those of the pit or the link."""
        del of_book
        return ()

    def refuse_seated(self, who: str, table: str, *, is_on_record: bool) -> Refused | None:
        """Refuse it to somebody who sits at a table that it concerns, if it is on record who sits there."""
        del table
        if not is_on_record:
            return None
        return house_refuse(HouseReason.SAME_PERSON, "sits_at_this_table", "two-persons", who=who)

    def is_discretionary(self, found: BookFindings) -> bool:
        """Whether this was left to somebody's judgement, by what is on record of it."""
        del found
        return bool(self.CARD.discretion)

    def discretion_text(self, found: BookFindings) -> str:
        """What was decided, in words; empty where the name of the command says it."""
        del found
        return ""

    def discretion_worth(self, found: BookFindings) -> int:
        """What participants have by it, in cents."""
        del found
        return 0

    def coupons_issued(self) -> IssuedRun | None:
        """The coupons that it issues, if it issues any."""
        return None

    def rules_filed(self, found: BookFindings) -> Iterable[tuple[str, str]]:
        """The edition and the hash of the rules that it files for tables."""
        return found.filed

    def seconds(self, role: Role) -> frozenset[Role]:
        """In which capacities another may approve this if it is asked for in this role; none if nobody needs to."""
        del role
        return self.SECOND

    def belongs_under(self, rules: Rulebook) -> tuple[Citation, ...]:
        """What says whose act this is: the document, or the house's own rule."""
        del rules
        return cite_house("two-persons")


class CommandAboutTable(HouseCommand, frozen=True, kw_only=True):
    """An act on what belongs to one table: its tray, its drop box, the coupons that it has taken."""

    table: TableName

    def tables_concerned(self, of_book: Collection[str]) -> tuple[str, ...]:
        """The one that it names."""
        del of_book
        return (self.table,)


class HouseEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True, gc=False):
    """Something that has happened in a book of the house, with the clauses behind it."""

    cites: tuple[str, ...] = ()


class ByTwo(HouseEvent, frozen=True, kw_only=True):
    """What two persons have done: one asked or counted, the other approved."""

    requester: str
    approver: str

    @property
    def persons_text(self) -> str:
        """Both persons, in words."""
        return f"asked for by {self.requester}, approved by {self.approver}"


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision depends on besides the book itself: the law, who acts, the ledger, and which version decides."""

    rules: Rulebook
    actor: Actor
    ledger: Ledger = Ledger()
    behaviour: int = BEHAVIOUR
    """An earlier version decides as it did then, so that old journals replay as they were recorded."""

    @property
    def second(self) -> str:
        """Who approved; only for acts that take two persons, once it is known that somebody has."""
        assert self.actor.approvals, "an act of two persons has been approved"
        return self.actor.approvals[0].who

    @property
    def two_persons(self) -> dict[str, str]:
        """Who asked and who approved, as the fields of an event by two persons (`ByTwo`)."""
        return {"requester": self.actor.who, "approver": self.second}


class HouseAccepted(msgspec.Struct, Generic[S], frozen=True):
    """A command taken: the events it led to, and the book after them."""

    events: tuple[HouseEvent, ...]
    state: S


BookOutcome = Sequence[HouseEvent] | Refused


class Aggregate(Generic[S]):
    """One kind of book: its commands with their handlers, its events with what they change and their sentences."""

    def __init__(
        self,
        name: str,
        state: type[S],
        *,
        handlers: Mapping[type[HouseCommand], Callable[[Any, S, Any], BookOutcome]],
        evolvers: Mapping[type[HouseEvent], Callable[[S, Any], S]],
        tellers: Mapping[type[HouseEvent], Callable[[Any], str]],
    ) -> None:
        self.name, self.state = name, state
        self.handlers, self.evolvers, self.tellers = handlers, evolvers, tellers
        assert set(evolvers) == set(tellers), f"{name}: every event has an evolver and a sentence"
        for kind, handler in handlers.items():
            taken = handler.__annotations__["command"]
            assert taken == kind.__name__, f"{name}: {handler.__name__} handles {taken}, not {kind.__name__}"
        for event, evolver in evolvers.items():
            taken = evolver.__annotations__["event"]
            assert taken == event.__name__, f"{name}: {evolver.__name__} evolves {taken}, not {event.__name__}"

    def decide(self, context: Context, state: S, command: HouseCommand) -> HouseAccepted[S] | Refused:
        """What a command leads to, or a refusal that changes nothing."""
        if refused := objection(context, command):
            return refused
        if isinstance(outcome := self.handlers[type(command)](context, state, command), Refused):
            return outcome
        return HouseAccepted(tuple(outcome), self.replay(state, outcome))

    def evolve(self, state: S, event: HouseEvent) -> S:
        """The book after an event."""
        return self.evolvers[type(event)](state, event)

    def replay(self, state: S, events: Iterable[HouseEvent]) -> S:
        """The book after events."""
        for event in events:
            state = self.evolvers[type(event)](state, event)
        return state

    def tell(self, event: HouseEvent) -> str:
        """An event in a sentence."""
        return self.tellers[type(event)](event)

    def transcript(self, events: Iterable[HouseEvent]) -> Iterator[str]:
        """Events as sentences, each with its clauses."""
        for event in events:
            yield self.tell(event) + (f"  [{', '.join(event.cites)}]" if event.cites else "")


def objection(context: Context, command: HouseCommand) -> Refused | None:
    """What every act must have: the right capacity, and a second person where one is needed (D3)."""
    actor, cites = context.actor, command.belongs_under(context.rules)
    act = _words(type(command).__name__)
    if actor.origin is not Origin.PERSON:
        allowed, origin = Origin.PERSON.value, actor.origin.value
        return make_refusal(HouseReason.WRONG_ORIGIN, "comes_from_elsewhere", cites, allowed=allowed, origin=origin)
    if actor.role not in command.ROLES:
        allowed = ", ".join(sorted(role.value for role in command.ROLES))
        return make_refusal(
            HouseReason.WRONG_ROLE, "role_may_not_do_the_act", cites, role=actor.role.value, act=act, allowed=allowed
        )
    if not actor.who.strip():
        return make_refusal(HouseReason.NO_REASON, "nobody_named_for_the_act", cites, act=act)
    return refuse_without_second(actor, command, command.SECOND, cites) if command.SECOND else None


def refuse_without_second(
    actor: Actor, command: HouseCommand, seconds: frozenset[Role], cites: tuple[Citation, ...]
) -> Refused | None:
    """Why an act that takes two persons cannot be done by these: nobody else approves it in one of these capacities."""
    act, others = _words(type(command).__name__), ", ".join(sorted(role.value for role in seconds))
    if not actor.approvals or not all(person.who.strip() for person in actor.approvals):
        return make_refusal(HouseReason.INCOMPLETE, "act_takes_two_persons", cites, act=act, others=others)
    if any(is_same_person(person.who, actor.who) for person in actor.approvals):
        return make_refusal(HouseReason.SAME_PERSON, "nobody_approves_his_own_act", cites, who=actor.who, act=act)
    if actor.approvals[0].role not in seconds:
        given = actor.approvals[0].role.value
        return make_refusal(HouseReason.WRONG_ROLE, "role_may_not_approve", cites, role=given, others=others)
    return None


def _words(name: str) -> str:
    """The name of a command as words: `FillTray` is *fill tray*."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()


def house_refuse(why: HouseReason, what: str, *names: str, **params: object) -> Refused:
    """A refusal under rules of the house's own; `what` names its sentence."""
    return make_refusal(why, what, cite_house(*names), **params)


def house_cite(*names: str) -> tuple[str, ...]:
    """House rules as an event cites them."""
    return tuple(map(str, cite_house(*names)))


# ------------------------------------------------------------------------------------------- as bytes


def encode(value: object) -> bytes:
    """A state, command or event as JSON; fractions as text."""
    return msgspec.json.encode(value, enc_hook=_write)


def decode(data: bytes, kind: Any) -> Any:
    """What `encode` wrote."""
    return msgspec.json.decode(data, type=kind, dec_hook=read_fraction)


def _write(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be recorded")


def read_fraction(kind: type[Any], value: Any) -> Any:
    """A fraction, which is written as text."""
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise TypeError(f"{kind.__name__} cannot be recorded")
