"""What every drill shares: exercises, their solutions, answers and marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import NamedTuple

import msgspec

from baccarat.cards import Card
from baccarat.drill.chance import SeededPicks
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents, dollars
from baccarat.play.coup import Coup, Ruling
from baccarat.play.wager import Wager


class DrillKind(Enum):
    """What a drill trains; the order is that in which a round asks for it."""

    CALL = "call", "What the dealer calls", 10
    COUNT = "count", "Count of a hand", 5
    DRAW = "draw", "Draw or stay", 6
    WINNER = "winner", "Who has won", 5
    PAYOUT = "payout", "What a wager is paid", 20
    VIGORISH = "vigorish", "Vigorish, with its rounding", 20
    ORDER = "order", "Order of settlement", 40
    REMEDY = "remedy", "Irregularities and their remedies", 40

    title: str
    """What it trains, in words."""
    seconds: int
    """How long a dealer may take at a table: a right answer that took longer does not count as mastered."""

    def __new__(cls, value: str, title: str = "", seconds: int = 0) -> DrillKind:
        """A kind is identified by its name alone."""
        made = object.__new__(cls)
        made._value_, made.title, made.seconds = value, title, seconds
        return made


class Form(Enum):
    """How an exercise is answered."""

    CHOICE = "choice"
    """With the key of one choice."""
    NUMBER = "number"
    """With a whole number."""
    SUM = "sum"
    """With a sum of money."""
    ORDER = "order"
    """With the keys of all choices, in order."""


class DrillChoice(msgspec.Struct, frozen=True):
    """One answer that may be chosen, and the key for it."""

    key: str
    say: str


class DrillWager(msgspec.Struct, frozen=True, kw_only=True):
    """A wager that lies on the layout, in cents."""

    seat: int
    on: str
    title: str
    stake: int


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """What is seen on the table: the cards of both hands, None where one lies face down, and the wagers."""

    player: tuple[str | None, ...] = ()
    banker: tuple[str | None, ...] = ()
    wagers: tuple[DrillWager, ...] = ()
    notes: tuple[str, ...] = ()
    """What has happened, in words."""


class AskedQuestion(NamedTuple):
    """What is asked: in English, and as a name and parameters for other languages."""

    say: str
    what: str
    params: dict[str, int | str] = {}  # noqa: RUF012  never changed


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question about a scene, and how it is answered."""

    ask: str
    what: str = ""
    """The name of the sentence."""
    params: dict[str, int | str] = {}
    form: Form
    scene: Scene
    choices: tuple[DrillChoice, ...] = ()


class AnswerReason(msgspec.Struct, frozen=True):
    """Why an answer is right: a sentence, and the clauses that decide."""

    say: str
    cites: tuple[str, ...]


class Solution(msgspec.Struct, frozen=True, kw_only=True):
    """The right answer: as it is compared, in words, and why."""

    answer: str
    say: str
    why: tuple[AnswerReason, ...]

    def __post_init__(self) -> None:
        assert self.why, "an answer without a reason"
        assert all(reason.cites for reason in self.why), f"a reason without a clause: {self.why}"

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses that decide, each once."""
        return tuple(dict.fromkeys(cite for reason in self.why for cite in reason.cites))


class SolvedQuestion(msgspec.Struct, frozen=True):
    """A question with its solution, which the trainee does not see."""

    question: Question
    solution: Solution


class Drill(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of drill: its cases under a rulebook, and how one of them becomes a question.

    A case is what is learned: `Banker on 5 against a 4`. It comes up again with other cards.
    """

    kind: DrillKind
    cases: Callable[[Rulebook], tuple[str, ...]]
    make: Callable[[Rulebook, str, SeededPicks], SolvedQuestion]


class AnswerGrade(msgspec.Struct, frozen=True, kw_only=True):
    """An answer graded: whether it is right, what was answered, what is right, and why."""

    right: bool
    given: str
    answer: str
    why: tuple[AnswerReason, ...]
    cites: tuple[str, ...]


class UnreadableAnswer(msgspec.Struct, frozen=True):
    """An answer that cannot be read: it does not count, and the message says what is expected."""

    say: str


# ------------------------------------------------------------------------------------- making questions

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def lettered_choices(says: Iterable[str]) -> tuple[DrillChoice, ...]:
    """Choices under the letters a, b, c, …"""
    return tuple(DrillChoice(key, say) for key, say in zip(LETTERS, says, strict=False))


def question_about(ask: AskedQuestion, form: Form, scene: Scene, choices: tuple[DrillChoice, ...] = ()) -> Question:
    """What is asked about a scene."""
    return Question(ask=ask.say, what=ask.what, params=ask.params, form=form, scene=scene, choices=choices)


def choice_question(
    ask: AskedQuestion, scene: Scene, choices: tuple[DrillChoice, ...], right: str, why: Iterable[AnswerReason]
) -> SolvedQuestion:
    """A question with choices, of which the one that says `right` is right."""
    key = next(choice.key for choice in choices if choice.say == right)
    question = question_about(ask, Form.CHOICE, scene, choices)
    return SolvedQuestion(question, Solution(answer=key, say=right, why=tuple(why)))


def shuffled_choice_question(
    ask: AskedQuestion,
    scene: Scene,
    right: str,
    others: Iterable[str],
    why: Iterable[AnswerReason],
    chance: SeededPicks,
    *,
    most: int = 4,
) -> SolvedQuestion:
    """A question with the right choice among others, in random order."""
    wrong = [say for say in dict.fromkeys(others) if say != right]
    says = chance.shuffled([right, *chance.sample(wrong, most - 1)])
    return choice_question(ask, scene, lettered_choices(says), right, why)


def sum_question(ask: AskedQuestion, scene: Scene, cents: int, why: Iterable[AnswerReason]) -> SolvedQuestion:
    """A question that is answered by a sum."""
    question = question_about(ask, Form.SUM, scene)
    return SolvedQuestion(question, Solution(answer=str(cents), say=str(Cents(cents)), why=tuple(why)))


def reason(say: str, *cites: Citation | str) -> AnswerReason:
    """A reason with its clauses, each once."""
    return AnswerReason(say, tuple(dict.fromkeys(map(str, cites))))


def ruling_reason(ruling: Ruling) -> AnswerReason:
    """A ruling as a reason."""
    return reason(f"{ruling.say}.", *ruling.cites)


def card_texts(cards: Iterable[Card]) -> tuple[str, ...]:
    """Cards as they are written."""
    return tuple(map(str, cards))


def drill_wagers(rules: Rulebook, wagers: Iterable[Wager]) -> tuple[DrillWager, ...]:
    """Wagers under the names that the document gives them."""
    named = rules.edition.wagers
    return tuple(
        DrillWager(seat=each.seat, on=each.on.word, title=named[each.on.word].title, stake=each.stake)
        for each in wagers
    )


def coup_scene(coup: Coup, wagers: Iterable[Wager] = (), notes: tuple[str, ...] = ()) -> Scene:
    """A round as it lies on the table, all cards turned."""
    player, banker = card_texts(coup.player), card_texts(coup.banker)
    return Scene(player=player, banker=banker, wagers=drill_wagers(coup.rules, wagers), notes=notes)


# ------------------------------------------------------------------------------------- reading answers


def grade(made: SolvedQuestion, given: str) -> AnswerGrade | UnreadableAnswer:
    """Compare an answer with the right one."""
    question, solution = made.question, made.solution
    read = READERS[question.form](question, given.strip())
    if read is None:
        return UnreadableAnswer(f"expected {answer_hint(question)}")
    given, right = answer_text(question, read), read == solution.answer
    return AnswerGrade(right=right, given=given, answer=solution.say, why=solution.why, cites=solution.cites)


def answer_text(question: Question, answer: str) -> str:
    """An answer that has been read, as a person would say it."""
    says = {choice.key: choice.say for choice in question.choices}
    match question.form:
        case Form.CHOICE:
            return says[answer]
        case Form.ORDER:
            return " · ".join(says[key] for key in answer)
        case Form.SUM:
            return str(Cents(int(answer)))
        case Form.NUMBER:
            return answer


def answer_hint(question: Question) -> str:
    """What may be answered, in words."""
    keys = [choice.key for choice in question.choices]
    match question.form:
        case Form.CHOICE:
            return f"one of {', '.join(keys)}"
        case Form.ORDER:
            return f"the letters {', '.join(keys)} in order, such as {''.join(keys)}"
        case Form.SUM:
            return "a sum in dollars, such as 25 or 12.50"
        case Form.NUMBER:
            return "a whole number"


def _choice(question: Question, given: str) -> str | None:
    found = (each.key for each in question.choices if given.casefold() in (each.key, each.say.casefold()))
    return next(found, None)


def _number(_question: Question, given: str) -> str | None:
    return str(int(given)) if given.isascii() and given.isdigit() and len(given) <= 3 else None


def _sum(_question: Question, given: str) -> str | None:
    try:
        return str(int(dollars(given)))
    except ValueError:
        return None


def _order(question: Question, given: str) -> str | None:
    keys = given.casefold().replace(",", "").replace(" ", "")
    return keys if sorted(keys) == sorted(choice.key for choice in question.choices) else None


READERS = {Form.CHOICE: _choice, Form.NUMBER: _number, Form.SUM: _sum, Form.ORDER: _order}
