"""One act, decided together: its effects at a table, in its link and in the books are whole or none.

A table decides alone until its act touches something that others share. Then the act is decided on the shared figure:
the table is shown the link first, and what the link or a book would refuse is refused at the table. The answer
names each stream, how many events it had when this was decided, and the events to append to it: the store compares
those numbers and appends to all streams in one go, or the act is decided again.
"""

from __future__ import annotations

import msgspec

from baccarat.house.book import HouseEvent
from baccarat.house.coupon import CouponBook
from baccarat.house.coupon_book import enter_coupons
from baccarat.house.form import FormBook
from baccarat.house.form_book import FORMS
from baccarat.house.form_entry import FORM_EVENTS, enter_form
from baccarat.house.link import LinkState, display_command
from baccarat.house.link_entry import follow
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.correctable_event import EventAt, no_event
from baccarat.table.machine import BEHAVIOUR, decide
from baccarat.table.meters import ShowMeters
from baccarat.table.state import TableState
from baccarat.table.step.announcing import AnnounceResult
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.must_hit import EndRound, SealTrigger

METERED_ACTS = (CallNoMoreBets, AnnounceResult, SealTrigger, EndRound)
"""The acts that depend on what the meters show: a linked table is shown the link before them."""


class SharedBooks(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a table shares with others, with its name and the number of its next event."""

    table: str
    seq: int
    linked: LinkState | None = None
    forms: FormBook | None = None
    coupons: CouponBook | None = None


class TableAct(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an act at a table leads to: its own events and state, and the entries of what it shares."""

    events: tuple[Event, ...]
    state: TableState
    link: tuple[HouseEvent, ...] = ()
    forms: tuple[HouseEvent, ...] = ()
    coupons: tuple[HouseEvent, ...] = ()


def decide_together(
    rules: Rulebook,
    state: TableState,
    command: Command,
    actor: Actor,
    shared: SharedBooks,
    *,
    event_at: EventAt = no_event,
    behaviour: int = BEHAVIOUR,
) -> TableAct | Refused:
    """What an actor's command at a table leads to there and in what it shares, or the refusal of any of them."""
    table, linked, forms = shared.table, shared.linked, shared.forms
    if isinstance(act := _decide_table_act(rules, state, command, actor, shared, event_at, behaviour), Refused):
        return act
    entries: tuple[HouseEvent, ...] = ()
    if linked is not None:
        followed = follow(rules, linked, table=table, seq=shared.seq, state=state, events=act.events)
        if isinstance(followed, Refused):
            return followed
        entries = followed
    papers: list[HouseEvent] = []
    for event in act.events if forms is not None else ():
        if not isinstance(event, FORM_EVENTS):
            continue
        assert forms is not None
        if isinstance(entered := enter_form(rules, forms, table=table, event=event), Refused):
            return entered
        forms = FORMS.replay(forms, entered)
        papers += entered
    presented: list[HouseEvent] = []
    if shared.coupons is not None:
        found = enter_coupons(shared.coupons, command, act.events, state, table=table, behaviour=behaviour)
        if isinstance(found, Refused):
            return found
        presented = found
    return TableAct(events=act.events, state=act.state, link=entries, forms=tuple(papers), coupons=tuple(presented))


def from_link(shared: SharedBooks) -> Actor:
    """The link itself, which shows a table its meters."""
    return Actor(who=shared.table, origin=Origin.LINK)


def with_link_display(rules: Rulebook, state: TableState, shared: SharedBooks) -> TableState:
    """The table as its displays have it: with the link's figures, even if no act has shown them yet."""
    command = display_command(shared.linked, shared.table, state) if shared.linked is not None else None
    outcome = decide(rules, state, command, from_link(shared)) if command is not None else None
    return outcome.state if isinstance(outcome, Accepted) else state


def link_display_command(state: TableState, command: Command, shared: SharedBooks) -> ShowMeters | None:
    """What the link shows a table before an act that is measured on it; None if the table already shows it."""
    if shared.linked is None or not isinstance(command, METERED_ACTS):
        return None
    return display_command(shared.linked, shared.table, state)


def _decide_table_act(
    rules: Rulebook,
    state: TableState,
    command: Command,
    actor: Actor,
    shared: SharedBooks,
    event_at: EventAt,
    behaviour: int,
) -> Accepted | Refused:
    """The table's own decision, on the link's figure where the act is measured on it."""
    shown = link_display_command(state, command, shared)
    if shown is None:
        return decide(rules, state, command, actor, event_at, behaviour=behaviour)
    if isinstance(first := decide(rules, state, shown, from_link(shared)), Refused):
        return first
    then = decide(rules, first.state, command, actor, event_at, behaviour=behaviour)
    return then if isinstance(then, Refused) else Accepted((*first.events, *then.events), then.state)
