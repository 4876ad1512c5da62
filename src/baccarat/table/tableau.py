"""The tableau at the table: who draws next, decided on turned cards only."""

from __future__ import annotations

from baccarat.cards import Card
from baccarat.law.row import Draw
from baccarat.play.book import NO_CARD
from baccarat.play.coup import draw_note, draw_ruling
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.play.refusal import RefusalNote
from baccarat.table.audience import sights
from baccarat.table.base import Event, TableRules
from baccarat.table.card import EventCard
from baccarat.table.registration import evolves
from baccarat.table.round_state import Round
from baccarat.table.state import TableState, with_round
from baccarat.table.step_function import tells

BOTH = (PLAYER_SIDE, BANKER_SIDE)


class HandStays(Event, frozen=True, kw_only=True, tag="hand_stays"):
    """A row of the tableau gives a hand no third card, given the Player's third card or its absence."""

    side: Side
    count: int
    """What the hand's first two cards count."""
    natural: bool = False
    """Whether either hand has a natural, which ends the round for both: the hand that stays need not be the one."""
    against: Card | None = None
    """The Player's third card, against which the Banker's hand stays; null if there is none, or for the Player's."""
    CARD = EventCard(sights(everybody="side count natural against"), sort="card")


def two_card_count(rules: TableRules, state: TableState, side: Side) -> int:
    """The count of a hand's first two cards, which are turned."""
    value, round_ = rules.book.value, state.round
    first, second = round_.hand(side)[:2]
    return (value[round_.turned[first]] + value[round_.turned[second]]) % 10


def both_counted(round_: Round) -> bool:
    """Whether the counts of both opening hands have been called."""
    return PLAYER_SIDE in round_.counted and BANKER_SIDE in round_.counted


def is_open(state: TableState, side: Side) -> bool:
    """Whether every card of a hand is turned."""
    round_ = state.round
    return round_.turned.keys() >= set(round_.hand(side))


def draws(rules: TableRules, state: TableState, side: Side) -> bool:
    """Whether the tableau gives a hand a third card, both opening hands and the Player's third being turned."""
    return row_of(rules, state, side).act == "draw"


def row_of(rules: TableRules, state: TableState, side: Side) -> Draw:
    """The row of the tableau that says whether a hand draws."""
    player, banker = two_card_count(rules, state, PLAYER_SIDE), two_card_count(rules, state, BANKER_SIDE)
    player_row = rules.book.player_row[player][banker]
    if side is PLAYER_SIDE:
        return player_row
    natural = rules.book.natural[player] or rules.book.natural[banker]
    column = NO_CARD
    if player_row.act == "draw":
        column = rules.book.value[state.round.turned[state.round.player[2]]]
    row = rules.book.banker_row[natural][banker][column]
    assert row is not None, "the tableau answers every case"
    return row


def next_to_draw(rules: TableRules, state: TableState) -> Side | None:
    """The hand that receives the next card; None while none does."""
    round_, hands = state.round, rules.book.hands
    if len(round_.player) + len(round_.banker) < len(hands):
        return next(hand for place, hand in enumerate(hands) if len(round_.hand(hand)) <= hands[:place].count(hand))
    if not both_counted(round_):
        return None
    if len(round_.player) == 2 and draws(rules, state, PLAYER_SIDE):
        return PLAYER_SIDE
    if not is_open(state, PLAYER_SIDE):
        return None
    if len(round_.banker) == 2 and draws(rules, state, BANKER_SIDE):
        return BANKER_SIDE
    return None


def hands_are_complete(rules: TableRules, state: TableState) -> bool:
    """Whether both hands have all the cards to which they are entitled, turned."""
    round_ = state.round
    return (
        both_counted(round_)
        and is_open(state, PLAYER_SIDE)
        and is_open(state, BANKER_SIDE)
        and next_to_draw(rules, state) is None
    )


def ruling(rules: TableRules, state: TableState, side: Side) -> RefusalNote:
    """What the tableau says of a hand; both opening hands are up, and the Player's third card if drawn."""
    counts = {each: two_card_count(rules, state, each) for each in BOTH}
    natural = any(rules.book.natural[count] for count in counts.values())
    third = state.round.turned.get(state.round.player[2]) if len(state.round.player) > 2 else None
    return draw_note(row_of(rules, state, side).act, side, counts[side], natural=natural, against=third)


def new_stays(rules: TableRules, state: TableState) -> list[HandStays]:
    """The hands that stay according to the cards that are up, and on which this has not been ruled yet."""
    round_ = state.round
    if len(round_.counted) < len(BOTH) or round_.announced or round_.void or len(round_.stays) == len(BOTH):
        return []
    book = rules.book
    counts = two_card_count(rules, state, PLAYER_SIDE), two_card_count(rules, state, BANKER_SIDE)
    natural = book.natural[counts[0]] or book.natural[counts[1]]
    player_row = book.player_row[counts[0]][counts[1]]
    player_drew = player_row.act == "draw"
    third = round_.turned.get(round_.player[2]) if len(round_.player) > 2 else None
    found: list[HandStays] = []
    for side, count in zip(BOTH, counts, strict=True):
        waits = side is BANKER_SIDE and player_drew and third is None
        if side in round_.stays or len(round_.hand(side)) != 2 or waits:
            continue
        row = player_row if side is PLAYER_SIDE else row_of(rules, state, side)
        if row.act == "stay":
            against = third if side is BANKER_SIDE and player_drew else None
            cites = rules.cite_text(*row.cite)
            found.append(HandStays(side=side, count=count, natural=natural, against=against, cites=cites))
    return found


evolves(HandStays)(lambda state, event: with_round(state, stays=(*state.round.stays, event.side)))


@tells(HandStays)
def _tell_stays(event: HandStays) -> str:
    return f"The {draw_ruling('stay', event.side, event.count, natural=event.natural, against=event.against)}."
