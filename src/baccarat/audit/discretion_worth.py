"""What an act of discretion was worth at that moment: by the exact odds, and by the order once it is revealed.

Everything is seen from the participants: above zero they have more by the act, below zero less. What is measured is
declared by the command's card (`Discretion` in `table/card.py`):

- `shoe`: the rest of the shoe is not dealt. The measure is one more round: the wagers that were last taken at the
  table, at the odds of the cards that nobody has seen. Before another is seen, every later round has the same odds.
- `round`: a round is not played: those wagers once more, or the wagers of a round that is voided, given its cards.
- `card`: what the wagers of the round are worth after the correction, less before it; once the result is announced,
  what the corrected cards owe.
- `seen`: a card is reported as seen, on staff's word: what the wagers of the round are worth after it, less before it;
  if they are returned, all that they were worth.
- `order`: other cards come, or fewer or more of them, and nobody has seen any: nothing by the odds. A new cut that ends
  the shoe is measured as a `shoe`.
- `wagers`: staff say that somebody has left, and his wagers and rights go with him: what the wagers were worth.
- `sum`: the money that is given, also as coupons or for a coupon on paper, or that a debtor does not pay, beyond what
  the cards owe. A payment that settles what a corrected card left owing is worth nothing more than the correction of
  the card.
- `count`: chips or cash are not what the books say, on the word of those who count: nothing that the cards owe.
- `terms`: other rules or other meters hold for wagers to come, which nobody knows yet.
- `trigger`: nobody can open the sealed trigger of a Must Hit, so nobody can tell what it was worth.
- `nothing`: no card and no sum depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from operator import attrgetter

from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import MOST_DECKS
from baccarat.odds.open_round import expected_gain
from baccarat.odds.price import odds
from baccarat.odds.shoe import ShoeCounts
from baccarat.play.book import open_book
from baccarat.play.settle import settle_by
from baccarat.play.settlement import Settlement
from baccarat.play.shoe import burn, rounds
from baccarat.play.wager import Wager, WagerKind
from baccarat.table.base import Event, table_rules
from baccarat.table.card import Discretion
from baccarat.table.owed import dues
from baccarat.table.proof import cards_from, index_before_cut
from baccarat.table.round_state import Round
from baccarat.table.shoe_state import Shoe
from baccarat.table.state import TableState


def worth_of(
    measure: Discretion,
    rules: Rulebook,
    *,
    before: TableState,
    after: TableState,
    events: Sequence[Event],
    usual: Sequence[Wager],
) -> Fraction | None:
    """What an act was worth to the participants, in cents; None where too few cards are left, or nobody has wagered.

    `usual` are the wagers that were last taken at the table.
    """
    match measure:
        case "sum":
            given = (attrgetter(event.CARD.given)(event) for event in events if event.CARD.given)
            return Fraction(sum(given)) + _owed_more(rules, before, after)
        case "card":
            return _correction_worth(rules, before, after)
        case "seen" | "wagers":
            return _seen_card_worth(rules, before, after)
        case "trigger" | "terms":
            return None
        case "round" if after.round.void and not before.round.void:
            return _unplayed_worth(rules, before.round.wagers, before.shoe, before.round)
        case "shoe" | "round":
            return _unplayed_worth(rules, usual, before.shoe)
    return Fraction(0)


def unseen_cards(rules: Rulebook, shoe: Shoe) -> ShoeCounts:
    """The cards of a shoe that nobody has seen; `ValueError` if more were seen than its decks hold."""
    seen = [card for card, count in shoe.seen.items() for _ in range(count)]
    return ShoeCounts.full(rules.elections.decks or shoe.decks).without(seen)


def best_wager(rules: Rulebook, shoe: Shoe) -> tuple[WagerKind, Fraction] | None:
    """The wager that gained most on average, and what a unit on it gained, by the cards that nobody had seen."""
    try:
        prices = odds(rules, unseen_cards(rules, shoe))
    except ValueError:
        return None
    priced = [(price.expected, price.on) for price in prices if price.verdicts]
    if not priced:
        return None
    gained = max(each for each, _ in priced)
    return next((on, each) for each, on in priced if each == gained)


def gain_by_order(rules: Rulebook, shoe: Shoe, seed: str, usual: Sequence[Wager], *, most: int) -> tuple[int, int]:
    """What the usual wagers would have gained in the rest of a shoe whose seed is known, in cents, and its rounds.

    Each of the rounds, at most `most`, has the same wagers, and is settled to the cent. It gives no rounds for an order
    that cannot be derived.
    """
    held = shoe.commitment
    if held is None or shoe.in_front is None or held.decks > MOST_DECKS or not held.is_derivable:
        return 0, 0
    before_cut = cards_from(held, bytes.fromhex(seed))
    order = tuple(before_cut[index_before_cut(shoe, place)] for place in range(len(before_cut)))
    if shoe.next == 0:
        position = len(burn(rules, order).cards)
    else:
        waiting = tuple(order[place] for place in shoe.carried)
        position = shoe.next - len(waiting)
        order = (*order[:position], *waiting, *order[shoe.next :])
    book, gained, count = open_book(rules), 0, 0
    wagers = _plain_wagers(rules, usual)
    for dealt in rounds(rules, order, position=position):
        settled = settle_by(book, dealt.coup, wagers)
        if dealt.coup.is_void or not isinstance(settled, Settlement):
            break
        gained, count = gained + sum(settled.net_by_seat.values()), count + 1
        if count == most:
            break
    return gained, count


def _plain_wagers(rules: Rulebook, wagers: Sequence[Wager]) -> list[Wager]:
    """Wagers without coupons and presses, and without Royal 9, which awards what meters show."""
    book = open_book(rules)
    return [Wager(seat=each.seat, on=each.on, stake=each.stake) for each in wagers if book.table(each.on)]


def _unplayed_worth(
    rules: Rulebook, wagers: Sequence[Wager], shoe: Shoe, round_: Round | None = None
) -> Fraction | None:
    """What participants lose with a round that is not played to its end."""
    gained = _expected_gain(rules, wagers, shoe, round_ or Round())
    return None if gained is None or not wagers else -gained


def _expected_gain(rules: Rulebook, wagers: Sequence[Wager], shoe: Shoe, round_: Round) -> Fraction | None:
    player, banker = ([round_.turned.get(place) for place in hand] for hand in (round_.player, round_.banker))
    try:
        return expected_gain(rules, wagers, unseen_cards(rules, shoe), player=player, banker=banker)
    except ValueError:
        return None


def _seen_card_worth(rules: Rulebook, before: TableState, after: TableState) -> Fraction | None:
    """What it changes that a card is known, and goes where the documents send it, or that wagers are withdrawn."""
    round_ = before.round
    if not round_.wagers or round_.announced or round_.void:
        return Fraction(0)
    if not after.round.wagers:
        return _unplayed_worth(rules, round_.wagers, before.shoe, round_)
    was, now = (_expected_gain(rules, state.round.wagers, state.shoe, state.round) for state in (before, after))
    return None if was is None or now is None else now - was


def _owed_more(rules: Rulebook, before: TableState, after: TableState) -> int:
    """By how much more the cards owe participants after an act than before it."""
    ready = table_rules(rules)
    return sum(dues(ready, after).values()) - sum(dues(ready, before).values())


def _correction_worth(rules: Rulebook, before: TableState, after: TableState) -> Fraction | None:
    """What a corrected card changes: by what is owed if the result stands, otherwise by the odds of the open round."""
    if after.round.announced:
        return Fraction(_owed_more(rules, before, after))
    if Counter(before.round.turned.values()) == Counter(after.round.turned.values()):
        return Fraction(0)  # a burned card
    wagers = before.round.wagers
    was, now = (_expected_gain(rules, wagers, state.shoe, state.round) for state in (before, after))
    return None if was is None or now is None else now - was
