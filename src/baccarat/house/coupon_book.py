"""The coupon book: match play coupons by their numbers, from the two persons who issue them to the day's count.

A coupon on paper is seen by the dealer. Where a program deals, the number is all there is: so a coupon belongs to one
patron, lies in one place at a time, and is used up when its wager is decided.
"""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.house.book import (
    Aggregate,
    BookFindings,
    BookOutcome,
    ByTwo,
    CommandAboutTable,
    Context,
    HouseCommand,
    HouseEvent,
    house_cite,
    house_refuse,
)
from baccarat.house.coupon import CouponBook, CouponKind, CouponPlace, IssuedRun, Presented, RoundCoupons
from baccarat.house.number_map import value_at, with_value, without_value
from baccarat.house.number_run import NumberRun, runs_within, with_run
from baccarat.house.reason import HouseReason
from baccarat.money import Cents
from baccarat.play.refusal import RefusalNote, Refused
from baccarat.play.wager import WagerKind
from baccarat.table.base import Command, Event
from baccarat.table.bounds import Count, Means, PersonId, Serials
from baccarat.table.card import CommandCard
from baccarat.table.coupon import CouponReturned, CouponTaken
from baccarat.table.field_type import Amount, KeptReason
from baccarat.table.role import CASHIERS, COUNT_TEAM, HOUSE_MANAGERS
from baccarat.table.state import TableState
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.two_persons import is_same_person

MOST_ISSUED = 1000
"""The most coupons of one issue."""


class IssueCoupons(HouseCommand, frozen=True, kw_only=True, tag="issue_coupons"):
    """Coupons with consecutive numbers are given to a patron."""

    first: Annotated[Count, Means("the lowest number")]
    last: Annotated[Count, Means("the highest number")]
    value: Amount
    patron: Annotated[PersonId, Means("the patron, who alone may present them")]
    kind: Annotated[CouponKind, Means("what they are good for")] = CouponKind.MATCH_PLAY
    ROLES = HOUSE_MANAGERS
    SECOND = CASHIERS
    CARD = CommandCard(discretion="sum")

    def coupons_issued(self) -> IssuedRun | None:
        """All that it issues; none where the numbers are no run, which no book accepts."""
        if not 0 <= self.last - self.first < MOST_ISSUED:
            return None
        return IssuedRun(first=self.first, last=self.last, kind=self.kind, value=self.value, patron=self.patron)

    def discretion_text(self, found: BookFindings) -> str:
        """Which, of what value and to whom."""
        del found
        return f"issue coupons {self.first} to {self.last} of {Cents(self.value)} to {self.patron}"

    def discretion_worth(self, found: BookFindings) -> int:
        """Their value: the patron has it by their issue."""
        del found
        return self.value * (self.last - self.first + 1)


class CancelCoupons(HouseCommand, frozen=True, kw_only=True, tag="cancel_coupons"):
    """Cancel coupons that have not been presented."""

    first: Annotated[Count, Means("the lowest number")]
    last: Annotated[Count, Means("the highest number")]
    reason: KeptReason
    ROLES = HOUSE_MANAGERS
    SECOND = CASHIERS
    CARD = CommandCard(discretion="sum")

    def discretion_text(self, found: BookFindings) -> str:
        """Which."""
        del found
        return f"cancel coupons {self.first} to {self.last}"

    def discretion_worth(self, found: BookFindings) -> int:
        """What participants lose by it; a coupon that was taken before costs nobody."""
        return -sum(
            run.value * (min(run.last, self.last) - max(run.first, self.first) + 1)
            for run in runs_within(found.coupons, self.first, self.last)
        )


class CountCoupons(CommandAboutTable, frozen=True, kw_only=True, tag="count_coupons"):
    """The coupons that a table has taken are counted by their numbers."""

    numbers: Annotated[Serials, Means("the numbers that were found")]
    ROLES = COUNT_TEAM
    SECOND = COUNT_TEAM
    CARD = CommandCard(discretion="nothing")

    def is_discretionary(self, found: BookFindings) -> bool:
        """Where it differs from the book."""
        return bool(found.missing or found.strange)

    def discretion_text(self, found: BookFindings) -> str:
        """Where they were counted, and what differs."""
        lists = {"missing": found.missing, "not taken there": found.strange}
        said = (f"{name}: {', '.join(map(str, numbers))}" for name, numbers in lists.items() if numbers)
        return f"count coupons of {self.table}, {'; '.join(said)}"


class CouponsIssued(ByTwo, frozen=True, kw_only=True, tag="coupons_issued"):
    """Coupons were issued to a patron."""

    first: int
    last: int
    value: int
    patron: str
    kind: CouponKind


class CouponsCancelled(ByTwo, frozen=True, kw_only=True, tag="coupons_cancelled"):
    """Coupons were cancelled."""

    first: int
    last: int
    reason: str


class CouponPresented(HouseEvent, frozen=True, kw_only=True, tag="coupon_presented"):
    """A coupon lies with a wager of this round of this shoe, both counted as the table counts them."""

    number: int
    table: str
    seat: int
    on: WagerKind
    shoe: int
    round: int


class CouponUsed(HouseEvent, frozen=True, kw_only=True, tag="coupon_used"):
    """The table has taken a coupon, which its wager's result has decided."""

    number: int
    table: str
    paid: bool


class CouponHandedBack(HouseEvent, frozen=True, kw_only=True, tag="coupon_handed_back"):
    """A coupon was handed back, because nothing decided its wager; it may be presented again.

    It may have been taken before, by a result that was corrected.
    """

    number: int


class CouponsCounted(ByTwo, frozen=True, kw_only=True, tag="coupons_counted"):
    """A table's coupons were counted: those found, those that should have been there, and those that should not."""

    table: str
    numbers: tuple[int, ...]
    missing: tuple[int, ...]
    strange: tuple[int, ...]


def _refuse_run(first: int, last: int) -> Refused | None:
    if 1 <= first <= last < first + MOST_ISSUED:
        return None
    return house_refuse(HouseReason.INCOMPLETE, "coupons_run_to_a_later_number", "coupon", most=MOST_ISSUED)


def issue_coupons(context: Context, state: CouponBook, command: IssueCoupons) -> BookOutcome:
    """Issue coupons whose numbers have not been used before."""
    first, last = command.first, command.last
    if refused := _refuse_run(first, last):
        return refused
    if command.value <= 0 or not command.patron.strip():
        return house_refuse(HouseReason.INCOMPLETE, "coupon_says_how_much_and_for_whom", "coupon")
    if any(is_same_person(command.patron, name) for name in (context.actor.who, context.second)):
        return house_refuse(HouseReason.SAME_PERSON, "coupon_to_oneself", "two-persons", "coupon")
    known = next(runs_within(state.issued, first, last), None)
    if known is not None:
        return house_refuse(HouseReason.TWICE, "coupon_issued_before", "coupon", number=max(first, known.first))
    value, patron, kind, cites = command.value, command.patron, command.kind, house_cite("two-persons", "coupon")
    two = context.two_persons
    return [CouponsIssued(first=first, last=last, value=value, patron=patron, kind=kind, cites=cites, **two)]


def cancel_coupons(context: Context, state: CouponBook, command: CancelCoupons) -> BookOutcome:
    """Cancel coupons, but only those that their patron still has."""
    first, last = command.first, command.last
    if refused := _refuse_run(first, last):
        return refused
    if not command.reason.strip():
        return house_refuse(HouseReason.NO_REASON, "coupons_cancelled_without_a_reason", "coupon")
    for number in range(first, last + 1):
        if refused := _refuse_elsewhere(state, number):
            return refused
    cites, two = house_cite("two-persons", "coupon"), context.two_persons
    return [CouponsCancelled(first=first, last=last, reason=command.reason, cites=cites, **two)]


def _refuse_elsewhere(state: CouponBook, number: int) -> Refused | None:
    """Why a number cannot be presented or cancelled: it was never issued, or its patron no longer has it."""
    if state.issue_of(number) is None:
        return house_refuse(HouseReason.NO_SUCH_FORM, "no_such_coupon", "coupon", number=number)
    if (place := state.place_of(number)) is not CouponPlace.WITH_PATRON:
        return house_refuse(HouseReason.TWICE, "coupon_is_elsewhere", "coupon", number=number, where=place.value)
    return None


def count_coupons(context: Context, state: CouponBook, command: CountCoupons) -> BookOutcome:
    """What was found is compared with what the table has taken."""
    table, taken, found = command.table, state.taken_at(command.table), set(command.numbers)
    if not taken and not found:
        return house_refuse(HouseReason.OUT_OF_ORDER, "no_coupons_to_count", "coupon", table=table)
    there, missing, strange = found & set(taken), set(taken) - found, found - set(taken)
    return [
        CouponsCounted(
            table=table,
            numbers=tuple(sorted(there)),
            missing=tuple(sorted(missing)),
            strange=tuple(sorted(strange)),
            cites=house_cite("two-persons", "coupon"),
            **context.two_persons,
        )
    ]


OWNER_FIRST_SINCE = 3
"""The first version of the deciding functions that checks a coupon's owner before revealing anything else about it."""


LEAVES_THE_LAYOUT = (CouponTaken, CouponReturned)


def enter_coupons(
    state: CouponBook,
    command: Command,
    events: tuple[Event, ...],
    before: TableState,
    *,
    table: str,
    behaviour: int,
) -> list[HouseEvent] | Refused:
    """The events that an act at a table causes in the book: a coupon presented, used or handed back; usually none."""
    entered: list[HouseEvent] = []
    shoe, round_ = before.shoe.number, before.round.number
    if isinstance(command, PlaceWager) and (number := command.named_coupon):
        if behaviour >= OWNER_FIRST_SINCE and (refused := _refuse_other_patron(state, command, number, before)):
            return refused
        if refused := _refuse_presented(state, command, number, before):
            return refused
        seat, on = command.seat, command.on
        entered.append(
            CouponPresented(
                number=number, table=table, seat=seat, on=on, shoe=shoe, round=round_, cites=COUPON_CITES
            )
        )  # fmt: skip
    for event in events:
        if not isinstance(event, LEAVES_THE_LAYOUT):
            continue
        lying = state.number_at(table, event.seat, event.on)
        if isinstance(event, CouponReturned):
            # A result that was corrected may have taken it before.
            lying = lying or state.number_used(table, event.seat, event.on, shoe=shoe, round_=round_)
        if lying is None:
            continue  # a coupon on paper, which has no number here
        if isinstance(event, CouponTaken):
            entered.append(CouponUsed(number=lying, table=table, paid=event.paid, cites=COUPON_CITES))
        else:
            entered.append(CouponHandedBack(number=lying, cites=COUPON_CITES))
    return entered


COUPON_CITES = house_cite("coupon")


def _refuse_presented(state: CouponBook, command: PlaceWager, number: int, before: TableState) -> Refused | None:
    """Why a coupon is not taken with a wager."""
    if refused := _refuse_elsewhere(state, number):
        return refused
    issue = state.issue_of(number)
    assert issue is not None, "a coupon that was never issued has just been refused"
    if issue.value != command.coupon:
        said = {"number": number, "value": issue.value, "coupon": command.coupon}
        return house_refuse(HouseReason.COUPON, "coupon_has_another_value", "coupon", **said)
    return _refuse_other_patron(state, command, number, before)


def _refuse_other_patron(state: CouponBook, command: PlaceWager, number: int, before: TableState) -> Refused | None:
    """Why only its patron can present a coupon; its value and whereabouts are revealed to no one else."""
    issue, person = state.issue_of(number), before.at(command.seat)
    if issue is None or (person is not None and is_same_person(person.who, issue.patron)):
        return None
    return house_refuse(HouseReason.NOT_ENTITLED, "coupon_of_another_patron", "coupon", number=number)


def uncounted_coupons(state: CouponBook) -> tuple[RefusalNote, ...]:
    """The tables whose coupons keep a gaming day open."""
    return tuple(RefusalNote("coupons_not_counted", {"table": table}) for table in sorted(state.taken))


def _with_place(state: CouponBook, number: int, place: CouponPlace) -> CouponBook:
    """The book after a coupon that was presented was taken or counted."""
    lies = value_at(state.presented, number)
    assert lies is not None, "only what was presented is taken, and only what was taken is counted"
    return replace(state, presented=with_value(state.presented, number, replace(lies, place=place)))


def _without(lists: dict[str, tuple[int, ...]], table: str, *numbers: int) -> dict[str, tuple[int, ...]]:
    """The numbers of each table, without some of one table; a table without any is not listed."""
    gone = set(numbers)
    left = tuple(each for each in lists.get(table, ()) if each not in gone)
    others = {name: each for name, each in lists.items() if name != table}
    return {**others, table: left} if left else others


def evolve_issued(state: CouponBook, event: CouponsIssued) -> CouponBook:
    """Assign the coupons to the patron."""
    run = IssuedRun(first=event.first, last=event.last, kind=event.kind, value=event.value, patron=event.patron)
    return replace(state, issued=with_run(state.issued, run))


def evolve_cancelled(state: CouponBook, event: CouponsCancelled) -> CouponBook:
    """Mark the coupons cancelled."""
    return replace(state, cancelled=with_run(state.cancelled, NumberRun(first=event.first, last=event.last)))


def evolve_presented(state: CouponBook, event: CouponPresented) -> CouponBook:
    """Attach the coupon to a wager; it cannot be attached to another."""
    number, table, at = event.number, event.table, (event.shoe, event.round)
    lies = Presented(
        place=CouponPlace.ON_TABLE, table=table, seat=event.seat, on=event.on, shoe=event.shoe, round=event.round
    )
    latest = state.latest.get(table)
    known = latest.numbers if latest is not None and (latest.shoe, latest.round) == at else ()
    others = tuple(each for each in known if each != number)
    return replace(
        state,
        presented=with_value(state.presented, number, lies),
        lying={**state.lying, table: (*state.lying.get(table, ()), number)},
        latest={
            **state.latest,
            table: RoundCoupons(shoe=event.shoe, round=event.round, numbers=(*others, number)),
        },
    )


def evolve_used(state: CouponBook, event: CouponUsed) -> CouponBook:
    """Mark the coupon used."""
    taken = {**state.taken, event.table: (*state.taken.get(event.table, ()), event.number)}
    lying = _without(state.lying, event.table, event.number)
    return replace(_with_place(state, event.number, CouponPlace.TAKEN), lying=lying, taken=taken)


def evolve_handed_back(state: CouponBook, event: CouponHandedBack) -> CouponBook:
    """Return the coupon to its patron."""
    number, lies = event.number, value_at(state.presented, event.number)
    assert lies is not None, "only what was presented is handed back"
    return replace(
        state,
        presented=without_value(state.presented, number),
        lying=_without(state.lying, lies.table, number),
        taken=_without(state.taken, lies.table, number) if lies.place is CouponPlace.TAKEN else state.taken,
    )


def evolve_counted(state: CouponBook, event: CouponsCounted) -> CouponBook:
    """Remove the counted coupons, both found and missing."""
    numbers = (*event.numbers, *event.missing)
    for number in numbers:
        state = _with_place(state, number, CouponPlace.COUNTED)
    return replace(state, taken=_without(state.taken, event.table, *numbers))


def _run_text(first: int, last: int) -> str:
    return f"Coupon {first}" if first == last else f"Coupons {first} to {last}"


def _numbers_text(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) or "none"


COUPON_BOOK = Aggregate(
    "coupons",
    CouponBook,
    handlers={IssueCoupons: issue_coupons, CancelCoupons: cancel_coupons, CountCoupons: count_coupons},
    evolvers={
        CouponsIssued: evolve_issued,
        CouponsCancelled: evolve_cancelled,
        CouponPresented: evolve_presented,
        CouponUsed: evolve_used,
        CouponHandedBack: evolve_handed_back,
        CouponsCounted: evolve_counted,
    },
    tellers={
        CouponsIssued: lambda x: (
            f"{_run_text(x.first, x.last)}, {x.kind.value}, {Cents(x.value)}: issued to {x.patron} ({x.persons_text})."
        ),
        CouponsCancelled: lambda x: f"{_run_text(x.first, x.last)}: cancelled, {x.reason} ({x.persons_text}).",
        CouponPresented: lambda x: f"Coupon {x.number} lies on {x.on.title} at seat {x.seat} of {x.table}.",
        CouponUsed: lambda x: (
            f"Coupon {x.number} is taken at {x.table}: {'paid with its wager' if x.paid else 'its wager lost'}."
        ),
        CouponHandedBack: lambda x: f"Coupon {x.number} goes back to its patron.",
        CouponsCounted: lambda x: (
            f"Coupons of {x.table}: {_numbers_text(x.numbers)}; missing: {_numbers_text(x.missing)}; "
            f"not taken there: {_numbers_text(x.strange)} ({x.persons_text})."
        ),
    },
)
