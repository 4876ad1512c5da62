"""Opening: decks received, inspected, verified, spread for the first arrivals, washed, stacked, shuffled, laced."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec.structs import replace

from baccarat.play.refusal import RefusalNote, Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import sights
from baccarat.table.base import (
    Command,
    Due,
    Event,
    IsDue,
    Outcome,
    Reason,
    TableRules,
    add_step,
    evolves,
    handles,
    handles_actor,
    refuse,
)
from baccarat.table.bounds import Count, Label, Labels, Means
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.input_field import InputField
from baccarat.table.role import Role
from baccarat.table.source import CardSource
from baccarat.table.state import Shoe, TableState
from baccarat.table.step import by_hand
from baccarat.table.step_function import Filled, asks, automates, fills, tells
from baccarat.table.story_words import PREPARATION, note_text, person, series

RECEIVE, INSPECT, VERIFY, SPREAD, WASH, STACK = "receive", "inspect", "verify", "spread", "wash", "stack"
SHUFFLE, LACE, RESHUFFLE, CLOSE = "shuffle", "lace", "reshuffle", "close"
BY_HAND = (INSPECT, VERIFY, SPREAD, WASH, STACK)
ABOUT_A_DECK = range(42, 63)
LACED = 52
"""About a deck is laced into the stack (reading A-51)."""
"""Fifty-two cards, ten more or less (reading A-51)."""


class ReceiveCards(Command, frozen=True, kw_only=True, tag="receive_cards"):
    """A set of cards comes to the table, as its decks' boxes name it."""

    set_id: Annotated[Label, Means("what the boxes of the decks say")]
    decks: Annotated[Count, Means("how many decks came")]
    preshuffled: Annotated[bool, Means("whether they came shuffled")] = False
    batch_shuffled: Annotated[bool, Means("whether they came out of a batch shuffler")] = False
    STEPS: ClassVar[frozenset[str]] = frozenset({RECEIVE})
    OPENS_SHOE: ClassVar[bool] = True


class PrepareCards(Command, frozen=True, kw_only=True, tag="prepare_cards"):
    """One of the acts that prepare the cards: inspect, verify, spread, wash, stack."""

    act: Annotated[Label, Means("the step at which the table is: inspect, verify, spread, wash or stack")]
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.DEALER, Role.FLOORPERSON})
    STEPS: ClassVar[frozenset[str]] = frozenset(BY_HAND)
    OPENS_SHOE: ClassVar[bool] = True
    CARD: ClassVar[CommandCard] = CommandCard(group="orders")

    def usual_role(self) -> Role:
        """The floorperson verifies what the dealer has inspected."""
        return Role.FLOORPERSON if self.act == VERIFY else Role.DEALER


class ShuffleCards(Command, frozen=True, kw_only=True, tag="shuffle_cards"):
    """A dealer shuffles the stack, by hand or with a device."""

    steps: Annotated[Labels, Means("the elements of a manual shuffle in their order: riffle, strip, turn, plug …")] = ()
    device: Annotated[bool, Means("whether a device shuffles")] = False
    cards: Annotated[Count, Means("how many are shuffled again, where some are; 0 is the whole stack")] = 0
    """How many cards are shuffled again, where some of them are; none said means the whole stack."""
    STEPS: ClassVar[frozenset[str]] = frozenset({SHUFFLE, RESHUFFLE})
    OPENS_SHOE: ClassVar[bool] = True


class LaceCards(Command, frozen=True, kw_only=True, tag="lace_cards"):
    """The dealer laces so many cards into the stack."""

    cards: Annotated[Count, Means("how many cards")]
    STEPS: ClassVar[frozenset[str]] = frozenset({LACE})
    CARD: ClassVar[CommandCard] = CommandCard(ask="The dealer laces cards into the stack.")


class CardsReceived(Event, frozen=True, kw_only=True, tag="cards_received"):
    """A set of cards is at the table."""

    CARD: ClassVar[EventCard] = EventCard(
        sights(everybody="decks preshuffled batch_shuffled", staff="set_id"),
        sort="other",
        short="Cards come to the table.",
    )

    set_id: str
    decks: int
    preshuffled: bool = False
    batch_shuffled: bool = False


class CardsPrepared(Event, frozen=True, kw_only=True, tag="cards_prepared"):
    """One act of preparation is done."""

    CARD: ClassVar[EventCard] = EventCard(sights(everybody="act by"), sort="other")

    act: str
    by: Role


class CardsShuffled(Event, frozen=True, kw_only=True, tag="cards_shuffled"):
    """The stack has been shuffled, with warnings where the text says should."""

    CARD: ClassVar[EventCard] = EventCard(
        sights(everybody="last again steps device cards", staff="by warnings"),
        sort="other",
        short="The cards are shuffled.",
    )

    by: str
    last: bool
    again: bool = False
    steps: tuple[str, ...] = ()
    device: bool = False
    cards: int = 0
    warnings: tuple[RefusalNote, ...] = ()


class CardsLaced(Event, frozen=True, kw_only=True, tag="cards_laced"):
    """Cards have been laced into the stack."""

    CARD: ClassVar[EventCard] = EventCard(sights(everybody="cards", staff="warnings"), sort="other")

    cards: int
    warnings: tuple[RefusalNote, ...] = ()


@handles(ReceiveCards)
def receive(rules: TableRules, state: TableState, command: ReceiveCards) -> Outcome:
    """Take in a set of the filed size; where the document wants new decks, another than the last."""
    decks, options = rules.elections.decks, rules.edition.options
    if not command.set_id.strip():
        return refuse(rules, Reason.NO_REASON, "cards_without_an_id", step=RECEIVE)
    if command.decks != decks:
        return refuse(
            rules,
            Reason.WRONG_CARDS,
            "other_number_of_decks",
            *options["decks"].cite,
            decks=command.decks,
            decks_2=decks,
        )
    if command.set_id == state.shoe.former_set:
        void = state.shoe.after_void
        return refuse(
            rules,
            Reason.WRONG_CARDS,
            "set_just_played",
            *(rules.edition.void.cite if void else ()),
            step=CLOSE,
            set_id=command.set_id,
        )
    for name, said, words in (
        ("preshuffled", command.preshuffled, "pre-shuffled cards are"),
        ("batch_shuffler", command.batch_shuffled, "a batch shuffler is"),
    ):
        if said and not rules.elects(name):
            keys = options[name].cite if name in options else ()
            return refuse(rules, Reason.NOT_OFFERED, "way_of_cards_not_filed", *keys, step=RECEIVE, words=words)
    how = [*(options["preshuffled"].cite if command.preshuffled else ())]
    how += options["batch_shuffler"].cite if command.batch_shuffled else ()
    return [
        CardsReceived(
            set_id=command.set_id,
            decks=command.decks,
            preshuffled=command.preshuffled,
            batch_shuffled=command.batch_shuffled,
            cites=tuple(dict.fromkeys((*rules.cites[RECEIVE], *rules.cite_text(*how)))),
        )
    ]


@handles_actor(PrepareCards)
def prepare(rules: TableRules, state: TableState, command: PrepareCards, actor: Actor) -> Outcome:
    """The acts of preparation come in their order, each by the person it belongs to."""
    if command.act != state.step:
        known = command.act if command.act in BY_HAND else state.step
        return refuse(rules, Reason.OUT_OF_ORDER, "another_act_comes_next", step=known, at=state.step, act=command.act)
    wanted = Role.FLOORPERSON if command.act == VERIFY else Role.DEALER
    if actor.role is not wanted:
        return refuse(
            rules, Reason.WRONG_ROLE, "another_does_that", step=command.act, wanted=wanted.value, role=actor.role.value
        )
    if command.act == WASH and not (state.occupied or state.shoe.reshuffle):
        return refuse(rules, Reason.OUT_OF_ORDER, "nobody_has_looked_yet", step=WASH)
    cites = rules.cites[SHUFFLE if state.shoe.reshuffle else state.step]
    return [CardsPrepared(act=command.act, by=actor.role, cites=cites)]


@handles_actor(ShuffleCards)
def shuffle(rules: TableRules, state: TableState, command: ShuffleCards, actor: Actor) -> Outcome:
    """Shuffle; where three dealers must, each once; a manual shuffle holds the named elements."""
    again = state.step == RESHUFFLE
    by = actor.who
    if by not in state.seats.dealers:
        return refuse(
            rules,
            Reason.NOT_ENTITLED,
            "shuffler_not_on_the_game",
            step=state.step,
            by=by,
            dealers=", ".join(state.seats.dealers),
        )
    if again and by != state.seats.dealers[0]:
        return refuse(rules, Reason.NOT_ENTITLED, "dealer_calling_game_shuffles_again", step=state.step)
    wanted = shuffles_wanted(rules)
    if wanted > 1 and len(state.seats.dealers) < wanted:
        return refuse(
            rules, Reason.NOT_ENTITLED, "too_few_dealers", step=SHUFFLE, wanted=wanted, count=len(state.seats.dealers)
        )
    if wanted > 1 and by in state.shoe.shuffled_by:
        return refuse(rules, Reason.OUT_OF_ORDER, "shuffled_already", step=SHUFFLE, by=by)
    refused = _wrong_part(rules, state, command)
    if refused is not None:
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


def _wrong_part(rules: TableRules, state: TableState, command: ShuffleCards) -> Refused | None:
    """The whole stack is shuffled; again, where some cards are elected, so many of it as the dealer says (A-93)."""
    some = state.step == RESHUFFLE and rules.elections.reshuffle_after_lace == "some"
    if some and not 0 < command.cards < state.shoe.cards:
        return refuse(
            rules, Reason.WRONG_CARDS, "says_how_many_are_shuffled", step=state.step, cards=state.shoe.cards - 1
        )
    if not some and command.cards:
        return refuse(rules, Reason.WRONG_CARDS, "whole_stack_is_shuffled", step=state.step, cards=command.cards)
    return None


def shuffles_wanted(rules: TableRules) -> int:
    """How many dealers shuffle the stack."""
    return 3 if rules.elections.shuffle_method == 2 else 1


@handles(LaceCards)
def lace(rules: TableRules, _state: TableState, command: LaceCards) -> Outcome:
    """Lace about one deck; much more or less is noted."""
    if command.cards <= 0:
        return refuse(rules, Reason.WRONG_CARDS, "lacing_takes_cards", step=LACE)
    about = command.cards in ABOUT_A_DECK
    warnings = () if about else (RefusalNote("not_about_one_deck", {"cards": command.cards}),)
    return [CardsLaced(cards=command.cards, warnings=warnings, cites=rules.cites[LACE])]


@evolves(CardsReceived)
def evolve_received(state: TableState, event: CardsReceived) -> TableState:
    """A new set lies on the table."""
    shoe = Shoe(
        number=state.shoe.number,
        set_id=event.set_id,
        former_set=state.shoe.former_set,
        used_sets=state.shoe.used_sets,
        after_void=state.shoe.after_void,
        decks=event.decks,
        preshuffled=event.preshuffled or event.batch_shuffled,
        commitment=state.shoe.commitment,
        former_seed=state.shoe.former_seed,
    )
    return replace(state, shoe=shoe)


def _mark(state: TableState, act: str) -> Shoe:
    return replace(state.shoe, done=(*state.shoe.done, act))


@evolves(CardsPrepared)
def evolve_prepared(state: TableState, event: CardsPrepared) -> TableState:
    """The act is done."""
    return replace(state, shoe=_mark(state, event.act))


@evolves(CardsShuffled)
def evolve_shuffled(state: TableState, event: CardsShuffled) -> TableState:
    """One shuffle more; the step ends with the last."""
    if event.again:
        return replace(state, shoe=_mark(state, RESHUFFLE))
    shoe = _mark(state, SHUFFLE) if event.last else state.shoe
    return replace(state, shoe=replace(shoe, shuffled_by=(*state.shoe.shuffled_by, event.by)))


@evolves(CardsLaced)
def evolve_laced(state: TableState, _event: CardsLaced) -> TableState:
    """The stack is laced."""
    return replace(state, shoe=_mark(state, LACE))


def receive_due(_desk: TableRules, state: TableState) -> bool:
    """No set of cards is at the table."""
    return not state.shoe.set_id


def by_hand_due(step: str) -> IsDue:
    """Whether an act of preparation is still to be done; cards shuffled elsewhere skip them.

    A set that is shuffled again needs no inspection; three dealers wash and stack it before they shuffle.
    """

    def due(rules: TableRules, state: TableState) -> bool:
        shoe = state.shoe
        again = shoe.reshuffle and not (step in (WASH, STACK) and shuffles_wanted(rules) > 1)
        return not (shoe.preshuffled or again) and step not in shoe.done

    return due


def shuffle_due(_desk: TableRules, state: TableState) -> bool:
    """The cards are not shuffled."""
    return not state.shoe.preshuffled and SHUFFLE not in state.shoe.done


def lace_due(_desk: TableRules, state: TableState) -> bool:
    """The cards are not laced."""
    return not state.shoe.preshuffled and LACE not in state.shoe.done


def reshuffle_due(_desk: TableRules, state: TableState) -> bool:
    """The cards are not shuffled again after lacing."""
    return not state.shoe.preshuffled and RESHUFFLE not in state.shoe.done


def expect_receive(rules: TableRules, _state: TableState) -> list[Due]:
    """Cards come to the table."""
    return [Due(by=Role.DEALER, act="receive_cards", cites=rules.cites[RECEIVE])]


def expect_prepare(rules: TableRules, state: TableState) -> list[Due]:
    """The next act of preparation; the wash waits for a participant."""
    by = Role.FLOORPERSON if state.step == VERIFY else Role.DEALER
    if state.step == WASH and not (state.occupied or state.shoe.reshuffle):
        return [Due(by=Role.PARTICIPANT, act="sit", cites=rules.cites[SPREAD])]
    return [Due(by=by, act="prepare_cards", cites=rules.cites[state.step])]


def expect_shuffle(rules: TableRules, state: TableState) -> list[Due]:
    """A dealer shuffles; where three must and fewer are on the game, another comes on."""
    if state.step == SHUFFLE and len(state.seats.dealers) < shuffles_wanted(rules):
        return [Due(by=Role.FLOORPERSON, act="come_on", cites=rules.cites[SHUFFLE])]
    return [Due(by=Role.DEALER, act="shuffle_cards", cites=rules.cites[state.step])]


def expect_lace(rules: TableRules, _state: TableState) -> list[Due]:
    """The dealer laces."""
    return [Due(by=Role.DEALER, act="lace_cards", cites=rules.cites[LACE])]


add_step(RECEIVE, due=receive_due, expect=expect_receive)
add_step(SHUFFLE, due=shuffle_due, expect=expect_shuffle)
add_step(LACE, due=lace_due, expect=expect_lace)
add_step(RESHUFFLE, due=reshuffle_due, expect=expect_shuffle)
for _by_hand in BY_HAND:
    add_step(_by_hand, due=by_hand_due(_by_hand), expect=expect_prepare)


# ------------------------------------------------------------------------------- asked, prepared, told


@fills(ReceiveCards)
def _fill_receive(rules: TableRules, _state: TableState, _due: Due) -> Filled:
    ways = [
        InputField(name=name, kind="flag", value=False)
        for option, name in (("preshuffled", "preshuffled"), ("batch_shuffler", "batch_shuffled"))
        if rules.elects(option)
    ]
    return {"decks": rules.elections.decks}, (InputField(name="set_id", kind="text"), *ways)


@fills(PrepareCards)
def _fill_prepare(_rules: TableRules, state: TableState, _due: Due) -> Filled:
    return {"act": state.step}, ()


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


@asks(ReceiveCards)
def _ask_receive(rules: TableRules, state: TableState, due: Due) -> Due:
    kind = f"another set than {state.shoe.former_set}" if state.shoe.former_set else "a set"
    return replace(due, say=f"The dealer receives {rules.elections.decks} decks of cards, {kind}.")


@asks(PrepareCards)
def _ask_prepare(_rules: TableRules, state: TableState, due: Due) -> Due:
    done = PREPARATION.get(state.step, f"does the act of {state.step.replace('_', ' ')}")
    return replace(due, say=f"The {due.by.value} {done}.")


@asks(ShuffleCards)
def _ask_shuffle(rules: TableRules, state: TableState, due: Due) -> Due:
    wanted, done = shuffles_wanted(rules), len(state.shoe.shuffled_by)
    if state.step == "shuffle" and wanted > 1:
        return replace(due, say=f"Dealer {done + 1} of {wanted} shuffles the cards.")
    again = " again" if state.step != "shuffle" or state.shoe.reshuffle else ""
    return replace(due, say=f"A dealer shuffles the cards{again}.")


@automates(ReceiveCards)
def _make_receive(rules: TableRules, state: TableState, _due: Due, _source: CardSource) -> Command:
    decks = rules.elections.decks or 0
    return ReceiveCards(set_id=f"set {state.shoe.number + 1}", decks=decks)


@automates(PrepareCards)
def _make_prepare(_rules: TableRules, state: TableState, _due: Due, _source: CardSource) -> Command:
    return PrepareCards(act=state.step)


@automates(ShuffleCards)
def _make_shuffle(rules: TableRules, state: TableState, _due: Due, _source: CardSource) -> Command:
    steps = by_hand.usual_steps(rules, fresh=state.shoe.is_fresh)
    some = state.step == "reshuffle" and rules.elections.reshuffle_after_lace == "some"
    return ShuffleCards(steps=steps, cards=LACED if some else 0)


automates(LaceCards)(lambda *_: LaceCards(cards=LACED))


tells(CardsReceived)(lambda x: f"{x.decks} decks come to the table: {x.set_id}.")
tells(CardsPrepared)(lambda x: f"The {x.by.value} {PREPARATION[x.act]}.")
tells(CardsShuffled)(
    lambda x: (
        f"{person(x.by)} shuffles {f'{x.cards} cards' if x.cards else 'the cards'}{' again' if x.again else ''}"
        f"{' with a device' if x.device else ''}{f': {series(x.steps)}' if x.steps else ''}"
        f"{note_text(x.warnings)}."
    )
)
tells(CardsLaced)(lambda x: f"{x.cards} cards are laced into the stack{note_text(x.warnings)}.")
