"""Dealing: cards leave the shoe in its order, dealt by the person entitled to deal, each to the hand entitled to it."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.play.refusal import Refused
from baccarat.table import coupon
from baccarat.table.actor import Actor
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Means, Micro, Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import add_step, evolves, explains_wrong_moment, handles_actor
from baccarat.table.role import Role
from baccarat.table.round_state import SIMULATED, RoundKind
from baccarat.table.seating_acts import house_money_given
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.calling import contributions_of, feed_meters
from baccarat.table.step_function import Described, asks, automates, describes, tells
from baccarat.table.story_words import number, sums
from baccarat.table.tableau import both_counted, is_open, next_to_draw, row_of, ruling

LAY_CARRIED = "lay_carried_card"
"""What is asked for if a carried card is waiting."""
DEAL, THIRD_CARDS = "deal", "third_cards"
PLAYER_THIRD, BANKER_THIRD = "player_third", "banker_third"


class DrawCard(Command, frozen=True, kw_only=True, tag="draw_card"):
    """The next card comes out of the shoe, face down, to the hand that is entitled to it."""

    seat: Annotated[Seat, Means("the curator's seat, where a participant deals; 0 is the dealer")] = DEALER
    ROLES = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS = frozenset({DEAL, THIRD_CARDS})
    CARD = CommandCard(pace="card", console="plain", ask_is_public=True)


class CardDrawn(Event, frozen=True, kw_only=True, tag="card_drawn"):
    """A card lies in a hand; its value is not known here."""

    position: int
    """In the cut shoe, from 0."""
    to: Side
    """To which hand."""
    carried: bool = False
    """Whether it is a card of the round before."""
    CARD = EventCard(sights(everybody="position to carried"), sort="card")


class CoverCardOut(Event, frozen=True, kw_only=True, tag="cover_card_out"):
    """The cover card has appeared and is put aside."""

    CARD = EventCard(sights(), sort="card")


class RoundVoided(Event, frozen=True, kw_only=True, tag="round_voided"):
    """The shoe cannot finish the round: every wager goes back, and what was settled of it is undone."""

    returned: dict[int, int]
    taken_back: dict[int, int] = {}
    contributions: dict[str, Micro] = {}
    reserve: Micro = 0
    REWINDS = True
    CARD = EventCard(
        sights(everybody="contributions", table="returned taken_back", office="reserve"),
        sort="irregularity",
        short="The round is void: every wager goes back.",
    )


def why_may_not_deal(rules: TableRules, state: TableState, by: Role, seat: int) -> Refused | None:
    """Only the curator deals; without one, only the dealer."""
    keys = rules.edition.curator.deals_cite if rules.edition.curator is not None else ()
    if state.seats.curator in (None, DEALER):
        if by is Role.DEALER and seat == DEALER:
            return None
        return refuse(rules, Reason.NOT_ENTITLED, "dealer_deals_not_seat", *keys, step=DEAL, seat=seat)
    if by is Role.PARTICIPANT and seat == state.seats.curator:
        return None
    why, curator = Reason.NOT_ENTITLED, state.seats.curator
    if seat:
        return refuse(rules, why, "curator_seat_deals_not_seat", *keys, step=DEAL, curator=curator, seat=seat)
    return refuse(rules, why, "curator_seat_deals_not_role", *keys, step=DEAL, curator=curator, role=by.value)


@explains_wrong_moment(DrawCard)
def no_card_now(rules: TableRules, state: TableState, _command: DrawCard) -> Refused | None:
    """Why no card is drawn now: a call or House Money comes first, or the tableau gives neither hand another card."""
    round_, now = state.round, state.step
    if now == "wager":
        return refuse(rules, Reason.WRONG_STEP, "no_more_bets_comes_first", step="no_more_bets")
    if now in ("call_cards", "house_money"):
        return refuse(rules, Reason.WRONG_STEP, "comes_before_card", step=now, now=now)
    complete = both_counted(round_) and is_open(state, PLAYER_SIDE) and is_open(state, BANKER_SIDE)
    if round_.void or not complete or next_to_draw(rules, state) is not None:
        return None
    if len(round_.banker) > 2:
        return refuse(rules, Reason.WRONG_STEP, "one_third_card_at_most", *rules.edition.third_card.cite)
    row = row_of(rules, state, BANKER_SIDE)
    return refuse(rules, Reason.WRONG_STEP, "no_card_drawn", *row.cite, ruling=(ruling(rules, state, BANKER_SIDE),))


@handles_actor(DrawCard)
def draw_card(rules: TableRules, state: TableState, command: DrawCard, actor: Actor) -> HandlerResult:
    """Draw the next card to the hand entitled to it; an empty shoe makes the round void."""
    if refused := why_may_not_deal(rules, state, actor.role, command.seat):
        return refused
    to = next_to_draw(rules, state)
    if to is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "last_card_turned_first", step=state.step)
    return draw_events(rules, state, to)


def draw_events(rules: TableRules, state: TableState, to: Side) -> list[Event]:
    """The events of drawing a card for a hand: a carried card first, then the shoe."""
    shoe, cites = state.shoe, _cites(rules, state, to)
    if shoe.carried and state.round.kind is not SIMULATED:
        position = shoe.carried[0]
        return [CardDrawn(position=position, to=to, carried=True, cites=(*shoe.carried_cites[position], *cites))]
    if shoe.left == 0:
        return void_events(rules, state)
    return [*cover_card_met(rules, state), CardDrawn(position=shoe.next, to=to, cites=cites)]


def _cites(rules: TableRules, state: TableState, to: Side) -> tuple[str, ...]:
    """The clauses of the deal; of a third card, the row of the tableau that gives it."""
    if state.step != THIRD_CARDS:
        return rules.cites[state.step]
    return (*rules.cite_text(*row_of(rules, state, to).cite), *third_cites(rules, to))


def third_cites(rules: TableRules, to: Side) -> tuple[str, ...]:
    """The clauses by which a hand receives its third card and shows it."""
    return (*rules.cites[THIRD_CARDS], *rules.cites[PLAYER_THIRD if to is PLAYER_SIDE else BANKER_THIRD])


def cover_card_met(rules: TableRules, state: TableState, *, drawing: int = 1) -> list[Event]:
    """The cover card's event, if it appears before the last of `drawing` cards that leave the shoe."""
    shoe = state.shoe
    if shoe.cover is None or shoe.cover_out or shoe.next + drawing <= shoe.cards - shoe.cover:
        return []
    return [CoverCardOut(cites=rules.cites["cover_card_out"])]


def void_events(rules: TableRules, state: TableState) -> list[Event]:
    """A round that cannot be finished, with the coupons that go back to their owners."""
    coupons = coupon.with_wagers(state.round.wagers)
    return [void(rules, state), *coupon.coupons_returned(rules, coupons)]


def void(rules: TableRules, state: TableState) -> RoundVoided:
    """Every wager goes back as it was made, House Money is undone, the meters are as before (reading A-41)."""
    law, round_ = rules.edition.void, state.round
    returned: dict[int, int] = {}
    for wager in round_.wagers:
        returned[wager.seat] = returned.get(wager.seat, 0) + wager.stake
    contributions, reserve = contributions_of(rules, state) if round_.closed else ({}, 0)
    return RoundVoided(
        returned=returned,
        taken_back=house_money_given(state),
        contributions=contributions,
        reserve=reserve,
        cites=rules.cite_text(*law.cite),
    )


@evolves(CardDrawn)
def evolve_card_drawn(state: TableState, event: CardDrawn) -> TableState:
    """The card lies in its hand."""
    round_, shoe = state.round, state.shoe
    if event.carried:
        cites = {place: why for place, why in shoe.carried_cites.items() if place != event.position}
        shoe = replace(
            shoe, carried=tuple(place for place in shoe.carried if place != event.position), carried_cites=cites
        )
    else:
        assert event.position == shoe.next, "cards leave the shoe in its order"
        shoe = replace(shoe, next=shoe.next + 1)
    if event.to is PLAYER_SIDE:
        round_ = replace(round_, player=(*round_.player, event.position))
    else:
        round_ = replace(round_, banker=(*round_.banker, event.position))
    return replace(state, shoe=shoe, round=round_)


evolves(CoverCardOut)(lambda state, _: replace(state, shoe=replace(state.shoe, cover_out=True)))


@evolves(RoundVoided)
def evolve_round_voided(state: TableState, event: RoundVoided) -> TableState:
    """Wagers are back with their owners, and the meters as they were."""
    seats = list(state.seats.participants)
    for seat, amount in event.returned.items():
        back = amount - event.taken_back.get(seat, 0)
        person = seats[seat - 1]
        assert person is not None, "a wager on the table belongs to a seated participant"
        seats[seat - 1] = replace(person, chips=person.chips + back)
    lost = sum(line.amount for line in state.round.house_lines if line.act == "collect")
    won = sum(line.amount for line in state.round.house_lines if line.act == "pay")
    corrected = sum(state.round.house_corrected.values())
    round_ = replace(state.round, void=True, wagers=(), house_lines=(), house_corrected={}, pressed={})
    return replace(
        state,
        seats=replace(state.seats, participants=tuple(seats)),
        round=round_,
        money=replace(state.money, bank=state.money.bank + won - lost + corrected),
        meters=feed_meters(state.meters, event.contributions, event.reserve, sign=-1),
        shoe=replace(state.shoe, finished=True),
    )


def deal_due(rules: TableRules, state: TableState) -> bool:
    """The opening cards have not all been dealt."""
    round_ = state.round
    return not round_.void and len(round_.player) + len(round_.banker) < len(rules.book.hands)


def expect_draw(rules: TableRules, state: TableState) -> list[Due]:
    """The person who deals draws the next card."""
    to, curator = next_to_draw(rules, state), state.seats.curator
    if to is None:
        return []
    cites = _cites(rules, state, to)
    if curator in (None, DEALER):
        return [Due(by=Role.DEALER, act="draw_card", cites=cites)]
    return [Due(by=Role.PARTICIPANT, act="draw_card", seat=curator or 0, cites=cites)]


add_step(DEAL, due=deal_due, expect=expect_draw)


# ---------------------------------------------------------------------------------- asks, fills, tells


@asks(DrawCard)
def _ask_draw(rules: TableRules, state: TableState, due: Due) -> Due:
    to = next_to_draw(rules, state)
    who = f"Seat {due.seat}" if due.seat else "The dealer"
    if state.shoe.left == 0 and not state.shoe.carried:
        return replace(due, say=f"No card is left for the {to}: the round is void as soon as one is asked for.")
    if state.shoe.carried and state.round.kind is not RoundKind.SIMULATED:
        waiting = state.shoe.carried[0]
        say = f"{who} lays the card that was carried over, card {number(waiting)}, for the {to}."
        return replace(due, position=waiting, say=say)
    say = f"{who} draws card {number(state.shoe.next)} for the {to}, face down."
    return replace(due, position=state.shoe.next, say=say)


automates(DrawCard)(lambda _rules, _state, due, _source: DrawCard(seat=due.seat))


tells(CardDrawn)(
    lambda x: f"{'The carried card' if x.carried else 'Card'} {number(x.position)} goes to the {x.to}, face down."
)
tells(CoverCardOut)(lambda _: "The cover card appears and is put aside.")


@tells(RoundVoided)
def _tell_voided(event: RoundVoided) -> str:
    back = f" Wagers go back: {sums(event.returned)}." if event.returned else ""
    undone = f" What House Money gave is taken back: {sums(event.taken_back)}." if event.taken_back else ""
    return f"The round cannot be finished: the round is void.{back}{undone}"


@describes(DrawCard)
def _describe_draw(rules: TableRules, state: TableState, due: Due) -> Described:
    side = next_to_draw(rules, state)
    what = LAY_CARRIED if due.position in state.shoe.carried else due.act
    return what, {} if side is None else {"hand": side.value}
