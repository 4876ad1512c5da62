"""Closing: vigorish outstanding is collected, the shoe is closed, and new decks or a reshuffle follow."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.money import Cents
from baccarat.play.refusal import RefusalNote
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import add_step, evolves, handles
from baccarat.table.role import Role
from baccarat.table.round_state import Round
from baccarat.table.seating_acts import VigorishCollected, free_chips
from baccarat.table.shoe_state import LOST_SEED, Shoe
from baccarat.table.state import DISPROVED, REVEALED, TableState
from baccarat.table.step.burning import BURN, unshown
from baccarat.table.step.revealing import expect_seed, seed_is_due
from baccarat.table.step_function import asks, tells
from baccarat.table.story_words import cards_go, count_of_cards
from baccarat.table.vigorish_form import forms_left

CLOSE = "close"
SEEDS = {
    "": "",
    "revealed": "its seed has been revealed; ",
    "lost": "its seed is lost; ",
    "disproved": "its sealed order was not its seed's; ",
}
"""What happened to a seed, in the sentence about the end of a shoe."""


class CollectVigorish(Command, frozen=True, kw_only=True, tag="collect_vigorish"):
    """The dealer collects what a marker says."""

    seat: Seat
    STOPPED = True
    CARD = CommandCard(pace="pay", console="seat", public_ask="The dealer collects the vigorish that is marked.")


class CloseShoe(Command, frozen=True, kw_only=True, tag="close_shoe"):
    """The dealer ends the shoe."""

    STEPS = frozenset({CLOSE})
    CARD = CommandCard(console="plain", ask_is_public=True)


class ShoeClosed(Event, frozen=True, kw_only=True, tag="shoe_closed"):
    """The shoe is over: the set is shuffled again, or another must come; cards left for no hand go with it."""

    same_set: bool
    """Whether the same set of cards is shuffled again."""
    unused: tuple[int, ...] = ()
    """Positions of cards that were drawn for no hand."""
    seed: str = ""
    """Of an electronic shoe, `revealed`, `lost` or `disproved`: another order than the seed's was sealed."""
    REWINDS = True
    CARD = EventCard(sights(everybody="same_set unused seed"), sort="other")


@handles(CollectVigorish)
def collect_vigorish(rules: TableRules, state: TableState, command: CollectVigorish) -> HandlerResult:
    """Collect a marked debt in full; what was marked is never rounded again."""
    keys = rules.edition.vigorish.due_cite
    owed, chips = state.money.markers.get(command.seat, 0), free_chips(state, command.seat)
    if not owed:
        return refuse(rules, Reason.NO_SUCH_WAGER, "seat_no_marker", *keys, seat=command.seat)
    if chips < owed:
        return refuse(
            rules, Reason.NOT_ENOUGH_CHIPS, "seat_owes_chips", *keys, seat=command.seat, owed=owed, chips=chips
        )
    return [VigorishCollected(seat=command.seat, amount=owed, cites=rules.cite_text(*keys))]


@handles(CloseShoe)
def close_shoe(rules: TableRules, state: TableState, _command: CloseShoe) -> HandlerResult:
    """No marker may outlive the shoe, and the seed of an electronic shoe does not stay sealed after it."""
    law = rules.edition
    if state.money.markers:
        markers = sorted(state.money.markers.items())
        owing = tuple(RefusalNote("seat_owes", {"seat": seat, "owed": owed}) for seat, owed in markers)
        return refuse(rules, Reason.VIGORISH_OWED, "vigorish_outstanding", *law.vigorish.due_cite, owing=owing)
    if seed_is_due(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "seed_revealed_before_the_close", step=CLOSE)
    held = state.shoe.commitment
    seed = "" if held is None else LOST_SEED if held.lost else DISPROVED if held.disproved else REVEALED
    shoe = state.shoe
    waiting = (*shoe.carried, *shoe.pending, *shoe.disclosed)
    opened = state.round.player + state.round.banker if not state.round.void else ()
    unused = tuple(sorted((*waiting, *opened)))
    cites = rules.cite_text(*law.void.cite) if state.round.void else rules.cites[CLOSE]
    same_set = law.void.same_set and bool(shoe.set_id) and not shoe.taken_away  # a shoe may go before its cards come
    return [ShoeClosed(same_set=same_set, unused=unused, seed=seed, cites=cites)]


@evolves(ShoeClosed)
def evolve_closed(state: TableState, event: ShoeClosed) -> TableState:
    """The next shoe begins with no cards, or with the same set to be shuffled."""
    old = state.shoe
    used = old.used_sets if old.set_id in ("", *old.used_sets) else (*old.used_sets, old.set_id)
    held = old.commitment
    seed = "" if held is None else LOST_SEED if held.lost else held.seed
    shoe = Shoe(number=old.number + 1, used_sets=used, after_void=state.round.void, former_seed=seed)
    if held is not None and held.inputs and old.in_front is None:  # a new cut was ordered, and this is its shoe
        shoe = replace(shoe, cutter=old.cutter)
    if event.same_set:
        shoe = replace(shoe, set_id=old.set_id, decks=old.decks, reshuffle=True)
    else:
        shoe = replace(shoe, former_set=old.set_id or old.former_set)
    last = state.seats.curator or state.seats.curator_right or state.seats.last_curator
    seats = replace(state.seats, last_curator=last, last_cutter=old.cutter)  # the curator stays (reading A-90)
    return replace(state, rules="", shoe=shoe, round=Round(), seats=seats)


def expect_close(rules: TableRules, state: TableState) -> list[Due]:
    """Markers and an electronic shoe's seed, which waits for no paper; then the close, before which burned cards may be
    turned."""
    if state.money.markers:
        return [*expect_owing(rules, state), *expect_seed(rules, state)]
    close = Due(by=Role.DEALER, act="close_shoe", cites=rules.cites[CLOSE])
    turn = Due(by=Role.DEALER, act="turn_card", cites=rules.cites[BURN], optional=True)
    due = expect_seed(rules, state) or [close]
    return due if unshown(state) is None else [*due, turn]


def expect_owing(rules: TableRules, state: TableState) -> list[Due]:
    """What is due of every marker, seat by seat."""
    return [_expect_marker(rules, state, seat) for seat in sorted(state.money.markers)]


def _expect_marker(rules: TableRules, state: TableState, seat: int) -> Due:
    """What happens to a marker: collected while its owner can pay, otherwise documented as the rules say."""
    law, person = rules.edition, state.at(seat)
    if person is not None and free_chips(state, seat) >= state.money.markers[seat]:
        return Due(by=Role.DEALER, act="collect_vigorish", seat=seat, cites=rules.cite_text(*law.vigorish.due_cite))
    if law.vigorish_form is not None:
        act = "document_vigorish" if forms_left(state) else "receive_forms"
        return Due(by=Role.PIT_CLERK, act=act, seat=seat, cites=rules.cite_text(*law.vigorish_form.cite))
    return Due(by=Role.FLOORPERSON, act="report_exception", seat=seat, cites=rules.cite_text(*law.vigorish.kept_cite))


add_step(CLOSE, due=lambda _rules, state: state.shoe.finished, expect=expect_close)


@asks(CloseShoe)
def _ask_close(_rules: TableRules, state: TableState, due: Due) -> Due:
    return replace(due, say=f"The dealer closes the shoe, with {count_of_cards(state.shoe.left)} left in it.")


@asks(CollectVigorish)
def _ask_collect(_rules: TableRules, state: TableState, due: Due) -> Due:
    owed = state.money.markers[due.seat]
    return replace(due, amount=owed, say=f"The dealer collects the {Cents(owed)} that seat {due.seat}'s marker says.")


tells(ShoeClosed)(
    lambda x: (
        "The shoe is closed; "
        + (f"with it {cards_go(x.unused).lower()}, for which no hand is left; " if x.unused else "")
        + SEEDS[x.seed]
        + ("the set is shuffled again." if x.same_set else "new decks follow.")
    )
)
