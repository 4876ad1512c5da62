"""Lines of a settlement: every act in the filed order, done and still to be done, with all sums computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from baccarat.law.row import WagerResult
from baccarat.money import Cents
from baccarat.play.book import Book
from baccarat.play.seating import seats_around
from baccarat.play.settlement import SettledLine
from baccarat.play.wager import Wager, WagerKind
from baccarat.table.base import TableRules
from baccarat.table.round_state import Act
from baccarat.table.state import TableState
from baccarat.table.step.announcing import settlement_without_royal9
from baccarat.table.step.house_money import house_money_verdict
from baccarat.table.step.settlement import AWARD, LOSERS, MARK, PAY, SETTLE, VIGORISH

Progress = Literal["done", "now", "later"]


class LineWager(msgspec.Struct, frozen=True, kw_only=True):
    """A wager of a line: what it lies on, its stake with what was pressed onto it, and the odds that it is paid."""

    on: str
    title: str
    stake: int
    odds: str = ""


class SettlementLine(msgspec.Struct, frozen=True, kw_only=True):
    """What the dealer does at one seat, or with all losing wagers: sums in cents, none where nothing of it moves."""

    seat: int = 0
    """0 for the losing wagers of all seats."""
    seats: tuple[int, ...] = ()
    """Where losing wagers lie."""
    wagers: tuple[LineWager, ...] = ()
    collect: int | None = None
    vigorish: int | None = None
    is_marked: bool = False
    box: int | None = None
    """What the seat's vigorish box holds afterwards, where vigorish is marked."""
    pay: int | None = None
    award: int | None = None
    row: str = ""
    """The row of the ladder by which an award is made."""
    say: str = ""
    """How the sums come about."""
    cites: tuple[str, ...] = ()
    state: Progress = "later"


def settlement_lines(rules: TableRules, state: TableState, acts: Sequence[Act]) -> tuple[SettlementLine, ...]:
    """The lines of a settlement whose acts were `acts` when the result was called."""
    done = len(acts) - len(state.round.acts)
    won, markers = _won(rules, state, acts), dict(state.money.markers)
    found: list[SettlementLine] = []
    for group in _groups(acts):
        progress: Progress = "done" if group[-1] < done else "now" if group[0] <= done else "later"
        ahead = [acts[index] for index in group if index >= done]
        line = _line(rules, [acts[index] for index in group], ahead, won, markers)
        found.append(replace(line, state=progress))
    return tuple(found)


def _groups(acts: Sequence[Act]) -> list[list[int]]:
    """The indexes of acts that are one line: all losing wagers, or what follows at one seat without interruption."""
    groups: list[list[int]] = []
    for index, act in enumerate(acts):
        before = acts[groups[-1][-1]] if groups else None
        both_lose = before is not None and before.act == act.act == LOSERS
        same_seat = before is not None and LOSERS not in (before.act, act.act) and before.seat == act.seat
        if both_lose or same_seat:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _line(
    rules: TableRules, acts: list[Act], ahead: list[Act], won: Sequence[SettledLine], markers: dict[int, int]
) -> SettlementLine:
    """One line; `markers` is what each box holds, and grows by the marks that are still to be made."""
    if acts[0].act == LOSERS:
        seats, lost = tuple(act.seat for act in acts), sum(act.amount for act in acts)
        return SettlementLine(seats=seats, collect=lost, cites=rules.cites[SETTLE])
    seat, by_name = acts[0].seat, {act.act: act for act in acts}
    pay, award, mark = by_name.get(PAY), by_name.get(AWARD), by_name.get(MARK)
    vigorish = mark or by_name.get(VIGORISH)
    if mark is not None and mark in ahead:
        markers[seat] = markers.get(seat, 0) + mark.amount
    mine = [line for line in won if line.wager.seat == seat] if pay or vigorish else []
    cites = [*(pay.cites if pay else ()), *(str(cite) for line in mine for cite in line.cites)]
    if vigorish is not None:
        cites += map(str, (*rules.book.vig_cites, *rules.book.collection_cites))
    return SettlementLine(
        seat=seat,
        wagers=tuple(map(_shown, mine)),
        vigorish=vigorish.amount if vigorish else None,
        is_marked=mark is not None,
        box=markers.get(seat, 0) if mark is not None else None,
        pay=pay.amount if pay else None,
        award=award.amount if award else None,
        row=award.row if award else "",
        say=_say(rules.book, mine, vigorish),
        cites=tuple(dict.fromkeys(cites)),
    )


def _shown(line: SettledLine) -> LineWager:
    wager = line.wager
    odds = str(line.odds) if line.odds is not None else ""
    return LineWager(on=wager.on.value, title=wager.on.title, stake=wager.stake + (line.pressed or 0), odds=odds)


def _say(book: Book, won: list[SettledLine], vigorish: Act | None) -> str:
    """How the sums of a line come about."""
    said = [f"{line.wager.on.title} pays {line.odds}: {Cents(line.win)}." for line in won if line.odds is not None]
    if vigorish is not None:
        taken = sum(line.win for line in won if line.vigorish)
        coin = f", raised to a multiple of {Cents(book.vig_coin)}" if book.vig_coin else ""
        said.append(f"Vigorish is {book.vig_rate} % of {Cents(taken)}{coin}: {Cents(vigorish.amount)}.")
    return " ".join(said)


def _won(rules: TableRules, state: TableState, acts: Sequence[Act]) -> tuple[SettledLine, ...]:
    """The wagers that won, except those that a ladder of prizes decides.

    None where a card was corrected after the result, so that the cards no longer explain what was paid.
    """
    settled = settlement_without_royal9(rules, state)
    paid = {act.seat: act.amount for act in acts if act.act == PAY}
    if paid != {step.seat: step.amount for step in settled.steps if step.act == PAY}:
        return ()
    return tuple(line for line in settled.lines if line.result is WagerResult.WIN)


# ---------------------------------------------------------------------------------------- House Money


class HouseMoneyLine(msgspec.Struct, frozen=True, kw_only=True):
    """House Money of one seat: its stake, what it wins, and where the win goes; nothing where it has lost."""

    seat: int
    stake: int
    win: int | None = None
    onto: str = ""
    state: Progress = "later"


def house_money_lines(rules: TableRules, state: TableState) -> tuple[HouseMoneyLine, ...]:
    """The sweep of House Money, seat by seat, done and still to be done; none where there is none to settle."""
    law, round_ = rules.edition.house_money, state.round
    stakes = {wager.seat: wager for wager in round_.wagers if wager.on is WagerKind.HOUSE_MONEY}
    if law is None or not stakes:
        return ()
    done = {line.seat: line for line in round_.house_lines}
    order = seats_around(stakes, start=law.start, direction=law.direction, seat_one=rules.book.seat_one)
    now = next((seat for seat in order if seat not in done), None)
    return tuple(_house_line(rules, state, stakes[seat], done.get(seat), is_now=seat == now) for seat in order)


def _house_line(
    rules: TableRules, state: TableState, wager: Wager, done: Act | None, *, is_now: bool
) -> HouseMoneyLine:
    seat, onto = wager.seat, state.round.presses.get(wager.seat)
    if done is not None:
        win = done.amount if done.act == "pay" else None
    else:
        _, win = house_money_verdict(rules, state, seat)
    return HouseMoneyLine(
        seat=seat,
        stake=wager.stake,
        win=win,
        onto=onto.title if onto is not None and win is not None else "",
        state="done" if done is not None else "now" if is_now else "later",
    )
