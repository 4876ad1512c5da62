"""Shuffling: by as many dealers as the rules require, with cards laced in and shuffled again where that is filed."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.play.refusal import RefusalNote, Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Labels, Means
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.input_field import InputField
from baccarat.table.registration import HANDLERS_2, IsDue, add_step, dealer_does, evolves, handles, handles_actor
from baccarat.table.role import Role
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.step import by_hand
from baccarat.table.step.opening import SHUFFLE, mark_done, shuffles_wanted
from baccarat.table.step_function import Filled, asks, automates, fills, tells
from baccarat.table.story_words import note_text, person, series
from baccarat.table.table_cards import AUTOMATED
from baccarat.table.two_persons import is_same_person

LACE, RESHUFFLE = "lace", "reshuffle"
ABOUT_A_DECK = range(42, 63)
"""Fifty-two cards, ten more or less (reading A-51)."""
LACED = 52
"""About a deck is laced into the stack (reading A-51)."""


class ShuffleCards(Command, frozen=True, kw_only=True, tag="shuffle_cards"):
    """A dealer shuffles the stack, by hand or with a device."""

    steps: Annotated[Labels, Means("the elements of a manual shuffle in their order: riffle, strip, turn, plug …")] = ()
    device: Annotated[bool, Means("whether a device shuffles")] = False
    cards: Annotated[Count, Means("how many are shuffled again, where some are; 0 is the whole stack")] = 0
    """How many cards are shuffled again, where some of them are; 0 means the whole stack."""
    STEPS = frozenset({SHUFFLE, RESHUFFLE})
    OPENS_SHOE = True
    CARD = CommandCard(ask_is_public=True)


class LaceCards(Command, frozen=True, kw_only=True, tag="lace_cards"):
    """The dealer laces a number of cards into the stack."""

    cards: Annotated[Count, Means("how many cards")]
    STEPS = frozenset({LACE})
    CARD = CommandCard(ask="The dealer laces cards into the stack.", ask_is_public=True)


class CardsShuffled(Event, frozen=True, kw_only=True, tag="cards_shuffled"):
    """The stack has been shuffled, with warnings where the text says "should"."""

    by: str
    last: bool
    again: bool = False
    steps: tuple[str, ...] = ()
    device: bool = False
    cards: int = 0
    warnings: tuple[RefusalNote, ...] = ()
    CARD = EventCard(
        sights(everybody="last again steps device cards", staff="by warnings"),
        sort="other",
        short="The cards are shuffled.",
    )


class CardsLaced(Event, frozen=True, kw_only=True, tag="cards_laced"):
    """Cards have been laced into the stack."""

    cards: int
    warnings: tuple[RefusalNote, ...] = ()
    CARD = EventCard(sights(everybody="cards", staff="warnings"), sort="other")


@handles_actor(ShuffleCards)
def shuffle(rules: TableRules, state: TableState, command: ShuffleCards, actor: Actor) -> HandlerResult:
    """Shuffle; where three dealers must, each once, however their names are written."""
    outcome = _shuffle_by_version_2(rules, state, command, actor)
    if isinstance(outcome, Refused) or not state.is_on_record or shuffles_wanted(rules) == 1:
        return outcome
    if state.step == SHUFFLE and any(is_same_person(actor.who, each) for each in state.shoe.shuffled_by):
        return refuse(rules, Reason.OUT_OF_ORDER, "shuffled_already", step=SHUFFLE, by=actor.who)
    return outcome


def _shuffle_by_version_2(rules: TableRules, state: TableState, command: ShuffleCards, actor: Actor) -> HandlerResult:
    """Version 2 took another spelling of a name for another dealer; a manual shuffle holds the named elements."""
    again = state.step == RESHUFFLE
    by = actor.who
    if by not in state.seats.dealers:
        why, dealers = Reason.NOT_ENTITLED, ", ".join(state.seats.dealers)
        return refuse(rules, why, "shuffler_not_on_the_game", step=state.step, by=by, dealers=dealers)
    if again and by != state.seats.dealers[0]:
        return refuse(rules, Reason.NOT_ENTITLED, "dealer_calling_game_shuffles_again", step=state.step)
    wanted = shuffles_wanted(rules)
    if wanted > 1 and len(state.seats.dealers) < wanted:
        return refuse(
            rules, Reason.NOT_ENTITLED, "too_few_dealers", step=SHUFFLE, wanted=wanted, count=len(state.seats.dealers)
        )
    if wanted > 1 and by in state.shoe.shuffled_by:
        return refuse(rules, Reason.OUT_OF_ORDER, "shuffled_already", step=SHUFFLE, by=by)
    if refused := _wrong_part(rules, state, command):
        return refused
    if command.steps or not (again or command.device):
        wrong = by_hand.fault(rules, command.steps, fresh=state.shoe.is_fresh)
        if wrong is not None:
            return refuse(rules, Reason.OUT_OF_ORDER, wrong.what, *wrong.cite, **wrong.params)
    noted, law = by_hand.warnings(rules, command.steps), rules.edition.manual_shuffle
    keys = law.cite if law is not None and command.steps else ()
    last = again or len(state.shoe.shuffled_by) + 1 >= wanted
    cites = (*rules.cites[state.step], *rules.cite_text(*keys, *(key for each in noted for key in each.cite)))
    return [
        CardsShuffled(
            by=by,
            last=last,
            again=again,
            steps=command.steps,
            device=command.device,
            cards=command.cards,
            warnings=tuple(each.note for each in noted),
            cites=cites,
        )
    ]


HANDLERS_2[ShuffleCards] = _shuffle_by_version_2


def _wrong_part(rules: TableRules, state: TableState, command: ShuffleCards) -> Refused | None:
    """The whole stack is shuffled; where some cards are elected to be reshuffled, the dealer says how many (A-93)."""
    some = state.step == RESHUFFLE and rules.elections.reshuffle_after_lace == "some"
    if some and not 0 < command.cards < state.shoe.cards:
        return refuse(
            rules, Reason.WRONG_CARDS, "says_how_many_are_shuffled", step=state.step, cards=state.shoe.cards - 1
        )
    if not some and command.cards:
        return refuse(rules, Reason.WRONG_CARDS, "whole_stack_is_shuffled", step=state.step, cards=command.cards)
    return None


@handles(LaceCards)
def lace(rules: TableRules, _state: TableState, command: LaceCards) -> HandlerResult:
    """Lace about one deck; much more or less is noted."""
    if command.cards <= 0:
        return refuse(rules, Reason.WRONG_CARDS, "lacing_takes_cards", step=LACE)
    about = command.cards in ABOUT_A_DECK
    warnings = () if about else (RefusalNote("not_about_one_deck", {"cards": command.cards}),)
    return [CardsLaced(cards=command.cards, warnings=warnings, cites=rules.cites[LACE])]


@evolves(CardsShuffled)
def evolve_shuffled(state: TableState, event: CardsShuffled) -> TableState:
    """One more shuffle; the step ends with the last."""
    if event.again:
        return replace(state, shoe=mark_done(state, RESHUFFLE))
    shoe = mark_done(state, SHUFFLE) if event.last else state.shoe
    return replace(state, shoe=replace(shoe, shuffled_by=(*state.shoe.shuffled_by, event.by)))


evolves(CardsLaced)(lambda state, _: replace(state, shoe=mark_done(state, LACE)))


def undone(step: str) -> IsDue:
    """Whether an act of shuffling is still to be done; cards shuffled elsewhere skip it."""
    return lambda _rules, state: not state.shoe.preshuffled and step not in state.shoe.done


def expect_shuffle(rules: TableRules, state: TableState) -> list[Due]:
    """A dealer shuffles; where three must and fewer are on the game, another comes on."""
    if state.step == SHUFFLE and len(state.seats.dealers) < shuffles_wanted(rules):
        by = Role.DEALER if state.cards is AUTOMATED else Role.FLOORPERSON  # the program is all the dealers there
        return [Due(by=by, act="come_on", cites=rules.cites[SHUFFLE])]
    return [Due(by=Role.DEALER, act="shuffle_cards", cites=rules.cites[state.step])]


add_step(SHUFFLE, due=undone(SHUFFLE), expect=expect_shuffle)
add_step(LACE, due=undone(LACE), expect=dealer_does("lace_cards", LACE))
add_step(RESHUFFLE, due=undone(RESHUFFLE), expect=expect_shuffle)


@fills(ShuffleCards)
def _fill_shuffle(rules: TableRules, state: TableState, _due: Due) -> Filled:
    law = rules.edition.manual_shuffle
    fields: list[InputField] = []
    if law is not None:
        usual = by_hand.usual_steps(rules, fresh=state.shoe.is_fresh)
        fields.append(InputField(name="steps", kind="series", value=usual, choices=tuple(law.elements)))
        fields.append(InputField(name="device", kind="flag", value=False, leaves_out="steps"))
    if state.step == RESHUFFLE and rules.elections.reshuffle_after_lace == "some":
        fields.append(InputField(name="cards", kind="number", value=LACED, least=1, most=state.shoe.cards - 1))
    return {}, tuple(fields)


@fills(LaceCards)
def _fill_lace(_rules: TableRules, state: TableState, _due: Due) -> Filled:
    return {}, (InputField(name="cards", kind="number", value=LACED, least=1, most=state.shoe.cards),)


@asks(ShuffleCards)
def _ask_shuffle(rules: TableRules, state: TableState, due: Due) -> Due:
    wanted, done = shuffles_wanted(rules), len(state.shoe.shuffled_by)
    if state.step == "shuffle" and wanted > 1:
        return replace(due, say=f"Dealer {done + 1} of {wanted} shuffles the cards.")
    again = " again" if state.step != "shuffle" or state.shoe.reshuffle else ""
    return replace(due, say=f"A dealer shuffles the cards{again}.")


@automates(ShuffleCards)
def _make_shuffle(rules: TableRules, state: TableState, _due: Due, _source: CardSource) -> Command:
    steps = by_hand.usual_steps(rules, fresh=state.shoe.is_fresh)
    some = state.step == "reshuffle" and rules.elections.reshuffle_after_lace == "some"
    return ShuffleCards(steps=steps, cards=LACED if some else 0)


automates(LaceCards)(lambda *_: LaceCards(cards=LACED))
tells(CardsShuffled)(
    lambda x: (
        f"{person(x.by)} shuffles {f'{x.cards} cards' if x.cards else 'the cards'}{' again' if x.again else ''}"
        f"{' with a device' if x.device else ''}{f': {series(x.steps)}' if x.steps else ''}"
        f"{note_text(x.warnings)}."
    )
)
tells(CardsLaced)(lambda x: f"{x.cards} cards are laced into the stack{note_text(x.warnings)}.")
