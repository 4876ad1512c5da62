"""Calls: what the dealer says before the cards, at the counts, and when both hands are complete."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from baccarat.drill.base import (
    AskedQuestion,
    Drill,
    DrillKind,
    Scene,
    SolvedQuestion,
    card_texts,
    reason,
    shuffled_choice_question,
)
from baccarat.drill.chance import SeededPicks
from baccarat.drill.rounds import find_round
from baccarat.law.rulebook import Rulebook
from baccarat.law.section import CARDS, NO_MORE_BETS, CallLaw
from baccarat.play.book import Book, open_book
from baccarat.play.coup import Announcement, Coup
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.table.step.announcing import BEFORE_THE_DEAL, result_calls

CALL_MOMENTS = {
    NO_MORE_BETS: "The time for wagers is over.",
    CARDS: "No wager is taken any more, and the cards are to be dealt.",
}
"""The moments of calls before the deal."""
NEVER_CALLED = ("All wagers down", "Ready", "Next hand")
"""Words that no document has the dealer say, as wrong choices."""


def _cases(rules: Rulebook) -> tuple[str, ...]:
    book = open_book(rules)
    before = tuple(call.name.replace("_", " ") for call in _calls_before_deal(rules))
    counts = tuple(f"count of the {side}" for side in Side if any(call.count == side.word for call in _calls(rules)))
    results = dict.fromkeys(_result_case(book, index) for index, facts in enumerate(book.facts) if facts is not None)
    return (*before, *counts, *results)


def _calls(rules: Rulebook) -> list[CallLaw]:
    return [call for call in rules.edition.calls if rules.meets(call.when)]


def _calls_before_deal(rules: Rulebook) -> list[CallLaw]:
    return [call for call in _calls(rules) if call.name in BEFORE_THE_DEAL]


def _result_case(book: Book, index: int) -> str:
    """A result by who has won, and by the names that are called with it."""
    facts = book.facts[index]
    assert facts is not None, "the tableau leads to no such finish"
    winner = str(facts["winner"]).title()
    names = [call.say for call in book.calls[index] if call.say and call.name not in BEFORE_THE_DEAL]
    return f"result: {', '.join([winner, *names])}"


def _make(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    book = open_book(rules)
    if case.startswith("result: "):
        return _result(book, case, chance)
    for side in Side:
        if case == f"count of the {side}":
            return _count(book, side, chance)
    return _before_deal_question(rules, case, chance)


def _before_deal_question(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    call = next(each for each in _calls_before_deal(rules) if each.name.replace("_", " ") == case)
    assert call.say is not None, "a call before the deal has fixed words"
    others = [f"“{each.say}”" for each in _calls(rules) if each.say] + [f"“{say}”" for say in NEVER_CALLED]
    why = reason(f"{CALL_MOMENTS[call.name]} The dealer calls “{call.say}”.", *rules.cite(*call.cite))
    ask = AskedQuestion(f"{CALL_MOMENTS[call.name]} What does the dealer call?", f"drill_{call.name}")
    return shuffled_choice_question(ask, Scene(), f"“{call.say}”", others, [why], chance)


def _count(book: Book, side: Side, chance: SeededPicks) -> SolvedQuestion:
    coup = find_round(book, chance, lambda coup: not coup.is_void)
    call = next(each for each in coup.calls if each.hand is side)
    assert call.count is not None, "a call of a count has one"
    shown = card_texts(coup.hand(side)[:2])
    down = (None, None)
    scene = Scene(player=shown if side is PLAYER_SIDE else down, banker=shown if side is BANKER_SIDE else down)
    if side is BANKER_SIDE:  # the Player's cards are turned and called before
        scene = Scene(player=card_texts(coup.player[:2]), banker=shown)
    counts = [replace(call, count=count) for count in range(10) if count != call.count]
    others = [str(replace(call, hand=side.other)), *map(str, chance.sample(counts, 3))]
    why = reason(f"The dealer announces the count of the {side}'s Hand: {call}.", *call.cites)
    say = f"The {side}'s first two cards are turned. What does the dealer call?"
    ask = AskedQuestion(say, "drill_call_count", {"side": side.word})
    return shuffled_choice_question(ask, scene, str(call), others, [why], chance)


def _result(book: Book, case: str, chance: SeededPicks) -> SolvedQuestion:
    coup = find_round(book, chance, lambda coup: _result_case(book, coup.index) == case)
    final, named = result_calls(coup)
    right = _calls_text([*final, *named])
    others = [_calls_text(calls) for calls in _wrong_calls(book, coup, final, named)]
    cites = [cite for call in (*final, *named) for cite in call.cites]
    why = reason(f"When both hands are complete, the dealer announces {right}.", *cites)
    scene = Scene(player=card_texts(coup.player), banker=card_texts(coup.banker))
    ask = AskedQuestion("Both hands are complete. What does the dealer call?", "drill_call_result")
    return shuffled_choice_question(ask, scene, right, others, [why], chance)


def _calls_text(calls: list[Announcement]) -> str:
    return " ".join(map(str, calls))


def _wrong_calls(
    book: Book, coup: Coup, final: list[Announcement], named: list[Announcement]
) -> Iterator[list[Announcement]]:  # fmt: skip
    """Calls of somebody who mixes up the hands, forgets a card, or forgets or adds a name."""
    result, *more = final
    assert result.final is not None, "the counts are called first"
    player, banker = result.final
    other = BANKER_SIDE if coup.winner is None else coup.winner.other
    yield [replace(result, winner=other), *more, *named]
    if player != banker:
        yield [replace(result, final=(banker, player), winner=other), *more, *named]
    else:
        yield [replace(result, winner=PLAYER_SIDE), *more]
    first = coup.two_card_count(PLAYER_SIDE), coup.two_card_count(BANKER_SIDE)
    if first != result.final:
        yield [replace(result, final=first), *more, *named]
    if named:
        yield [result, *more]
    for call in more:
        if call.total_cards is not None:
            yield [result, replace(call, total_cards=4 + (call.total_cards - 3) % 3), *named]
    known = {call.name: call for calls in book.calls for call in calls if call.say and call.name not in BEFORE_THE_DEAL}
    for name, row in known.items():
        if name not in [each.name for each in named]:
            added = Announcement(row.say, None, None, book.rules.cite(*row.cite), name=name)
            yield [*final, *named, added]


CALL_DRILL = Drill(kind=DrillKind.CALL, cases=_cases, make=_make)
