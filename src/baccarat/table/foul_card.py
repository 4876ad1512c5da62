"""A card that cannot be in the shoe, confirmed: the round is void, and the table stops until the shoe is taken away."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Position
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import SealProof, SeenCard
from baccarat.table.registration import HANDLERS_2, evolves, handles_actor
from baccarat.table.role import SUPERVISORS, Role
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.step.abandoning import wagers_were_taken
from baccarat.table.step.dealing import void_events
from baccarat.table.step.sealing import refuse_unsealed
from baccarat.table.step.turn_dispatch import card_to_turn
from baccarat.table.step.turning import TurnCard, fill_card, why_not_sealed, why_unbelievable
from baccarat.table.step.turning_right import TURNING
from baccarat.table.step_function import asks, automates, fills, tells
from baccarat.table.story_words import card_name, number
from baccarat.table.two_persons import refuse_unapproved


class ConfirmCard(Command, frozen=True, kw_only=True, tag="confirm_card"):
    """The floorperson confirms a card that the shoe cannot contain, or that cannot be proved: the shoe is foul.

    If wagers are on the table or were taken in the shoe, a second person approves it.
    """

    position: Position
    card: SeenCard
    proof: SealProof = None
    ROLE = Role.FLOORPERSON
    ROLES = frozenset({Role.FLOORPERSON})
    SECOND = SUPERVISORS
    """Where wagers lie, or were taken in the shoe."""
    STEPS = TURNING | {"burn", "expose", "close"}
    CARD = CommandCard(group="orders", pace="card", from_shoe=True, states_card=True, discretion="round")


class ShoeFouled(Event, frozen=True, kw_only=True, tag="shoe_fouled"):
    """A card has come that cannot be in the shoe: the table stops, or the shoe ends with the round being settled."""

    position: int
    """Where in the cut shoe."""
    card: Card
    """The card that is said to have come."""
    why: str
    """What shows that it cannot be there."""
    ends_with_round: bool | UnsetType = UNSET
    """Whether the round has its result, and is settled by it as the last of the shoe; not written where it has none."""
    CARD = EventCard(sights(everybody="position card why ends_with_round"), sort="irregularity")


@handles_actor(ConfirmCard)
def confirm_card(rules: TableRules, state: TableState, command: ConfirmCard, actor: Actor) -> HandlerResult:
    """Only a card that is due and cannot be there is confirmed: the round is void, and the table stops.

    A round that has its result stands, because chips may have moved by it: it is settled as the last of the shoe.
    """
    events, round_ = _confirm_card_by_version_2(rules, state, command, actor), state.round
    if isinstance(events, Refused) or not (round_.announced and round_.wagers):
        return events
    (fouled,) = (event for event in events if isinstance(event, ShoeFouled))
    return [replace(fouled, ends_with_round=True)]


def _confirm_card_by_version_2(
    rules: TableRules, state: TableState, command: ConfirmCard, actor: Actor
) -> HandlerResult:
    """Version 2 returned the wagers of a round that was settled already.

    Of a sealed card the machine learns only that no proof came with it; whether it had one shows when the seed is
    revealed. So that nobody ends a round alone by withholding a proof, two persons confirm it where money hangs on it.
    """
    keys, shoe = rules.edition.options["decks"].cite, state.shoe
    if command.position not in _unturned_positions(state):
        return refuse(rules, Reason.WRONG_CARDS, "card_not_turned_now", *keys, position=command.position + 1)
    if refused := why_not_sealed(rules, state, command.proof):
        return refused
    if state.awaits_seal:  # no card has come from a shoe that is not sealed, so none can be foul
        return refuse_unsealed(rules, Reason.WRONG_PROOF)
    turn = TurnCard(position=command.position, card=command.card, proof=command.proof)
    if why_unbelievable(rules, state, turn) is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "card_can_be_in_the_shoe", *keys, card=command.card)
    if state.is_on_record and wagers_were_taken(state):
        said = str(command.card)
        if refused := refuse_unapproved(rules, command, actor, *keys, what="a_foul_card", reason=said):
            return refused
    why = "is not the card that was sealed" if shoe.root else "comes once more than the decks hold it"
    fouled = ShoeFouled(position=command.position, card=command.card, why=why, cites=rules.cite_text(*keys))
    return [fouled, *void_events(rules, state)] if state.round.closed or state.round.wagers else [fouled]


HANDLERS_2[ConfirmCard] = _confirm_card_by_version_2


def _unturned_positions(state: TableState) -> set[int]:
    """The next card of the shoe, and the cards out of it that lie face down and are to be turned.

    Cards that were burned face down stay so until the shoe is over.
    """
    shoe, round_ = state.shoe, state.round
    laid = {*round_.player, *round_.banker} - set(round_.turned)
    burned = shoe.burn if shoe.burn_shown or shoe.finished else shoe.burn[:1]
    return {shoe.next, *shoe.exposing, *laid, *(position for position in burned if position not in shoe.burned)}


def expect_unproved(rules: TableRules, state: TableState, due_now: list[Due]) -> list[Due]:
    """Where a sealed card is to be turned, the floorperson may confirm that it cannot be proved."""
    if not state.shoe.root or not any(due.act == "turn_card" and not due.optional for due in due_now):
        return []
    cites = rules.cite_text(*rules.edition.options["decks"].cite)
    return [Due(by=Role.FLOORPERSON, act="confirm_card", cites=cites, optional=True)]


@evolves(ShoeFouled)
def evolve_fouled(state: TableState, event: ShoeFouled) -> TableState:
    """The table stops until the shoe is taken away: its remaining cards cannot be trusted either."""
    if event.ends_with_round:
        return replace(state, shoe=replace(state.shoe, exposing=(), last_called=True, is_last=True))
    stopped = f"foul shoe: {event.card} {event.why}"
    return replace(state, stopped=stopped)


fills(ConfirmCard)(fill_card)


@asks(ConfirmCard)
def _ask_confirm(_rules: TableRules, state: TableState, due: Due) -> Due:
    position, whose = card_to_turn(state)
    say = f"The floorperson confirms card {number(position)}, {whose}, if it cannot be proved: the shoe is foul."
    return replace(due, position=position, say=say)


@automates(ConfirmCard)
def _make_confirm(_rules: TableRules, state: TableState, due: Due, source: CardSource) -> Command:
    """The card as it lies there, of which nobody has a proof."""
    assert due.position is not None, "a card that is to be turned has its position"
    return ConfirmCard(position=due.position, card=source.card(state, due.position)[0])


tells(ShoeFouled)(
    lambda x: (
        f"Card {number(x.position)} is confirmed as {card_name(x.card)}, which {x.why}: the shoe is foul, "
        + ("and ends with this round." if x.ends_with_round else "the table stops.")
    )
)
