"""What every step shares: commands, events, acts due, and a rulebook prepared for a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from baccarat.law.cached_value import cached_on_value
from baccarat.law.clause import Citation
from baccarat.law.edition import Edition
from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import Submission
from baccarat.play.book import Book, open_book
from baccarat.play.refusal import RefusalCode, Refused, RefusedAct, make_refusal
from baccarat.table.actor import Origin
from baccarat.table.audience import sights
from baccarat.table.bounds import Seat
from baccarat.table.card import NO_CARD, CommandCard, EventCard
from baccarat.table.role import DEALERS, PIT_MANAGERS, Role
from baccarat.table.state import DEALER, TableState
from baccarat.values import count_text, short_repr

Reason = RefusalCode
"""Why an act at the table is refused."""
NO_PERSON: frozenset[Role] = frozenset()
"""Nobody in person: what the program alone does at an automated table."""


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True, gc=False):
    """An act that somebody wants to do; it carries all chance and time that the act needs, but not who does it."""

    ORIGINS: ClassVar[tuple[Origin, ...]] = (Origin.PERSON,)
    """Where this may come from, the usual origin first."""
    ROLE: ClassVar[Role] = Role.DEALER
    """Who usually does this."""
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.DEALER})
    AT_AUTOMATED: ClassVar[frozenset[Role] | None] = None
    """Which persons may do this at an automated table; if not stated, ROLES without the dealer, who is the program."""
    SECOND: ClassVar[frozenset[Role]] = frozenset()
    """In what capacity a second person approves this, if two are needed regardless of the first."""
    STEPS: ClassVar[frozenset[str]] = frozenset()
    STOPPED: ClassVar[bool] = False
    """Whether this may be done at a table that has stopped: people leave with what is theirs, or the shoe goes."""
    OPENS_SHOE: ClassVar[bool] = False
    """Whether this may be the first act on the cards of a shoe, which begins it."""
    ROW: ClassVar[str] = ""
    """The row of the edition's steps that rules this act, where it is not the step itself."""
    READS_LINK: ClassVar[bool] = False
    """Whether it depends on who sits at the other tables with which this one shares its meters."""
    SEALS_TRIGGER: ClassVar[bool] = False
    """Whether it seals the trigger of a Must Hit, and so belongs to one run of the meter."""
    CARD: ClassVar[CommandCard] = NO_CARD
    """How pages, consoles and automated dealers treat it."""

    @property
    def persons_at_automated(self) -> frozenset[Role]:
        """In which roles a person may do this at an automated table."""
        return self.ROLES - DEALERS if self.AT_AUTOMATED is None else self.AT_AUTOMATED

    def seconds(self, role: Role) -> frozenset[Role]:
        """In which capacities another may approve this if it is asked for in this role; none if nobody needs to."""
        del role
        return self.SECOND

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """The clauses that rule this act; none where those of its step do."""
        return next((row.cite for row in edition.steps if row.name == self.ROW), ())

    @property
    def name(self) -> str:
        """The command's name, as it is written."""
        return str(self.__struct_config__.tag)

    def usual_role(self) -> Role:
        """In what capacity this is usually done: by the participant at the seat that it names, or by the dealer."""
        if Role.PARTICIPANT not in self.ROLES or Role.DEALER not in self.ROLES:
            return self.ROLE
        return Role.PARTICIPANT if getattr(self, "seat", DEALER) != DEALER else Role.DEALER

    def belongs_under(self, edition: Edition) -> tuple[str, ...]:
        """The clauses that say whose act this is; none where those of its step do."""
        return self.ruled_by(edition)

    @property
    def money(self) -> int | None:
        """The money that this act would move, in cents; none if it moves none, or does not say how much."""
        return getattr(self, "stake", None)

    @property
    def stated_reason(self) -> str:
        """Why it is done, as the command says it: its `reason`, if it has one."""
        return str(getattr(self, "reason", ""))

    @property
    def named_coupon(self) -> int:
        """The number of the coupon that it names, which the coupon book knows; 0 if it names none."""
        return 0

    def is_discretionary(self, state: TableState, rules: Rulebook) -> bool:
        """Whether this is left to somebody's judgement, at a table in this state under these rules."""
        del state, rules
        return bool(self.CARD.discretion)

    def discretion_text(self, state: TableState, rules: Rulebook) -> str:
        """The act in words for the report of discretion, with what the command does not say itself."""
        del state, rules
        return str(self)

    def with_usual_patron(self, sits_at: Callable[[int], str], earlier: Mapping[str, Any]) -> Command:
        """The same command; one that must name a patron and names none gets the person who sits there when it is
        first proposed, as in the `earlier` command of the same id."""
        del sits_at, earlier
        return self

    @property
    def as_refused(self) -> RefusedAct:
        """What a refusal says of this act: its name, the seat, the money, and what it is on."""
        on = getattr(self, "on", None) or getattr(self, "onto", None)
        area = on.value if on is not None else ""
        return RefusedAct(act=self.name, seat=getattr(self, "seat", 0), money=self.money, on=area)

    def __str__(self) -> str:
        """The act in words: what, at which seat, how much, on what."""
        return str(self.as_refused)


class SeatCommand(Command, frozen=True, kw_only=True):
    """An act of the participant at a seat."""

    seat: Seat
    ROLE = Role.PARTICIPANT
    ROLES = frozenset({Role.PARTICIPANT})


class FollowingCommand(Command, frozen=True, kw_only=True):
    """What a table does as part of an act that two persons do in a book of the house."""

    ROLE = Role.CASINO_SUPERVISOR
    ROLES = frozenset({Role.CASINO_SUPERVISOR})
    SECOND = PIT_MANAGERS


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True, gc=False):
    """Something that has happened, with the clauses behind it."""

    cites: tuple[str, ...] = ()

    REWINDS: ClassVar[bool] = False
    """Whether the table may go back to a step that is earlier in the list."""
    CARD: ClassVar[EventCard]
    """Who sees it, and how it is sorted and narrated; each kind has its own."""


class StepBegan(Event, frozen=True, kw_only=True, tag="step"):
    """The table has gone on to its next step."""

    step: str
    CARD = EventCard(sights(everybody="step"), sort="step")


class Due(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An act now due: by whom, what, and under which clause; the seat, the sum or the card where it has one."""

    by: Role
    act: str
    cites: tuple[str, ...]
    seat: int = 0
    optional: bool = False
    amount: int = 0
    """What is paid, taken or lies there, in cents."""
    position: int | None = None
    """The card that is drawn, turned or handed, by its position in the shoe."""
    say: str = ""
    """What is to be done, in words; `asks` next to the step completes it."""


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """A command taken: the events it led to, and the state after them."""

    events: tuple[Event, ...]
    state: TableState

    def __repr__(self) -> str:
        names = ", ".join(type(event).__name__ for event in self.events)
        return short_repr(self, f"{count_text(len(self.events), 'event')}: {names}")


class TableRules(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A rulebook prepared for a table: its open book, its steps in order, the clause of each."""

    rulebook: Rulebook
    edition: Edition
    elections: Submission
    book: Book
    steps: tuple[str, ...]
    step_index: dict[str, int]
    """The place of each step in the edition's order."""
    cites: dict[str, tuple[str, ...]]
    """The citations of each step, by its name."""
    settlement: tuple[str, ...]
    """The clauses of the filed order of settlement."""
    permits: dict[str, tuple[str, ...]]
    """For each wager, the citations of what permits it and says how wagers are made."""

    def cite(self, *keys: str) -> tuple[Citation, ...]:
        """The citations of clauses."""
        return self.edition.cite(*keys)

    def cite_text(self, *keys: str) -> tuple[str, ...]:
        """The citations of clauses, as printed."""
        return self.edition.cite_text(*keys)

    def elects(self, option: str) -> Any:
        """What the licensee elected, or the value that holds without an election."""
        return self.rulebook.elects(option)


@cached_on_value
def table_rules(rulebook: Rulebook) -> TableRules:
    """A rulebook prepared for a table, once."""
    edition, book = rulebook.edition, open_book(rulebook)
    rows = [row for row in edition.steps if rulebook.meets(row.when)]
    steps = tuple(dict.fromkeys(row.name for row in rows if row.within is None))
    assert all(row.within in steps for row in rows if row.within is not None), "an act lies within a step"
    cites = {row.name: edition.cite_text(*row.cite) for row in (*edition.steps, *rows)}
    return TableRules(
        rulebook=rulebook,
        edition=edition,
        elections=rulebook.elections,
        book=book,
        steps=steps,
        step_index={step: index for index, step in enumerate(steps)},
        cites=cites,
        settlement=tuple(map(str, book.settlement_cites)),
        permits={
            name: tuple(dict.fromkeys((*edition.cite_text(*wager.law.cite), *cites.get("wager", ()))))
            for name, wager in edition.wagers.items()
        },
    )


HandlerResult = Sequence[Event] | Refused
"""What a handler answers: the events that a command leads to, or why it is refused."""


def refuse(
    rules: TableRules, why: Reason, what: str, *keys: str, step: str = "", cites: Iterable[str] = (), **params: object
) -> Refused:
    """A refusal that cites clauses, printed citations, or the clauses of a step; `what` names its sentence."""
    printed = tuple(map(Citation.parse, cites))
    if printed:
        return make_refusal(why, what, printed, **params)
    if not keys:
        rows = [row.cite for row in rules.edition.steps if row.name == step and rules.rulebook.meets(row.when)]
        keys = rows[0] if rows else rules.edition.deal.cite
    return make_refusal(why, what, rules.cite(*keys), **params)
