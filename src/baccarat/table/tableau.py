"""The tableau at the table: who draws next, decided on turned cards only."""

from __future__ import annotations

from baccarat.law.row import Draw
from baccarat.play.book import NO_CARD
from baccarat.play.hand import Side
from baccarat.table.base import Desk
from baccarat.table.state import State

BOTH = (Side.PLAYER, Side.BANKER)


def two_card_count(desk: Desk, state: State, side: Side) -> int:
    """The count of a hand's first two cards, which are turned."""
    value, now = desk.book.value, state.round
    first, second = now.hand(side)[:2]
    return (value[now.turned[first]] + value[now.turned[second]]) % 10


def is_open(state: State, side: Side) -> bool:
    """Whether every card of a hand is turned."""
    now = state.round
    return all(place in now.turned for place in now.hand(side))


def draws(desk: Desk, state: State, side: Side) -> bool:
    """Whether the tableau gives a hand a third card, both opening hands and the Player's third being turned."""
    return row_of(desk, state, side).act == "draw"


def row_of(desk: Desk, state: State, side: Side) -> Draw:
    """The row of the tableau that says whether a hand draws."""
    player, banker = (two_card_count(desk, state, each) for each in BOTH)
    player_row = desk.book.player_row[player][banker]
    if side is Side.PLAYER:
        return player_row
    natural = desk.book.natural[player] or desk.book.natural[banker]
    column = NO_CARD
    if player_row.act == "draw":
        column = desk.book.value[state.round.turned[state.round.player[2]]]
    row = desk.book.banker_row[natural][banker][column]
    assert row is not None, "the tableau answers every case"
    return row


def next_to_draw(desk: Desk, state: State) -> Side | None:
    """The hand that receives the next card; None while none does."""
    now, hands = state.round, desk.book.hands
    if len(now.player) + len(now.banker) < len(hands):
        return next(hand for place, hand in enumerate(hands) if len(now.hand(hand)) <= hands[:place].count(hand))
    if not (set(now.counted) >= set(BOTH)):
        return None
    if len(now.player) == 2 and draws(desk, state, Side.PLAYER):
        return Side.PLAYER
    if not is_open(state, Side.PLAYER):
        return None
    if len(now.banker) == 2 and draws(desk, state, Side.BANKER):
        return Side.BANKER
    return None


def hands_are_complete(desk: Desk, state: State) -> bool:
    """Whether both hands have all the cards to which they are entitled, turned."""
    now = state.round
    return (
        set(now.counted) >= set(BOTH)
        and is_open(state, Side.PLAYER)
        and is_open(state, Side.BANKER)
        and next_to_draw(desk, state) is None
    )
