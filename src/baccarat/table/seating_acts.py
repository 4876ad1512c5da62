"""People at the table: they sit down, buy chips, and pay what they owe; leaving is in `departure.py`."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import MOST_CHIPS, Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import Amount, PersonActing
from baccarat.table.registration import evolves, handles, handles_actor
from baccarat.table.role import DEALERS, SEAT_TAKERS, Role
from baccarat.table.round_state import RoundKind
from baccarat.table.state import Participant, Seats, TableState
from baccarat.table.step_function import automates, tells
from baccarat.table.story_words import person
from baccarat.table.two_persons import is_on_the_game, is_same_person


class Sit(SeatCommand, frozen=True, kw_only=True, tag="sit"):
    """A person takes a seat."""

    person: PersonActing = ""
    """Who sits down; without a name, the person who acts."""
    ROLES = AT_AUTOMATED = SEAT_TAKERS
    CARD = CommandCard(
        group="people",
        ask="Somebody sits down before the cards are washed.",
        ask_is_public=True,
        discretion="nothing",
    )

    def is_discretionary(self, state: TableState, rules: Rulebook) -> bool:
        """Whether the order of an electronic shoe was fixed before: somebody may have been let in who knows it."""
        del rules
        held = state.shoe.commitment
        return held is not None and bool(held.inputs or state.shoe.root) and not state.shoe.finished


class BuyIn(Command, frozen=True, kw_only=True, tag="buy_in"):
    """A participant changes cash into chips."""

    seat: Seat
    amount: Amount
    AT_AUTOMATED = DEALERS  # somebody takes the cash

    @property
    def money(self) -> int | None:
        """What is bought."""
        return self.amount


class Leave(SeatCommand, frozen=True, kw_only=True, tag="leave"):
    """A participant leaves, or is seen to have left."""

    STOPPED = True
    ROLES = AT_AUTOMATED = SEAT_TAKERS
    CARD = CommandCard(group="people", discretion="wagers", own_answer=True)

    def is_discretionary(self, state: TableState, rules: Rulebook) -> bool:
        """Whether wagers of the seat go with it, spoken ones too, or the cut, the shoe, cards or a Free Hand.

        It has a right to these, or is still to be offered them; at an electronic table it has chips, which stand in the
        books alone. Of somebody who leaves himself, the report says nothing.
        """
        del rules
        round_, seats, shoe, person = state.round, state.seats, state.shoe, state.at(self.seat)
        rights = (seats.curator, seats.curator_right, round_.asked_by, *round_.holders.values())
        has_the_cut = shoe.cutter == self.seat and shoe.in_front is None
        has_chips = state.is_electronic and person is not None and bool(person.chips)
        wagered = self.seat in {*(each.seat for each in round_.wagers), *(each.seat for each in round_.spoken)}
        return has_the_cut or has_chips or wagered or self.seat in rights or self._is_to_be_offered(state)

    def discretion_text(self, state: TableState, rules: Rulebook) -> str:
        """With the chips that stand in the books alone."""
        del rules
        person = state.at(self.seat)
        chips = person.chips if person is not None and state.is_electronic else 0
        return f"{self}, with chips of {Cents(chips)}" if chips else str(self)

    def _is_to_be_offered(self, state: TableState) -> bool:
        """Whether the cut, the shoe or a right to turn cards is on offer, and this seat has not declined it yet."""
        offers = (
            (state.step == "offer_cut", state.shoe.cut_offers),
            (state.step == "offer_shoe", state.seats.shoe_offers),
            (state.round.offering is not None, state.round.offered),
        )
        return any(is_open and self.seat not in declined for is_open, declined in offers)


class Sat(Event, frozen=True, kw_only=True, tag="sat"):
    """A person has taken a seat; a shoe or a cut that could not be offered to anybody is offered now."""

    seat: int
    who: str
    REWINDS = True
    CARD = EventCard(sights(everybody="seat", own="who"), sort="other", short="Somebody sits down at seat {seat}.")


class BoughtIn(Event, frozen=True, kw_only=True, tag="bought_in"):
    """Cash has become chips."""

    seat: int
    amount: int
    CARD = EventCard(sights(TABLE, table="seat", own="amount"), sort="payment", short="Seat {seat} buys chips.")


class Left(Event, frozen=True, kw_only=True, tag="left"):
    """A participant has left with these chips."""

    seat: int
    chips: int
    CARD = EventCard(sights(everybody="seat", own="chips"), sort="other", short="Seat {seat} leaves the table.")


class VigorishCollected(Event, frozen=True, kw_only=True, tag="vigorish_collected"):
    """A marker's debt is paid, and the marker goes."""

    seat: int
    amount: int
    CARD = EventCard(
        sights(TABLE, table="seat", debt="amount"), sort="payment", short="Vigorish is collected from seat {seat}."
    )


@handles_actor(Sit)
def sit(rules: TableRules, state: TableState, command: Sit, actor: Actor) -> HandlerResult:
    """Take a seat that is free."""
    keys = rules.edition.options["seats"].cite
    if not 1 <= command.seat <= len(state.seats.participants):
        return refuse(rules, Reason.NO_SUCH_SEAT, "no_such_seat", *keys, seat=command.seat)
    if state.at(command.seat) is not None:
        return refuse(rules, Reason.SEAT_TAKEN, "seat_taken", *keys, seat=command.seat)
    if actor.role is Role.PARTICIPANT and command.person not in ("", actor.who):
        return refuse(rules, Reason.NOT_ENTITLED, "sits_down_for_another", *keys, who=actor.who, person=command.person)
    person = command.person or actor.who
    if not person.strip():
        return refuse(rules, Reason.NO_REASON, "participant_without_a_name", *keys)
    is_staff = actor.role is not Role.PARTICIPANT and is_same_person(person, actor.who)
    if state.is_on_record and (is_staff or is_on_the_game(state, person)):  # reading A-101
        return refuse(rules, Reason.SAME_PERSON, "works_at_this_table", *keys, who=person)
    return [Sat(seat=command.seat, who=person, cites=rules.cite_text(*keys))]


@handles(BuyIn)
def buy_in(rules: TableRules, state: TableState, command: BuyIn) -> HandlerResult:
    """Chips for cash, in whole cents."""
    keys = rules.edition.options["limits"].cite
    if state.at(command.seat) is None:
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *keys, seat=command.seat)
    if command.amount <= 0:
        return refuse(rules, Reason.NOT_ENOUGH_CHIPS, "buy_in_of_nothing", *keys)
    if refused := too_many_chips(rules, state, command.seat, more=command.amount):
        return refused
    return [BoughtIn(seat=command.seat, amount=command.amount, cites=rules.cite_text(*keys))]


def too_many_chips(rules: TableRules, state: TableState, seat: int, *, more: int = 0) -> Refused | None:
    """Why somebody with this many chips may not buy or wager more: the sums would exceed what a record can hold."""
    person = state.at(seat)
    assert person is not None, "asked of a seated participant"
    if person.chips + more <= MOST_CHIPS:
        return None
    keys = rules.edition.options["limits"].cite
    return refuse(rules, Reason.ABOVE_MAXIMUM, "more_chips_than_a_seat_may_have", *keys, seat=seat, most=MOST_CHIPS)


def free_chips(state: TableState, seat: int) -> int:
    """The chips of a seat that nothing can take back: a void round takes back House Money's payout."""
    person, round_ = state.at(seat), state.round
    if person is None:
        return 0
    return person.chips if round_.announced else person.chips - max(0, house_money_given(state).get(seat, 0))


def house_money_given(state: TableState) -> dict[int, int]:
    """What House Money has put before each seat in this round, as corrected: a void round takes it back."""
    round_, given = state.round, dict(state.round.house_corrected)
    for line in round_.house_lines:
        if line.act == "pay":
            amount = line.stake + line.amount - round_.pressed.get(line.seat, 0)
            given[line.seat] = given.get(line.seat, 0) + amount
    return given


def with_chips(state: TableState, seat: int, change: int) -> Seats:
    """The seats after one participant's chips have changed."""
    person = state.seats.participants[seat - 1]
    assert person is not None, "only a seated participant has chips"
    changed = Participant(person.who, person.chips + change)
    assert changed.chips >= 0, "no participant's balance falls below zero"
    return state.seats.with_person(seat, changed)


evolves(Sat)(lambda state, event: replace(state, seats=state.seats.with_person(event.seat, Participant(event.who))))
evolves(BoughtIn)(lambda state, event: replace(state, seats=with_chips(state, event.seat, event.amount)))


@evolves(Left)
def evolve_left(state: TableState, event: Left) -> TableState:
    """The seat is free; the next person to sit there is somebody else, and has none of its rights."""
    shoe, round_ = state.shoe, state.round
    if round_.asked_by == event.seat and not round_.closed:
        round_ = replace(round_, kind=RoundKind.WAGERED, asked_by=0)
    seats = state.seats.with_person(event.seat, None)
    seats = replace(
        seats,
        last_curator=None if seats.last_curator == event.seat else seats.last_curator,
        last_cutter=None if seats.last_cutter == event.seat else seats.last_cutter,
    )
    shoe = replace(shoe, cutter=None) if shoe.cutter == event.seat else shoe
    held = shoe.commitment
    if held is not None and event.seat in held.seated:  # the next person there came after the closing
        seated = tuple(seat for seat in held.seated if seat != event.seat)
        shoe = replace(shoe, commitment=replace(held, seated=seated))
    return replace(state, round=round_, seats=seats, shoe=shoe)


@evolves(VigorishCollected)
def evolve_vigorish_collected(state: TableState, event: VigorishCollected) -> TableState:
    """The debt is paid out of the participant's chips."""
    markers = {seat: owed for seat, owed in state.money.markers.items() if seat != event.seat}
    return replace(
        state,
        seats=with_chips(state, event.seat, -event.amount),
        money=replace(state.money, markers=markers, bank=state.money.bank + event.amount),
    )


automates(Sit)(lambda *_: Sit(seat=1, person="first arrival"))


tells(Sat)(lambda x: f"{person(x.who)} sits down at seat {x.seat}.")
tells(BoughtIn)(lambda x: f"Seat {x.seat} buys chips for {Cents(x.amount)}.")
tells(Left)(lambda x: f"Seat {x.seat} leaves with {Cents(x.chips)}.")
tells(VigorishCollected)(lambda x: f"Seat {x.seat} pays the {Cents(x.amount)} of vigorish that was marked.")
