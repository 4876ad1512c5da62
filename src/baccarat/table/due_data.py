"""What is said of an act that is due, by name and parameters: for whoever reads another language than the house's."""

from __future__ import annotations

import msgspec

from baccarat.table.base import Due, TableRules
from baccarat.table.state import TableState
from baccarat.table.step.turning_right import TURNING, turning_side
from baccarat.table.tableau import next_to_draw, two_card_count


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence by its name and what it is made with; the words themselves stand beside it."""

    what: str = ""
    params: dict[str, int | str] = {}


NO_SENTENCE = Sentence()
BURN_MORE, LAY_CARRIED = "burn_more", "lay_carried_card"


def sentence_of(rules: TableRules, state: TableState, due: Due) -> Sentence:
    """What is asked of somebody, as data."""
    return Sentence(what=_what(state, due), params=_params(rules, state, due))


def _what(state: TableState, due: Due) -> str:
    """The name of what is asked for: the act's, but for acts of which more than one thing is said."""
    if due.act == "prepare_cards":
        return f"{due.act}_{state.step}"
    if due.act == "burn_cards" and state.shoe.burn:
        return BURN_MORE
    if due.act == "draw_card" and due.position in state.shoe.carried:
        return LAY_CARRIED
    return due.act


def _params(rules: TableRules, state: TableState, due: Due) -> dict[str, int | str]:
    """What a sentence about an act that is due is made with: its seat, 0 for the dealer, sum, card, hand and cards."""
    found: dict[str, int | str] = {"seat": due.seat}
    if due.amount:
        found["amount"] = due.amount
    if due.position is not None:
        found["number"] = due.position + 1
    side = next_to_draw(rules, state) if due.act == "draw_card" else None
    if due.act in ("turn_card", "hand_cards", "return_cards", "announce_count") and state.step in TURNING:
        side = turning_side(state)
    if due.act == "answer_turn":
        side = state.round.offering
    if side is not None:
        found["hand"] = side.value
    if due.act == "burn_cards" and state.shoe.burn:
        found["cards"] = state.shoe.burn_left
    if due.act == "cut_cards":
        found["depth"] = rules.edition.cut.at_least
    if due.act == "announce_count" and side is not None:
        found["count"] = two_card_count(rules, state, side)
    return found
