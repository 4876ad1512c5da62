"""Draw or stay: what the tableau has ruled on each hand so far, and the cell that decides the Banker's."""

from __future__ import annotations

import msgspec

from baccarat.law.fact import COUNTS
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.table.base import TableRules
from baccarat.table.due_data import Sentence
from baccarat.table.state import TableState
from baccarat.table.tableau import BOTH, both_counted, draws, row_of, ruling, two_card_count


class RuledHand(msgspec.Struct, frozen=True, kw_only=True):
    """What the tableau says of a hand."""

    side: Side
    act: str
    say: str
    cites: tuple[str, ...]
    sentence: Sentence


class Grid(msgspec.Struct, frozen=True, kw_only=True):
    """The Banker's rows that look at the Player's third card: an act for each of its values, from 0 to 9."""

    rows: dict[int, tuple[str, ...]]
    """By the Banker's count."""
    count: int | None = None
    """The Banker's count, where it has a row here."""
    third: int | None = None
    """The value of the Player's third card, where one is up."""


class DrawOrStay(msgspec.Struct, frozen=True, kw_only=True):
    """The rulings on both hands, as far as the cards that are up decide them."""

    hands: tuple[RuledHand, ...]
    grid: Grid | None = None
    """None where the Player stays, and so no third card decides anything."""


def draw_or_stay(rules: TableRules, state: TableState) -> DrawOrStay | None:
    """What is ruled once both counts have been called; None before that."""
    round_ = state.round
    if not both_counted(round_) or any(each not in round_.turned for side in BOTH for each in round_.hand(side)[:2]):
        return None
    third = round_.turned.get(round_.player[2]) if len(round_.player) > 2 else None
    player_draws = draws(rules, state, PLAYER_SIDE)
    hands = [_ruled(rules, state, PLAYER_SIDE)]
    if not player_draws or third is not None:
        hands.append(_ruled(rules, state, BANKER_SIDE))
    if not player_draws:
        return DrawOrStay(hands=tuple(hands))
    rows = _rows(rules)
    count = two_card_count(rules, state, BANKER_SIDE)
    value = rules.book.value[third] if third is not None else None
    grid = Grid(rows=rows, count=count if count in rows else None, third=value)
    return DrawOrStay(hands=tuple(hands), grid=grid)


def _ruled(rules: TableRules, state: TableState, side: Side) -> RuledHand:
    row = row_of(rules, state, side)
    note = ruling(rules, state, side)
    sentence = Sentence(what=note.what, params={**note.params, "side": side.value})
    return RuledHand(side=side, act=row.act, say=f"{note.say}.", cites=rules.cite_text(*row.cite), sentence=sentence)


def _rows(rules: TableRules) -> dict[int, tuple[str, ...]]:
    """The rows in which the third card makes a difference."""
    found: dict[int, tuple[str, ...]] = {}
    for count in COUNTS:
        acts = tuple(row.act for row in rules.book.banker_row[False][count][: len(COUNTS)] if row is not None)
        if len(set(acts)) > 1:
            found[count] = acts
    return found


def counts(rules: TableRules, state: TableState) -> dict[str, int]:
    """The count of the cards of each hand that are up; a hand of which none is up has none."""
    return {
        side.value: sum(rules.book.value[card] for card in state.round.cards(side)) % 10
        for side in BOTH
        if state.round.cards(side)
    }
