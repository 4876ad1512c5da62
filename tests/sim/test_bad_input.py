"""What is given to simulations and studies and is not what they take: each is refused in a sentence, none is bent."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from msgspec.structs import replace

from baccarat import PLAYER, Kind, rulebook
from baccarat.cards import Rank
from baccarat.sim import simulate
from baccarat.sim.stream import shoe
from baccarat.sim.study.counts import linear_count, study_counts
from baccarat.sim.study.cut_card import cut_card_effect
from baccarat.sim.study.hands import hand_orders, study_hands
from baccarat.sim.study.house import study_house
from baccarat.sim.study.meters import study_meters
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.record import records, write_parquet
from baccarat.sim.study.strategy import Strategy, by_function, check, counted, flat
from baccarat.sim.study.vigorish import study_vigorish
from baccarat.sim.study.wagers import study_wagers

RULES, EZ, ROYAL9 = rulebook("ma-midi-4"), rulebook("ma-midi-4-ez"), rulebook("ma-midi-4-royal9")
COMPANY = [flat(PLAYER, 2_500)]
NOWHERE = Path("/nowhere/rounds.parquet")


def _counts(**asked: Any) -> Any:
    return study_counts(EZ, linear_count(EZ, Kind.DRAGON7), **{"shoes": 2} | asked)


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
        lambda tags: linear_count(EZ, Kind.DRAGON7, tags=tags),
        lambda tags: counted(PLAYER, 2_500, tags, 0),
        lambda tags: by_function("mine", print, tags=tags),
        lambda tags: check(RULES, Strategy(name="own", stakes={PLAYER: 2_500}, tags=tags)),
        lambda tags: study_counts(EZ, replace(linear_count(EZ, Kind.DRAGON7), tags=tags), seed=1, shoes=2),
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
    assert counted(PLAYER, 2_500, of_numpy, half) == counted(PLAYER, 2_500, {Rank.EIGHT: 2}, 0.5)


def test_an_index_is_a_number_that_a_true_count_could_reach() -> None:
    linear = linear_count(EZ, Kind.DRAGON7)
    makers: list[Callable[[Any], Any]] = [
        lambda index: counted(PLAYER, 2_500, {Rank.EIGHT: 2}, index),
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
            linear_count(EZ, Kind.DRAGON7, level=level)
    for bound in (0, 101):
        with pytest.raises(ValueError, match=f"level: {bound}; expected"):
            linear_count(EZ, Kind.DRAGON7, level=bound)
