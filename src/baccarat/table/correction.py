"""Corrections: a mis-keyed card, a wrong payment; two persons, and a new event that names the old (reading A-88)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.money import Cents
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Means, Position, Seat, Sum
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.due_settlement import stop_settlement_events, with_changed_vigorish, with_corrected_payment
from baccarat.table.field_type import KeptReason, SealProof, SeenCard
from baccarat.table.irregularity.error_card import law_of, whose_card
from baccarat.table.irregularity.remedy import CardReassigned, evolve_reassigned
from baccarat.table.owed import can_collect, changed_vigorish, dues, refuse_too_few_chips
from baccarat.table.registration import EVOLVERS, HANDLERS_1, HANDLERS_2, evolves, handles_actor
from baccarat.table.role import GAME_STAFF, SUPERVISORS, Role
from baccarat.table.seating_acts import free_chips, with_chips
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.step.abandoning import wagers_were_taken
from baccarat.table.step.announcing import changes_result, evolve_withdrawn, is_untouched, withdrawal_event
from baccarat.table.step.burning import burn_value
from baccarat.table.step.dealing import void_events
from baccarat.table.step.house_money import presses_undone
from baccarat.table.step.sealing import refuse_unsealed
from baccarat.table.step.turn_dispatch import card_to_turn
from baccarat.table.step.turning import TurnCard, fill_card, why_not_sealed, why_unbelievable
from baccarat.table.step.turning_right import TURNING
from baccarat.table.step_function import asks, automates, fills, tells, tells_in_part
from baccarat.table.story_words import by_two, card_name, number
from baccarat.table.tableau import next_to_draw
from baccarat.table.two_persons import refuse_beneficiary, refuse_same_person, refuse_unapproved


class Correction(Command, frozen=True, kw_only=True):
    """What every correction says: which event it corrects, and why. Dealer and floorperson make it together."""

    corrects: Annotated[Count, Means("the number of the event that was wrong, counted from 0")]
    reason: KeptReason
    ROLES = AT_AUTOMATED = GAME_STAFF
    CORRECTED: ClassVar[str]
    """What it corrects, in a word."""

    def seconds(self, role: Role) -> frozenset[Role]:
        """The floorperson where the dealer asks for it, otherwise the dealer."""
        return frozenset({Role.FLOORPERSON if role is Role.DEALER else Role.DEALER})


class CorrectCard(Correction, frozen=True, kw_only=True, tag="correct_card"):
    """A card of this round, or of the burn, was keyed wrongly."""

    position: Position
    card: SeenCard
    CORRECTED = "card"
    CARD = CommandCard(group="mending", discretion="card")


class CorrectPayment(Correction, frozen=True, kw_only=True, tag="correct_payment"):
    """A seat was paid too little (above zero) or too much (below zero)."""

    seat: Seat
    amount: Annotated[Sum, Means("what is paid in addition, or below zero what is taken back")]
    STOPPED = True
    CORRECTED = "payment"
    CARD = CommandCard(group="mending", discretion="sum")

    @property
    def money(self) -> int | None:
        """What is paid, or taken back."""
        return self.amount


class ConfirmCard(Command, frozen=True, kw_only=True, tag="confirm_card"):
    """The floorperson confirms a card that the shoe cannot hold, or cannot prove: the shoe is foul.

    Where wagers lie or were taken in the shoe, a second person approves it.
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


class PaymentCorrected(Event, frozen=True, kw_only=True, tag="payment_corrected"):
    """Money moves between the bank and a seat to correct a wrong payment."""

    corrects: int
    seat: int
    amount: int
    vigorish: int | UnsetType = UNSET
    """By how much the vigorish that the house earned changes; absent where it does not."""
    reason: str
    requester: str
    approver: str
    CARD = EventCard(
        sights(TABLE, table="seat", own="amount vigorish", house="corrects", floor="reason requester approver"),
        sort="correction",
        alert="correction",
        short="A payment to seat {seat} is corrected.",
        given="amount",
    )


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


def approver_of(command: Correction, actor: Actor) -> str:
    """The second person of a correction."""
    return actor.approved_by(command.name, *command.seconds(actor.role))


def both_persons(command: Correction, actor: Actor) -> dict[str, str]:
    """What the event of a correction says of it: why, who asked for it and who approved."""
    return {"reason": command.reason, "requester": actor.who, "approver": approver_of(command, actor)}


def refuse_without_second(rules: TableRules, command: Correction, actor: Actor, *keys: str) -> Refused | None:
    """Dealer and floorperson, who must be two persons."""
    approver = approver_of(command, actor)
    if actor.approvals and not approver:
        return refuse(rules, Reason.WRONG_ROLE, "correction_by_dealer_and_floorperson", *keys)
    return refuse_same_person(rules, "a_correction", (actor.who, approver), command.reason, *keys)


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


@handles_actor(CorrectPayment)
def correct_payment(rules: TableRules, state: TableState, command: CorrectPayment, actor: Actor) -> HandlerResult:
    """Correct a payment after the fact, by no more than the cards owe; nobody's chips fall below zero.

    At a table on record the vigorish that was earned by the wrong result follows the payment that leaves nothing owed.
    """
    if isinstance(events := _correct_payment_2(rules, state, command, actor), Refused):
        return events
    seat, amount = command.seat, command.amount
    vigorish = changed_vigorish(rules, state, seat) if state.is_on_record and amount == dues(rules, state)[seat] else 0
    return _payment_events(rules, command, actor, vigorish=vigorish or UNSET)


def _correct_payment_2(rules: TableRules, state: TableState, command: CorrectPayment, actor: Actor) -> HandlerResult:
    """Version 2 left the vigorish earned as it was."""
    if refused := _refuse_payment(rules, state, command, actor):
        return refused
    keys, seat, amount = rules.edition.settlement.cite, command.seat, command.amount
    person, approver = state.at(seat), approver_of(command, actor)
    assert person is not None, "an empty seat was refused before"
    if refused := refuse_beneficiary(rules, person.who, (actor.who, approver), *keys):
        return refused
    due = dues(rules, state).get(seat, 0)
    if not (0 < amount <= due or due <= amount < 0):
        if due == 0:
            return refuse(rules, Reason.WRONG_SUM, "no_payment_to_correct", *keys, seat=seat)
        what = "more_than_a_seat_is_owed" if due > 0 else "more_than_a_seat_owes"
        return refuse(rules, Reason.WRONG_SUM, what, *keys, seat=seat, due=abs(due))
    if amount < 0 and not can_collect(state, seat, -amount):
        return refuse_too_few_chips(rules, state, seat, -amount)
    return _payment_events(rules, command, actor)


HANDLERS_2[CorrectPayment] = _correct_payment_2


def _refuse_payment(rules: TableRules, state: TableState, command: CorrectPayment, actor: Actor) -> Refused | None:
    keys = rules.edition.settlement.cite
    if refused := refuse_without_second(rules, command, actor, *keys):
        return refused
    if state.at(command.seat) is None:
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *keys, seat=command.seat)
    if command.amount == 0:
        return refuse(rules, Reason.NO_SUCH_WAGER, "correction_of_nothing", *keys)
    return None


def _payment_events(
    rules: TableRules, command: CorrectPayment, actor: Actor, *, vigorish: int | UnsetType = UNSET
) -> list[Event]:
    cites, said = rules.cite_text(*rules.edition.settlement.cite), both_persons(command, actor)
    corrects, seat, amount = command.corrects, command.seat, command.amount
    return [PaymentCorrected(corrects=corrects, seat=seat, amount=amount, vigorish=vigorish, cites=cites, **said)]


def _correct_card_1(rules: TableRules, state: TableState, command: CorrectCard, actor: Actor) -> HandlerResult:
    """Version 1 set only the card right once a result was announced."""
    events = correct_card(rules, state, command, actor)
    if isinstance(events, Refused) and events.what == "card_of_a_cleared_round":
        return replace(events, what="card_not_turned")
    if isinstance(events, Refused) or not state.round.announced:
        return events
    return [event for event in events if isinstance(event, CardCorrected)]


def _correct_payment_1(rules: TableRules, state: TableState, command: CorrectPayment, actor: Actor) -> HandlerResult:
    """Version 1 let two persons correct a payment by any sum that did not take a seat's chips below zero."""
    if refused := _refuse_payment(rules, state, command, actor):
        return refused
    if command.amount < 0 and free_chips(state, command.seat) + command.amount < 0:
        return refuse_too_few_chips(rules, state, command.seat, -command.amount)
    return _payment_events(rules, command, actor)


HANDLERS_1[CorrectCard] = _correct_card_1
HANDLERS_1[CorrectPayment] = _correct_payment_1


@handles_actor(ConfirmCard)
def confirm_card(rules: TableRules, state: TableState, command: ConfirmCard, actor: Actor) -> HandlerResult:
    """Only a card that is due and cannot be there is confirmed: the round is void, and the table stops.

    A round that has its result stands, because chips may have moved by it: it is settled as the last of the shoe.
    """
    events, round_ = _confirm_card_2(rules, state, command, actor), state.round
    if isinstance(events, Refused) or not (round_.announced and round_.wagers):
        return events
    (fouled,) = (event for event in events if isinstance(event, ShoeFouled))
    return [replace(fouled, ends_with_round=True)]


def _confirm_card_2(rules: TableRules, state: TableState, command: ConfirmCard, actor: Actor) -> HandlerResult:
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


HANDLERS_2[ConfirmCard] = _confirm_card_2


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


@evolves(PaymentCorrected)
def evolve_payment(state: TableState, event: PaymentCorrected) -> TableState:
    """Bank and seat are as they should be; until the result, what House Money moved can still be taken back."""
    state = with_corrected_payment(state, event.seat, event.amount)
    state = with_changed_vigorish(state, event.seat, event.vigorish or 0)
    seats = with_chips(state, event.seat, event.amount)
    return replace(state, seats=seats, money=replace(state.money, bank=state.money.bank - event.amount))


@evolves(ShoeFouled)
def evolve_fouled(state: TableState, event: ShoeFouled) -> TableState:
    """The table stops until the shoe is taken away: its remaining cards cannot be trusted either."""
    if event.ends_with_round:
        return replace(state, shoe=replace(state.shoe, exposing=(), last_called=True, is_last=True))
    stopped = f"foul shoe: {event.card} {event.why}"
    return replace(state, stopped=stopped)


fills(ConfirmCard)(fill_card)


# ---------------------------------------------------------------------------------- asks, fills, tells


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


tells(CardCorrected)(
    lambda x: (
        f"Event {x.corrects} is corrected: card {number(x.position)} was keyed as {card_name(x.was)} and is "
        f"{card_name(x.card)}; {by_two(x)}."
    )
)
tells(PaymentCorrected)(
    lambda x: (
        f"Event {x.corrects} is corrected: {Cents(abs(x.amount))} "
        + (f"more is paid to seat {x.seat}" if x.amount > 0 else f"is taken back from seat {x.seat}")
        + f"; {by_two(x)}."
    )
)
tells_in_part(CardCorrected, "position", "was", "card")(
    lambda x: f"Card {number(x.position)} is corrected: it was keyed as {card_name(x.was)} and is {card_name(x.card)}."
)
tells_in_part(PaymentCorrected, "seat", "amount")(
    lambda x: (
        f"A payment to seat {x.seat} is corrected: {Cents(abs(x.amount))} "
        f"{'more is paid' if x.amount > 0 else 'is taken back'}."
    )
)
tells(ThirdCardTakenBack)(
    lambda x: f"Card {number(x.position)} was dealt on a wrong count: it is no third card of the {x.side}'s."
)
tells(ShoeFouled)(
    lambda x: (
        f"Card {number(x.position)} is confirmed as {card_name(x.card)}, which {x.why}: the shoe is foul, "
        + ("and ends with this round." if x.ends_with_round else "the table stops.")
    )
)
