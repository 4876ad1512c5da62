"""Burning: the first card turned up, and as many more as it says, shown or face down as filed."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.hand import values
from baccarat.play.refusal import Refused
from baccarat.play.shoe import shows_burned
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Means
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import add_step, evolves, handles
from baccarat.table.role import Role
from baccarat.table.state import TableState
from baccarat.table.step.clearing import LastHandCalled
from baccarat.table.step.dealing import cover_card_met
from baccarat.table.step.turning import TurnCard, why_unbelievable
from baccarat.table.step_function import Described, asks, describes, tells
from baccarat.table.story_words import card_name, count_of_cards, number, numbers

BURN = "burn"
BURN_MORE = "burn_more"
"""What is asked for once the first card has been burned."""


class BurnCards(Command, frozen=True, kw_only=True, tag="burn_cards"):
    """The dealer draws the first card, or after it is turned the others that it calls for: all, or `cards` of them."""

    cards: Annotated[Count, Means("how many of those that are left to be burned; 0 is all of them")] = 0
    STEPS = frozenset({BURN})
    CARD = CommandCard(console="plain", ask_is_public=True)


class BurnedCardTurned(Event, frozen=True, kw_only=True, tag="burned_card_turned"):
    """A burned card is shown; the first says how many more follow."""

    position: int
    card: Card
    more: int = 0
    CARD = EventCard(sights(everybody="position card more"), sort="card")


class CardsBurned(Event, frozen=True, kw_only=True, tag="cards_burned"):
    """Cards have been burned, shown or face down."""

    positions: tuple[int, ...]
    left: int
    shown: bool
    CARD = EventCard(sights(everybody="positions left shown"), sort="card")


@handles(BurnCards)
def burn_cards(rules: TableRules, state: TableState, command: BurnCards) -> HandlerResult:
    """First one card; once it is turned, as many more as it says."""
    shoe = state.shoe
    if shoe.burn and shoe.burn_left < 0:
        return refuse(rules, Reason.OUT_OF_ORDER, "first_burned_card_turned_first", step=BURN)
    if not shoe.burn and command.cards > 1:
        return refuse(rules, Reason.WRONG_CARDS, "too_many_cards_burned", step=BURN, cards=command.cards, burn_left=1)
    if not shoe.burn:
        first = CardsBurned(positions=(shoe.next,), left=-1, shown=True, cites=rules.cites[BURN])
        return [*cover_card_met(rules, state), first]
    if not shoe.burn_left:
        return refuse(rules, Reason.OUT_OF_ORDER, "burned_cards_shown_now", step=BURN)
    wanted = command.cards or shoe.burn_left
    if not 1 <= wanted <= shoe.burn_left:
        return refuse(
            rules, Reason.WRONG_CARDS, "too_many_cards_burned", step=BURN, cards=command.cards, burn_left=shoe.burn_left
        )
    count = min(wanted, shoe.left)
    left = shoe.burn_left - count if count < shoe.left else 0  # an empty shoe has no more
    places = tuple(range(shoe.next, shoe.next + count))
    met, shown = cover_card_met(rules, state, drawing=count), shows_burned(rules.rulebook)
    burned = CardsBurned(positions=places, left=left, shown=shown, cites=rules.cites[BURN])
    over = not shown and not left
    return [*met, burned, *_after_burn(rules, over=over, out=shoe.cover_out or bool(met))]


def _after_burn(rules: TableRules, *, over: bool, out: bool) -> list[Event]:
    """After the burn, "last hand" immediately if the cover card came out in it (reading A-44)."""
    return [LastHandCalled(cites=rules.cites["last_hand"])] if over and out else []


def turn_burned(rules: TableRules, state: TableState, command: TurnCard) -> HandlerResult:
    """Turn a burned card: the first always, the others where they are shown, or when the shoe is over."""
    shoe = state.shoe
    if command.position not in shoe.burn or command.position in shoe.burned:
        return refuse(rules, Reason.WRONG_CARDS, "card_not_turned_now", step=BURN, position=command.position + 1)
    refused: Refused | None = why_unbelievable(rules, state, command)
    if refused is not None:
        return refused
    is_first = command.position == shoe.burn[0]
    if not is_first and not shoe.burn_shown and not shoe.finished:
        return refuse(rules, Reason.WRONG_CARDS, "burned_cards_stay_face_down", step=BURN)
    more = burn_value(rules, command.card) if is_first else 0
    turned = BurnedCardTurned(position=command.position, card=command.card, more=more, cites=rules.cites[BURN])
    if shoe.finished:
        return [turned]
    over = shoe.burn_left == 0 and set(shoe.burn) - set(shoe.burned) == {command.position}
    return [turned, *_after_burn(rules, over=over, out=shoe.cover_out)]


def burn_value(rules: TableRules, card: Card) -> int:
    """How many more cards the first burned card calls for."""
    return values(rules.edition.burn.value)[card.rank]


@evolves(CardsBurned)
def evolve_burned(state: TableState, event: CardsBurned) -> TableState:
    """Burned cards are out of the shoe."""
    shoe = state.shoe
    end = event.positions[-1] + 1 if event.positions else shoe.next
    shoe = replace(
        shoe, next=end, burn=(*shoe.burn, *event.positions), burn_left=event.left, burn_shown=event.shown
    )  # fmt: skip
    return replace(state, shoe=shoe)


@evolves(BurnedCardTurned)
def evolve_burned_turned(state: TableState, event: BurnedCardTurned) -> TableState:
    """A burned card is known; the first sets the number of the others."""
    shoe = state.shoe
    left = event.more if event.position == shoe.burn[0] else shoe.burn_left
    shoe = replace(
        shoe, burned={**shoe.burned, event.position: event.card}, seen=shoe.seen_with(event.card), burn_left=left
    )
    return replace(state, shoe=shoe)


def burn_due(_desk: TableRules, state: TableState) -> bool:
    """Cards are still to be burned or shown."""
    shoe = state.shoe
    return not shoe.burn or shoe.burn_left != 0 or (shoe.burn_shown and unshown(state) is not None)


def unshown(state: TableState) -> int | None:
    """The first burned card that has not been turned."""
    return next((place for place in state.shoe.burn if place not in state.shoe.burned), None)


def expect_burn(rules: TableRules, state: TableState) -> list[Due]:
    """Draw, turn the first, draw the others, show them where they are shown."""
    hidden = unshown(state) is not None
    act = "turn_card" if state.shoe.burn and hidden and state.shoe.burn_shown else "burn_cards"
    return [Due(by=Role.DEALER, act=act, cites=rules.cites[BURN])]


add_step(BURN, due=burn_due, expect=expect_burn)


@asks(BurnCards)
def _ask_burn(_rules: TableRules, state: TableState, due: Due) -> Due:
    shoe = state.shoe
    if not shoe.burn:
        return replace(due, position=shoe.next, say="The dealer draws the first card of the shoe, which is burned.")
    return replace(due, position=shoe.next, say=f"The dealer burns {count_of_cards(shoe.burn_left)} more.")


tells(CardsBurned)(
    lambda x: (
        f"{numbers(x.positions).capitalize()} {'is' if len(x.positions) == 1 else 'are'} burned"
        + (" and will be shown." if x.shown else ", face down.")
    )
)
tells(BurnedCardTurned)(
    lambda x: (
        f"The burned card {number(x.position)} is {card_name(x.card)}"
        + (f": {x.more} more {'follows' if x.more == 1 else 'follow'}." if x.more else ".")
    )
)


@describes(BurnCards)
def _describe_burn(_rules: TableRules, state: TableState, due: Due) -> Described:
    return (BURN_MORE, {"cards": state.shoe.burn_left}) if state.shoe.burn else (due.act, {})
