"""House Money: settled before any third card, in a sweep of its own, its payout perhaps pressed."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.law.edition import Edition
from baccarat.money import Cents
from baccarat.play.hand import is_pair
from baccarat.play.refusal import Refused
from baccarat.play.seating import seats_around
from baccarat.play.wager import Wager, WagerKind
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Means, Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import HANDLERS_1, add_step, evolves, handles
from baccarat.table.role import Role
from baccarat.table.round_state import Act, RoundKind
from baccarat.table.seating_acts import with_chips
from baccarat.table.state import TableState
from baccarat.table.step_function import asks, labels, tells
from baccarat.table.story_words import wager_title
from baccarat.table.tableau import BOTH

HOUSE_MONEY = "house_money"


class PressHouseMoney(SeatCommand, frozen=True, kw_only=True, tag="press_house_money"):
    """A winner asks that the payout be added to a main wager."""

    onto: Annotated[WagerKind, Means("the main wager that takes the payout")]
    STEPS = frozenset({HOUSE_MONEY})


class SettleHouseMoney(Command, frozen=True, kw_only=True, tag="settle_house_money"):
    """The dealer takes or pays the House Money wager of one seat."""

    seat: Seat
    STEPS = frozenset({HOUSE_MONEY})
    CARD = CommandCard(pace="pay", console="seat", ask_is_public=True)

    def belongs_under(self, edition: Edition) -> tuple[str, ...]:
        """Nobody but the dealer moves a payout."""
        return edition.house_money.moved_cite if edition.house_money is not None else ()


class PressChosen(Event, frozen=True, kw_only=True, tag="press_chosen"):
    """A winner has chosen where the payout goes."""

    seat: int
    onto: WagerKind
    CARD = EventCard(sights(TABLE, table="seat onto"), sort="wager")


class PressUndone(Event, frozen=True, kw_only=True, tag="press_undone"):
    """A choice made on a card that was wrong is off; the participant may choose again."""

    seat: int
    onto: WagerKind
    CARD = EventCard(sights(TABLE, table="seat onto"), sort="wager")


class HouseMoneyCollected(Event, frozen=True, kw_only=True, tag="house_money_collected"):
    """A losing House Money wager is taken."""

    seat: int
    stake: int
    CARD = EventCard(sights(TABLE, table="seat stake"), sort="payment")


class HouseMoneyPaid(Event, frozen=True, kw_only=True, tag="house_money_paid"):
    """A winning House Money wager is paid: to the participant, or in part onto a main wager."""

    seat: int
    stake: int
    win: int
    to_wager: int = 0
    onto: WagerKind | None = None
    CARD = EventCard(sights(TABLE, table="seat stake win to_wager onto"), sort="payment")


def _left(state: TableState) -> dict[int, Wager]:
    """The House Money wagers not settled yet, by seat."""
    settled = {line.seat for line in state.round.house_lines}
    return {w.seat: w for w in state.round.wagers if w.on is WagerKind.HOUSE_MONEY and w.seat not in settled}


def next_seat(rules: TableRules, state: TableState) -> int | None:
    """The seat whose House Money is settled next: from the dealer's right, counterclockwise."""
    law = rules.edition.house_money
    if law is None:
        return None
    order = seats_around(_left(state), start=law.start, direction=law.direction, seat_one=rules.book.seat_one)
    return order[0] if order else None


def _pairs(state: TableState) -> int:
    """How many of the opening hands, which are turned, are pairs."""
    round_ = state.round
    return sum(is_pair(*(round_.turned[place] for place in round_.hand(side)[:2])) for side in BOTH)


def house_money_verdict(rules: TableRules, state: TableState, seat: int) -> tuple[int, int | None]:
    """The House Money of a seat that is still to be settled: its stake, and what it wins; None where it loses."""
    stake, verdict = _left(state)[seat].stake, rules.book.early[WagerKind.HOUSE_MONEY][_pairs(state)]
    return stake, None if verdict.odds is None else verdict.odds.payout(stake)


def house_money_net(rules: TableRules, state: TableState, line: Act) -> int:
    """What the turned cards give a House Money wager that has been settled: its win, or less its stake."""
    stake = line.stake if line.act == "pay" else line.amount
    verdict = rules.book.early[WagerKind.HOUSE_MONEY][_pairs(state)]
    return -stake if verdict.odds is None else verdict.odds.payout(stake)


def right_presses(rules: TableRules, state: TableState) -> dict[int, int]:
    """What the turned cards would have added to the wagers of those who pressed their House Money."""
    found: dict[int, int] = {}
    for line in state.round.house_lines:
        if line.seat in state.round.pressed and (win := house_money_net(rules, state, line)) > 0:
            found[line.seat] = rules.book.portion.part(win)
    return found


def _has_third_card(state: TableState) -> bool:
    """Whether a hand has its third card already, as one that was drawn in error: anyone who chooses now may know it."""
    return any(len(state.round.hand(side)) > 2 for side in BOTH)


@handles(PressHouseMoney)
def press(rules: TableRules, state: TableState, command: PressHouseMoney) -> HandlerResult:
    """A winner may press before any third card is dealt, 8(c)(3)."""
    law = rules.edition.house_money
    if law is not None and _has_third_card(state):
        return refuse(rules, Reason.WRONG_STEP, "pressed_after_a_third_card", *law.cite, *law.press_cite)
    return _press_by_version_1(rules, state, command)


def _press_by_version_1(rules: TableRules, state: TableState, command: PressHouseMoney) -> HandlerResult:
    """Version 1 let a winner press after a third card too, onto a hand on which the same seat has a wager."""
    law = rules.edition.house_money
    assert law is not None, "a document with this step says how House Money is settled"
    if command.seat not in _left(state):
        return refuse(rules, Reason.NO_SUCH_WAGER, "seat_no_house_money_settled", *law.press_cite, seat=command.seat)
    if rules.book.early[WagerKind.HOUSE_MONEY][_pairs(state)].odds is None:
        return refuse(rules, Reason.NOT_ENTITLED, "house_money_has_lost", *law.press_cite)
    placed = any(w.seat == command.seat and w.on is command.onto for w in state.round.wagers)
    if command.onto.value not in law.press or not placed:
        why, keys, seat = Reason.NO_SUCH_WAGER, law.press_cite, command.seat
        onto, press = command.onto.value, ", ".join(law.press)
        return refuse(rules, why, "no_wager_that_can_be_pressed", *keys, seat=seat, onto=onto, press=press)
    refused = _over_maximum(rules, state, command)
    return refused or [PressChosen(seat=command.seat, onto=command.onto, cites=rules.cite_text(*law.press_cite))]


HANDLERS_1[PressHouseMoney] = _press_by_version_1


def _over_maximum(rules: TableRules, state: TableState, command: PressHouseMoney) -> Refused | None:
    limit = (rules.elections.limits or {}).get(command.onto.value)
    if limit is None or rules.elections.press_over_max is not False:
        return None
    verdict = rules.book.early[WagerKind.HOUSE_MONEY][_pairs(state)]
    assert verdict.odds is not None, "only asked of a winner"
    added = rules.book.portion.part(verdict.odds.payout(_left(state)[command.seat].stake))
    stake = added + sum(w.stake for w in state.round.wagers if w.seat == command.seat and w.on is command.onto)
    if stake <= limit.max:
        return None
    keys = rules.edition.options["press_over_max"].cite
    return refuse(rules, Reason.NOT_ENTITLED, "pressed_above_the_maximum", *keys, stake=stake, max=limit.max)


@handles(SettleHouseMoney)
def settle_house_money(rules: TableRules, state: TableState, command: SettleHouseMoney) -> HandlerResult:
    """Take or pay, seat by seat in the order of the sweep."""
    due = next_seat(rules, state)
    if due is None or command.seat != due:
        law = rules.edition.house_money
        keys = law.cite if law is not None and state.is_on_record else ()  # the order of the sweep, 8(c)(3)(i)
        what = "house_money_of_another_seat_next"
        return refuse(rules, Reason.OUT_OF_ORDER, what, *keys, step=HOUSE_MONEY, due=due, seat=command.seat)
    wager = _left(state)[due]
    verdict = rules.book.early[WagerKind.HOUSE_MONEY][_pairs(state)]
    cites = tuple(map(str, verdict.cites))
    if verdict.odds is None:
        return [HouseMoneyCollected(seat=due, stake=wager.stake, cites=cites)]
    win, onto = verdict.odds.payout(wager.stake), state.round.presses.get(due)
    to_wager = rules.book.portion.part(win) if onto is not None else 0
    law = rules.edition.house_money
    assert law is not None, "a document with this step says how House Money is settled"
    moved = rules.cite_text(*(law.press_cite if onto is not None else ()), *law.moved_cite)
    cites = (*cites, *moved)
    return [HouseMoneyPaid(seat=due, stake=wager.stake, win=win, to_wager=to_wager, onto=onto, cites=cites)]


def presses_undone(rules: TableRules, state: TableState, after: TableState) -> list[Event]:
    """The choices undone when a corrected card changes what House Money pays; what is paid and pressed stands."""
    law, open_ = rules.edition.house_money, _left(state)
    chosen = {seat: onto for seat, onto in state.round.presses.items() if seat in open_}
    if law is None or not chosen or _pairs(state) == _pairs(after):
        return []
    cites = rules.cite_text(*law.press_cite)
    return [PressUndone(seat=seat, onto=onto, cites=cites) for seat, onto in chosen.items()]


@evolves(PressChosen)
def evolve_press_chosen(state: TableState, event: PressChosen) -> TableState:
    """The choice stands."""
    return replace(state, round=replace(state.round, presses={**state.round.presses, event.seat: event.onto}))


@evolves(PressUndone)
def evolve_press_undone(state: TableState, event: PressUndone) -> TableState:
    """Nothing is chosen."""
    presses = {seat: onto for seat, onto in state.round.presses.items() if seat != event.seat}
    return replace(state, round=replace(state.round, presses=presses))


@evolves(HouseMoneyCollected)
def evolve_collected(state: TableState, event: HouseMoneyCollected) -> TableState:
    """The stake goes to the bank."""
    line = Act("collect", event.seat, event.stake)
    round_ = replace(state.round, house_lines=(*state.round.house_lines, line))
    return replace(state, round=round_, money=replace(state.money, bank=state.money.bank + event.stake))


@evolves(HouseMoneyPaid)
def evolve_paid(state: TableState, event: HouseMoneyPaid) -> TableState:
    """The payout goes to the participant, or onto the main wager; the stake goes back."""
    line = Act("pay", event.seat, event.win, stake=event.stake)
    round_ = state.round
    pressed = {**round_.pressed, event.seat: event.to_wager} if event.to_wager else round_.pressed
    round_ = replace(round_, house_lines=(*round_.house_lines, line), pressed=pressed)
    seats = with_chips(state, event.seat, event.stake + event.win - event.to_wager)
    return replace(state, round=round_, seats=seats, money=replace(state.money, bank=state.money.bank - event.win))


def house_money_due(_desk: TableRules, state: TableState) -> bool:
    """House Money lies on the table unsettled."""
    round_ = state.round
    return not round_.void and round_.kind is RoundKind.WAGERED and bool(_left(state))


def expect_house_money(rules: TableRules, state: TableState) -> list[Due]:
    """The dealer settles the next seat; its winner may choose first."""
    seat = next_seat(rules, state)
    assert seat is not None, "the step is due only while House Money is left"
    law = rules.edition.house_money
    assert law is not None, "a document with this step says how House Money is settled"
    due = [Due(by=Role.DEALER, act="settle_house_money", seat=seat, cites=rules.cites[HOUSE_MONEY])]
    if rules.book.early[WagerKind.HOUSE_MONEY][_pairs(state)].odds is not None and not _has_third_card(state):
        cites = rules.cite_text(*law.press_cite)
        due.append(Due(by=Role.PARTICIPANT, act="press_house_money", seat=seat, cites=cites, optional=True))
    return due


add_step(HOUSE_MONEY, due=house_money_due, expect=expect_house_money)


# ---------------------------------------------------------------------------------- asks, fills, tells


@asks(SettleHouseMoney)
def _ask_house_money(rules: TableRules, state: TableState, due: Due) -> Due:
    stake, win = house_money_verdict(rules, state, due.seat)
    if win is None:
        return replace(due, amount=stake, say=f"The dealer takes the House Money of seat {due.seat}, {Cents(stake)}.")
    onto = state.round.presses.get(due.seat)
    where = f", onto the {_on(onto)} wager as the seat has chosen" if onto is not None else ""
    return replace(due, amount=win, say=f"The dealer pays House Money at seat {due.seat}, {Cents(win)}{where}.")


def _on(kind: WagerKind) -> str:
    return kind.value.replace("_", " ").title()


@asks(PressHouseMoney)
def _ask_press(rules: TableRules, state: TableState, due: Due) -> Due:
    _, win = house_money_verdict(rules, state, due.seat)
    assert win is not None, "only a winner may press"
    say = f"Seat {due.seat} may have its {Cents(win)} of House Money added to a wager."
    return replace(due, amount=win, say=say)


tells(PressChosen)(lambda x: f"Seat {x.seat} wants House Money added to the {wager_title(x.onto)} wager.")
tells(PressUndone)(
    lambda x: (
        f"Seat {x.seat} chose on a card that was wrong: nothing is added to the {wager_title(x.onto)} wager unless "
        "chosen again."
    )
)
tells(HouseMoneyCollected)(lambda x: f"House Money of {Cents(x.stake)} at seat {x.seat} loses.")


@tells(HouseMoneyPaid)
def _tell_house_money(event: HouseMoneyPaid) -> str:
    part = "all of it" if event.to_wager == event.win else f"{Cents(event.to_wager)} of it"
    onto = f", {part} onto the {wager_title(event.onto)} wager" if event.onto else ""
    return (
        f"House Money at seat {event.seat} wins {Cents(event.win)}{onto}; its stake of {Cents(event.stake)} goes back."
    )


@labels(SettleHouseMoney)
def _label_house_money(rules: TableRules, state: TableState, due: Due) -> str:
    _, win = house_money_verdict(rules, state, due.seat)
    return "take_house_money" if win is None else "pay_house_money"
