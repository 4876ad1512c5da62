"""Counting, drawing and winning: what the cards alone decide."""

from __future__ import annotations

from baccarat.drill.base import (
    AskedQuestion,
    Drill,
    DrillChoice,
    DrillKind,
    Form,
    Scene,
    Solution,
    SolvedQuestion,
    card_texts,
    choice_question,
    coup_scene,
    question_about,
    reason,
    ruling_reason,
)
from baccarat.drill.chance import SeededPicks
from baccarat.drill.rounds import find_round
from baccarat.law.fact import COUNTS
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import NO_CARD, Book, open_book
from baccarat.play.coup import Coup, result_cites
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side

# ----------------------------------------------------------------------------------------------- the count

SIZES = {"two cards": 2, "three cards": 3}


def _count_cases(_rules: Rulebook) -> tuple[str, ...]:
    return tuple(f"{size} that count {count}" for size in SIZES for count in COUNTS)


def _count(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    book, side = open_book(rules), chance.choice(list(Side))
    size, _, wanted = case.partition(" that count ")

    def counts(coup: Coup) -> int:
        return coup.player_count if side is PLAYER_SIDE else coup.banker_count

    if SIZES[size] == 2:
        coup = find_round(book, chance, lambda coup: coup.two_card_count(side) == int(wanted))
        cards, count = coup.hand(side)[:2], coup.two_card_count(side)
    else:
        coup = find_round(book, chance, lambda coup: len(coup.hand(side)) == 3 and counts(coup) == int(wanted))
        cards, count = coup.hand(side), counts(coup)
    worth = " + ".join(str(book.value[card]) for card in cards)
    why = reason(f"{worth} = {sum(book.value[card] for card in cards)}: the hand counts {count}.", *result_cites(book))
    shown = card_texts(cards)
    scene = Scene(player=shown) if side is PLAYER_SIDE else Scene(banker=shown)
    ask = AskedQuestion(f"What does the {side}'s Hand count?", "drill_count", {"side": side.word})
    question = question_about(ask, Form.NUMBER, scene)
    return SolvedQuestion(question, Solution(answer=str(count), say=str(count), why=(why,)))


# -------------------------------------------------------------------------------------------- draw or stay

DRAW_OR_STAY = (DrillChoice("d", "draws"), DrillChoice("s", "stays"))


def _draw_cases(rules: Rulebook) -> tuple[str, ...]:
    natural = open_book(rules).natural
    counts = [count for count in COUNTS if not natural[count]]
    naturals = [count for count in COUNTS if natural[count]]
    return (
        *(f"Player on {count}" for count in counts),
        *(f"Banker on {count}, the Player having stayed" for count in counts),
        *dict.fromkeys(_against(open_book(rules), count, third) for count in counts for third in COUNTS),
        *(f"{side} with a natural {count}" for side in Side for count in naturals),
        *(f"{side} against a natural" for side in Side),
    )


def _draw_case(book: Book, coup: Coup, side: Side) -> str:
    """The case that a hand of a round was in."""
    count = coup.two_card_count(side)
    if book.natural[count]:
        return f"{side} with a natural {count}"
    if book.natural[coup.two_card_count(side.other)]:
        return f"{side} against a natural"
    if side is PLAYER_SIDE:
        return f"Player on {count}"
    if len(coup.player) == 2:
        return f"Banker on {count}, the Player having stayed"
    return _against(book, count, book.value[coup.player[2]])


def _against(book: Book, count: int, third: int) -> str:
    """The case of a Banker whose draw may depend on the Player's third card; one for all if they do not matter."""
    rows = book.banker_row[False][count][:NO_CARD]
    if len({row.act for row in rows if row is not None}) == 1:
        return f"Banker on {count} against any third card"
    return f"Banker on {count} against a third card worth {third}"


def _draw(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    book = open_book(rules)
    side = PLAYER_SIDE if case.startswith(str(PLAYER_SIDE)) else BANKER_SIDE
    coup = find_round(book, chance, lambda coup: _draw_case(book, coup, side) == case)
    player = coup.player if side is BANKER_SIDE else coup.player[:2]
    scene = Scene(player=card_texts(player), banker=card_texts(coup.banker[:2]))
    say = "draws" if len(coup.hand(side)) == 3 else "stays"
    _dealt, player_ruling, banker_ruling, _result = coup.why
    why = ruling_reason(player_ruling if side is PLAYER_SIDE else banker_ruling)
    ask = AskedQuestion(f"Does the {side} draw or stay?", "drill_draw", {"side": side.word})
    return choice_question(ask, scene, DRAW_OR_STAY, say, [why])


# ---------------------------------------------------------------------------------------------- the winner

OUTCOMES = (DrillChoice("p", "Player"), DrillChoice("b", "Banker"), DrillChoice("t", "Tie"))


def _winner_cases(_rules: Rulebook) -> tuple[str, ...]:
    return tuple(f"{choice.say}, {cards} cards" for choice in OUTCOMES for cards in (4, 5, 6))


def _winner(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    book = open_book(rules)
    coup = find_round(book, chance, lambda coup: f"{coup.outcome.title()}, {coup.cards_dealt} cards" == case)
    scene = coup_scene(coup)
    ask = AskedQuestion("Who has won?", "drill_winner")
    return choice_question(ask, scene, OUTCOMES, coup.outcome.title(), [ruling_reason(coup.why[-1])])


COUNT_DRILL = Drill(kind=DrillKind.COUNT, cases=_count_cases, make=_count)
DRAW_DRILL = Drill(kind=DrillKind.DRAW, cases=_draw_cases, make=_draw)
WINNER_DRILL = Drill(kind=DrillKind.WINNER, cases=_winner_cases, make=_winner)
