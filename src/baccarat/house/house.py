"""The house: tables, links, cage, pits, day and other books, driven act by act; each is decided whole or refused."""

from __future__ import annotations

from typing import Any

from baccarat.house.book import Aggregate, Context, HouseCommand, house_refuse
from baccarat.house.form_book import FormsFiled
from baccarat.house.gaming_day import DAY, CloseDay, DayContext
from baccarat.house.goodwill import refuse_goodwill_of_day
from baccarat.house.house_book import HOUSE_BOOK, HouseContext
from baccarat.house.joint_decision import SharedBooks, decide_together, with_link_display
from baccarat.house.link import LinkState
from baccarat.house.pit import latest
from baccarat.house.player_book import PLAYERS, PlayerContext
from baccarat.house.protected_play import player_entries, refuse_protected
from baccarat.house.reason import HouseReason
from baccarat.house.registry import FOLLOWING_COMMANDS, book_of
from baccarat.house.state import (
    Decision,
    HouseState,
    PricesByRulebook,
    StreamEvents,
    apply_decision,
    closing_objections,
    remember_decided,
)
from baccarat.house.stream import (
    COUPON_STREAM,
    FORM_STREAM,
    PLAYER_STREAM,
    Stream,
    is_pit_stream,
    link_stream,
    stream_name,
    table_stream,
)
from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted, Command
from baccarat.table.correctable_event import EventAt, no_event
from baccarat.table.machine import BEHAVIOUR, Table, decide
from baccarat.table.role import Role
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.state import TableState
from baccarat.table.two_persons import is_seated
from baccarat.table.usual_actor import usual_actor


def refuse_what_follows(command: Command) -> Refused | None:
    """Refuse at a table what only follows an act of the house, or of a pit."""
    follows = FOLLOWING_COMMANDS.get(type(command))
    return None if follows is None else house_refuse(HouseReason.OUT_OF_ORDER, follows.refusal, follows.rule)


def decide_at_table(
    state: HouseState,
    table: str,
    command: Command,
    actor: Actor | None = None,
    event_at: EventAt = no_event,
    *,
    behaviour: int = BEHAVIOUR,
) -> Decision | Refused:
    """What an act at a table leads to, there and in what it shares; without an actor, by the usual one."""
    if table not in state.tables:
        return house_refuse(HouseReason.NO_SUCH_TABLE, "no_such_table", "known-table", table=table)
    if state.day.is_closed:
        return house_refuse(
            HouseReason.CLOSED, "table_waits_for_the_next_day", "one-day", day=state.day.name, table=table
        )
    if refused := refuse_what_follows(command):
        return refused
    if isinstance(command, AdoptRules) and (refused := _refuse_unfiled(state, table, command)):
        return refused
    if refused := _refuse_own_meter(state, table, command, actor, behaviour):
        return refused
    # The table decides, with what it shares; only then is known what is given away, and what belongs to other streams.
    rules, held, shared = state.rules(table), state.tables[table], shared_books(state, table)
    act = decide_together(
        rules,
        held,
        command,
        actor or usual_actor(held, command),
        shared,
        event_at=event_at,
        behaviour=behaviour,
    )
    if isinstance(act, Refused):
        return act
    given = state.tallies[table].goodwill
    if refused := refuse_goodwill_of_day(rules, act.events, table=table, given=given):
        return refused
    if refused := refuse_protected(state, table, command, actor):
        return refused
    remember_decided(held, act.events, act.state)
    own = StreamEvents(stream=table_stream(table), after=shared.seq, events=act.events)
    players = player_entries(state, table, command, actor)
    if not (act.forms or act.link or act.coupons or players):
        return Decision((own,))
    others = [(FORM_STREAM, act.forms), (COUPON_STREAM, act.coupons), (PLAYER_STREAM, players)]
    if table in state.shares:
        others.append((link_stream(state.shares[table]), act.link))
    return Decision((own, *_make_decision(state, others).appended))


def _refuse_own_meter(
    state: HouseState, table: str, command: Command, actor: Actor | None, behaviour: int
) -> Refused | None:
    """Nobody raises a meter, or approves it, for which he plays at another table of the link (reading A-101).

    At the table itself its own guard refuses it.
    """
    if not command.READS_LINK or actor is None or behaviour < SEATED_REFUSED_SINCE:
        return None
    names = (actor.who, *(each.who for each in actor.approvals))
    for other in tables_of_link(state, table):
        seated = next((who for who in names if is_seated(state.tables[other], who)), None)
        if seated is not None and other != table:
            return house_refuse(HouseReason.SAME_PERSON, "plays_for_this_meter", "two-persons", who=seated, table=other)
    return None


def tables_of_link(state: HouseState, table: str) -> tuple[str, ...]:
    """The tables with which a table shares its meters, itself among them; none if it shares none."""
    link = state.shares.get(table)
    return () if link is None else tuple(each for each, name in state.shares.items() if name == link)


def shared_books(state: HouseState, table: str) -> SharedBooks:
    """What a table shares with others."""
    head = state.head(table_stream(table))
    return SharedBooks(
        table=table, seq=head, linked=state.link_of_table(table), forms=state.forms, coupons=state.coupons
    )


def _refuse_unfiled(state: HouseState, table: str, command: AdoptRules) -> Refused | None:
    """Why a table may not adopt other rules: its pit has not filed them for it, or it shares its meters."""
    pit = next(pit for pit in state.pits.values() if table in pit.tables)
    if table in state.shares:
        why, link = HouseReason.OUT_OF_ORDER, state.shares[table]
        return house_refuse(why, "linked_table_keeps_its_rules", "filed-rules", table=table, link=link)
    try:
        coming = command.rules
    except RulesError:
        return None  # the table itself reports what is wrong with it
    held = latest(pit, table).filed
    if coming.hash != held.hash:
        said = {"pit": pit.name, "filed": held.hash[:12], "table": table, "coming": coming.hash[:12]}
        return house_refuse(HouseReason.OUT_OF_ORDER, "pit_filed_other_rules", "filed-rules", **said)
    return None


def decide_in_book(
    state: HouseState,
    rules: Rulebook,
    command: HouseCommand,
    actor: Actor,
    *,
    stream: Stream,
    behaviour: int = BEHAVIOUR,
) -> Decision | Refused:
    """What an act in one of the house's books leads to; closing a day files its forms in the same act,
    linking tables tells each of them, and so does naming other witnesses, or saying what a table is."""
    book, held = book_of(stream), state.book(stream)
    if book is None or held is None:
        return house_refuse(HouseReason.NO_SUCH_TABLE, "no_such_book", "known-table", stream=stream)
    assert type(command) in book.handlers, f"{type(command).__name__} is not an act of the {book.name}"
    if refused := command.refuse_in_book(state.tables) or _refuse_seated(state, stream, command, actor, behaviour):
        return refused
    context = _context(state, rules, actor, book, behaviour)
    if isinstance(outcome := book.decide(context, held, command), Refused):
        return outcome
    touched: list[tuple[Stream, tuple[Any, ...]]] = [(stream, outcome.events)]
    if isinstance(command, CloseDay):
        touched.append((FORM_STREAM, (FormsFiled(serials=tuple(state.forms.papers), cites=outcome.events[0].cites),)))
    for table, caused in command.table_commands():
        second = Approval(context.second, actor.approvals[0].role, caused.name)
        by_two = Actor(who=actor.who, role=Role.CASINO_SUPERVISOR, approvals=(second,))
        if isinstance(followed := decide(state.rules(table), state.tables[table], caused, by_two), Refused):
            return followed
        touched.append((table_stream(table), followed.events))
    return _make_decision(state, touched)


SEATED_REFUSED_SINCE = 3
"""The first version of the deciding functions that refuses acts about a table to people who sit there."""


def tables_concerned(state: HouseState, stream: Stream, command: HouseCommand) -> tuple[str, ...]:
    """The tables at which nobody may sit who does this in a book, or approves it: it is about their money or rules."""
    concerned = command.tables_concerned(_tables_of_book(state, stream))
    return tuple(table for table in concerned if table in state.tables)


def _tables_of_book(state: HouseState, stream: Stream) -> tuple[str, ...]:
    """The tables of a pit or of a link; none where the book is neither."""
    name = stream_name(stream)
    if is_pit_stream(stream):
        return tuple(state.pits[name].tables) if name in state.pits else ()
    return tuple(table for table, link in state.shares.items() if link == name)


def _refuse_seated(
    state: HouseState, stream: Stream, command: HouseCommand, actor: Actor, behaviour: int
) -> Refused | None:
    """Nobody who sits at a table counts or moves what is in its tray or drop box, or approves it (reading A-101).

    Nor does such a person change its options, or the terms of a meter that it shares.
    """
    if behaviour < SEATED_REFUSED_SINCE:  # older acts are decided as they were then
        return None
    staff = (actor.who, *(each.who for each in actor.approvals))
    for table in tables_concerned(state, stream, command):
        held = state.tables[table]
        names = (*staff, *held.seats.dealers) if command.COUNTS_DEALERS else staff
        seated = next((who for who in names if is_seated(held, who)), None)
        if seated is None:
            continue
        if refused := command.refuse_seated(seated, table, is_on_record=held.is_on_record):
            return refused
    return None


def _make_decision(state: HouseState, touched: list[tuple[Stream, tuple[Any, ...]]]) -> Decision:
    return Decision(
        tuple(StreamEvents(stream=name, after=state.head(name), events=events) for name, events in touched if events)
    )


def _context(state: HouseState, rules: Rulebook, actor: Actor, book: Aggregate[Any], behaviour: int) -> Context:
    shared: dict[str, Any] = {"rules": rules, "actor": actor, "ledger": state.ledger, "behaviour": behaviour}
    if book is DAY:
        figures = {table: tally.all_shoes for table, tally in state.tallies.items()}
        return DayContext(forms=state.forms, figures=figures, still_open=closing_objections(state), **shared)
    if book is HOUSE_BOOK:
        playing = {table: state.rules(table) for table in state.tables}
        return HouseContext(playing=playing, tables=state.tables, **shared)
    if book is PLAYERS:
        seated = tuple(table for table, held in state.tables.items() if is_seated(held, actor.who))
        return PlayerContext(seated=seated, **shared)
    return Context(**shared)


class House:
    """A house with its journal: every accepted act, in the order of all streams."""

    def __init__(self, rules: Rulebook, *, prices: PricesByRulebook | None = None) -> None:
        self.rules = rules
        self.prices = prices or {}
        self.state = HouseState()
        self.journal: list[Decision] = []
        self.logs: dict[Stream, list[Any]] = {}

    def do(self, command: HouseCommand, actor: Actor, *, stream: Stream) -> Decision | Refused:
        """Do an act in one of the books; a refusal changes nothing."""
        return self.append_decision(decide_in_book(self.state, self.rules, command, actor, stream=stream))

    def append_decision(self, decision: Decision | Refused) -> Decision | Refused:
        """Append what was decided to all its streams."""
        if isinstance(decision, Refused):
            return decision
        self.state = apply_decision(self.state, decision, self.prices)
        self.journal.append(decision)
        for each in decision.appended:
            self.logs.setdefault(each.stream, []).extend(each.events)
        return decision

    def event_at(self, stream: Stream) -> EventAt:
        """A function that returns the event of a number in a stream."""
        log = self.logs.get(stream, [])
        return lambda number: log[number] if 0 <= number < len(log) else None

    def table(self, name: str) -> HouseTable:
        """One of its tables, to be driven like a single table."""
        return HouseTable(self, name)


class HouseTable(Table):
    """A table of a house: what is done at it is decided with all that it shares."""

    def __init__(self, house: House, name: str) -> None:
        self.house, self.name, self.rules = house, name, house.state.rules(name)
        self.log = house.logs.setdefault(table_stream(name), [])
        self._looked: tuple[TableState, LinkState, TableState] | None = None

    @property
    def state(self) -> TableState:
        """The table as everybody there sees it; its displays always have the link's figures."""
        house = self.house.state
        state = house.tables[self.name]
        if self.name not in house.shares:
            return state
        linked = house.links[house.shares[self.name]]
        if self._looked is None or self._looked[0] is not state or self._looked[1] is not linked:
            shared = shared_books(self.house.state, self.name)
            self._looked = (state, linked, with_link_display(self.rules, state, shared))
        return self._looked[2]

    @state.setter
    def state(self, _state: TableState) -> None:
        raise AssertionError("a table of a house changes only through acts of the house")

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command; a refusal of the table, of its link or of a book changes nothing anywhere."""
        if isinstance(decision := decide_at_table(self.house.state, self.name, command, actor, self.event_at), Refused):
            return decision
        self.house.append_decision(decision)
        self.rules = self.house.state.rules(self.name)
        return Accepted(decision.appended[0].events, self.state)
