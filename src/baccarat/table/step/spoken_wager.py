"""Spoken wagers: a wager made aloud stands when everyone whom the document names has confirmed it."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.law.edition import Edition
from baccarat.money import Cents
from baccarat.play.wager import Verbal, Wager, WagerKind
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Means, Seat, Sum
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import Stake, WagerArea
from baccarat.table.registration import HANDLERS_2, evolves, explains_wrong_moment, handles, handles_actor
from baccarat.table.role import Role
from baccarat.table.round_state import Spoken
from baccarat.table.state import TableState
from baccarat.table.step.wagering import (
    WAGER,
    WagerPlaced,
    as_wagered,
    other_wagers,
    permitting_clauses,
    spoken_of,
    wager_of,
    wagers_closed,
    why_not_admitted,
    why_not_seated,
)
from baccarat.table.step_function import tells
from baccarat.table.story_words import wager_title
from baccarat.table.table_cards import AUTOMATED
from baccarat.table.two_persons import are_different


class SpeakWager(SeatCommand, frozen=True, kw_only=True, tag="speak_wager"):
    """A participant wagers aloud, with or without cash on the table."""

    on: WagerArea
    stake: Stake
    cash: Annotated[bool, Means("whether cash lies on the table")]
    STEPS = frozenset({WAGER})
    CARD = CommandCard(is_wager=True)


class ConfirmWager(Command, frozen=True, kw_only=True, tag="confirm_wager"):
    """A person whom the document names repeats a spoken wager back."""

    seat: Seat
    on: WagerArea
    stake: Annotated[Sum | UnsetType, Means("the sum that is repeated", is_optional=True)] = UNSET
    """Of a seat that was left and taken again meanwhile, another sum may have been spoken."""
    ROLES = frozenset({Role.DEALER, Role.CASINO_SUPERVISOR})
    STEPS = frozenset({WAGER})
    CARD = CommandCard(group="orders", is_wager=True)

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """Who confirms what is spoken."""
        return edition.verbal.cite if edition.verbal is not None else ()

    @property
    def money(self) -> int | None:
        """What is repeated, if it is said."""
        return self.stake or None


class WagerSpoken(Event, frozen=True, kw_only=True, tag="wager_spoken"):
    """A wager has been spoken; it does not stand yet."""

    seat: int
    on: WagerKind
    stake: int
    CARD = EventCard(sights(TABLE, table="seat on stake"), sort="wager")


class WagerConfirmed(Event, frozen=True, kw_only=True, tag="wager_confirmed"):
    """One of those who must confirm a spoken wager has done so."""

    seat: int
    on: WagerKind
    who: Role
    person: str | UnsetType = UNSET
    """Which person, at a table that is on record."""
    CARD = EventCard(sights(TABLE, table="seat on who", staff="person"), sort="wager")


class SpokenWagerOff(Event, frozen=True, kw_only=True, tag="spoken_wager_off"):
    """A spoken wager was not confirmed and exchanged for chips in time: it is off."""

    seat: int
    on: WagerKind
    CARD = EventCard(sights(TABLE, table="seat on"), sort="wager")


explains_wrong_moment(SpeakWager, ConfirmWager)(wagers_closed)


@handles(SpeakWager)
def speak_wager(rules: TableRules, state: TableState, command: SpeakWager) -> HandlerResult:
    """A spoken wager waits for its confirmations; at an automated table there is no dealer who hears it."""
    law = rules.edition.verbal
    if state.cards is AUTOMATED and law is not None:
        return refuse(rules, Reason.NOT_OFFERED, "no_spoken_wagers_here", *law.cite, step=WAGER)
    return _speak_wager_by_version_2(rules, state, command)


def _speak_wager_by_version_2(rules: TableRules, state: TableState, command: SpeakWager) -> HandlerResult:
    """Version 2 let a wager be spoken that nobody could confirm."""
    if refused := why_not_seated(rules, state, command.seat):
        return refused
    law = rules.edition.verbal
    if law is None or not rules.elects(law.offered):
        return refuse(
            rules, Reason.NOT_OFFERED, "no_spoken_wagers_here", *(law.cite if law is not None else ()), step=WAGER
        )
    if not command.cash:
        return refuse(rules, Reason.NOT_ENOUGH_CHIPS, "spoken_wager_wants_cash", *law.cite)
    if command.stake <= 0:
        return refuse(rules, Reason.NO_SUCH_WAGER, "stake_of_nothing", *law.cite)
    wager = Wager(seat=command.seat, on=command.on, stake=command.stake)
    if refused := why_not_admitted(rules, state, [*other_wagers(state, command.seat, command.on), wager]):
        return refused
    if wager_of(state, command.seat, command.on) or spoken_of(state, command.seat, command.on):
        return refuse(
            rules, Reason.OUT_OF_ORDER, "has_that_wager_already", *law.cite, seat=command.seat, on=command.on.value
        )
    return [WagerSpoken(seat=command.seat, on=command.on, stake=command.stake, cites=rules.cite_text(*law.cite))]


HANDLERS_2[SpeakWager] = _speak_wager_by_version_2


def _key(of: ConfirmWager | WagerConfirmed) -> str:
    """A spoken wager among those of a round."""
    return f"{of.seat} {of.on.value}"


@handles_actor(ConfirmWager)
def confirm_wager(rules: TableRules, state: TableState, command: ConfirmWager, actor: Actor) -> HandlerResult:
    """When everyone whom the document names has confirmed, the cash is changed and the wager stands."""
    law = rules.edition.verbal
    spoken = spoken_of(state, command.seat, command.on)
    if law is None or spoken is None:
        why, keys, on = Reason.NO_SUCH_WAGER, law.cite if law is not None else (), command.on.value
        return refuse(rules, why, "seat_spoken_no_wager", *keys, step=WAGER, seat=command.seat, on=on)
    if command.stake is not UNSET and command.stake != spoken.stake:
        why, seat, said = Reason.WRONG_SUM, command.seat, command.stake
        return refuse(rules, why, "spoken_wager_of_another_sum", *law.cite, seat=seat, spoken=spoken.stake, stake=said)
    if actor.role.value not in law.confirmed_by:
        return refuse(
            rules, Reason.WRONG_ROLE, "spoken_wager_confirmed_by", *law.cite, confirmed_by=", ".join(law.confirmed_by)
        )
    if actor.role.value in spoken.verbal.confirmed_by:
        return refuse(rules, Reason.OUT_OF_ORDER, "confirmed_already", *law.cite, role=actor.role.value)
    first = (state.round.confirmers or {}).get(_key(command), "") if spoken.verbal.confirmed_by else ""
    if first and not are_different(first, actor.who):
        return refuse(rules, Reason.SAME_PERSON, "confirmed_by_the_same_person", *law.cite, who=actor.who)
    cites, person = rules.cite_text(*law.cite), actor.who if state.is_on_record else UNSET
    events: list[Event] = [WagerConfirmed(seat=command.seat, on=command.on, who=actor.role, person=person, cites=cites)]
    confirmed = {*spoken.verbal.confirmed_by, actor.role.value}
    if confirmed >= set(law.confirmed_by):
        wager = Wager(seat=command.seat, on=command.on, stake=spoken.stake)
        if refused := why_not_admitted(rules, state, [*other_wagers(state, command.seat, command.on), wager]):
            return refused
        permits = permitting_clauses(rules, command.on)
        events.append(WagerPlaced(seat=command.seat, on=command.on, stake=spoken.stake, cash=True, cites=permits))
    return events


@evolves(WagerSpoken)
def evolve_wager_spoken(state: TableState, event: WagerSpoken) -> TableState:
    """A spoken wager waits; it ends a request for a Free Hand."""
    spoken = Spoken(event.seat, event.on, event.stake, Verbal(cash=True))
    return replace(state, round=replace(as_wagered(state.round), spoken=(*state.round.spoken, spoken)))


@evolves(WagerConfirmed)
def evolve_wager_confirmed(state: TableState, event: WagerConfirmed) -> TableState:
    """One more confirmation."""
    spoken = tuple(
        replace(s, verbal=Verbal(cash=True, confirmed_by=(*s.verbal.confirmed_by, event.who.value)))
        if s.seat == event.seat and s.on is event.on
        else s
        for s in state.round.spoken
    )
    round_ = replace(state.round, spoken=spoken)
    if event.person is not UNSET:  # where two confirm, the second is not compared with anybody later
        round_ = replace(round_, confirmers={**(round_.confirmers or {}), _key(event): event.person})
    return replace(state, round=round_)


@evolves(SpokenWagerOff)
def evolve_spoken_wager_off(state: TableState, event: SpokenWagerOff) -> TableState:
    """A spoken wager is removed."""
    spoken = tuple(s for s in state.round.spoken if not (s.seat == event.seat and s.on is event.on))
    return replace(state, round=replace(state.round, spoken=spoken))


tells(WagerSpoken)(lambda x: f"Seat {x.seat} says {Cents(x.stake)} on {wager_title(x.on)}, with cash.")
tells(WagerConfirmed)(lambda x: f"The {x.who.value} repeats seat {x.seat}'s {wager_title(x.on)} wager.")
tells(SpokenWagerOff)(lambda x: f"Seat {x.seat}'s spoken wager on {wager_title(x.on)} is off.")
