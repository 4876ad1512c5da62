"""Curating: the shoe offered around the table, taken, passed by choice, by loss or by order."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.law.edition import Edition
from baccarat.law.section import Curator
from baccarat.play.refusal import Refused
from baccarat.play.seating import seats_from
from baccarat.table.actor import Actor, Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Means, Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import IsAccepted, KeptReason
from baccarat.table.registration import add_step, evolves, handles, handles_actor, limits_clock
from baccarat.table.role import GAME_STAFF, Role
from baccarat.table.state import DEALER, TableState, with_seats
from baccarat.table.step_function import asks, automates, tells, tells_of_clock
from baccarat.table.story_words import seat_name
from baccarat.table.tableau import next_to_draw

OFFER_SHOE, PASS_SHOE = "offer_shoe", "pass_shoe"
DEALT = frozenset({"deal", "third_cards"})
"""The steps at which a curator deals."""


class AnswerShoe(SeatCommand, frozen=True, kw_only=True, tag="answer_shoe"):
    """A participant takes or declines the shoe, perhaps naming the dealer to deal; the clock may decline for one."""

    accept: IsAccepted
    dealer_deals: Annotated[bool, Means("whether the taker names the dealer to deal")] = False
    ORIGINS = (Origin.PERSON, Origin.CLOCK)
    ROLES = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS = frozenset({OFFER_SHOE})
    CARD = CommandCard(console="declined", ask_is_public=True, discretion="nothing", own_answer=True)


class PassShoe(SeatCommand, frozen=True, kw_only=True, tag="pass_shoe"):
    """The curator passes the shoe on, by choice or because the Banker lost."""

    ROLES = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS = frozenset({PASS_SHOE, "wager"})
    CARD = CommandCard(pace="call", console="seat", ask_is_public=True)

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """After any round the curator may keep or pass the shoe."""
        return edition.curator.choice_cite if edition.curator is not None else ()


class OrderPass(Command, frozen=True, kw_only=True, tag="order_pass", omit_defaults=True):
    """The dealer or floorperson takes the shoe from a curator for cause, or the clock from one who does not deal."""

    reason: KeptReason
    seat: Seat = DEALER
    """From whom it is taken; if not stated, from the seat that has it. A clock names the seat whose time is over."""
    ORIGINS = (Origin.PERSON, Origin.CLOCK)
    ROLE = Role.FLOORPERSON
    ROLES = GAME_STAFF
    STEPS = frozenset({PASS_SHOE, "wager", "call_cards", "deal", "third_cards"})
    CARD = CommandCard(group="orders", discretion="nothing")

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """The shoe is taken for cause."""
        return edition.curator.order_cite if edition.curator is not None else ()


class ShoeAnswered(Event, frozen=True, kw_only=True, tag="shoe_answered"):
    """A seat has taken or declined the shoe."""

    seat: int
    accept: bool
    dealer_deals: bool = False
    CARD = EventCard(sights(everybody="seat accept dealer_deals"), sort="other")


class ShoeFellToDealer(Event, frozen=True, kw_only=True, tag="shoe_fell_to_dealer"):
    """Nobody took the shoe: the dealer is curator."""

    CARD = EventCard(sights(), sort="other")


class ShoePassed(Event, frozen=True, kw_only=True, tag="shoe_passed"):
    """The shoe is to be offered again."""

    seat: int
    reason: str = ""
    ordered: bool = False
    REWINDS = True
    CARD = EventCard(sights(everybody="seat ordered", floor="reason"), sort="other")


def shoe_order(rules: TableRules, state: TableState) -> list[int]:
    """Seat one first, then counterclockwise; after a curator, from the seat to that curator's right."""
    law, seats = _law(rules), set(state.occupied)
    previous = state.seats.passed_by
    everyone = range(1, len(state.seats.participants) + 1)
    first = previous or law.first_seat
    walk = seats_from(everyone, first=first, direction=law.direction, seat_one=rules.book.seat_one)
    return [seat for seat in walk if seat in seats and seat != previous]


def next_shoe_offer(rules: TableRules, state: TableState) -> int | None:
    """The seat that is offered the shoe next."""
    return next((seat for seat in shoe_order(rules, state) if seat not in state.seats.shoe_offers), None)


@handles_actor(AnswerShoe)
def answer_shoe(rules: TableRules, state: TableState, command: AnswerShoe, actor: Actor) -> HandlerResult:
    """Take or decline, in the order of the offer; with no taker the dealer is curator."""
    law, due, offer = _law(rules), next_shoe_offer(rules, state), offer_cites(rules, state)
    if command.seat != due:
        return refuse(rules, Reason.OUT_OF_ORDER, "shoe_offered_seat_now", cites=offer, due=due)
    if command.accept and actor.role is not Role.PARTICIPANT:
        return refuse(rules, Reason.WRONG_ROLE, "only_the_participant_accepts", cites=offer, due=due)
    if command.dealer_deals and not command.accept:
        return refuse(rules, Reason.NOT_ENTITLED, "only_the_taker_names_the_dealer", *law.dealer_cite)
    named = rules.cite_text(*law.dealer_cite) if command.dealer_deals else ()
    events: list[Event] = [
        ShoeAnswered(
            seat=command.seat, accept=command.accept, dealer_deals=command.dealer_deals, cites=(*offer, *named)
        )
    ]
    after = with_seats(state, shoe_offers=(*state.seats.shoe_offers, command.seat))
    if not command.accept and next_shoe_offer(rules, after) is None:
        events.append(fell_to_dealer(rules))
    return events


@limits_clock(AnswerShoe)
def clock_declines_the_shoe(rules: TableRules, state: TableState, command: AnswerShoe) -> Refused | None:
    """The clock declines for somebody who does not answer; it accepts for nobody."""
    if not command.accept:
        return None
    offer = offer_cites(rules, state)
    return refuse(rules, Reason.WRONG_ORIGIN, "clock_accepts_for_nobody", cites=offer, seat=command.seat)


def _law(rules: TableRules) -> Curator:
    law = rules.edition.curator
    assert law is not None, "only asked where the document has a curator"
    return law


def offer_cites(rules: TableRules, state: TableState) -> tuple[str, ...]:
    """The clauses under which the shoe is on offer: at the commencement of play, or because somebody passed it."""
    law = _law(rules)
    return rules.cite_text(*(law.pass_cite if state.seats.given_up else law.start_cite))


def fell_to_dealer(rules: TableRules) -> ShoeFellToDealer:
    """Nobody is left to be offered the shoe."""
    return ShoeFellToDealer(cites=rules.cite_text(*_law(rules).nobody_cite))


@handles_actor(PassShoe)
def pass_shoe(rules: TableRules, state: TableState, command: PassShoe, actor: Actor) -> HandlerResult:
    """The curator may pass after any round, and must when the Banker has lost."""
    keys = command.ruled_by(rules.edition)
    holder = state.seats.curator_right if state.seats.curator == DEALER else state.seats.curator
    if state.round.wagers and state.step != PASS_SHOE:
        return refuse(rules, Reason.WAGERS_ON_TABLE, "shoe_passed_between_rounds", *keys)
    if state.step != PASS_SHOE and state.shoe.number == 0 and state.round.number == 1:
        return refuse(rules, Reason.OUT_OF_ORDER, "shoe_passed_after_round", *keys)
    if holder is None:
        is_due = state.seats.curator == DEALER and state.seats.must_pass
        if is_due and actor.role is Role.DEALER and command.seat == DEALER:
            return pass_events(rules, state, seat=DEALER)
        return refuse(rules, Reason.NOT_ENTITLED, "no_participant_shoe", *keys)
    if command.seat != holder:
        return refuse(rules, Reason.NOT_ENTITLED, "another_has_the_shoe", *keys, holder=holder, seat=command.seat)
    if actor.role is Role.DEALER and not state.seats.must_pass:
        return refuse(rules, Reason.WRONG_ROLE, "only_the_curator_passes_by_choice", *keys)
    return pass_events(rules, state, seat=holder)


def pass_events(
    rules: TableRules, state: TableState, *, seat: int, reason: str = "", ordered: bool = False
) -> list[Event]:
    """The shoe passes from a seat; if nobody else can be asked, the dealer is curator."""
    law = _law(rules)
    keys = law.order_cite if ordered else law.loss_cite if state.seats.must_pass else law.choice_cite
    cites = rules.cite_text(*keys, *law.pass_cite)
    events: list[Event] = [ShoePassed(seat=seat, reason=reason, ordered=ordered, cites=cites)]
    if next_shoe_offer(rules, evolve_passed(state, ShoePassed(seat=seat))) is None:
        events.append(fell_to_dealer(rules))
    return events


@handles(OrderPass)
def order_pass(rules: TableRules, state: TableState, command: OrderPass) -> HandlerResult:
    """For delay, repeated invalid deals or a breach, with its reason."""
    holder = state.seats.curator_right if state.seats.curator == DEALER else state.seats.curator
    if not command.reason.strip():
        return refuse(rules, Reason.NO_REASON, "order_pass_shoe_says_why", *command.ruled_by(rules.edition))
    if not holder:
        return refuse(rules, Reason.NOT_ENTITLED, "no_participant_shoe", *command.ruled_by(rules.edition))
    if command.seat not in (DEALER, holder):
        keys = command.ruled_by(rules.edition)
        return refuse(rules, Reason.NOT_ENTITLED, "another_has_the_shoe", *keys, holder=holder, seat=command.seat)
    return pass_events(rules, state, seat=holder, reason=command.reason, ordered=True)


@limits_clock(OrderPass)
def clock_takes_the_shoe(rules: TableRules, state: TableState, command: OrderPass) -> Refused | None:
    """The clock takes the shoe only from a curator whose card the table waits for: nobody else delays the game."""
    curator = state.seats.curator or DEALER
    if DEALER != curator == command.seat and state.step in DEALT and next_to_draw(rules, state) is not None:
        return None
    keys = command.ruled_by(rules.edition)
    return refuse(rules, Reason.WRONG_ORIGIN, "clock_waits_for_nobody", *keys, step=state.step)


@evolves(ShoeAnswered)
def evolve_answered(state: TableState, event: ShoeAnswered) -> TableState:
    """The shoe has a curator, or is offered on."""
    if not event.accept:
        return with_seats(state, shoe_offers=(*state.seats.shoe_offers, event.seat))
    curator = DEALER if event.dealer_deals else event.seat
    right = event.seat if event.dealer_deals else None
    return with_seats(state, curator=curator, curator_right=right, shoe_offers=(), must_pass=False, given_up=False)


@evolves(ShoeFellToDealer)
def evolve_fell(state: TableState, _event: ShoeFellToDealer) -> TableState:
    """The dealer is curator."""
    return with_seats(
        state, curator=DEALER, curator_right=None, shoe_offers=(), must_pass=False, given_up=False
    )  # fmt: skip


@evolves(ShoePassed)
def evolve_passed(state: TableState, event: ShoePassed) -> TableState:
    """The shoe is on offer. A person who has left the table is no longer its last curator (reading A-100)."""
    has_left = state.is_on_record and event.seat != DEALER and state.at(event.seat) is None
    return with_seats(
        state,
        curator=None,
        curator_right=None,
        passed_by=event.seat or None,
        given_up=True,
        last_curator=None if has_left else event.seat or state.seats.last_curator,
        shoe_offers=(),
        must_pass=False,
    )


def offer_shoe_due(rules: TableRules, state: TableState) -> bool:
    """Nobody is curator, and cards may still be dealt in this round."""
    return state.seats.curator is None and not state.round.announced and next_shoe_offer(rules, state) is not None


def expect_pass(rules: TableRules, state: TableState) -> list[Due]:
    """The curator passes; the dealer does it for one who does not."""
    seat = (state.seats.curator_right if state.seats.curator == DEALER else state.seats.curator) or 0
    return [Due(by=Role.DEALER, act="pass_shoe", seat=seat, cites=rules.cites[PASS_SHOE])]


def expect_offer(rules: TableRules, state: TableState) -> list[Due]:
    """The next seat answers."""
    seat = next_shoe_offer(rules, state)
    assert seat is not None, "the step is due only while somebody may be asked"
    return [Due(by=Role.PARTICIPANT, act="answer_shoe", seat=seat, cites=offer_cites(rules, state))]


add_step(PASS_SHOE, due=lambda _rules, state: state.seats.must_pass, expect=expect_pass)
add_step(OFFER_SHOE, due=offer_shoe_due, expect=expect_offer, cites=offer_cites)


# ---------------------------------------------------------------------------------- asks, fills, tells


@asks(AnswerShoe)
def _ask_answer_shoe(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} is offered the shoe and takes or declines it.")


@asks(PassShoe)
def _ask_pass_shoe(_rules: TableRules, _state: TableState, due: Due) -> Due:
    who = f"of seat {due.seat} " if due.seat else ""
    return replace(due, say=f"The shoe {who}passes to the next who wants it.")


automates(AnswerShoe)(lambda _rules, _state, due, _source: AnswerShoe(seat=due.seat, accept=True))


tells(ShoeAnswered)(
    lambda x: (
        f"The shoe is offered to seat {x.seat}, who {'takes' if x.accept else 'declines'} it"
        + (", the dealer to deal." if x.dealer_deals else ".")
    )
)
tells(ShoeFellToDealer)(lambda _: "Nobody takes the shoe: the dealer is curator.")
tells(ShoePassed)(
    lambda x: (
        f"The shoe passes from {seat_name(x.seat)}"
        + (" by order" if x.ordered else "")
        + (f": {x.reason}." if x.reason else ".")
    )
)
tells_of_clock(ShoeAnswered)(lambda x: f"The shoe is offered to seat {x.seat}, who did not answer in time.")
tells_of_clock(ShoePassed)(lambda x: f"The shoe passes from {seat_name(x.seat)}, who did not deal in time.")
