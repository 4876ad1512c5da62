"""The right to turn a hand: whose it is, under which clause, and to whom it goes when somebody gives it up."""

from __future__ import annotations

from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.play.holder import holder_of
from baccarat.play.seating import seats_around
from baccarat.table.base import TableRules
from baccarat.table.round_state import WAGERED
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.dealing import THIRD_CARDS, third_cites
from baccarat.table.tableau import is_open

TURN_PLAYER, TURN_BANKER = "turn_player", "turn_banker"
RELINQUISH = "relinquish"
BANKER_FIRST = "turn_banker_first"
COUNTING = frozenset({BANKER_FIRST, TURN_PLAYER, TURN_BANKER})
"""The steps in which a hand is turned and its count is called."""
TURNING = COUNTING | {THIRD_CARDS}
"""The steps in which cards are turned."""


def turning_side(state: TableState) -> Side | None:
    """The hand whose cards are to be turned now."""
    if state.step == TURN_PLAYER:
        return PLAYER_SIDE
    if state.step in (TURN_BANKER, BANKER_FIRST):
        return BANKER_SIDE
    if not is_open(state, PLAYER_SIDE):
        return PLAYER_SIDE
    return None if is_open(state, BANKER_SIDE) else BANKER_SIDE


def holder(rules: TableRules, state: TableState, side: Side) -> int:
    """The seat that turns a hand; the dealer where nobody else does."""
    round_ = state.round
    if side in round_.holders:
        return round_.holders[side]
    if round_.kind is not WAGERED:
        return DEALER
    return holder_of(rules.book, round_.wagers, side) or DEALER


def unturned(state: TableState, side: Side) -> tuple[int, ...]:
    """The cards of a hand that lie face down, by their positions in the shoe."""
    return tuple(position for position in state.round.hand(side) if position not in state.round.turned)


def turned_under(rules: TableRules, state: TableState, side: Side) -> tuple[str, ...]:
    """The clauses by which a hand is turned by the one who turns it."""
    law, seat = rules.edition.reveal, holder(rules, state, side)
    stakes = [wager.stake for wager in state.round.wagers if wager.on is rules.book.main[side]]
    other = () if stakes or seat == DEALER else rules.cite_text(*law.other_side_cite)
    if state.step == THIRD_CARDS:
        return (*third_cites(rules, side), *other)
    if rules.book.face_up:
        return rules.cite_text(*law.face_up_cite)
    if seat == DEALER:
        return rules.cite_text(*law.nobody_cite)
    keys = law.player_cite if side is PLAYER_SIDE else law.banker_cite
    if other or not stakes:
        return other or rules.cites[RELINQUISH]
    if stakes.count(max(stakes)) > 1:
        keys = (*keys, *(law.player_tie_cite if side is PLAYER_SIDE else law.banker_tie_cite))
    return rules.cite_text(*keys)


def held_positions(rules: TableRules, state: TableState, seat: int) -> tuple[int, ...]:
    """The cards that are with a seat now, face down: only the person who sits there may look at them."""
    side = turning_side(state) if state.step in TURNING and seat != DEALER else None
    if side is None or side not in state.round.handed or side in state.round.returned:
        return ()
    if state.round.offering is not None or holder(rules, state, side) != seat:
        return ()
    return unturned(state, side)


def to_be_viewed(state: TableState, side: Side) -> bool:
    """Whether cards of a hand lie face down and have not come back from their viewing."""
    return bool(unturned(state, side)) and side not in state.round.returned


def _eligible(rules: TableRules, state: TableState, side: Side) -> set[int]:
    """The seats that may be offered a right to turn a hand that somebody has given up."""
    wagers = state.round.wagers
    if not rules.edition.reveal.passes:
        main = rules.book.main
        mine = any(wager.on is main[side] for wager in wagers)
        return {w.seat for w in wagers if w.on is main[side.other]} if rules.book.other_side and not mine else set()
    if rules.elections.squeeze_eligible == "bettors":
        return {wager.seat for wager in wagers} & set(state.occupied)
    return set(state.occupied)


def next_offer(rules: TableRules, state: TableState, side: Side, asked: tuple[int, ...]) -> int | None:
    """The seat that is offered the right next: to the right of the one who gave it up, then counterclockwise."""
    previous, *offered = asked
    eligible = _eligible(rules, state, side)
    order = seats_around(
        range(1, len(state.seats.participants) + 1),
        start="dealer_right",
        direction="counterclockwise",
        seat_one=rules.book.seat_one,
    )
    turn = order.index(previous) + 1
    ring = [*order[turn:], *order[: turn - 1]]
    return next((seat for seat in ring if seat in eligible and seat not in offered), None)
