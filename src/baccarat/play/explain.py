"""Explanations: who turned the cards, what came before the third cards, in which order it was settled, and why."""

from __future__ import annotations

from collections.abc import Iterator

from baccarat.law.clause import Citation
from baccarat.money import Cents
from baccarat.play.book import open_book
from baccarat.play.coup import Ruling
from baccarat.play.hand import Side
from baccarat.play.settle import Settlement, SettlementStep


def explain(settled: Settlement) -> tuple[Ruling, ...]:
    """The rulings of a settlement, in order; those of the cards themselves are the coup's."""
    if settled.coup.is_void:
        return ()
    return (*_turned_by(settled), *_house_money(settled), *_order(settled))


def _turned_by(settled: Settlement) -> Iterator[Ruling]:
    reveal, cite = settled.coup.rules.edition.reveal, settled.coup.rules.cite
    if settled.handed_to is None:
        yield Ruling("The dealer lays both hands face up", cite(*reveal.face_up_cite))
        return
    main = open_book(settled.coup.rules).main
    for side, seat in zip(Side, settled.handed_to, strict=True):
        stakes = [line.wager.stake for line in settled.lines if line.wager.on is main[side]]
        if seat is None:
            yield Ruling(f"Nobody has wagered on the {side}: the dealer turns its cards", cite(*reveal.nobody_cite))
        elif not stakes:
            say = f"Nobody has wagered on the {side}: seat {seat} may turn its cards"
            yield Ruling(say, cite(*reveal.other_side_cite))
        elif stakes.count(max(stakes)) > 1:
            keys = reveal.player_tie_cite if side is Side.PLAYER else reveal.banker_tie_cite
            say = f"Seat {seat}, closest to the dealer of the highest wagers, turns the {side}'s cards"
            yield Ruling(say, cite(*keys))
        else:
            keys = reveal.player_cite if side is Side.PLAYER else reveal.banker_cite
            yield Ruling(f"Seat {seat} has the highest wager and turns the {side}'s cards", cite(*keys))


def _house_money(settled: Settlement) -> Iterator[Ruling]:
    law, cite = settled.coup.rules.edition.house_money, settled.coup.rules.cite
    for step in settled.early_steps:
        assert law is not None, "a document with an early wager says how it is settled"
        if step.act == "collect":
            yield Ruling(f"House Money of {Cents(step.amount)} at seat {step.seat} is collected", cite(*law.cite))
            continue
        pressed = f", {Cents(step.to_wager)} of it onto {step.onto.value}" if step.onto else ""
        keys = law.press_cite if step.onto else law.cite
        yield Ruling(f"House Money at seat {step.seat} is paid {Cents(step.amount)}{pressed}", cite(*keys))


def _order(settled: Settlement) -> Iterator[Ruling]:
    book = open_book(settled.coup.rules)
    collect = []
    if settled.losers:
        seats = ", ".join(map(str, settled.losers))
        collect.append(Ruling(f"Losing wagers are collected at {seats}", book.settlement_cites))
    acts = [Ruling(_act(step), _cites(settled, step)) for step in settled.steps]
    yield from [*collect, *acts] if settled.coup.rules.edition.settlement.losers_first else [*acts, *collect]


ACTS = {
    "collect_vig": "Vigorish of {sum} is collected at seat {seat}",
    "mark_vig": "Vigorish of {sum} is marked for seat {seat}",
    "pay": "Seat {seat} is paid {sum}",
    "royal9_award": "Seat {seat} is awarded {sum}",
    "must_hit_award": "Seat {seat} wins the Must Hit of {sum}",
}


def _act(step: SettlementStep) -> str:
    return ACTS[step.act].format(sum=Cents(step.amount), seat=step.seat)


def _cites(settled: Settlement, step: SettlementStep) -> tuple[Citation, ...]:
    book = open_book(settled.coup.rules)
    if step.act in ("collect_vig", "mark_vig"):
        return book.collection_cites
    if step.act == "must_hit_award":
        assert settled.must_hit is not None, "an award has its source"
        return settled.must_hit.cites
    return book.settlement_cites
