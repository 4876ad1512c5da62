"""Which card is turned: one that was burned, one on its way to the discards, or one of a hand."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.table.base import Due, HandlerResult, TableRules
from baccarat.table.irregularity.remedy import EXPOSE, turn_discard
from baccarat.table.registration import handles
from baccarat.table.source import CardSource
from baccarat.table.state import TableState
from baccarat.table.step.burning import BURN, turn_burned, unshown
from baccarat.table.step.closing import CLOSE
from baccarat.table.step.turning import TurnCard, turn_in_hand
from baccarat.table.step.turning_right import turning_side
from baccarat.table.step_function import asks, automates, labels
from baccarat.table.story_words import number


@handles(TurnCard)
def turn_card(rules: TableRules, state: TableState, command: TurnCard) -> HandlerResult:
    """A card is turned in the burn, on its way to the discards, or in a hand."""
    if state.step in (BURN, CLOSE):
        return turn_burned(rules, state, command)
    if state.step == EXPOSE:
        return turn_discard(rules, state, command)
    return turn_in_hand(rules, state, command)


def card_to_turn(state: TableState) -> tuple[int, str]:
    """The card to be turned next, and what it is."""
    if state.step in (BURN, CLOSE):
        burned = unshown(state)
        assert burned is not None, "a burned card is due to be turned"
        return burned, "which was burned"
    if state.step == EXPOSE:
        return state.shoe.exposing[0], "on its way to the discards"
    side = turning_side(state)
    assert side is not None, "a card is due to be turned"
    position = next(each for each in state.round.hand(side) if each not in state.round.turned)
    return position, f"the {side}'s"


@asks(TurnCard)
def _ask_turn(_rules: TableRules, state: TableState, due: Due) -> Due:
    position, whose = card_to_turn(state)
    return replace(due, position=position, say=f"The dealer turns card {number(position)}, {whose}.")


@automates(TurnCard)
def _make_turn(_rules: TableRules, state: TableState, _due: Due, source: CardSource) -> TurnCard:
    position, _ = card_to_turn(state)
    card, proof = source.card(state, position)
    return TurnCard(position=position, card=card, proof=proof)


labels(TurnCard)(lambda _rules, state, due: "turn_burned" if state.step in (BURN, CLOSE) else due.act)
