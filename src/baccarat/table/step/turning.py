"""Turning: each hand goes to the one entitled to turn it, comes back, is turned up and counted."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.edition import Edition
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.play.refusal import Refused
from baccarat.table.actor import Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Position
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import SealProof, SeenCard
from baccarat.table.input_field import InputField
from baccarat.table.proof import CardProof, is_proved
from baccarat.table.registration import add_step, evolves, handles
from baccarat.table.role import Role
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.dealing import THIRD_CARDS, expect_draw, third_cites
from baccarat.table.step.sealing import refuse_unsealed
from baccarat.table.step.turning_right import (
    BANKER_FIRST,
    COUNTING,
    RELINQUISH,
    TURN_BANKER,
    TURN_PLAYER,
    TURNING,
    holder,
    next_offer,
    turned_under,
    turning_side,
    unturned,
)
from baccarat.table.step_function import Described, Filled, asks, automates, describes, fills, tells
from baccarat.table.story_words import card_name, cards_go, number
from baccarat.table.tableau import hands_are_complete, two_card_count


class HandCards(Command, frozen=True, kw_only=True, tag="hand_cards"):
    """The dealer hands a hand's unturned cards, face down, to the participant who turns them."""

    STEPS = TURNING
    CARD = CommandCard(pace="card", console="plain", ask_is_public=True, by_wager=True)


class ReturnCards(SeatCommand, frozen=True, kw_only=True, tag="return_cards"):
    """The holder, having seen the cards, gives them back."""

    STEPS = TURNING
    CARD = CommandCard(ask_is_public=True, by_wager=True)


class TurnCard(Command, frozen=True, kw_only=True, tag="turn_card"):
    """A card is turned up: its value comes from outside, proved or on the dealer's word."""

    position: Position
    card: SeenCard
    proof: SealProof = None
    ORIGINS = (Origin.PERSON, Origin.CARD_SOURCE)
    STEPS = TURNING | {"burn", "expose", "close"}
    CARD = CommandCard(pace="card", from_shoe=True, ask_is_public=True)


class AnnounceCount(Command, frozen=True, kw_only=True, tag="announce_count"):
    """The dealer calls a hand's two-card count."""

    STEPS = COUNTING
    CARD = CommandCard(pace="call", console="plain", ask_is_public=True)


class AskBankerFirst(SeatCommand, frozen=True, kw_only=True, tag="ask_banker_first"):
    """A participant asks that the Banker's cards be turned first."""

    STEPS = frozenset({"wager", "call_cards", "deal", TURN_PLAYER})

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """What lets a participant ask, where the document does."""
        option = edition.options.get("banker_first_on_request")
        return option.cite if option is not None else ()


class CardsHanded(Event, frozen=True, kw_only=True, tag="cards_handed"):
    """Positions of a hand are with a seat, face down."""

    side: Side
    seat: int
    positions: tuple[int, ...]
    CARD = EventCard(sights(everybody="side seat positions"), sort="card")


class CardsReturned(Event, frozen=True, kw_only=True, tag="cards_returned"):
    """The holder has seen the cards and given them back."""

    side: Side
    seat: int
    CARD = EventCard(sights(everybody="side seat"), sort="card")


class CardTurned(Event, frozen=True, kw_only=True, tag="card_turned"):
    """The value of a position is known to all; early if it was seen before its turn."""

    position: int
    """In the cut shoe, from 0."""
    card: Card
    """What lies there."""
    early: bool = False
    """Whether it was seen before its turn."""
    CARD = EventCard(sights(everybody="position card early"), sort="card")


class BankerFirstGranted(Event, frozen=True, kw_only=True, tag="banker_first_granted"):
    """The Banker's cards are turned first in this round."""

    seat: int
    REWINDS = True
    CARD = EventCard(sights(everybody="seat"), sort="card")


class CountAnnounced(Event, frozen=True, kw_only=True, tag="count_announced"):
    """A hand's two-card count has been called."""

    side: Side
    """Whose hand."""
    count: int
    """What its first two cards count."""
    CARD = EventCard(sights(everybody="side count"), sort="call")


# ------------------------------------------------------------------------------------------- deciding


@handles(HandCards)
def hand_cards(rules: TableRules, state: TableState, _command: HandCards) -> HandlerResult:
    """Hand the cards over, face down."""
    side = turning_side(state)
    if side is None or side in state.round.handed or not unturned(state, side):
        return refuse(rules, Reason.OUT_OF_ORDER, "no_cards_handed_over_now", step=state.step)
    seat = holder(rules, state, side)
    if seat == DEALER:
        return refuse(
            rules, Reason.NOT_ENTITLED, "dealer_turns_cards", cites=turned_under(rules, state, side), side=side
        )
    if state.round.offering is not None:
        return refuse(rules, Reason.OUT_OF_ORDER, "right_to_turn_is_on_offer", step=RELINQUISH)
    return [CardsHanded(side=side, seat=seat, positions=unturned(state, side), cites=turned_under(rules, state, side))]


def _held_by(rules: TableRules, state: TableState, seat: int) -> Side | Refused:
    side = turning_side(state)
    if side is None or side not in state.round.handed or side in state.round.returned:
        return refuse(rules, Reason.OUT_OF_ORDER, "nobody_holds_cards_now", step=state.step)
    if seat != (held_by := holder(rules, state, side)):
        why, cites = Reason.NOT_ENTITLED, turned_under(rules, state, side)
        return refuse(rules, why, "another_holds_the_cards", cites=cites, holder=held_by, side=side, seat=seat)
    return side


@handles(ReturnCards)
def return_cards(rules: TableRules, state: TableState, command: ReturnCards) -> HandlerResult:
    """Only the holder gives the cards back."""
    if isinstance(side := _held_by(rules, state, command.seat), Refused):
        return side
    return [CardsReturned(side=side, seat=command.seat, cites=turned_under(rules, state, side))]


def turn_in_hand(rules: TableRules, state: TableState, command: TurnCard) -> HandlerResult:
    """Turn a card of the hand that is due, once its holder has given it back."""
    side = turning_side(state)
    if side is None or command.position not in unturned(state, side):
        return refuse(rules, Reason.WRONG_CARDS, "card_not_turned_now", step=state.step, position=command.position + 1)
    if state.round.offering is not None or (holder(rules, state, side) != DEALER and side not in state.round.returned):
        return refuse(
            rules, Reason.OUT_OF_ORDER, "cards_not_back_yet", cites=turned_under(rules, state, side), side=side
        )
    if refused := why_unbelievable(rules, state, command):
        return refused
    cites = turned_under(rules, state, side)
    return [CardTurned(position=command.position, card=command.card, cites=cites)]


def why_unbelievable(rules: TableRules, state: TableState, command: TurnCard) -> Refused | None:
    """Why a card is not believed: its proof does not hold, or without a sealed order the shoe cannot hold it."""
    shoe = state.shoe
    if refused := why_not_sealed(rules, state, command.proof):
        return refused
    if state.awaits_seal:
        return refuse_unsealed(rules, Reason.WRONG_PROOF)
    if shoe.root and not is_proved(shoe, command.position, command.card, command.proof):
        keys, number = rules.edition.options["decks"].cite, command.position + 1
        return refuse(rules, Reason.WRONG_PROOF, "card_not_proved_to_be", *keys, position=number, card=command.card)
    if shoe.seen.get(str(command.card), 0) >= shoe.decks:
        why, keys = Reason.IMPOSSIBLE_CARD, rules.edition.options["decks"].cite
        return refuse(rules, why, "card_seen_too_often", *keys, card=command.card, decks=shoe.decks)
    return None


def why_not_sealed(rules: TableRules, state: TableState, proof: CardProof | None) -> Refused | None:
    """Why a proof is not accepted: it proves nothing if no order was sealed."""
    if proof is None or state.shoe.root:
        return None
    return refuse(rules, Reason.WRONG_PROOF, "no_proof_without_a_sealed_order", *rules.edition.options["decks"].cite)


@handles(AnnounceCount)
def announce_count(rules: TableRules, state: TableState, _command: AnnounceCount) -> HandlerResult:
    """Call the count of a hand whose two cards are up."""
    side = turning_side(state)
    if side is None or unturned(state, side):
        return refuse(rules, Reason.OUT_OF_ORDER, "cards_not_turned_yet", step=state.step)
    call = next(call for call in rules.edition.calls if call.count == side.value and rules.rulebook.meets(call.when))
    return [CountAnnounced(side=side, count=two_card_count(rules, state, side), cites=rules.cite_text(*call.cite))]


@handles(AskBankerFirst)
def ask_banker_first(rules: TableRules, state: TableState, command: AskBankerFirst) -> HandlerResult:
    """Granted where it is filed, while the dealer is curator and the Player's cards are untouched."""
    option = rules.edition.options.get("banker_first_on_request")
    if option is None or BANKER_FIRST not in rules.step_index:
        keys = option.cite if option else ()
        return refuse(rules, Reason.NOT_OFFERED, "player_cards_turned_first", *keys, step=TURN_PLAYER)
    if state.at(command.seat) is None:
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *option.cite, seat=command.seat)
    if state.seats.curator != DEALER:
        return refuse(
            rules, Reason.NOT_ENTITLED, "only_while_the_dealer_is_curator", *option.cite, curator=state.seats.curator
        )
    if PLAYER_SIDE in state.round.handed or any(place in state.round.turned for place in state.round.player):
        return refuse(rules, Reason.OUT_OF_ORDER, "player_cards_being_turned", *option.cite)
    return [BankerFirstGranted(seat=command.seat, cites=rules.cite_text(*option.cite))]


# ------------------------------------------------------------------------------------------- evolving


evolves(BankerFirstGranted)(lambda state, _: replace(state, round=replace(state.round, banker_first=True)))


@evolves(CardsHanded)
def evolve_cards_handed(state: TableState, event: CardsHanded) -> TableState:
    """The cards are with the holder."""
    round_ = state.round
    holders_ = {**round_.holders, event.side: event.seat}
    return replace(state, round=replace(round_, handed=(*round_.handed, event.side), holders=holders_))


@evolves(CardsReturned)
def evolve_cards_returned(state: TableState, event: CardsReturned) -> TableState:
    """The cards are back."""
    round_ = state.round
    return replace(state, round=replace(round_, returned=(*round_.returned, event.side)))


@evolves(CardTurned)
def evolve_card_turned(state: TableState, event: CardTurned) -> TableState:
    """The value is known."""
    round_ = state.round
    shoe = replace(state.shoe, seen=state.shoe.seen_with(event.card))
    turned = {**round_.turned, event.position: event.card}
    side = PLAYER_SIDE if event.position in round_.player else BANKER_SIDE
    handed, returned = round_.handed, round_.returned
    if all(place in turned for place in round_.hand(side)):  # a third card is handed over separately
        handed = tuple(each for each in handed if each is not side)
        returned = tuple(each for each in returned if each is not side)
    return replace(state, shoe=shoe, round=replace(round_, turned=turned, handed=handed, returned=returned))


@evolves(CountAnnounced)
def evolve_count_announced(state: TableState, event: CountAnnounced) -> TableState:
    """The count has been called."""
    round_ = state.round
    return replace(state, round=replace(round_, counted=(*round_.counted, event.side)))


# --------------------------------------------------------------------------------------- due, expected


def banker_first_due(_desk: TableRules, state: TableState) -> bool:
    """The Banker's count is to be called before the Player's."""
    return state.round.banker_first and turn_banker_due(_desk, state)


def turn_player_due(_desk: TableRules, state: TableState) -> bool:
    """The Player's count has not been called."""
    return not state.round.void and PLAYER_SIDE not in state.round.counted


def turn_banker_due(_desk: TableRules, state: TableState) -> bool:
    """The Banker's count has not been called."""
    return not state.round.void and BANKER_SIDE not in state.round.counted


def third_cards_due(rules: TableRules, state: TableState) -> bool:
    """A hand is still to receive or to show its third card; after the result none does, whatever is corrected."""
    return not (state.round.void or state.round.announced) and not hands_are_complete(rules, state)


def expect_turn(rules: TableRules, state: TableState) -> list[Due]:
    """Hand over, give back, turn, call: whichever is next."""
    side, round_ = turning_side(state), state.round
    if side is None:
        return []
    cites = third_cites(rules, side) if state.step == THIRD_CARDS else rules.cites[state.step]
    if round_.offering is not None:
        seat = next_offer(rules, state, round_.offering, round_.offered)
        assert seat is not None, "an offer without a taker has fallen to the dealer"
        return [Due(by=Role.PARTICIPANT, act="answer_turn", seat=seat, cites=rules.cites[RELINQUISH])]
    if not unturned(state, side):
        return [Due(by=Role.DEALER, act="announce_count", cites=cites)]
    seat = holder(rules, state, side)
    if seat != DEALER and side not in round_.handed:
        return [Due(by=Role.DEALER, act="hand_cards", cites=cites)]
    if seat != DEALER and side not in round_.returned:
        return [Due(by=Role.PARTICIPANT, act="return_cards", seat=seat, cites=cites)]
    return [Due(by=Role.DEALER, act="turn_card", cites=cites)]


def expect_third_cards(rules: TableRules, state: TableState) -> list[Due]:
    """Draw, or turn what has been drawn."""
    return expect_draw(rules, state) or expect_turn(rules, state)


add_step(BANKER_FIRST, due=banker_first_due, expect=expect_turn)
add_step(TURN_PLAYER, due=turn_player_due, expect=expect_turn)
add_step(TURN_BANKER, due=turn_banker_due, expect=expect_turn)
add_step(THIRD_CARDS, due=third_cards_due, expect=expect_third_cards)


# ---------------------------------------------------------------------------------- asks, fills, tells


@fills(TurnCard)
def fill_card(_rules: TableRules, state: TableState, due: Due) -> Filled:
    """For real cards the dealer enters the card; an electronic shoe states it, with the proof."""
    return {"position": due.position}, () if state.has_proved_cards else (InputField(name="card", kind="card"),)


@asks(HandCards)
def _ask_hand(rules: TableRules, state: TableState, due: Due) -> Due:
    side = turning_side(state)
    assert side is not None, "cards are due to be handed"
    seat = holder(rules, state, side)
    unturned = [each for each in state.round.hand(side) if each not in state.round.turned]
    what = f"card {number(unturned[0])}" if len(unturned) == 1 else f"the {len(unturned)} cards of the {side}"
    return replace(due, seat=seat, position=unturned[0], say=f"The dealer hands {what}, face down, to seat {seat}.")


@asks(ReturnCards)
def _ask_return(_rules: TableRules, state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} looks, and hands the {turning_side(state)}'s cards back face up.")


@asks(AnnounceCount)
def _ask_count(rules: TableRules, state: TableState, due: Due) -> Due:
    side = turning_side(state)
    assert side is not None, "a hand is due to be counted"
    return replace(due, say=f"The dealer announces the count: “{side} {two_card_count(rules, state, side)}”.")


automates(ReturnCards)(lambda _rules, _state, due, _source: ReturnCards(seat=due.seat))


@tells(CardsHanded)
def _tell_handed(event: CardsHanded) -> str:
    return f"The {event.side}'s {cards_go(event.positions).lower()}, face down, to seat {event.seat}."


tells(CardsReturned)(lambda x: f"Seat {x.seat} has looked, and hands back face up what it held for the {x.side}.")
tells(CardTurned)(
    lambda x: (
        f"Card {number(x.position)} is {card_name(x.card)}"
        + (", seen before its turn; it belongs there and stays, face up." if x.early else ".")
    )
)
tells(BankerFirstGranted)(lambda x: f"At the request of seat {x.seat} the Banker's cards are turned first.")
tells(CountAnnounced)(lambda x: f"The dealer announces “{x.side} {x.count}”.")


@describes(HandCards)
@describes(ReturnCards)
@describes(TurnCard)
def _describe_turn(_rules: TableRules, state: TableState, due: Due) -> Described:
    side = turning_side(state) if state.step in TURNING else None
    return due.act, {} if side is None else {"hand": side.value}


@describes(AnnounceCount)
def _describe_count(rules: TableRules, state: TableState, due: Due) -> Described:
    side = turning_side(state) if state.step in TURNING else None
    return due.act, {} if side is None else {"hand": side.value, "count": two_card_count(rules, state, side)}
