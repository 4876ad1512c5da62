"""A card found face up in the shoe: it opens a simulated round, or leaves the game with others."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.edition import Edition
from baccarat.law.section import RemedyLaw
from baccarat.table.audience import sights
from baccarat.table.base import NO_PERSON, Command, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import SealProof, SeenCard
from baccarat.table.irregularity.remedy import DisclosedCard, filed_remedy, with_cover_card
from baccarat.table.registration import evolves, handles
from baccarat.table.role import GAME_STAFF
from baccarat.table.state import TableState
from baccarat.table.step.turning import TurnCard, why_unbelievable
from baccarat.table.step_function import tells
from baccarat.table.story_words import card_name, number

ALLOWED_STEPS = frozenset({"burn", "wager", "call_cards", "deal", "third_cards"})


class ReportFaceUp(Command, frozen=True, kw_only=True, tag="report_face_up"):
    """The next card of the shoe lies face up."""

    card: SeenCard
    proof: SealProof = None
    ROLES = GAME_STAFF
    AT_AUTOMATED = NO_PERSON
    STEPS = ALLOWED_STEPS
    CARD = CommandCard(group="corrections", discretion="seen")

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """What happens to a card found face up."""
        return edition.face_up.cite


class FaceUpFound(Event, frozen=True, kw_only=True, tag="face_up_found"):
    """A card lay face up in the shoe."""

    position: int
    card: Card
    CARD = EventCard(sights(everybody="position card"), sort="irregularity")


def law_of(rules: TableRules) -> RemedyLaw:
    """What the document says of cards found face up."""
    return rules.edition.face_up


@handles(ReportFaceUp)
def report_face_up(rules: TableRules, state: TableState, command: ReportFaceUp) -> HandlerResult:
    """By the document: a simulated round, now if no card is out yet, or afterwards; or the discards."""
    law = law_of(rules)
    if state.shoe.left == 0:
        return refuse(rules, Reason.WRONG_CARDS, "shoe_empty", *law.cite)
    position = state.shoe.next
    if refused := why_unbelievable(rules, state, TurnCard(position=position, card=command.card, proof=command.proof)):
        return refused
    found = FaceUpFound(position=position, card=command.card, cites=rules.cite_text(*law.cite))
    remedy = filed_remedy(rules, state, DisclosedCard(position, command.card), law)
    return with_cover_card(rules, state, [found, *remedy])


@evolves(FaceUpFound)
def evolve_found(state: TableState, event: FaceUpFound) -> TableState:
    """The card has left the shoe and is known."""
    shoe = state.shoe
    return replace(state, shoe=replace(shoe, next=shoe.next + 1, seen=shoe.seen_with(event.card)))


tells(FaceUpFound)(lambda x: f"Card {number(x.position)} lies face up in the shoe: {card_name(x.card)}.")
