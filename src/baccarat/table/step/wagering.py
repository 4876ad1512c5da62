"""Wagering: wagers made, changed and withdrawn until the dealer calls that there are no more bets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.admission import admit
from baccarat.play.refusal import Refused
from baccarat.play.wager import Wager, WagerKind
from baccarat.table import coupon
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Count, Means, Sum
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import Stake, WagerArea
from baccarat.table.registration import add_step, evolves, explains_wrong_moment, handles
from baccarat.table.role import Role
from baccarat.table.round_state import FREE_HAND, SIMULATED, WAGERED, Round, Spoken
from baccarat.table.seating_acts import too_many_chips, with_chips
from baccarat.table.state import TableState
from baccarat.table.step.must_hit_trigger import MUST_HIT, trigger_due
from baccarat.table.step_function import tells, tells_attempt
from baccarat.table.story_words import wager_title

WAGER, NO_MORE_BETS = "wager", "no_more_bets"


class PlaceWager(SeatCommand, frozen=True, kw_only=True, tag="place_wager"):
    """A participant puts chips, perhaps with a coupon, on one area of the layout."""

    on: WagerArea
    stake: Stake
    coupon: Annotated[Sum, Means("the value of a match play coupon placed with the chips")] = 0
    coupon_number: Annotated[
        Count | UnsetType, Means("the coupon's number in the house's coupon book", is_optional=True)
    ] = UNSET
    """Absent where the coupon is on paper that the dealer sees: a table without a house has no coupon book."""
    STEPS = frozenset({WAGER})
    CARD = CommandCard(ask="Participants may wager.", is_wager=True, discretion="sum")

    def is_discretionary(self, state: TableState, rules: Rulebook) -> bool:
        """Whether a coupon on paper comes with it: nothing but the dealer's eyes shows that it lies there."""
        del state, rules
        return bool(self.coupon) and not self.named_coupon

    def discretion_text(self, state: TableState, rules: Rulebook) -> str:
        """With the coupon."""
        del state, rules
        return f"{self}, with a coupon of {Cents(self.coupon)} on paper"

    @property
    def named_coupon(self) -> int:
        """The number of the coupon placed with the chips."""
        return self.coupon_number or 0


class ChangeWager(SeatCommand, frozen=True, kw_only=True, tag="change_wager"):
    """A participant raises or lowers a wager."""

    on: WagerArea
    stake: Stake
    STEPS = frozenset({WAGER})
    CARD = CommandCard(is_wager=True)


class WithdrawWager(SeatCommand, frozen=True, kw_only=True, tag="withdraw_wager"):
    """A participant takes a wager back."""

    on: WagerArea
    STEPS = frozenset({WAGER})
    CARD = CommandCard(is_wager=True)


class WagerPlaced(Event, frozen=True, kw_only=True, tag="wager_placed"):
    """A wager lies on the table."""

    seat: int
    on: WagerKind
    stake: int
    """What lies there in chips or cash, without the coupon."""
    coupon: int = 0
    """The face of a coupon that lies with it; 0 if there is none."""
    cash: bool = False
    """Whether the stake is cash."""
    CARD = EventCard(sights(TABLE, table="seat on stake coupon cash"), sort="wager", given="coupon")


class WagerChanged(Event, frozen=True, kw_only=True, tag="wager_changed"):
    """A wager has another stake."""

    seat: int
    on: WagerKind
    stake: int
    before: int
    CARD = EventCard(sights(TABLE, table="seat on stake before"), sort="wager")


class WagerWithdrawn(Event, frozen=True, kw_only=True, tag="wager_withdrawn"):
    """A wager has been taken back."""

    seat: int
    on: WagerKind
    stake: int
    CARD = EventCard(sights(TABLE, table="seat on stake"), sort="wager")


# ------------------------------------------------------------------------------------------- deciding


def wagers_closed(rules: TableRules, state: TableState, _command: Command) -> Refused | None:
    """Why no wager is taken, changed or given back now: a void round, a simulated one, the call; or only the step."""
    round_, why = state.round, Reason.WAGERS_CLOSED
    if round_.void:
        return refuse(rules, why, "round_void_next", *rules.edition.void.cite, next=rules.edition.void.next)
    if round_.kind is SIMULATED:
        return refuse(rules, why, "no_wagers_accepted_simulated_round", cites=round_.why[-1:])
    if round_.closed:
        return refuse(rules, why, "no_more_bets_called", *rules.edition.no_more_bets.cite)
    if state.shoe.after_void:
        return refuse(rules, why, "last_round_was_void", *rules.edition.void.cite, next=rules.edition.void.next)
    return None


explains_wrong_moment(PlaceWager, ChangeWager, WithdrawWager)(wagers_closed)


def permitting_clauses(rules: TableRules, on: WagerKind) -> tuple[str, ...]:
    """The clauses that permit a kind of wager, and say how wagers are made."""
    return rules.permits[on.word]


def _until_the_call(rules: TableRules) -> tuple[str, ...]:
    """The clauses under which a wager may be raised, lowered or withdrawn: any time before the call."""
    return rules.cite_text(*rules.edition.no_more_bets.cite)


def other_wagers(state: TableState, seat: int, on: WagerKind) -> list[Wager]:
    """What a seat has wagered besides a wager."""
    return [wager for wager in state.round.wagers if wager.seat == seat and wager.on is not on]


def wager_of(state: TableState, seat: int, on: WagerKind) -> Wager | None:
    """The wager of a seat that lies on an area, if there is one."""
    return next((w for w in state.round.wagers if w.seat == seat and w.on is on), None)


def spoken_of(state: TableState, seat: int, on: WagerKind) -> Spoken | None:
    """The wager that a seat has spoken on an area and that does not stand yet, if there is one."""
    return next((s for s in state.round.spoken if s.seat == seat and s.on is on), None)


def why_not_admitted(rules: TableRules, state: TableState, wagers: list[Wager]) -> Refused | None:
    """Why a seat's wagers may not stand, if so; limits of the whole table count everybody's."""
    limits = rules.book.limits
    if any(wager.on in limits and limits[wager.on].aggregate_payout is not None for wager in wagers):
        seat = wagers[0].seat
        wagers = [*(w for w in state.round.wagers if w.seat != seat), *wagers]
    return admit(rules.book, wagers)


def why_not_seated(rules: TableRules, state: TableState, seat: int) -> Refused | None:
    """The refusal if nobody who may wager sits there."""
    if state.at(seat) is None:
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", step=WAGER, seat=seat)
    assert state.round.kind is not SIMULATED, "a simulated round is closed from its beginning"
    return None


@handles(PlaceWager)
def place_wager(rules: TableRules, state: TableState, command: PlaceWager) -> HandlerResult:
    """A wager stands if the seat's wagers are admissible with it and its chips are there."""
    seat, on, stake = command.seat, command.on, command.stake
    if refused := why_not_seated(rules, state, seat) or _why_not_stakeable(rules, state, seat, stake):
        return refused
    if wager_of(state, seat, on) or spoken_of(state, seat, on):
        return refuse(rules, Reason.OUT_OF_ORDER, "change_the_wager_instead", step=WAGER, seat=seat, on=on.value)
    if command.coupon and not command.coupon_number and state.is_electronic:  # nobody sees a coupon on paper
        keys = (rules.edition.match_play or rules.edition.wagers[on.word].law).cite
        return refuse(rules, Reason.COUPON, "coupon_without_a_number", *keys, seat=seat)
    wager = Wager(seat=seat, on=on, stake=stake, coupon=command.coupon)
    if refused := why_not_admitted(rules, state, [*other_wagers(state, seat, on), wager]):
        return refused
    return [WagerPlaced(seat=seat, on=on, stake=stake, coupon=command.coupon, cites=permitting_clauses(rules, on))]


def _why_not_stakeable(rules: TableRules, state: TableState, seat: int, stake: int) -> Refused | None:
    person = state.at(seat)
    assert person is not None, "asked of a seated participant"
    if stake <= 0:
        return refuse(rules, Reason.NO_SUCH_WAGER, "stake_of_nothing", step=WAGER)
    if stake > person.chips:
        why, chips = Reason.NOT_ENOUGH_CHIPS, person.chips
        return refuse(rules, why, "fewer_chips_than_staked", step=WAGER, seat=seat, chips=chips, stake=stake)
    return too_many_chips(rules, state, seat)


@handles(ChangeWager)
def change_wager(rules: TableRules, state: TableState, command: ChangeWager) -> HandlerResult:
    """A wager changes if the seat's wagers stay admissible."""
    if refused := why_not_seated(rules, state, command.seat):
        return refused
    before = wager_of(state, command.seat, command.on)
    if before is None:
        return refuse(rules, Reason.NO_SUCH_WAGER, "seat_no_wager", step=WAGER, seat=command.seat, on=command.on.value)
    more = command.stake - before.stake
    if command.stake <= 0:
        return refuse(rules, Reason.NO_SUCH_WAGER, "stake_of_nothing_withdraw", step=WAGER)
    person = state.at(command.seat)
    assert person is not None, "only a seated participant has wagers"
    if more > person.chips:
        why, chips = Reason.NOT_ENOUGH_CHIPS, person.chips
        return refuse(rules, why, "fewer_chips_than_added", step=WAGER, seat=command.seat, chips=chips, more=more)
    changed = replace(before, stake=command.stake)
    if refused := why_not_admitted(rules, state, [*other_wagers(state, command.seat, command.on), changed]):
        return refused
    was, cites = before.stake, _until_the_call(rules)
    return [WagerChanged(seat=command.seat, on=command.on, stake=command.stake, before=was, cites=cites)]


@handles(WithdrawWager)
def withdraw_wager(rules: TableRules, state: TableState, command: WithdrawWager) -> HandlerResult:
    """A wager goes back unless another at the seat depends on it."""
    before = wager_of(state, command.seat, command.on)
    if before is None:
        return refuse(rules, Reason.NO_SUCH_WAGER, "seat_no_wager", step=WAGER, seat=command.seat, on=command.on.value)
    rest = other_wagers(state, command.seat, command.on)
    if refused := why_not_admitted(rules, state, rest) if rest else None:
        return refused
    return withdraw_events(rules, before)


def withdraw_events(rules: TableRules, wager: Wager) -> list[Event]:
    """A wager goes back to its owner, and a coupon with it."""
    cites = _until_the_call(rules)
    events: list[Event] = [WagerWithdrawn(seat=wager.seat, on=wager.on, stake=wager.stake, cites=cites)]
    return [*events, *coupon.coupons_returned(rules, coupon.with_wagers([wager]))]


# ------------------------------------------------------------------------------------------- evolving


def _with_wagers(state: TableState, wagers: Sequence[Wager]) -> TableState:
    return replace(state, round=replace(state.round, wagers=tuple(wagers)))


@evolves(WagerPlaced)
def evolve_wager_placed(state: TableState, event: WagerPlaced) -> TableState:
    """Chips lie on the area; those of a spoken wager were bought with its cash, and are like any others."""
    wager = Wager(seat=event.seat, on=event.on, stake=event.stake, coupon=event.coupon)
    round_ = replace(as_wagered(state.round), wagers=(*state.round.wagers, wager))
    if event.cash:
        spoken = tuple(s for s in round_.spoken if not (s.seat == event.seat and s.on is event.on))
        return replace(state, round=replace(round_, spoken=spoken))
    return replace(state, round=round_, seats=with_chips(state, event.seat, -event.stake))


@evolves(WagerChanged)
def evolve_wager_changed(state: TableState, event: WagerChanged) -> TableState:
    """Chips move between the participant and the area."""
    wagers = [
        replace(wager, stake=event.stake) if wager.seat == event.seat and wager.on is event.on else wager
        for wager in state.round.wagers
    ]
    seats = with_chips(state, event.seat, event.before - event.stake)
    return replace(_with_wagers(state, wagers), seats=seats)


@evolves(WagerWithdrawn)
def evolve_wager_withdrawn(state: TableState, event: WagerWithdrawn) -> TableState:
    """The chips go back."""
    wagers = [wager for wager in state.round.wagers if not (wager.seat == event.seat and wager.on is event.on)]
    return replace(_with_wagers(state, wagers), seats=with_chips(state, event.seat, event.stake))


def as_wagered(round_: Round) -> Round:
    """A round in which somebody wagers; a requested Free Hand no longer is one."""
    return replace(round_, kind=WAGERED, asked_by=0) if round_.kind is FREE_HAND else round_


# --------------------------------------------------------------------------------------- due, expected


def expect_wager(rules: TableRules, state: TableState) -> list[Due]:
    """Wagers may come; once one lies there, or a Free Hand is requested, the dealer may end the wagering."""
    due = [Due(by=Role.PARTICIPANT, act="place_wager", cites=rules.cites[WAGER], optional=True)]
    if trigger_due(rules, state):
        due.append(Due(by=Role.DEALER, act="seal_trigger", cites=rules.cites[MUST_HIT]))
    elif state.round.wagers or state.round.kind is not WAGERED:
        due.append(Due(by=Role.DEALER, act="call_no_more_bets", cites=rules.cites[NO_MORE_BETS]))
    return due


add_step(WAGER, due=lambda _rules, state: not state.round.closed, expect=expect_wager)


# ---------------------------------------------------------------------------------- asks, fills, tells


tells(WagerPlaced)(
    lambda x: (
        f"Seat {x.seat} wagers {Cents(x.stake)} on {wager_title(x.on)}"
        + (f" with a coupon of {Cents(x.coupon)}." if x.coupon else ".")
    )
)
tells(WagerChanged)(lambda x: f"Seat {x.seat} changes {wager_title(x.on)} from {Cents(x.before)} to {Cents(x.stake)}.")
tells(WagerWithdrawn)(lambda x: f"Seat {x.seat} takes {Cents(x.stake)} back from {wager_title(x.on)}.")
tells_attempt(PlaceWager)(lambda x: f"wager {Cents(x.stake)} on {x.on.title}")
tells_attempt(ChangeWager)(lambda x: f"make the wager on {x.on.title} {Cents(x.stake)}")
tells_attempt(WithdrawWager)(lambda x: f"take back the wager on {x.on.title}")
