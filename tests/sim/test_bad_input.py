"""What is given to simulations and studies and is not what they take: each is refused in a sentence, none is bent."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from msgspec.structs import replace

from baccarat import PLAYER, WagerKind, rulebook
from baccarat.cards import Rank
from baccarat.sim import gym, simulate
from baccarat.sim.stopping_rule import parse_until
from baccarat.sim.stream import shoe
from baccarat.sim.study.counts import linear_count, study_counts
from baccarat.sim.study.cut_card import cut_card_effect, sure_rounds
from baccarat.sim.study.hands import Model, hand_orders, procedure_fault, study_hands, usual_procedure
from baccarat.sim.study.house_study import study_house
from baccarat.sim.study.patron_company import company_notes
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.round_columns import records, write_parquet
from baccarat.sim.study.strategy import Strategy, by_function, check, flat, mix, stake_from_count, wagers_of
from baccarat.sim.study.vigorish import study_vigorish
from baccarat.sim.study.wagers import study_wagers
from meter_study import study_meters

RULES, EZ, ROYAL9 = rulebook("ma-midi-4"), rulebook("ma-midi-4-ez"), rulebook("ma-midi-4-royal9")
COMPANY = [flat(PLAYER, 2_500)]
NOWHERE = Path("/nowhere/rounds.parquet")


def _counts(**asked: Any) -> Any:
    return study_counts(EZ, linear_count(EZ, WagerKind.DRAGON7), **{"shoes": 2} | asked)


SEEDED: dict[str, Callable[..., Any]] = {
    "simulate": lambda **asked: simulate(RULES, **{"shoes": 1} | asked),
    "records": lambda **asked: next(records(RULES, **{"shoes": 1} | asked)),
    "write_parquet": lambda **asked: write_parquet(RULES, NOWHERE, **{"shoes": 1} | asked),
    "wagers": lambda **asked: study_wagers(RULES, **{"shoes": 1, "effect_shoes": 2} | asked),
    "cut_card": lambda **asked: cut_card_effect(RULES, **{"shoes": 2} | asked),
    "counts": _counts,
    "patrons": lambda **asked: study_patrons(RULES, COMPANY, **{"purse": 5_000, "sessions": 1} | asked),
    "vigorish": lambda **asked: study_vigorish(RULES, COMPANY, **{"purse": 5_000, "sessions": 1} | asked),
    "house": lambda **asked: study_house(RULES, COMPANY, **{"tables": 1, "days": 1} | asked),
    "meters": lambda **asked: study_meters(ROYAL9, seats=[1], **{"tables": 1, "days": 1} | asked),
    "hands": lambda **asked: study_hands(RULES, **{"shoes": 1} | asked),
    "hand_orders": lambda **asked: next(hand_orders(RULES, **{"shoes": 1} | asked)),
    "shoe": lambda seed: shoe(RULES, seed, 0),
}
"""Everything that takes a seed, with as little as it can be asked for."""


@pytest.mark.parametrize("name", SEEDED)
def test_a_seed_is_a_whole_number_below_two_to_the_64_and_nothing_is_cut_to_one(name: str) -> None:
    """A fraction was once cut in silence, while the data carried it; seeds too large were taken modulo 2^64."""
    for seed in (1.5, 1.0, True, "1", None):
        with pytest.raises(ValueError, match=re.escape(f"seed: expected a whole number, not {seed!r}")):
            SEEDED[name](seed=seed)
    with pytest.raises(ValueError, match=r"seed: -1; expected 0 at least"):
        SEEDED[name](seed=-1)
    for seed in (2**64, 2**70):
        with pytest.raises(ValueError, match=r"seed: \d+; expected 18,446,744,073,709,551,615 at most"):
            SEEDED[name](seed=seed)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("records", "first"), ("write_parquet", "first"), ("patrons", "first"), ("simulate", "first"),
        ("records", "shoes"), ("write_parquet", "shoes"), ("counts", "shoes"), ("hands", "shoes"),
        ("hand_orders", "shoes"), ("cut_card", "shoes"), ("wagers", "shoes"), ("meters", "shoes"), ("house", "shoes"),
        ("records", "rounds"), ("write_parquet", "rounds"), ("patrons", "rounds"), ("vigorish", "rounds"),
        ("wagers", "rounds"), ("patrons", "sessions"), ("meters", "days"), ("meters", "tables"),
    ],
)  # fmt: skip
def test_numbers_of_shoes_and_rounds_are_whole(name: str, asked: str) -> None:
    for number in (1.5, 2.0, True, "2"):
        with pytest.raises(ValueError, match=re.escape(f"{asked}: expected a whole number, not {number!r}")):
            SEEDED[name](**{"seed": 1, asked: number})


def test_a_study_carries_its_seed_as_a_number_of_pythons_own() -> None:
    two: Any = np.uint64(2)
    house = study_house(RULES, COMPANY, seed=two, tables=1, days=1, shoes=1)
    assert (type(house.seed), house.seed) == (int, 2)
    assert house == study_house(RULES, COMPANY, seed=2, tables=1, days=1, shoes=1)
    (block,) = records(RULES, seed=two, shoes=two, first=two)
    assert (type(block.first), block.first) == (int, 2)


def test_tags_are_whole_numbers_by_rank() -> None:
    """Tags by the ranks' letters were once passed over in silence: another count, or a stake in every round."""
    makers: list[Callable[[Any], Any]] = [
        lambda tags: linear_count(EZ, WagerKind.DRAGON7, tags=tags),
        lambda tags: stake_from_count(PLAYER, 2_500, tags, 0),
        lambda tags: by_function("mine", print, tags=tags),
        lambda tags: check(RULES, Strategy(name="own", stakes={PLAYER: 2_500}, tags=tags)),
        lambda tags: study_counts(EZ, replace(linear_count(EZ, WagerKind.DRAGON7), tags=tags), seed=1, shoes=2),
    ]
    for make in makers:
        with pytest.raises(TypeError, match=re.escape("expected a rank for each tag, such as Rank.NINE, not '4'")):
            make({"4": -1, Rank.EIGHT: 2})
        with pytest.raises(TypeError, match=re.escape("expected tags by rank, such as {Rank.NINE: 2}, not 5")):
            make(5)
        for tag in (float("nan"), float("inf"), 1.5, 2.0, "2", True, 101, 10**30):
            with pytest.raises(ValueError, match=r"rank 8 counts .*: tags are whole numbers from -100 to 100"):
                make({Rank.EIGHT: tag})
    of_numpy, half = cast("Any", ({Rank.EIGHT: np.int8(2)}, np.float32(0.5)))
    assert stake_from_count(PLAYER, 2_500, of_numpy, half) == stake_from_count(PLAYER, 2_500, {Rank.EIGHT: 2}, 0.5)


def test_an_index_is_a_number_that_a_true_count_could_reach() -> None:
    linear = linear_count(EZ, WagerKind.DRAGON7)
    makers: list[Callable[[Any], Any]] = [
        lambda index: stake_from_count(PLAYER, 2_500, {Rank.EIGHT: 2}, index),
        lambda index: study_counts(EZ, linear, seed=1, shoes=2, index=index),
    ]
    for make in makers:
        for index in ("4", True, [4]):
            with pytest.raises(TypeError, match=re.escape(f"a true count as a number, such as 4.0, not {index!r}")):
                make(index)
        for number in (float("nan"), float("inf"), 10**400, 10_001):
            with pytest.raises(ValueError, match=r"a true count of .*: an index is a number from -10,000 to 10,000"):
                make(number)
    with pytest.raises(ValueError, match="a true count of nan"):
        study_counts(EZ, replace(linear, index=float("nan")), seed=1, shoes=2)


@pytest.mark.parametrize(
    ("asked", "error", "says"),
    [
        ({"depths": [float("nan")]}, ValueError, "depth: expected a whole number, not nan"),
        ({"depths": [14.5]}, ValueError, "depth: expected a whole number, not 14.5"),
        ({"depths": ["26"]}, ValueError, "depth: expected a whole number, not '26'"),
        ({"depths": 26}, TypeError, "depths: expected a sequence, not 26"),
        ({"depths": "26,52"}, TypeError, "depths: expected a sequence, not '26,52'"),
        ({"depths": [13]}, ValueError, "a cover card depth of 13: 14 cards lie behind the cover card"),
        ({"depths": [416]}, ValueError, "a cover card depth of 416: the shoe has 416 cards"),
        ({"last_hand": "no"}, TypeError, "expected True or False for the last hand, not 'no'"),
    ],
)
def test_depths_are_whole_numbers_of_cards(asked: dict[str, Any], error: type[Exception], says: str) -> None:
    """A depth that was no number once came first in order, and what was found by count was that of no round."""
    with pytest.raises(error, match=re.escape(says)):
        _counts(seed=1, **asked)


def test_a_level_is_a_whole_number() -> None:
    wrong: list[Any] = [1.5, 2.0, True, "2"]
    for level in wrong:
        with pytest.raises(ValueError, match=re.escape(f"level: expected a whole number, not {level!r}")):
            linear_count(EZ, WagerKind.DRAGON7, level=level)
    for bound in (0, 101):
        with pytest.raises(ValueError, match=f"level: {bound}; expected"):
            linear_count(EZ, WagerKind.DRAGON7, level=bound)


ONE_SESSION: dict[str, Any] = {"purse": 5_000, "seed": 1, "sessions": 1, "shoes": 1}
ONE_DAY: dict[str, Any] = {"seed": 1, "tables": 1, "days": 1, "shoes": 1}
ANY: Any = None
RULES_WANTED = "expected a Rulebook, as rulebook() makes one, not "
STRATEGY_WANTED = "expected a strategy, as flat() makes one, not "
LINEAR = linear_count(EZ, WagerKind.DRAGON7)


def _patrons(strategies: Any, **asked: Any) -> Any:
    return study_patrons(RULES, strategies, **ONE_SESSION | asked)


def _house(strategies: Any = COMPANY, **asked: Any) -> Any:
    return study_house(ROYAL9, strategies, **ONE_DAY | asked)


def _hands(**asked: Any) -> Any:
    return study_hands(RULES, **{"seed": 1, "shoes": 1} | asked)


def _simulate(**asked: Any) -> Any:
    return simulate(RULES, **{"seed": 1, "shoes": 1} | asked)


NO_RULES: dict[str, Callable[[Any], Any]] = {
    "simulate": lambda rules: simulate(rules, seed=1, shoes=1),
    "parse_until": lambda rules: parse_until("banker edge ±1%", rules, detail="totals"),
    "shoe": lambda rules: shoe(rules, 1, 1),
    "records": lambda rules: next(records(rules, seed=1, shoes=1)),
    "write_parquet": lambda rules: write_parquet(rules, NOWHERE, seed=1, shoes=1),
    "study_patrons": lambda rules: study_patrons(rules, COMPANY, **ONE_SESSION),
    "study_vigorish": lambda rules: study_vigorish(rules, COMPANY, **ONE_SESSION),
    "study_house": lambda rules: study_house(rules, COMPANY, **ONE_DAY),
    "study_meters": lambda rules: study_meters(rules, seats=[1], **ONE_DAY),
    "study_wagers": lambda rules: study_wagers(rules, seed=1, shoes=1),
    "cut_card_effect": lambda rules: cut_card_effect(rules, seed=1, shoes=2),
    "surely": sure_rounds,
    "linear_count": lambda rules: linear_count(rules, WagerKind.DRAGON7),
    "study_counts": lambda rules: study_counts(rules, LINEAR, seed=1, shoes=2),
    "study_hands": lambda rules: study_hands(rules, seed=1, shoes=1),
    "hand_orders": lambda rules: next(hand_orders(rules, seed=1, shoes=1)),
    "usual_procedure": usual_procedure,
    "lawful": lambda rules: procedure_fault(rules, ("riffle", "cut")),
    "wagers_of": wagers_of,
    "check": lambda rules: check(rules, COMPANY[0]),
    "ShoeEnv": gym.ShoeEnv,
    "ShoeVectorEnv": lambda rules: gym.ShoeVectorEnv(2, [rules]),
}


@pytest.mark.parametrize("name", NO_RULES)
def test_what_is_no_rulebook_is_refused_with_what_was_expected(name: str) -> None:
    for rules in (None, 5):
        with pytest.raises(TypeError, match=re.escape(f"{RULES_WANTED}{rules!r}")):
            NO_RULES[name](rules)


WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: _simulate(until="banker edge ±1%"), TypeError, "expected an end, as parse_until() makes one, not 'banker"),
    (lambda: _simulate(start={}), TypeError, "expected a tally, as simulate() gives one, not {}"),
    (lambda: _simulate(engine="dask", cluster=5), TypeError, "expected the address of a Dask scheduler as text, not 5"),
    (lambda: parse_until(cast("Any", 5), RULES, detail="totals"), TypeError, "expected an end as text, such as"),
    (lambda: _patrons(["flat"]), TypeError, f"{STRATEGY_WANTED}'flat'"),
    (lambda: _patrons([None]), TypeError, f"{STRATEGY_WANTED}None"),
    (lambda: _patrons("flat"), TypeError, "strategies: expected a sequence, not 'flat'"),
    (lambda: _patrons(COMPANY[0]), TypeError, "strategies: expected a sequence, not Strategy"),
    (lambda: _patrons([]), ValueError, "0 patrons: the table has seats for 1 to"),
    (lambda: _patrons(COMPANY, threads=-1), ValueError, "threads: -1; expected 1 at least"),
    (lambda: _patrons(COMPANY, threads=0), ValueError, "threads: 0; expected 1 at least"),
    (lambda: _patrons(COMPANY, threads=1.5), ValueError, "threads: expected a whole number, not 1.5"),
    (lambda: _house(["x"]), TypeError, f"{STRATEGY_WANTED}'x'"),
    (lambda: _house(progressive=5), TypeError, "progressive: expected a sequence, not 5"),
    (lambda: _house(progressive=[1.5]), ValueError, "chair: expected a whole number, not 1.5"),
    (lambda: _house(link="no"), TypeError, "expected True or False for the link, not 'no'"),
    (lambda: study_meters(ROYAL9, seats=[True], **ONE_DAY), ValueError, "chair: expected a whole number, not True"),
    (lambda: company_notes(RULES, ANY), TypeError, "strategies: expected a sequence, not None"),
    (lambda: study_counts(EZ, ANY, seed=1, shoes=2), TypeError, "expected a count, as linear_count() makes one, not"),
    (lambda: study_counts(RULES, LINEAR, seed=1, shoes=2), ValueError, "dragon7 is no wager here; offered are player"),
    (lambda: linear_count(EZ, cast("Any", "dragon7")), TypeError, "expected a wager, such as BANKER, not 'dragon7'"),
    (lambda: _hands(steps=5), TypeError, "steps: expected a sequence, not 5"),
    (lambda: _hands(steps="riffle"), TypeError, "steps: expected a sequence, not 'riffle'"),
    (lambda: _hands(steps=()), ValueError, "a shuffle has at least one step"),
    (lambda: _hands(model={}), TypeError, "expected a Model of hands, not {}"),
    (lambda: _hands(model=Model(grab=cast("Any", 52.5))), ValueError, "the model's grab: expected a whole number"),
    (lambda: _hands(model=Model(renew=True)), ValueError, "the model's renew: expected a whole number, not True"),
    (lambda: _hands(tracker="no"), TypeError, "expected True or False for the tracker, not 'no'"),
    (lambda: usual_procedure(RULES, riffles=cast("Any", 1.5)), ValueError, "riffles: expected a whole number, not 1.5"),
    (lambda: usual_procedure(RULES, riffles=0), ValueError, "riffles: 0; expected 1 at least"),
    (lambda: check(RULES, ANY), TypeError, f"{STRATEGY_WANTED}None"),
    (lambda: mix(cast("Any", 5)), TypeError, "expected stakes by wager, such as {BANKER: 2500}, not 5"),
    (lambda: check(RULES, Strategy(name=cast("Any", 5))), TypeError, "expected the name of a strategy as text, not 5"),
    (lambda: check(RULES, Strategy(name="x", stakes=cast("Any", 5))), TypeError, "expected stakes by wager"),
    (lambda: check(RULES, Strategy(name="x", on=PLAYER, ladder=cast("Any", 5))), TypeError, "ladder: expected a"),
    (lambda: check(RULES, Strategy(name="x", on=PLAYER, ladder=(2_500,), after_win=cast("Any", 1.5))), ValueError,
     "x: after_win: expected a whole number, not 1.5"),
    (lambda: gym.ShoeEnv(render_mode="human"), ValueError, "there is no rendering"),
    (lambda: gym.ShoeEnv().reset(seed=cast("Any", 1.5)), ValueError, "seed: expected a whole number, not 1.5"),
    (lambda: gym.ShoeEnv().reset(options=cast("Any", 5)), TypeError, "expected the options of a reset as a dict, not"),
    (lambda: gym.ShoeVectorEnv(2, []), ValueError, "rules: expected at least one rulebook"),
    (lambda: gym.ShoeVectorEnv(2, ANY), TypeError, "rules: expected a sequence, not None"),
    (lambda: gym.ShoeVectorEnv(2).reset(seed=cast("Any", 1.5)), ValueError, "seed: expected a whole number, not 1.5"),
    (lambda: gym.ShoeVectorEnv(2).reset(seed=cast("Any", [True, 2])), ValueError, "seed: expected a whole number, not"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "error", "says"), WRONG, ids=[says for _, _, says in WRONG])
def test_what_is_of_another_kind_is_refused_in_a_sentence(
    ask: Callable[[], Any], error: type[Exception], says: str
) -> None:
    """Such things once ended in the words of whatever stumbled over them first."""
    with pytest.raises(error, match=re.escape(says)):
        ask()


def test_any_sequence_of_strategies_will_do() -> None:
    assert _patrons(each for each in COMPANY) == _patrons(COMPANY)


WITHOUT = """
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == {package!r} else found(name, *more)
import baccarat.sim.study.patrons
"""


@pytest.mark.parametrize("package", ["numpy", "numba"])
def test_without_its_libraries_a_study_names_the_extra_that_brings_them(package: str) -> None:
    program = [sys.executable, "-c", WITHOUT.format(package=package)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    said = f"ModuleNotFoundError: studies need {package}: install baccarat[sim]"
    assert done.stderr.splitlines()[-1] == said
