"""A card drawn in error: whose card it becomes, or which hand or simulated round it opens."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.edition import Edition
from baccarat.law.section import ErrorCard
from baccarat.play.hand import Side
from baccarat.table.audience import sights
from baccarat.table.base import NO_PERSON, Command, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Means
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import SealProof
from baccarat.table.irregularity.remedy import CardCarried, CardReassigned, DisclosedCard, filed_remedy, with_cover_card
from baccarat.table.registration import evolves, handles
from baccarat.table.role import GAME_STAFF
from baccarat.table.state import TableState
from baccarat.table.step.dealing import third_cites
from baccarat.table.step.turning import TurnCard, why_unbelievable
from baccarat.table.step.turning_right import TURNING
from baccarat.table.step_function import tells
from baccarat.table.story_words import card_name, number
from baccarat.table.tableau import BOTH, draws, is_open, next_to_draw, row_of, ruling

BEFORE_THE_CARDS = frozenset({"wager", "call_cards"})
ALLOWED_STEPS = BEFORE_THE_CARDS | TURNING | frozenset({"house_money", "announce", "settle", "must_hit", "clear"})


class ReportErrorCard(Command, frozen=True, kw_only=True, tag="report_error_card"):
    """A card has come out of the shoe that no hand was entitled to; which it is, if it was seen."""

    to: Annotated[Side | None, Means("the hand to which it was laid")] = None
    card: Annotated[Card | None, Means("the card that was seen")] = None
    proof: SealProof = None
    in_shoe: Annotated[
        bool | UnsetType, Means("whether it lay face up in the shoe before it was dealt", is_optional=True)
    ] = UNSET
    """Absent where nobody says so, as in every record of an older program."""
    ROLES = GAME_STAFF
    AT_AUTOMATED = NO_PERSON
    STEPS = ALLOWED_STEPS
    CARD = CommandCard(group="corrections", discretion="seen")

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """What happens to a card drawn in error."""
        return edition.error_card.cite


class ErrorCardDrawn(Event, frozen=True, kw_only=True, tag="error_card_drawn"):
    """A card is out of the shoe by mistake, seen or unseen."""

    position: int
    to: Side | None = None
    card: Card | None = None
    in_shoe: bool | UnsetType = UNSET
    """Whether it lay face up in the shoe before it was dealt (reading A-98)."""
    CARD = EventCard(sights(everybody="position to card in_shoe"), sort="irregularity")


def law_of(rules: TableRules) -> ErrorCard:
    """What the document says of cards drawn in error."""
    return rules.edition.error_card


@handles(ReportErrorCard)
def report_error_card(rules: TableRules, state: TableState, command: ReportErrorCard) -> HandlerResult:
    """Answer by the clause: a Player's third card not authorised, or any other card drawn in error."""
    law = law_of(rules)
    if command.to is not None and not set(state.round.counted) >= set(BOTH):
        return refuse(rules, Reason.WRONG_STEP, "counts_not_called_yet", *law.cite)
    laid = state.round.player or state.round.banker  # a seen card opens a simulated round before it is called
    entitled = None if state.step in BEFORE_THE_CARDS and not laid else next_to_draw(rules, state)
    if entitled is not None and command.to in (entitled, None):
        third = set(state.round.counted) >= set(BOTH)
        if not third:
            return refuse(rules, Reason.OUT_OF_ORDER, "card_is_dealt_now", *rules.edition.deal.cite, side=entitled)
        keys, says = row_of(rules, state, entitled).cite, ruling(rules, state, entitled)
        return refuse(rules, Reason.OUT_OF_ORDER, "card_is_due_by_the_tableau", *keys, ruling=(says,))
    if state.shoe.left == 0:
        return refuse(rules, Reason.WRONG_CARDS, "shoe_empty", *law.cite)
    position = state.shoe.next
    if command.card is None and command.proof is not None:
        return refuse(rules, Reason.WRONG_PROOF, "no_proof_of_an_unseen_card", *law.cite)
    if command.card is not None:
        turn = TurnCard(position=position, card=command.card, proof=command.proof)
        if refused := why_unbelievable(rules, state, turn):
            return refused
    is_named = command.card is not None and _is_unauthorised_third(rules, state, command.to) and law.in_shoe_cite
    if command.in_shoe and not is_named:
        return refuse(rules, Reason.WRONG_CARDS, "no_face_up_third_card_was_dealt", *law.cite)
    remedy = whose_card(rules, state, position=position, to=command.to, card=command.card, entitled=entitled)
    in_shoe = rules.cite_text(*law.in_shoe_cite) if command.in_shoe else ()
    against = rules.cite_text(*_broken_row(rules, state, command.to))
    drawn = ErrorCardDrawn(
        position=position,
        to=command.to,
        card=command.card,
        in_shoe=command.in_shoe,
        cites=tuple(dict.fromkeys((*against, *remedy[-1].cites, *in_shoe))),
    )
    return with_cover_card(rules, state, [drawn, *remedy])


def _broken_row(rules: TableRules, state: TableState, to: Side | None) -> tuple[str, ...]:
    """The clauses by which the hand that got a card takes none: its row of the tableau, or a third card it has."""
    if to is None:
        return ()
    if len(state.round.hand(to)) > 2:
        return rules.edition.third_card.cite
    third_is_up = len(state.round.player) > 2 and is_open(state, Side.PLAYER)
    if to is Side.BANKER and draws(rules, state, Side.PLAYER) and not third_is_up:
        return ()  # the Banker's row is not known yet
    row = row_of(rules, state, to)
    return row.cite if row.act == "stay" else ()


def whose_card(
    rules: TableRules, state: TableState, *, position: int, to: Side | None, card: Card | None, entitled: Side | None
) -> list[Event]:
    """What happens to a card that was dealt to a hand which was not entitled to it."""
    law = law_of(rules)
    seen = None if card is None else DisclosedCard(position, card)
    if _is_unauthorised_third(rules, state, to):
        return _unauthorised_third(rules, state, position, seen)
    if entitled is not None:  # laid on the wrong hand, but in its turn (reading A-46)
        cites = (*rules.cite_text(*row_of(rules, state, entitled).cite), *third_cites(rules, entitled))
        return [CardReassigned(position=position, to=entitled, card=card, cites=cites)]
    if seen is None:
        return [CardCarried(position=position, cites=rules.cite_text(*law.unseen_cite))]
    return filed_remedy(rules, state, seen, law.seen)


def _is_unauthorised_third(rules: TableRules, state: TableState, to: Side | None) -> bool:
    return to is Side.PLAYER and not draws(rules, state, Side.PLAYER) and len(state.round.player) == 2


def _unauthorised_third(rules: TableRules, state: TableState, position: int, seen: DisclosedCard | None) -> list[Event]:
    """The Banker takes it if bound to draw; otherwise it opens the next hand, or the filed remedy applies."""
    law = law_of(rules)
    waiting = len(state.round.banker) == 2 and draws(rules, state, Side.BANKER)
    takes = rules.elections.nj_disclosed_banker_third != "filed_procedure"
    if waiting and (seen is None or takes):
        keys = law.banker_unseen_cite if seen is None else law.banker_seen_cite
        card = None if seen is None else seen.card
        return [CardReassigned(position=position, to=Side.BANKER, card=card, cites=rules.cite_text(*keys))]
    if seen is None:
        return [CardCarried(position=position, cites=rules.cite_text(*law.third_unseen_cite))]
    return filed_remedy(rules, state, seen, law.third_seen)


@evolves(ErrorCardDrawn)
def evolve_error_card(state: TableState, event: ErrorCardDrawn) -> TableState:
    """The card has left the shoe; another event says where it goes."""
    shoe = state.shoe
    assert event.position == shoe.next, "cards leave the shoe in its order"
    seen = shoe.seen if event.card is None else shoe.seen_with(event.card)
    return replace(state, shoe=replace(shoe, next=shoe.next + 1, seen=seen))


@tells(ErrorCardDrawn)
def _tell_error_card(event: ErrorCardDrawn) -> str:
    where = f" and laid on the {event.to}'s hand, which is not entitled to it" if event.to else ""
    lay = " face up in the shoe" if event.in_shoe else ""
    seen = f"; it is seen{lay}: {card_name(event.card)}." if event.card else "; nobody has seen it."
    return f"Card {number(event.position)} is drawn in error{where}{seen}"
