"""A mis-keyed card, corrected: a new event that names the old, and what follows from the right card (reading A-88)."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import sights
from baccarat.table.base import Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Position
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.correction import Correction, both_persons, refuse_without_second
from baccarat.table.due_settlement import stop_settlement_events
from baccarat.table.field_type import SeenCard
from baccarat.table.irregularity.error_card import law_of, whose_card
from baccarat.table.irregularity.remedy import CardReassigned, evolve_reassigned
from baccarat.table.registration import EVOLVERS, HANDLERS_1, evolves, handles_actor
from baccarat.table.state import TableState
from baccarat.table.step.announcing import changes_result, evolve_withdrawn, is_untouched, withdrawal_event
from baccarat.table.step.burning import burn_value
from baccarat.table.step.house_money import presses_undone
from baccarat.table.step_function import tells, tells_in_part
from baccarat.table.story_words import by_two, card_name, number
from baccarat.table.tableau import next_to_draw


class CorrectCard(Correction, frozen=True, kw_only=True, tag="correct_card"):
    """A card of this round, or of the burn, was keyed wrongly."""

    position: Position
    card: SeenCard
    CORRECTED = "card"
    CARD = CommandCard(group="corrections", discretion="card")


class CardCorrected(Event, frozen=True, kw_only=True, tag="card_corrected"):
    """A card was keyed wrongly and is now right; before the result its hand's count is called again."""

    corrects: int
    position: int
    was: Card
    card: Card
    burn_left: int | None = None
    """How many cards are still to be burned, where it was the first card of a burn that is not over."""
    reason: str
    requester: str
    approver: str
    REWINDS = True
    CARD = EventCard(
        sights(everybody="position was card burn_left", house="corrects", floor="reason requester approver"),
        sort="correction",
        alert="correction",
        short="A card is corrected.",
    )


class ThirdCardTakenBack(Event, frozen=True, kw_only=True, tag="third_card_taken_back"):
    """A third card was dealt on a count that was wrong: it leaves the hand, and the clauses say where it goes."""

    position: int
    side: Side
    card: Card | None = None
    CARD = EventCard(sights(everybody="position side card"), sort="correction")


@handles_actor(CorrectCard)
def correct_card(rules: TableRules, state: TableState, command: CorrectCard, actor: Actor) -> HandlerResult:
    """The card, and what follows from it: a count called again, third cards that nobody was entitled to.

    A result that no chip has moved by is withdrawn first. Otherwise only the card is set right, nothing more is paid by
    the announced result, and what the corrected cards owe is due seat by seat (`owed.py`).
    """
    keys = rules.edition.deal.cite
    if refused := refuse_without_second(rules, command, actor, *keys):
        return refused
    was = state.round.turned.get(command.position) or state.shoe.burned.get(command.position)
    if was is None:
        what = "card_of_a_cleared_round" if _was_cleared(state, command.position) else "card_not_turned"
        return refuse(rules, Reason.WRONG_CARDS, what, *keys, position=command.position + 1)
    if was == command.card:
        return refuse(rules, Reason.WRONG_CARDS, "card_already", *keys, position=command.position + 1, was=was)
    if state.has_proved_cards:
        return refuse(rules, Reason.WRONG_PROOF, "sealed_card_is_proved", *keys)
    if state.shoe.seen.get(str(command.card), 0) >= state.shoe.decks:
        return refuse(rules, Reason.IMPOSSIBLE_CARD, "shoe_holds_no_further_card", *keys, card=command.card)
    corrected = CardCorrected(
        corrects=command.corrects,
        position=command.position,
        was=was,
        card=command.card,
        burn_left=_burn_left(rules, state, command),
        cites=rules.cite_text(*keys),
        **both_persons(command, actor),
    )
    after = evolve_card(state, corrected)
    # How far the round has come decides what follows from the card.
    if state.round.void or command.position not in state.round.turned:
        return [corrected]
    if not state.round.announced:
        return [corrected, *presses_undone(rules, state, after), *_third_cards(rules, after)]
    if not is_untouched(rules, state):
        return [corrected, *stop_settlement_events(rules, after)]
    if not changes_result(rules, after):
        return [corrected]
    withdrawn = withdrawal_event(rules, state)
    again = evolve_card(evolve_withdrawn(state, withdrawn), corrected)
    return [withdrawn, corrected, *_third_cards(rules, again)]


def _was_cleared(state: TableState, position: int) -> bool:
    """Whether a card has left the shoe and lies in the discards: neither on the layout nor among the burned cards."""
    round_, shoe = state.round, state.shoe
    waiting = {
        *round_.player,
        *round_.banker,
        *shoe.burn,
        *shoe.exposing,
        *shoe.disclosed,
        *shoe.carried,
        *shoe.pending,
    }
    return position < shoe.next and position not in waiting


def _burn_left(rules: TableRules, state: TableState, command: CorrectCard) -> int | None:
    """What the right first card still calls for, while the burn is in progress; surplus burned cards stay burned."""
    if state.step != "burn" or command.position not in state.shoe.burn[:1]:
        return None
    return max(0, burn_value(rules, command.card) - (len(state.shoe.burn) - 1))


def _third_cards(rules: TableRules, state: TableState) -> list[Event]:
    """Third cards in the order in which they came: the first to a wrong hand, and all after it, go elsewhere.

    All of them leave their hands before the first is placed, so that no hand ever holds four.
    """
    round_, back, remedies = state.round, list[Event](), list[Event]()
    thirds = sorted((round_.hand(side)[2], side) for side in Side if len(round_.hand(side)) > 2)
    if not all(place in round_.turned for side in Side for place in round_.hand(side)[:2]):
        return []
    bare = replace(
        state, round=replace(round_, player=round_.player[:2], banker=round_.banker[:2], counted=tuple(Side))
    )
    for place, side in thirds:
        card, entitled = round_.turned.get(place), next_to_draw(rules, bare)
        if entitled is side and not back:
            bare = evolve_reassigned(bare, CardReassigned(position=place, to=side, card=card))
            continue
        keys = law_of(rules).cite
        back.append(ThirdCardTakenBack(position=place, side=side, card=card, cites=rules.cite_text(*keys)))
        remedy = whose_card(rules, bare, position=place, to=side, card=card, entitled=entitled)
        for event in remedy:
            bare = EVOLVERS[type(event)](bare, event)
        remedies += remedy
    return [*back, *remedies]


def _correct_card_by_version_1(
    rules: TableRules, state: TableState, command: CorrectCard, actor: Actor
) -> HandlerResult:
    """Version 1 set only the card right once a result was announced."""
    events = correct_card(rules, state, command, actor)
    if isinstance(events, Refused) and events.what == "card_of_a_cleared_round":
        return replace(events, what="card_not_turned")
    if isinstance(events, Refused) or not state.round.announced:
        return events
    return [event for event in events if isinstance(event, CardCorrected)]


HANDLERS_1[CorrectCard] = _correct_card_by_version_1


@evolves(CardCorrected)
def evolve_card(state: TableState, event: CardCorrected) -> TableState:
    """The card is right; before the result its hand is counted again."""
    round_, shoe = state.round, state.shoe
    seen = dict(shoe.seen)
    seen[str(event.was)] -= 1
    seen[str(event.card)] = seen.get(str(event.card), 0) + 1
    if event.position not in round_.turned:
        burned = {**shoe.burned, event.position: event.card}
        left = shoe.burn_left if event.burn_left is None else event.burn_left
        return replace(state, shoe=replace(shoe, seen=seen, burned=burned, burn_left=left, burn_corrected=True))
    side = Side.PLAYER if event.position in round_.player else Side.BANKER
    counted = round_.counted
    if event.position in round_.hand(side)[:2] and not round_.announced:
        counted = tuple(each for each in counted if each is not side)
    turned = {**round_.turned, event.position: event.card}
    round_ = replace(round_, turned=turned, counted=counted, stays=(), corrected=True)
    return replace(state, round=round_, shoe=replace(shoe, seen=seen))


@evolves(ThirdCardTakenBack)
def evolve_taken_back(state: TableState, event: ThirdCardTakenBack) -> TableState:
    """The hand has its two cards."""
    round_ = state.round
    round_ = replace(
        round_,
        player=tuple(place for place in round_.player if place != event.position),
        banker=tuple(place for place in round_.banker if place != event.position),
        turned={place: card for place, card in round_.turned.items() if place != event.position},
        handed=tuple(side for side in round_.handed if side is not event.side),
        returned=tuple(side for side in round_.returned if side is not event.side),
        stays=(),
    )
    return replace(state, round=round_)


tells(CardCorrected)(
    lambda x: (
        f"Event {x.corrects} is corrected: card {number(x.position)} was keyed as {card_name(x.was)} and is "
        f"{card_name(x.card)}; {by_two(x)}."
    )
)


tells_in_part(CardCorrected, "position", "was", "card")(
    lambda x: f"Card {number(x.position)} is corrected: it was keyed as {card_name(x.was)} and is {card_name(x.card)}."
)


tells(ThirdCardTakenBack)(
    lambda x: f"Card {number(x.position)} was dealt on a wrong count: it is no third card of the {x.side}'s."
)
