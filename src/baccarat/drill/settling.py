"""The order of settlement: the acts of a round, to be put into the order that was filed."""

from __future__ import annotations

from baccarat.drill.base import (
    AskedQuestion,
    Drill,
    DrillKind,
    Form,
    Solution,
    SolvedQuestion,
    coup_scene,
    lettered_choices,
    question_about,
    ruling_reason,
)
from baccarat.drill.chance import SeededPicks
from baccarat.drill.rounds import find_round, random_seats, stakes, wagers_with
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import Book, open_book
from baccarat.play.coup import Coup, Ruling
from baccarat.play.explain import house_money_rulings, order_rulings
from baccarat.play.settle import settle
from baccarat.play.settlement import Settlement
from baccarat.play.wager import Wager, WagerKind

OUTCOMES = ("banker", "player", "tie")
EARLY_CASE = "{title}, before the third cards"
FEWEST_ACTS, MOST_ACTS = 4, 6
"""How many acts are put in order: fewer teach little, more do not fit a screen."""
TRIES = 300
"""At a small table there may be fewer acts: the most found in this many tries are used."""


def _cases(rules: Rulebook) -> tuple[str, ...]:
    book = open_book(rules)
    if (rules.elections.seats or 0) < 2:
        return ()  # nothing comes before anything else
    early = [
        EARLY_CASE.format(title=rules.edition.wagers[kind.word].title) for kind in book.kinds if kind in book.early
    ]
    return (*(f"{outcome.title()} hand" for outcome in OUTCOMES), *early)


def _make(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    book = open_book(rules)
    early = [kind for kind in book.kinds if EARLY_CASE.format(title=rules.edition.wagers[kind.word].title) == case]
    if early:
        return _house_money(book, early[0], chance)
    coup = find_round(book, chance, lambda coup: f"{coup.outcome.title()} hand" == case)
    best, acts = list[Wager](), list[Ruling]()
    for _ in range(TRIES):
        wagers = _main_wagers(book, chance)
        settled = settle(rules, coup, wagers)
        assert isinstance(settled, Settlement), f"wagers within the limits stand: {settled}"
        found = list(order_rulings(settled))
        if len(acts) < len(found) <= MOST_ACTS:
            best, acts = wagers, found
        if len(acts) >= FEWEST_ACTS:
            break
    assert len(acts) > 1, "some wagers of a round are settled one after the other"
    ask = AskedQuestion("The result has been called. In which order does the dealer settle?", "drill_order")
    return _order_question(ask, acts, coup, best, chance)


def _main_wagers(book: Book, chance: SeededPicks) -> list[Wager]:
    """Main wagers at some seats, one each."""
    kinds = [kind for kind in book.kinds if book.rules.edition.wagers[kind.word].law.main]
    seats = random_seats(book, chance, 4 + chance.randrange(3))
    picked = [(seat, chance.choice(kinds)) for seat in seats]
    return [Wager(seat=seat, on=kind, stake=chance.choice(stakes(book, kind))) for seat, kind in picked]


def _house_money(book: Book, kind: WagerKind, chance: SeededPicks) -> SolvedQuestion:
    coup = find_round(book, chance, lambda coup: not coup.is_void)
    seats = random_seats(book, chance, FEWEST_ACTS)
    wagers = [wager for seat in seats for wager in wagers_with(book, seat, kind, chance.choice(stakes(book, kind)))]
    settled = settle(book.rules, coup, wagers)
    assert isinstance(settled, Settlement), f"wagers within the limits stand: {settled}"
    named = book.rules.edition.wagers[kind.word].title
    say = f"Both opening hands are counted. In which order does the dealer settle {named}?"
    ask = AskedQuestion(say, "drill_order_early", {"on": kind.word})
    opening = Coup(book.rules, coup.player[:2], coup.banker[:2], 0, 0, -1, is_void=True)
    return _order_question(ask, list(house_money_rulings(settled)), opening, wagers, chance)


def _order_question(
    ask: AskedQuestion, acts: list[Ruling], coup: Coup, wagers: list[Wager], chance: SeededPicks
) -> SolvedQuestion:
    says = [act.say for act in acts]
    assert len(set(says)) == len(says), "no act comes twice"
    choices = lettered_choices(chance.shuffled(says))
    keys = {choice.say: choice.key for choice in choices}
    scene = coup_scene(coup, wagers)
    question = question_about(ask, Form.ORDER, scene, choices)
    answer = "".join(keys[say] for say in says)
    return SolvedQuestion(question, Solution(answer=answer, say=" · ".join(says), why=tuple(map(ruling_reason, acts))))


ORDER_DRILL = Drill(kind=DrillKind.ORDER, cases=_cases, make=_make)
