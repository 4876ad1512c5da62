"""Invariants: what must hold after every event, as far as one state can show it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.play.hand import Side, values
from baccarat.play.wager import WagerKind
from baccarat.play.wager.royal9 import MICRO
from baccarat.table.base import Event
from baccarat.table.round_state import RoundKind
from baccarat.table.seating_acts import BoughtIn, Left
from baccarat.table.state import TableState
from baccarat.table.step.settlement import LOSERS
from baccarat.table.step.wagering import WagerPlaced


class BrokenInvariant(msgspec.Struct, frozen=True):
    """A promise that does not hold: its name, such as M2, and what is wrong."""

    promise: str
    say: str

    def __str__(self) -> str:
        return f"{self.promise} {self.say}"


def broken_invariants(rules: Rulebook, state: TableState) -> list[BrokenInvariant]:
    """The invariants that do not hold; there should be none."""
    return [*_cards(state), *_burn(rules, state), *_money(state), *_round(state)]


def _cards(state: TableState) -> Iterator[BrokenInvariant]:
    """C1, C2: every position is in one place, and cards leave the shoe in its order."""
    shoe, round_ = state.shoe, state.round
    on_layout = (*round_.player, *round_.banker)
    waiting = (*shoe.carried, *shoe.pending, *shoe.disclosed)
    out = (*on_layout, *waiting)
    if len(set(out)) != len(out):
        yield BrokenInvariant("C1", f"a position lies in two places: {sorted(out)}")
    if any(place >= shoe.next for place in out):
        yield BrokenInvariant("C2", "a card on the table is still in the shoe")
    if not 0 <= shoe.next <= shoe.cards:
        yield BrokenInvariant("C2", f"{shoe.next} cards have left a shoe of {shoe.cards}")
    if len(round_.player) > 3 or len(round_.banker) > 3:
        yield BrokenInvariant("C2", "a hand of more than three cards")
    if set(round_.turned) - set(on_layout):
        yield BrokenInvariant("C1", "a turned card lies nowhere")
    if max(shoe.seen.values(), default=0) > shoe.decks:
        yield BrokenInvariant("C1", "a card has been seen more often than the decks hold it")


def _burn(rules: Rulebook, state: TableState) -> Iterator[BrokenInvariant]:
    """C4: the first card, and as many more as the edition says."""
    shoe = state.shoe
    over = bool(shoe.burn) and shoe.burn[0] in shoe.burned and shoe.burn_left == 0
    if over and not (shoe.cover_out or shoe.burn_corrected):
        more = values(rules.edition.burn.value)[shoe.burned[shoe.burn[0]].rank]
        if len(shoe.burn) != more + 1:
            yield BrokenInvariant("C4", f"{len(shoe.burn)} cards burned after {shoe.burned[shoe.burn[0]]}")


def _round(state: TableState) -> Iterator[BrokenInvariant]:
    """C6, M5: a simulated round holds no wager; a Free Hand neither."""
    round_ = state.round
    if round_.kind is not RoundKind.WAGERED and (round_.wagers or round_.spoken):
        yield BrokenInvariant("C6", f"a {round_.kind.value} holds wagers")
    if set(round_.holders) - set(Side):
        yield BrokenInvariant("C1", "a hand that is neither Player's nor Banker's")


def _money(state: TableState) -> Iterator[BrokenInvariant]:
    """M3, M8: no balance below zero, no meter below zero; what the Must Hit shows came in and was not paid out."""
    for number, person in enumerate(state.seats.participants, start=1):
        if person is not None and person.chips < 0:
            yield BrokenInvariant("M3", f"seat {number} has {person.chips}")
    if any(value < 0 for value in state.money.payable.values()):
        yield BrokenInvariant("M3", "less than nothing is payable")
    if any(value < 0 for value in state.meters.amounts.values()):
        yield BrokenInvariant("M8", "a meter is below zero")
    flow = state.meters.must_hit_flow
    if flow.contributed + flow.seeded + flow.elsewhere != flow.paid + state.meters.must_hit:
        yield BrokenInvariant("M8", f"the Must Hit shows {state.meters.must_hit} after {flow}")
    if any(value <= 0 for value in state.money.markers.values()):
        yield BrokenInvariant("M6", "a marker for nothing")


def worth(state: TableState) -> int:
    """All money at the table in micro-cents; it changes only by buy-in, spoken cash and leaving (M1, M2)."""
    chips = sum(person.chips for person in state.seats.participants if person is not None)
    payable = sum(state.money.payable.values())
    pools = (
        sum(state.meters.amounts.values())
        + state.meters.reserve
        - state.meters.contributed
        - state.meters.seeded
        - state.meters.elsewhere
    )
    return (chips + layout(state) + payable + state.money.bank) * MICRO + pools


def layout(state: TableState) -> int:
    """The chips that lie on the layout, in cents: wagers not settled yet, and what was pressed onto them."""
    round_ = state.round
    settled = {line.seat for line in round_.house_lines}
    total = sum(round_.pressed.values()) if not round_.announced else 0
    for wager in round_.wagers:
        if wager.on is WagerKind.HOUSE_MONEY:
            total += 0 if wager.seat in settled else wager.stake
        elif not round_.announced:
            total += wager.stake
    if round_.announced:
        total += sum(round_.returned_due.values()) + sum(round_.lying.values())
        for act in round_.acts:
            total += act.amount if act.act == LOSERS else act.stake
    return total


MONEY_EVENTS = frozenset({BoughtIn, Left, WagerPlaced})
"""The events that may bring money to the table, or take it away."""


def money_brought_in(event: Event) -> int:
    """What an event brings to the table from outside, in cents, negative if it takes away: all else only moves."""
    match event:
        case BoughtIn(amount=amount):
            return amount
        case Left(chips=chips):
            return -chips
        case WagerPlaced(cash=True, stake=stake):
            return stake
        case _:
            return 0
