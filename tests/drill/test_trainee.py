"""Trainees: what went wrong comes back soon, what is known comes rarely, and nothing depends on a clock."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest

from baccarat.drill.base import DrillKind, Form, UnreadableAnswer
from baccarat.drill.catalogue import cases_of
from baccarat.drill.trainee import (
    AnsweredExercise,
    Trainee,
    answer,
    begin,
    case_asked_next,
    next_exercise,
    pass_over,
    trainee_after,
)
from baccarat.law.rulebook import rulebook

RULES = rulebook("ma-midi-4")
FAST, SLOW = 1000, 600_000


def right_answer(trainee: Trainee, seed: str, *kinds: DrillKind) -> str:
    """What is right, as somebody types it who has passed and read it."""
    shown = pass_over(RULES, trainee, seed=seed, milliseconds=0, kinds=kinds).graded.answer
    question = next_exercise(RULES, trainee, seed=seed, kinds=kinds).question
    if question.form is not Form.ORDER:
        return shown
    keys = {choice.say: choice.key for choice in question.choices}
    return "".join(keys[say] for say in shown.split(" · "))


def answered(trainee: Trainee, *kinds: DrillKind, right: bool, seed: str = "s", took: int = FAST) -> AnsweredExercise:
    """The next exercise, answered rightly or passed."""
    if not right:
        return pass_over(RULES, trainee, seed=seed, milliseconds=took, kinds=kinds)
    given = right_answer(trainee, seed, *kinds)
    done = answer(RULES, trainee, given, seed=seed, milliseconds=took, kinds=kinds)
    assert isinstance(done, AnsweredExercise)
    assert done.graded.right
    return done


def test_what_went_wrong_comes_back_after_two_others_until_it_is_right() -> None:
    trainee = begin(RULES)
    first = answered(trainee, right=False)
    trainee, missed = first.trainee, first.mark.case
    seen = []
    for _ in range(9):
        done = answered(trainee, right=False)
        seen.append(done.mark.case)
        trainee = done.trainee
    assert seen[2] == missed
    assert seen[0] != missed != seen[1]


@pytest.mark.slow
def test_a_case_that_is_always_missed_is_asked_far_more_often_than_those_that_are_known() -> None:
    trainee, asked, kind = begin(RULES), Counter[str](), DrillKind.DRAW
    hard = "Banker on 6 against a third card worth 6"
    for number in range(400):
        assert trainee.answered == number
        done = answered(trainee, kind, right=False)
        assert done.mark.number == number + 1
        if done.mark.case != hard:
            known = answer(RULES, trainee, done.graded.answer, seed="s", milliseconds=FAST, kinds=[kind])
            assert isinstance(known, AnsweredExercise)
            assert known.graded.right
            done = known
        asked[done.mark.case] += 1
        trainee = done.trainee
    assert next_exercise(RULES, trainee, seed="s", kinds=[kind]).number == 401
    assert set(asked) == {case.name for case in cases_of(RULES)[kind]}, "everything has been asked"
    others = sorted(count for name, count in asked.items() if name != hard)
    assert asked[hard] >= 10 * others[len(others) // 2]


def test_a_right_answer_that_comes_late_is_asked_again_sooner() -> None:
    fast = answered(begin(RULES), right=True).trainee
    slow = answered(begin(RULES), right=True, took=SLOW).trainee
    (known,), (unsure,) = fast.standings.values(), slow.standings.values()
    assert (known.box, unsure.box) == (3, 2)
    assert unsure.due < known.due
    assert (unsure.right, unsure.wrong) == (1, 0)


def test_boxes_rise_one_by_one_and_fall_to_the_first() -> None:
    kind, trainee, boxes = DrillKind.VIGORISH, begin(RULES), []
    for _ in range(12):
        done = answered(trainee, kind, right=True)
        trainee = done.trainee
        boxes.append(trainee.standings[f"vigorish: {done.mark.case}"].box)
    assert boxes == [3, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5]
    done = answered(trainee, kind, right=False)
    assert done.trainee.standings[f"vigorish: {done.mark.case}"].box == 1


@pytest.mark.parametrize("kind", [DrillKind.WINNER, DrillKind.VIGORISH])
def test_the_same_case_is_never_asked_twice_in_a_row(kind: DrillKind) -> None:
    trainee, last = begin(RULES), ""
    for _ in range(40):
        done = answered(trainee, kind, right=False)
        assert done.mark.case != last
        trainee, last = done.trainee, done.mark.case


@pytest.mark.slow
def test_an_exercise_tells_neither_its_case_nor_its_answer() -> None:
    trainee = begin(RULES)
    for _ in range(60):
        exercise = next_exercise(RULES, trainee, seed="s")
        done = answered(trainee, right=True)
        assert set(msgspec.to_builtins(exercise)) == {"number", "kind", "seconds", "question"}
        told = msgspec.json.encode(exercise).decode()
        assert f'"{done.mark.case}"' not in told
        assert exercise.kind is DrillKind.CALL or done.mark.case not in told
        trainee = done.trainee


def test_an_answer_that_cannot_be_read_changes_nothing() -> None:
    assert isinstance(answer(RULES, begin(RULES), "what?", seed="s", milliseconds=1), UnreadableAnswer)


def test_a_trainee_that_is_kept_goes_on_where_it_was() -> None:
    trainee = begin(RULES)
    for _ in range(5):
        trainee = answered(trainee, right=False).trainee
    kept = msgspec.json.decode(msgspec.json.encode(trainee), type=Trainee)
    assert next_exercise(RULES, kept, seed="s") == next_exercise(RULES, trainee, seed="s")


# ------------------------------------------------------------------------------------ learners, 200 answers each

CALLS = "calls"


def learns_by_heart(case: str, times: int, chance: random.Random) -> tuple[bool, int]:
    """Right from the second time on."""
    del case, chance
    return times > 0, FAST


LEARNERS: dict[str, Callable[[str, int, random.Random], tuple[bool, int]]] = {
    "never right": lambda _case, _times, _chance: (False, FAST),
    "always late": lambda _case, _times, _chance: (True, SLOW),
    "right at every second try": lambda _case, _times, chance: (chance.random() < 0.5, FAST),
    "learns by heart": learns_by_heart,
    "needs five times": lambda _case, times, _chance: (times >= 5, FAST),
    "never says what is called": lambda case, _times, _chance: (not case.startswith(CALLS), FAST),
    "always right": lambda _case, _times, _chance: (True, FAST),
}


def asked_of(learner: str) -> list[tuple[str, bool]]:
    """Two hundred cases in the order in which a learner was asked them, and whether each was right."""
    trainee, chance, times, found = begin(RULES), random.Random(5), Counter[str](), list[tuple[str, bool]]()
    for _ in range(200):
        case = case_asked_next(RULES, trainee, seed="s")
        right, took = LEARNERS[learner](case.key, times[case.key], chance)
        found.append((case.key, right))
        times[case.key] += 1
        trainee = trainee_after(trainee, case, right=right, is_slow=took == SLOW)
    return found


@pytest.mark.parametrize("learner", LEARNERS)
def test_whoever_learns_meets_new_cases_in_between_and_what_was_wrong_again(learner: str) -> None:
    asked = asked_of(learner)
    keys = [key for key, _ in asked]
    assert asked == asked_of(learner), "the same record leads to the same cases"
    assert all(one != other for one, other in pairwise(keys))
    for number in range(9, 201):
        assert len(set(keys[:number])) >= min(number // 3, 148), "at least every third case is new"
    most = Counter(keys).most_common(1)[0][1]
    assert most <= 12, "none is asked again and again"
    missed = {key: at for at, (key, right) in enumerate(asked) if not right and at < 100}
    assert all(key in keys[at + 1 :] for key, at in missed.items()), "what was wrong comes back"
    first_missed = next((at for at, (_, right) in enumerate(asked) if not right), None)
    if first_missed is not None:
        assert asked[first_missed][0] in keys[first_missed + 3 : first_missed + 7], "and soon"
