"""Announcing: the result is called, and with it, act by act, what the dealer must do to settle."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.row import WagerResult
from baccarat.law.section import CARDS, NO_MORE_BETS
from baccarat.play.coup import Announcement, Coup, deal_by
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.play.settle import settle_by
from baccarat.play.settlement import Settlement
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.royal9 import MICRO
from baccarat.table.audience import sights
from baccarat.table.base import Command, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Micro
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import add_step, dealer_does, evolves, handles
from baccarat.table.round_state import WAGERED, Act, DecidedCoupon, MetersBefore
from baccarat.table.state import TableState
from baccarat.table.step.calling import contributions_of
from baccarat.table.step.house_money import right_presses
from baccarat.table.step.settlement import AWARD, LOSERS, PAY
from baccarat.table.step_function import tells
from baccarat.table.tableau import hands_are_complete

ANNOUNCE = "announce"
BEFORE_THE_DEAL = (NO_MORE_BETS, CARDS)
"""Calls that have been made when the result is announced."""


class AnnounceResult(Command, frozen=True, kw_only=True, tag="announce_result"):
    """The dealer calls the final counts and the winner."""

    STEPS = frozenset({ANNOUNCE})
    CARD = CommandCard(pace="call", console="plain", ask="The dealer announces the result.", ask_is_public=True)


class ResultAnnounced(Event, frozen=True, kw_only=True, tag="result_announced"):
    """The result is known: the calls, what the dealer must do, what the meters show, in micro-cents."""

    outcome: str
    """Which hand won: `player`, `banker`, or `tie`."""
    player: int
    """What the Player's hand counts."""
    banker: int
    """What the Banker's hand counts."""
    calls: tuple[str, ...]
    """What the dealer says aloud, in order."""
    acts: tuple[Act, ...] = ()
    """Everything that the dealer must do now, in order."""
    coupons: tuple[DecidedCoupon, ...] = ()
    """The coupons that the result has decided."""
    returned: dict[int, int] = {}
    """Stakes that push, by seat."""
    return_cites: tuple[str, ...] = ()
    """The clauses by which they push."""
    meters: dict[str, Micro] = {}
    """What each meter shows then."""
    seeded: Micro = 0
    """How much of that the house has put in."""
    from_reserve: Micro = 0
    """How much of that came from the reserve."""
    CARD = EventCard(
        sights(
            everybody="outcome player banker calls meters",
            table="acts returned return_cites coupons",
            office="seeded from_reserve",
        ),
        sort="call",
    )


class ResultWithdrawn(Event, frozen=True, kw_only=True, tag="result_withdrawn"):
    """A card was corrected before any chip had moved: what was set aside goes back, and the result is called again."""

    payable: dict[int, int] = {}
    """What was set aside for each seat."""
    meters: dict[str, Micro] = {}
    """What the meters showed before the result, in micro-cents, where it changed them."""
    seeded: Micro = 0
    from_reserve: Micro = 0
    REWINDS = True
    CARD = EventCard(
        sights(everybody="meters", table="payable", office="seeded from_reserve"),
        sort="correction",
        short="The result is withdrawn, because a card was corrected.",
    )


# ------------------------------------------------------------------------------------------- deciding


@handles(AnnounceResult)
def announce_result(rules: TableRules, state: TableState, _command: AnnounceResult) -> HandlerResult:
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
    settled = settlement_of_round(rules, state, coup)
    after = settled.awards.after if settled.awards is not None else state.meters.amounts
    paid = sum(settled.awards.awards[seat] for seat in settled.awards.awards if settled.awards.rows[seat].meter) if (
        settled.awards is not None) else 0  # fmt: skip
    put_up = sum(after.values()) - sum(state.meters.amounts.values()) + paid * MICRO
    from_reserve = min(put_up, state.meters.reserve)  # what was reserved for the next seed comes first (reading A-15)
    pushed = [str(cite) for line in settled.lines if line.result is WagerResult.PUSH for cite in line.cites]
    return [
        replace(
            event,
            acts=_acts(rules, settled),
            coupons=tuple(
                DecidedCoupon(line.wager.seat, line.wager.on, line.wager.coupon, line.result.value)
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


def coup_of(rules: TableRules, state: TableState) -> Coup:
    """The finished round, dealt again by the tableau from its turned cards."""
    coup = _dealt_again(rules, state)
    hands = state.round.cards(PLAYER_SIDE), state.round.cards(BANKER_SIDE)
    assert (coup.player, coup.banker) == hands, "the hands are those that the tableau makes"
    return coup


def _dealt_again(rules: TableRules, state: TableState) -> Coup:
    """The round that the tableau makes of the turned cards; after a correction it may differ from what was played."""
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


def settlement_of_round(
    rules: TableRules, state: TableState, coup: Coup, meters: Mapping[str, int] | None = None
) -> Settlement:
    """What happens to every wager that the result decides, given the meters as they are, or as they were."""
    contributions, _ = contributions_of(rules, state)
    amounts = state.meters.amounts if meters is None else meters
    before = {name: value - contributions.get(name, 0) for name, value in amounts.items()} or None
    settled = settle_by(rules.book, coup, _wagers(rules, state), meters=before, pressed=_pressed(state))
    assert isinstance(settled, Settlement), f"admitted wagers settle: {settled}"
    return settled


def settlement_by_cards(rules: TableRules, state: TableState, cards: Mapping[int, Card]) -> Settlement:
    """The round as these cards settle it, on the meters as they were before its result was announced.

    Third cards go to the hands that the tableau gives them. Cards that call for another one, which was never dealt,
    settle nothing: every wager goes back (reading A-88).
    """
    dealt = replace(state, round=replace(state.round, turned=dict(cards)))
    return settlement_of_round(rules, state, _dealt_again(rules, dealt), state.round.meters_before.amounts)


def settlement_by_corrected_cards(rules: TableRules, state: TableState) -> Settlement:
    """The round as the turned cards settle it, House Money added to wagers as they would have added it."""
    round_ = state.round
    pressed = right_presses(rules, state) if round_.pressed else {}
    return settlement_by_cards(rules, replace(state, round=replace(round_, pressed=pressed)), round_.turned)


def settles_nothing(rules: TableRules, state: TableState) -> bool:
    """Whether corrected cards call for another one, which was never dealt: every wager goes back (reading A-88)."""
    return state.round.corrected and _dealt_again(rules, state).is_void


def announced_cards(state: TableState) -> Mapping[int, Card]:
    """The turned cards as they were when the result was announced."""
    return state.round.called or state.round.turned


def is_untouched(rules: TableRules, state: TableState) -> bool:
    """Whether no chip has moved since the result, and no meter that other tables share."""
    round_ = state.round
    if round_.lying or round_.righted or (state.meters.link and round_.royal9_seats):
        return False
    planned = _acts(rules, settlement_by_cards(rules, state, announced_cards(state))) if round_.kind is WAGERED else ()
    return len(round_.acts) == len(planned)


def changes_result(rules: TableRules, state: TableState) -> bool:
    """Whether the turned cards have another result than was announced, or settle a wager differently."""
    now, then = (
        _dealt_again(rules, replace(state, round=replace(state.round, turned=dict(cards))))
        for cards in (state.round.turned, announced_cards(state))
    )
    if now.is_void or result_call(rules, now) != result_call(rules, then) or now.cards_dealt != then.cards_dealt:
        return True
    if state.round.kind is not WAGERED:
        return False
    pairs = zip(
        settlement_by_corrected_cards(rules, state).lines,
        settlement_by_cards(rules, state, announced_cards(state)).lines,
        strict=True,
    )
    return any((mine.result, mine.row, mine.net) != (other.result, other.row, other.net) for mine, other in pairs)


def corrected_winner(rules: TableRules, state: TableState) -> Side | None:
    """The hand that has won by the turned cards, whatever was announced before one of them was corrected."""
    return _dealt_again(rules, state).winner if state.round.corrected else state.round.winner


def withdrawal_event(rules: TableRules, state: TableState) -> ResultWithdrawn:
    """The result of a round in which no chip has moved is withdrawn."""
    payable: dict[int, int] = {}
    for act in state.round.acts:
        if act.act in (PAY, AWARD):
            payable[act.seat] = payable.get(act.seat, 0) + act.amount
    before = state.round.meters_before
    changed = before.amounts != state.meters.amounts
    return ResultWithdrawn(
        payable=payable,
        meters=before.amounts if changed else {},
        seeded=before.seeded,
        from_reserve=before.reserve,
        cites=rules.cites[ANNOUNCE],
    )


def settlement_without_royal9(rules: TableRules, state: TableState) -> Settlement:
    """The round as its turned cards settle it, except wagers that a ladder of prizes decides.

    After a correction that may differ from what was paid.
    """
    wagers = [wager for wager in _wagers(rules, state) if wager.on is not WagerKind.ROYAL9]
    settled = settle_by(rules.book, _dealt_again(rules, state), wagers, pressed=_pressed(state))
    assert isinstance(settled, Settlement), f"admitted wagers settle: {settled}"
    return settled


def _wagers(rules: TableRules, state: TableState) -> list[Wager]:
    """The wagers that the result decides; House Money stays as it was settled."""
    return [replace(wager, verbal=None) for wager in state.round.wagers if wager.on not in rules.book.early]


def _pressed(state: TableState) -> dict[tuple[int, WagerKind], int]:
    """What was added to which wager when House Money was paid, whatever card has been corrected since."""
    return {(seat, state.round.presses[seat]): amount for seat, amount in state.round.pressed.items()}


def _acts(rules: TableRules, settled: Settlement) -> tuple[Act, ...]:
    """The acts of settling in their order, each with the stake that moves with it."""
    lost: dict[int, int] = {}
    stakes: dict[int, int] = {}
    cites: dict[int, dict[str, None]] = {}
    for line in settled.lines:
        wager = line.wager
        stake = wager.stake + (line.pressed or 0)
        if line.result is WagerResult.LOSE:
            lost[wager.seat] = lost.get(wager.seat, 0) + stake
        elif line.result is WagerResult.WIN and wager.on is not WagerKind.ROYAL9:
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
            line.wager.stake for line in settled.lines if line.wager.on is WagerKind.ROYAL9 and line.wager.seat == seat
        )
    return 0


def _pushed(settled: Settlement) -> dict[int, int]:
    pushed: dict[int, int] = {}
    for line in settled.lines:
        if line.result is WagerResult.PUSH:
            seat = line.wager.seat
            pushed[seat] = pushed.get(seat, 0) + line.wager.stake + (line.pressed or 0)
    return pushed


# ------------------------------------------------------------------------------------------- evolving


@evolves(ResultAnnounced)
def evolve_result(state: TableState, event: ResultAnnounced) -> TableState:
    """What is owed is set aside for the winners, so that nobody's balance ever falls below zero."""
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
        return_cites=event.return_cites, must_hit_due=state.round.kind is WAGERED, called=state.round.turned,
        meters_before=MetersBefore(state.meters.amounts, event.seeded, event.from_reserve),
    )  # fmt: skip
    meters = state.meters
    if event.meters:
        seeded, reserve = meters.seeded + event.seeded, meters.reserve - event.from_reserve
        meters = replace(meters, amounts=amounts, seeded=seeded, reserve=reserve)
    return replace(state, round=round_, money=replace(state.money, payable=payable, bank=bank), meters=meters)


@evolves(ResultWithdrawn)
def evolve_withdrawn(state: TableState, event: ResultWithdrawn) -> TableState:
    """The round as it was before the result was announced."""
    money, meters = state.money, state.meters
    # What was set aside returns to the bank.
    left = {seat: owed - event.payable.get(seat, 0) for seat, owed in money.payable.items()}
    back = sum(event.payable.values()) * MICRO
    # Meters return to what they showed; the bank has paid for what they gained since, or gets it back.
    if event.meters:
        put_up = event.seeded + event.from_reserve
        back -= sum(event.meters.values()) + put_up - sum(meters.amounts.values())
        seeded, reserve = meters.seeded - event.seeded, meters.reserve + event.from_reserve
        meters = replace(meters, amounts=event.meters, seeded=seeded, reserve=reserve)
    # The round is open again.
    round_ = replace(
        state.round, announced=False, acts=(), coupons=(), winner=None, returned_due={}, return_cites=(),
        must_hit_due=False, called={}, meters_before=MetersBefore(),
    )  # fmt: skip
    payable = {seat: owed for seat, owed in left.items() if owed}
    return replace(
        state, round=round_, money=replace(money, payable=payable, bank=money.bank + back // MICRO), meters=meters
    )


# -------------------------------------------------------------------------------------- due, expected


def announce_due(_desk: TableRules, state: TableState) -> bool:
    """The result has not been called."""
    return not state.round.void and not state.round.announced


add_step(ANNOUNCE, due=announce_due, expect=dealer_does("announce_result", ANNOUNCE))


# ---------------------------------------------------------------------------------- asks, fills, tells


@tells(ResultAnnounced)
def _tell_result(event: ResultAnnounced) -> str:
    calls = (call if call.startswith("“") else f"“{call}”" for call in event.calls)
    return f"The dealer announces {', '.join(calls)}."


tells(ResultWithdrawn)(
    lambda _: "The result is withdrawn, because a card was corrected: it is announced and settled again."
)
