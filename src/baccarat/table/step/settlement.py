"""Settlement: the result called, losers taken, winners paid, vigorish taken, all in the filed order."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from baccarat.law.row import Result
from baccarat.law.section import CARDS, NO_MORE_BETS
from baccarat.play.coup import Announcement, Coup, deal_by
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.play.settle import settle_by
from baccarat.play.settlement import Settlement
from baccarat.play.wager import Kind, Wager
from baccarat.play.wager.royal9 import MICRO, progressive
from baccarat.table import coupon
from baccarat.table.base import Command, Due, Event, Outcome, Reason, TableRules, add_step, evolves, handles, refuse
from baccarat.table.bounds import Micro, Seat
from baccarat.table.people import with_chips
from baccarat.table.role import Role
from baccarat.table.state import WAGERED, Act, Coupon, Round, State
from baccarat.table.step.calling import contributions_of
from baccarat.table.tableau import hands_are_complete

ANNOUNCE, SETTLE = "announce", "settle"
BEFORE_THE_DEAL = (NO_MORE_BETS, CARDS)
"""Calls that have been made when the result is announced."""
LOSERS, VIGORISH, MARK, PAY, AWARD = "collect_losing_wagers", "collect_vig", "mark_vig", "pay", "royal9_award"


class AnnounceResult(Command, frozen=True, kw_only=True, tag="announce_result"):
    """The dealer calls the final counts and the winner."""

    STEPS: ClassVar[frozenset[str]] = frozenset({ANNOUNCE})


class CollectLosers(Command, frozen=True, kw_only=True, tag="collect_losers"):
    """The dealer takes every losing wager."""

    STEPS: ClassVar[frozenset[str]] = frozenset({SETTLE})


class TakeVigorish(Command, frozen=True, kw_only=True, tag="take_vigorish"):
    """The dealer collects or marks the vigorish of one seat."""

    seat: Seat
    STEPS: ClassVar[frozenset[str]] = frozenset({SETTLE})


class Pay(Command, frozen=True, kw_only=True, tag="pay"):
    """The dealer pays the winning wagers of one seat."""

    seat: Seat
    STEPS: ClassVar[frozenset[str]] = frozenset({SETTLE})


class GiveAward(Command, frozen=True, kw_only=True, tag="give_award"):
    """The dealer pays a Royal 9 award."""

    seat: Seat
    STEPS: ClassVar[frozenset[str]] = frozenset({SETTLE})


class ResultAnnounced(Event, frozen=True, kw_only=True, tag="result_announced"):
    """The result is known: the calls, what the dealer owes to do, what the meters show, in micro-cents."""

    outcome: str
    player: int
    banker: int
    calls: tuple[str, ...]
    acts: tuple[Act, ...] = ()
    coupons: tuple[Coupon, ...] = ()
    returned: dict[int, int] = {}
    return_cites: tuple[str, ...] = ()
    meters: dict[str, Micro] = {}
    seeded: Micro = 0
    from_reserve: Micro = 0


class LosersCollected(Event, frozen=True, kw_only=True, tag="losers_collected"):
    """Losing wagers are in the bank."""

    amounts: dict[int, int]


class VigorishTaken(Event, frozen=True, kw_only=True, tag="vigorish_taken"):
    """Vigorish of a seat is collected, or marked with a button."""

    seat: int
    amount: int
    marked: bool


class Paid(Event, frozen=True, kw_only=True, tag="paid"):
    """A seat's winning wagers are paid, and its stakes come back."""

    seat: int
    win: int
    stake: int


class Awarded(Event, frozen=True, kw_only=True, tag="awarded"):
    """A Royal 9 award is paid."""

    seat: int
    row: str
    amount: int
    stake: int
    stake_back: bool


# ------------------------------------------------------------------------------------------- deciding


def coup_of(rules: TableRules, state: State) -> Coup:
    """The finished round, dealt again by the tableau from its turned cards."""
    coup = _dealt_again(rules, state)
    hands = state.round.cards(PLAYER_SIDE), state.round.cards(BANKER_SIDE)
    assert (coup.player, coup.banker) == hands, "the hands are those that the tableau makes"
    return coup


def _dealt_again(rules: TableRules, state: State) -> Coup:
    """The round that the tableau makes of the turned cards; after a correction it may be another than was played."""
    player, banker = state.round.cards(PLAYER_SIDE), state.round.cards(BANKER_SIDE)
    hands = rules.book.hands
    opening = [(player if hand is PLAYER_SIDE else banker)[hands[:at].count(hand)] for at, hand in enumerate(hands)]
    return deal_by(rules.book, (*opening, *player[2:], *banker[2:]))


def result_calls(coup: Coup) -> tuple[list[Announcement], list[Announcement]]:
    """What the dealer calls when both hands are complete: the counts and the result, then the names that fit it."""
    final = [call for call in coup.calls if call.final or call.total_cards]
    named = [call for call in coup.calls if call.say and call.name not in BEFORE_THE_DEAL]
    return final, named


def result_call(rules: TableRules, coup: Coup) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the dealer says of a finished round, and the clauses of that."""
    final, named = result_calls(coup)
    called = (str(cite) for call in (*final, *named) for cite in call.cites)
    calls = (*map(str, final), *(call.say or "" for call in named))
    return calls, tuple(dict.fromkeys((*rules.cites[ANNOUNCE], *called)))


def _wagers(rules: TableRules, state: State) -> list[Wager]:
    """The wagers that the result decides; House Money has been settled, and stands as it was settled."""
    return [replace(wager, verbal=None) for wager in state.round.wagers if wager.on not in rules.book.early]


def _pressed(state: State) -> dict[tuple[int, Kind], int]:
    """What was added to which wager when House Money was paid, whatever card has been corrected since."""
    return {(seat, state.round.presses[seat]): amount for seat, amount in state.round.pressed.items()}


@handles(AnnounceResult)
def announce_result(rules: TableRules, state: State, _command: AnnounceResult) -> Outcome:
    """Call the result; from it follows, act by act, what the dealer owes."""
    if not hands_are_complete(rules, state):
        return refuse(rules, Reason.OUT_OF_ORDER, "hands_not_complete", step=ANNOUNCE)
    coup = coup_of(rules, state)
    calls, cites = result_call(rules, coup)
    event = ResultAnnounced(
        outcome=coup.outcome, player=coup.player_count, banker=coup.banker_count, calls=calls, cites=cites
    )
    if state.round.kind is not WAGERED:
        return [event]
    settled = settled_round(rules, state, coup)
    after = settled.awards.after if settled.awards is not None else state.meters.amounts
    paid = sum(settled.awards.awards[seat] for seat in settled.awards.awards if settled.awards.rows[seat].meter) if (
        settled.awards is not None) else 0  # fmt: skip
    put_up = sum(after.values()) - sum(state.meters.amounts.values()) + paid * MICRO
    from_reserve = min(put_up, state.meters.reserve)  # what was kept back for the next seed comes first (reading A-15)
    pushed = [str(cite) for line in settled.lines if line.result is Result.PUSH for cite in line.cites]
    return [
        replace(
            event,
            acts=_acts(rules, settled),
            coupons=tuple(
                Coupon(line.wager.seat, line.wager.on, line.wager.coupon, line.result.value)
                for line in settled.lines
                if line.wager.coupon
            ),
            returned=_pushed(settled),
            return_cites=tuple(dict.fromkeys(pushed)),
            meters=dict(after),
            seeded=put_up - from_reserve,
            from_reserve=from_reserve,
        )
    ]


def settled_round(rules: TableRules, state: State, coup: Coup) -> Settlement:
    """What becomes of every wager that the result decides, by the meters as they stand."""
    contributions, _ = contributions_of(rules, state)
    before = {name: value - contributions.get(name, 0) for name, value in state.meters.amounts.items()} or None
    settled = settle_by(rules.book, coup, _wagers(rules, state), meters=before, pressed=_pressed(state))
    assert isinstance(settled, Settlement), f"admitted wagers settle: {settled}"
    return settled


def _acts(rules: TableRules, settled: Settlement) -> tuple[Act, ...]:
    """The acts of settling in their order, each with the stake that moves with it."""
    lost: dict[int, int] = {}
    stakes: dict[int, int] = {}
    cites: dict[int, dict[str, None]] = {}
    for line in settled.lines:
        wager = line.wager
        stake = wager.stake + (line.pressed or 0)
        if line.result is Result.LOSE:
            lost[wager.seat] = lost.get(wager.seat, 0) + stake
        elif line.result is Result.WIN and wager.on is not Kind.ROYAL9:
            stakes[wager.seat] = stakes.get(wager.seat, 0) + stake
            cites.setdefault(wager.seat, dict.fromkeys(rules.settlement)).update(dict.fromkeys(map(str, line.cites)))
    losers = [Act(LOSERS, seat, lost[seat]) for seat in settled.losers]
    acts = [
        Act(
            step.act,
            step.seat,
            step.amount,
            row=step.row or "",
            stake=_stake_of(settled, stakes, step.act, step.seat),
            cites=tuple(cites[step.seat]) if step.act == PAY else (),
        )
        for step in settled.steps
    ]
    return (*losers, *acts) if rules.edition.settlement.losers_first else (*acts, *losers)


def _stake_of(settled: Settlement, stakes: dict[int, int], act: str, seat: int) -> int:
    if act == PAY:
        return stakes[seat]
    if act == AWARD:
        return sum(
            line.wager.stake for line in settled.lines if line.wager.on is Kind.ROYAL9 and line.wager.seat == seat
        )
    return 0


def _pushed(settled: Settlement) -> dict[int, int]:
    pushed: dict[int, int] = {}
    for line in settled.lines:
        if line.result is Result.PUSH:
            seat = line.wager.seat
            pushed[seat] = pushed.get(seat, 0) + line.wager.stake + (line.pressed or 0)
    return pushed


def _next(rules: TableRules, state: State, act: tuple[str, ...], seat: int) -> Outcome | Act:
    due = state.round.acts[0]
    if due.act in act and (due.act == LOSERS or due.seat == seat):
        return due
    keys = rules.edition.settlement.cite
    if due.act == LOSERS:
        return refuse(rules, Reason.OUT_OF_ORDER, "filed_order_act", *keys, due=due.act)
    what, filed = "filed_order_act_at_seat", rules.settlement
    return refuse(rules, Reason.OUT_OF_ORDER, what, *keys, cites=filed, due=due.act, seat=due.seat)


@handles(CollectLosers)
def collect_losers(rules: TableRules, state: State, _command: CollectLosers) -> Outcome:
    """Take all losing wagers at once."""
    due = _next(rules, state, (LOSERS,), 0)
    if not isinstance(due, Act):
        return due
    amounts = {act.seat: act.amount for act in state.round.acts if act.act == LOSERS}
    lost = [each for each in state.round.coupons if each.result == Result.LOSE.value]
    events: list[Event] = [LosersCollected(amounts=amounts, cites=rules.cites[SETTLE])]
    return [*events, *coupon.taken(rules, lost, paid=False)]


@handles(TakeVigorish)
def take_vigorish(rules: TableRules, state: State, command: TakeVigorish) -> Outcome:
    """Collect or mark, as filed, when the order says so."""
    due = _next(rules, state, (VIGORISH, MARK), command.seat)
    if not isinstance(due, Act):
        return due
    cites = tuple(map(str, (*rules.book.vig_cites, *rules.book.collection_cites)))
    person = state.at(due.seat)
    assert person is not None, "whoever has won sits there"
    short = (
        person.chips + state.money.payable.get(due.seat, 0) < due.amount
    )  # a win smaller than the coin it is rounded to
    return [VigorishTaken(seat=due.seat, amount=due.amount, marked=due.act == MARK or short, cites=cites)]


@handles(Pay)
def pay(rules: TableRules, state: State, command: Pay) -> Outcome:
    """Pay when the order says so."""
    due = _next(rules, state, (PAY,), command.seat)
    if not isinstance(due, Act):
        return due
    won = [each for each in state.round.coupons if each.seat == due.seat and each.result == Result.WIN.value]
    events: list[Event] = [Paid(seat=due.seat, win=due.amount, stake=due.stake, cites=due.cites)]
    return [*events, *coupon.taken(rules, won, paid=True)]


@handles(GiveAward)
def give_award(rules: TableRules, state: State, command: GiveAward) -> Outcome:
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


def settled_again(rules: TableRules, state: State) -> Settlement:
    """The round as its turned cards settle it, but for wagers that a ladder of prizes decides.

    After a correction that may be otherwise than it was paid.
    """
    wagers = [wager for wager in _wagers(rules, state) if wager.on is not Kind.ROYAL9]
    settled = settle_by(rules.book, _dealt_again(rules, state), wagers, pressed=_pressed(state))
    assert isinstance(settled, Settlement), f"admitted wagers settle: {settled}"
    return settled


# ------------------------------------------------------------------------------------------- evolving


@evolves(ResultAnnounced)
def evolve_result(state: State, event: ResultAnnounced) -> State:
    """What is owed is put aside for the winners, so that nobody's balance ever falls below zero."""
    payable = dict(state.money.payable)
    bank = state.money.bank
    for act in event.acts:
        if act.act in (PAY, AWARD):
            payable[act.seat] = payable.get(act.seat, 0) + act.amount
    bank -= sum(act.amount for act in event.acts if act.act == PAY)
    fixed = sum(act.amount for act in event.acts if act.act == AWARD) * MICRO
    amounts = event.meters or state.meters.amounts
    put_up = event.seeded + event.from_reserve
    from_meters = sum(state.meters.amounts.values()) + put_up - sum(amounts.values())
    bank -= (fixed - from_meters) // MICRO
    winner = Side(event.outcome) if event.outcome in ("player", "banker") else None
    round_ = replace(
        state.round, announced=True, acts=event.acts, coupons=event.coupons, winner=winner, returned_due=event.returned,
        return_cites=event.return_cites, must_hit_due=state.round.kind is WAGERED,
    )  # fmt: skip
    meters = state.meters
    if event.meters:
        seeded, reserve = meters.seeded + event.seeded, meters.reserve - event.from_reserve
        meters = replace(meters, amounts=amounts, seeded=seeded, reserve=reserve)
    return replace(state, round=round_, money=replace(state.money, payable=payable, bank=bank), meters=meters)


def _done(state: State, count: int = 1) -> Round:
    return replace(state.round, acts=state.round.acts[count:])


@evolves(LosersCollected)
def evolve_losers(state: State, event: LosersCollected) -> State:
    """The bank has the losing stakes."""
    acts = tuple(act for act in state.round.acts if act.act != LOSERS)
    round_ = replace(state.round, acts=acts)
    money = replace(state.money, bank=state.money.bank + sum(event.amounts.values()))
    return replace(state, round=round_, money=money)


@evolves(VigorishTaken)
def evolve_vigorish(state: State, event: VigorishTaken) -> State:
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


def _pay_out(state: State, seat: int, amount: int, stake: int) -> State:
    money = state.money
    owed = money.payable.get(seat, 0)
    given = min(owed, amount)  # the vigorish may have been taken out of it before
    left = owed - given
    payable = {each: sum_ for each, sum_ in money.payable.items() if each != seat} | ({seat: left} if left else {})
    return replace(state, seats=with_chips(state, seat, given + stake), money=replace(money, payable=payable))


@evolves(Paid)
def evolve_paid(state: State, event: Paid) -> State:
    """The participant has winnings and stakes."""
    return replace(_pay_out(state, event.seat, event.win, event.stake), round=_done(state))


@evolves(Awarded)
def evolve_awarded(state: State, event: Awarded) -> State:
    """The participant has the award; the stake goes to the bank unless it comes back with the prize."""
    back = event.stake if event.stake_back else 0
    paid = _pay_out(state, event.seat, event.amount, back)
    money = replace(paid.money, bank=paid.money.bank + event.stake - back)
    return replace(paid, round=_done(state), money=money)


# --------------------------------------------------------------------------------------- due, expected


def announce_due(_desk: TableRules, state: State) -> bool:
    """The result is not called."""
    return not state.round.void and not state.round.announced


def settle_due(_desk: TableRules, state: State) -> bool:
    """Acts of settling are left."""
    return bool(state.round.acts)


def expect_announce(rules: TableRules, _state: State) -> list[Due]:
    """The dealer calls the result."""
    return [Due(by=Role.DEALER, act="announce_result", cites=rules.cites[ANNOUNCE])]


ACT_COMMANDS = {
    LOSERS: "collect_losers",
    VIGORISH: "take_vigorish",
    MARK: "take_vigorish",
    PAY: "pay",
    AWARD: "give_award",
}


def expect_settle(rules: TableRules, state: State) -> list[Due]:
    """The next act in the filed order."""
    act = state.round.acts[0]
    seat = 0 if act.act == LOSERS else act.seat
    return [Due(by=Role.DEALER, act=ACT_COMMANDS[act.act], seat=seat, cites=rules.cites[SETTLE])]


add_step(ANNOUNCE, due=announce_due, expect=expect_announce)
add_step(SETTLE, due=settle_due, expect=expect_settle)
