"""A card that belongs where it lies, seen before its turn: it stays, or it is set aside (reading A-27)."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.edition import Edition
from baccarat.play.hand import Side
from baccarat.table.audience import sights
from baccarat.table.base import NO_PERSON, Command, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Position
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import SealProof, SeenCard
from baccarat.table.irregularity.error_card import law_of
from baccarat.table.irregularity.remedy import DisclosedCard, simulated_round_events
from baccarat.table.registration import evolves, handles
from baccarat.table.role import GAME_STAFF
from baccarat.table.state import TableState
from baccarat.table.step.dealing import DEAL
from baccarat.table.step.turning import CardTurned, TurnCard, why_unbelievable
from baccarat.table.step.turning_right import TURNING
from baccarat.table.step_function import tells
from baccarat.table.story_words import card_name, number


class ReportExposedCard(Command, frozen=True, kw_only=True, tag="report_exposed_card"):
    """A card of a hand has been seen before its turn."""

    position: Position
    card: SeenCard
    proof: SealProof = None
    ROLES = GAME_STAFF
    AT_AUTOMATED = NO_PERSON
    STEPS = TURNING | {DEAL}
    CARD = CommandCard(group="corrections", discretion="seen")

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """What happens to a card that was seen."""
        return edition.error_card.seen.cite


class CardSetAside(Event, frozen=True, kw_only=True, tag="card_set_aside"):
    """A seen card leaves its hand, and the next card of the shoe takes its place."""

    position: int
    card: Card
    REWINDS = True
    CARD = EventCard(sights(everybody="position card"), sort="irregularity")


@handles(ReportExposedCard)
def report_exposed(rules: TableRules, state: TableState, command: ReportExposedCard) -> HandlerResult:
    """The card is turned where it lies, unless the licensee filed that it is set aside."""
    law, round_ = law_of(rules).seen, state.round
    if command.position not in (*round_.player, *round_.banker) or command.position in round_.turned:
        return refuse(
            rules, Reason.WRONG_CARDS, "card_not_face_down_in_a_hand", *law.cite, position=command.position + 1
        )
    refused = why_unbelievable(
        rules, state, TurnCard(position=command.position, card=command.card, proof=command.proof)
    )  # fmt: skip
    if refused is not None:
        return refused
    cites = rules.cite_text(*law.cite)
    if rules.elections.disclosed_correct_card != "set_aside":
        seen = CardTurned(position=command.position, card=command.card, early=True, cites=cites)
        return [seen]
    aside = CardSetAside(position=command.position, card=command.card, cites=cites)
    return [aside, *simulated_round_events(rules, state, DisclosedCard(command.position, command.card), law.cite)]


@evolves(CardSetAside)
def evolve_set_aside(state: TableState, event: CardSetAside) -> TableState:
    """The hand is one card short, and is handed over again when it has its card."""
    round_, shoe = state.round, state.shoe
    side = Side.PLAYER if event.position in round_.player else Side.BANKER
    round_ = replace(
        round_,
        player=tuple(place for place in round_.player if place != event.position),
        banker=tuple(place for place in round_.banker if place != event.position),
        handed=tuple(each for each in round_.handed if each is not side),
        returned=tuple(each for each in round_.returned if each is not side),
    )
    return replace(state, round=round_, shoe=replace(shoe, seen=shoe.seen_with(event.card)))


tells(CardSetAside)(
    lambda x: (
        f"Card {number(x.position)}, {card_name(x.card)}, has been seen before its turn and is set aside; "
        "the next card takes its place."
    )
)
