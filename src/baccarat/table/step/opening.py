"""Opening: decks received, inspected, verified, spread for the first arrivals, washed and stacked."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.table.actor import Actor
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Label, Means
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.input_field import InputField
from baccarat.table.registration import IsDue, add_step, dealer_does, evolves, handles, handles_actor
from baccarat.table.role import Role
from baccarat.table.shoe_state import Shoe
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.step_function import Filled, asks, automates, describes, fills, labels, tells
from baccarat.table.story_words import PREPARATION
from baccarat.table.two_persons import are_different

RECEIVE, INSPECT, VERIFY, SPREAD, WASH, STACK = "receive", "inspect", "verify", "spread", "wash", "stack"
SHUFFLE, CLOSE = "shuffle", "close"
BY_HAND = (INSPECT, VERIFY, SPREAD, WASH, STACK)


class ReceiveCards(Command, frozen=True, kw_only=True, tag="receive_cards"):
    """A set of cards comes to the table, as its decks' boxes name it."""

    set_id: Annotated[Label, Means("what the boxes of the decks say")]
    decks: Annotated[Count, Means("how many decks came")]
    preshuffled: Annotated[bool, Means("whether they came shuffled")] = False
    batch_shuffled: Annotated[bool, Means("whether they came out of a batch shuffler")] = False
    STEPS = frozenset({RECEIVE})
    OPENS_SHOE = True
    CARD = CommandCard(public_ask="Cards come to the table.")


class PrepareCards(Command, frozen=True, kw_only=True, tag="prepare_cards"):
    """One of the acts that prepare the cards: inspect, verify, spread, wash, stack."""

    act: Annotated[Label, Means("the step at which the table is: inspect, verify, spread, wash or stack")]
    ROLES = frozenset({Role.DEALER, Role.FLOORPERSON})
    STEPS = frozenset(BY_HAND)
    OPENS_SHOE = True
    CARD = CommandCard(group="orders", ask_is_public=True)

    def usual_role(self) -> Role:
        """The floorperson verifies what the dealer has inspected."""
        return Role.FLOORPERSON if self.act == VERIFY else Role.DEALER


class CardsReceived(Event, frozen=True, kw_only=True, tag="cards_received"):
    """A set of cards is at the table."""

    set_id: str
    decks: int
    preshuffled: bool = False
    batch_shuffled: bool = False
    CARD = EventCard(
        sights(everybody="decks preshuffled batch_shuffled", staff="set_id"),
        sort="other",
        short="Cards come to the table.",
    )


class CardsPrepared(Event, frozen=True, kw_only=True, tag="cards_prepared"):
    """One act of preparation is done."""

    act: str
    by: Role
    inspector: str | UnsetType = UNSET
    """Who inspected the cards, at a table that is on record."""
    CARD = EventCard(sights(everybody="act by", staff="inspector"), sort="other")


@handles(ReceiveCards)
def receive(rules: TableRules, state: TableState, command: ReceiveCards) -> HandlerResult:
    """Take in a set of the filed size; where the document requires new decks, a set other than the last."""
    decks, options = rules.elections.decks, rules.edition.options
    if not command.set_id.strip():
        return refuse(rules, Reason.NO_REASON, "cards_without_an_id", step=RECEIVE)
    if command.decks != decks:
        why, keys = Reason.WRONG_CARDS, options["decks"].cite
        return refuse(rules, why, "other_number_of_decks", *keys, decks=command.decks, decks_2=decks)
    if command.set_id == state.shoe.former_set:
        keys = rules.edition.void.cite if state.shoe.after_void else ()
        return refuse(rules, Reason.WRONG_CARDS, "set_just_played", *keys, step=CLOSE, set_id=command.set_id)
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
def prepare(rules: TableRules, state: TableState, command: PrepareCards, actor: Actor) -> HandlerResult:
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
    inspector = state.shoe.inspector
    if command.act == VERIFY and inspector is not UNSET and not are_different(inspector, actor.who):
        return refuse(rules, Reason.SAME_PERSON, "verifies_what_he_inspected", step=VERIFY, who=actor.who)
    cites = rules.cites[SHUFFLE if state.shoe.reshuffle else state.step]
    named = actor.who if command.act == INSPECT and state.is_on_record else UNSET
    return [CardsPrepared(act=command.act, by=actor.role, inspector=named, cites=cites)]


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
        cutter=state.shoe.cutter,
        commitment=state.shoe.commitment,
        former_seed=state.shoe.former_seed,
        given_before=state.shoe.goodwill + state.shoe.given_before,
    )
    return replace(state, shoe=shoe)


def shuffles_wanted(rules: TableRules) -> int:
    """How many dealers shuffle the stack."""
    return 3 if rules.elections.shuffle_method == 2 else 1


def mark_done(state: TableState, act: str) -> Shoe:
    """The shoe with an act of preparation done."""
    return replace(state.shoe, done=(*state.shoe.done, act))


@evolves(CardsPrepared)
def evolve_prepared(state: TableState, event: CardsPrepared) -> TableState:
    """The act is done; who inspected is remembered until the cards are verified."""
    return replace(state, shoe=replace(mark_done(state, event.act), inspector=event.inspector))


def by_hand_due(step: str) -> IsDue:
    """Whether an act of preparation is still to be done; cards shuffled elsewhere skip them.

    A set that is reshuffled needs no inspection; three dealers wash and stack it before they shuffle.
    """

    def due(rules: TableRules, state: TableState) -> bool:
        shoe = state.shoe
        again = shoe.reshuffle and not (step in (WASH, STACK) and shuffles_wanted(rules) > 1)
        return not (shoe.preshuffled or again) and step not in shoe.done

    return due


def expect_prepare(rules: TableRules, state: TableState) -> list[Due]:
    """The next act of preparation; the wash waits for a participant."""
    by = Role.FLOORPERSON if state.step == VERIFY else Role.DEALER
    if state.step == WASH and not (state.occupied or state.shoe.reshuffle):
        return [Due(by=Role.PARTICIPANT, act="sit", cites=rules.cites[SPREAD])]
    return [Due(by=by, act="prepare_cards", cites=rules.cites[state.step])]


add_step(RECEIVE, due=lambda _rules, state: not state.shoe.set_id, expect=dealer_does("receive_cards", RECEIVE))
for _by_hand in BY_HAND:
    add_step(_by_hand, due=by_hand_due(_by_hand), expect=expect_prepare)


# ---------------------------------------------------------------------------------- asks, fills, tells


@fills(ReceiveCards)
def _fill_receive(rules: TableRules, _state: TableState, _due: Due) -> Filled:
    ways = [
        InputField(name=name, kind="flag", value=False)
        for option, name in (("preshuffled", "preshuffled"), ("batch_shuffler", "batch_shuffled"))
        if rules.elects(option)
    ]
    return {"decks": rules.elections.decks}, (InputField(name="set_id", kind="text"), *ways)


fills(PrepareCards)(lambda _rules, state, _due: ({"act": state.step}, ()))


@asks(ReceiveCards)
def _ask_receive(rules: TableRules, state: TableState, due: Due) -> Due:
    kind = f"another set than {state.shoe.former_set}" if state.shoe.former_set else "a set"
    return replace(due, say=f"The dealer receives {rules.elections.decks} decks of cards, {kind}.")


@asks(PrepareCards)
def _ask_prepare(_rules: TableRules, state: TableState, due: Due) -> Due:
    done = PREPARATION.get(state.step, f"does the act of {state.step.replace('_', ' ')}")
    return replace(due, say=f"The {due.by.value} {done}.")


@automates(ReceiveCards)
def _make_receive(rules: TableRules, state: TableState, _due: Due, _source: CardSource) -> Command:
    decks = rules.elections.decks or 0
    return ReceiveCards(set_id=f"set {state.shoe.number + 1}", decks=decks)


automates(PrepareCards)(lambda _rules, state, _due, _source: PrepareCards(act=state.step))


tells(CardsReceived)(lambda x: f"{x.decks} decks come to the table: {x.set_id}.")
tells(CardsPrepared)(lambda x: f"The {x.by.value} {PREPARATION[x.act]}.")


describes(PrepareCards)(lambda _rules, state, due: (f"{due.act}_{state.step}", {}))


labels(PrepareCards)(lambda _rules, state, _due: state.step)
