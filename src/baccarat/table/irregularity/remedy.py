"""Remedies: carried to the next hand, given to the Banker, discarded with others, or opening a simulated round."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.section import RemedyLaw
from baccarat.play.hand import Side
from baccarat.table import coupon
from baccarat.table.audience import sights
from baccarat.table.base import Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Micro
from baccarat.table.card import EventCard
from baccarat.table.registration import add_step, evolves
from baccarat.table.role import Role
from baccarat.table.round_state import RoundKind
from baccarat.table.state import TableState
from baccarat.table.step.calling import contributions_of, feed_meters
from baccarat.table.step.clearing import WagersReturned, simulated_round
from baccarat.table.step.dealing import cover_card_met
from baccarat.table.step.spoken_wager import SpokenWagerOff
from baccarat.table.step.turning import TurnCard, why_unbelievable
from baccarat.table.step_function import tells
from baccarat.table.story_words import card_name, number, numbers

EXPOSE = "expose"


class DisclosedCard(NamedTuple):
    """A position whose card has been seen."""

    position: int
    card: Card


class CardCarried(Event, frozen=True, kw_only=True, tag="card_carried"):
    """An unseen card waits to be the first card of the next hand."""

    position: int
    CARD = EventCard(sights(everybody="position"), sort="irregularity")


class CardReassigned(Event, frozen=True, kw_only=True, tag="card_reassigned"):
    """A card drawn in error becomes a hand's third card."""

    position: int
    to: Side
    card: Card | None = None
    CARD = EventCard(sights(everybody="position to card"), sort="irregularity")


class CardsDiscarded(Event, frozen=True, kw_only=True, tag="cards_discarded"):
    """Cards go from the shoe to the discards: some to be shown first, the others unseen."""

    positions: tuple[int, ...]
    to_show: tuple[int, ...] = ()
    REWINDS = True
    CARD = EventCard(sights(everybody="positions to_show"), sort="irregularity")


class DiscardShown(Event, frozen=True, kw_only=True, tag="discard_shown"):
    """A card on its way to the discards is shown."""

    position: int
    card: Card
    REWINDS = True
    CARD = EventCard(sights(everybody="position card"), sort="irregularity")


class SimulatedRoundOrdered(Event, frozen=True, kw_only=True, tag="simulated_round_ordered"):
    """A seen card waits to open a round without wagers."""

    position: int
    card: Card
    CARD = EventCard(sights(everybody="position card"), sort="irregularity")


class RoundMadeSimulated(Event, frozen=True, kw_only=True, tag="round_made_simulated"):
    """The round that was about to begin holds no wagers: the seen card opens it; the meters are as before."""

    position: int
    card: Card
    contributions: dict[str, Micro] = {}
    reserve: Micro = 0
    REWINDS = True
    CARD = EventCard(sights(everybody="position card contributions", office="reserve"), sort="irregularity")


def filed_remedy(rules: TableRules, state: TableState, seen: DisclosedCard, law: RemedyLaw) -> list[Event]:
    """What the document orders for a seen card, or what the licensee filed where it gives a choice."""
    name, cites = law.fixed, law.cite
    if law.option is not None:
        choice = law.choices[str(rules.elects(law.option))]
        name, cites = choice.remedy, (*law.cite, *choice.cite)
    if name == "simulated_round":
        return simulated_round_events(rules, state, seen, cites)
    first = max(seen.position + 1, state.shoe.next)
    if name == "discard_two":
        extra, shown = 1, False
    else:
        extra, shown = value_extra(rules, seen.card, law), True
    end = min(first + extra, state.shoe.cards)
    places = tuple(range(first, end))
    return [
        CardsDiscarded(
            positions=(seen.position, *places), to_show=places if shown else (), cites=rules.cite_text(*cites)
        )
    ]


def simulated_round_events(
    rules: TableRules, state: TableState, seen: DisclosedCard, keys: tuple[str, ...]
) -> list[Event]:
    """The seen card opens a simulated round: now if it is the first of a round, otherwise after the round (A-26)."""
    round_, cites = state.round, rules.cite_text(*keys)
    alone = {*round_.player, *round_.banker} <= {seen.position} and not state.shoe.carried
    if not alone or round_.kind is RoundKind.SIMULATED:
        return [SimulatedRoundOrdered(position=seen.position, card=seen.card, cites=cites)]
    amounts: dict[int, int] = {}
    for wager in round_.wagers:
        amounts[wager.seat] = amounts.get(wager.seat, 0) + wager.stake
    contributions, reserve = contributions_of(rules, state) if round_.closed else ({}, 0)
    returned: list[Event] = [SpokenWagerOff(seat=each.seat, on=each.on, cites=cites) for each in round_.spoken]
    if amounts:
        returned.append(WagersReturned(amounts=amounts, cites=cites))
    returned += coupon.coupons_returned(rules, coupon.with_wagers(round_.wagers))
    made = RoundMadeSimulated(
        position=seen.position, card=seen.card, contributions=contributions, reserve=reserve, cites=cites
    )
    return [*returned, made]


def with_cover_card(rules: TableRules, state: TableState, events: list[Event]) -> list[Event]:
    """The events of cards that leave the shoe, preceded by the cover card's if it lay before the last of them."""
    drawing = max((len(event.positions) for event in events if isinstance(event, CardsDiscarded)), default=1)
    return [*cover_card_met(rules, state, drawing=drawing), *events]


def value_extra(rules: TableRules, card: Card, law: RemedyLaw) -> int:
    """As many cards as the seen one is worth; a ten-value card by its own rule."""
    value = rules.book.value[card]
    assert law.ten_option is not None, "an edition with this remedy names the option for ten-value cards"
    return value or int(rules.elects(law.ten_option) or 0)


@evolves(CardCarried)
def evolve_carried(state: TableState, event: CardCarried) -> TableState:
    """The card waits, face down: for the next hand, or for this one while none of its cards is dealt."""
    round_ = state.round
    shoe = replace(state.shoe, carried_cites={**state.shoe.carried_cites, event.position: event.cites})
    if round_.player or round_.banker:
        return replace(state, shoe=replace(shoe, pending=(*shoe.pending, event.position)))
    return replace(state, shoe=replace(shoe, carried=(*shoe.carried, event.position)))


@evolves(CardReassigned)
def evolve_reassigned(state: TableState, event: CardReassigned) -> TableState:
    """The card is the hand's third card; one already seen is turned."""
    round_ = state.round
    turned = round_.turned if event.card is None else {**round_.turned, event.position: event.card}
    if event.to is Side.BANKER:
        round_ = replace(round_, banker=(*round_.banker, event.position))
    else:
        round_ = replace(round_, player=(*round_.player, event.position))
    return replace(state, round=replace(round_, turned=turned))


@evolves(CardsDiscarded)
def evolve_discarded(state: TableState, event: CardsDiscarded) -> TableState:
    """The cards are out of the game; some are still to be shown."""
    shoe = state.shoe
    end = max(shoe.next, event.positions[-1] + 1)
    exposing = (*shoe.exposing, *event.to_show)
    return replace(state, shoe=replace(shoe, next=end, exposing=exposing, exposing_cites=event.cites))


@evolves(DiscardShown)
def evolve_shown(state: TableState, event: DiscardShown) -> TableState:
    """One card less to be shown."""
    shoe = state.shoe
    return replace(
        state,
        shoe=replace(
            shoe,
            exposing=tuple(place for place in shoe.exposing if place != event.position),
            seen=shoe.seen_with(event.card),
        ),
    )


@evolves(SimulatedRoundOrdered)
def evolve_simulated(state: TableState, event: SimulatedRoundOrdered) -> TableState:
    """The card waits, seen, for the round that it opens."""
    shoe = state.shoe
    disclosed = {**shoe.disclosed, event.position: event.card}
    return replace(state, shoe=replace(shoe, disclosed=disclosed, disclosed_cites=event.cites))


@evolves(RoundMadeSimulated)
def evolve_made_simulated(state: TableState, event: RoundMadeSimulated) -> TableState:
    """The round goes on without wagers."""
    round_ = simulated_round(state.round.number, {event.position: event.card}, why=event.cites)
    return replace(state, round=round_, meters=feed_meters(state.meters, event.contributions, event.reserve, sign=-1))


def turn_discard(rules: TableRules, state: TableState, command: TurnCard) -> HandlerResult:
    """Show a card on its way to the discards."""
    if command.position not in state.shoe.exposing:
        return refuse(
            rules, Reason.WRONG_CARDS, "card_not_shown", cites=state.shoe.exposing_cites, position=command.position + 1
        )
    refused = why_unbelievable(rules, state, command)
    return refused or [DiscardShown(position=command.position, card=command.card, cites=state.shoe.exposing_cites)]


add_step(
    EXPOSE,
    due=lambda _rules, state: bool(state.shoe.exposing),
    expect=lambda _rules, state: [Due(by=Role.DEALER, act="turn_card", cites=state.shoe.exposing_cites)],
    cites=lambda _rules, state: state.shoe.exposing_cites,
)


# ---------------------------------------------------------------------------------- asks, fills, tells


tells(RoundMadeSimulated)(
    lambda x: f"A simulated round without wagers is dealt; {card_name(x.card)} is the Player's first card in it."
)
tells(CardCarried)(lambda x: f"Card {number(x.position)} waits, unseen, to be the first card of the next hand.")
tells(CardReassigned)(lambda x: f"Card {number(x.position)} becomes the {x.to}'s third card.")


@tells(CardsDiscarded)
def _tell_discarded(event: CardsDiscarded) -> str:
    first, *rest = event.positions
    if not rest:
        return f"Card {number(first)} goes to the discards."
    if event.to_show:
        shown = "which is now shown" if len(rest) == 1 else "which are now shown"
        return f"Card {number(first)} goes to the discards, and with it {numbers(rest)}, {shown}."
    return f"Card {number(first)} goes to the discards, and with it {numbers(rest)}, face down and not shown."


tells(DiscardShown)(lambda x: f"Card {number(x.position)}, on its way to the discards, is {card_name(x.card)}.")
tells(SimulatedRoundOrdered)(
    lambda x: (
        f"After this round {card_name(x.card)} will be the Player's first card in a simulated round without wagers."
    )
)
