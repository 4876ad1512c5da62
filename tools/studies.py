"""The results behind docs/studies.md and docs/simulate.md: runs every study at length, stores it in docs/studies/.

Run: python tools/studies.py [--check] [NAME …]; some minutes. The pictures of the page are drawn from these files by
make docs. With --check nothing is written: the same seeds must give the same figures again, to the last digits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import isclose
from pathlib import Path
from typing import Any

import msgspec

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.cards import Rank
from baccarat.law.rulebook import Rulebook
from baccarat.sim.study import strategy as play
from baccarat.sim.study.counts import CountStudy, linear_count, study_counts
from baccarat.sim.study.hands import HandsStudy, study_hands, usual_procedure
from baccarat.sim.study.house_study import HouseStudy, study_house
from baccarat.sim.study.patrons import PatronStudy, study_patrons
from baccarat.sim.study.vigorish import VigorishStudy, study_vigorish
from baccarat.sim.study.wagers import WagerStudy, study_wagers
from counted_study import CountedResults, study_results
from round_study import RoundStudy, study_rounds
from tested_hands import HandsTested, study_tested

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "studies"
SEED = 1
MILLION = 1_000_000
PANDA = dict(zip(Rank, (1, 1, -2, -2, -2, -1, -1, -2, 4, 1, 1, 1, 1), strict=True))
DRAGON = {Rank(word): -1 for word in "4567"} | {Rank(word): 2 for word in "89"}


def procedures(rules: Rulebook) -> list[tuple[str, ...]]:
    """The usual procedures with more and more riffles, a wash, and a fair shuffle."""
    usual = (usual_procedure(rules, riffles=riffles) for riffles in (3, 4, 5, 7, 9))
    return [("wash", "cut"), ("riffle", "cut"), *usual, ("fair",)]


def hands() -> list[HandsStudy]:
    """What is left of the old order after each of them."""
    rules = rulebook("ma-midi-4")
    return [study_hands(rules, seed=SEED, shoes=10_000, steps=steps) for steps in procedures(rules)]


def more_passes() -> list[tuple[str, ...]]:
    """Five riffles in three passes over the whole shoe, and seven in four, instead of two."""
    two, last = ("riffle", "riffle", "turn"), ("riffle", "strip", "lace", "cut")
    return [("plug", *two * turns, *last) for turns in (2, 3)]


def passes() -> list[HandsStudy]:
    """What is left of the old order after more passes."""
    return [study_hands(rulebook("ma-midi-4"), seed=SEED, shoes=10_000, steps=steps) for steps in more_passes()]


def hands_tested() -> list[HandsTested]:
    """The battery of the production shuffle over shoes of each procedure."""
    rules = rulebook("ma-midi-4")
    return [study_tested(rules, steps, seed=SEED, shoes=120) for steps in procedures(rules) + more_passes()]


def counts() -> list[CountStudy]:
    """The known count on Dragon 7, with and without a last hand, the best finer one; and with burned cards shown.

    A million shoes, some eight minutes in all: then the error is an eighth of the effect of one card of depth.
    """
    rules, shown = rulebook("ma-midi-4-ez"), rulebook("ma-midi-4-ez", burn_exposure="face_up")
    known = linear_count(rules, WagerKind.DRAGON7, tags=DRAGON)
    finer = linear_count(rules, WagerKind.DRAGON7, level=8)
    return [
        study_counts(rules, known, seed=SEED, shoes=MILLION, index=4, depths=(15, 20, 26, 52, 104, 156, 208)),
        study_counts(rules, known, seed=SEED, shoes=MILLION, index=4, depths=(15, 16), last_hand=False),
        study_counts(rules, finer, seed=SEED, shoes=200_000),
        study_counts(shown, known, seed=SEED, shoes=MILLION, index=4),
    ]


def counted_results() -> CountedResults:
    """The known count on Dragon 7 by what it won, over enough shoes to distinguish it from zero."""
    known = linear_count(rulebook("ma-midi-4-ez"), WagerKind.DRAGON7, tags=DRAGON)
    return study_results(known, index=4, seed=SEED, shoes=5_000_000)


def other_counts() -> list[CountStudy]:
    """The best counts on the other wagers."""
    rules = rulebook("ma-midi-4-ez")
    kinds = (
        WagerKind.PANDA8,
        WagerKind.DRAGON_PLAYER,
        WagerKind.DRAGON_BANKER,
        TIE,
        PLAYER,
        BANKER,
        WagerKind.HOUSE_MONEY,
    )
    found = [study_counts(rules, linear_count(rules, kind), seed=SEED, shoes=3_000) for kind in kinds]
    other = rulebook("ma-midi-4-royal9")
    return [*found, study_counts(other, linear_count(other, WagerKind.ROYAL9), seed=SEED, shoes=3_000)]


def published_counts() -> list[CountStudy]:
    """The count on Panda 8 whose gain has been published together with that on Dragon 7."""
    rules = rulebook("ma-midi-4-ez")
    return [study_counts(rules, linear_count(rules, WagerKind.PANDA8, tags=PANDA), seed=SEED, shoes=60_000)]


def patrons() -> PatronStudy:
    """Nine seats, a strategy each."""
    company = [
        play.flat(BANKER, 2_500), play.flat(PLAYER, 2_500), play.flat(TIE, 2_500), play.martingale(BANKER, 2_500),
        play.paroli(PLAYER, 2_500), play.dalembert(BANKER, 2_500), play.fibonacci(BANKER, 2_500),
        play.mix({BANKER: 2_500, WagerKind.DRAGON_BANKER: 500}), play.flat(BANKER, 10_000),
    ]  # fmt: skip
    return study_patrons(rulebook("ma-midi-4"), company, purse=100_000, seed=SEED, sessions=20_000, shoes=4)


def vigorish() -> list[VigorishStudy]:
    """Four patrons with vigorish at the payout and deferred; then one of them with purses of more and more stakes."""
    rules = rulebook("ma-midi-4")
    company = [
        play.flat(BANKER, 2_500), play.flat(BANKER, 10_000), play.martingale(BANKER, 2_500),
        play.dalembert(BANKER, 2_500),
    ]  # fmt: skip
    purses = [10_000 * stakes for stakes in (2, 3, 5, 7, 10, 15, 20, 30, 40)]
    found = [
        study_vigorish(rules, company, purse=100_000, seed=SEED, sessions=20_000),
        *(study_vigorish(rules, company[1:2], purse=purse, seed=SEED, sessions=20_000) for purse in purses),
    ]
    return [
        msgspec.structs.replace(
            each, at_payout=without_paths(each.at_payout), deferred=without_paths(each.deferred)
        )
        for each in found
    ]  # fmt: skip


def without_paths(found: PatronStudy) -> PatronStudy:
    """A study without the paths of a fan chart."""
    seats = tuple(msgspec.structs.replace(seat, fan={}) for seat in found.seats)
    return msgspec.structs.replace(found, seats=seats)


def vigorish_house() -> list[HouseStudy]:
    """Ten tables of four patrons, vigorish at the payout and deferred."""
    company = [
        play.flat(BANKER, 10_000), play.flat(BANKER, 5_000), play.martingale(BANKER, 2_500), play.flat(PLAYER, 5_000)
    ]  # fmt: skip
    found = [
        study_house(
            rulebook("ma-midi-4", vig_collection=collection), company, seed=SEED, tables=10, days=365, shoes=12
        )
        for collection in ("at_payout", "deferred")
    ]  # fmt: skip
    return [msgspec.structs.replace(each, path={}) for each in found]


def press() -> PatronStudy:
    """House Money with either hand, pressed never, always and when the exact odds say so."""
    company = [
        play.mix({onto: 10_000, WagerKind.HOUSE_MONEY: 10_000}, press=rule)
        for onto in (PLAYER, BANKER)
        for rule in ("never", "always", "best")
    ]
    found = study_patrons(rulebook("ma-midi-4"), company, purse=10**10, seed=SEED, sessions=200_000, shoes=1, rounds=60)
    return without_paths(found)


def house() -> HouseStudy:
    """Twenty tables of four patrons over a year, three of them with the progressive, whose meters are each table's."""
    return _house(link=False)


def linked() -> HouseStudy:
    """The same tables on one link."""
    return _house(link=True)


def _house(*, link: bool) -> HouseStudy:
    company = [
        play.flat(BANKER, 10_000),
        play.flat(BANKER, 5_000),
        play.flat(PLAYER, 5_000),
        play.mix({BANKER: 2_500, TIE: 500}),
    ]
    rules = rulebook("ma-midi-4-royal9")
    return study_house(rules, company, seed=SEED, tables=20, days=365, shoes=12, progressive=(1, 2, 3), link=link)


def wagers() -> WagerStudy:
    """Every wager of an EZ table."""
    return study_wagers(rulebook("ma-midi-4-ez"), seed=SEED, shoes=17_000_000, effect_shoes=1_000_000)


def royal9_wager() -> WagerStudy:
    """The wagers of a table with the progressive."""
    return study_wagers(rulebook("ma-midi-4-royal9"), seed=SEED, shoes=6_000_000, effect_shoes=1_000_000)


def rounds() -> RoundStudy:
    """Rounds of four cards, and how far means scatter: of docs/simulate.md."""
    return study_rounds(seed=SEED)


def total_wagers() -> WagerStudy:
    """The wagers of a New Jersey table, including those on the number of cards, which show the effect best."""
    return study_wagers(rulebook("nj-punto-banco"), seed=SEED, shoes=30_000_000, effect_shoes=1_000_000)


STUDIES: dict[str, tuple[Callable[[], Any], Any]] = {
    "hands": (hands, list[HandsStudy]),
    "passes": (passes, list[HandsStudy]),
    "hands-tested": (hands_tested, list[HandsTested]),
    "counts": (counts, list[CountStudy]),
    "counted-results": (counted_results, CountedResults),
    "other-counts": (other_counts, list[CountStudy]),
    "published-counts": (published_counts, list[CountStudy]),
    "patrons": (patrons, PatronStudy),
    "vigorish": (vigorish, list[VigorishStudy]),
    "vigorish-house": (vigorish_house, list[HouseStudy]),
    "press": (press, PatronStudy),
    "house": (house, HouseStudy),
    "house-linked": (linked, HouseStudy),
    "wagers": (wagers, WagerStudy),
    "wagers-royal9": (royal9_wager, WagerStudy),
    "rounds": (rounds, RoundStudy),
    "wagers-totals": (total_wagers, WagerStudy),
}


def kept(name: str) -> Any:
    """What a study found when it was last run."""
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=STUDIES[name][1])


def same(one: Any, other: Any) -> bool:
    """Whether two results agree; sums of floats may differ in their last digits from machine to machine."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float | int):
        return isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return bool(one == other)


def main() -> None:
    """Run the studies that are named, or all."""
    words = sys.argv[1:]
    differ = []
    for name in [word for word in words if word != "--check"] or STUDIES:
        found = msgspec.json.encode(STUDIES[name][0]())
        path = FOLDER / f"{name}.json"
        if "--check" in words:
            agrees = same(msgspec.json.decode(found), msgspec.json.decode(path.read_bytes()))
            print(f"docs/studies/{name}.json: {'the same again' if agrees else 'differs'}")
            differ += [] if agrees else [name]
        else:
            path.write_bytes(msgspec.json.format(found, indent=1) + b"\n")
            print(f"docs/studies/{name}.json")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
