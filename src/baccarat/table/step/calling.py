"""Calling: “no more bets” freezes the wagers and feeds the meters; with a curator, “Cards” begins the deal."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.law.section import CARDS as CARDS_CALL
from baccarat.law.section import NO_MORE_BETS as NO_MORE_BETS_CALL
from baccarat.money import Cents
from baccarat.play.wager.royal9 import progressive
from baccarat.table.actor import Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Micro
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import add_step, dealer_does, evolves, handles, limits_clock, no_clock_limit
from baccarat.table.round_state import WAGERED
from baccarat.table.state import Meters, TableState
from baccarat.table.step.must_hit_trigger import MUST_HIT, trigger_due
from baccarat.table.step.spoken_wager import SpokenWagerOff
from baccarat.table.step.wagering import NO_MORE_BETS, WAGER
from baccarat.table.step_function import asks, tells, tells_of_clock

CARDS = "call_cards"


class CallNoMoreBets(Command, frozen=True, kw_only=True, tag="call_no_more_bets"):
    """The dealer ends the wagering, or the clock does when the time for it is over."""

    ORIGINS = (Origin.PERSON, Origin.CLOCK)
    STEPS = frozenset({WAGER})
    ROW = NO_MORE_BETS
    CARD = CommandCard(console="plain", by_clock=True)


class CallCards(Command, frozen=True, kw_only=True, tag="call_cards"):
    """The dealer tells the curator to deal."""

    STEPS = frozenset({CARDS})
    CARD = CommandCard(pace="call", console="plain", ask_is_public=True)


class NoMoreBetsCalled(Event, frozen=True, kw_only=True, tag="no_more_bets_called"):
    """Wagers are frozen; what each Royal 9 wager adds to the meters is added, in micro-cents."""

    say: str
    contributions: dict[str, Micro] = {}
    reserve: Micro = 0
    CARD = EventCard(sights(everybody="say contributions", office="reserve"), sort="call")


class CardsCalled(Event, frozen=True, kw_only=True, tag="cards_called"):
    """The dealer directs the curator to deal."""

    say: str
    CARD = EventCard(sights(everybody="say"), sort="call")


limits_clock(CallNoMoreBets)(no_clock_limit)


@handles(CallNoMoreBets)
def call_no_more_bets(rules: TableRules, state: TableState, _command: CallNoMoreBets) -> HandlerResult:
    """End the wagering; what was only spoken is off, and the meters take their share."""
    if not state.round.wagers and state.round.kind is WAGERED:
        return refuse(rules, Reason.NO_SUCH_WAGER, "no_wager_lies_table", step=NO_MORE_BETS)
    if trigger_due(rules, state):
        return refuse(rules, Reason.OUT_OF_ORDER, "must_hit_trigger_sealed_first", step=MUST_HIT)
    events: list[Event] = [
        SpokenWagerOff(seat=spoken.seat, on=spoken.on, cites=rules.cites[WAGER]) for spoken in state.round.spoken
    ]
    contributions, reserve = contributions_of(rules, state)
    events.append(
        NoMoreBetsCalled(
            say=rules.edition.call(NO_MORE_BETS_CALL).say or "",
            contributions=contributions,
            reserve=reserve,
            cites=rules.cites[NO_MORE_BETS],
        )
    )
    return events


def contributions_of(rules: TableRules, state: TableState) -> tuple[dict[str, int], int]:
    """What the Royal 9 wagers of this round add to each meter and to the reserve, in micro-cents."""
    progress = progressive(rules.rulebook)
    count = len(state.round.royal9_seats)
    return progress.contributions(count) if progress is not None and count else ({}, 0)


def pending_contributions(rules: TableRules, state: TableState) -> tuple[dict[str, int], int]:
    """What this round has put into the meters and would take out again if it were void."""
    round_ = state.round
    pending = round_.closed and not (round_.announced or round_.void)
    return contributions_of(rules, state) if pending else ({}, 0)


@handles(CallCards)
def call_cards(rules: TableRules, _state: TableState, _command: CallCards) -> HandlerResult:
    """Tell the curator to deal."""
    return [CardsCalled(say=rules.edition.call(CARDS_CALL).say or "", cites=rules.cites[CARDS])]


@evolves(NoMoreBetsCalled)
def evolve_no_more_bets(state: TableState, event: NoMoreBetsCalled) -> TableState:
    """Wagers are frozen."""
    meters = feed_meters(state.meters, event.contributions, event.reserve)
    return replace(state, round=replace(state.round, closed=True), meters=meters)


def feed_meters(meters: Meters, contributions: dict[str, int], reserve: int, *, sign: int = 1) -> Meters:
    """The meters after what the wagers of a round put in; with a negative sign, after it is taken back."""
    if not contributions and not reserve:
        return meters
    return replace(
        meters,
        amounts={name: value + sign * contributions.get(name, 0) for name, value in meters.amounts.items()},
        reserve=meters.reserve + sign * reserve,
        contributed=meters.contributed + sign * (sum(contributions.values()) + reserve),
    )


evolves(CardsCalled)(lambda state, _: replace(state, round=replace(state.round, cards_called=True)))


add_step(CARDS, due=lambda _rules, state: not state.round.cards_called, expect=dealer_does("call_cards", CARDS))


@asks(CallNoMoreBets)
def _ask_no_more_bets(rules: TableRules, state: TableState, due: Due) -> Due:
    lies = sum(wager.stake for wager in state.round.wagers)
    calls = rules.edition.call(NO_MORE_BETS_CALL).say
    return replace(due, amount=lies, say=f"The dealer calls “{calls}”; {Cents(lies)} lies on the layout.")


@asks(CallCards)
def _ask_call_cards(rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"The dealer calls “{rules.edition.call(CARDS_CALL).say}”.")


tells(NoMoreBetsCalled)(lambda x: f"The dealer calls “{x.say}”.")
tells(CardsCalled)(lambda x: f"The dealer calls “{x.say}”.")
tells_of_clock(NoMoreBetsCalled)(lambda x: f"The time for wagers is over: the clock calls “{x.say}”.")
