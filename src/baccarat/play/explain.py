"""Explanations: who turned the cards, what came before the third cards, in which order it was settled, and why."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from baccarat.law.clause import Citation
from baccarat.money import Cents
from baccarat.play.book import Book, open_book
from baccarat.play.coup import Ruling
from baccarat.play.hand import Side
from baccarat.play.holder import Holding
from baccarat.play.settlement import Settlement, SettlementStep


def explain(settled: Settlement) -> tuple[Ruling, ...]:
    """The rulings of a settlement, in order; those of the cards themselves are the coup's."""
    if settled.coup.is_void:
        return ()
    return (*_turning_rulings(settled), *house_money_rulings(settled), *order_rulings(settled))


class Turning(msgspec.Struct, frozen=True):
    """Why somebody turns the cards of a hand: the sentence, with a placeholder for the seat, and the clauses."""

    say: str
    cites: tuple[str, ...]


@lru_cache(maxsize=256)
def turnings(book: Book) -> dict[tuple[Side, Holding], Turning]:
    """Why somebody turns the cards of a hand, by hand and reason."""
    reveal, cite = book.rules.edition.reveal, book.rules.edition.cite_text
    tie = {Side.PLAYER: reveal.player_tie_cite, Side.BANKER: reveal.banker_tie_cite}
    most = {Side.PLAYER: reveal.player_cite, Side.BANKER: reveal.banker_cite}
    found: dict[tuple[Side, Holding], Turning] = {}
    for side in Side:
        nobody = f"Nobody has wagered on the {side}"
        closest = f"Seat {{seat}}, closest to the dealer of the highest wagers, turns the {side}'s cards"
        found[side, "nobody"] = Turning(f"{nobody}: the dealer turns its cards", cite(*reveal.nobody_cite))
        other_side = f"{nobody}: seat {{seat}} may turn its cards"
        highest = f"Seat {{seat}} has the highest wager and turns the {side}'s cards"
        found[side, "other_side"] = Turning(other_side, cite(*reveal.other_side_cite))
        found[side, "closest"] = Turning(closest, cite(*tie[side]))
        found[side, "highest"] = Turning(highest, cite(*most[side]))
    return found


def _turning_rulings(settled: Settlement) -> Iterator[Ruling]:
    book = open_book(settled.coup.rules)
    if settled.handed_to is None or settled.handed_because is None:
        yield Ruling("The dealer lays both hands face up", book.rules.cite(*book.rules.edition.reveal.face_up_cite))
        return
    for side, seat, because in zip(Side, settled.handed_to, settled.handed_because, strict=True):
        found = turnings(book)[side, because]
        yield Ruling(found.say.format(seat=seat), tuple(map(Citation.parse, found.cites)))


def house_money_rulings(settled: Settlement) -> Iterator[Ruling]:
    """What was done with House Money before the third cards, in its order."""
    for step in settled.early_steps:
        if step.act == "collect":
            say = f"House Money of {Cents(step.amount)} at seat {step.seat} is collected"
        else:
            pressed = f", {Cents(step.to_wager)} of it onto {step.onto.value}" if step.onto else ""
            say = f"House Money at seat {step.seat} is paid {Cents(step.amount)}{pressed}"
        yield Ruling(say, early_cites(open_book(settled.coup.rules), step))


def early_cites(book: Book, step: SettlementStep) -> tuple[Citation, ...]:
    """The clauses of a step of House Money."""
    law = book.rules.edition.house_money
    assert law is not None, "a document with an early wager says how it is settled"
    return book.rules.cite(*(law.press_cite if step.onto else law.cite))


def order_rulings(settled: Settlement) -> Iterator[Ruling]:
    """The acts of the dealer after the result, in the filed order."""
    book = open_book(settled.coup.rules)
    collect = []
    if settled.losers:
        seats = ", ".join(map(str, settled.losers))
        collect.append(Ruling(f"Losing wagers are collected at {seats}", book.settlement_cites))
    acts = [Ruling(_act(step), step_cites(book, settled, step)) for step in settled.steps]
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


def step_cites(book: Book, settled: Settlement, step: SettlementStep) -> tuple[Citation, ...]:
    """The clauses of one act of the settlement."""
    if step.act in ("collect_vig", "mark_vig"):
        return book.collection_cites
    if step.act == "must_hit_award":
        assert settled.must_hit is not None, "an award has its source"
        return settled.must_hit.cites
    return book.settlement_cites
