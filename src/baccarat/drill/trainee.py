"""Trainees: what somebody has answered, and so what is asked next. What was answered wrong comes back soon.

Every case that has been asked is in one of five boxes. A wrong answer puts it into the first box; a right one, given
in the time that a table allows, into the next box, and the first time directly into the third; a right answer that
took too long leaves it where it is, and the first time puts it into the second. A case of a box is due again after as
many exercises as `INTERVALS` says: a wrong one after two others, one in the last box after a hundred. Exercises are
counted, not days: nothing here knows what time it is.

Asked next is what is due in the first two boxes, the first before the second, and in each what has waited longest;
then a case that was never asked, equally often of each kind of drill; then what is due in the other boxes; and if
nothing is, whatever is due soonest. As long as there are cases that were never asked, at least every third exercise is
one of them: nobody is asked the same few over and over. The same case is never asked twice in a row, unless it is the
only one.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from baccarat.drill.base import AnswerGrade, DrillKind, Question, SolvedQuestion, UnreadableAnswer, grade
from baccarat.drill.catalogue import DrillCase, cases_of, make
from baccarat.drill.chance import SeededPicks
from baccarat.law.rulebook import Rulebook

INTERVALS = (2, 6, 15, 40, 100)
"""After how many other exercises a case is due again, by its box."""
FIRST_KNOWN, FIRST_SLOW = 3, 2
"""The boxes of a case that was answered correctly the first time: in time, and too late."""
BOXES = len(INTERVALS)
NEW_EVERY = 3
"""At least one exercise of this many is a case that was never asked, as long as there is one."""

AnswerCount = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Key = Annotated[str, Meta(max_length=200)]


class CaseProgress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How well a case is known: its box, at which exercise it is due, and how often it was right and wrong."""

    box: Annotated[int, Meta(ge=1, le=BOXES)]
    due: AnswerCount
    right: AnswerCount = 0
    wrong: AnswerCount = 0


class Trainee(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody knows of a rulebook: how many exercises were answered, and the progress of each case."""

    rulebook: Annotated[str, Meta(max_length=100)] = ""
    """The hash of the rulebook; another one has other cases, and other answers to the same."""
    answered: AnswerCount = 0
    standings: Annotated[dict[Key, CaseProgress], Meta(max_length=1000)] = {}
    last: Key = ""
    """The case that was asked last."""


class Exercise(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise as the trainee sees it. It contains neither its solution nor its case, which often gives it away."""

    number: int
    kind: DrillKind
    seconds: int
    """How long a table allows for it."""
    question: Question


class GradedAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answered exercise, as it is on the score sheet."""

    number: AnswerCount
    kind: DrillKind
    case: Key
    ask: Annotated[str, Meta(max_length=500)]
    given: Annotated[str, Meta(max_length=1000)]
    answer: Annotated[str, Meta(max_length=1000)]
    right: bool
    milliseconds: AnswerCount
    cites: Annotated[tuple[Annotated[str, Meta(max_length=100)], ...], Meta(max_length=40)]

    @property
    def slow(self) -> bool:
        """Whether it took longer than a table allows."""
        return self.milliseconds > self.kind.seconds * 1000


class AnsweredExercise(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that has been graded: the grade, the mark, and the trainee's new state."""

    graded: AnswerGrade
    mark: GradedAnswer
    trainee: Trainee


def begin(rules: Rulebook) -> Trainee:
    """A trainee who has answered nothing yet."""
    return Trainee(rulebook=rules.hash)


def next_exercise(rules: Rulebook, trainee: Trainee, *, seed: str, kinds: Collection[DrillKind] = ()) -> Exercise:
    """The exercise that a trainee does next; without `kinds`, of any kind."""
    _case, exercise, _made = _next_exercise(rules, trainee, seed, kinds)
    return exercise


def answer(
    rules: Rulebook, trainee: Trainee, given: str, *, seed: str, milliseconds: int, kinds: Collection[DrillKind] = ()
) -> AnsweredExercise | UnreadableAnswer:
    """Grade the answer to the exercise that the trainee does next."""
    case, exercise, made = _next_exercise(rules, trainee, seed, kinds)
    graded = grade(made, given)
    if isinstance(graded, UnreadableAnswer):
        return graded
    return _answer_result(trainee, case, exercise, graded, milliseconds)


def pass_over(
    rules: Rulebook, trainee: Trainee, *, seed: str, milliseconds: int, kinds: Collection[DrillKind] = ()
) -> AnsweredExercise:
    """Show the answer to somebody who does not know it: that counts as a wrong answer."""
    case, exercise, made = _next_exercise(rules, trainee, seed, kinds)
    solution = made.solution
    graded = AnswerGrade(right=False, given=NO_ANSWER, answer=solution.say, why=solution.why, cites=solution.cites)
    return _answer_result(trainee, case, exercise, graded, milliseconds)


NO_ANSWER = "–"
"""What the sheet shows if nothing was answered."""


def _answer_result(
    trainee: Trainee, case: DrillCase, exercise: Exercise, graded: AnswerGrade, milliseconds: int
) -> AnsweredExercise:
    mark = GradedAnswer(
        number=exercise.number,
        kind=case.kind,
        case=case.name,
        ask=exercise.question.ask,
        given=graded.given,
        answer=graded.answer,
        right=graded.right,
        milliseconds=milliseconds,
        cites=graded.cites,
    )
    return AnsweredExercise(
        graded=graded, mark=mark, trainee=trainee_after(trainee, case, right=mark.right, is_slow=mark.slow)
    )


def kinds_under(rules: Rulebook, kinds: Collection[DrillKind]) -> list[DrillKind]:
    """Those of some kinds of which the rulebook has cases, in order; without any named, all."""
    return [kind for kind in cases_of(rules) if kind in kinds or not kinds]


def _next_exercise(
    rules: Rulebook, trainee: Trainee, seed: str, kinds: Collection[DrillKind]
) -> tuple[DrillCase, Exercise, SolvedQuestion]:  # fmt: skip
    number = trainee.answered + 1
    case = case_asked_next(rules, trainee, seed=seed, kinds=kinds)
    made = make(rules, case, seed=seed, number=number)
    exercise = Exercise(number=number, kind=case.kind, seconds=case.kind.seconds, question=made.question)
    return case, exercise, made


def case_asked_next(rules: Rulebook, trainee: Trainee, *, seed: str, kinds: Collection[DrillKind] = ()) -> DrillCase:
    """The case that a trainee is asked next, which no trainee is shown."""
    return _next_case(rules, trainee, SeededPicks(seed, trainee.answered + 1, "case"), kinds)


def _next_case(rules: Rulebook, trainee: Trainee, chance: SeededPicks, kinds: Collection[DrillKind]) -> DrillCase:
    by_kind = {kind: cases_of(rules)[kind] for kind in kinds_under(rules, kinds)}
    assert by_kind, "some kind of drill has cases"
    cases = [case for each in by_kind.values() for case in each]
    others = [case for case in cases if case.key != trainee.last] or cases
    standings = trainee.standings
    asked = [case for case in others if case.key in standings]
    asked.sort(key=lambda case: (standings[case.key].box, standings[case.key].due))
    due = [case for case in asked if standings[case.key].due <= trainee.answered]
    unasked = {kind: [case for case in each if case.key not in standings] for kind, each in by_kind.items()}
    left = [kind for kind, each in unasked.items() if each]
    held = [standings[case.key] for case in cases if case.key in standings]
    is_new_due = len(held) * NEW_EVERY <= sum(each.right + each.wrong for each in held)
    if due and standings[due[0].key].box < FIRST_KNOWN and not (left and is_new_due):
        return due[0]
    if left:
        return chance.choice(unasked[chance.choice(left)])
    return due[0] if due else min(asked, key=lambda case: standings[case.key].due)


def trainee_after(trainee: Trainee, case: DrillCase, *, right: bool, is_slow: bool) -> Trainee:
    """The trainee after an answer."""
    answered = trainee.answered + 1
    before = trainee.standings.get(case.key)
    if not right:
        box = 1
    elif before is None:
        box = FIRST_SLOW if is_slow else FIRST_KNOWN
    else:
        box = before.box if is_slow else min(before.box + 1, BOXES)
    was_right, was_wrong = (before.right, before.wrong) if before is not None else (0, 0)
    standing = CaseProgress(
        box=box, due=answered + INTERVALS[box - 1], right=was_right + right, wrong=was_wrong + (not right)
    )
    return replace(trainee, answered=answered, standings={**trainee.standings, case.key: standing}, last=case.key)
