"""Cutting: the stack offered for the cut, cut, recut by order, the cover card placed, the shoe loaded, the burn."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.hand import values
from baccarat.play.refusal import Refused
from baccarat.play.seating import ring
from baccarat.play.shoe import admit_cut
from baccarat.table.base import Command, Desk, Due, Event, Outcome, Reason, refuse
from baccarat.table.persons import two_persons
from baccarat.table.proof import Proof
from baccarat.table.role import Role
from baccarat.table.state import DEALER, State
from baccarat.table.step.dealing import cover_card_met
from baccarat.table.step.sealing import expect_seal
from baccarat.table.step.settlement import LastHandCalled
from baccarat.table.step.turning import TurnCard, believable

OFFER_CUT, CUT, COVER_CARD, LOAD, BURN, RECUT = "offer_cut", "cut", "cover_card", "load", "burn", "recut"


class AnswerCut(Command, frozen=True, kw_only=True, tag="answer_cut"):
    """A participant takes or declines the cut; the dealer may say so for one who is away."""

    seat: int
    accept: bool
    by: Role = Role.PARTICIPANT
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS: ClassVar[frozenset[str]] = frozenset({OFFER_CUT})


class CutCards(Command, frozen=True, kw_only=True, tag="cut_cards"):
    """Whoever has the cut puts the cut card in, so many cards in front."""

    in_front: int
    seat: int = DEALER
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS: ClassVar[frozenset[str]] = frozenset({CUT})


class OrderRecut(Command, frozen=True, kw_only=True, tag="order_recut"):
    """A casino supervisor, by name, orders the new cut that somebody asked for, before any card has left the shoe."""

    reason: str
    requester: str
    by: Role = Role.CASINO_SUPERVISOR
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.CASINO_SUPERVISOR})
    ROW: ClassVar[str] = "recut"
    STEPS: ClassVar[frozenset[str]] = frozenset({COVER_CARD, LOAD, BURN})


class PlaceCoverCard(Command, frozen=True, kw_only=True, tag="place_cover_card"):
    """The dealer places the cover card, so many cards behind it, and the second cut card at the end."""

    behind: int
    STEPS: ClassVar[frozenset[str]] = frozenset({COVER_CARD})


class LoadShoe(Command, frozen=True, kw_only=True, tag="load_shoe"):
    """The stack goes into the shoe."""

    STEPS: ClassVar[frozenset[str]] = frozenset({LOAD})


class BurnCards(Command, frozen=True, kw_only=True, tag="burn_cards"):
    """The dealer draws the first card, or after it is turned the others that it calls for."""

    STEPS: ClassVar[frozenset[str]] = frozenset({BURN})


class CutOffered(Event, frozen=True, kw_only=True, tag="cut_answered"):
    """A seat has taken or declined the cut."""

    seat: int
    accept: bool


class CutFellToDealer(Event, frozen=True, kw_only=True, tag="cut_fell_to_dealer"):
    """The dealer cuts."""


class CutGivenUp(Event, frozen=True, kw_only=True, tag="cut_given_up"):
    """Whoever had taken the cut is gone: it is offered on."""

    REWINDS: ClassVar[bool] = True

    seat: int


class CardsCut(Event, frozen=True, kw_only=True, tag="cards_cut"):
    """The stack is cut, so many cards in front, and these go behind."""

    seat: int
    in_front: int


class RecutOrdered(Event, frozen=True, kw_only=True, tag="recut_ordered"):
    """The stack is to be cut again, by this seat or the dealer."""

    REWINDS: ClassVar[bool] = True

    seat: int
    reason: str
    requester: str
    approver: str


class CoverCardPlaced(Event, frozen=True, kw_only=True, tag="cover_card_placed"):
    """The cover card has so many cards behind it."""

    behind: int
    warnings: tuple[str, ...] = ()


class ShoeLoaded(Event, frozen=True, kw_only=True, tag="shoe_loaded"):
    """The stack is in the shoe."""


class BurnedCardTurned(Event, frozen=True, kw_only=True, tag="burned_card_turned"):
    """A burned card is shown; the first says how many more follow."""

    position: int
    card: Card
    more: int = 0
    proof: Proof | None = None


class CardsBurned(Event, frozen=True, kw_only=True, tag="cards_burned"):
    """Cards have been burned, shown or face down."""

    positions: tuple[int, ...]
    left: int
    shown: bool


# ------------------------------------------------------------------------------------------- deciding


def cut_order(desk: Desk, state: State) -> list[int]:
    """The seats in the order in which the cut is offered."""
    law = desk.rules.edition.cut
    seats = state.occupied
    if not seats:
        return []
    first = max(seats)
    last = state.last_curator if state.shoe.reshuffle and law.last_curator_first else None
    if desk.rules.elections.last_curator_as_last_cutter:  # where no participant curates (reading A-04)
        last = state.last_cutter
    if last in seats:
        first = last
    return ring(seats, first=first, direction=law.direction, seat_one=desk.book.seat_one)


def next_cut_offer(desk: Desk, state: State) -> int | None:
    """The seat that is offered the cut next."""
    return next((seat for seat in cut_order(desk, state) if seat not in state.shoe.cut_offers), None)


def answer_cut(desk: Desk, state: State, command: AnswerCut) -> Outcome:
    """Take or decline, in the order of the offer; with no taker the dealer cuts."""
    due = next_cut_offer(desk, state)
    if command.seat != due:
        return refuse(desk, Reason.OUT_OF_ORDER, f"the cut is offered to seat {due} now", step=OFFER_CUT)
    if command.accept and command.by is not Role.PARTICIPANT:
        return refuse(desk, Reason.WRONG_ROLE, "only the participant accepts", step=OFFER_CUT)
    cites = desk.cites[OFFER_CUT]
    events: list[Event] = [CutOffered(seat=command.seat, accept=command.accept, cites=cites)]
    after = replace(state, shoe=replace(state.shoe, cut_offers=(*state.shoe.cut_offers, command.seat)))
    if not command.accept and next_cut_offer(desk, after) is None:
        events.append(CutFellToDealer(cites=cites))
    return events


def cut_cards(desk: Desk, state: State, command: CutCards) -> Outcome:
    """Only whoever has the cut cuts, deep enough on each side."""
    cutter = state.shoe.cutter if state.shoe.cutter is not None else DEALER
    entitled = (
        command.by is Role.DEALER if cutter == DEALER else command.by is Role.PARTICIPANT and command.seat == cutter
    )
    if not entitled:
        who = "the dealer" if cutter == DEALER else f"seat {cutter}"
        return refuse(desk, Reason.NOT_ENTITLED, f"{who} has the cut", step=CUT)
    refused = admit_cut(desk.rules, cards=state.shoe.cards, in_front=command.in_front)
    return refused or [CardsCut(seat=cutter, in_front=command.in_front, cites=desk.cites[CUT])]


def order_recut(desk: Desk, state: State, command: OrderRecut) -> Outcome:
    """A new cut by the last cutter or by the next person entitled, as filed, before any card is out."""
    if state.shoe.next > 0:
        return refuse(desk, Reason.WRONG_STEP, "a card has left the shoe: it is too late to recut", step=RECUT)
    keys = next(row.cite for row in desk.rules.edition.steps if row.name == RECUT)
    refused = two_persons(desk, "an order to recut", (command.requester, command.name), command.reason, *keys)
    if refused is not None:
        return refused
    cutter = state.shoe.cutter
    if cutter is None or (cutter != DEALER and desk.rules.elections.recut_by == "next_entitled"):
        cutter = next_cut_offer(desk, state) or DEALER
    ordered = RecutOrdered(
        seat=cutter,
        reason=command.reason,
        requester=command.requester,
        approver=command.name,
        cites=desk.cites[RECUT],
    )
    return [ordered]


def place_cover_card(desk: Desk, state: State, command: PlaceCoverCard) -> Outcome:
    """Deep enough, where the document sets a floor; otherwise practice is only warned of."""
    option = desk.rules.edition.options["cover_card_depth"]
    floor = option.at_least or 1
    if not floor <= command.behind < state.shoe.cards:
        say = f"{command.behind} cards behind the cover card; at least {floor} and fewer than the stack"
        return refuse(desk, Reason.DEPTH, say, *option.cite)
    warnings: list[str] = []
    if isinstance(option.warn_below, int) and command.behind < option.warn_below:
        warnings.append(f"{command.behind} behind: practice is {option.warn_below}")
    filed = desk.rules.elections.cover_card_depth
    if filed is not None and command.behind != filed:
        warnings.append(f"{filed} are filed")
    return [CoverCardPlaced(behind=command.behind, warnings=tuple(warnings), cites=desk.cites[COVER_CARD])]


def load_shoe(desk: Desk, _state: State, _command: LoadShoe) -> Outcome:
    """Both cut cards are in: the stack goes into the shoe."""
    return [ShoeLoaded(cites=desk.cites[LOAD])]


def burn_cards(desk: Desk, state: State, _command: BurnCards) -> Outcome:
    """First one card; once it is turned, as many more as it says."""
    shoe = state.shoe
    if shoe.burn and shoe.burn_left < 0:
        return refuse(desk, Reason.OUT_OF_ORDER, "the first card is turned first", step=BURN)
    if not shoe.burn:
        first = CardsBurned(positions=(0,), left=-1, shown=True, cites=desk.cites[BURN])
        return [*cover_card_met(desk, state), first]
    if not shoe.burn_left:
        return refuse(desk, Reason.OUT_OF_ORDER, "the cards are burned; they are shown now", step=BURN)
    count = min(shoe.burn_left, shoe.left)
    places = tuple(range(shoe.next, shoe.next + count))
    met, shown = cover_card_met(desk, state, drawing=count), _burn_shown(desk)
    burned = CardsBurned(positions=places, left=0, shown=shown, cites=desk.cites[BURN])
    return [*met, burned, *_after_burn(desk, over=not shown, out=shoe.cover_out or bool(met))]


def _after_burn(desk: Desk, *, over: bool, out: bool) -> list[Event]:
    """After the burn, "last hand" at once if the cover card came out in it (reading A-44)."""
    return [LastHandCalled(cites=desk.cites["last_hand"])] if over and out else []


def _burn_shown(desk: Desk) -> bool:
    exposed = desk.rules.edition.burn.exposed
    return exposed == "all" or desk.rules.elects(exposed["option"]) == "face_up"


def turn_burned(desk: Desk, state: State, command: TurnCard) -> Outcome:
    """Turn a burned card: the first always, the others where they are shown."""
    shoe = state.shoe
    if command.position not in shoe.burn or command.position in shoe.burned:
        return refuse(desk, Reason.WRONG_CARDS, f"position {command.position} is not to be turned now", step=BURN)
    refused: Refused | None = believable(desk, state, command)
    if refused is not None:
        return refused
    if command.position != 0 and not shoe.burn_shown:
        return refuse(desk, Reason.WRONG_CARDS, "these burned cards stay face down", step=BURN)
    more = burn_value(desk, command.card) if command.position == 0 else 0
    turned = BurnedCardTurned(
        position=command.position, card=command.card, more=more, proof=command.proof, cites=desk.cites[BURN]
    )
    over = shoe.burn_left == 0 and set(shoe.burn) - set(shoe.burned) == {command.position}
    return [turned, *_after_burn(desk, over=over, out=shoe.cover_out)]


def burn_value(desk: Desk, card: Card) -> int:
    """How many more cards the first burned card calls for."""
    return values(desk.rules.edition.burn.value)[card.rank]


# ------------------------------------------------------------------------------------------- evolving


def evolve_cut_answered(state: State, event: CutOffered) -> State:
    """The offer goes on, or has its taker."""
    shoe = replace(state.shoe, cut_offers=(*state.shoe.cut_offers, event.seat))
    return replace(state, shoe=replace(shoe, cutter=event.seat) if event.accept else shoe)


def evolve_cut_fell(state: State, _event: CutFellToDealer) -> State:
    """The dealer has the cut."""
    return replace(state, shoe=replace(state.shoe, cutter=DEALER))


def evolve_cut_given_up(state: State, _event: CutGivenUp) -> State:
    """Nobody has the cut."""
    return replace(state, shoe=replace(state.shoe, cutter=None))


def evolve_cut(state: State, event: CardsCut) -> State:
    """The front packet is behind."""
    return replace(state, shoe=replace(state.shoe, cutter=event.seat, in_front=event.in_front))


def evolve_recut(state: State, event: RecutOrdered) -> State:
    """The cut is undone, and somebody has it again."""
    shoe = state.shoe
    offers = shoe.cut_offers if event.seat in (DEALER, *shoe.cut_offers) else (*shoe.cut_offers, event.seat)
    shoe = replace(
        shoe, cutter=event.seat, in_front=None, cover=None, loaded=False, recuts=shoe.recuts + 1, cut_offers=offers
    )
    return replace(state, shoe=shoe)


def evolve_cover(state: State, event: CoverCardPlaced) -> State:
    """The cover card is in."""
    return replace(state, shoe=replace(state.shoe, cover=event.behind))


def evolve_loaded(state: State, _event: ShoeLoaded) -> State:
    """The shoe is ready for the burn."""
    return replace(state, shoe=replace(state.shoe, loaded=True))


def evolve_burned(state: State, event: CardsBurned) -> State:
    """Burned cards are out of the shoe."""
    shoe = state.shoe
    end = event.positions[-1] + 1 if event.positions else shoe.next
    shoe = replace(
        shoe, next=end, burn=(*shoe.burn, *event.positions), burn_left=event.left, burn_shown=event.shown
    )  # fmt: skip
    return replace(state, shoe=shoe)


def evolve_burned_turned(state: State, event: BurnedCardTurned) -> State:
    """A burned card is known; the first sets the number of the others."""
    shoe, name = state.shoe, str(event.card)
    left = event.more if event.position == 0 else shoe.burn_left
    shoe = replace(
        shoe,
        burned={**shoe.burned, event.position: event.card},
        seen={**shoe.seen, name: shoe.seen.get(name, 0) + 1},
        burn_left=left,
    )
    return replace(state, shoe=shoe)


# --------------------------------------------------------------------------------------- due, expected


def offer_cut_due(desk: Desk, state: State) -> bool:
    """The stack is not cut, nobody has the cut, and somebody may be offered it."""
    shoe = state.shoe
    return shoe.cutter is None and shoe.in_front is None and next_cut_offer(desk, state) is not None


def cut_due(_desk: Desk, state: State) -> bool:
    """The stack is not cut."""
    return state.shoe.in_front is None


def cover_card_due(_desk: Desk, state: State) -> bool:
    """The cover card is not in."""
    return state.shoe.cover is None


def load_due(_desk: Desk, state: State) -> bool:
    """The shoe is empty."""
    return not state.shoe.loaded


def burn_due(_desk: Desk, state: State) -> bool:
    """Cards are still to be burned or shown."""
    shoe = state.shoe
    return not shoe.burn or shoe.burn_left != 0 or (shoe.burn_shown and _unshown(state) is not None)


def _unshown(state: State) -> int | None:
    return next((place for place in state.shoe.burn if place not in state.shoe.burned), None)


def expect_offer_cut(desk: Desk, state: State) -> list[Due]:
    """The next seat answers."""
    seat = next_cut_offer(desk, state)
    assert seat is not None, "the step is due only while somebody may be asked"
    answer = Due(by=Role.PARTICIPANT, act="answer_cut", seat=seat, cites=desk.cites[OFFER_CUT])
    return [*expect_seal(desk, state), answer]


def expect_cut(desk: Desk, state: State) -> list[Due]:
    """Whoever has the cut cuts."""
    seat = state.shoe.cutter or DEALER
    by = Role.PARTICIPANT if seat else Role.DEALER
    return [*expect_seal(desk, state), Due(by=by, act="cut_cards", seat=seat, cites=desk.cites[CUT])]


def expect_cover_card(desk: Desk, _state: State) -> list[Due]:
    """The dealer places the cover card."""
    return [Due(by=Role.DEALER, act="place_cover_card", cites=desk.cites[COVER_CARD])]


def expect_load(desk: Desk, _state: State) -> list[Due]:
    """The dealer loads the shoe."""
    return [Due(by=Role.DEALER, act="load_shoe", cites=desk.cites[LOAD])]


def expect_burn(desk: Desk, state: State) -> list[Due]:
    """Draw, turn the first, draw the others, show them where they are shown."""
    unshown = _unshown(state)
    act = "turn_card" if state.shoe.burn and unshown is not None and state.shoe.burn_shown else "burn_cards"
    return [Due(by=Role.DEALER, act=act, cites=desk.cites[BURN])]


COMMANDS = {
    AnswerCut: answer_cut,
    CutCards: cut_cards,
    OrderRecut: order_recut,
    PlaceCoverCard: place_cover_card,
    LoadShoe: load_shoe,
    BurnCards: burn_cards,
}
EVENTS = {
    CutOffered: evolve_cut_answered,
    CutFellToDealer: evolve_cut_fell,
    CutGivenUp: evolve_cut_given_up,
    CardsCut: evolve_cut,
    RecutOrdered: evolve_recut,
    CoverCardPlaced: evolve_cover,
    ShoeLoaded: evolve_loaded,
    CardsBurned: evolve_burned,
    BurnedCardTurned: evolve_burned_turned,
}
STEPS = {
    OFFER_CUT: (offer_cut_due, expect_offer_cut),
    CUT: (cut_due, expect_cut),
    COVER_CARD: (cover_card_due, expect_cover_card),
    LOAD: (load_due, expect_load),
    BURN: (burn_due, expect_burn),
}
