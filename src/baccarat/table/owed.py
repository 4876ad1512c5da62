"""Owed by the cards: what the corrected cards give each wager, less what has moved (reading A-88).

Money moves by acts; what should have moved follows from the cards and the rulebook. After a correction of this round
the two may differ. The difference is due seat by seat, it holds the game until it is settled, and no correction of a
payment exceeds it. Nothing is stored of it: it is computed from the round.
"""

from __future__ import annotations

import msgspec

from baccarat.play.refusal import RefusalNote, Refused
from baccarat.play.settlement import Settlement
from baccarat.play.wager import WagerKind
from baccarat.table.base import Command, Reason, TableRules, refuse
from baccarat.table.round_state import WAGERED
from baccarat.table.seating_acts import free_chips, house_money_given
from baccarat.table.state import TableState
from baccarat.table.step.announcing import announced_cards, settlement_by_cards, settlement_by_corrected_cards
from baccarat.table.step.house_money import house_money_net


class OwedLine(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A wager of a corrected round: what its cards give it, and what it was given by the announced result."""

    seat: int
    on: WagerKind
    owed: int
    announced: int
    vigorish: int = 0
    """By how much its vigorish changes."""


# ------------------------------------------------------------------------------------------ what is owed


def owed_lines(rules: TableRules, state: TableState) -> list[OwedLine]:
    """Every wager of this round that the corrected cards settle differently."""
    round_ = state.round
    if not round_.corrected or round_.void or round_.kind is not WAGERED:
        return []
    found = [
        OwedLine(seat=line.seat, on=WagerKind.HOUSE_MONEY, owed=house_money_net(rules, state, line), announced=(
            line.amount if line.act == "pay" else -line.amount
        ))
        for line in round_.house_lines
    ]  # fmt: skip
    if round_.announced:
        right, called = (
            settlement_by_corrected_cards(rules, state),
            settlement_by_cards(rules, state, announced_cards(state)),
        )
        found += [
            OwedLine(
                seat=now.wager.seat, on=now.wager.on, owed=now.net, announced=then.net,
                vigorish=now.vigorish - then.vigorish,
            )
            for now, then in zip(right.lines, called.lines, strict=True)
        ]  # fmt: skip
    return [line for line in found if line.owed != line.announced or line.vigorish]


def dues(rules: TableRules, state: TableState) -> dict[int, int]:
    """What each seat is still owed by the cards, seats ascending; below zero, what it still owes."""
    round_ = state.round
    if not round_.corrected or round_.void:
        return {}
    total = dict(round_.withheld)
    for line in owed_lines(rules, state):
        total[line.seat] = total.get(line.seat, 0) + line.owed - line.announced
    for given in (round_.righted, round_.house_corrected):
        for seat, amount in given.items():
            total[seat] = total.get(seat, 0) - amount
    return {
        seat: total.get(seat, 0) for seat in sorted({*total, *round_.lying}) if total.get(seat) or seat in round_.lying
    }


def can_collect(state: TableState, seat: int, amount: int) -> bool:
    """Whether a seat has the chips, none of which a void round could take back once more."""
    person = state.at(seat)
    assert person is not None, "a wager on the table belongs to a seated participant"
    given = 0 if state.round.announced else house_money_given(state).get(seat, 0) - amount
    return person.chips - amount >= max(0, given)


def refuse_too_few_chips(rules: TableRules, state: TableState, seat: int, amount: int) -> Refused:
    """Why a seat gives nothing back: it does not have the chips, or a void round could take them back."""
    why, chips = Reason.NOT_ENOUGH_CHIPS, max(0, free_chips(state, seat))
    return refuse(rules, why, "fewer_chips_than_corrected", *owed_clauses(rules), seat=seat, chips=chips, amount=amount)


def open_dues(rules: TableRules, state: TableState) -> dict[int, int]:
    """What holds the game: all that is owed once the announced result is settled, or its settlement was stopped.

    Before the result it is House Money; a payout that was added to a wager, or cannot be taken back now, waits.
    """
    round_, found = state.round, dues(rules, state)
    if round_.announced:
        return {} if round_.acts else found
    return {
        seat: due
        for seat, due in found.items()
        if seat not in round_.pressed and (due >= 0 or can_collect(state, seat, -due))
    }


def changed_vigorish(rules: TableRules, state: TableState, seat: int) -> int:
    """By how much the vigorish that was earned from a seat differs from what the cards say."""
    changed = sum(line.vigorish for line in owed_lines(rules, state) if line.seat == seat)
    return changed + state.round.untaken.get(seat, 0)


def refuse_while_owed(rules: TableRules, state: TableState, command: Command) -> Refused | None:
    """Why the game waits: what a correction left owed is settled before any other act of a step."""
    if not command.STEPS or not (owed := open_dues(rules, state)):
        return None
    owing = tuple(_owing(state, seat, due) for seat, due in owed.items())
    return refuse(rules, Reason.OUT_OF_ORDER, "correction_is_settled_first", *owed_clauses(rules), owing=owing)


def _owing(state: TableState, seat: int, due: int) -> RefusalNote:
    """What is settled at a seat: it is paid, pays back, or has lost the stakes that still lie there."""
    if due > 0:
        return RefusalNote("seat_is_owed", {"seat": seat, "due": due})
    if due < 0:
        return RefusalNote("seat_owes_back", {"seat": seat, "owed": -due})
    return RefusalNote("seat_has_lost_what_lies", {"seat": seat, "lying": state.round.lying[seat]})


def owed_clauses(rules: TableRules) -> tuple[str, ...]:
    """What is cited where something is owed: the clauses on settlement."""
    return rules.edition.settlement.cite


def meters_owed(rules: TableRules, state: TableState) -> dict[str, int]:
    """By how much each meter shows too little because of an award that was a mistake, in micro-cents.

    An award that comes late is paid by the house: a meter that others have seen does not fall for it.
    """
    return {name: value for name, value in _meters_short(rules, state).items() if value > 0}


def meters_raised_too_far(rules: TableRules, state: TableState) -> dict[str, int]:
    """By how much each meter shows too much because of an award that was no mistake after all, in micro-cents.

    No more than corrections of this round have put into it.
    """
    raised, short = state.round.raised, _meters_short(rules, state)
    found = {name: min(raised.get(name, 0), -value) for name, value in short.items()}
    return {name: value for name, value in found.items() if value > 0}


def _meters_short(rules: TableRules, state: TableState) -> dict[str, int]:
    """What each meter would show by the corrected cards, less what it shows, in micro-cents."""
    round_ = state.round
    right, called = (
        _meters(settlement_by_cards(rules, state, cards)) for cards in (round_.turned, announced_cards(state))
    )
    return {name: value - called[name] - round_.raised.get(name, 0) for name, value in right.items()}


def _meters(settled: Settlement) -> dict[str, int]:
    return dict(settled.awards.after) if settled.awards is not None else {}
