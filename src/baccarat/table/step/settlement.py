"""Settlement: losers taken, winners paid, vigorish taken, act by act in the filed order."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.law.row import WagerResult
from baccarat.money import Cents
from baccarat.play.wager.royal9 import progressive
from baccarat.table import coupon
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import add_step, evolves, handles
from baccarat.table.role import Role
from baccarat.table.round_state import Act, Round
from baccarat.table.seating_acts import with_chips
from baccarat.table.state import TableState
from baccarat.table.step_function import asks, labels, tells
from baccarat.table.story_words import sums

SETTLE = "settle"
LOSERS, VIGORISH, MARK, PAY, AWARD = "collect_losing_wagers", "collect_vig", "mark_vig", "pay", "royal9_award"


class CollectLosers(Command, frozen=True, kw_only=True, tag="collect_losers"):
    """The dealer takes every losing wager."""

    STEPS = frozenset({SETTLE})
    CARD = CommandCard(pace="pay", console="plain", ask_is_public=True)


class TakeVigorish(Command, frozen=True, kw_only=True, tag="take_vigorish"):
    """The dealer collects or marks the vigorish of one seat."""

    seat: Seat
    STEPS = frozenset({SETTLE})
    CARD = CommandCard(pace="pay", console="seat", ask_is_public=True)


class Pay(Command, frozen=True, kw_only=True, tag="pay"):
    """The dealer pays the winning wagers of one seat."""

    seat: Seat
    STEPS = frozenset({SETTLE})
    CARD = CommandCard(pace="pay", console="seat", ask_is_public=True)


class GiveAward(Command, frozen=True, kw_only=True, tag="give_award"):
    """The dealer pays a Royal 9 award."""

    seat: Seat
    STEPS = frozenset({SETTLE})
    CARD = CommandCard(pace="pay", console="seat", ask_is_public=True)


class LosersCollected(Event, frozen=True, kw_only=True, tag="losers_collected"):
    """Losing wagers are in the bank."""

    amounts: dict[int, int]
    CARD = EventCard(sights(TABLE, table="amounts"), sort="payment")


class VigorishTaken(Event, frozen=True, kw_only=True, tag="vigorish_taken"):
    """Vigorish of a seat is collected, or marked with a button."""

    seat: int
    amount: int
    marked: bool
    CARD = EventCard(sights(TABLE, table="seat amount marked"), sort="payment")


class Paid(Event, frozen=True, kw_only=True, tag="paid"):
    """A seat's winning wagers are paid, and its stakes come back."""

    seat: int
    win: int
    stake: int
    CARD = EventCard(sights(TABLE, table="seat win stake"), sort="payment")


class Awarded(Event, frozen=True, kw_only=True, tag="awarded"):
    """A Royal 9 award is paid."""

    seat: int
    row: str
    amount: int
    stake: int
    stake_back: bool
    CARD = EventCard(
        sights(everybody="seat row amount", table="stake stake_back"),
        sort="payment",
        short="Seat {seat} is awarded a share of a meter.",
    )


# ------------------------------------------------------------------------------------------- deciding


def _next(rules: TableRules, state: TableState, act: tuple[str, ...], seat: int) -> HandlerResult | Act:
    due = state.round.acts[0]
    if due.act in act and (due.act == LOSERS or due.seat == seat):
        return due
    keys = rules.edition.settlement.cite
    if due.act == LOSERS:
        return refuse(rules, Reason.OUT_OF_ORDER, "filed_order_act", *keys, due=due.act)
    what, filed = "filed_order_act_at_seat", rules.settlement
    return refuse(rules, Reason.OUT_OF_ORDER, what, *keys, cites=filed, due=due.act, seat=due.seat)


@handles(CollectLosers)
def collect_losers(rules: TableRules, state: TableState, _command: CollectLosers) -> HandlerResult:
    """Take all losing wagers together."""
    due = _next(rules, state, (LOSERS,), 0)
    if not isinstance(due, Act):
        return due
    amounts = {act.seat: act.amount for act in state.round.acts if act.act == LOSERS}
    lost = [each for each in state.round.coupons if each.result == WagerResult.LOSE.value]
    events: list[Event] = [LosersCollected(amounts=amounts, cites=rules.cites[SETTLE])]
    return [*events, *coupon.coupons_taken(rules, lost, paid=False)]


@handles(TakeVigorish)
def take_vigorish(rules: TableRules, state: TableState, command: TakeVigorish) -> HandlerResult:
    """Collect or mark, as filed, when the order says so."""
    due = _next(rules, state, (VIGORISH, MARK), command.seat)
    if not isinstance(due, Act):
        return due
    cites = tuple(map(str, (*rules.book.vig_cites, *rules.book.collection_cites)))
    person = state.at(due.seat)
    assert person is not None, "a winner is seated"
    short = (
        person.chips + state.money.payable.get(due.seat, 0) < due.amount
    )  # a win smaller than the coin it is rounded to
    return [VigorishTaken(seat=due.seat, amount=due.amount, marked=due.act == MARK or short, cites=cites)]


@handles(Pay)
def pay(rules: TableRules, state: TableState, command: Pay) -> HandlerResult:
    """Pay when the order says so."""
    due = _next(rules, state, (PAY,), command.seat)
    if not isinstance(due, Act):
        return due
    won = [each for each in state.round.coupons if each.seat == due.seat and each.result == WagerResult.WIN.value]
    events: list[Event] = [Paid(seat=due.seat, win=due.amount, stake=due.stake, cites=due.cites)]
    return [*events, *coupon.coupons_taken(rules, won, paid=True)]


@handles(GiveAward)
def give_award(rules: TableRules, state: TableState, command: GiveAward) -> HandlerResult:
    """Pay an award when the order says so."""
    due = _next(rules, state, (AWARD,), command.seat)
    if not isinstance(due, Act):
        return due
    progress = progressive(rules.rulebook)
    assert progress is not None, "no award without the progressive"
    prize = next(prize for prize in progress.prizes if prize.row == due.row)
    return [
        Awarded(
            seat=due.seat,
            row=due.row,
            amount=due.amount,
            stake=due.stake,
            stake_back=progress.returns_stake,
            cites=tuple(map(str, prize.cites)),
        )
    ]


# ------------------------------------------------------------------------------------------- evolving


def _done(state: TableState, count: int = 1) -> Round:
    return replace(state.round, acts=state.round.acts[count:])


@evolves(LosersCollected)
def evolve_losers(state: TableState, event: LosersCollected) -> TableState:
    """The bank has the losing stakes."""
    acts = tuple(act for act in state.round.acts if act.act != LOSERS)
    round_ = replace(state.round, acts=acts)
    money = replace(state.money, bank=state.money.bank + sum(event.amounts.values()))
    return replace(state, round=round_, money=money)


@evolves(VigorishTaken)
def evolve_vigorish(state: TableState, event: VigorishTaken) -> TableState:
    """Marked: a button lies in the numbered space. Collected: out of what is owed, or out of the chips."""
    money, round_ = state.money, _done(state)
    earned = money.vigorish_earned + event.amount
    if event.marked:
        markers = {**money.markers, event.seat: money.markers.get(event.seat, 0) + event.amount}
        return replace(state, round=round_, money=replace(money, markers=markers, vigorish_earned=earned))
    owed = money.payable.get(event.seat, 0)
    kept = min(owed, event.amount)
    return replace(
        state,
        round=round_,
        seats=with_chips(state, event.seat, kept - event.amount) if kept < event.amount else state.seats,
        money=replace(
            money,
            payable={**money.payable, event.seat: owed - kept},
            bank=money.bank + event.amount,
            vigorish_earned=earned,
        ),
    )


def _pay_out(state: TableState, seat: int, amount: int, stake: int) -> TableState:
    money = state.money
    owed = money.payable.get(seat, 0)
    given = min(owed, amount)  # the vigorish may have been taken out of it before
    left = owed - given
    payable = {each: sum_ for each, sum_ in money.payable.items() if each != seat} | ({seat: left} if left else {})
    return replace(state, seats=with_chips(state, seat, given + stake), money=replace(money, payable=payable))


evolves(Paid)(lambda state, event: replace(_pay_out(state, event.seat, event.win, event.stake), round=_done(state)))


@evolves(Awarded)
def evolve_awarded(state: TableState, event: Awarded) -> TableState:
    """The participant has the award; the stake goes to the bank unless it comes back with the prize."""
    back = event.stake if event.stake_back else 0
    paid = _pay_out(state, event.seat, event.amount, back)
    money = replace(paid.money, bank=paid.money.bank + event.stake - back)
    return replace(paid, round=_done(state), money=money)


# --------------------------------------------------------------------------------------- due, expected


ACT_COMMANDS = {
    LOSERS: "collect_losers",
    VIGORISH: "take_vigorish",
    MARK: "take_vigorish",
    PAY: "pay",
    AWARD: "give_award",
}


def expect_settle(rules: TableRules, state: TableState) -> list[Due]:
    """The next act in the filed order."""
    act = state.round.acts[0]
    seat = 0 if act.act == LOSERS else act.seat
    return [Due(by=Role.DEALER, act=ACT_COMMANDS[act.act], seat=seat, cites=rules.cites[SETTLE])]


add_step(SETTLE, due=lambda _rules, state: bool(state.round.acts), expect=expect_settle)


# ---------------------------------------------------------------------------------- asks, fills, tells


@asks(CollectLosers)
def _ask_losers(_rules: TableRules, state: TableState, due: Due) -> Due:
    amount = sum(act.amount for act in state.round.acts if act.act == state.round.acts[0].act)
    return replace(due, amount=amount, say=f"The dealer collects the losing wagers, {Cents(amount)}.")


@asks(TakeVigorish)
def _ask_vigorish(_rules: TableRules, state: TableState, due: Due) -> Due:
    act = state.round.acts[0]
    done = "marks" if act.act == MARK else "collects"
    say = f"The dealer {done} vigorish of {Cents(act.amount)} at seat {act.seat}."
    return replace(due, amount=act.amount, say=say)


@asks(Pay)
def _ask_pay(_rules: TableRules, state: TableState, due: Due) -> Due:
    act = state.round.acts[0]
    return replace(due, amount=act.amount, say=f"The dealer pays seat {act.seat} {Cents(act.amount)}.")


@asks(GiveAward)
def _ask_award(_rules: TableRules, state: TableState, due: Due) -> Due:
    act = state.round.acts[0]
    return replace(due, amount=act.amount, say=f"The dealer awards seat {act.seat} {Cents(act.amount)}: {act.row}.")


tells(LosersCollected)(lambda x: f"Losing wagers are collected: {sums(x.amounts)}.")
tells(VigorishTaken)(
    lambda x: f"Vigorish of {Cents(x.amount)} is {'marked for' if x.marked else 'collected from'} seat {x.seat}."
)
tells(Paid)(lambda x: f"Seat {x.seat} is paid {Cents(x.win)}.")
tells(Awarded)(lambda x: f"Seat {x.seat} wins {Cents(x.amount)}: {x.row}.")


labels(TakeVigorish)(lambda _rules, state, due: "mark_vigorish" if state.round.acts[0].act == MARK else due.act)
